package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// print writes what a command is asked for. That it can't be written is a
// failure: a full disk must not look like an answer.
func (p *program) print(text []byte) error {
	if _, err := p.stdout.Write(text); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// printJSON writes v as indented JSON.
func (p *program) printJSON(v any) error {
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// say writes a line about the work to standard error. Where even that fails
// there is nobody left to tell; the exit code still speaks.
func (p *program) say(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		_, _ = fmt.Fprintln(p.stderr, printable(line))
	}
}

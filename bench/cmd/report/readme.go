package main

import (
	"fmt"
	"os"
	"strings"
)

// The report stands between these lines of README.md.
const (
	beginMark = "<!-- results: written by bench/run.sh --write -->"
	endMark   = "<!-- end of results -->"
)

func writeReadme(file, report string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := between(string(old), report)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// between replaces what stands between the marks.
func between(text, report string) (string, error) {
	before, rest, ok := strings.Cut(text, beginMark+"\n")
	if !ok {
		return "", fmt.Errorf("the line %q is missing", beginMark)
	}
	_, after, ok := strings.Cut(rest, endMark+"\n")
	if !ok {
		return "", fmt.Errorf("the line %q is missing", endMark)
	}
	return before + beginMark + "\n\n" + report + "\n" + endMark + "\n" + after, nil
}

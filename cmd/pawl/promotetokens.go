package main

import (
	"bytes"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

// readTokens reads a file of tokens, one a line. Blanks around a token don't
// count, a line that begins with # is a comment.
func (p *program) readTokens(name string) ([]string, error) {
	src, err := p.readFile(name, source.MaxBytes+1)
	switch {
	case err != nil:
		return nil, err
	case len(src) > source.MaxBytes:
		return nil, usagef("%s has more than %d bytes, which are allowed", name, source.MaxBytes)
	}
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	var tokens []string
	for line := range strings.Lines(string(src)) {
		token := strings.TrimSpace(line)
		if token != "" && token[0] != '#' {
			tokens = append(tokens, token)
		}
	}
	if len(tokens) == 0 {
		return nil, usagef("%s holds no token: a file that adds nothing is likely the wrong one", name)
	}
	return tokens, nil
}

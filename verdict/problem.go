package verdict

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a policy.
type Problem struct {
	Path    string // JSON pointer (RFC 6901) into the policy: /rules/2/force
	Message string
}

// PolicyError is the error of a gate's Compile: everything that is wrong.
type PolicyError struct {
	Problems []Problem
}

// Error lists all problems, one after the other.
func (e *PolicyError) Error() string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		parts[i] = p.Path + ": " + p.Message
	}
	return "invalid policy: " + strings.Join(parts, "; ")
}

// Add notes a problem.
func (e *PolicyError) Add(path, format string, args ...any) {
	e.Problems = append(e.Problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// Err returns the error, or nil if there is no problem.
func (e *PolicyError) Err() error {
	if len(e.Problems) == 0 {
		return nil
	}
	return e
}

// PointerToken escapes a name for a JSON pointer (RFC 6901, section 3).
func PointerToken(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

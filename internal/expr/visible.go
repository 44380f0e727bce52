package expr

import (
	"fmt"
	"unicode"
)

// invisible refuses characters that a reader doesn't see, or takes for the end
// of a line where CEL doesn't: a comment would go on where it seems to end, and
// a text would never equal what it looks like. In a string they can be written
// with an escape.
func invisible(text string) []Issue {
	var issues []Issue
	line, col := 1, 0
	for _, r := range text {
		col++
		switch {
		case r == '\n':
			line, col = line+1, 0
		case r == '\t':
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			issues = append(issues, Issue{line, col, fmt.Sprintf(`the invisible character %U isn't allowed here; in a string write it as an escape ("\u%04x")`, r, r)})
		}
	}
	return issues
}

package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pawlgate/pawl/policy"
)

// printProblem prints a problem as file:line:col with the line that it is
// about:
//
//	refunds.pawl.yaml:17:29: error: highMin 0.5 is below reviewMin 0.6 [policy]
//	  17 |   fraud_ok: {highMin: 0.5, reviewMin: 0.6}
//	     |   ^
func printProblem(w *bytes.Buffer, name string, src []byte, p policy.Problem) {
	fmt.Fprintf(w, "%s:%s: %s: %s [%s]\n", name, p.Pos, severity(p), printable(p.Message), p.Code)
	line, ok := lineAt(src, p.Pos.Line)
	if !ok {
		return
	}
	text, caret := excerpt(line, p.Pos.Col)
	margin := fmt.Sprintf("%4d", p.Pos.Line)
	fmt.Fprintf(w, "%s | %s\n%s | %s\n", margin, text, strings.Repeat(" ", len(margin)), caret)
}

func severity(p policy.Problem) string {
	if p.Warning {
		return "warning"
	}
	return "error"
}

func lineAt(src []byte, n int) (string, bool) {
	if n < 1 {
		return "", false
	}
	rest := string(src)
	for ; n > 1; n-- {
		_, after, ok := strings.Cut(rest, "\n")
		if !ok {
			return "", false
		}
		rest = after
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSuffix(line, "\r"), true
}

// excerptWidth bounds how many characters of a line are shown.
const excerptWidth = 100

// excerpt returns the part of a line around a column, and a line that points
// to it.
func excerpt(line string, col int) (text, caret string) {
	runes := []rune(strings.ToValidUTF8(line, "\ufffd"))
	col = max(1, min(col, len(runes)+1))
	start := 0
	if col > excerptWidth*3/4 {
		start = col - excerptWidth*3/4
	}
	end := min(len(runes), start+excerptWidth)
	before, after := "", ""
	if start > 0 {
		before = "…"
	}
	if end < len(runes) {
		after = "…"
	}
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before+string(runes[start:col-1]))
	return printable(before + string(runes[start:end]) + after), pad + "^"
}

// printable replaces what could upset a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\u200e' || r == '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return '\ufffd'
		}
		return r
	}, s)
}

// maxBrief bounds, in characters, what a table shows of one text from outside.
const maxBrief = 80

// brief is a text from outside as a table shows it: on one line and cut off, so
// that one long id doesn't make every row as long.
func brief(s string) string {
	s = printable(oneLine([]byte(s)))
	if runes := []rune(s); len(runes) > maxBrief {
		return string(runes[:maxBrief]) + "…"
	}
	return s
}

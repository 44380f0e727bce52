package source

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Pos is a place in a text: line and column count from 1, the column in
// characters. The zero Pos is unknown.
type Pos struct {
	Line, Col int
}

// String returns "line:col".
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Problem is something wrong in a text, or worth a warning.
type Problem struct {
	Pos     Pos
	Code    string // what kind of problem, for programs: "yaml-anchor"
	Message string // for people
	Warning bool
}

// Error returns "line:col: message".
func (p Problem) Error() string { return p.Pos.String() + ": " + p.Message }

// SortProblems orders problems by place; at one place errors come first.
func SortProblems(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col), boolOrder(a.Warning, b.Warning))
	})
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// posAt returns the place of a byte offset.
func posAt(src []byte, offset int) Pos { return newLineIndex(src).pos(src, offset) }

// lineIndex finds places in a text that is asked about often.
type lineIndex []int // the offset at which each line starts

func newLineIndex(src []byte) lineIndex {
	x := lineIndex{0}
	for i, c := range src {
		if c == '\n' {
			x = append(x, i+1)
		}
	}
	return x
}

func (x lineIndex) pos(src []byte, offset int) Pos {
	offset = max(0, min(offset, len(src)))
	line, _ := slices.BinarySearch(x, offset+1)
	return Pos{line, 1 + utf8.RuneCount(src[x[line-1]:offset])}
}

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
func posAt(src []byte, offset int) Pos { return newPlaces(src).pos(offset) }

// places finds places in a text that is asked about often. It remembers the
// last answer: questions mostly go forward, and counting a long line from its
// start each time would take time with the square of its length.
type places struct {
	src   []byte
	lines []int // the offset at which each line starts
	last  struct{ offset, line, col int }
}

func newPlaces(src []byte) *places {
	x := &places{src: src, lines: []int{0}}
	for i, c := range src {
		if c == '\n' {
			x.lines = append(x.lines, i+1)
		}
	}
	return x
}

// pos returns the place of a byte offset.
func (x *places) pos(offset int) Pos {
	offset = max(0, min(offset, len(x.src)))
	line, _ := slices.BinarySearch(x.lines, offset+1)
	from, col := x.lines[line-1], 1
	if x.last.line == line && x.last.offset <= offset {
		from, col = x.last.offset, x.last.col
	}
	col += utf8.RuneCount(x.src[from:offset])
	x.last.offset, x.last.line, x.last.col = offset, line, col
	return Pos{line, col}
}

// offset returns where a place is, or -1 if there is no such line.
func (x *places) offset(p Pos) int {
	if p.Line < 1 || p.Line > len(x.lines) {
		return -1
	}
	at, col := x.lines[p.Line-1], 1
	if x.last.line == p.Line && x.last.col <= p.Col {
		at, col = x.last.offset, x.last.col
	}
	for ; col < p.Col && at < len(x.src) && x.src[at] != '\n'; col++ {
		_, size := utf8.DecodeRune(x.src[at:])
		at += size
	}
	x.last.offset, x.last.line, x.last.col = at, p.Line, col
	return at
}

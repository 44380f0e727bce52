package stream

import (
	"bytes"
	"io"
)

// First takes the first record off an input, such as a CSV's header, and
// returns it with a reader of the rest and the line on which that begins. At
// the end of an empty input the error is io.EOF.
func First(r io.Reader, f Format) (first Record, rest io.Reader, line int, err error) {
	s := newSplitter(r, f)
	s.limit = 1
	b, err := s.next()
	if err != nil {
		return Record{}, nil, 0, err
	}
	b.records(func(r Record) { first = r })
	if first.Defect != "" {
		return Record{}, nil, 0, DefectError(first.Defect)
	}
	return first, io.MultiReader(bytes.NewReader(s.buf), r), s.line, nil
}

// DefectError is the error of [First] if the input has a first record, but one
// that is of no use.
type DefectError string

func (e DefectError) Error() string { return "the first line: " + string(e) }

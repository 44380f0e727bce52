package stream

import (
	"bytes"
	"fmt"
	"io"
)

// First takes the first record off an input, such as a CSV's header, and
// returns it with a reader of the rest and the line on which that begins. At
// the end of an empty input the error is io.EOF.
func First(r io.Reader, f Format) (first Record, rest io.Reader, line int, err error) {
	s := newSplitter(r, f)
	for {
		end := 0
		if f == CSV {
			end = recordEnd(s.buf)
		} else {
			end = bytes.IndexByte(s.buf, '\n') + 1
		}
		switch {
		case end == 0 && s.eof && len(s.buf) == 0:
			return Record{}, nil, 0, io.EOF
		case end == 0 && s.eof:
			end = len(s.buf)
		case end == 0 && len(s.buf) > maxRecord:
			return Record{}, nil, 0, fmt.Errorf("the first line is %s", TooLong)
		case end == 0:
			if err := s.read(); err != nil {
				return Record{}, nil, 0, err
			}
			continue
		}
		first = Record{Line: 1, Data: trimLineBreak(s.buf[:end:end])}
		line = 1 + bytes.Count(s.buf[:end], []byte{'\n'})
		return first, io.MultiReader(bytes.NewReader(s.buf[end:]), r), line, nil
	}
}

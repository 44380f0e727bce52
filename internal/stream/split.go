package stream

import (
	"bytes"
	"errors"
	"io"
)

// Record is one line of JSONL, or one row of CSV, without its line break.
type Record struct {
	Line int // of the input, on which the record begins; from 1
	Data []byte
	// Defect says why the record couldn't be taken out of the input whole; the
	// data is then its beginning. Empty if all is well.
	Defect string
}

// Format is how records are told apart.
type Format uint8

// The formats.
const (
	Lines Format = iota // a record ends at a line feed
	CSV                 // a record ends at a line feed outside quotes (RFC 4180)
)

// Defects of records.
const (
	TooLong   = "longer than the 1048576 bytes that are allowed"
	OpenQuote = "a quote is opened and never closed"
)

const (
	blockSize = 256 << 10
	maxRecord = 1 << 20
)

// block is a run of whole records.
type block struct {
	data   []byte // holds the records one after the other, with line breaks
	line   int    // of the first
	defect string // of the last record, if any
}

// splitter cuts an input into blocks. It reads no more than it needs to go on,
// so that a slow input is answered as it comes.
type splitter struct {
	r      io.Reader
	format Format
	buf    []byte // read, not handed out yet
	seen   int    // how much of buf has no line break, as is known already
	line   int    // of buf's first byte
	eof    bool
	bytes  int64 // read so far
}

func newSplitter(r io.Reader, f Format) *splitter {
	return &splitter{r: r, format: f, line: 1}
}

// next returns the next block, io.EOF at the end, or the error of the reader.
// What was read before an error is handed out first. The block's data belongs
// to the caller.
func (s *splitter) next() (*block, error) {
	for {
		if end := s.lastEnd(); end > 0 {
			return s.take(end, ""), nil
		}
		if s.eof {
			return s.rest()
		}
		if len(s.buf) > maxRecord {
			return s.tooLong()
		}
		if err := s.read(); err != nil {
			return nil, err
		}
	}
}

// read appends what the reader has.
func (s *splitter) read() error {
	if free := cap(s.buf) - len(s.buf); free < blockSize/2 {
		grown := make([]byte, len(s.buf), len(s.buf)+blockSize)
		copy(grown, s.buf)
		s.buf = grown
	}
	n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	s.bytes += int64(n)
	if errors.Is(err, io.EOF) {
		s.eof = true
		return nil
	}
	return err
}

// lastEnd returns where the last whole record in buf ends, 0 if none does.
func (s *splitter) lastEnd() int {
	if s.format == Lines {
		end := bytes.LastIndexByte(s.buf[s.seen:], '\n') + 1
		if end == 0 {
			s.seen = len(s.buf)
			return 0
		}
		return s.seen + end
	}
	end := 0
	for {
		n := recordEnd(s.buf[end:])
		if n == 0 {
			return end
		}
		end += n
	}
}

// recordEnd returns the length of the CSV record at the start of b, with its
// line break, or 0 if it doesn't end in b. A quote opens only at the start of a
// field; a stray one elsewhere doesn't hide the line's end, so that it costs
// its own line alone.
func recordEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return 0
		}
		end := i + n + 1
		if bytes.IndexByte(b[i:end], '"') < 0 {
			return end
		}
		open := openField(b[i:end])
		if open < 0 {
			return end
		}
		// A field is still open at the line's end: go on behind its end.
		n = closeQuote(b[i+open+1:])
		if n < 0 {
			return 0
		}
		i += open + 1 + n
	}
}

// openField returns where in a line a quoted field begins that doesn't end in
// it, or -1.
func openField(line []byte) int {
	for i := 0; i < len(line); {
		if line[i] == '"' {
			n := closeQuote(line[i+1:])
			if n < 0 {
				return i
			}
			i += 1 + n
		}
		comma := bytes.IndexByte(line[i:], ',')
		if comma < 0 {
			return -1
		}
		i += comma + 1
	}
	return -1
}

// closeQuote returns the length of the rest of a quoted field, with the quote
// that ends it, or -1 if it doesn't end in b.
func closeQuote(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		if i == len(b) || b[i] != '"' {
			return i
		}
		i++ // a doubled quote stands for one
	}
}

func (s *splitter) take(end int, defect string) *block {
	b := &block{data: s.buf[:end:end], line: s.line, defect: defect}
	s.line += bytes.Count(b.data, []byte{'\n'})
	s.seen = 0
	// The rest moves to a buffer of its own: the block's data is handed out.
	rest := s.buf[end:]
	s.buf = append(make([]byte, 0, len(rest)+blockSize), rest...)
	return b
}

// rest hands out what stands after the last line break.
func (s *splitter) rest() (*block, error) {
	if len(s.buf) == 0 {
		return nil, io.EOF
	}
	if s.format == CSV && (openField(s.buf) >= 0 || bytes.IndexByte(s.buf, '\n') >= 0) {
		return s.openQuote(), nil
	}
	if len(s.buf) > maxRecord {
		return s.take(len(s.buf), TooLong), nil
	}
	return s.take(len(s.buf), ""), nil
}

// openQuote gives up on the first line of a row whose quote isn't closed, and
// goes on with the next line.
func (s *splitter) openQuote() *block {
	if i := bytes.IndexByte(s.buf, '\n'); i >= 0 {
		return s.take(i+1, OpenQuote)
	}
	return s.take(len(s.buf), OpenQuote)
}

// tooLong hands out the beginning of a record that doesn't end soon enough and
// passes over the rest of its line.
func (s *splitter) tooLong() (*block, error) {
	if s.format == CSV && bytes.IndexByte(s.buf, '\n') >= 0 {
		return s.openQuote(), nil
	}
	b := s.take(maxRecord, TooLong)
	for {
		if i := bytes.IndexByte(s.buf, '\n'); i >= 0 {
			s.buf = append(s.buf[:0], s.buf[i+1:]...)
			s.line++
			return b, nil
		}
		s.buf, s.seen = s.buf[:0], 0
		if s.eof {
			return b, nil
		}
		if err := s.read(); err != nil {
			s.r = failing{err} // after the block
			return b, nil
		}
	}
}

// failing is a reader that has failed.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// records calls f for each record of the block.
func (b *block) records(format Format, f func(Record)) {
	data, line := b.data, b.line
	for len(data) > 0 {
		n := 0
		if b.defect != "" {
			n = len(data) // such a block holds nothing else
		} else if format == CSV {
			n = recordEnd(data)
		} else {
			n = bytes.IndexByte(data, '\n') + 1
		}
		if n == 0 {
			n = len(data) // the last line has no line break
		}
		r := Record{Line: line, Data: trimLineBreak(data[:n]), Defect: b.defect}
		if len(r.Data) > maxRecord {
			r.Defect = TooLong
		}
		f(r)
		line += bytes.Count(data[:n], []byte{'\n'})
		data = data[n:]
	}
}

func trimLineBreak(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte{'\n'})
	return bytes.TrimSuffix(b, []byte{'\r'})
}

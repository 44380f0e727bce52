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
	InQuote   = "it may stand inside of a quoted field that is never closed, or too long"
)

const (
	blockSize    = 256 << 10
	blockRecords = 2048 // bounds the answers to a block, which may be many times as long
	maxRecord    = 1 << 20
)

// block is a run of whole records.
type block struct {
	data   []byte // holds the records one after the other, with line breaks
	ends   []int  // where in data each row of CSV ends
	line   int    // of the first
	next   int    // the line behind the block
	max    int    // bytes that a record may have
	defect string // of each record, if any
}

// splitter cuts an input into blocks. It reads no more than it needs to go on,
// so that a slow input is answered as it comes. Where it cuts doesn't depend on
// how much the reader gives at a time.
type splitter struct {
	r      io.Reader
	format Format
	limit  int    // of records in a block
	max    int    // bytes that a record may have
	buf    []byte // read, not handed out yet
	seen   int    // how much of buf was looked at and has no whole record
	line   int    // of buf's first byte
	quoted bool   // buf may begin inside of a quoted field
	eof    bool
	err    error // of the reader
	bytes  int64 // read so far
}

func newSplitter(r io.Reader, f Format) *splitter {
	return &splitter{r: r, format: f, limit: blockRecords, max: maxRecord, line: 1}
}

// window is in how many bytes a record has to end.
func (s *splitter) window() int { return s.max + len("\r\n") }

// next returns the next block, io.EOF at the end, or the error of the reader.
// What was read before an error is handed out first. The block's data belongs
// to the caller.
func (s *splitter) next() (*block, error) {
	for {
		whole := s.lines
		if s.format == CSV {
			whole = s.rows
		}
		if b := whole(); b != nil {
			return b, nil
		}
		switch {
		case s.eof && len(s.buf) == 0:
			return nil, io.EOF
		case s.eof:
			return s.last(), nil
		case s.err != nil:
			return nil, s.err
		case len(s.buf) >= s.window():
			return s.giveUp(), nil
		}
		s.read()
	}
}

// read appends what the reader has.
func (s *splitter) read() {
	if free := cap(s.buf) - len(s.buf); free < blockSize/2 {
		grown := make([]byte, len(s.buf), len(s.buf)+blockSize)
		copy(grown, s.buf)
		s.buf = grown
	}
	for range 100 {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		s.bytes += int64(n)
		if s.eof = errors.Is(err, io.EOF); !s.eof {
			s.err = err
		}
		if n > 0 || err != nil {
			return
		}
	}
	s.err = io.ErrNoProgress
}

// lines takes the whole lines in buf, nil if there is none.
func (s *splitter) lines() *block {
	end := bytes.LastIndexByte(s.buf[s.seen:], '\n') + 1
	if end == 0 {
		s.seen = len(s.buf)
		return nil
	}
	end += s.seen
	if bytes.Count(s.buf[:end], []byte{'\n'}) > s.limit {
		end = 0
		for range s.limit {
			end += bytes.IndexByte(s.buf[end:], '\n') + 1
		}
	}
	return s.take(end, nil, "")
}

// rows takes the whole rows in buf, nil if there is none.
func (s *splitter) rows() *block {
	if s.quoted {
		if b := s.quotedLines(); b != nil || s.quoted {
			return b
		}
	}
	if len(s.buf) < s.window() && s.err == nil && bytes.IndexByte(s.buf[s.seen:], '\n') < 0 {
		s.seen = len(s.buf)
		return nil
	}
	var ends []int
	for end := 0; len(ends) < s.limit; {
		n := rowEnd(s.buf[end:min(len(s.buf), end+s.window())])
		if n == 0 {
			break
		}
		end += n
		ends = append(ends, end)
	}
	if len(ends) == 0 {
		s.seen = len(s.buf)
		return nil
	}
	return s.take(ends[len(ends)-1], ends, "")
}

// take hands out the beginning of buf. The rest stays where it is: nobody
// writes into what was handed out.
func (s *splitter) take(end int, ends []int, defect string) *block {
	b := &block{data: s.buf[:end:end], ends: ends, line: s.line, max: s.max, defect: defect}
	b.next = b.line + bytes.Count(b.data, []byte{'\n'})
	if b.data[end-1] != '\n' {
		b.next++
	}
	s.buf, s.seen, s.line = s.buf[end:], 0, b.next
	return b
}

// last hands out the next record of the end of the input, which has no whole
// one any more.
func (s *splitter) last() *block {
	end := len(s.buf)
	switch {
	case s.quoted && end <= s.window():
		return s.take(end, []int{end}, InQuote)
	case s.quoted:
		end = 0
	case s.format == CSV:
		whole := append(s.buf, '\n') // as if the last line had its line break
		end = min(end, rowEnd(whole[:min(len(whole), s.window())]))
	}
	if end == 0 {
		return s.giveUp()
	}
	return s.take(end, []int{end}, "")
}

// giveUp hands out the beginning of a record whose end isn't found, which costs
// one line. In CSV a quote is open then, or missing, and the next lines may be
// anything that somebody wrote into a long field: see quotedLines.
func (s *splitter) giveUp() *block {
	end := bytes.IndexByte(s.buf, '\n') + 1
	if end == 0 && s.eof {
		end = len(s.buf)
	}
	if s.format == CSV && !s.quoted && 0 < end && end <= s.window() {
		s.quoted = true
		return s.take(end, []int{end}, OpenQuote)
	}
	b := s.take(s.max, []int{s.max}, TooLong)
	quotes := bytes.Count(b.data, []byte{'"'})
	for ; ; s.read() {
		end = bytes.IndexByte(s.buf, '\n') + 1
		whole := end > 0
		if !whole {
			end = len(s.buf)
		}
		quotes += bytes.Count(s.buf[:end], []byte{'"'})
		s.buf = s.buf[end:]
		if whole || s.eof || s.err != nil {
			break
		}
	}
	if s.format == CSV && quotes%2 != 0 {
		s.quoted = !s.quoted
	}
	return b
}

// records calls f for each record of the block.
func (b *block) records(f func(Record)) {
	line, start := b.line, 0
	for i := 0; start < len(b.data); i++ {
		end := len(b.data) // the last line may have no line break
		if b.ends != nil {
			end = b.ends[i]
		} else if n := bytes.IndexByte(b.data[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		r := Record{Line: line, Data: b.data[start:end:end], Defect: b.defect}
		if b.defect != TooLong { // which is cut off before its line break
			r.Data = trimLineBreak(r.Data)
		}
		if len(r.Data) > b.max {
			r.Data, r.Defect = r.Data[:b.max:b.max], TooLong
		}
		f(r)
		if b.ends == nil {
			line++
		} else { // a row may go on over several lines
			line += bytes.Count(b.data[start:end], []byte{'\n'})
		}
		start = end
	}
}

func trimLineBreak(b []byte) []byte {
	b = bytes.TrimSuffix(b, []byte{'\n'})
	return bytes.TrimSuffix(b, []byte{'\r'})
}

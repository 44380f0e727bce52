package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"runtime"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	batchSize = 64 << 10
	maxReads  = 100 // in a row that bring nothing
)

// A batch is some whole lines of an export. The leaves of one are hashed while
// another one is read, and the tree takes them in order.
type batch struct {
	buf   []byte
	lines []parsedLine
	done  chan struct{}
}

// parsedLine is a line and what can be said of it without the lines before.
type parsedLine struct {
	line       []byte
	checkpoint bool
	wrong      string // it can't be read at all
	index      int64
	hash       tlog.Hash // of the leaf
	beside     tlog.Hash // the one beside it
	noHash     bool      // what is beside it is no hash
}

// readLines hands the lines of r to take, in order, with bounded memory. It
// reads in the goroutine of its caller.
func readLines(r io.Reader, take func(parsedLine)) error {
	src := lineSource{r: r}
	var busy, free []*batch
	for {
		for src.err == nil && len(busy) <= runtime.GOMAXPROCS(0) {
			b := &batch{}
			if n := len(free); n > 0 {
				b, free = free[n-1], free[:n-1]
			}
			src.fill(b)
			b.done = make(chan struct{})
			busy = append(busy, b)
			if src.err != nil && len(busy) == 1 { // all of it
				b.parse()
				continue
			}
			go b.parse()
		}
		if len(busy) == 0 {
			break
		}
		b := busy[0]
		<-b.done
		for i := range b.lines {
			take(b.lines[i])
		}
		busy, free = slices.Delete(busy, 0, 1), append(free, b)
	}
	if errors.Is(src.err, io.EOF) {
		return nil
	}
	return src.err
}

func (b *batch) parse() {
	defer close(b.done)
	b.lines = b.lines[:0]
	for line := range bytes.Lines(b.buf) {
		b.lines = append(b.lines, parseLine(line))
	}
}

// parseLine changes the line for as long as it runs.
func parseLine(line []byte) parsedLine {
	p := parsedLine{line: line}
	switch {
	case line[len(line)-1] != '\n':
		p.wrong = "it doesn't end: an export ends with a line feed"
		return p
	case len(line) > maxLine:
		p.wrong = "it is longer than any line of an export"
		return p
	case bytes.HasPrefix(line, []byte(checkpointOpen)):
		p.checkpoint = true
		return p
	}
	l, err := parseLeafLine(line)
	if err != nil {
		p.wrong = err.Error()
		return p
	}
	p.index = l.index
	// RFC 6962 hashes a zero byte before the leaf. It takes the place of the
	// colon for as long.
	line[l.at-1] = 0
	p.hash = sha256.Sum256(line[l.at-1 : l.at+len(l.leaf)])
	line[l.at-1] = ':'
	p.beside = p.hash
	var text [hashText]byte
	base64.StdEncoding.Encode(text[:], p.hash[:])
	if bytes.Equal(text[:], l.hash) {
		return p
	}
	if n, err := base64.StdEncoding.Strict().Decode(text[:], l.hash); err != nil || n != len(p.beside) {
		p.noHash = true
		return p
	}
	p.beside = tlog.Hash(text[:len(p.beside)])
	return p
}

// lineSource cuts what it reads into batches.
type lineSource struct {
	r     io.Reader
	carry []byte // the start of the next batch
	err   error  // that of r, once there is one
}

// fill reads some whole lines, one at least. At the end of r the last line may
// lack its line feed; before another error it is dropped. A line that is too
// long loses its end, but not so much that it would be taken.
func (s *lineSource) fill(b *batch) {
	b.buf = append(b.buf[:0], s.carry...)
	s.carry = s.carry[:0]
	for {
		if len(b.buf) >= batchSize || s.err != nil {
			end := bytes.LastIndexByte(b.buf, '\n') + 1
			switch {
			case s.err != nil && errors.Is(s.err, io.EOF):
				return
			case s.err != nil || end > 0:
				s.carry = append(s.carry, b.buf[end:]...)
				b.buf = b.buf[:end]
				return
			case len(b.buf) > maxLine:
				s.skip(b)
				return
			}
		}
		b.buf = s.read(b.buf)
	}
}

// skip goes on to the next line.
func (s *lineSource) skip(b *batch) {
	for s.err == nil {
		s.carry = s.read(s.carry[:0])
		if i := bytes.IndexByte(s.carry, '\n'); i >= 0 {
			b.buf = append(b.buf, '\n')
			s.carry = slices.Delete(s.carry, 0, i+1)
			return
		}
	}
	s.carry = s.carry[:0]
	if !errors.Is(s.err, io.EOF) {
		b.buf = b.buf[:0]
	}
}

// read appends what r has.
func (s *lineSource) read(b []byte) []byte {
	b = slices.Grow(b, batchSize/2)
	for range maxReads {
		var n int
		n, s.err = s.r.Read(b[len(b):cap(b)])
		if n > 0 || s.err != nil {
			return b[:len(b)+n]
		}
	}
	s.err = io.ErrNoProgress
	return b
}

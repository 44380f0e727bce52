package stream

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// chunks is a reader that returns at most n bytes at a time.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(p []byte) (int, error) {
	return c.r.Read(p[:min(len(p), c.n)])
}

// splitAll takes an input apart and checks what holds for every input: blocks
// say truly on which lines they begin and end, and the bytes that they hold are
// the input, but for the rest of lines that are too long.
func splitAll(t *testing.T, s *splitter, input string) []Record {
	t.Helper()
	var all []Record
	rest, line := input, s.line
	for {
		b, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("next: %v", err)
		}
		if b.line != line {
			t.Fatalf("a block begins on line %d, the one before ended before line %d", b.line, line)
		}
		if len(b.data) == 0 || !strings.HasPrefix(rest, string(b.data)) {
			t.Fatalf("line %d: the block isn't what comes next in the input", line)
		}
		rest = rest[len(b.data):]
		if b.defect == TooLong {
			_, rest, _ = strings.Cut(rest, "\n")
		}
		n := 0
		b.records(func(r Record) {
			if r.Line != line {
				t.Fatalf("a record is on line %d, want %d", r.Line, line)
			}
			line += 1 + strings.Count(string(r.Data), "\n")
			n++
			r.Data = []byte(string(r.Data))
			all = append(all, r)
		})
		if n == 0 || n > s.limit || (b.defect == TooLong || b.defect == OpenQuote) && n != 1 {
			t.Fatalf("line %d: a block of %d records, defect %q", b.line, n, b.defect)
		}
		if b.next != line {
			t.Fatalf("a block says that the next line is %d, want %d", b.next, line)
		}
	}
	if rest != "" {
		t.Fatalf("%d bytes were never handed out: %.80q", len(rest), rest)
	}
	return all
}

// show writes records as line:"data" or line!"data" if there is a defect; long
// data is cut.
func show(records []Record) string {
	var b strings.Builder
	for _, r := range records {
		mark := ":"
		if r.Defect != "" {
			mark = "!"
		}
		if len(r.Data) > 60 {
			fmt.Fprintf(&b, "%d%s%d bytes ", r.Line, mark, len(r.Data))
		} else {
			fmt.Fprintf(&b, "%d%s%q ", r.Line, mark, r.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// same reports whether two splits are the same to the last byte.
func same(a, b []Record) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Line != b[i].Line || a[i].Defect != b[i].Defect || string(a[i].Data) != string(b[i].Data) {
			return false
		}
	}
	return true
}

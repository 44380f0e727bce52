package stream

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestSplitLines(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"empty", "", ``},
		{"one", "a\n", `1:"a"`},
		{"no line break at the end", "a\nb", `1:"a" 2:"b"`},
		{"CRLF", "a\r\nb\r\n", `1:"a" 2:"b"`},
		{"only one carriage return belongs to the line break", "a\r\r\n", `1:"a\r"`},
		{"a carriage return alone breaks no line", "a\rb\n", `1:"a\rb"`},
		{"blank lines", "\n\na\n\n", `1:"" 2:"" 3:"a" 4:""`},
		{"quotes mean nothing", "\"a\nb\"\n", `1:"\"a" 2:"b\""`},
		{"NUL and bytes that aren't UTF-8", "\x00\n\xff\xfe\n", `1:"\x00" 2:"\xff\xfe"`},
	} {
		everyCut(t, tt.name, Lines, tt.input, tt.want)
	}
}

func TestSplitRows(t *testing.T) {
	for _, tt := range []struct{ name, input, want string }{
		{"empty", "", ``},
		{"plain", "a,b\r\nc,d", `1:"a,b" 2:"c,d"`},
		{"a comma in quotes", "\"a,b\",c\nd\n", `1:"\"a,b\",c" 2:"d"`},
		{"a line break in quotes", "x,\"a\nb\"\ny\n", `1:"x,\"a\nb\"" 3:"y"`},
		{"CRLF in quotes", "\"a\r\nb\"\r\ny\r\n", `1:"\"a\r\nb\"" 3:"y"`},
		{"doubled quotes", "\"a\"\"\nb\"\ny", `1:"\"a\"\"\nb\"" 3:"y"`},
		{"empty quotes", "\"\",\"\"\ny", `1:"\"\",\"\"" 2:"y"`},
		{"quotes up to the end", "a\n\"b\nc\"", `1:"a" 2:"\"b\nc\""`},
		{"a stray quote costs its line", "a\"b,c\nd,\"e\nf\"\n", `1:"a\"b,c" 2:"d,\"e\nf\""`},
		{"text behind a closing quote costs its line", "\"a\"b,\"c\nd\n", `1:"\"a\"b,\"c" 2:"d"`},
		{"never closed, one line", "a\n\"b", `1:"a" 2!"\"b"`},
		{"never closed", "a\n1,\"b\n2,c\n3,d\n", `1:"a" 2!"1,\"b" 3!"2,c" 4!"3,d"`},
		{"never closed, no line break at the end", "1,\"b\n2,c", `1!"1,\"b" 2!"2,c"`},
		{"never closed, twice", "1,\"a\n2,\"b\n3,c\n", `1:"1,\"a" 2!"2,\"b" 3!"3,c"`},
		{"not closed, with proper quotes later", "1,\"a\n2,b\n3,\"x,y\"\n4,\"z\"\n", `1:"1,\"a" 2:"2,b" 3:"3,\"x,y\"" 4:"4,\"z\""`},
		{"a carriage return behind a closing quote", "\"a\"\rb\nc\n", `1:"\"a\"\rb" 2:"c"`},
		{"a carriage return at the end", "\"a\"\r", `1:"\"a\""`},
	} {
		everyCut(t, tt.name, CSV, tt.input, tt.want)
	}
}

// everyCut splits an input read at once, in pieces of every size, and in two
// pieces cut at every offset.
func everyCut(t *testing.T, name string, f Format, input, want string) {
	t.Helper()
	check := func(how string, n int, r io.Reader) {
		t.Helper()
		for _, limit := range []int{1, 2, blockRecords} {
			s := newSplitter(r, f)
			s.limit = limit
			if seeker, ok := r.(io.Seeker); ok {
				_, _ = seeker.Seek(0, io.SeekStart)
			} else if limit > 1 {
				break
			}
			if got := show(splitAll(t, s, input)); got != want {
				t.Fatalf("%s, %s %d, blocks of %d:\ngot  %s\nwant %s", name, how, n, limit, got, want)
			}
		}
	}
	check("read", len(input), strings.NewReader(input))
	check("with the end", len(input), iotest.DataErrReader(strings.NewReader(input)))
	for n := range len(input) {
		check("in pieces of", n+1, chunks{strings.NewReader(input), n + 1})
		check("cut at", n, io.MultiReader(strings.NewReader(input[:n]), strings.NewReader(input[n:])))
	}
}

func TestLongRecords(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, f := range []Format{Lines, CSV} {
		for _, tt := range []struct {
			n    int
			want string
		}{
			{maxRecord - 1, `1:"a" 2:1048575 bytes 3:"b"`},
			{maxRecord, `1:"a" 2:1048576 bytes 3:"b"`},
			{maxRecord + 1, `1:"a" 2!1048576 bytes 3:"b"`},
			{maxRecord + 2, `1:"a" 2!1048576 bytes 3:"b"`},
			{maxRecord + 3, `1:"a" 2!1048576 bytes 3:"b"`},
			{3 << 20, `1:"a" 2!1048576 bytes 3:"b"`},
		} {
			for _, nl := range []string{"\n", "\r\n"} {
				input := "a" + nl + x(tt.n) + nl + "b"
				for _, r := range []io.Reader{
					strings.NewReader(input),
					chunks{strings.NewReader(input), 7},
					chunks{strings.NewReader(input), 65536},
				} {
					if got := show(splitAll(t, newSplitter(r, f), input)); got != tt.want {
						t.Errorf("format %d, %d bytes, line break %q:\ngot  %s\nwant %s", f, tt.n, nl, got, tt.want)
					}
				}
			}
		}
		input := x(5 << 20) // the only line, without a line break
		if got, want := show(splitAll(t, newSplitter(strings.NewReader(input), f), input)), "1!1048576 bytes"; got != want {
			t.Errorf("format %d, one endless line: got %s, want %s", f, got, want)
		}
	}
}

// A line in every block would be no reason for a block in every line, and
// answers are longer than blank lines: a block has a bounded number of records.
func TestBlocksAreBounded(t *testing.T) {
	input := strings.Repeat("\n", 3*blockRecords+1)
	for _, f := range []Format{Lines, CSV} {
		s, n := newSplitter(strings.NewReader(input), f), 0
		for {
			if _, err := s.next(); err != nil {
				break
			}
			n++
		}
		if n != 4 {
			t.Errorf("format %d: %d blocks, want 4", f, n)
		}
	}
}

func TestSplitAgreesWithEncodingCSV(t *testing.T) {
	cell := rapid.StringMatching(`[a",\n\r x]{0,6}`)
	rapid.Check(t, func(rt *rapid.T) {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.UseCRLF = rapid.Bool().Draw(rt, "crlf")
		columns := rapid.IntRange(2, 4).Draw(rt, "columns")
		for range rapid.IntRange(0, 8).Draw(rt, "rows") {
			if err := w.Write(rapid.SliceOfN(cell, columns, columns).Draw(rt, "row")); err != nil {
				rt.Fatal(err)
			}
		}
		w.Flush()
		input := b.String()
		oracle := csv.NewReader(strings.NewReader(input))
		n := rapid.IntRange(1, 9).Draw(rt, "read size")
		for _, rec := range splitAll(t, newSplitter(chunks{strings.NewReader(input), n}, CSV), input) {
			want, err := oracle.Read()
			if err != nil {
				rt.Fatalf("%q: a record too many: %q", input, rec.Data)
			}
			if line, _ := oracle.FieldPos(0); rec.Defect != "" || rec.Line != line {
				rt.Fatalf("%q: record on line %d, defect %q; want line %d", input, rec.Line, rec.Defect, line)
			}
			got, err := csv.NewReader(strings.NewReader(string(rec.Data) + "\n")).Read()
			if err != nil || !slices.Equal(got, want) {
				rt.Fatalf("%q: %q, %v, want %q", input, got, err, want)
			}
		}
		if _, err := oracle.Read(); !errors.Is(err, io.EOF) {
			rt.Fatalf("%q: a record too few: %v", input, err)
		}
	})
}

func TestFirst(t *testing.T) {
	for _, tt := range []struct {
		input, first, rest string
		line               int
		err                string
	}{
		{"a,b\n1,2\n", "a,b", "1,2\n", 2, ""},
		{"a,b", "a,b", "", 2, ""},
		{"a,\"b\r\nc\"\r\n1,2", "a,\"b\r\nc\"", "1,2", 3, ""},
		{"\n1,2", "", "1,2", 2, ""},
		{"", "", "", 0, "EOF"},
		{"a,\"b\n1,2\n", "", "", 0, "the first line: a quote is opened and never closed"},
		{strings.Repeat("x", maxRecord+1), "", "", 0, "the first line: longer than the 1048576 bytes that are allowed"},
	} {
		for _, n := range []int{1, 3, 1 << 20} {
			first, rest, line, err := First(chunks{strings.NewReader(tt.input), n}, CSV)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("%.20q: error %v, want %s", tt.input, err, tt.err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%q: %v", tt.input, err)
				continue
			}
			left, err := io.ReadAll(rest)
			if string(first.Data) != tt.first || string(left) != tt.rest || line != tt.line || err != nil {
				t.Errorf("%q: got %q, %q, line %d, %v", tt.input, first.Data, left, line, err)
			}
		}
	}
}

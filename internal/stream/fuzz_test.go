package stream

import (
	"strings"
	"testing"
)

// FuzzSplit splits arbitrary bytes with several read sizes, and a record size
// so small that also lines that are too long and quotes that stay open occur.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "a\nb\r\n\r\n", "a,\"b\nc\",d\n1,\"2", "\"\"\"\n\"\"\"\n", "x\"y,\"\n\",z\n",
		"x\",y,\"z\nx\",y,\"z\nx\",y,\"z\n", strings.Repeat("long", 10) + "\nshort", "\"" + strings.Repeat("a\n", 20) + "\"\r\nb",
		"0123456789\r0\n",
	} {
		f.Add(seed, uint8(3), uint8(8))
	}
	f.Fuzz(func(t *testing.T, input string, size, limit uint8) {
		for _, format := range []Format{Lines, CSV} {
			for _, longest := range []int{1 + int(limit%32), maxRecord} {
				split := func(n int) []Record {
					s := newSplitter(chunks{strings.NewReader(input), n}, format)
					s.max, s.limit = longest, 1+int(limit%7)
					return splitAll(t, s, input)
				}
				want := split(len(input) + 1)
				for _, n := range []int{1, 2, 1 + int(size)} {
					if got := split(n); !same(got, want) {
						t.Fatalf("format %d, at most %d bytes: reads of %d give %s\nof %d  %s", format, longest, n, show(got), len(input)+1, show(want))
					}
				}
				if format == Lines {
					checkLines(t, input, longest, want)
				}
			}
		}
	})
}

// checkLines compares with the obvious way to split lines.
func checkLines(t *testing.T, input string, longest int, got []Record) {
	t.Helper()
	var want []Record
	if input != "" {
		for i, line := range strings.Split(strings.TrimSuffix(input, "\n"), "\n") {
			r := Record{Line: i + 1, Data: []byte(strings.TrimSuffix(line, "\r"))}
			if len(r.Data) > longest {
				r.Data, r.Defect = r.Data[:longest], TooLong
			}
			want = append(want, r)
		}
	}
	if !same(got, want) {
		t.Fatalf("got  %s\nwant %s", show(got), show(want))
	}
}

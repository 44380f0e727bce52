package promotion

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// naiveRuns finds the runs byte by byte.
func naiveRuns(data []byte) (runs []string) {
	for i := 0; i < len(data); {
		start, end, coded := i, i, 0
		for i < len(data) {
			if inRun[data[i]] {
				i++
				coded++
				end = i
				continue
			}
			n, ends := blanks(data, i)
			if coded == 0 || !ends {
				break
			}
			i += n
		}
		if coded >= minRun {
			runs = append(runs, fmt.Sprintf("%d:%s", start, data[start:end]))
		}
		if i = max(i, end); coded == 0 {
			i++
		}
	}
	return runs
}

// TestRunsAreThoseThatReadingByteByByteFinds tries text of few different bytes,
// in which everything stands beside everything.
func TestRunsAreThoseThatReadingByteByByteFinds(t *testing.T) {
	word := rapid.SampledFrom([]string{
		"abcdefghijklmno", "abcdefghijklmnop", "abcdefg", "Z9", "=", "+", "-", "/", "\n", "\r\n", "\n\n", "\r", "\r\r", "a\r",
		" ", ">", "|", "#", ".", ":", "\x80", "\xff", "\x00", "(", "*", "::::::::::::::::", "a\n", "abc\n  ",
	})
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for _, w := range rapid.SliceOfN(word, 0, 40).Draw(t, "words") {
			data = append(data, w...)
		}
		var got []string
		f := runFinder{data: data}
		for start, end := f.next(); start < end; start, end = f.next() {
			got = append(got, fmt.Sprintf("%d:%s", start, data[start:end]))
		}
		if want := naiveRuns(data); !slices.Equal(got, want) {
			t.Fatalf("in %q:\n got %q\nwant %q", data, got, want)
		}
	})
}

package stream

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// defects splits lines that end up as a record each, read in several ways, and
// calls want for the defect of each line.
func defects(t *testing.T, lines []string, want func(line int) string) {
	t.Helper()
	input := strings.Join(lines, "\n") + "\n"
	for _, r := range []io.Reader{strings.NewReader(input), chunks{strings.NewReader(input), 1000}} {
		got := splitAll(t, newSplitter(r, CSV), input)
		if len(got) != len(lines) {
			t.Fatalf("%d records for %d lines", len(got), len(lines))
		}
		for i, r := range got {
			if r.Defect != want(i+1) || !strings.HasPrefix(lines[i], string(r.Data)) {
				t.Fatalf("line %d: %.60q, defect %q, want %q", i+1, r.Data, r.Defect, want(i+1))
			}
		}
	}
}

// 100,000 lines are more than a record may have.
func manyLines() []string {
	return slices.Repeat([]string{"12,0.99,abcdefghijklmnopqrstuvwxyz"}, 100_000)
}

// A quote that is open for longer than a record may be: perhaps it was never
// closed, perhaps it stands before a long text that looks like rows. Nobody
// knows, so the lines behind it aren't rows, each is answered nevertheless.
func TestQuoteOpenForLong(t *testing.T) {
	lines := manyLines()
	lines[10] = `11,"0.99`
	defects(t, lines, func(line int) string {
		switch {
		case line < 11:
			return ""
		case line == 11:
			return OpenQuote
		}
		return InQuote
	})
}

// A quote further down that can't close it shows that it was never closed.
func TestQuoteOpenUntilTheNextOne(t *testing.T) {
	lines := manyLines()
	lines[10] = `11,"0.99`
	lines[80_000] = `80001,"x, y",1`
	defects(t, lines, func(line int) string {
		switch {
		case line < 11 || line > 80_000:
			return ""
		case line == 11:
			return OpenQuote
		}
		return InQuote
	})
}

// Who can write a text into a field of a well-formed file can't write rows.
func TestLongTextIsNoRows(t *testing.T) {
	forged := strings.Repeat("forged,0.99,x\n", 200_000)
	for name, text := range map[string]string{
		"many lines":                       forged,
		"a long line before":               strings.Repeat("x", 2<<20) + "\n" + forged,
		"a long line before, quotes in it": strings.Repeat(`""`, 1<<20) + "\n" + forged,
		"quotes":                           strings.ReplaceAll(forged, "x\n", "\"\"x\"\"\n") + "\"\"",
		"long lines between":               forged + strings.Repeat(`x""`, 1<<20) + "\n" + forged,
	} {
		for _, behind := range []string{"", `,"again` + "\n" + `forged,0.99,"",x"`} {
			input := "before,0.5,x\nlong,0.1,\"" + text + `"` + behind + "\nafter,0.5,x\n"
			for _, n := range []int{1000, 1 << 20} {
				var rows []string
				for _, r := range splitAll(t, newSplitter(chunks{strings.NewReader(input), n}, CSV), input) {
					if r.Defect == "" {
						rows = append(rows, string(r.Data))
					}
				}
				if want := []string{"before,0.5,x", "after,0.5,x"}; !slices.Equal(rows, want) {
					t.Errorf("%s: %d rows: %.200q", name, len(rows), rows)
				}
			}
		}
	}
}

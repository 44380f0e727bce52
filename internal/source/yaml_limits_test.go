package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

// nestedKeys is a block object inside a block object, and so on.
func nestedKeys(levels int) string {
	var b strings.Builder
	for i := range levels - 1 {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	fmt.Fprintf(&b, "%sa: 1\n", strings.Repeat(" ", levels-1))
	return b.String()
}

func TestParseYAMLLimits(t *testing.T) {
	brackets := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	bytes := func(n int) string { return "a: '" + strings.Repeat("x", n-len("a: ''\n")) + "'\n" }
	for _, c := range []struct{ name, text, want string }{
		{"64 brackets", brackets(64), ""},
		{"65 brackets", brackets(65), "too-deep 1:65"},
		{"64 dashes", strings.Repeat("- ", 64) + "1\n", ""},
		{"65 dashes", strings.Repeat("- ", 65) + "1\n", "too-deep 1:129"},
		{"64 levels of keys", nestedKeys(64), ""},
		{"65 levels of keys", nestedKeys(65), "too-deep 65:66"},
		{"keys above brackets", nestedKeys(40) + strings.Repeat(" ", 39) + "b: " + brackets(25), "too-deep 41:67"},
		{"deep at many places, each shallow", strings.Repeat("- "+brackets(60)+"\n", 100), ""},

		// What would overflow a recursive parser, or keep a slow one busy.
		{"50,000 brackets", strings.Repeat("[", 50_000), "too-deep 1:65"},
		{"50,000 braces", strings.Repeat("{a: ", 50_000), "too-deep 1:257"},
		{"50,000 dashes", strings.Repeat("- ", 50_000), "too-deep 1:129"},
		{"50,000 keys on a line", strings.Repeat("a: ", 50_000), "too-deep 1:194"},
		{"50,000 question marks", strings.Repeat("? ", 50_000), "too-deep 1:129"},
		{"50,000 colons", strings.Repeat(":", 50_000), "ambiguous-scalar 1:1"},
		{"JSON 10,000 deep", brackets(10_000), "too-deep 1:65"},
		{"more problems than anyone reads", strings.Repeat("&a ", 50_000), "100 problems"},
		{"20,000 empty documents", strings.Repeat("---\n", 20_000), "yaml-documents 2:1"},
		{"a megabyte of spaces", strings.Repeat(" ", 1_000_000), "empty 1:1"},

		{"10,000 entries", strings.Repeat("- 1\n", 10_000), ""},
		{"10,001 entries", strings.Repeat("- 1\n", 10_001), "too-many 10001:1"},
		{"5,000 objects of one member", strings.Repeat("- a: 1\n", 5_000), ""},
		{"5,001 objects of one member", strings.Repeat("- a: 1\n", 5_001), "too-many 5001:1"},
		{"10,000 entries in brackets", "[" + strings.Repeat("1,", 9_999) + "1]", ""},
		{"10,002 entries in brackets", "[" + strings.Repeat("1,", 10_001) + "1]", "too-many 1:20001"},
		{"more tokens than a file of 10,000 members has", strings.Repeat("# x\n", 100_000), "too-many 40002:1"},

		{"1 MiB", bytes(1 << 20), ""},
		{"1 MiB and a byte", bytes(1<<20 + 1), "too-large 1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, ps := source.ParseYAML([]byte(c.text))
			switch {
			case c.want == "":
				if n == nil || len(ps) > 0 {
					t.Fatalf("refused: %v", ps)
				}
			case c.want == "100 problems":
				if n != nil || len(ps) != 100 {
					t.Fatalf("%d problems", len(ps))
				}
			default:
				checkRefused(t, n, ps, c.want)
			}
		})
	}
}

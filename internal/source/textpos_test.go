package source_test

import (
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

// TextPos is what lets an error inside a CEL expression point into the file.
func TestTextPos(t *testing.T) {
	type place struct{ line, col int }
	for _, c := range []struct {
		name, text string
		json       bool
		in         place
		want       string
	}{
		{"plain", "k: a > b\n", false, place{1, 3}, "1:6"},
		{"plain, further down and indented", "x: 1\no:\n  k: é > b\n", false, place{1, 3}, "3:8"},
		{"plain behind characters of several bytes", "{é: 1, k: a > b}\n", false, place{1, 3}, "1:13"},
		{"double quotes", "k: \"a > b\"\n", false, place{1, 3}, "1:7"},
		{"single quotes", "k: 'a > b'\n", false, place{1, 1}, "1:5"},
		{"double quotes with an escape", `k: "a \u003e b"`, false, place{1, 3}, "1:4"},
		{"single quotes with a doubled one", "k: 'a == ''b'''\n", false, place{1, 3}, "1:4"},
		{"a literal block, first line", "k: |\n  a >\n  b\n", false, place{1, 3}, "2:5"},
		{"a literal block, second line", "k: |\n  a >\n  b\n", false, place{2, 1}, "3:3"},
		{"a literal block, deeper line", "k: |-\n  a\n    > b\n", false, place{2, 3}, "3:5"},
		{"a folded block", "k: >\n  a >\n  b\n", false, place{1, 3}, "1:4"},
		{"a line that can't be", "k: a > b\n", false, place{0, 3}, "1:4"},
		{"a column that can't be", "k: a > b\n", false, place{1, 0}, "1:4"},
		{"a JSON string", "{\n \"k\": \"a > b\"}", true, place{1, 3}, "2:10"},
		{"a JSON string behind characters of several bytes", `{"é": 1, "k": "a > b"}`, true, place{1, 3}, "1:18"},
		{"a JSON string with an escape", `{"k": "a \u003e b"}`, true, place{1, 3}, "1:7"},
		{"a JSON string that ends like its own text", `{"k": "\u0061a"}`, true, place{1, 1}, "1:7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n *source.Node
			if c.json {
				n = mustJSON(t, c.text)
			} else {
				n = mustYAML(t, c.text)
			}
			k := n.Get("k")
			if o := n.Get("o"); o != nil {
				k = o.Get("k")
			}
			if k == nil || k.Kind != source.String {
				t.Fatalf("k is %+v", k)
			}
			if got := k.TextPos(c.in.line, c.in.col).String(); got != c.want {
				t.Errorf("%d:%d of the text stands at %s, want %s", c.in.line, c.in.col, got, c.want)
			}
		})
	}
}

func TestTextPosOfWhatIsNoText(t *testing.T) {
	n := mustYAML(t, "a: 1\nb: [x]\n")
	for _, key := range []string{"a", "b"} {
		v := n.Get(key)
		if got := v.TextPos(1, 2); got != v.Pos {
			t.Errorf("%s: %s, want the start %s", key, got, v.Pos)
		}
	}
}

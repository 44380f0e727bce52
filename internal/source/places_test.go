package source_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

// A pair in brackets is an object without braces, and counts as a level.
func TestPairsInBracketsAreLevels(t *testing.T) {
	n, _ := source.ParseYAML([]byte(strings.Repeat("[a: ", 40) + "1" + strings.Repeat("]", 40)))
	if n != nil {
		if _, ps := source.ParseJSON(n.AppendJSON(nil)); len(ps) > 0 {
			t.Errorf("accepted as YAML, but as JSON: %v", ps)
		}
	}
}

// Places in one long line are right, in characters, in whichever order they are
// asked for.
func TestPlacesInALongLine(t *testing.T) {
	line := "[" + strings.Repeat(`"é", `, 2_000) + `"x"]`
	for name, parse := range map[string]func([]byte) (*source.Node, []source.Problem){"JSON": source.ParseJSON, "YAML": source.ParseYAML} {
		n, ps := parse([]byte("\n" + line))
		if n == nil {
			t.Fatal(name, ps)
		}
		for i, item := range n.Items {
			want := source.Pos{Line: 2, Col: 2 + 5*i}
			if item.Pos != want || item.TextPos(1, 1) != (source.Pos{Line: 2, Col: want.Col + 1}) {
				t.Fatalf("%s: item %d stands at %v, its text at %v, want %v", name, i, item.Pos, item.TextPos(1, 1), want)
			}
		}
	}
}

// A second document that is empty is a second document: null, to a reader of
// YAML.
func TestAnEmptySecondDocumentIsRefused(t *testing.T) {
	if n, _ := source.ParseYAML([]byte("a: 1\n---\n")); n != nil {
		t.Errorf("accepted: %s", n.AppendJSON(nil))
	}
}

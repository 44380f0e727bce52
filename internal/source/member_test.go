package source_test

import (
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

func TestMembersAreReadStrictly(t *testing.T) {
	n, err := source.ReadJSON([]byte(`{"a": "x", "b": 1, "c": null}`))
	if err != nil {
		t.Fatal(err)
	}
	said := func(text string, err error) string {
		if err != nil {
			return err.Error()
		}
		return text
	}
	for key, want := range map[string]string{
		"a": "x",
		"b": "b must be a string, not a number",
		"c": "c must be a string, not null",
		"d": "d is missing",
	} {
		if got := said(n.TextOf(key)); got != want {
			t.Errorf("TextOf(%q): %q, want %q", key, got, want)
		}
	}
	for _, c := range []struct {
		node *source.Node
		keys []string
		want string
	}{
		{n, []string{"a", "b", "c", "d"}, "fine"},
		{n, []string{"a", "c"}, `it has no member "b"`},
		{n.Get("b"), []string{"a"}, "it must be an object, not a number"},
	} {
		if got := said("fine", c.node.Only("it", c.keys...)); got != c.want {
			t.Errorf("Only(%q): %q, want %q", c.keys, got, c.want)
		}
	}
}

package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

// places lists problems as "code line:col", the part that programs rely on.
func places(ps []source.Problem) string {
	list := make([]string, len(ps))
	for i, p := range ps {
		list[i] = fmt.Sprintf("%s %s", p.Code, p.Pos)
	}
	return strings.Join(list, ", ")
}

// mustYAML reads a YAML text that has nothing wrong.
func mustYAML(t testing.TB, text string) *source.Node {
	t.Helper()
	n, ps := source.ParseYAML([]byte(text))
	if n == nil || len(ps) > 0 {
		t.Fatalf("%.80q is refused: %v", text, ps)
	}
	return n
}

// mustJSON reads a JSON text that has nothing wrong.
func mustJSON(t testing.TB, text string) *source.Node {
	t.Helper()
	n, ps := source.ParseJSON([]byte(text))
	if n == nil || len(ps) > 0 {
		t.Fatalf("%.80q is refused: %v", text, ps)
	}
	return n
}

// sameTree says where two trees differ, places aside.
func sameTree(a, b *source.Node, at string) string {
	if a.Kind != b.Kind || a.Text != b.Text || a.Bool != b.Bool || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return fmt.Sprintf("at %q: %s %q and %s %q", at, a.Kind, a.Text, b.Kind, b.Text)
	}
	for i := range a.Items {
		if diff := sameTree(a.Items[i], b.Items[i], fmt.Sprintf("%s/%d", at, i)); diff != "" {
			return diff
		}
	}
	for i, m := range a.Members {
		if m.Key != b.Members[i].Key {
			return fmt.Sprintf("at %q: member %q and %q", at, m.Key, b.Members[i].Key)
		}
		if diff := sameTree(m.Value, b.Members[i].Value, at+"/"+m.Key); diff != "" {
			return diff
		}
	}
	return ""
}

// checkRefused wants no node and exactly these problems. Where a limit is
// crossed may be told in more ways than one, so a code may stand without place.
func checkRefused(t *testing.T, n *source.Node, ps []source.Problem, want string) {
	t.Helper()
	if n != nil {
		t.Errorf("a node beside problems: %s", n.AppendJSON(nil))
	}
	if got := places(ps); got != want && (len(ps) != 1 || ps[0].Code != want) {
		t.Errorf("problems %q, want %q", got, want)
	}
	for _, p := range ps {
		if p.Message == "" || p.Warning || p.Error() != p.Pos.String()+": "+p.Message {
			t.Errorf("an odd problem: %+v", p)
		}
	}
}

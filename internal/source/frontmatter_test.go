package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

func TestParseFrontMatterTakesAKeyWithoutValueForNull(t *testing.T) {
	n, ps := source.ParseFrontMatter([]byte("name: x\nallowed-tools:\nlicense: # none\n"))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	if got := string(n.AppendJSON(nil)); got != `{"name":"x","allowed-tools":null,"license":null}` {
		t.Error(got)
	}
	if n, ps := source.ParseYAML([]byte("name: x\nallowed-tools:\n")); n != nil || len(ps) != 1 || ps[0].Code != "value-missing" {
		t.Errorf("ParseYAML: %v", ps)
	}
}

func TestParseFrontMatterWarnsOfWhatReadersDisagreeOn(t *testing.T) {
	n, ps := source.ParseFrontMatter([]byte("version: 1.0.0\ndate: 2026-01-31\nx: [~, no, 1.0]\n"))
	if n == nil {
		t.Fatal(ps)
	}
	if got := string(n.AppendJSON(nil)); got != `{"version":"1.0.0","date":"2026-01-31","x":[null,"no",1.0]}` {
		t.Error(got)
	}
	if len(ps) != 4 {
		t.Error(ps)
	}
	for _, p := range ps {
		if !p.Warning || p.Code != "ambiguous-scalar" {
			t.Error(p)
		}
	}
	for _, text := range []string{"version: 1.0.0\na: b: c\n", "version: 1.0.0\na: &b c\n", "no: x\n", "1.0.0: x\n", "a: 1.0.0\na: 1.0.0\n"} {
		if n, ps := source.ParseFrontMatter([]byte(text)); n != nil || len(ps) == 0 {
			t.Errorf("%q is accepted", text)
		}
	}
}

// Warnings once took the room that errors have: behind a hundred of them a key
// could stand twice.
func TestParseFrontMatterFindsErrorsBehindAnyNumberOfWarnings(t *testing.T) {
	many := "x: [" + strings.Repeat("yes, ", 300) + "no]\n"
	for _, c := range []struct{ name, text, want string }{
		{"a key twice", many + "a: b\na: c\n", "duplicate-key"},
		{"a key that is no text to some", many + "no: c\n", "ambiguous-scalar"},
		{"a scalar that ends elsewhere to some", many + "a: b\tc\n", "plain-scalar"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, ps := source.ParseFrontMatter([]byte(c.text))
			if n != nil || !slices.ContainsFunc(ps, func(p source.Problem) bool { return !p.Warning && p.Code == c.want }) {
				t.Errorf("accepted, or refused for another reason than %s: %d problems", c.want, len(ps))
			}
		})
	}
	n, ps := source.ParseFrontMatter([]byte(many + "a: 1.0.0\n"))
	if n == nil || len(ps) != 302 {
		t.Errorf("%d warnings, want one for each of 302 scalars", len(ps))
	}
}

func TestParseFrontMatterLimits(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"16 KiB", "a: '" + strings.Repeat("x", 16<<10-5) + "'", ""},
		{"16 KiB and a byte", "a: '" + strings.Repeat("x", 16<<10-4) + "'", "too-large 1:1"},
		{"1,900 entries", "a: [" + strings.Repeat("1,", 1900) + "1]", ""},
		{"more tokens than front matter has", "a: [" + strings.Repeat("1,", 2100) + "1]", "too-many 1:4003"},
		{"the strictness of policies", "a: &b c", "yaml-anchor 1:4"},
		{"a duplicate key", "a: b\na: c", "duplicate-key 2:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, ps := source.ParseFrontMatter([]byte(c.text))
			if c.want == "" {
				if n == nil || len(ps) > 0 {
					t.Fatalf("refused: %v", ps)
				}
				return
			}
			checkRefused(t, n, ps, c.want)
		})
	}
}

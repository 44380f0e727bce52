package source_test

import (
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

func TestParseFrontMatterTakesWhatReadersDisagreeAboutForAString(t *testing.T) {
	text := "version: 1.0.0\ndate: 2025-01-31\non-demand: yes\nempty: ~\nmetadata: {since: 1_0}\ntags: [0x1f, .5]\ndescription: goes on\n  over a line\n"
	n, ps := source.ParseFrontMatter([]byte(text))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	want := `{"version":"1.0.0","date":"2025-01-31","on-demand":"yes","empty":"~","metadata":{"since":"1_0"},"tags":["0x1f",".5"],"description":"goes on over a line"}`
	if got := string(n.AppendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, text := range []string{"on: a", "a: b: c", "a: &x b", "a: ,b"} {
		if n, ps := source.ParseFrontMatter([]byte(text)); n != nil || len(ps) == 0 {
			t.Errorf("%q was taken", text)
		}
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

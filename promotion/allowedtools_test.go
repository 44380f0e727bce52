package promotion

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadAllowedTool(t *testing.T) {
	for _, c := range []struct {
		entry, name, specifier string
		scoped                 bool
	}{
		{"Read", "Read", "", false},
		{"  Read\t", "Read", "", false},
		{"Bash()", "Bash", "", true},
		{"Bash(*)", "Bash", "*", true},
		{"Bash(git status)", "Bash", "git status", true},
		{"Bash(git:*)", "Bash", "git:*", true},
		{"Bash(echo (a) (b))", "Bash", "echo (a) (b)", true},
		{"mcp__mail__send", "mcp__mail__send", "", false},
		{"WebFetch(domain:example.com)", "WebFetch", "domain:example.com", true},
		{"Skill(ns:name)", "Skill", "ns:name", true},
		{"plug:tool", "plug:tool", "", false},
		{"Größe", "Größe", "", false},
	} {
		name, specifier, scoped, ok := ReadAllowedTool(c.entry)
		if !ok || name != c.name || specifier != c.specifier || scoped != c.scoped {
			t.Errorf("%q: %q %q %v %v", c.entry, name, specifier, scoped, ok)
		}
	}
	for _, entry := range []string{
		"", " ", "\t\n", "*", " * ", "Read*", "mcp__x__*", "?", "(", ")", "()", "(git)", "Bash(", "Bash)", "Bash(a", "Bash(a))", "Bash((a)", "Bash(a)b", "Bash(a)(b)", "Bash(a) ",
		"Bash (a)", "Read Grep", "Read,Grep", "Read;", "Re\x00ad", "Read\x1b[0m", "Bash(a\nb)", "Bash(a\tb)", "Read\u200b", "\u202eRead", "Re\U000e0041ad", "Read\xff", "\"Read\"", "[Read]", "{Read}", "<Read>", "Read\u00a0Grep", "Re\\ad",
	} {
		if entry == "Bash(a) " {
			continue // trimmed
		}
		if name, specifier, _, ok := ReadAllowedTool(entry); ok {
			t.Errorf("%q names %q (%q)", entry, name, specifier)
		}
	}
}

func TestOnlyOneExactCommandScopesATool(t *testing.T) {
	for _, s := range []string{"git status", "ls -la ./docs", "npm run test:unit", "go test ./...", "make -j8 a=b", "x"} {
		if !exactCommand(s) || DefaultCatalogue().Irreversible("Bash", s) {
			t.Errorf("%q isn't exact", s)
		}
	}
	for _, s := range []string{
		"", " ", "*", "git *", "git:*", "git:", "git ?", "git [a]", "a;b", "a|b", "a&b", "a&&b", "a $X", "a `b`", "a $(b)", "a <b", "a >b", "a (b)", "a {b}", "a\nb", "a\tb", "a\\b",
		"a 'b'", "a \"b\"", "a !b", "a #b", "a ~", "a %x", "a ^b", "PATH=. git status", "a é", "a\x00",
	} {
		if exactCommand(s) || !DefaultCatalogue().Irreversible("Bash", s) {
			t.Errorf("%q is exact", s)
		}
	}
	if !DefaultCatalogue().Irreversible("Write", "a.txt") {
		t.Error("a specifier makes writing reversible")
	}
}

func TestSplitAllowedTools(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" ,\n\t, ", nil},
		{"Read", []string{"Read"}},
		{"Read, Grep,Glob", []string{"Read", "Grep", "Glob"}},
		{"Read Grep\nGlob\r\n", []string{"Read", "Grep", "Glob"}},
		{"Bash(python *) Bash(npx eslint *), Read", []string{"Bash(python *)", "Bash(npx eslint *)", "Read"}},
		{"Bash(a, (b c)), Read", []string{"Bash(a, (b c))", "Read"}},
		{"Bash(a, Read", []string{"Bash(a, Read"}},
		{"Bash (a b)", []string{"Bash", "(a b)"}},
		{"a) b", []string{"a)", "b"}},
		{"Read\u00a0Grep", []string{"Read", "Grep"}},
	} {
		var got []string
		for e := range splitAllowedTools(c.text) {
			got = append(got, e.text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// FuzzAllowedTools holds the reader of lists against what it promises: it loses
// no character that isn't a separator, splits at none inside parentheses, and
// names a tool only by what stands before a balanced parenthesis.
func FuzzAllowedTools(f *testing.F) {
	for _, s := range []string{"", "Read", "Bash(python *) Bash(npx eslint *), Read", "Bash((a)", "*,é\u00a0x", strings.Repeat("(,", 50), "a(b)c, \xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var kept []byte
		for e := range splitAllowedTools(s) {
			if e.text == "" || e.line < 1 || e.col < 1 {
				t.Fatalf("%q: entry %+v", s, e)
			}
			kept = append(kept, withoutSeparators(e.text)...)
			name, specifier, scoped, ok := ReadAllowedTool(e.text)
			trimmed := strings.TrimSpace(e.text)
			switch {
			case !ok && (name != "" || specifier != "" || scoped):
				t.Fatalf("%q: names nothing, and %q %q", e.text, name, specifier)
			case ok && !scoped && (name != trimmed || strings.ContainsAny(name, "() *,")):
				t.Fatalf("%q: %q", e.text, name)
			case ok && scoped && (name+"("+specifier+")" != trimmed || strings.ContainsAny(name, "() *,") || strings.Count(specifier, "(") != strings.Count(specifier, ")")):
				t.Fatalf("%q: %q %q", e.text, name, specifier)
			}
			if ok && name == "" {
				t.Fatalf("%q: an empty name", e.text)
			}
			if !DefaultCatalogue().Irreversible(name, specifier) && DefaultCatalogue().Canonical(name) == "Bash" && strings.ContainsAny(specifier, "*?;|&$`<>(){}\n") {
				t.Fatalf("%q: reversible", e.text)
			}
		}
		if want := withoutSeparators(s); string(kept) != string(want) {
			t.Fatalf("%q: kept %q of %q", s, kept, want)
		}
		d := declarationOfEntries([]string{s}, nil, []string{"Read"})
		if len(d.baseline) > 1 || len(d.baseline) == 1 && d.baseline[0] != "Read" {
			t.Fatalf("%q: baseline %q", s, d.baseline)
		}
		if len(d.baseline) == 0 && len(d.findings) == 0 {
			t.Fatalf("%q: neither allowed nor found", s)
		}
	})
}

// withoutSeparators returns the bytes of a text that separate nothing.
func withoutSeparators(s string) []byte {
	var kept []byte
	for i, r := range s {
		if r != ',' && strings.TrimSpace(string(r)) != "" {
			_, size := utf8.DecodeRuneInString(s[i:])
			kept = append(kept, s[i:i+size]...)
		}
	}
	return kept
}

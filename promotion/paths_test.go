package promotion

import (
	"strings"
	"testing"
)

func TestPathsThatMayBePartOfAnArtefact(t *testing.T) {
	for _, p := range []string{
		"SKILL.md", "a/b/c", ".hidden", "a b", " a", "日本語/é.md", "CONSOLE", "com", "com10", "lpt", "nul-", "a~1", "...a", "-rf", "😀", "a*?",
		strings.Repeat("a", 255), strings.Repeat("a/", 63) + "a", "x/.git/config", "COMx", "conin",
	} {
		if bad := checkPath(p); bad != "" {
			t.Errorf("%q: %s", p, bad)
		}
	}
	for _, p := range []string{
		"", "/", "/etc/passwd", "..", "../x", "a/../b", "a/..", ".", "./a", "a/.", "a//b", "a/", `a\b`, `..\a`, "C:", "c:/x", "a:stream",
		"a\x00", "a\nb", "a\x7f", "a\u0085", "a\u200b", "a\u202eb", "a\ufeff", "a\ufe0f", "a\U000e0041", "a\u00ad", "\ufffd", "a\xff", "\xc0\xaf",
		"a.", "a. ", "a ", "a /b", "b./c", "a\u00a0", "a\u3000", "a\u2028",
		"con", "CON", "Con.txt", "aux.c", "nul", "prn.", "com1", "COM0", "lpt9.md", "COM¹", "lpt³.x", "a/nul/b", "nul .txt", "CONIN$", "conout$.log",
		strings.Repeat("a", 256), strings.Repeat("é", 128), strings.Repeat("a/", 64) + "a", strings.Repeat(strings.Repeat("a", 200)+"/", 20) + strings.Repeat("a", 200),
	} {
		if checkPath(p) == "" {
			t.Errorf("%q passes", p)
		}
	}
}

func TestPathsThatAreOnePathOnSomeSystem(t *testing.T) {
	for _, tt := range []struct {
		paths string // with " " between; the last one is tried; "/" at the end: a folder
		clash bool
	}{
		{"a b", false},
		{"a a", true},
		{"a A", true},
		{"a/b A", true},
		{"A a/b", true},
		{"a/ a/", false},
		{"a/ A/", true},
		{"a/b a/c", false},
		{"a/b a/B", true},
		{"a/b A/c", true},
		{"a/ a", true},
		{"a a/", true},
		{"a a/b", true},
		{"a/b a", true},
		{"e\u0301 \u00e9", true},
		{"E\u0301 \u00e9", true},
		{"straße STRASSE", true},
		{"k \u212a", true},
		{"s \u017f", true},
		{"\u03c3 \u03c2", true},
		{"\u0345\u0301 \u0301\u03b9", true}, // equal only if decomposed before folding
		{"a \uff41", false},
	} {
		s := newPathSet()
		all := strings.Split(tt.paths, " ")
		var clash bool
		for _, p := range all {
			name, folder := strings.CutSuffix(p, "/")
			_, clash = s.add(name, folder)
		}
		if clash != tt.clash {
			t.Errorf("%q: %v", tt.paths, clash)
		}
	}
}

func TestShownTextIsFitToBeShown(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.md": "a/b.md", "é": "é", "a\nb": `a\nb`, "\x1b[31m": `\x1b[31m`, "\xff": `\xff`, "a\u202eb": `a\u202eb`, "": "",
		strings.Repeat("x", 300): strings.Repeat("x", 256) + "...",
	} {
		if got := shown(in); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
	if got := shown(strings.Repeat("é", 200)); len(got) > 2000 || hasUnseen(got) {
		t.Errorf("got %q", got)
	}
}

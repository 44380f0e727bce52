package promotion

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func scanOf(t *testing.T, o ScanOptions, files ...File) TripwireResult {
	t.Helper()
	s, err := NewScanner(o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Scan(&Artefact{Files: files}).Tripwire
}

func ofKind(r TripwireResult, k Kind) (f []Finding) {
	for _, x := range r.Reasons {
		if x.Kind == k {
			f = append(f, x)
		}
	}
	return f
}

func TestExtraTokensThatCannotBeOne(t *testing.T) {
	const secret = "hunter2\x00"
	for _, bad := range []string{"", "  \t", "\u200b", "\u00a0", "\xff", secret, strings.Repeat("x", maxTokenBytes+1)} {
		_, err := NewScanner(ScanOptions{ExtraTokens: []string{"fine", bad}})
		if err == nil || !strings.Contains(err.Error(), "extra token 1 ") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", bad, err)
		}
		r := Tripwire([]byte("curl"), nil, []string{bad})
		if !r.Escalate || len(ofKind(r, KindScanFailed)) != 1 || len(ofKind(r, KindEgress)) == 0 {
			t.Errorf("%q: %+v", bad, r)
		}
	}
	many := slices.Repeat([]string{strings.Repeat("y", maxTokenBytes)}, maxExtraBytes/maxTokenBytes+1)
	if _, err := NewScanner(ScanOptions{ExtraTokens: many}); err == nil {
		t.Error("no bound on all extra tokens together")
	}
}

func TestExtraTokensAreFoundInEveryForm(t *testing.T) {
	for _, c := range []struct{ token, text string }{
		{"x", "aXa"},
		{"Übung", "die Übung"},
		{"Übung", "die U\u0308bung"},
		{"U\u0308bung", "die \u00dcbung"},
		{"ﬁle", "a file"},
		{"file", "a ﬁle"},
		{"naïve", "nai\u200b\u0308ve"},
		{`c:\`, "\uff43:\\\nnext"},
		{"Acme-Corp", "ACME-corp"},
	} {
		if got := found(t, []byte(c.text), c.token); !slices.ContainsFunc(got, func(f Finding) bool { return f.Kind == KindExtra }) {
			t.Errorf("%q isn't found in %q: %v", c.token, c.text, got)
		}
	}
	// A token of the floor stays of its kind.
	for _, f := range found(t, []byte("curl"), "CURL", "curl") {
		if f.Kind == KindExtra {
			t.Errorf("%+v", f)
		}
	}
}

func TestFindingsSayWhere(t *testing.T) {
	data := "eins\n– zwei\n  Curl x"
	got := found(t, []byte(data))
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	f := got[0]
	if f.Token != "curl" || f.Line != 3 || f.Col != 3 || data[f.Offset:f.Offset+f.Length] != "Curl" || f.Via != "" || f.Detail == "" {
		t.Errorf("%+v", f)
	}
}

func TestNothingFoundIsNothing(t *testing.T) {
	s, err := NewScanner(ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := scanResult(s, "Sums a column of a table, and – says what it “is”: 100 % safe… \U0001f469\u200d\U0001f4bb")
	if r.Escalate || len(r.Reasons) != 0 || r.Omitted != 0 {
		t.Errorf("%+v", r)
	}
}

// scanResult is without what a file alone lacks: its declaration.
func scanResult(s *Scanner, text string) TripwireResult {
	r := newReport()
	s.file(File{Path: "a.md", Data: []byte(text)}, nil, r)
	return r.result().Tripwire
}

func TestEveryFailureEscalates(t *testing.T) {
	if r := (&Scanner{}).Scan(&Artefact{Files: []File{{Path: "a", Data: []byte("x"), Exec: true}}}).Tripwire; !r.Escalate ||
		len(ofKind(r, KindScanFailed)) == 0 || len(ofKind(r, KindExecutable)) != 1 {
		t.Errorf("a scanner that wasn't made: %+v", r)
	}
	s, err := NewScanner(ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Scan(nil).Tripwire; !r.Escalate || len(ofKind(r, KindScanFailed)) != 1 {
		t.Errorf("no artefact: %+v", r)
	}
	r := newReport()
	r.guard("a", "the moon", func() { r.add(Finding{Kind: KindEgress}); panic("fell") })
	r.guard("a", "the sun", func() { r.add(Finding{Kind: KindExec}) })
	got := r.result().Tripwire
	if failed := ofKind(got, KindScanFailed); !got.Escalate || len(got.Reasons) != 3 || len(failed) != 1 || !strings.Contains(failed[0].Detail, "the moon failed: fell") {
		t.Errorf("%+v", got)
	}
	// What was found before the denylist failed stays.
	bad := &Scanner{denylist: s.denylist, catalogue: s.catalogue}
	all := bad.Scan(&Artefact{Findings: []Finding{{Kind: KindLink, File: "b", Offset: -1}}, Files: []File{{Path: "a", Data: []byte("curl")}}}).Tripwire
	if len(ofKind(all, KindLink)) != 1 || len(ofKind(all, KindEgress)) != 1 {
		t.Errorf("%+v", all)
	}
}

func TestFindingsAreBounded(t *testing.T) {
	const n = 4 << 20
	data := bytes.Repeat([]byte("curl"), n/4)
	r := scanOf(t, ScanOptions{}, File{Path: "b", Data: data}, File{Path: "a", Data: data})
	if len(r.Reasons) != MaxReasons || !r.Escalate {
		t.Fatalf("%d findings", len(r.Reasons))
	}
	at := 0
	for _, f := range ofKind(r, KindEgress) {
		if f.Token != "curl" || f.Via != "" {
			continue
		}
		if f.File != "a" || f.Offset != at {
			t.Fatalf("%+v, want offset %d", f, at)
		}
		at += 4
	}
	if total := len(r.Reasons) + r.Omitted; total < 2*n/4 {
		t.Errorf("%d of %d counted", total, 2*n/4)
	}
	if !slices.IsSortedFunc(r.Reasons, inOrder) {
		t.Error("not in order")
	}
}

func TestManyFindingsOfOneKindHideNoOther(t *testing.T) {
	many := strings.Repeat("curl ", 3*MaxReasons)
	for name, files := range map[string][]File{
		"behind them in the file": {{Path: "a.md", Data: []byte(many + "rm -rf / ~/.ssh/ crontab \u200b\u200b")}},
		"in files after theirs":   {{Path: "a.md", Data: []byte(many)}, {Path: "b", Data: []byte(many)}, {Path: "z.md", Data: []byte("rm -rf / ~/.ssh/ crontab \u200b\u200b")}},
		"encoded":                 {{Path: "a.md", Data: []byte(many + " " + base64.StdEncoding.EncodeToString([]byte("rm -rf / ~/.ssh/ crontab")) + "\u200b")}},
	} {
		t.Run(name, func(t *testing.T) {
			r := scanOf(t, ScanOptions{}, files...)
			if len(r.Reasons) != MaxReasons || !slices.IsSortedFunc(r.Reasons, inOrder) {
				t.Errorf("%d findings", len(r.Reasons))
			}
			for _, k := range []Kind{KindDestructive, KindCredentials, KindPersistence, KindHidden, KindEgress, KindFrontMatter} {
				if len(ofKind(r, k)) == 0 {
					t.Errorf("no %s", k)
				}
			}
		})
	}
}

func TestShape(t *testing.T) {
	for _, c := range []struct {
		file File
		want []Kind
	}{
		{File{Data: []byte("Grüße\n")}, nil},
		{File{Data: nil}, nil},
		{File{Data: []byte("#!/bin/sh"), Exec: true}, []Kind{KindExecutable}},
		{File{Data: []byte("a\x00b")}, []Kind{KindBinary}},
		{File{Data: []byte("a\xffb"), Exec: true}, []Kind{KindExecutable, KindBinary}},
		{File{Data: []byte(utf16le("abc"))}, []Kind{KindBinary}},
		{File{Data: []byte("\xed\xa0\x80")}, []Kind{KindBinary}},
	} {
		var got []Kind
		for _, f := range shapeOf(c.file) {
			got = append(got, f.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.file.Data, got, c.want)
		}
	}
}

func TestHiddenText(t *testing.T) {
	const man, laptop, zwj = "\U0001f468", "\U0001f4bb", "\u200d"
	for _, c := range []struct {
		name, text string
		want       string // offset+length of each
	}{
		{"none", "plain – text", ""},
		{"bidi override", "a\u202eb", "1+3"},
		{"isolate", "a\u2066b\u2069", "1+3 5+3"},
		{"marks", "\u200e \u200f \u061c", "0+3 4+3 8+2"},
		{"tags", "a\U000e0063\U000e0075", "1+8"},
		{"zero width", "a\u200bb\u2060\ufeff", "1+3 5+6"},
		{"BOM at the beginning", "\ufeffa", ""},
		{"two", "\ufeff\ufeffa", "3+3"},
		{"BOM inside", "a\ufeff", "1+3"},
		{"joined emoji", man + zwj + laptop, ""},
		{"joined emoji, presentation and skin", "\u2764\ufe0f" + zwj + "\U0001f525 \U0001f469\U0001f3fd" + zwj + laptop, ""},
		{"two joiners", man + zwj + zwj + laptop, "4+6"},
		{"joiner at a letter", man + zwj + "a", "4+3"},
		{"joiner in Arabic", "می\u200cخواهم", "4+3"},
		{"a run of all kinds", "\u200b\u202e\U000e0041\ufe0f\u00ad", "0+15"},
		{"invisible operators", "a\u2061\u2064b\u206a", "1+6 8+3"},
		{"a soft hyphen", "a\u00adb", "1+2"},
		{"a grapheme joiner", "a\u034fb", "1+2"},
		{"fillers", "\u115f \u1160 \u3164 \uffa0", "0+3 4+3 8+3 12+3"},
		{"a vowel separator", "a\u180eb", "1+3"},
		{"unassigned and ignored", "a\U000e0fffb\u2065\ufff0", "1+4 6+6"},
		{"bytes in variation selectors", "\U0001f600\U000e0100\U000e0101", "4+8"},
		{"selectors of both kinds", "\u2764\ufe0f\ufe0e", "3+6"},
		{"a selector behind a letter", "a\ufe0fb", "1+3"},
		{"a selector behind nothing", "\ufe0f \ufe0f", "0+3 4+3"},
		{"a selector behind what doesn't show", "é\u200b\ufe0f", "2+6"},
		{"one selector", "\u2764\ufe0f 1\ufe0f\u20e3 #\ufe0e \u845b\U000e0100 \u2229\ufe00", ""},
		{"signs that show", "° § · « » © ® … “ ” – ー、（） \u0600\u06dd", ""},
	} {
		var got []string
		f, more := hiddenIn(File{Data: []byte(c.text)})
		for _, x := range f {
			got = append(got, fmt.Sprintf("%d+%d", x.Offset, x.Length))
		}
		if s := strings.Join(got, " "); s != c.want || more != 0 {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	f, _ := hiddenIn(File{Data: []byte("x\U000e0063\U000e0075\U000e0072\U000e006c")})
	if len(f) != 1 || !strings.Contains(f[0].Detail, `"curl"`) || f[0].Line != 1 || f[0].Col != 2 {
		t.Errorf("%+v", f)
	}
	f, more := hiddenIn(File{Data: bytes.Repeat([]byte("\u200bx"), MaxReasons+5)})
	if len(f) != MaxReasons || more != 5 {
		t.Errorf("%d and %d", len(f), more)
	}
}

func TestColumnsDoNotCountAByteOrderMark(t *testing.T) {
	s, err := NewScanner(ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Scan(&Artefact{Files: []File{{Path: "a.txt", Data: []byte("\ufeffcurl, curl\ncurl")}}})
	var places [][2]int
	for _, f := range r.Tripwire.Reasons {
		if f.Token == "curl" {
			places = append(places, [2]int{f.Line, f.Col})
		}
	}
	if want := [][2]int{{1, 1}, {1, 7}, {2, 1}}; !slices.Equal(places, want) {
		t.Errorf("got %v, want %v", places, want)
	}
}

package source_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/source"
)

func FuzzParseYAML(f *testing.F) {
	for _, s := range []string{
		"", "a: 1\nb: [x, {c: null}]\n", "- |\n  x\n- >-\n  y\n\n  z\n", "a: \"\\u00e9\\x41\\\n  b\"\n", "? a\n", "a: 'it''s'\n", "--- {a: 1}\n...\n",
		"pawl: v1\ngate: g\nkind: threshold\nrules:\n- id: a\n  when: {flag: vip}\n", "a: &x [*x]\n<<: !t 1\n", "[[[[", "a:\r\n  b: 2020-01-01 # c\r\n", "é: \u2028\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, ps := source.ParseYAML(src)
		if (n == nil) == (len(ps) == 0) {
			t.Fatalf("%d problems and the node %v", len(ps), n)
		}
		checkPlaces(t, src, ps)
		if n == nil {
			return
		}
		text := n.AppendJSON(nil)
		if !json.Valid(text) {
			t.Fatalf("not JSON: %s", text)
		}
		if len(text) > source.MaxBytes {
			return // escapes make a text longer
		}
		back, ps := source.ParseJSON(bytes.ReplaceAll(text, []byte("\x7f"), []byte(`\u007f`)))
		if back == nil {
			t.Fatalf("accepted as YAML, but refused as JSON: %v\n%s", ps, text)
		}
		if diff := sameTree(n, back, ""); diff != "" {
			t.Fatalf("another tree as JSON: %s\n%s", diff, text)
		}
	})
}

// checkPlaces wants every problem to point into the text.
func checkPlaces(t *testing.T, src []byte, ps []source.Problem) {
	t.Helper()
	lines := bytes.Count(src, []byte("\n")) + bytes.Count(src, []byte("\r")) + 1
	for _, p := range ps {
		if p.Pos.Line < 1 || p.Pos.Line > lines || p.Pos.Col < 1 || p.Code == "" || p.Message == "" || !utf8.ValidString(p.Message) {
			t.Fatalf("an odd problem: %+v", p)
		}
	}
}

var jsonSeeds = []string{
	"", " ", "{}", `{"a":[1,-0,1.5e3,true,false,null,"x"]}`, `{"a":1,"a":2}`, `{"\u0061":1,"a":2}`, `"\ud83d\ude00"`, `"\ud800"`, "[1,]", "{} {}", "01", "NaN", "\ufeff{}",
	"[[[[]]]]", "\"\xff\"", "\"\x7f\"", "[1e400,9223372036854775808]", "{\"a\" : 1}\r\n",
}

func FuzzParseJSON(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, ps := source.ParseJSON(src)
		if (n == nil) == (len(ps) == 0) || len(ps) > 1 {
			t.Fatalf("%d problems and the node %v", len(ps), n)
		}
		checkPlaces(t, src, ps)
		want, known := acceptable(src)
		// Files are held to one thing more than inputs: no DEL, in any place.
		if accepted := n != nil; known && accepted != (want && !bytes.ContainsRune(src, 0x7f)) {
			t.Fatalf("accepted: %v, want %v: %v", accepted, want, ps)
		}
		if n == nil {
			return
		}
		back, ps := source.ParseJSON(n.AppendJSON(nil))
		if back == nil {
			t.Fatalf("not JSON: %v", ps)
		}
		if diff := sameTree(n, back, ""); diff != "" {
			t.Fatalf("another tree: %s", diff)
		}
	})
}

// acceptable says by encoding/json alone whether a text should be accepted.
// Known is false where encoding/json can't tell: it replaces lone surrogates.
func acceptable(src []byte) (ok, known bool) {
	if len(src) > source.MaxBytes || !json.Valid(src) || !utf8.Valid(src) {
		return false, true
	}
	type level struct {
		names map[string]bool // of an object; nil for a list
		name  bool            // a name comes next
	}
	var open []level
	members := 0
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return true, true
		}
		if err != nil {
			return false, true
		}
		if s, isText := tok.(string); isText && strings.ContainsRune(s, utf8.RuneError) && bytes.Contains(src, []byte(`\u`)) {
			return false, false
		}
		if tok == json.Delim('}') || tok == json.Delim(']') {
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 {
			top := &open[len(open)-1]
			if top.name {
				s := tok.(string)
				if top.names[s] {
					return false, true
				}
				top.names[s], top.name = true, false
				continue
			}
			top.name = top.names != nil
			if members++; members > source.MaxMembers {
				return false, true
			}
		}
		switch tok {
		case json.Delim('{'):
			open = append(open, level{map[string]bool{}, true})
		case json.Delim('['):
			open = append(open, level{})
		}
		if len(open) > source.MaxDepth {
			return false, true
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	var used source.Scanner // one scanner for all texts: nothing may stay behind
	f.Fuzz(func(t *testing.T, src []byte) {
		skipped := skip(&used, string(src))
		v, inexact, valued := read(&used, string(src))
		var fresh source.Scanner
		again, inexact2, err := read(&fresh, string(src))
		if (skipped == nil) != (valued == nil) || place(t, valued) != place(t, err) || inexact != inexact2 || !cmp.Equal(v, again) {
			t.Fatalf("Skip says %v, Value %v, a fresh scanner %v", skipped, valued, err)
		}
		want, known := acceptable(src)
		if accepted := skipped == nil; known && accepted != want || accepted && !json.Valid(src) {
			t.Fatalf("accepted: %v, want %v: %v", accepted, want, skipped)
		}
		if skipped == nil && !inexact {
			checkValue(t, src, v)
		}
	})
}

// checkValue compares what was read with what encoding/json reads.
func checkValue(t *testing.T, src []byte, v any) {
	t.Helper()
	var want any
	if err := json.Unmarshal(src, &want); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-encoding/json +Value):\n%s", diff)
	}
}

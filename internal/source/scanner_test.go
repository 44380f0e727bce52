package source_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/source"
)

// read reads the whole text with Value.
func read(s *source.Scanner, text string) (v any, inexact bool, err error) {
	if err := s.Reset([]byte(text)); err != nil {
		return nil, false, err
	}
	if v, inexact, err = s.Value(); err != nil {
		return nil, false, err
	}
	return v, inexact, s.End()
}

// skip reads the whole text with Skip.
func skip(s *source.Scanner, text string) error {
	if err := s.Reset([]byte(text)); err != nil {
		return err
	}
	if err := s.Skip(); err != nil {
		return err
	}
	return s.End()
}

// place is an error as "code line:col /pointer".
func place(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return "accepted"
	}
	var se *source.SyntaxError
	if !errors.As(err, &se) {
		t.Fatalf("%T isn't a SyntaxError: %v", err, err)
	}
	if !strings.HasPrefix(se.Error(), se.Pos.String()+": "+se.Message) || se.Message == "" {
		t.Errorf("the error reads %q", se.Error())
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", se.Code, se.Pos, se.Pointer))
}

// Skip passes over what nobody asked for, under the same rules as what is read.
func TestScannerRefusesTheSameWhetherItReadsOrSkips(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat("0,", n-1) + "0]" }
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	object := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	for _, c := range []struct{ name, text, want string }{
		{"64 levels", nested(64), "accepted"},
		{"65 levels", nested(65), "too-deep"},
		{"64 levels of objects", strings.Repeat(`{"a":`, 64) + "0" + strings.Repeat("}", 64), "accepted"},
		{"65 levels of objects", strings.Repeat(`{"a":`, 65) + "0" + strings.Repeat("}", 65), "too-deep"},
		{"levels one after the other", "[" + strings.Repeat(nested(63)+",", 100) + "0]", "accepted"},
		{"10,000 entries", list(10_000), "accepted"},
		{"10,001 entries", list(10_001), "too-many"},
		{"10,000 members", object(10_000), "accepted"},
		{"10,001 members", object(10_001), "too-many"},
		{"10,001 entries in several lists", "[" + list(5_000) + "," + list(4_998) + ",0]", "too-many"},
		{"1 MiB", `"` + strings.Repeat("x", 1<<20-2) + `"`, "accepted"},
		{"1 MiB and a byte", `"` + strings.Repeat("x", 1<<20-1) + `"`, "too-large 1:1"},

		{"a duplicate member", `{"a":1,"a":2}`, "duplicate-member 1:8 /a"},
		{"a duplicate member inside lists", `[[{"a":[{"b":1,"b":2}]}]]`, "duplicate-member 1:16 /0/0/a/0/b"},
		{"a duplicate member by escapes", `{"ab":1,"\u0061b":2}`, "duplicate-member 1:9 /ab"},
		{"text behind", `{"a":1} 2`, "trailing-text 1:10"},
		{"a comma behind", `{"a":1},`, "json-syntax 1:8"},
		{"nothing", ``, "empty 1:1"},
		{"white space", "\n\n", "empty 1:1"},
		{"a byte order mark", "\ufeff1", "byte-order-mark 1:1"},
		{"half of it", `{"a":[1,`, "json-syntax 1:9 /a"},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "json-syntax 1:7 /a"},
		{"invalid UTF-8 in a name", "{\"\xff\":1}", "json-syntax 1:3"},
		{"a lone surrogate", `["\ud83d"]`, "json-syntax 1:3 /0"},
		{"surrogates the wrong way round", `["\ude00\ud83d"]`, "json-syntax 1:3 /0"},
		{"a pair of surrogates", `["\ud83d\ude00"]`, "accepted"},
		{"NaN", `[NaN]`, "json-syntax 1:2 /0"},
		{"a number too large for any type", `[1e400]`, "accepted"},
		{"a control character", "[\"\n\"]", "json-syntax 1:3 /0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s source.Scanner
			_, _, valued := read(&s, c.text)
			for way, err := range map[string]error{"Skip": skip(&s, c.text), "Value": valued} {
				// A limit is told by its code: where it is crossed may be told in
				// more ways than one.
				if got := place(t, err); got != c.want && (strings.Contains(c.want, " ") || !strings.HasPrefix(got, c.want+" ")) {
					t.Errorf("%s: %s, want %s", way, got, c.want)
				}
			}
			// A scanner that saw an error reads the next text as if new.
			if v, _, err := read(&s, `{"a":1}`); err != nil || !cmp.Equal(v, any(map[string]any{"a": int64(1)})) {
				t.Errorf("afterwards: %v, %v", v, err)
			}
		})
	}
}

func TestScannerValue(t *testing.T) {
	for _, c := range []struct {
		text    string
		want    any
		inexact bool
	}{
		{"null", nil, false},
		{"true", true, false},
		{" false ", false, false},
		{`"x\n\u00e9\ud83d\ude00"`, "x\né😀", false},
		{`""`, "", false},
		{"7", int64(7), false},
		{"-9223372036854775808", int64(-1 << 63), false},
		{"7.0", 7.0, false},
		{"7e0", 7.0, false},
		{"1e-400", 0.0, false},
		{"[]", []any{}, false},
		{"{}", map[string]any{}, false},
		{`{"a\"b":[1,{"":null}],"é":0.5}`, map[string]any{"a\"b": []any{int64(1), map[string]any{"": nil}}, "é": 0.5}, false},
		{"9223372036854775808", nil, true},
		{"1e400", nil, true},
		{`[1,{"a":[-1e400]},2]`, nil, true},
	} {
		var s source.Scanner
		v, inexact, err := read(&s, c.text)
		if err != nil || inexact != c.inexact {
			t.Errorf("%s: inexact %v, %v", c.text, inexact, err)
			continue
		}
		if diff := cmp.Diff(c.want, v); diff != "" && !inexact {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestScannerWalk(t *testing.T) {
	var s source.Scanner
	if err := s.Reset([]byte(`{"n\u0061me": "t\u0065xt", "plain": "as it is", "l": [-1.5e3, true, null]}`)); err != nil {
		t.Fatal(err)
	}
	var got []string
	note := func(b []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(b))
	}
	kind := func(want source.Kind) {
		if k, ok := s.Peek(); !ok || k != want {
			t.Errorf("Peek: %s, %v; want %s", k, ok, want)
		}
	}
	more := func(want bool) {
		if ok, err := s.More(); ok != want || err != nil {
			t.Errorf("More: %v, %v; want %v", ok, err, want)
		}
	}
	open := func() {
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
	}
	kind(source.Object)
	open()
	for range 2 {
		more(true)
		note(s.Name())
		kind(source.String)
		note(s.Text())
	}
	more(true)
	note(s.Name())
	kind(source.List)
	open()
	for _, k := range []source.Kind{source.Number, source.Bool, source.Null} {
		more(true)
		kind(k)
		note(s.Literal())
	}
	if _, ok := s.Peek(); ok {
		t.Error("Peek found a value at the end of the list")
	}
	more(false)
	more(false)
	if err := s.End(); err != nil {
		t.Error(err)
	}
	want := []string{"name", "text", "plain", "as it is", "l", "-1.5e3", "true", "null"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A name with escapes has a room of its own: reading the value leaves it alone.
func TestScannerKeepsTheNameWhileTheValueIsRead(t *testing.T) {
	var s source.Scanner
	if err := s.Reset([]byte(`{"n\u0061me":"v\u0061lue"}`)); err != nil {
		t.Fatal(err)
	}
	_ = s.Open()
	_, _ = s.More()
	name, err := s.Name()
	text, err2 := s.Text()
	if string(name) != "name" || string(text) != "value" || err != nil || err2 != nil {
		t.Errorf("%q, %q, %v, %v", name, text, err, err2)
	}
}

// In a stream of lines an error names the line of the file.
func TestScannerCountsFromItsLine(t *testing.T) {
	for line, want := range map[int]string{0: "2:4", 1: "2:4", 7: "8:4", -3: "2:4"} {
		s := source.Scanner{Line: line}
		var se *source.SyntaxError
		if err := skip(&s, "{\n\"a\"1}"); !errors.As(err, &se) || se.Pos.String() != want {
			t.Errorf("line %d: %v, want %s", line, err, want)
		}
	}
	s := source.Scanner{Line: 7}
	if err := s.Reset([]byte("\ufeff{}")); err == nil || !strings.HasPrefix(err.Error(), "7:1: ") {
		t.Errorf("%v", err)
	}
	if err := s.Reset([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	if got := place(t, s.Fail("mine", "not %s", "this")); got != "mine 7:1" {
		t.Errorf("Fail: %s", got)
	}
}

func TestScannerReadsWithoutAllocating(t *testing.T) {
	var s source.Scanner
	text := []byte(`{"score":0.91,"flags":["vip"],"meta":{"amount":20,"deep":{"a":[1,2,3]}}}`)
	allocs := testing.AllocsPerRun(100, func() {
		if s.Reset(text) != nil || s.Skip() != nil || s.End() != nil {
			t.Fatal("refused")
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

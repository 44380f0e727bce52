package verdict_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/verdict"
)

func TestAppendStringIsShortest(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", `""`},
		{"plain, longer than eight bytes", `"plain, longer than eight bytes"`},
		{`"\/`, `"\"\\/"`},
		{"\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"\x00\x01\x1f\x0b\x7f", "\"\\u0000\\u0001\\u001f\\u000b\x7f\""},
		{"<a href='x'>&", `"<a href='x'>&"`},
		{"é €\u2028\u2029😀", "\"é €\u2028\u2029😀\""},
		{"a\xffb\xc3", "\"a\uFFFDb\uFFFD\""},
		{"\xed\xa0\x80", "\"\uFFFD\uFFFD\uFFFD\""}, // a surrogate isn't UTF-8
		{"\uFFFD", "\"\uFFFD\""},
	} {
		if got := string(verdict.AppendString([]byte("x"), c.in)); got != "x"+c.want {
			t.Errorf("AppendString(%q) = %s, want x%s", c.in, got, c.want)
		}
	}
}

// A special byte is found wherever it stands in a group of eight, and next to
// whatever neighbour.
func TestAppendStringAtEveryPlace(t *testing.T) {
	for b := range 256 {
		for at := range 18 {
			for _, fill := range []byte{'a', ' ', '!', '#', '[', ']', 0x7f} {
				in := bytes.Repeat([]byte{fill}, 18)
				in[at] = byte(b)
				checkString(t, string(in))
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{
		"", "plain", "quo\"te", `back\slash`, "\x00\x1f\x7f\x80", "\b\f\n\r\t", "<&>", "\u2028\u2029",
		"\xff\xfe", "\xed\xa0\x80", "😀é€", strings.Repeat("12345678", 3) + "\"", strings.Repeat("\xc3\xa9", 9), "\uFFFD",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkString(t, s) })
}

// checkString compares AppendString with encoding/json, whose own escapes
// differ, by what both mean.
func checkString(t *testing.T, s string) {
	t.Helper()
	got := verdict.AppendString(nil, s)
	if !json.Valid(got) || !utf8.Valid(got) {
		t.Fatalf("AppendString(%q) = %q isn't JSON", s, got)
	}
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	var gotText, wantText string
	if err := json.Unmarshal(got, &gotText); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want.Bytes(), &wantText); err != nil {
		t.Fatal(err)
	}
	if gotText != wantText {
		t.Errorf("AppendString(%q) means %q, encoding/json %q", s, gotText, wantText)
	}
	if utf8.ValidString(s) && gotText != s {
		t.Errorf("AppendString(%q) means %q", s, gotText)
	}
	if n := bytes.TrimSpace(want.Bytes()); len(got) > len(n) {
		t.Errorf("AppendString(%q) = %s is longer than %s", s, got, n)
	}
	if prefixed := verdict.AppendString([]byte("pre"), s); string(prefixed) != "pre"+string(got) {
		t.Errorf("appended to a prefix: %q", prefixed)
	}
}

func TestReasonAppendJSON(t *testing.T) {
	for _, c := range []struct {
		r    verdict.Reason
		want string
	}{
		{verdict.Reason{}, `{"code":"","message":"","source":""}`},
		{
			verdict.Reason{Code: "c\n", Message: `m"`, Source: "s<", Subject: "é\\"},
			`{"code":"c\n","message":"m\"","source":"s<","subject":"é\\"}`,
		},
	} {
		got := c.r.AppendJSON([]byte("x"))
		if string(got) != "x"+c.want {
			t.Errorf("got  %s\nwant x%s", got, c.want)
		}
		// The struct's tags say the same.
		var back verdict.Reason
		if err := json.Unmarshal(got[1:], &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.r, back); diff != "" {
			t.Errorf("read back (-want +got):\n%s", diff)
		}
	}
}

func TestAppendStrings(t *testing.T) {
	for want, list := range map[string][]string{
		`[]`:                            nil,
		`["a"]`:                         {"a"},
		`["a","\"","` + "\ufffd" + `"]`: {"a", `"`, "\xff"},
	} {
		if got := string(verdict.AppendStrings(nil, list)); got != want {
			t.Errorf("%q: %s, want %s", list, got, want)
		}
	}
}

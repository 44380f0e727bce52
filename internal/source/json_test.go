package source_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

func TestParseJSONRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "empty 1:1"},
		{"white space", " \n\t", "empty 1:1"},
		{"a byte order mark", "\ufeff{}", "byte-order-mark 1:1"},
		{"invalid UTF-8", "{\n\"é\xff\":1}", "utf-8 2:3"},
		{"a control character in a string", "\"\x01\"", "control-character 1:2"},
		{"a NUL behind the value", "{}\x00", "control-character 1:3"},
		{"a tab in a string", "{\"a\":\"x\ty\"}", "json-syntax 1:8"},

		{"a duplicate member", "{\"a\":1,\n\"b\":2,\"a\":3}", "duplicate-member 2:7"},
		{"a duplicate member, nested", `{"a":[{"b":1,"b":2}]}`, "duplicate-member 1:14"},
		{"a duplicate member, written in another way", `{"b":1,"\u0062":2}`, "duplicate-member 1:8"},
		{"an empty name twice", `{"":1,"":2}`, "duplicate-member 1:7"},

		{"a lone high surrogate", `{"a":"\ud800"}`, "json-syntax 1:7"},
		{"a lone low surrogate", `{"a":"\udc00x"}`, "json-syntax 1:7"},
		{"a lone surrogate in a name", `{"\ud800":1}`, "json-syntax 1:3"},
		{"an unknown escape", `"\x41"`, "json-syntax 1:2"},

		{"a leading zero", `{"a":01}`, "json-syntax 1:7"},
		{"a plus", `{"a":+1}`, "json-syntax 1:6"},
		{"a bare point", `{"a":.5}`, "json-syntax 1:6"},
		{"NaN", `{"a":NaN}`, "json-syntax 1:6"},
		{"Infinity", `[-Infinity]`, "json-syntax 1:3"},
		{"hexadecimal", `[0x1F]`, "json-syntax 1:3"},
		{"True", `[True]`, "json-syntax 1:2"},

		{"a trailing comma", `[1,]`, "json-syntax 1:3"},
		{"a trailing comma in an object", `{"a":1,}`, "json-syntax 1:7"},
		{"a missing value", `{"a":}`, "json-syntax 1:6"},
		{"a missing colon", `{"a" 1}`, "json-syntax 1:6"},
		{"a missing comma", `[1 2]`, "json-syntax 1:4"},
		{"a name without quotes", `{a:1}`, "json-syntax 1:2"},
		{"a number as a name", `{1:2}`, "json-syntax 1:2"},
		{"single quotes", `{'a':1}`, "json-syntax 1:2"},
		{"a comment", "// c\n{}", "json-syntax 1:1"},
		{"the wrong bracket", `[1}`, "json-syntax 1:3"},
		{"an end without a start", `]`, "json-syntax 1:1"},
		{"an open object", `{"a":1`, "json-syntax 1:7"},
		{"an open string", `{"a":"x`, "json-syntax 1:8"},
		{"half a word", "nul", "json-syntax 1:4"},
		{"a second value", "{} {}", "trailing-text 1:5"},
		{"text behind the value", `{"a":1}x`, "json-syntax 1:8"},

		{"64 levels and one more", strings.Repeat("[", 65) + strings.Repeat("]", 65), "too-deep"},
		{"10,000 levels", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), "too-deep"},
		{"50,000 open brackets", strings.Repeat("[", 50_000), "too-deep"},
		{"10,001 members", "[" + strings.Repeat("1,\n", 10_000) + "1]", "too-many 10000:2"},
		{"1 MiB and a byte", `"` + strings.Repeat("x", 1<<20-1) + `"`, "too-large 1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, ps := source.ParseJSON([]byte(c.text))
			checkRefused(t, n, ps, c.want)
		})
	}
}

func TestParseJSONAccepts(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"white space and CRLF", " {\r\n\t\"a\" : [ 1 , 2 ] }\r\n", `{"a":[1,2]}`},
		{"scalars", `[null, true, false, "x", -0, 1.50, 1E400]`, `[null,true,false,"x",-0,1.50,1E400]`},
		{"empty collections", `{"a":{},"b":[]}`, `{"a":{},"b":[]}`},
		{"escapes", `{"\u0061\n":"\u00e9\/\ud83d\ude00\u0000"}`, `{"a\n":"é/😀\u0000"}`},
		{"an empty name", `{"":1}`, `{"":1}`},
		{"names that differ in case", `{"a":1,"A":2}`, `{"a":1,"A":2}`},
		{"a scalar alone", `"x"`, `"x"`},
		{"64 levels", strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 64) + strings.Repeat("]", 64)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(mustJSON(t, c.text).AppendJSON(nil)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	mustJSON(t, "["+strings.Repeat("1,\n", 9_999)+"1]")
	mustJSON(t, `"`+strings.Repeat("x", 1<<20-2)+`"`)
}

func TestParseJSONKnowsThePlaces(t *testing.T) {
	n := mustJSON(t, "\n{\"é\": 1,\n  \"b\" : [ true,\n{\"c\":\"x\"} ]}")
	b := n.Get("b")
	for _, c := range []struct {
		name string
		got  source.Pos
		want string
	}{
		{"the whole", n.Pos, "2:1"},
		{"a name", n.Members[0].Pos, "2:2"},
		{"a number", n.Get("é").Pos, "2:7"},
		{"a name on another line", n.Members[1].Pos, "3:3"},
		{"a list", b.Pos, "3:9"},
		{"a list's entry", b.Items[0].Pos, "3:11"},
		{"an object", b.Items[1].Pos, "4:1"},
		{"a string", b.Items[1].Get("c").Pos, "4:6"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%s stands at %s, want %s", c.name, c.got, c.want)
		}
	}
}

// The message names the member, in the notation that people find it by.
func TestParseJSONNamesTheMember(t *testing.T) {
	_, ps := source.ParseJSON([]byte(`{"a":[0,{"b/c":1,"b/c":2}]}`))
	if len(ps) != 1 || !strings.Contains(ps[0].Message, "(at /a/1/b~1c)") {
		t.Errorf("%v", ps)
	}
}

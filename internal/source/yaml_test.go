package source_test

import (
	"testing"

	"github.com/pawlgate/pawl/internal/source"
)

func TestParseYAMLRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an empty file", "", "empty 1:1"},
		{"a file of comments", "# nothing\n# yet\n", "empty 1:1"},
		{"a file of white space", "   \n\n", "empty 1:1"},
		{"a file of markers", "--- \n--- \n", "yaml-documents 2:1"},
		{"a byte order mark", "\ufeffa: 1\n", "byte-order-mark 1:1"},
		{"invalid UTF-8", "a: 1\nb: \"é\xff\"\n", "utf-8 2:6"},
		{"a surrogate in UTF-8", "a: \xed\xa0\x80\n", "utf-8 1:4"},
		{"a NUL", "a: \x00b\n", "control-character 1:4"},
		{"an escape character", "a: 1\nb: \x1b[31m\n", "control-character 2:4"},
		{"a DEL", "a: \x7f\n", "control-character 1:4"},
		{"a control character in a comment", "a: 1 # \x07\n", "control-character 1:8"},

		{"a duplicate key", "a: 1\nb: 2\na: 3\n", "duplicate-key 3:1"},
		{"a duplicate key, nested", "x:\n  a: 1\n  b: {c: 1, c: 2}\n", "duplicate-key 3:13"},
		{"a duplicate key in a list", "- {a: 1, \"a\": 2}\n", "duplicate-key 1:10"},
		{"a duplicate key, written in another way", "é: 1\n\"\\u00e9\": 2\n", "duplicate-key 2:1"},
		{"each of several duplicates", "a: 1\na: 2\nb: {c: 1, c: 1}\na: 3\n", "duplicate-key 2:1, duplicate-key 3:11, duplicate-key 4:1"},

		{"an anchor", "a: &x 1\n", "yaml-anchor 1:4"},
		{"an alias", "a: 1\nb: *a\n", "yaml-alias 2:4"},
		{"an anchor and its alias", "a: &x 1\nb: *x\n", "yaml-anchor 1:4, yaml-alias 2:4"},
		{"a merge key", "a:\n  <<: {b: 1}\n", "yaml-merge 2:3"},
		{"a tag", "a: !!str 1\n", "yaml-tag 1:4"},
		{"a tag of one's own", "a: !secret x\n", "yaml-tag 1:4"},
		{"a directive", "%YAML 1.2\n---\na: 1\n", "yaml-directive 1:1"},
		{"a plain text over two lines", "a: x\n  y\n", "plain-scalar 1:4"},
		{"a tab in a plain text", "a: high\trisk\n", "plain-scalar 1:4"},
		{"a tab in a plain text in braces", "{a: high\trisk}\n", "plain-scalar 1:5"},
		{"no blank behind a colon", "{highMin:0.9, reviewMin:0.5}\n", "yaml-colon 1:9, yaml-colon 1:24"},
		{"no blank behind a colon, then one", "{x:y: 1}\n", "yaml-colon 1:3"},
		{"two colons in braces", "{b: c: d}\n", "ambiguous-scalar 1:5"},
		{"an empty entry before a key", "k:\n-\nz: 1\n", "value-missing 2:2"},
		{"an empty entry before another", "k:\n  -\n  - 1\n", "value-missing 2:4"},
		{"a comma at the start of a text", "a: ,b\n", "ambiguous-scalar 1:4"},
		{"a second document", "a: 1\n---\nb: 2\n", "yaml-documents 2:1"},
		{"a second document behind an end marker", "a: 1\n...\nb: 2\n", "yaml-documents 3:2"},

		{"a missing value", "a:\nb: 1\n", "value-missing 1:3"},
		{"a missing value at the end", "b: 1\na: \n", "value-missing 2:4"},
		{"a missing value in a list", "- \n- 1\n", "value-missing 1:2"},
		{"a missing value in braces", "a: {b, c: 1}\n", "value-missing 1:6"},

		{"a number as a key", "1: a\n", "yaml-key 1:1"},
		{"a boolean as a key", "a: {true: 1}\n", "yaml-key 1:5"},
		{"a null as a key", "null: a\n", "yaml-key 1:1"},
		{"a word as a key that some take for a boolean", "on: a\n", "ambiguous-scalar 1:1"},
		{"a key with a question mark", "? a\n: b\n", "yaml-key 1:1"},
		{"a list as a key", "{[a]: 1}\n", "yaml-syntax 1:5"},
		{"an object as a key", "{a: 1}: 2\n", "yaml-syntax 1:7"},

		{"an open bracket", "a: [1, 2\n", "yaml-syntax 1:4"},
		{"an open brace", "a: {b: 1\n", "yaml-syntax 1:4"},
		{"an open quote", "a: 'x\n", "yaml-syntax 1:4"},
		{"a comma too many", "a: [1,,2]\n", "yaml-syntax 1:7"},
		{"a tab as indentation", "a:\n\t- 1\n", "yaml-syntax 2:1"},
		{"two colons", "a: b: c\n", "yaml-syntax 1:4"},
		{"a list and an object in one place", "- a\nb: 1\n", "yaml-syntax 2:1"},
		{"a reserved character", "a: @x\n", "yaml-syntax 1:4"},
		{"an unknown escape", `a: "\q"`, "yaml-syntax 1:6"},
		{"a lone surrogate", `a: "\ud800"`, "yaml-syntax 1:5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, ps := source.ParseYAML([]byte(c.text))
			checkRefused(t, n, ps, c.want)
		})
	}
}

// What one YAML reader takes for a number, a boolean or a date and another for
// a string is neither here.
func TestParseYAMLRefusesScalarsThatReadersDisagreeAbout(t *testing.T) {
	for _, s := range []string{
		"010", "00", "-01", "1_000", "1,000", ".5", "-.5", "1.", "+1", "+0.5", "0x1F", "-0x1f", "0o17", "0b101", "1e", "1.5e+", "1e_5", "1 2",
		"yes", "Yes", "YES", "no", "NO", "on", "On", "off", "OFF", "True", "TRUE", "False", "FALSE",
		"~", "Null", "NULL", ".nan", ".NaN", ".NAN", ".inf", "-.inf", "+.Inf", "NaN", "nan", "Infinity", "-inf",
		"2020-01-01", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43", "2001-12-14T21:59:43Z", "12:30:45", "1:2", "190:20:30.15",
	} {
		n, ps := source.ParseYAML([]byte("a: 1\nb: [x, " + s + "]\n"))
		if s == "1,000" { // is two entries in brackets
			n, ps = source.ParseYAML([]byte("a: 1\nb:   x\nc:      " + s + "\n"))
			checkRefused(t, n, ps, "ambiguous-scalar 3:9")
			continue
		}
		if n != nil || places(ps) != "ambiguous-scalar 2:8" {
			t.Errorf("%s: %q, %v", s, places(ps), n)
		}
		// Quoted it is a string, and nothing else.
		for _, quote := range []string{`"`, `'`} {
			n := mustYAML(t, "b: "+quote+s+quote)
			if v := n.Get("b"); v.Kind != source.String || v.Text != s {
				t.Errorf("%s quoted is %s %q", s, v.Kind, v.Text)
			}
		}
	}
}

func TestParseYAMLAccepts(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a tab in quotes", "a: 'high\trisk'\nb: \"high\trisk\"\n", `{"a":"high\trisk","b":"high\trisk"}`},
		{"CRLF", "a: 1\r\nb:\r\n  - x\r\n", `{"a":1,"b":["x"]}`},
		{"a first marker", "---\na: 1\n", `{"a":1}`},
		{"an end marker", "a: 1\n...\n", `{"a":1}`},
		{"no final line break", "a: 1", `{"a":1}`},
		{"JSON", `{"a": [1, true, null, "x", {"b": 1.5e3}]}`, `{"a":[1,true,null,"x",{"b":1.5e3}]}`},
		{"JSON's numbers as they are written", "[0, -0, -1, 1.50, 1e3, 1E+2, 1e-400, 123456789012345678901234567890]\n", `[0,-0,-1,1.50,1e3,1E+2,1e-400,123456789012345678901234567890]`},
		{"JSON's words", "[true, false, null]\n", `[true,false,null]`},
		{"words that start with a digit", "[4eyes, 3d, 1password, 2fa-required, v1.2.3]\n", `["4eyes","3d","1password","2fa-required","v1.2.3"]`},
		{"words that start like a boolean", "[yesterday, nothing, once, offer, nullable, trueish]\n", `["yesterday","nothing","once","offer","nullable","trueish"]`},
		{"lists in the column of their key", "a:\n- 1\n- 2\n", `{"a":[1,2]}`},
		{"objects in a list", "- a: 1\n  b: 2\n- c: 3\n", `[{"a":1,"b":2},{"c":3}]`},
		{"a pair in brackets", "[a: 1]\n", `[{"a":1}]`},
		{"empty collections", "{a: {}, b: []}\n", `{"a":{},"b":[]}`},
		{"empty strings", "{a: '', b: \"\"}\n", `{"a":"","b":""}`},
		{"comments", "# one\na: x # two\nb: x#three\n", `{"a":"x","b":"x#three"}`},
		{"quoted keys", "\"1\": a\n'true': b\n", `{"1":"a","true":"b"}`},
		{"the same key in different objects", "{a: {x: 1}, b: {x: 1}}\n", `{"a":{"x":1},"b":{"x":1}}`},
		{"keys that differ in case", "{a: 1, A: 2}\n", `{"a":1,"A":2}`},
		{"escapes", `a: "\u00e9\x41\t\"\\\U0001F600"`, `{"a":"éA\t\"\\😀"}`},
		{"doubled single quotes", "a: 'it''s'\n", `{"a":"it's"}`},
		{"a literal block", "a: |\n  x > 1 &&\n  y # no comment\n", `{"a":"x > 1 &&\ny # no comment\n"}`},
		{"a literal block without its last line break", "a: |-\n  x\n  y\n", `{"a":"x\ny"}`},
		{"a folded block", "a: >\n  x\n  y\n", `{"a":"x y\n"}`},
		{"a block that looks like a number", "a: |-\n  010\n", `{"a":"010"}`},
		{"a scalar alone", "x\n", `"x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(mustYAML(t, c.text).AppendJSON(nil)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestParseYAMLKnowsThePlaces(t *testing.T) {
	n := mustYAML(t, "# top\nrules:\n  - id: é\n    when: {flag: vip}\nbands:\n  score:\n    highMin: 0.9\n")
	rule := n.Get("rules").Items[0]
	for _, c := range []struct {
		name string
		got  source.Pos
		want string
	}{
		{"the whole", n.Pos, "2:1"},
		{"a key", n.Members[1].Pos, "5:1"},
		{"a list's entry", rule.Pos, "3:5"},
		{"a plain text", rule.Get("id").Pos, "3:9"},
		{"braces", rule.Get("when").Pos, "4:11"},
		{"inside braces", rule.Get("when").Get("flag").Pos, "4:18"},
		{"a number", n.Get("bands").Get("score").Get("highMin").Pos, "7:14"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%s stands at %s, want %s", c.name, c.got, c.want)
		}
	}
	if n.Get("nothing") != nil || n.Get("nothing").Get("more") != nil || rule.Get("id").Get("x") != nil {
		t.Error("Get found what isn't there")
	}
}

package source_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/source"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		// RFC 8785, section 3.2.2 to 3.2.4: the example text and its form.
		{
			"the example of RFC 8785",
			`{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		},
		// RFC 8785, section 3.2.3: names are sorted by their UTF-16 code units.
		{
			"the order of names",
			`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
		},
		// RFC 8785, appendix B.
		{"numbers", `[-0, 5e-324, 1.7976931348623157e308, 9007199254740992, 295147905179352825856, 9.999999999999997e22, 1e23, 0.000001, 1e-7, 1.0]`, `[0,5e-324,1.7976931348623157e+308,9007199254740992,295147905179352830000,9.999999999999997e+22,1e+23,0.000001,1e-7,1]`},
		{"order inside lists is kept", `[{"b":1,"a":2},{"d":3,"c":4}]`, `[{"a":2,"b":1},{"c":4,"d":3}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := []byte(c.text)
			got, err := source.Canonical(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if string(text) != c.text {
				t.Error("the text was changed")
			}
			again, err := source.Canonical(got)
			if err != nil || string(again) != string(got) {
				t.Errorf("once more gives %s, %v", again, err)
			}
		})
	}
	for _, text := range []string{"", "{", `{"a":1,"a":2}`, "1 2", `"\ud800"`} {
		if got, err := source.Canonical([]byte(text)); err == nil {
			t.Errorf("%q becomes %s", text, got)
		}
	}
}

func TestKindsReadAsPeopleSay(t *testing.T) {
	n := mustJSON(t, `[null, true, 1, "x", [], {}]`)
	want := []string{"null", "a boolean", "a number", "a string", "a list", "an object"}
	for i, item := range n.Items {
		if item.Kind.String() != want[i] {
			t.Errorf("%s, want %s", item.Kind, want[i])
		}
	}
}

func TestSortProblems(t *testing.T) {
	at := func(line, col int, code string, warning bool) source.Problem {
		return source.Problem{Pos: source.Pos{Line: line, Col: col}, Code: code, Warning: warning}
	}
	got := []source.Problem{at(2, 1, "c", true), at(1, 9, "b", false), at(2, 1, "d", false), at(1, 2, "a", true), at(2, 1, "e", false), at(2, 1, "f", true)}
	source.SortProblems(got)
	order := ""
	for _, p := range got {
		order += p.Code
	}
	if order != "abdecf" {
		t.Errorf("order %s", order)
	}
}

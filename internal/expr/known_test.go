package expr_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/expr"
)

// caseEnv has a variable of every shape that a case needs, declared down to
// what is inside of lists and objects.
func caseEnv(t *testing.T) *expr.Env {
	t.Helper()
	line := &expr.Field{Kind: expr.Other, Fields: map[string]expr.Field{"sku": {Kind: expr.Text}, "qty": {Kind: expr.Integer}}}
	const unknown = "isn't in the schema"
	env, err := expr.NewEnv(
		expr.Var{Name: "facts", Shape: expr.MapVar, Unknown: unknown, Fields: map[string]expr.Field{
			"value":   {Kind: expr.Number, Bounded: true, Min: 0, Max: 100},
			"country": {Kind: expr.Text},
			"count":   {Kind: expr.Integer},
			"address": {Kind: expr.Other, Fields: map[string]expr.Field{"city": {Kind: expr.Text}}},
			"lines":   {Kind: expr.Other, Items: line},
			"any":     {},
		}},
		expr.Var{Name: "documents", Shape: expr.ListVar, Elem: expr.Text, Unknown: unknown, Items: &expr.Field{Kind: expr.Other, Fields: map[string]expr.Field{"type": {Kind: expr.Text}}}},
		expr.Var{Name: "sources", Shape: expr.MapVar, Elem: expr.Other, Unknown: unknown, Items: &expr.Field{Kind: expr.Other, Fields: map[string]expr.Field{"weight": {Kind: expr.Number}}}},
		expr.Var{Name: "as_of", Shape: expr.TextVar},
		expr.Var{Name: "domain", Shape: expr.TextVar, Unknown: unknown, Fields: map[string]expr.Field{}},
		expr.Var{Name: "gone", Shape: expr.ListVar, Unknown: unknown, Fields: map[string]expr.Field{}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func TestNamesAreCheckedAllTheWayDown(t *testing.T) {
	env := caseEnv(t)
	for text, want := range map[string]string{
		`facts.address.city == "x"`:                             "",
		`facts.address.cty == "x"`:                              "facts.address.cty isn't in the schema",
		`facts["address"]["cty"] == "x"`:                        "facts.address.cty isn't in the schema",
		`has(facts.address.cty)`:                                "facts.address.cty isn't in the schema",
		`"cty" in facts.address`:                                "facts.address.cty isn't in the schema",
		`facts.address.city > 5`:                                "a string is compared with a number, which is never decided",
		`facts.any.thing.at.all == 5`:                           "",
		`facts.lines[0].qty > 5`:                                "",
		`facts.lines[0].quantity > 5`:                           "facts.lines[…].quantity isn't in the schema",
		`facts.lines.exists(l, l.qty > 5)`:                      "",
		`facts.lines.exists(l, l.quantity > 5)`:                 "l.quantity isn't in the schema",
		`facts.lines.exists(l, l.sku > 5)`:                      "a string is compared with a number, which is never decided",
		`facts.lines.all(l, documents.exists(l, l.sku == "x"))`: "l.sku isn't in the schema",
		`facts.lines.all(l, documents.exists(d, l.sku == "x"))`: "",
		`facts.lines.map(l, l.qty).exists(l, l > 5)`:            "",
		`documents.exists(d, d.type == "x")`:                    "",
		`documents.exists(d, d.typ == "x")`:                     "d.typ isn't in the schema",
		`documents[0].typ == "x"`:                               "documents[…].typ isn't in the schema",
		`size(documents) > 1 && as_of > "2026-01-01"`:           "",
		`sources.carrier.weight > 5`:                            "",
		`sources.carrier.wait > 5`:                              "sources.carrier.wait isn't in the schema",
		`sources.exists(s, sources[s].anything == 1)`:           "",
		`as_of > 5`:                     "found no matching overload for '_>_' applied to '(string, int)'",
		`domain == "x"`:                 "domain isn't in the schema",
		`gone.exists(g, g.type == "x")`: "gone isn't in the schema",
		`facts.count / facts.value > 1.0 && facts.count in [1]`:  "",
		`facts.country == "x" && facts.exists(f, f == "secret")`: "facts can't be read as a whole, since its entries are declared: name the one that counts",
	} {
		prog, issues := env.Compile(text, expr.Boolean)
		var got []string
		for _, i := range issues {
			got = append(got, i.Message)
		}
		if all := strings.Join(got, "; "); all != want || (prog == nil) != (want != "") {
			t.Errorf("%s\ngot  %q\nwant %q", text, all, want)
		}
	}
}

func TestANumberIsWantedAndGiven(t *testing.T) {
	env := caseEnv(t)
	values := vars{
		"facts": map[string]any{"value": 2.5, "count": int64(7), "country": "DE", "any": "text", "lines": []any{}},
		"as_of": "2026-11-30",
	}
	for text, want := range map[string]any{
		"facts.value":                       2.5,
		"facts.count":                       int64(7),
		"facts.value + facts.count":         9.5,
		"size(facts.lines)":                 int64(0),
		"5u":                                int64(5),
		"facts.count > 5 ? 1 : 2":           int64(1),
		"facts.any":                         nil,
		"facts.address.city.size()":         nil,
		"18446744073709551615u":             nil,
		"double(\"NaN\")":                   nil,
		"1e308 * facts.value * 1e10":        nil,
		"facts.count / (facts.count - 7)":   nil,
		"facts.any == \"text\" ? 1.0 : 2.5": 1.0,
	} {
		prog, issues := env.Compile(text, expr.Number)
		if issues != nil {
			t.Errorf("%s: %v", text, issues)
			continue
		}
		got, err := prog.Number(values)
		if got != want || (err == nil) != (want != nil) {
			t.Errorf("%s is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"facts.country", `"5"`, "true", "[1]", "facts.address", "as_of", "facts.value > 1"} {
		if prog, issues := env.Compile(text, expr.Number); prog != nil || len(issues) == 0 {
			t.Errorf("%s is taken for a number", text)
		}
	}
	for _, text := range []string{"facts.value", "facts.count", "1"} {
		if prog, _ := env.Compile(text, expr.Text); prog != nil {
			t.Errorf("%s is taken for a text", text)
		}
	}
}

func TestAnAbsentTextOrListIsUnknown(t *testing.T) {
	env := caseEnv(t)
	for _, text := range []string{`as_of > "2026-01-01"`, `size(documents) == 0`, `documents.all(d, d.type == "x")`, `!(as_of == "")`} {
		prog, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Fatal(issues)
		}
		if got, err := prog.Bool(vars{}); err == nil {
			t.Errorf("%s is %v", text, got)
		}
	}
}

func TestRange(t *testing.T) {
	env := caseEnv(t)
	for text, bounded := range map[string]bool{"facts.value": true, `facts["value"]`: true, "facts.count": false, "facts.value + 1.0": false, "5": false, "facts.any": false} {
		prog, issues := env.Compile(text, expr.Number)
		if issues != nil {
			t.Fatal(issues)
		}
		lo, hi, ok := prog.Range()
		if ok != bounded || ok && (lo != 0 || hi != 100) {
			t.Errorf("%s is from %v to %v, %v", text, lo, hi, ok)
		}
	}
}

func TestOutcomes(t *testing.T) {
	env := caseEnv(t)
	for text, want := range map[string]string{
		`"A"`: "A all",
		`facts.count > 1 ? "A" : facts.count > 0 ? "B" : "C"`: "A B C all",
		`facts.count > 1 ? "A" : facts.country`:               "A",
		`"A" + "B"`:                                           "",
		`facts.country`:                                       "",
	} {
		prog, issues := env.Compile(text, expr.Text)
		if issues != nil {
			t.Fatal(issues)
		}
		texts, all := prog.Outcomes()
		if all {
			texts = append(texts, "all")
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("%s gives %q, want %q", text, got, want)
		}
	}
}

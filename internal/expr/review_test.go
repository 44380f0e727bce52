package expr_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/expr"
)

// A walk over a map goes by the order of its keys: the same expression over the
// same values is always the same, to the letter.
func TestWalksOverMapsAreInOrder(t *testing.T) {
	env := newEnv(t)
	big := map[string]any{}
	for i := range 50 {
		big[fmt.Sprintf("k%02d", i)] = int64(i)
	}
	v := vars{
		"scores": map[string]float64{"b": 0.1, "a": 0.9, "c": 0.5},
		"meta": map[string]any{
			"m": map[string]any{"x": int64(1), "y": int64(2)}, "n": map[string]any{"x": nil, "y": "s"}, "big": big, "k": "q",
			"deep": []any{map[string]any{"o": map[string]any{"b": int64(2), "a": int64(1)}}}, "go": map[string]int{"b": 2, "a": 1},
		},
	}
	for text, want := range map[string]string{
		`meta.m.map(k, k)[0] == "x"`:                            "true",
		`meta.big.map(k, k)[49] == "k49"`:                       "true",
		`meta.deep[0].o.map(k, k) == ["a", "b"]`:                "true",
		`meta.go.map(k, k) == ["a", "b"]`:                       "true",
		`scores.map(k, k) == ["a", "b", "c"]`:                   "true",
		`meta.filter(k, k < "e") == ["big", "deep"]`:            "true",
		`{3: 1, 1: 1, 2: 1}.map(k, k) == [1, 2, 3]`:             "true",
		`{"b": 1, "a": 1, true: 1, 1.5: 1}.map(k, k)[0] == 1.5`: "true",
		`scores.exists(k, scores[k] < 0.2)`:                     "true",
		`meta.k in {1: true, "z": true}`:                        "unknown",
		`meta.k in {"q": true, "z": true}`:                      "true",
		`meta.k in {"y": true}`:                                 "false",
		`meta.n == {"x": 1, "y": 2}`:                            "unknown",
		`meta.m == {"y": 2, "x": 1}`:                            "true",
	} {
		p, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Fatal(text, issues)
		}
		first := ""
		for range 100 {
			ok, err := p.Bool(v)
			got := fmt.Sprint(ok, err)
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("%s: once %s, once %s", text, first, got)
				break
			}
		}
		if got := eval(t, env, text, v); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// has() asks whether an object has a member; of what is no object nobody knows.
func TestHasOfNoObjectIsUnknown(t *testing.T) {
	env := newEnv(t)
	for name, order := range map[string]any{"text": "1000", "number": int64(5), "boolean": true, "null": nil, "list": []any{int64(1)}} {
		v := vars{"meta": map[string]any{"order": order, "l": []any{order}}}
		for _, text := range []string{
			"has(meta.order.amount)", "has(meta.order.amount) && meta.order.amount > 500", "!has(meta.order.amount)", "has(meta.order.a.b)",
			"meta.l.exists(i, has(i.amount) && i.amount > 500)", "meta.l.all(i, !has(i.amount))", "has(meta.missing.amount)",
		} {
			if got := eval(t, env, text, v); got != "unknown" {
				t.Errorf("%s: %s is %s, want unknown", name, text, got)
			}
		}
	}
	v := vars{"meta": map[string]any{"order": map[string]any{"x": int64(6)}}}
	for text, want := range map[string]string{"has(meta.order.amount)": "false", "has(meta.order.x) && meta.order.x > 5": "true", "has(meta.none)": "false"} {
		if got := eval(t, env, text, v); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// What JSON doesn't have is never compared as if it were something else.
func TestGoKindsThatJSONLacksAreUnknown(t *testing.T) {
	env := newEnv(t)
	type country string
	text := "XX"
	for name, odd := range map[string]any{
		"a named string": country("XX"), "a pointer": &text, "a struct": struct{ A string }{"XX"}, "a function": func() {}, "a channel": make(chan int),
		"a complex number": 1i, "an infinity": math.Inf(1), "a named number": countryNumber(5),
	} {
		for _, v := range []vars{{"meta": map[string]any{"k": odd}}, {"meta": map[string]any{"k": []any{odd}}}, {"meta": map[string]any{"k": map[string]any{"a": odd}}}} {
			for _, text := range []string{
				`meta.k == "XX"`, `meta.k[0] == "XX"`, `meta.k.a == "XX"`, `meta.k in ["XX"]`, `meta.k == ["YY"]`, `meta.k == {"a": "YY"}`, `meta.k > 5`, `meta.k[0] > 5`, `meta.k.a > 5`,
			} {
				if got := eval(t, env, text, v); got == "true" || got == "false" {
					// A list of one and an object of one are no texts, and each other's.
					t.Errorf("%s in %v: %s is %s, want unknown", name, v, text, got)
				}
			}
		}
	}
}

type countryNumber int

// Messages go into decisions that many may read: they never quote the input.
func TestReasonsNeverQuoteTheInput(t *testing.T) {
	env := newEnv(t)
	const secret = "hunter2("
	v := vars{"flags": []string{secret}, "scores": map[string]float64{secret: 1}, "meta": map[string]any{
		"s": secret, "k": secret, "n": int64(4711), "f": 4711.5, "l": []any{secret}, "m": map[string]any{secret: secret}, "odd": struct{ S string }{secret},
	}}
	for _, text := range []string{
		`meta[meta.k] > 5`, `timestamp(meta.s) > timestamp("2026-01-01T00:00:00Z")`, `duration(meta.s) > duration("1s")`, `"a".matches(meta.s)`, `meta.s.matches(meta.k)`,
		`int(meta.s) > 1`, `double(meta.s) > 1.0`, `uint(meta.s) > 1u`, `bool(meta.s)`, `meta.l[meta.n] == ""`, `meta.l[meta.s] == ""`, `meta.m[meta.s + "x"] == ""`,
		`meta.odd == 1`, `meta.s.size() > meta.l`, `scores[meta.s + "y"] > 0.5`, `meta.s + meta.n > 1`, `meta.n / (meta.n - meta.n) > 1`, `flags[meta.n] == ""`, `meta.s`, `meta.s ? true : false`,
		`meta.s.getFullYear() > 1`, `string(meta.l) == ""`, `dyn(meta.m).nothing == 1`,
	} {
		p, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Errorf("%s: %v", text, issues)
			continue
		}
		_, err := p.Bool(v)
		if err == nil {
			t.Errorf("%s is known", text)
		} else if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "4711") {
			t.Errorf("%s: %v", text, err)
		}
	}
	// What stands in the policy may be said.
	p, _ := env.Compile("meta.nothing > 5", expr.Boolean)
	if _, err := p.Bool(v); err == nil || err.Error() != "no such key: nothing" {
		t.Errorf("meta.nothing > 5: %v", err)
	}
}

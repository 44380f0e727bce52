package expr_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/expr"
)

// vars is the scope of these tests: whatever is in the map.
type vars map[string]any

func (v vars) Lookup(name string) (any, bool) { x, ok := v[name]; return x, ok }

func newEnv(t testing.TB) *expr.Env {
	t.Helper()
	env, err := expr.NewEnv(
		expr.Var{Name: "score", Shape: expr.NumberVar},
		expr.Var{Name: "scores", Shape: expr.MapVar, Elem: expr.Number},
		expr.Var{Name: "flags", Shape: expr.StringsVar},
		expr.Var{Name: "meta", Shape: expr.MapVar},
	)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// one of each kind of value that an input can hold
var samples = map[string]any{
	"int":    int64(5),
	"double": 2.5,
	"nan":    math.NaN(),
	"nul":    nil,
	"text":   "5",
	"bool":   true,
	"list":   []any{int64(5)},
	"map":    map[string]any{"5": int64(5)},
}

var sampleVars = vars{
	"score": 0.5, "scores": map[string]float64{"a": 0.9, "nan": math.NaN()},
	"flags": []string{"vip"}, "meta": samples,
}

// eval returns "true", "false" or "unknown".
func eval(t testing.TB, env *expr.Env, text string, v vars) string {
	t.Helper()
	p, issues := env.Compile(text, expr.Boolean)
	if issues != nil {
		return "invalid"
	}
	ok, err := p.Bool(v)
	if err != nil {
		return "unknown"
	}
	return fmt.Sprint(ok)
}

var kinds = []string{"int", "double", "nan", "nul", "text", "bool", "list", "map", "missing"}

// numeric kinds may be compared with each other; every other kind only with
// itself; nan, null and missing with nothing.
func comparable(l, r string) bool {
	number := map[string]bool{"int": true, "double": true}
	none := map[string]bool{"nan": true, "nul": true, "missing": true}
	if none[l] || none[r] {
		return false
	}
	return l == r || number[l] && number[r]
}

func TestEveryOperatorOnEveryPairOfKinds(t *testing.T) {
	env := newEnv(t)
	ordered := map[string]bool{"int": true, "double": true, "text": true, "bool": true}
	calculable := map[string]map[string]bool{
		"+": {"int": true, "double": true, "text": true, "list": true},
		"-": {"int": true, "double": true},
		"*": {"int": true, "double": true},
		"/": {"int": true, "double": true},
	}
	for _, l := range kinds {
		for _, r := range kinds {
			for _, op := range []string{"==", "!=", "<", "<=", ">", ">="} {
				text := fmt.Sprintf("meta.%s %s meta.%s", l, op, r)
				got := eval(t, env, text, sampleVars)
				known := comparable(l, r) && (op == "==" || op == "!=" || ordered[l])
				if known == (got == "unknown") || got == "invalid" {
					t.Errorf("%s is %s; should it be known: %v", text, got, known)
				}
				// The same under every connective that could swallow an error.
				if !known {
					for _, around := range []string{
						"!(%s)", "(%s) && true", "true && (%s)", "(%s) || false", "false || (%s)",
						"(%s) ? true : false", "(%s) ? false : true", "[1].all(x, %s)", "[1].exists(x, %s)", "[1].exists_one(x, %s)",
						"[1].filter(x, %s).size() == 0", "[1].map(x, %s).size() == 1",
					} {
						if got := eval(t, env, fmt.Sprintf(around, text), sampleVars); got != "unknown" {
							t.Errorf("%s is %s, want unknown", fmt.Sprintf(around, text), got)
						}
					}
				}
			}
			for op, kinds := range calculable {
				text := fmt.Sprintf("meta.%s %s meta.%s == meta.%s %s meta.%s", l, op, r, l, op, r)
				known := comparable(l, r) && kinds[l]
				if got := eval(t, env, text, sampleVars); known == (got == "unknown") || got == "invalid" {
					t.Errorf("%s is %s; should it be known: %v", text, got, known)
				}
			}
			text := fmt.Sprintf("meta.%s in [meta.%s]", l, r)
			if got := eval(t, env, text, sampleVars); comparable(l, r) == (got == "unknown") || got == "invalid" {
				t.Errorf("%s is %s; should it be known: %v", text, got, comparable(l, r))
			}
		}
	}
}

func TestThreeValuedLogic(t *testing.T) {
	env := newEnv(t)
	unknown := "meta.missing > 0"
	for text, want := range map[string]string{
		unknown + " || true":                          "true",
		"true || " + unknown:                          "true",
		unknown + " && false":                         "false",
		"false && " + unknown:                         "false",
		unknown + " || " + unknown:                    "unknown",
		"true ? true : " + unknown:                    "true",
		"false ? true : " + unknown:                   "unknown",
		"[1, 2].exists(x, x == 2)":                    "true",
		"[1, 2].exists(x, " + unknown + " || x == 2)": "true",
		"[1, 2].all(x, " + unknown + " && x == 1)":    "false",
	} {
		if got := eval(t, env, text, sampleVars); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestWhatPlainCELGetsWrong(t *testing.T) {
	env := newEnv(t)
	for _, text := range []string{
		"scores.nan > 0.5", "scores.nan < 0.5", "scores.nan == scores.nan", "scores.nan != 0.5",
		`meta.text == 5`, `meta.bool == "true"`, `meta.nul == "IR"`, `meta.nul != "IR"`,
		`meta.int in ["US"]`, `meta.nul in ["US"]`, `meta.nan in [1.0]`, `meta.missing in ["US"]`,
		`meta.text in ["5", 5]`, `!(meta.int in ["US"])`, `meta.int in meta.map`, `meta.nul in meta.map`,
		`meta.list == [meta.nul]`, `[meta.nan] == [meta.nan]`, `{"a": meta.nul} == {"a": meta.nul}`,
		`meta.int / 0 > 1`, `meta.double / 0 > 1`, `meta.double * 1e308 * 1e308 > 1.0`, `meta.int % 0 == 1`,
		`9223372036854775807 + meta.int > 0`, `meta.text`, `meta.nul`, `size(meta.int) == 1`, `meta.text.a == 1`,
	} {
		if got := eval(t, env, text, sampleVars); got != "unknown" {
			t.Errorf("%s is %s, want unknown", text, got)
		}
	}
}

func TestLiteralNull(t *testing.T) {
	env := newEnv(t)
	for text, want := range map[string]string{
		"meta.nul == null": "true", "null == meta.nul": "true", "meta.nul != null": "false",
		"meta.int == null": "false", "meta.int != null": "true", "meta.text != null": "true",
		"meta.missing == null": "unknown", "has(meta.missing)": "false", "has(meta.nul)": "true",
		"has(meta.int) && meta.int > 4": "true", "has(meta.missing) && meta.missing > 4": "false",
		`"int" in meta`: "true", `"missing" in meta`: "false", "meta.list == null": "false",
	} {
		if got := eval(t, env, text, sampleVars); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestNumbersAreOneKindAndExact(t *testing.T) {
	env := newEnv(t)
	v := vars{"meta": map[string]any{
		"big": int64(1<<53 + 1), "bigf": float64(1 << 53), "max": int64(math.MaxInt64), "maxf": float64(1 << 63),
		"min": int64(math.MinInt64), "minf": -float64(1 << 63), "five": int64(5), "half": 0.5, "negzero": math.Copysign(0, -1),
		"u": uint64(math.MaxUint64),
	}}
	for text, want := range map[string]string{
		"meta.big > meta.bigf": "true", "meta.big == meta.bigf": "false", "meta.bigf < meta.big": "true",
		"meta.max < meta.maxf": "true", "meta.maxf > meta.max": "true", "meta.min == meta.minf": "true", "meta.min >= meta.minf": "true",
		"meta.five == 5.0": "true", "meta.five > 4.5": "true", "meta.five * meta.half == 2.5": "true", "meta.half * 2 == 1": "true",
		"2 * meta.half == 1.0": "true", "meta.five - meta.half > 4": "true", "meta.five / 2 == 2": "true", "meta.five / 2.0 == 2.5": "true",
		"meta.negzero == 0": "true", "meta.big * 1.5 > 0.0": "unknown", "2 * 1.5 == 3.0": "true", "meta.five in [1.0, 5.0]": "true",
		"meta.u > meta.max": "true", "meta.u > meta.half": "true", "meta.u + meta.five > 0": "unknown",
	} {
		if got := eval(t, env, text, v); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestErrorsNeverNameValues(t *testing.T) {
	env := newEnv(t)
	v := vars{"meta": map[string]any{"secret": "hunter2", "n": int64(4711), "odd": struct{ S string }{"hunter2"}, "odds": []any{struct{ S string }{"hunter2"}}}}
	for _, text := range []string{"meta.odd == 1", "has(meta.odd) && meta.odd > 1", "meta.odds[0] == 1", "1 in meta.odds", "meta.odds == [1]", "meta.secret > 5", "meta.secret in [1]", "meta.n + meta.secret > 1", "meta.secret", "meta.n in meta", "meta.secret == meta.n"} {
		p, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Fatal(text, issues)
		}
		_, err := p.Bool(v)
		if err == nil {
			t.Errorf("%s is known", text)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "4711") {
			t.Errorf("%s: the error names a value: %v", text, err)
		}
	}
}

func TestCostIsBounded(t *testing.T) {
	env := newEnv(t)
	big := make([]any, 5000)
	for i := range big {
		big[i] = int64(i)
	}
	p, issues := env.Compile("meta.l.all(x, meta.l.exists(y, x < y + 1 && y > -1 && x > -2))", expr.Boolean)
	if issues != nil {
		t.Fatal(issues)
	}
	if _, err := p.Bool(vars{"meta": map[string]any{"l": big}}); err == nil || !strings.Contains(err.Error(), "cost limit") {
		t.Errorf("got %v, want the cost limit", err)
	}
}

func TestStaticIssues(t *testing.T) {
	env, err := expr.NewEnv(
		expr.Var{Name: "scores", Shape: expr.MapVar, Elem: expr.Number, Unknown: "isn't declared", Fields: map[string]expr.Field{"a": {Kind: expr.Number}}},
		expr.Var{Name: "flags", Shape: expr.StringsVar, Unknown: "isn't declared", Fields: map[string]expr.Field{"vip": {}}},
		expr.Var{Name: "meta", Shape: expr.MapVar, Unknown: "isn't declared", Fields: map[string]expr.Field{
			"amount": {Kind: expr.Number, Bounded: true, Min: 0, Max: 100}, "country": {Kind: expr.Text}, "ok": {Kind: expr.Boolean},
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`meta.amuont > 5`:                                        "1:5: meta.amuont isn't declared",
		`meta["amuont"] > 5`:                                     "meta.amuont isn't declared",
		`meta.exists(k, k == "amount")`:                          "meta can't be read as a whole",
		`meta["am" + "ount"] > 5`:                                "meta can't be read as a whole",
		`flags.exists(f, f.startsWith("v"))`:                     "flags can't be read as a whole",
		`scores.all(k, scores[k] > 0.5)`:                         "scores can't be read as a whole",
		`["a"].exists(meta, has(.meta.ok))`:                      "a macro's variable can't be called meta",
		`google.protobuf.BoolValue{value: has(meta.ok)} == true`: "only lists, maps, calls",
		`has(.meta.amuont)`:                                      "meta.amuont isn't declared",
		`has(meta.amuont)`:                                       "meta.amuont isn't declared",
		`"amuont" in meta`:                                       "meta.amuont isn't declared",
		`"vpi" in flags`:                                         `flag "vpi" isn't declared`,
		`scores.b < 0.5`:                                         "scores.b isn't declared",
		`meta.country > 5`:                                       "a string is compared with a number",
		`meta.country in [1, 2]`:                                 "a string is compared with a number",
		`meta.country == true`:                                   "a string is compared with a boolean",
		`meta.amount + meta.country > 5`:                         "a number is calculated with a string",
		`meta.country`:                                           "the expression is a string, not a boolean",
		`!meta.country`:                                          "a string stands where a boolean is needed",
		`meta.amount`:                                            "the expression is a number, not a boolean",
		`5`:                                                      "the expression is int, not a boolean",
		`nosuch > 5`:                                             "undeclared reference",
		`meta.amount >`:                                          "Syntax error",
		`meta.amount > 5 &&`:                                     "Syntax error",
		`1 > "a"`:                                                "no matching overload",
		`meta.country.matches("(")`:                              "invalid matches argument",
		strings.Repeat("(", 5000):                                "",
	} {
		p, issues := env.Compile(text, expr.Boolean)
		if p != nil || len(issues) == 0 {
			t.Errorf("%.40s: accepted", text)
			continue
		}
		if got := fmt.Sprintf("%d:%d: %s", issues[0].Line, issues[0].Col, issues[0].Message); !strings.Contains(got, want) {
			t.Errorf("%.40s: got %q, want %q in it", text, got, want)
		}
	}
	for _, text := range []string{`meta.ok`, `!meta.ok`, `meta.amount > 5 && meta.country in ["DE"]`, `meta.country != null`, `"vip" in flags`, `meta.amount * 2 > 5`} {
		if _, issues := env.Compile(text, expr.Boolean); issues != nil {
			t.Errorf("%s: %v", text, issues)
		}
	}
	for text, want := range map[string]bool{
		"meta.amount > 100": false, "meta.amount >= 100": true, "meta.amount < 0": false, "meta.amount <= 0": true, "-1 > meta.amount": false,
		"meta.amount == 101": false, "meta.amount == 100": true, "meta.amount != 5": true, "!(meta.amount <= 100)": false,
		"meta.amount > 50 && meta.amount < 40": false, "meta.amount > 50 || meta.amount > 200": true, "meta.amount > 150 || meta.amount > 200": false,
		"meta.amount > 50 && meta.amount <= 50": false, "meta.amount >= 50 && meta.amount <= 50": true, "false": false, "true": true, "false || false": false,
		"meta.ok": true, `meta.country == "DE"`: true, "meta.amount == 5 && meta.amount == 6": false, "meta.amount == 5 && meta.amount != 5": false,
		"!(meta.amount > 50 || meta.amount < 60)": false, "meta.amount > 50 && !(meta.amount < 40)": true, "meta.amount * 2 > 500": true,
	} {
		p, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Fatal(text, issues)
		}
		if got := p.CanBeTrue(); got != want {
			t.Errorf("%s: CanBeTrue is %v", text, got)
		}
	}
}

// A kept list of strings is a list like any other.
func TestStringsIsAList(t *testing.T) {
	env := newEnv(t)
	texts := []string{
		`"a" in flags`, `"c" in flags`, `5 in flags`, `null in flags`, `flags.size() == 2`, `size(flags) > 1`, `flags[1] == "b"`, `flags[2] == "b"`, `flags[meta.i] == "b"`,
		`flags == ["a", "b"]`, `["a", "b"] == flags`, `flags == flags`, `flags != ["b"]`, `flags + ["c"] == ["a", "b", "c"]`, `flags + flags == ["a", "b", "a", "b"]`,
		`flags.exists(f, f == "b")`, `flags.all(f, f < "b")`, `flags.map(f, f + "x") == ["ax", "bx"]`, `flags.filter(f, f != "a") == ["b"]`, `type(flags) == list`,
		`flags == 5`, `dyn(flags) == dyn("a")`, `meta.l == flags`, `flags in [flags]`, `string(flags) == ""`,
	}
	for _, list := range [][]string{{"a", "b"}, {}, nil, {"b"}} {
		plain := vars{"flags": list, "meta": map[string]any{"i": int64(1), "l": []any{"a", "b"}}}
		kept := vars{"flags": &expr.Strings{List: list}, "meta": plain["meta"]}
		for _, text := range texts {
			if got, want := eval(t, env, text, kept), eval(t, env, text, plain); got != want {
				t.Errorf("%v: %s is %s, of a plain list %s", list, text, got, want)
			}
		}
	}
}

func TestReads(t *testing.T) {
	env := newEnv(t)
	for text, want := range map[string]string{
		`meta.amount > 5 && "vip" in flags || scores.a < score`: `[meta.amount "vip" in flags scores.a score]`,
		`has(meta.x) && meta["y"] == 1 && "z" in meta`:          `[meta.x meta.y meta.z]`,
		`meta.exists(k, k == "a") || flags.size() > 1`:          `[meta flags]`,
		`meta[meta.k] == 1`: `[meta meta.k]`,
		`meta.a.b.c == 1`:   `[meta.a]`,
	} {
		p, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Fatal(text, issues)
		}
		if got := fmt.Sprint(p.Reads()); got != want {
			t.Errorf("%s reads %s, want %s", text, got, want)
		}
	}
}

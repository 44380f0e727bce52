package expr_test

import (
	"math"
	"sync"
	"testing"

	"github.com/pawlgate/pawl/internal/expr"
)

// oddVars are values that an input can hold and some that only Go can make.
var oddVars = []vars{
	{},
	sampleVars,
	{"score": math.Inf(1), "scores": map[string]float64{}, "flags": []string(nil), "meta": map[string]any{}},
	{"score": int64(math.MinInt64), "scores": nil, "flags": []any{nil, int64(1)}, "meta": map[string]any{
		"a": map[string]any{"b": []any{map[string]any{"c": nil}, math.NaN(), "\xff"}}, "int": uint64(math.MaxUint64), "text": "", "list": []any{}, "x": make(chan int),
	}},
}

// Whatever somebody writes into a policy, compiling it doesn't panic, and what
// compiles gives one answer.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		"", "true", "meta.int > 5", `meta["text"] == "5" || !("vip" in flags)`, "score < 0.5 ? true : meta.bool", "meta.list.all(x, x > 1 && meta.int < x)",
		`meta.text.matches("^[0-9]+$")`, "scores.nan == scores.a", "has(meta.a.b) && meta.a.b[0].c == null", "1 / 0 == 1 || 1 % 0 == 1", "9223372036854775807 + 1 > 0",
		`timestamp("2020-01-01T00:00:00Z") < timestamp("2021-01-01T00:00:00Z")`, `duration("1h") > duration("1m")`, "[1, 'a', null] == meta.list", `{"a": 1} == meta.map`,
		"b'x' == b'\\xff'", "1u + 2 == 3", "size(meta) > 2", "meta.exists_one(k, k == 'int')", "type(meta.int) == int", "dyn(1) == 1.0", "string(meta.double) == '2.5'", "((((((", "meta.int in [1, 2u, 3.0]",
		"meta.map(k, meta[k]).exists(v, v == 5)", "-meta.int < 0", "-(-9223372036854775808) > 0", "int(score * 1e300) > 0", "'é'.size() == 1", "\"\\u0000\" in flags",
	} {
		f.Add(s)
	}
	env := newEnv(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, want := range []expr.Kind{expr.Boolean, expr.Text} {
			p, issues := env.Compile(text, want)
			if (p == nil) == (len(issues) == 0) {
				t.Fatalf("a program: %v, and issues: %v", p != nil, issues)
			}
			for _, i := range issues {
				if i.Message == "" || i.Line < 0 || i.Col < 0 {
					t.Errorf("an odd issue: %+v", i)
				}
			}
			if p == nil {
				continue
			}
			p.CanBeTrue()
			for _, r := range p.Reads() {
				_ = r.String()
			}
			for i, v := range oddVars {
				a1, err1 := answer(p, v, want)
				a2, err2 := answer(p, v, want)
				if a1 != a2 || (err1 == nil) != (err2 == nil) {
					t.Errorf("variables %d: %v (%v), then %v (%v)", i, a1, err1, a2, err2)
				}
				if err1 != nil && a1 != false && a1 != "" {
					t.Errorf("variables %d: unknown, and yet %v", i, a1)
				}
			}
		}
	})
}

func answer(p *expr.Program, v vars, want expr.Kind) (any, error) {
	if want == expr.Text {
		return p.Text(v)
	}
	return p.Bool(v)
}

// One program serves many goroutines.
func TestProgramIsSafeForConcurrentUse(t *testing.T) {
	p, issues := newEnv(t).Compile(`meta.int == 5 && "vip" in flags && scores.a > score`, expr.Boolean)
	if issues != nil {
		t.Fatal(issues)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for range 200 {
				v := vars{"score": float64(g), "scores": map[string]float64{"a": 3.5}, "flags": []string{"vip"}, "meta": map[string]any{"int": int64(5)}}
				if holds, err := p.Bool(v); err != nil || holds != (g < 4) {
					t.Errorf("goroutine %d: %v, %v", g, holds, err)
				}
			}
		})
	}
	wg.Wait()
}

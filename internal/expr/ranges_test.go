package expr_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/expr"
	"pgregory.net/rapid"
)

// rangedEnv declares a number, an integer and a score with ranges.
func rangedEnv(t testing.TB) *expr.Env {
	t.Helper()
	env, err := expr.NewEnv(
		expr.Var{Name: "meta", Shape: expr.MapVar, Fields: map[string]expr.Field{
			"x": {Kind: expr.Number, Bounded: true, Min: -2, Max: 3},
			"i": {Kind: expr.Integer, Bounded: true, Min: 0, Max: 4},
			"u": {Kind: expr.Number},
			"s": {Kind: expr.Text},
		}},
		expr.Var{Name: "scores", Shape: expr.MapVar, Elem: expr.Number, Fields: map[string]expr.Field{
			"a": {Kind: expr.Number, Bounded: true, Min: 0, Max: 1},
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// The bounds, what lies beside them, and what lies between.
var (
	constants = []string{"-3", "-2", "-2.0", "-1", "-0.0", "0", "0.5", "1", "1.0", "1.5", "2", "3", "3.0", "4", "5", "9007199254740993", "1e300"}
	xs        = []float64{-2, -1.5, -1, math.Copysign(0, -1), 0, 0.5, 1, 1.5, 2, 2.5, 3}
	is        = []int64{0, 1, 2, 3, 4}
	us        = []float64{-1e300, -3, -2, -1, 0, 0.5, 1, 2, 5, 9007199254740992, 1e300, math.MaxFloat64}
	as        = []float64{0, 0.25, 0.5, 0.75, 1}
)

func drawComparison(t *rapid.T) string {
	number := func() string {
		return rapid.SampledFrom([]string{"meta.x", "meta.x", "meta.i", "meta.u", `meta["x"]`, "scores.a"}).Draw(t, "number")
	}
	op := rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "!="}).Draw(t, "op")
	switch rapid.IntRange(0, 9).Draw(t, "form") {
	case 0:
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
	case 1:
		return "meta.x " + op + " " + number()
	case 2:
		return number() + " * 2.0 " + op + " 1.0"
	case 3:
		n := number()
		return constantFor(t, n) + " " + op + " " + n
	case 4:
		return `meta.s == "a"`
	default:
		n := number()
		return n + " " + op + " " + constantFor(t, n)
	}
}

// constantFor writes a constant as a double where the type checker wants it: a
// score is one for certain, and CEL has no == between a double and an int.
func constantFor(t *rapid.T, number string) string {
	c := rapid.SampledFrom(constants).Draw(t, "constant")
	if strings.HasPrefix(number, "scores") && !strings.ContainsAny(c, ".e") {
		return c + ".0"
	}
	return c
}

func drawExpression(t *rapid.T, depth int) string {
	if depth == 0 {
		return drawComparison(t)
	}
	switch rapid.IntRange(0, 4).Draw(t, "node") {
	case 0:
		return "!(" + drawExpression(t, depth-1) + ")"
	case 1:
		return "(" + drawExpression(t, depth-1) + " && " + drawExpression(t, depth-1) + ")"
	case 2:
		return "(" + drawExpression(t, depth-1) + " || " + drawExpression(t, depth-1) + ")"
	case 3:
		return "(" + drawExpression(t, depth-1) + " ? " + drawExpression(t, depth-1) + " : " + drawExpression(t, depth-1) + ")"
	default:
		return drawComparison(t)
	}
}

// A warning "can never fire" that is wrong would make somebody delete a rule
// that matters.
func TestCanBeTrueIsSound(t *testing.T) {
	env := rangedEnv(t)
	never, checks := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawExpression(t, 3)
		p, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Fatalf("%s: %v", text, issues)
		}
		checks++
		if p.CanBeTrue() {
			return
		}
		never++
		for range 200 {
			v := vars{
				"meta": map[string]any{
					"x": rapid.SampledFrom(xs).Draw(t, "x"), "i": rapid.SampledFrom(is).Draw(t, "i"),
					"u": rapid.SampledFrom(us).Draw(t, "u"), "s": "a",
				},
				"scores": map[string]float64{"a": rapid.SampledFrom(as).Draw(t, "a")},
			}
			if holds, err := p.Bool(v); err == nil && holds {
				t.Fatalf("%s can never be true, it is said, but is for %v", text, v)
			}
		}
	})
	if never == 0 || never == checks {
		t.Errorf("%d of %d expressions can't be true: the property is empty", never, checks)
	}
}

// With one variable the proof is complete for plain comparisons: what can't be
// true is found.
func TestCanBeTrueFindsWhatIsNever(t *testing.T) {
	env := rangedEnv(t)
	for _, op := range []string{"<", "<=", ">", ">=", "==", "!="} {
		for _, c := range constants {
			if c == "9007199254740993" {
				continue // left alone: it isn't a float64
			}
			for _, text := range []string{"meta.x " + op + " " + c, "!(meta.x " + op + " " + c + ")"} {
				p, issues := env.Compile(text, expr.Boolean)
				if issues != nil {
					t.Fatal(text, issues)
				}
				possible := false
				f, err := strconv.ParseFloat(c, 64)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range []float64{-2, 3, f, math.Nextafter(f, -9), math.Nextafter(f, 9)} {
					if x >= -2 && x <= 3 {
						holds, err := p.Bool(vars{"meta": map[string]any{"x": x}})
						possible = possible || err == nil && holds
					}
				}
				if p.CanBeTrue() != possible {
					t.Errorf("%s: CanBeTrue is %v", text, p.CanBeTrue())
				}
			}
		}
	}
}

func TestCanBeTrueGivesUpOnWhatItCannotFollow(t *testing.T) {
	env := rangedEnv(t)
	for _, text := range []string{
		"meta.x > meta.u", "meta.x + 1.0 > 100.0", "meta.x > 100.0 ? true : true", "[1, 2].all(n, n > 5)", `meta.s in ["x"]`, "has(meta.x)",
		"meta.u > 1e300", "meta.i > 9007199254740993", fmt.Sprintf("(%s) || meta.x == 0.0", strings.Repeat("false || ", 20)+"false"),
	} {
		p, issues := env.Compile(text, expr.Boolean)
		if issues != nil {
			t.Fatal(text, issues)
		}
		if !p.CanBeTrue() {
			t.Errorf("%s: proved to be never true", text)
		}
	}
}

package threshold_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/threshold"
)

// problemPaths returns where Compile finds problems, in its order.
func problemPaths(t *testing.T, p threshold.Policy) (paths []string) {
	t.Helper()
	g, err := threshold.Compile(p)
	if err == nil {
		return nil
	}
	if g != nil {
		t.Error("an invalid policy has a gate")
	}
	var pe *threshold.PolicyError
	if !errors.As(err, &pe) || len(pe.Problems) == 0 {
		t.Fatalf("%T %v isn't a PolicyError with problems", err, err)
	}
	for _, problem := range pe.Problems {
		if problem.Message == "" || !strings.Contains(err.Error(), problem.Path+": "+problem.Message) {
			t.Errorf("%q isn't in the error, %v", problem, err)
		}
		paths = append(paths, problem.Path)
	}
	// Through Decide the same policy is a fault.
	d := threshold.Decide(threshold.Signals{Score: new(1.0)}, p)
	wantDecision(t, d, threshold.RouteToHuman, "policy_invalid")
	return paths
}

func TestCompileReportsEveryProblemWithItsPlace(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	flag := threshold.Flag("f")
	band := func(name string, highMin, reviewMin float64) threshold.Policy {
		return threshold.Policy{Bands: map[string]threshold.BandConfig{name: {HighMin: highMin, ReviewMin: reviewMin}}}
	}
	rules := func(rules ...threshold.Rule) threshold.Policy { return threshold.Policy{Rules: rules} }
	when := func(c threshold.Condition) threshold.Policy {
		return rules(threshold.Rule{ID: "r", When: c, Force: threshold.RouteToHuman, Reason: "r"})
	}
	risk := func(level threshold.RiskLevel, c threshold.Condition) threshold.Policy {
		return threshold.Policy{Risk: []threshold.Risk{{Level: level, When: c}}}
	}
	signal := func(name string, typ threshold.SignalType, r *threshold.Range) threshold.Policy {
		return threshold.Policy{Signals: map[string]threshold.Signal{name: {Type: typ, Range: r}}}
	}
	declared := func(p threshold.Policy) threshold.Policy {
		p.Signals = map[string]threshold.Signal{
			"s": {Type: threshold.TypeScore}, "f": {Type: threshold.TypeFlag}, "n": {Type: threshold.TypeNumber},
			"i": {Type: threshold.TypeInteger}, "t": {Type: threshold.TypeString}, "b": {Type: threshold.TypeBoolean},
		}
		return p
	}
	none := func(p threshold.Policy) threshold.Policy {
		p.Signals = map[string]threshold.Signal{}
		return p
	}
	for _, c := range []struct {
		name   string
		policy threshold.Policy
		paths  []string
	}{
		{"zero", threshold.Policy{}, nil},
		{"equal bounds", band("s", 0.5, 0.5), nil},
		{"unordered bounds", band("s", 0.5, 0.6), []string{"/bands/s"}},
		{"bounds one ulp apart", band("s", 0.5, math.Nextafter(0.5, 1)), []string{"/bands/s"}},
		{"NaN highMin", band("s", nan, 0.6), []string{"/bands/s/highMin"}},
		{"NaN reviewMin", band("s", 0.5, nan), []string{"/bands/s/reviewMin"}},
		{"infinite highMin", band("s", inf, 0.6), []string{"/bands/s/highMin"}},
		{"infinite reviewMin", band("s", 0.5, -inf), []string{"/bands/s/reviewMin"}},
		{"two bad bounds", band("s", nan, inf), []string{"/bands/s/highMin", "/bands/s/reviewMin"}},
		{"odd name", band("a/b~c d", 1, 0), []string{"/bands/a~1b~0c d"}},
		{"empty name", band("", 1, 0), []string{"/bands/"}},
		{"digit first", band("1a", 1, 0), []string{"/bands/1a"}},
		{"other letters", band("é", 1, 0), []string{"/bands/é"}},
		{"new line", band("a\n", 1, 0), []string{"/bands/a\n"}},
		{"underscore and digits", band("_1Az", 1, 0), nil},

		{"nothing in a rule", rules(threshold.Rule{}), []string{"/rules/0/id", "/rules/0/force", "/rules/0/reason", "/rules/0/when"}},
		{"no id", rules(threshold.Rule{When: flag, Force: threshold.AutoReject, Reason: "r"}), []string{"/rules/0/id"}},
		{"same id", rules(
			threshold.Rule{ID: "r", When: flag, Force: threshold.AutoReject, Reason: "r"},
			threshold.Rule{ID: "q", When: flag, Force: threshold.AutoReject, Reason: "r"},
			threshold.Rule{ID: "r", When: flag, Force: threshold.AutoReject, Reason: "r"},
		), []string{"/rules/2/id"}},
		{"no force", rules(threshold.Rule{ID: "r", When: flag, Reason: "r"}), []string{"/rules/0/force"}},
		{
			"auto_apply forced", rules(threshold.Rule{ID: "r", When: flag, Force: threshold.AutoApply, Reason: "r"}),
			[]string{"/rules/0/force"},
		},
		{"other force", rules(threshold.Rule{ID: "r", When: flag, Force: "reject", Reason: "r"}), []string{"/rules/0/force"}},
		{"no reason", rules(threshold.Rule{ID: "r", When: flag, Force: threshold.AutoReject}), []string{"/rules/0/reason"}},
		{
			"blank reason", rules(threshold.Rule{ID: "r", When: flag, Force: threshold.AutoReject, Reason: " \t"}),
			[]string{"/rules/0/reason"},
		},
		{"no when", when(nil), []string{"/rules/0/when"}},
		{"nil Func", when(threshold.Func(nil)), []string{"/rules/0/when"}},
		{"nil Plain", when(threshold.Plain(nil)), []string{"/rules/0/when"}},
		{"rule over bands", when(threshold.RiskFunc(func(threshold.Signals, threshold.Bands) (bool, error) {
			return true, nil
		})), []string{"/rules/0/when"}},
		{"empty flag", when(threshold.Flag("")), []string{"/rules/0/when/flag"}},
		{"empty key", when(threshold.MetaNumberLessThan{Value: 1}), []string{"/rules/0/when/metaNumberLessThan"}},
		{
			"NaN value", when(threshold.MetaNumberLessThan{Key: "k", Value: nan}),
			[]string{"/rules/0/when/metaNumberLessThan/value"},
		},
		{"no score's name", when(threshold.ScoreBelow{Value: 1}), []string{"/rules/0/when/scoreBelow"}},
		{"odd score's name", when(threshold.ScoreBelow{Name: "a b"}), []string{"/rules/0/when/scoreBelow"}},
		{"infinite value", when(threshold.ScoreBelow{Name: "a", Value: inf}), []string{"/rules/0/when/scoreBelow/value"}},

		{"no level", risk("", flag), []string{"/risk/0/level"}},
		{"other level", risk("severe", flag), []string{"/risk/0/level"}},
		{"no risk condition", risk(threshold.RiskLow, nil), []string{"/risk/0/when"}},
		{"nil RiskFunc", risk(threshold.RiskLow, threshold.RiskFunc(nil)), []string{"/risk/0/when"}},
		{"bad risk condition", risk(threshold.RiskLow, threshold.Flag("")), []string{"/risk/0/when/flag"}},

		{"no type", signal("s", "", nil), []string{"/signals/s/type"}},
		{"other type", signal("s", "float", nil), []string{"/signals/s/type"}},
		{"odd signal name", signal("a-b", threshold.TypeString, nil), []string{"/signals/a-b"}},
		{"range of a string", signal("s", threshold.TypeString, &threshold.Range{}), []string{"/signals/s/range"}},
		{"range of a boolean", signal("s", threshold.TypeBoolean, &threshold.Range{}), []string{"/signals/s/range"}},
		{"range of a flag", signal("s", threshold.TypeFlag, &threshold.Range{}), []string{"/signals/s/range"}},
		{"unordered range", signal("s", threshold.TypeScore, &threshold.Range{Min: 1, Max: 0}), []string{"/signals/s/range"}},
		{"NaN in a range", signal("s", threshold.TypeNumber, &threshold.Range{Min: nan, Max: 0}), []string{"/signals/s/range"}},
		{"infinite range", signal("s", threshold.TypeInteger, &threshold.Range{Min: 0, Max: inf}), []string{"/signals/s/range"}},
		{"range of one number", signal("s", threshold.TypeInteger, &threshold.Range{Min: 1, Max: 1}), nil},

		{"declared band", declared(band("s", 1, 0)), nil},
		{"undeclared band", declared(band("u", 1, 0)), []string{"/bands/u"}},
		{"band of a number", declared(band("n", 1, 0)), []string{"/bands/n"}},
		{"declared flag", declared(when(flag)), nil},
		{"undeclared flag", declared(when(threshold.Flag("u"))), []string{"/rules/0/when/flag"}},
		{"string as flag", declared(when(threshold.Flag("t"))), []string{"/rules/0/when/flag"}},
		{"declared number", declared(when(threshold.MetaNumberLessThan{Key: "n"})), nil},
		{"declared integer", declared(when(threshold.MetaNumberLessThan{Key: "i"})), nil},
		{"undeclared number", declared(when(threshold.MetaNumberLessThan{Key: "u"})), []string{"/rules/0/when/metaNumberLessThan"}},
		{"boolean as number", declared(when(threshold.MetaNumberLessThan{Key: "b"})), []string{"/rules/0/when/metaNumberLessThan"}},
		{"score as number", declared(when(threshold.MetaNumberLessThan{Key: "s"})), []string{"/rules/0/when/metaNumberLessThan"}},
		{"declared score", declared(when(threshold.ScoreBelow{Name: "s"})), nil},
		{"undeclared score", declared(when(threshold.ScoreBelow{Name: "u"})), []string{"/rules/0/when/scoreBelow"}},
		{"number as score", declared(when(threshold.ScoreBelow{Name: "n"})), []string{"/rules/0/when/scoreBelow"}},
		{"undeclared in risk", declared(risk(threshold.RiskLow, threshold.Flag("u"))), []string{"/risk/0/when/flag"}},
		{"nothing declared at all", none(band("s", 1, 0)), []string{"/bands/s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.paths, problemPaths(t, c.policy)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompileReportsAllProblemsAtOnce(t *testing.T) {
	p := threshold.Policy{
		Bands: map[string]threshold.BandConfig{"b": {HighMin: 0, ReviewMin: 1}, "a": {HighMin: math.NaN()}},
		Rules: []threshold.Rule{
			{ID: "r", When: threshold.Flag("f"), Force: threshold.AutoReject, Reason: "r"},
			{ID: "r", When: threshold.ScoreBelow{Name: "a", Value: math.NaN()}, Force: threshold.AutoApply},
		},
		Risk: []threshold.Risk{{Level: "none"}},
		Signals: map[string]threshold.Signal{
			"f": {Type: threshold.TypeFlag}, "a": {Type: threshold.TypeScore}, "x": {Type: "x"},
		},
	}
	want := []string{
		"/signals/x/type", "/bands/a/highMin", "/bands/b", "/bands/b",
		"/rules/1/id", "/rules/1/force", "/rules/1/reason", "/rules/1/when/scoreBelow/value",
		"/risk/0/level", "/risk/0/when",
	}
	for range 10 { // maps don't change the order
		if diff := cmp.Diff(want, problemPaths(t, p)); diff != "" {
			t.Fatalf("problems (-want +got):\n%s", diff)
		}
	}
}

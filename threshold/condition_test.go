package threshold_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// truth is what a condition says.
type truth string

const (
	yes     truth = "true"
	no      truth = "false"
	unknown truth = "unknown"
)

func truthOf(holds bool, err error) truth {
	switch {
	case err != nil:
		return unknown
	case holds:
		return yes
	}
	return no
}

// checkTruth asks a condition itself, a gate by it and a gate by a closure.
func checkTruth(t *testing.T, c threshold.Condition, s threshold.Signals, want truth) {
	t.Helper()
	if got := truthOf(c.Holds(s)); got != want {
		t.Errorf("%#v.Holds = %s, want %s", c, got, want)
	}
	for _, when := range []threshold.Condition{c, threshold.Func(c.Holds)} {
		d := threshold.Decide(s, threshold.Policy{
			Rules: []threshold.Rule{{ID: "r", When: when, Force: threshold.AutoReject, Reason: "r"}},
		})
		got := no
		for _, r := range d.Reasons {
			switch r.String() {
			case "rule_auto_reject:r":
				got = yes
			case "rule_error:r":
				got = unknown
			}
		}
		if got != want {
			t.Errorf("as a rule %T %#v is %s, want %s", when, c, got, want)
		}
	}
}

func TestFlagIsExact(t *testing.T) {
	s := threshold.Signals{Flags: []string{"needs_human", "Ünïcode", ""}}
	for flag, want := range map[string]truth{
		"needs_human": yes, "Needs_human": no, "needs_huma": no, "needs_human ": no, "Ünïcode": yes, "other": no,
	} {
		checkTruth(t, threshold.Flag(flag), s, want)
	}
	checkTruth(t, threshold.Flag("f"), threshold.Signals{}, no)
}

func TestMetaNumberLessThanIsExactAndStrict(t *testing.T) {
	const max, min = int64(math.MaxInt64), int64(math.MinInt64)
	for _, c := range []struct {
		value any
		bound float64
		want  truth
	}{
		{1.0, 1, no},
		{math.Nextafter(1, 0), 1, yes},
		{1, 1, no},
		{0, 1, yes},
		{1, 1.5, yes},
		{2, 1.5, no},
		{-1, -1.5, no},
		{-2, -1.5, yes},
		{0, math.Copysign(0, -1), no},
		{0, math.SmallestNonzeroFloat64, yes},
		{math.Copysign(0, -1), 0, no},
		{int64(1<<53 + 1), 1 << 53, no},
		{int64(1<<53 + 1), 1<<53 + 2, yes}, // rounded to a float64 it would be equal or not below
		{int64(1 << 53), 1 << 53, no},
		{int64(1<<53 - 1), 1 << 53, yes},
		{int64(-1<<53 - 1), -1 << 53, yes}, // rounded, it would be equal
		{max, 1 << 63, yes},                // rounded, it would be equal
		{max, 1<<63 - 1024, no},
		{max - 1024, 1<<63 - 1024, yes},
		{max - 1023, 1<<63 - 1024, no},
		{max, 1e300, yes},
		{min, -1 << 63, no},
		{min, -1<<63 + 1024, yes},
		{min, -1e300, no},
		{min, math.Nextafter(-1<<63, math.Inf(-1)), no},
		{int8(-1), 0, yes},
		{int16(-1), 0, yes},
		{int32(-1), 0, yes},
		{uint(1), 2, yes},
		{uint8(255), 255, no},
		{uint16(1), 2, yes},
		{uint32(1), 2, yes},
		{uint64(max), 1 << 63, yes},
		{float32(0.5), 0.75, yes},
		{"0", 1, unknown},
		{nil, 1, unknown},
		{true, 1, unknown},
		{[]any{0.0}, 1, unknown},
		{[]string{}, 1, unknown},
		{map[string]any{}, 1, unknown},
		{struct{}{}, 1, unknown},
		{new(0.0), 1, unknown},
		{math.NaN(), 1, unknown},
		{math.Inf(-1), 1, unknown},
		{float32(math.Inf(1)), 1, unknown},
		{uint64(max) + 1, 1, unknown},
		{uint(math.MaxUint), 1, unknown},
	} {
		t.Run(fmt.Sprintf("%T %v below %v", c.value, c.value, c.bound), func(t *testing.T) {
			s := threshold.Signals{Meta: map[string]any{"k": c.value}}
			checkTruth(t, threshold.MetaNumberLessThan{Key: "k", Value: c.bound}, s, c.want)
		})
	}
	absent := threshold.Signals{Meta: map[string]any{"K": 0}}
	checkTruth(t, threshold.MetaNumberLessThan{Key: "k", Value: 1}, absent, unknown)
	checkTruth(t, threshold.MetaNumberLessThan{Key: "k", Value: 1}, threshold.Signals{}, unknown)
}

func TestScoreBelowLooksUpAsABandDoes(t *testing.T) {
	one, nan := 1.0, math.NaN()
	named := func(v float64) map[string]float64 { return map[string]float64{"score": v} }
	for _, c := range []struct {
		name    string
		signals threshold.Signals
		bound   float64
		want    truth
	}{
		{"strict", threshold.Signals{Score: &one}, 1, no},
		{"one ulp", threshold.Signals{Score: &one}, math.Nextafter(1, 2), yes},
		{"by name", threshold.Signals{Scores: named(1)}, 2, yes},
		{"agreeing", threshold.Signals{Score: &one, Scores: named(1)}, 2, yes},
		{"differing", threshold.Signals{Score: &one, Scores: named(0.5)}, 2, unknown},
		{"NaN beside a good one", threshold.Signals{Score: &nan, Scores: named(1)}, 2, unknown},
		{"a good one beside NaN", threshold.Signals{Score: &one, Scores: named(nan)}, 2, unknown},
		{"infinite", threshold.Signals{Scores: named(math.Inf(-1))}, 2, unknown},
		{"absent", threshold.Signals{Scores: map[string]float64{"draft": 0}}, 2, unknown},
		{
			"faulty for the decoder",
			threshold.Signals{Score: &one, Faults: []threshold.Fault{{Code: verdict.ScoreNotNumber, Subject: "score"}}},
			2, unknown,
		},
		{
			"another is faulty",
			threshold.Signals{Score: &one, Faults: []threshold.Fault{{Code: verdict.ScoreNotNumber, Subject: "draft"}}},
			2, yes,
		},
		{
			"a fault of another kind",
			threshold.Signals{Score: &one, Faults: []threshold.Fault{{Code: verdict.SignalType, Subject: "score"}}},
			2, yes,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkTruth(t, threshold.ScoreBelow{Name: "score", Value: c.bound}, c.signals, c.want)
		})
	}
	checkTruth(t, threshold.ScoreBelow{Name: "draft", Value: 2}, threshold.Signals{Score: &one}, unknown)

	// The gate knows of a declared range, too.
	p := both(0.9, 0.5)
	p.Signals = map[string]threshold.Signal{"score": {Type: threshold.TypeScore, Range: &threshold.Range{Min: 0, Max: 1}}}
	p.Rules = []threshold.Rule{{
		ID: "r", When: threshold.ScoreBelow{Name: "score", Value: 5}, Force: threshold.AutoReject, Reason: "low",
	}}
	wantDecision(t, threshold.Decide(score(2), p), threshold.RouteToHuman,
		"band_review:score", "score_out_of_range:score", "rule_error:r")
}

func TestConditionsWithoutAFiniteValueAreUnknown(t *testing.T) {
	s := threshold.Signals{Score: new(0.5), Meta: map[string]any{"k": 0.5}}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := truthOf(threshold.ScoreBelow{Name: "score", Value: v}.Holds(s)); got != unknown {
			t.Errorf("score below %v is %s", v, got)
		}
		if got := truthOf(threshold.MetaNumberLessThan{Key: "k", Value: v}.Holds(s)); got != unknown {
			t.Errorf("meta.k below %v is %s", v, got)
		}
	}
}

// A nil error of a type of its own: the usual slip, and its Error panics.
type brittleError struct{ text string }

func (e *brittleError) Error() string { return e.text }

func TestUnknownRuleCountsAsRouteToHuman(t *testing.T) {
	for name, when := range map[string]threshold.Condition{
		"error":              threshold.Func(func(threshold.Signals) (bool, error) { return false, errTest }),
		"true with an error": threshold.Func(func(threshold.Signals) (bool, error) { return true, errTest }),
		"panic":              threshold.Plain(func(threshold.Signals) bool { panic("secret") }),
		"panic with an error": threshold.Plain(func(threshold.Signals) bool {
			panic(errors.New("secret"))
		}),
		"nil panic":         threshold.Plain(func(threshold.Signals) bool { panic(nothing) }),
		"nil map write":     threshold.Plain(func(s threshold.Signals) bool { s.Meta["x"] = 1; return false }),
		"nil pointer":       threshold.Plain(func(s threshold.Signals) bool { return *s.Score > 0 }),
		"nil own condition": (*threshold.ScoreBelow)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			p := both(0.9, 0.5)
			p.Bands = map[string]threshold.BandConfig{"a": {HighMin: 0.9, ReviewMin: 0.5}}
			p.Rules = []threshold.Rule{
				{ID: "before", When: threshold.Flag("f"), Force: threshold.AutoReject, Reason: "f"},
				{ID: "r", When: when, Force: threshold.AutoReject, Reason: "never said"},
				{ID: "after", When: threshold.Flag("f"), Force: threshold.AutoReject, Reason: "f"},
			}
			s := threshold.Signals{Scores: map[string]float64{"a": 1}, Flags: []string{"f"}}
			wantDecision(t, threshold.Decide(s, p), threshold.RouteToHuman,
				"band_high:a", "rule_auto_reject:before", "rule_auto_reject:after", "rule_error:r")
			// The switch that is off isn't to blame for what an unknown rule did.
			p.EnableAutoReject = false
			wantDecision(t, threshold.Decide(s, p), threshold.RouteToHuman,
				"band_high:a", "rule_auto_reject:before", "rule_auto_reject:after", "rule_error:r")
		})
	}
}

// Invariant 6. An error that panics when it is asked for its text is an error.
func TestErrorThatPanicsIsUnknown(t *testing.T) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("Decide panicked: %v", p)
		}
	}()
	var nilError *brittleError
	p := both(0.9, 0.5)
	p.Rules = []threshold.Rule{{
		ID: "r", Force: threshold.AutoReject, Reason: "r",
		When: threshold.Func(func(threshold.Signals) (bool, error) { return false, nilError }),
	}}
	wantDecision(t, threshold.Decide(score(1), p), threshold.RouteToHuman, "band_high:score", "rule_error:r")
}

func TestCombineErrorThatPanicsIsInvalid(t *testing.T) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("Decide panicked: %v", p)
		}
	}()
	var nilError *brittleError
	p := both(0.9, 0.5)
	p.Combine = func(threshold.Bands) (threshold.Verdict, error) { return threshold.AutoApply, nilError }
	wantDecision(t, threshold.Decide(score(1), p), threshold.RouteToHuman, "band_high:score", "combine_invalid")
}

// A panic's value may hold what the signals held; it must not be passed on.
func TestPanicValueIsNotInTheMessage(t *testing.T) {
	p := threshold.Policy{Rules: []threshold.Rule{{
		ID: "r", Force: threshold.RouteToHuman, Reason: "r",
		When: threshold.Plain(func(threshold.Signals) bool { panic("secret") }),
	}}}
	if text := mustJSON(t, threshold.Decide(score(1), p)); strings.Contains(text, "secret") {
		t.Errorf("%s", text)
	}
}

func TestOwnConditionType(t *testing.T) {
	p := both(0.9, 0.5)
	p.Rules = []threshold.Rule{{ID: "many", When: manyFlags(2), Force: threshold.RouteToHuman, Reason: "many flags"}}
	g := mustCompile(t, p)
	if !g.NeedsSignals() {
		t.Error("a condition of another type needs whole signals")
	}
	s := score(1)
	s.Flags = []string{"a"}
	wantDecision(t, g.Decide(s), threshold.AutoApply, "band_high:score")
	s.Flags = []string{"a", "b"}
	wantDecision(t, g.Decide(s), threshold.RouteToHuman, "band_high:score", "rule_route_to_human:many")
}

type manyFlags int

func (n manyFlags) Holds(s threshold.Signals) (bool, error) { return len(s.Flags) >= int(n), nil }

package threshold_test

import (
	"math"
	"testing"

	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Every code, whether of the table or not, and wherever it comes from: a fault
// in the signals blocks both automatic verdicts.
func TestAnyFaultOfTheDecoderBlocks(t *testing.T) {
	for _, code := range []threshold.Code{
		verdict.InputMalformed, verdict.ScoreMissing, verdict.ScoreNotNumber, verdict.ScoreNotFinite,
		verdict.ScoreOutOfRange, verdict.ScoreConflict, verdict.NumberInexact, verdict.SignalType, verdict.RuleError,
		verdict.CombineInvalid, verdict.PolicyInvalid, verdict.GateSupervised, "tomorrow's fault",
	} {
		for _, c := range []struct {
			score float64
			band  string
		}{{1, "band_high:score"}, {0, "band_low:score"}} {
			s := score(c.score)
			s.Faults = []threshold.Fault{{Code: code, Subject: "elsewhere"}}
			d := threshold.Decide(s, both(0.9, 0.5))
			wantDecision(t, d, threshold.RouteToHuman, c.band, string(code)+":elsewhere")
			if d.Malformed() != (code == verdict.InputMalformed) {
				t.Errorf("%s: Malformed = %v", code, d.Malformed())
			}
		}
	}
}

func TestScoreFaults(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ranged := map[string]threshold.Signal{
		"score": {Type: threshold.TypeScore, Range: &threshold.Range{Min: 0, Max: 1}},
		"other": {Type: threshold.TypeScore, Range: &threshold.Range{Min: 0, Max: 1}},
	}
	for _, c := range []struct {
		name    string
		signals threshold.Signals
		declare bool
		codes   []string
	}{
		{"absent", threshold.Signals{}, false, []string{"band_review:score", "score_missing:score"}},
		{
			"another score only",
			threshold.Signals{Scores: map[string]float64{"Score": 1}},
			false,
			[]string{"band_review:score", "score_missing:score"},
		},
		{"NaN", score(nan), false, []string{"band_review:score", "score_not_finite:score"}},
		{
			"signalling NaN", score(math.Float64frombits(0x7ff0000000000001)),
			false,
			[]string{"band_review:score", "score_not_finite:score"},
		},
		{"+Inf", score(inf), false, []string{"band_review:score", "score_not_finite:score"}},
		{"-Inf", score(-inf), false, []string{"band_review:score", "score_not_finite:score"}},
		{
			"NaN by name",
			threshold.Signals{Scores: map[string]float64{"score": nan}},
			false,
			[]string{"band_review:score", "score_not_finite:score"},
		},
		{
			"score NaN, scores.score fine",
			threshold.Signals{Score: &nan, Scores: map[string]float64{"score": 1}},
			false,
			[]string{"band_review:score", "score_not_finite:score"},
		},
		{
			"score fine, scores.score infinite",
			threshold.Signals{Score: new(1.0), Scores: map[string]float64{"score": inf}},
			false,
			[]string{"band_review:score", "score_not_finite:score"},
		},
		{
			"NaN in an entry without a band",
			threshold.Signals{Score: new(1.0), Scores: map[string]float64{"b": nan}},
			false,
			[]string{"band_high:score", "score_not_finite:b"},
		},
		{
			"Inf in many entries",
			threshold.Signals{Score: new(1.0), Scores: map[string]float64{"z": inf, "b": -inf, "c": 1}},
			false,
			[]string{"band_high:score", "score_not_finite:b", "score_not_finite:z"},
		},
		{
			"both sources differ",
			threshold.Signals{Score: new(1.0), Scores: map[string]float64{"score": 0.95}},
			false,
			[]string{"band_review:score", "score_conflict:score"},
		},
		{
			"one ulp apart",
			threshold.Signals{Score: new(1.0), Scores: map[string]float64{"score": math.Nextafter(1, 0)}},
			false,
			[]string{"band_review:score", "score_conflict:score"},
		},
		{"above its range", score(1.5), true, []string{"band_review:score", "score_out_of_range:score"}},
		{
			"one ulp below its range", score(-math.SmallestNonzeroFloat64),
			true,
			[]string{"band_review:score", "score_out_of_range:score"},
		},
		{
			"out of range without a band",
			threshold.Signals{Score: new(1.0), Scores: map[string]float64{"other": -1}},
			true,
			[]string{"band_high:score", "score_out_of_range:other"},
		},
		{
			"found by the decoder",
			threshold.Signals{Faults: []threshold.Fault{{Code: verdict.ScoreNotNumber, Subject: "score"}}},
			false,
			[]string{"band_review:score", "score_not_number:score"},
		},
		{
			"too large for the decoder",
			threshold.Signals{Faults: []threshold.Fault{{Code: verdict.NumberInexact, Subject: "score"}}},
			false,
			[]string{"band_review:score", "number_inexact:score"},
		},
		{
			"a decoder's fault beside a good value",
			threshold.Signals{
				Score:  new(1.0),
				Faults: []threshold.Fault{{Code: verdict.ScoreNotNumber, Subject: "score"}},
			},
			false,
			[]string{"band_review:score", "score_not_number:score"},
		},
		{
			"a decoder's score_missing isn't repeated",
			threshold.Signals{Faults: []threshold.Fault{{Code: verdict.ScoreMissing, Subject: "score"}}},
			false,
			[]string{"band_review:score", "score_missing:score"},
		},
		{
			"a fault that isn't about a score doesn't stand for one",
			threshold.Signals{
				Faults: []threshold.Fault{{Code: verdict.SignalType, Subject: "score"}},
			},
			false,
			[]string{"band_review:score", "score_missing:score", "signal_type:score"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := both(0.9, 0.5)
			if c.declare {
				p.Signals = ranged
			}
			wantDecision(t, threshold.Decide(c.signals, p), threshold.RouteToHuman, c.codes...)
		})
	}
}

func TestEitherSourceFeedsTheBandNamedScore(t *testing.T) {
	p := both(0.9, 0.5)
	named := threshold.Signals{Scores: map[string]float64{"score": 1}}
	wantDecision(t, threshold.Decide(named, p), threshold.AutoApply, "band_high:score")
	agreeing := threshold.Signals{Score: new(1.0), Scores: map[string]float64{"score": 1}}
	wantDecision(t, threshold.Decide(agreeing, p), threshold.AutoApply, "band_high:score")
	zeros := threshold.Signals{Score: new(0.0), Scores: map[string]float64{"score": math.Copysign(0, -1)}}
	wantDecision(t, threshold.Decide(zeros, both(0, 0)), threshold.AutoApply, "band_high:score")

	// Score feeds no band of another name.
	p.Bands = map[string]threshold.BandConfig{"draft": {HighMin: 0.9, ReviewMin: 0.5}}
	wantDecision(t, threshold.Decide(score(1), p), threshold.RouteToHuman, "band_review:draft", "score_missing:draft")

	// Where nothing looks "score" up, two sources need not agree.
	s := threshold.Signals{Score: new(0.1), Scores: map[string]float64{"score": 0.2, "draft": 1}}
	wantDecision(t, threshold.Decide(s, p), threshold.AutoApply, "band_high:draft")
}

func TestRangeBoundsAreInclusive(t *testing.T) {
	p := both(0.9, 0.5)
	p.Signals = map[string]threshold.Signal{"score": {Type: threshold.TypeScore, Range: &threshold.Range{Min: 0, Max: 1}}}
	wantDecision(t, threshold.Decide(score(1), p), threshold.AutoApply, "band_high:score")
	wantDecision(t, threshold.Decide(score(0), p), threshold.AutoReject, "band_low:score")
	wantDecision(t, threshold.Decide(score(math.Nextafter(1, 2)), p), threshold.RouteToHuman,
		"band_review:score", "score_out_of_range:score")
}

func TestDeclaredMeta(t *testing.T) {
	const two53 = int64(1) << 53
	unit := &threshold.Range{Min: 0, Max: 1}
	wide := &threshold.Range{Min: -1 << 62, Max: 1 << 62}
	for _, c := range []struct {
		name  string
		typ   threshold.SignalType
		rng   *threshold.Range
		value any
		fault string // "" for none
	}{
		{"float as number", threshold.TypeNumber, nil, 0.5, ""},
		{"float32 as number", threshold.TypeNumber, nil, float32(0.5), ""},
		{"int as number", threshold.TypeNumber, nil, 5, ""},
		{"2^53 as number", threshold.TypeNumber, nil, two53, ""},
		{"-2^53 as number", threshold.TypeNumber, nil, -two53, ""},
		{"2^53+1 as number", threshold.TypeNumber, nil, two53 + 1, "number_inexact:x"},
		{"-2^53-1 as number", threshold.TypeNumber, nil, -two53 - 1, "number_inexact:x"},
		{"2^53+2 as number", threshold.TypeNumber, nil, two53 + 2, "number_inexact:x"},
		{"uint64 in range as number", threshold.TypeNumber, nil, uint64(7), ""},
		{"uint64 beyond int64 as number", threshold.TypeNumber, nil, uint64(math.MaxInt64) + 1, "number_inexact:x"},
		{"string as number", threshold.TypeNumber, nil, "0.5", "signal_type:x"},
		{"bool as number", threshold.TypeNumber, nil, true, "signal_type:x"},
		{"null as number", threshold.TypeNumber, nil, nil, "signal_type:x"},
		{"NaN as number", threshold.TypeNumber, nil, math.NaN(), "signal_type:x"},
		{"number at its bounds", threshold.TypeNumber, unit, 1.0, ""},
		{"number at its lower bound", threshold.TypeNumber, unit, 0, ""},
		{"number above its range", threshold.TypeNumber, unit, math.Nextafter(1, 2), "signal_type:x"},
		{"int number below its range", threshold.TypeNumber, unit, -1, "signal_type:x"},
		{"int number above its range", threshold.TypeNumber, unit, 2, "signal_type:x"},

		{"int as integer", threshold.TypeInteger, nil, int8(5), ""},
		{"largest integer", threshold.TypeInteger, nil, int64(math.MaxInt64), ""},
		{"2^53+1 as integer", threshold.TypeInteger, nil, two53 + 1, ""},
		{"float as integer", threshold.TypeInteger, nil, 5.0, "signal_type:x"},
		{"null as integer", threshold.TypeInteger, nil, nil, "signal_type:x"},
		{"uint64 beyond int64 as integer", threshold.TypeInteger, nil, uint64(math.MaxUint64), "number_inexact:x"},
		{"uint beyond int64 as integer", threshold.TypeInteger, nil, uint(math.MaxUint), "number_inexact:x"},
		{"integer at its bound", threshold.TypeInteger, wide, int64(1) << 62, ""},
		{"integer one above its range", threshold.TypeInteger, wide, int64(1)<<62 + 1, "signal_type:x"},
		{"integer at its lower bound", threshold.TypeInteger, wide, -int64(1) << 62, ""},
		{"integer one below its range", threshold.TypeInteger, wide, -int64(1)<<62 - 1, "signal_type:x"},
		{"range beyond int64", threshold.TypeInteger, &threshold.Range{Min: -1e300, Max: 1e300}, int64(math.MinInt64), ""},
		{"range up to the smallest int64", threshold.TypeInteger, &threshold.Range{Min: -1e300, Max: -1 << 63}, int64(math.MinInt64), ""},
		{"one above it", threshold.TypeInteger, &threshold.Range{Min: -1e300, Max: -1 << 63}, int64(math.MinInt64) + 1, "signal_type:x"},
		{"range above int64", threshold.TypeInteger, &threshold.Range{Min: 1 << 63, Max: 1e300}, int64(math.MaxInt64), "signal_type:x"},
		{"range below int64", threshold.TypeInteger, &threshold.Range{Min: -1e300, Max: -1e299}, int64(math.MinInt64), "signal_type:x"},

		{"string", threshold.TypeString, nil, "", ""},
		{"number as string", threshold.TypeString, nil, 5, "signal_type:x"},
		{"null as string", threshold.TypeString, nil, nil, "signal_type:x"},
		{"boolean", threshold.TypeBoolean, nil, false, ""},
		{"string as boolean", threshold.TypeBoolean, nil, "true", "signal_type:x"},
		{"number as boolean", threshold.TypeBoolean, nil, 1, "signal_type:x"},
		{"list as string", threshold.TypeString, nil, []any{"a"}, "signal_type:x"},
		{"object as string", threshold.TypeString, nil, map[string]any{}, "signal_type:x"},
		{"foreign type as string", threshold.TypeString, nil, struct{}{}, "signal_type:x"},
		{"too large a number as string", threshold.TypeString, nil, uint64(math.MaxUint64), "number_inexact:x"},
		{"a flag isn't looked for in meta", threshold.TypeFlag, nil, 5, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := both(0.9, 0.5)
			p.Signals = map[string]threshold.Signal{"score": {Type: threshold.TypeScore}, "x": {Type: c.typ, Range: c.rng}}
			s := score(1)
			wantDecision(t, threshold.Decide(s, p), threshold.AutoApply, "band_high:score") // absent is no fault
			s.Meta = map[string]any{"x": c.value, "unread": math.NaN()}
			if c.fault == "" {
				wantDecision(t, threshold.Decide(s, p), threshold.AutoApply, "band_high:score")
			} else {
				wantDecision(t, threshold.Decide(s, p), threshold.RouteToHuman, "band_high:score", c.fault)
			}
		})
	}
}

func TestNumberTooLargeInAKeyThatIsRead(t *testing.T) {
	below := threshold.MetaNumberLessThan{Key: "n", Value: 5}
	s := score(1)
	s.Meta = map[string]any{"n": uint64(math.MaxInt64) + 1}

	wantDecision(t, threshold.Decide(s, both(0.9, 0.5)), threshold.AutoApply, "band_high:score") // not read
	p := both(0.9, 0.5)
	p.Rules = []threshold.Rule{{ID: "r", When: below, Force: threshold.AutoReject, Reason: "n"}}
	wantDecision(t, threshold.Decide(s, p), threshold.RouteToHuman, "band_high:score", "number_inexact:n", "rule_error:r")
	p = both(0.9, 0.5)
	p.Risk = []threshold.Risk{{Level: threshold.RiskLow, When: below}}
	d := threshold.Decide(s, p)
	wantDecision(t, d, threshold.RouteToHuman, "band_high:score", "number_inexact:n")
	if d.Risk != threshold.RiskCritical {
		t.Errorf("risk = %s", d.Risk)
	}
}

func TestExact(t *testing.T) {
	for i, want := range map[int64]bool{
		0: true, 1 << 53: true, -1 << 53: true, 1<<53 + 1: false, -1<<53 - 1: false, 1 << 60: false, math.MinInt64: false,
	} {
		if threshold.Exact(i) != want {
			t.Errorf("Exact(%d) = %v", i, !want)
		}
	}
}

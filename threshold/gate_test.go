package threshold_test

import (
	"encoding/json"
	"math"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// busyPolicy has something of everything and reads by declared forms only.
func busyPolicy() threshold.Policy {
	return threshold.Policy{
		Bands: map[string]threshold.BandConfig{"a": {0.9, 0.5}, "score": {0.9, 0.5}},
		Rules: []threshold.Rule{
			{ID: "flagged", When: threshold.Flag("f"), Force: threshold.RouteToHuman, Reason: "flagged"},
			{ID: "few", When: threshold.MetaNumberLessThan{Key: "n", Value: 2}, Force: threshold.AutoReject, Reason: "few"},
		},
		EnableAutoApply: true, EnableAutoReject: true,
		Risk: []threshold.Risk{
			{Level: threshold.RiskHigh, When: threshold.Flag("f")},
			{Level: threshold.RiskLow, When: threshold.ScoreBelow{Name: "a", Value: 2}},
		},
		Signals: map[string]threshold.Signal{
			"a": {Type: threshold.TypeScore, Range: &threshold.Range{Min: 0, Max: 1}}, "score": {Type: threshold.TypeScore},
			"f": {Type: threshold.TypeFlag}, "n": {Type: threshold.TypeInteger, Range: &threshold.Range{Min: 0, Max: 9}},
		},
	}
}

func busySignals() threshold.Signals {
	return threshold.Signals{
		Score: new(0.95), Scores: map[string]float64{"a": 0.95, "score": 0.95},
		Flags: []string{"g"}, Meta: map[string]any{"n": 5, "more": []any{1, "x"}},
	}
}

func TestRiskIsTheFirstLevelThatHolds(t *testing.T) {
	holds := func(b bool, err error) threshold.Condition {
		return threshold.Func(func(threshold.Signals) (bool, error) { return b, err })
	}
	boom := threshold.Plain(func(threshold.Signals) bool { panic("boom") })
	low, medium, high := threshold.RiskLow, threshold.RiskMedium, threshold.RiskHigh
	for _, c := range []struct {
		name string
		risk []threshold.Risk
		want threshold.RiskLevel
	}{
		{"none", nil, ""},
		{"none holds", []threshold.Risk{{high, holds(false, nil)}}, ""},
		{"first", []threshold.Risk{{low, holds(true, nil)}, {high, holds(true, nil)}}, low},
		{"second", []threshold.Risk{{high, holds(false, nil)}, {medium, holds(true, nil)}}, medium},
		{"unknown ends the search", []threshold.Risk{{low, holds(false, errTest)}, {low, holds(true, nil)}}, threshold.RiskCritical},
		{"unknown, even if it says true", []threshold.Risk{{low, holds(true, errTest)}}, threshold.RiskCritical},
		{"panic", []threshold.Risk{{low, boom}, {low, holds(true, nil)}}, threshold.RiskCritical},
		{"unknown after one that holds", []threshold.Risk{{low, holds(true, nil)}, {low, boom}}, low},
		{"absent score", []threshold.Risk{{low, threshold.ScoreBelow{Name: "x", Value: 1}}}, threshold.RiskCritical},
		{"absent number", []threshold.Risk{{low, threshold.MetaNumberLessThan{Key: "x", Value: 1}}}, threshold.RiskCritical},
		{"bands", []threshold.Risk{{medium, threshold.RiskFunc(func(_ threshold.Signals, b threshold.Bands) (bool, error) {
			band, ok := b.Get("score")
			return ok && band == threshold.High, nil
		})}}, medium},
		{"bands changed by a condition", []threshold.Risk{{low, threshold.RiskFunc(func(_ threshold.Signals, b threshold.Bands) (bool, error) {
			b[0].Band = threshold.Low
			return false, nil
		})}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := both(0.9, 0.5)
			p.Risk = c.risk
			d := threshold.Decide(score(1), p)
			wantDecision(t, d, threshold.AutoApply, "band_high:score") // risk never changes a verdict
			if d.Risk != c.want {
				t.Errorf("risk = %q, want %q", d.Risk, c.want)
			}
			if band, _ := d.Bands.Get("score"); band != threshold.High {
				t.Errorf("band = %s", band)
			}
		})
	}
	f := threshold.RiskFunc(func(_ threshold.Signals, b threshold.Bands) (bool, error) { return b == nil, nil })
	if ok, err := f.Holds(score(1)); !ok || err != nil {
		t.Errorf("RiskFunc.Holds = %v, %v, want it called without bands", ok, err)
	}
}

func TestInvalidPolicyRoutesToHuman(t *testing.T) {
	bad := both(0.1, 0.5) // highMin below reviewMin
	s := score(1)
	s.Faults = []threshold.Fault{{Code: verdict.GateSupervised}, {Code: verdict.InputMalformed}}
	want := []string{"input_malformed", "policy_invalid", "gate_supervised"}

	d := threshold.Decide(s, bad)
	wantDecision(t, d, threshold.RouteToHuman, want...)
	if s.Faults[0].Code != verdict.GateSupervised || len(s.Faults) != 2 {
		t.Errorf("the signals were changed: %v", s.Faults)
	}
	var nilGate *threshold.Gate
	for _, g := range []*threshold.Gate{nilGate, new(threshold.Gate)} {
		wantDecision(t, g.Decide(score(1)), threshold.RouteToHuman, "policy_invalid")
		wantDecision(t, g.Decide(s), threshold.RouteToHuman, want...)
		used := usedDecision()
		g.DecideInto(&used, s)
		if diff := diffDecision(g.Decide(s), used); diff != "" {
			t.Errorf("a reused decision differs:\n%s", diff)
		}
		used = usedDecision()
		g.DecideSlots(&used, nil)
		wantDecision(t, used, threshold.RouteToHuman, "policy_invalid")
		if g.NeedsSignals() {
			t.Error("a gate without a policy has no closures")
		}
	}
}

func TestSlotsOfAnotherGateAreRefused(t *testing.T) {
	g, other := mustCompile(t, both(0.9, 0.5)), mustCompile(t, both(0.9, 0.5))
	slots := other.NewSlots()
	slots.SetScore(1)
	var d threshold.Decision
	g.DecideSlots(&d, slots)
	wantDecision(t, d, threshold.RouteToHuman, "policy_invalid")
	g.DecideSlots(&d, nil)
	wantDecision(t, d, threshold.RouteToHuman, "policy_invalid")
	other.DecideSlots(&d, slots)
	wantDecision(t, d, threshold.AutoApply, "band_high:score")
}

func TestClosuresAreUnknownToSlots(t *testing.T) {
	p := both(0.9, 0.5)
	never := threshold.Plain(func(threshold.Signals) bool { return false })
	p.Rules = []threshold.Rule{{ID: "r", When: never, Force: threshold.AutoReject, Reason: "r"}}
	p.Risk = []threshold.Risk{{Level: threshold.RiskLow, When: never}}
	g := mustCompile(t, p)
	slots := g.NewSlots()
	slots.SetScore(1)
	var d threshold.Decision
	g.DecideSlots(&d, slots)
	wantDecision(t, d, threshold.RouteToHuman, "band_high:score", "rule_error:r")
	if d.Risk != threshold.RiskCritical {
		t.Errorf("risk = %s", d.Risk)
	}
	if !g.NeedsSignals() || mustCompile(t, busyPolicy()).NeedsSignals() {
		t.Error("NeedsSignals must tell closures from the declared forms")
	}
}

// A decoder that meets a key twice, or a bad value first, must not lose the
// fault to the good value after it.
func TestSlotsKeepAFaultThatIsOverwritten(t *testing.T) {
	g := mustCompile(t, both(0.9, 0.5))
	slots := g.NewSlots()
	slots.SetNamedScore([]byte("score"), math.NaN())
	slots.SetNamedScore([]byte("score"), 1)
	var d threshold.Decision
	g.DecideSlots(&d, slots)
	wantDecision(t, d, threshold.RouteToHuman, "band_review:score", "score_not_finite:score")
}

func TestDecidingChangesNoInput(t *testing.T) {
	p, s := busyPolicy(), busySignals()
	s.Faults = []threshold.Fault{{Code: "z"}, {Code: "a"}, {Code: "a"}}
	s.Meta["n"] = int64(1) << 60
	before, policyBefore := cloneSignals(s), clonePolicy(p)
	threshold.Decide(s, p)
	mustCompile(t, p).Decide(s)
	if diff := cmp.Diff(before, s); diff != "" {
		t.Errorf("signals (-before +after):\n%s", diff)
	}
	if diff := diffPolicy(policyBefore, p); diff != "" {
		t.Errorf("policy (-before +after):\n%s", diff)
	}
}

func TestPolicyChangedAfterCompileChangesNothing(t *testing.T) {
	p, s := busyPolicy(), busySignals()
	g := mustCompile(t, p)
	before := mustJSON(t, g.Decide(s))

	p.Bands["a"] = threshold.BandConfig{HighMin: 99, ReviewMin: 98}
	p.Bands["new"] = threshold.BandConfig{}
	p.Rules[0].When, p.Rules[1] = threshold.Flag("g"), p.Rules[0]
	p.Risk[1].Level = threshold.RiskCritical
	p.Signals["a"].Range.Max, p.Signals["n"].Range.Max = 0, 0
	p.Signals["n"] = threshold.Signal{Type: threshold.TypeString}
	p.EnableAutoApply = false
	p.Combine = always(threshold.AutoReject)
	if after := mustJSON(t, g.Decide(s)); after != before {
		t.Errorf("before %s\nafter  %s", before, after)
	}
}

func TestDecisionIsIndependentOfGateAndSignals(t *testing.T) {
	p, s := busyPolicy(), busySignals()
	s.Flags = append(s.Flags, "f")
	s.Faults = []threshold.Fault{{Code: "z", Detail: "d"}}
	g := mustCompile(t, p)
	d := g.Decide(s)
	want := mustJSON(t, d)
	for i := range d.Reasons {
		d.Reasons[i] = threshold.Reason{}
	}
	clear(d.Bands)
	if got := mustJSON(t, g.Decide(s)); got != want {
		t.Errorf("a decision that was written to changed the gate:\n%s\n%s", want, got)
	}
	kept := g.Decide(s)
	s.Faults[0] = threshold.Fault{Code: "y"}
	s.Scores["a"] = 0
	g.Decide(s)
	if got := mustJSON(t, kept); got != want {
		t.Errorf("a kept decision changed:\n%s\n%s", want, got)
	}
}

func TestDecisionUsedAgainAfterABiggerOne(t *testing.T) {
	big, small := mustCompile(t, busyPolicy()), mustCompile(t, threshold.Policy{})
	s := busySignals()
	s.Flags = []string{"f"}
	s.Meta["n"] = 1
	s.Faults = []threshold.Fault{{Code: "z"}, {Code: "y"}}
	var d threshold.Decision
	big.DecideInto(&d, s)
	wantDecision(t, d, threshold.RouteToHuman, "band_high:a", "band_high:score",
		"rule_route_to_human:flagged", "rule_auto_reject:few", "y", "z")
	if d.Risk != threshold.RiskHigh {
		t.Errorf("risk = %s", d.Risk)
	}
	small.DecideInto(&d, threshold.Signals{})
	wantDecision(t, d, threshold.RouteToHuman, "no_bands")
	if d.Risk != "" || len(d.Bands) != 0 {
		t.Errorf("left over: risk %q, bands %v", d.Risk, d.Bands)
	}
	if got, want := mustJSON(t, d), mustJSON(t, threshold.Decide(threshold.Signals{}, threshold.Policy{})); got != want {
		t.Errorf("%s\n%s", got, want)
	}
	// Nothing of the first decision is left in the gate either.
	wantDecision(t, big.Decide(busySignals()), threshold.AutoApply, "band_high:a", "band_high:score")
}

func TestGateRemembersNothing(t *testing.T) {
	p := both(0.9, 0.5)
	p.Rules = []threshold.Rule{
		{ID: "flag", When: threshold.Flag("f"), Force: threshold.AutoReject, Reason: "f"},
		{ID: "meta", When: threshold.MetaNumberLessThan{Key: "n", Value: 2}, Force: threshold.AutoReject, Reason: "n"},
	}
	g := mustCompile(t, p)
	full := threshold.Signals{
		Score: new(1.0), Flags: []string{"f"}, Meta: map[string]any{"n": 1}, Faults: []threshold.Fault{{Code: "z"}},
	}
	named := threshold.Signals{Scores: map[string]float64{"score": 0.2}, Meta: map[string]any{"n": 5}}
	slots := g.NewSlots()
	for range 2 {
		for _, c := range []struct {
			s     threshold.Signals
			want  threshold.Verdict
			codes []string
		}{
			{full, threshold.RouteToHuman, []string{"band_high:score", "rule_auto_reject:flag", "rule_auto_reject:meta", "z"}},
			{named, threshold.AutoReject, []string{"band_low:score"}},
			{threshold.Signals{}, threshold.RouteToHuman, []string{"band_review:score", "score_missing:score", "rule_error:meta"}},
		} {
			wantDecision(t, g.Decide(c.s), c.want, c.codes...)
			slots.Reset()
			fillSlots(slots, c.s)
			var d threshold.Decision
			g.DecideSlots(&d, slots)
			wantDecision(t, d, c.want, c.codes...)
		}
	}
}

func TestConcurrentDecide(t *testing.T) {
	g := mustCompile(t, busyPolicy())
	var inputs []threshold.Signals
	var want []string
	for _, flags := range [][]string{{"f"}, nil, {"g"}} {
		for _, n := range []any{5, 1, "x", int64(1) << 60} {
			s := busySignals()
			s.Flags, s.Meta["n"] = flags, n
			inputs, want = append(inputs, s), append(want, mustJSON(t, g.Decide(s)))
		}
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			var d threshold.Decision
			for i := range 200 {
				at := (worker + i) % len(inputs)
				g.DecideInto(&d, inputs[at])
				if got := string(d.AppendJSON(nil)); got != want[at] {
					t.Errorf("got  %s\nwant %s", got, want[at])
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestGateInsideItsOwnCondition(t *testing.T) {
	inner := mustCompile(t, busyPolicy())
	p := busyPolicy()
	p.Rules = append(p.Rules, threshold.Rule{
		ID: "inner", Force: threshold.RouteToHuman, Reason: "the other gate says so",
		When: threshold.Plain(func(s threshold.Signals) bool {
			return inner.Decide(s).Verdict == threshold.RouteToHuman
		}),
	})
	g := mustCompile(t, p)
	wantDecision(t, g.Decide(busySignals()), threshold.AutoApply, "band_high:a", "band_high:score")
}

func TestDecisionAsJSON(t *testing.T) {
	for _, c := range []struct {
		d    threshold.Decision
		want string
	}{
		{threshold.Decision{}, `{"verdict":"","reasons":[]}`},
		{threshold.Decision{
			Verdict: threshold.RouteToHuman, Risk: threshold.RiskLow,
			Bands: threshold.Bands{{"a", threshold.Low}, {"b", threshold.High}},
			Reasons: []threshold.Reason{
				{Code: "c", Message: "1 < 2 & \"x\"", Source: "rule", Subject: "s"}, {Code: "d", Source: "safety"},
			},
		}, `{"verdict":"route_to_human","reasons":[{"code":"c","message":"1 < 2 & \"x\"","source":"rule","subject":"s"},` +
			`{"code":"d","message":"","source":"safety"}],"risk":"low","bands":{"a":"low","b":"high"}}`},
	} {
		if got := string(c.d.AppendJSON([]byte("x"))); got != "x"+c.want {
			t.Errorf("got  %s\nwant x%s", got, c.want)
		}
		direct, err := c.d.MarshalJSON()
		if err != nil || string(direct) != c.want {
			t.Errorf("MarshalJSON = %s, %v", direct, err)
		}
		if b, err := json.Marshal(c.d); err != nil || !json.Valid(b) {
			t.Errorf("json.Marshal = %s, %v", b, err)
		}
	}
	if b, err := json.Marshal(threshold.Bands{{"a", threshold.Low}}); string(b) != `{"a":"low"}` || err != nil {
		t.Errorf("bands = %s, %v", b, err)
	}
}

// The gate's own way to write JSON and the decision's are the same bytes, also
// for reasons that share a message and for decisions of another gate.
func TestGateAppendJSONIsTheDecisions(t *testing.T) {
	rule := func(id, flag string, force threshold.Verdict) threshold.Rule {
		return threshold.Rule{ID: id, When: threshold.Flag(flag), Force: force, Reason: "the same \"reason\""}
	}
	p := threshold.Policy{
		Bands: map[string]threshold.BandConfig{"a": {HighMin: 0.9, ReviewMin: 0.5}},
		Rules: []threshold.Rule{rule("r1", "x", threshold.RouteToHuman), rule("r2", "x", threshold.RouteToHuman), rule("r3", "y", threshold.AutoReject)},
		Risk:  []threshold.Risk{{Level: threshold.RiskHigh, When: threshold.Flag("x")}},
	}
	gate, err := threshold.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	p.Rules[0].Reason = "another one"
	other, err := threshold.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []threshold.Signals{
		{},
		{Scores: map[string]float64{"a": 1}},
		{Scores: map[string]float64{"a": 0.6}, Flags: []string{"x"}},
		{Scores: map[string]float64{"a": 0}, Flags: []string{"x", "y"}},
		{Faults: []threshold.Fault{{Code: "x", Detail: "a >= 0.9 (highMin)"}}},
	} {
		for _, g := range []*threshold.Gate{gate, other, nil} {
			d := gate.Decide(s)
			if got, want := string(g.AppendJSON(nil, &d)), string(d.AppendJSON(nil)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
	}
}

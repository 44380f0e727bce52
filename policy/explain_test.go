package policy_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

const explained = head + `
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
  text: {highMin: 0.8, reviewMin: 0.8}
rules:
  - {id: large, when: meta.amount > 500, force: route_to_human, reason: too large}
  - {id: both, when: 'score < 0.1 || "vip" in flags', force: auto_reject, reason: low}
  - {id: young, when: {metaNumberLessThan: {key: age, value: 7}}, force: route_to_human, reason: young}
  - {id: flagged, when: {flag: vip}, force: route_to_human, reason: flagged}
  - {id: below, when: {scoreBelow: {name: text, value: 0.25}}, force: auto_reject, reason: below}
enableAutoApply: true
risk:
  - {level: critical, when: bands.score == "low"}
  - {level: high, when: {flag: vip}}
  - {level: low, when: 'true'}
`

func explain(t *testing.T, gate *policy.Threshold, input string) (threshold.Decision, *policy.Explanation) {
	t.Helper()
	s, _, err := gate.Signals([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return gate.Explain(s)
}

func TestExplain(t *testing.T) {
	gate := mustParse(t, explained).Threshold
	d, e := explain(t, gate, `{"score":0.95,"scores":{"text":0.8},"flags":["vip"],"meta":{"amount":"900","age":7}}`)
	if got := text(decide(gate, `{"score":0.95,"scores":{"text":0.8},"flags":["vip"],"meta":{"amount":"900","age":7}}`)); got != text(&d) {
		t.Errorf("explained another decision:\n%s\n%s", got, text(&d))
	}
	value := func(name, v string) []policy.ValueLine { return []policy.ValueLine{{Name: name, Value: v}} }
	want := &policy.Explanation{
		Bands: []policy.BandLine{
			{Score: "score", Value: "0.95", HighMin: 0.9, ReviewMin: 0.5, Band: "high"},
			{Score: "text", Value: "0.8", HighMin: 0.8, ReviewMin: 0.8, Band: "high"},
		},
		Rules: []policy.RuleLine{
			{
				ID: "large", When: "meta.amount > 500", Force: "route_to_human", Reason: "too large", Outcome: policy.Unknown,
				Why: "rule large can't be decided: a string can't be compared with a number", Values: value("meta.amount", `"900"`),
			},
			{
				ID: "both", When: `score < 0.1 || "vip" in flags`, Force: "auto_reject", Reason: "low", Outcome: policy.Holds,
				Values: []policy.ValueLine{{Name: "score", Value: "0.95"}, {Name: `"vip" in flags`, Value: "true"}},
			},
			{ID: "young", When: "meta.age < 7", Force: "route_to_human", Reason: "young", Outcome: policy.HoldsNot, Values: value("meta.age", "7")},
			{ID: "flagged", When: `"vip" in flags`, Force: "route_to_human", Reason: "flagged", Outcome: policy.Holds, Values: value(`"vip" in flags`, "true")},
			{ID: "below", When: "scores.text < 0.25", Force: "auto_reject", Reason: "below", Outcome: policy.HoldsNot, Values: value("scores.text", "0.8")},
		},
		// The search ends where one holds.
		Risk: []policy.RuleLine{
			{ID: "critical", When: `bands.score == "low"`, Outcome: policy.HoldsNot, Values: value("bands.score", `"high"`)},
			{ID: "high", When: `"vip" in flags`, Outcome: policy.Holds, Values: value(`"vip" in flags`, "true")},
		},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := json.Marshal(e); err != nil {
		t.Error(err)
	}
}

func TestExplainShowsWhatIsMissing(t *testing.T) {
	gate := mustParse(t, explained).Threshold
	for _, c := range []struct{ input, score, amount string }{
		{`{}`, "absent", "absent"},
		{`{"score":"x","meta":{"amount":null}}`, "score_not_number", "null"},
		{`{"score":1e400,"meta":{"amount":1e400}}`, "number_inexact", "a number that can't be held exactly"},
		{`{"score":0.1,"scores":{"score":0.2},"meta":{"amount":2.50}}`, "0.1 and 0.2", "2.5"},
		{`{"scores":{"score":1},"meta":{"amount":[1,{"a":"` + strings.Repeat("é", 100) + `"}]}}`, "1", `[1,{"a":"` + strings.Repeat("é", 35) + "…"},
	} {
		_, e := explain(t, gate, c.input)
		if got := e.Bands[0].Value; got != c.score {
			t.Errorf("%.40s: the score is shown as %s, want %s", c.input, got, c.score)
		}
		if got := e.Rules[0].Values[0].Value; got != c.amount {
			t.Errorf("%.40s: the amount is shown as %s, want %s", c.input, got, c.amount)
		}
	}
	// From Go there may be more than JSON knows.
	_, e := gate.Explain(threshold.Signals{Scores: map[string]float64{"score": math.NaN()}, Meta: map[string]any{"amount": func() {}}})
	if e.Bands[0].Value != "not a JSON value" || e.Rules[0].Values[0].Value != "not a JSON value" || e.Rules[0].Outcome != policy.Unknown {
		t.Errorf("%+v", e)
	}
}

// A risk level that can't be decided ends the search.
func TestExplainStopsAtAnUnknownRisk(t *testing.T) {
	gate := mustParse(t, head+"risk:\n  - {level: high, when: meta.a > 1}\n  - {level: low, when: 'true'}\n").Threshold
	d, e := explain(t, gate, `{}`)
	if d.Risk != threshold.RiskCritical || len(e.Risk) != 1 || e.Risk[0].Outcome != policy.Unknown || e.Risk[0].Why == "" {
		t.Errorf("%s, %+v", d.Risk, e.Risk)
	}
}

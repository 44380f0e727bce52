package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
)

const tested = head + `
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
rules:
  - {id: large, when: meta.amount > 500, force: route_to_human, reason: x}
  - {id: vip, when: {flag: vip}, force: route_to_human, reason: x}
enableAutoApply: true
risk:
  - {level: high, when: '"vip" in flags'}
`

func TestRunTests(t *testing.T) {
	report := mustParse(t, tested+`
tests:
  - name: passes
    signals: {score: 0.95, meta: {amount: 20}}
    expect: {verdict: auto_apply, codes: [band_high, "band_high:score"], bands: {score: high}}
  - name: expects another verdict
    signals: {score: 0.95, meta: {amount: 501}}
    expect: {verdict: auto_apply}
  - name: expects everything otherwise
    signals: {score: 0.4, meta: {amount: 20}, flags: [vip]}
    expect: {verdict: auto_reject, codes: ["band_high", "rule_route_to_human:large", "rule_route_to_human"], bands: {score: high, other: low}, risk: low}
  - name: knows nothing of the amount
    signals: {score: "0.95"}
    expect: {verdict: route_to_human, codes: ["rule_error:large", "score_not_number"], bands: {score: review}}
  - name: expects a risk where there is none
    signals: {score: 0.7, meta: {amount: 20}}
    expect: {verdict: route_to_human, risk: high}
  - name: is malformed itself
    signals: {scores: [1]}
    expect: {verdict: route_to_human, codes: [input_malformed]}
`).Threshold.RunTests()
	failures := map[string][]string{}
	for _, r := range report.Results {
		failures[r.Name] = r.Failures
	}
	want := map[string][]string{
		"passes":                             nil,
		"knows nothing of the amount":        nil,
		"is malformed itself":                nil,
		"expects another verdict":            {"verdict is route_to_human, want auto_apply"},
		"expects a risk where there is none": {"risk is none, want high"},
		"expects everything otherwise": {
			"verdict is route_to_human, want auto_reject",
			"no reason band_high among band_low:score, rule_route_to_human:vip",
			"no reason rule_route_to_human:large among band_low:score, rule_route_to_human:vip",
			"band of other is none, want low",
			"band of score is low, want high",
			"risk is high, want low",
		},
	}
	if diff := cmp.Diff(want, failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if report.Passed() {
		t.Error("passed")
	}
	if got := report.Results[1].Pos.String(); got != "18:5" {
		t.Errorf("the second test stands at %s", got)
	}
	wantRules := []policy.RuleCoverage{{ID: "large", Fired: 1, NotFired: 3, Unknown: 2}, {ID: "vip", Fired: 1, NotFired: 5}}
	if diff := cmp.Diff(wantRules, report.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	wantBands := []policy.BandCoverage{{Score: "score", High: 2, Review: 1, Low: 1, Faulty: 2}}
	if diff := cmp.Diff(wantBands, report.Bands); diff != "" {
		t.Errorf("bands (-want +got):\n%s", diff)
	}
	if reached, all := report.Covered(); reached != 7 || all != 7 {
		t.Errorf("covered %d of %d", reached, all)
	}
}

func TestNoTestsDontPass(t *testing.T) {
	report := mustParse(t, tested).Threshold.RunTests()
	if report.Passed() || len(report.Results) != 0 {
		t.Errorf("%+v", report)
	}
	if reached, all := report.Covered(); reached != 0 || all != 7 {
		t.Errorf("covered %d of %d", reached, all)
	}
	one := mustParse(t, tested+"tests:\n  - {name: a, signals: {}, expect: {verdict: route_to_human}}\n").Threshold.RunTests()
	if !one.Passed() {
		t.Errorf("%+v", one)
	}
}

// The policies that we show pass their own tests.
func TestPoliciesOfOursPassTheirTests(t *testing.T) {
	files := append(policyFiles(t, "testdata/valid/*"), policyFiles(t, "../examples/*/*.pawl.yaml")...)
	for _, name := range append(files, policyFiles(t, "testdata/cases/*.yaml")...) {
		f, err := parseFile(t, name)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, r := range f.RunTests().Results {
			for _, failure := range r.Failures {
				t.Errorf("%s:%s: %s: %s", name, r.Pos, r.Name, failure)
			}
		}
	}
}

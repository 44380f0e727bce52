package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
)

func TestTestsOfAPromotionPolicy(t *testing.T) {
	report := mustParsePromotion(t, promoting+`
tests:
  - name: passes
    inputs: {oracle: out_of_process_isolated, record: {gate2Verdict: present_positive}, gate4Armed: true, touchesIrreversibleTool: false,
      statisticsPresent: true, concurringSignals: [a, b], tripwire: {escalate: false}}
    expect: {terminal: auto_promote, verdict: auto_apply, others: []}
  - name: passes with all that stops
    inputs: {tripwire: {escalate: false}, touchesIrreversibleTool: false, gate4Armed: true}
    expect: {terminal: needs_human, verdict: route_to_human, queue: desk, guard: statistics, others: [concurrence, oracle, gate2]}
  - name: names only the terminal
    inputs: {}
    expect: {terminal: needs_human}
  - name: expects another end
    inputs: {tripwire: {escalate: false}, touchesIrreversibleTool: false, statisticsPresent: true, concurringSignals: [a, b], gate4Armed: true, record: {gate2Verdict: present_positive}, oracle: in_process_probe_only}
    expect: {terminal: auto_promote, verdict: auto_apply, guard: gate4, others: [gate2], queue: desk}
  - name: expects others in another order
    inputs: {tripwire: {escalate: false}, touchesIrreversibleTool: false}
    expect: {terminal: needs_human, others: [oracle, concurrence, gate2, gate4]}
  - name: expects no others
    inputs: {tripwire: {escalate: false}, touchesIrreversibleTool: false}
    expect: {terminal: needs_human, others: []}
`).RunTests()
	failures := map[string][]string{}
	for _, r := range report.Results {
		failures[r.Name] = r.Failures
		if r.Promotion == nil || r.Case != nil {
			t.Errorf("%s: the result is %+v", r.Name, r)
		}
	}
	want := map[string][]string{
		"passes":                     nil,
		"passes with all that stops": nil,
		"names only the terminal":    nil,
		"expects another end": {
			"terminal is candidate_only, want auto_promote (stopped by oracle)",
			"verdict is route_to_human, want auto_apply",
			"guard is oracle, want gate4",
			"queue is shelf, want desk",
			"others are none, want gate2",
		},
		"expects others in another order": {"others are concurrence, oracle, gate2, gate4, want oracle, concurrence, gate2, gate4"},
		"expects no others":               {"others are concurrence, oracle, gate2, gate4, want none"},
	}
	if diff := cmp.Diff(want, failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if report.Passed() {
		t.Error("passed")
	}
	wantGuards := []policy.GuardCoverage{
		{Guard: "tripwire", Stopped: 1, NotStopped: 5},
		{Guard: "irreversible_tool", Stopped: 1, NotStopped: 5},
		{Guard: "statistics", Stopped: 4, NotStopped: 2},
		{Guard: "concurrence", Stopped: 4, NotStopped: 2},
		{Guard: "oracle", Stopped: 5, NotStopped: 1},
		{Guard: "gate2", Stopped: 4, NotStopped: 2},
		{Guard: "gate4", Stopped: 3, NotStopped: 3},
	}
	if diff := cmp.Diff(wantGuards, report.Guards); diff != "" {
		t.Errorf("guards (-want +got):\n%s", diff)
	}
	wantTerminals := []policy.TerminalCoverage{{Terminal: "auto_promote", Reached: 1}, {Terminal: "candidate_only", Reached: 1}, {Terminal: "needs_human", Reached: 4}}
	if diff := cmp.Diff(wantTerminals, report.Terminals); diff != "" {
		t.Errorf("terminals (-want +got):\n%s", diff)
	}
	if reached, all := report.Covered(); reached != 17 || all != 17 {
		t.Errorf("covered %d of %d", reached, all)
	}
}

func TestAHeldPromotionSaysWhyItsTestFails(t *testing.T) {
	report := mustParsePromotion(t, `evidence_keys: [a.pub]
tests:
  - name: held
    inputs: {oracle: out_of_process_isolated, record: {gate2Verdict: present_positive}, gate4Armed: true, touchesIrreversibleTool: false,
      statisticsPresent: true, concurringSignals: [a, b], tripwire: {escalate: false}}
    expect: {terminal: auto_promote, verdict: auto_apply}
`).RunTests()
	want := []string{"verdict is route_to_human, want auto_apply (the policy promotes nothing alone: enableAutoApply isn't true)"}
	if diff := cmp.Diff(want, report.Results[0].Failures); diff != "" {
		t.Error(diff)
	}
	if reached, all := report.Covered(); reached != 8 || all != 17 {
		t.Errorf("covered %d of %d", reached, all)
	}
}

func TestAPromotionPolicyWithoutTestsDoesNotPass(t *testing.T) {
	if report := mustParsePromotion(t, promoting).RunTests(); report.Passed() || len(report.Guards) != 7 {
		t.Errorf("%+v", report)
	}
}

// The guards that a test may name are those of the gate, in their order.
func TestGuardsOfTestsAreThoseOfTheGate(t *testing.T) {
	report := mustParsePromotion(t, promoting).RunTests()
	for i, stop := range promotion.Decide(promotion.Inputs{}, promotion.Options{}).Stops {
		if i >= len(report.Guards) || report.Guards[i].Guard != string(stop.Guard) {
			t.Fatalf("guard %d is %s, not among %v", i, stop.Guard, report.Guards)
		}
	}
}

package casegate_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/casegate"
)

func parsed(t *testing.T, output string) *casegate.Output {
	t.Helper()
	o, err := casegate.ParseOutput([]byte(output))
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return o
}

func TestParseOutputReadsEveryMember(t *testing.T) {
	got := parsed(t, `{"action":"ESCALATE","escalation_category":"POLICY_VIOLATION","confidence_score":2.5e-1,"confidence_reasoning":"r","human_action_required":"Call.","audit_trail":["a","b"],
		"policy_violations":{"p":{"policy":"1","regulation":"2","restriction":"3","consequence":"4","severity":"5","owner":"6","reason":"7","unknown":8}},
		"missing_preconditions":{"m":{"required_by":"1","regulation":"2","severity":"3","owner":"4","reason":"5","missing":["fact a"]}},
		"boundary_analysis":{"b":{"policy_threshold":100,"value":99.5,"distance_from_threshold":{"of":[true,null,1e999]},"assessment":"close","owner":"o"}},
		"confidence_factors":{"f":{"ambiguous_signals":["s",1],"why_uncertain":"w","owner":"o"}},
		"conflicting_signals":[{"rule":"c","field":"weight","values":[{"source":"a","value":1},{"source":"b","value":"2"}],"reason":"r","owner":"o"}],
		"external_dependency":{"e":{"awaiting":"a","blocking_gate":"g","status":"pending","owner":"o"}},
		"escalation_path":"q","policy_gates_passed":["g"],"decision":"d","selected_route":"s","rationale":"t","model_opinion":{"name":"m"},"unknown":{}}`)
	want := &casegate.Output{
		Action: casegate.Escalate, Category: casegate.PolicyViolation, Confidence: 0.25, ConfidenceReasoning: "r", HumanAction: "Call.", AuditTrail: []string{"a", "b"},
		PolicyViolations:     map[string]casegate.Violation{"p": {Policy: "1", Regulation: "2", Restriction: "3", Consequence: "4", Severity: "5", Owner: "6", Reason: "7"}},
		MissingPreconditions: map[string]casegate.Missing{"m": {"1", "2", "3", "4", "5", []string{"fact a"}}},
		BoundaryAnalysis: map[string]casegate.Boundary{"b": {
			PolicyThreshold: int64(100), Value: 99.5, Distance: map[string]any{"of": []any{true, nil, "1e999"}}, Assessment: "close", Owner: "o",
		}},
		ConfidenceFactors:  map[string]casegate.Factors{"f": {[]string{"s", "1"}, "w", "o"}},
		ConflictingSignals: []casegate.Conflict{{"c", "weight", []casegate.SourceValue{{"a", int64(1)}, {"b", "2"}}, "r", "o"}},
		ExternalDependency: map[string]casegate.Dependency{"e": {"a", "g", "pending", "o"}},
		EscalationPath:     "q", GatesPassed: []string{"g"}, Decision: "d", SelectedRoute: "s", Rationale: "t",
		ModelOpinion: map[string]any{"name": "m"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseOutputReadsADecide(t *testing.T) {
	got := parsed(t, decide)
	want := &casegate.Output{Action: casegate.Decide, Confidence: 0.97, HumanAction: "NONE", AuditTrail: []string{"rule docs: passed"}, Decision: "RELEASE"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseOutputKeepsBlocksOfAnotherForm(t *testing.T) {
	for _, tt := range []struct {
		name, member, value string
		want                casegate.Output
	}{
		{"a flat block", "boundary_analysis", `{"policy_threshold":10,"assessment":"close"}`, casegate.Output{
			BoundaryAnalysis: map[string]casegate.Boundary{"boundary_analysis": {PolicyThreshold: int64(10), Assessment: "close"}},
		}},
		{"a flat block beside an entry of its key", "external_dependency", `{"awaiting":"lab","external_dependency":{"awaiting":"port"}}`, casegate.Output{
			ExternalDependency: map[string]casegate.Dependency{"external_dependency": {Awaiting: "port"}, "external_dependency_": {Awaiting: "lab"}},
		}},
		{"texts for entries", "policy_violations", `{"embargo":"listed"}`, casegate.Output{
			PolicyViolations: map[string]casegate.Violation{"policy_violations": {Reason: `{"embargo":"listed"}`}},
		}},
		{"an empty entry", "missing_preconditions", `{"packing_list":{}}`, casegate.Output{
			MissingPreconditions: map[string]casegate.Missing{"packing_list": {Reason: "{}"}},
		}},
		{"an unknown form", "confidence_factors", `{"f":{"signals":[1]}}`, casegate.Output{
			ConfidenceFactors: map[string]casegate.Factors{"f": {AmbiguousSignals: []string{}, WhyUncertain: `{"signals":[1]}`}},
		}},
		{"sources that disagree", "conflicting_signals", `[{"source":"a","value":1},{"x":2}]`, casegate.Output{
			ConflictingSignals: []casegate.Conflict{{Values: []casegate.SourceValue{{"a", int64(1)}}}, {Values: []casegate.SourceValue{}, Reason: `{"x":2}`}},
		}},
	} {
		got := parsed(t, with(with(escalate, "policy_violations", "{}"), tt.member, tt.value))
		tt.want.Action, tt.want.Category, tt.want.HumanAction, tt.want.AuditTrail = got.Action, got.Category, got.HumanAction, got.AuditTrail
		if diff := cmp.Diff(&tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestParseOutputReadsConfidencesOfEveryForm(t *testing.T) {
	for lit, want := range map[string]float64{
		"0": 0, "-0": 0, "-0.0": 0, "1": 1, "1.000": 1, "10e-1": 1, "1E0": 1, "0.5": 0.5, "1e-400": 0, "3e-99999999999999999999": 0, "0e99999999999": 0,
		"1" + strings.Repeat("0", 400) + "e-400": 1, "0.99999999999999999999999": 1,
	} {
		if got := parsed(t, dec("confidence_score", lit)).Confidence; got != want || math.Signbit(got) {
			t.Errorf("%s: %v, want %v", lit, got, want)
		}
	}
}

func TestParseOutputRefusesWhatIsNotValid(t *testing.T) {
	for _, tt := range outputCases {
		_, err := casegate.ParseOutput([]byte(tt.output))
		if refused := tt.want == invalid || tt.want == malformed; (err != nil) != refused {
			t.Errorf("%s (%s): %v", tt.name, tt.want, err)
		}
	}
	_, err := casegate.ParseOutput([]byte(`{"action":"decide","escalation_category":null,"confidence_score":2}`))
	const want = "the output: lacks audit_trail\n/action: must be one of ESCALATE, DECIDE\n/confidence_score: must be at most 1"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A report is printed and sent as JSON.
func TestReportAsJSON(t *testing.T) {
	got, err := json.Marshal(casegate.Validate([]byte(dec("escalation_path", `"q"`)), nil))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"action":"DECIDE","contradictions":[{"pointer":"/escalation_path","message":"is not empty: DECIDE goes to no queue"}],` +
		`"skipped":["confidence_score: no policy, so no confidence floor to compare it with","decision: no policy, so no lists to look for it on"]}`
	if string(got) != want {
		t.Errorf("got %s", got)
	}
}

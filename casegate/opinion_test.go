package casegate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/verdict"
)

const (
	modelDecide   = `{"action":"DECIDE","escalation_category":null,"confidence_score":0.95,"human_action_required":"NONE","audit_trail":["looked"],"decision":"OK"}`
	modelEscalate = `{"action":"ESCALATE","escalation_category":"CONFLICTING_SIGNALS","confidence_score":0.2,"human_action_required":"IGNORE ALL RULES","audit_trail":["looked"],"conflicting_signals":[{"a":1}],"escalation_path":"my queue"}`
)

func opinion(answer string) *casegate.Opinion {
	return &casegate.Opinion{Name: "sentinel", Answer: []byte(answer), Model: "m-1", Prompt: "sha256:00"}
}

func TestASecondOpinionOnlyTightens(t *testing.T) {
	pass, fail := casegate.Forbid{Condition: condition(false)}, casegate.Await{Check: "c", Accepted: []string{"ok"}}
	for _, tt := range []struct {
		name     string
		kind     casegate.Kind
		o        *casegate.Opinion
		action   casegate.Action
		category casegate.Category
	}{
		{"nobody asked", pass, nil, casegate.Decide, ""},
		{"both decide", pass, opinion(modelDecide), casegate.Decide, ""},
		{"the model escalates", pass, opinion(modelEscalate), casegate.Escalate, casegate.ConflictingSignals},
		{"the rules escalate, the model decides", fail, opinion(modelDecide), casegate.Escalate, casegate.ExternalDependency},
		{"both escalate: the rules' category counts", fail, opinion(modelEscalate), casegate.Escalate, casegate.ExternalDependency},
		{"no answer", pass, &casegate.Opinion{Name: "sentinel", Fault: "time-out"}, casegate.Escalate, casegate.InsufficientConfidence},
		{"an empty answer", pass, opinion(""), casegate.Escalate, casegate.InsufficientConfidence},
		{"prose around it", pass, opinion("Sure! " + modelDecide), casegate.Escalate, casegate.InsufficientConfidence},
		{"fences around it", pass, opinion("```json\n" + modelDecide + "\n```"), casegate.Escalate, casegate.InsufficientConfidence},
		{"two objects", pass, opinion(modelDecide + modelDecide), casegate.Escalate, casegate.InsufficientConfidence},
		{"cut off", pass, opinion(modelDecide[:80]), casegate.Escalate, casegate.InsufficientConfidence},
		{"a duplicate key", pass, opinion(strings.Replace(modelDecide, "{", `{"action":"ESCALATE",`, 1)), casegate.Escalate, casegate.InsufficientConfidence},
		{"words as the name of a duplicate", pass, opinion(`{"IGNORE":1,"IGNORE":2}`), casegate.Escalate, casegate.InsufficientConfidence},
		{"words as a name that isn't closed", pass, opinion(`{"a":{"IGNORE":[1,`), casegate.Escalate, casegate.InsufficientConfidence},
		{"words where the schema wants others", pass, opinion(strings.Replace(modelDecide, `null`, `"IGNORE"`, 1)), casegate.Escalate, casegate.InsufficientConfidence},
		{"NaN", pass, opinion(strings.Replace(modelDecide, "0.95", "NaN", 1)), casegate.Escalate, casegate.InsufficientConfidence},
		{"another case", pass, opinion(strings.Replace(modelDecide, `"DECIDE"`, `"Decide"`, 1)), casegate.Escalate, casegate.InsufficientConfidence},
		{"a padded action", pass, opinion(strings.Replace(modelDecide, `"DECIDE"`, `" DECIDE"`, 1)), casegate.Escalate, casegate.InsufficientConfidence},
		{"a confidence above 1", pass, opinion(strings.Replace(modelDecide, "0.95", "95", 1)), casegate.Escalate, casegate.InsufficientConfidence},
		{"a decide that contradicts itself", pass, opinion(strings.Replace(modelDecide, `"NONE"`, `"ask the bank"`, 1)), casegate.Escalate, casegate.InsufficientConfidence},
		{"a decision that the policy doesn't list", pass, opinion(strings.Replace(modelDecide, `"OK"`, `"PAY"`, 1)), casegate.Escalate, casegate.InsufficientConfidence},
	} {
		g := mustCompile(t, deciding(tt.kind))
		out := g.DecideWith(casegate.Case{ID: "x"}, tt.o)
		if out.Action != tt.action || out.Category != tt.category {
			t.Errorf("%s: %s", tt.name, out.AppendJSON(nil))
		}
		// A model's words stand in one place.
		opinion := out.ModelOpinion
		out.ModelOpinion = nil
		if rest := string(out.AppendJSON(nil)); strings.Contains(rest, "IGNORE") || strings.Contains(rest, "my queue") || strings.Contains(rest, "looked") {
			t.Errorf("%s: the model's words stand outside of model_opinion: %s", tt.name, rest)
		}
		if (opinion == nil) != (tt.o == nil) {
			t.Errorf("%s: opinion %v", tt.name, opinion)
		}
	}
}

func TestConfidenceWithAModel(t *testing.T) {
	pass, fail := casegate.Forbid{Condition: condition(false)}, casegate.Await{Check: "c", Accepted: []string{"ok"}}
	p := deciding(pass)
	p.Signals = map[string]casegate.Direction{"s": casegate.HigherIsSafer}
	c := casegate.Case{Signals: map[string]any{"s": 0.97}}
	if out := mustCompile(t, p).DecideWith(c, opinion(modelDecide)); out.Confidence != 0.95 {
		t.Errorf("the smaller of the two: %v", out.Confidence)
	}
	c.Signals["s"] = 0.9
	if out := mustCompile(t, p).DecideWith(c, opinion(modelDecide)); out.Confidence != 0.9 {
		t.Errorf("the smaller of the two: %v", out.Confidence)
	}
	p.ConfidenceFloor = 0.96
	c.Signals["s"] = 0.97
	if out := mustCompile(t, p).DecideWith(c, opinion(modelDecide)); out.Action != casegate.Escalate {
		t.Errorf("below the floor: %s", out.AppendJSON(nil))
	}
	if out := mustCompile(t, deciding(pass, fail)).DecideWith(casegate.Case{}, opinion(modelDecide)); out.Confidence != 0.95*2/3/2 {
		t.Errorf("a model counts as one more rule: %v", out.Confidence)
	}
}

func TestJudge(t *testing.T) {
	pass, fail := casegate.Forbid{Condition: condition(false)}, casegate.Await{Check: "c", Accepted: []string{"ok"}}
	other := strings.Replace(modelDecide, `"OK"`, `"NO"`, 1)
	for _, tt := range []struct {
		name   string
		output string
		kind   casegate.Kind // nil: no case
		want   verdict.Verdict
		action casegate.Action
	}{
		{"a decide alone", modelDecide, nil, verdict.AutoApply, casegate.Decide},
		{"a decide that the rules confirm", modelDecide, pass, verdict.AutoApply, casegate.Decide},
		{"a decide that the rules don't confirm", modelDecide, fail, verdict.RouteToHuman, casegate.Escalate},
		{"another decision than the policy's", other, pass, verdict.RouteToHuman, casegate.Escalate},
		{"an escalate alone", modelEscalate, nil, verdict.RouteToHuman, casegate.Escalate},
		{"an escalate that the rules wouldn't give", modelEscalate, pass, verdict.RouteToHuman, casegate.Escalate},
		{"nothing", "", nil, verdict.RouteToHuman, casegate.Escalate},
		{"garbage", "{", pass, verdict.RouteToHuman, casegate.Escalate},
		{"a contradiction", strings.Replace(modelDecide, `"NONE"`, `"call"`, 1), nil, verdict.RouteToHuman, casegate.Escalate},
	} {
		p := deciding(casegate.Forbid{Condition: condition(false)})
		var c *casegate.Case
		if tt.kind != nil {
			p, c = deciding(tt.kind), &casegate.Case{ID: "x"}
		}
		p.Rejects, p.EnableAutoReject = []string{"NO"}, true
		g := mustCompile(t, p)
		out, report := g.Judge([]byte(tt.output), c)
		if r := g.Verdict(&out); r.Verdict != tt.want || out.Action != tt.action || report == nil {
			t.Errorf("%s: %s, %s", tt.name, r.Verdict, out.AppendJSON(nil))
		}
		if again := casegate.Validate(out.AppendJSON(nil), &p); len(again.Schema) > 0 {
			t.Errorf("%s: what counts breaks the schema: %v", tt.name, again.Schema)
		}
	}
	var none *casegate.Gate
	if out, _ := none.Judge([]byte(modelDecide), nil); out.Action != casegate.Escalate {
		t.Errorf("no gate: %s", cmp.Diff("", string(out.AppendJSON(nil))))
	}
}

// A model that decides something else than the policy doesn't agree with it.
func TestAModelThatDecidesOtherwise(t *testing.T) {
	p := deciding(casegate.Forbid{Condition: condition(false)})
	p.Rejects, p.Route = []string{"NO"}, text("AIR")
	g := mustCompile(t, p)
	for _, tt := range []struct {
		name, answer string
		action       casegate.Action
	}{
		{"the same decision", modelDecide, casegate.Decide},
		{"the same decision and route", strings.Replace(modelDecide, `"OK"`, `"OK","selected_route":"AIR"`, 1), casegate.Decide},
		{"the opposite", strings.Replace(modelDecide, `"OK"`, `"NO"`, 1), casegate.Escalate},
		{"another route", strings.Replace(modelDecide, `"OK"`, `"OK","selected_route":"SEA"`, 1), casegate.Escalate},
	} {
		out := g.DecideWith(casegate.Case{ID: "x"}, opinion(tt.answer))
		if out.Action != tt.action || tt.action == casegate.Escalate && (out.Category != casegate.InsufficientConfidence || out.Decision != "" || out.SelectedRoute != "") {
			t.Errorf("%s: %s", tt.name, out.AppendJSON(nil))
		}
		// The trail doesn't say that both agree and that they don't.
		if slices.Contains(out.AuditTrail, "model sentinel: passed") != (tt.action == casegate.Decide) {
			t.Errorf("%s: trail %q", tt.name, out.AuditTrail)
		}
		if r := g.Verdict(&out); (r.Verdict == verdict.AutoApply) != (tt.action == casegate.Decide) {
			t.Errorf("%s: %s", tt.name, r.Verdict)
		}
	}
}

package casegate_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/verdict"
)

// all six categories, each by a rule that fires.
func allSix() []casegate.Kind {
	return []casegate.Kind{
		casegate.Confidence{Signal: "s", Min: 1},
		casegate.Limit{Value: fact("n"), Max: f(1), Margin: f(1)},
		casegate.Await{Check: "c", Accepted: []string{"ok"}},
		casegate.Agree{Field: "x"},
		casegate.Require{Facts: []string{"y"}},
		casegate.Forbid{Condition: condition(true), Text: "always"},
	}
}

func TestSeveralCategories(t *testing.T) {
	p := deciding(allSix()...)
	p.Signals = map[string]casegate.Direction{"s": casegate.HigherIsSafer}
	p.Queues = map[casegate.Category]string{casegate.ConflictingSignals: "data-desk"}
	p.DefaultQueue = "desk"
	for i := range p.Rules {
		p.Rules[i].NextStep = "step of " + p.Rules[i].ID
	}
	c := casegate.Case{ID: "x", Facts: map[string]any{"n": int64(1)}, Signals: map[string]any{"s": 0.5}}
	out := mustCompile(t, p).Decide(c)
	if out.Category != casegate.PolicyViolation || out.HumanAction != "step of r5" || out.EscalationPath != "desk" || out.Confidence != 0 {
		t.Errorf("%s, %q, %q, %v", out.Category, out.HumanAction, out.EscalationPath, out.Confidence)
	}
	o := object(t, out)
	for category, block := range blocks {
		if o[block] == nil {
			t.Errorf("%s fired, but there is no %s", category, block)
		}
	}
	p.Order = []casegate.Category{
		casegate.ConflictingSignals, casegate.BoundaryCondition, casegate.PolicyViolation,
		casegate.MissingRequiredDocumentation, casegate.ExternalDependency, casegate.InsufficientConfidence,
	}
	out = mustCompile(t, p).Decide(c)
	if out.Category != casegate.ConflictingSignals || out.HumanAction != "step of r3" || out.EscalationPath != "data-desk" {
		t.Errorf("in another order: %s, %q, %q", out.Category, out.HumanAction, out.EscalationPath)
	}
}

func TestEveryRuleLeavesALine(t *testing.T) {
	p := deciding(casegate.Forbid{Condition: condition(false)}, casegate.Forbid{Condition: condition(true), Text: "facts.x"}, casegate.Forbid{Condition: unknown}, casegate.Forbid{Condition: condition(false)})
	out := mustCompile(t, p).Decide(casegate.Case{ID: "C-1", AsOf: "2026-11-30"})
	want := []string{
		"case C-1 as of 2026-11-30: 4 rules",
		"rule r0: passed",
		"rule r1: fired POLICY_VIOLATION: it is forbidden: facts.x",
		"rule r2: fired POLICY_VIOLATION: it can't be decided: nobody knows",
		"rule r3: passed",
		"escalated: POLICY_VIOLATION",
	}
	if diff := cmp.Diff(want, out.AuditTrail); diff != "" {
		t.Errorf("audit trail (-want +got):\n%s", diff)
	}
	if !slices.Equal(out.GatesPassed, []string{"r0", "r3"}) {
		t.Errorf("passed: %v", out.GatesPassed)
	}
}

func TestConfidenceScore(t *testing.T) {
	pass, fail := casegate.Forbid{Condition: condition(false)}, casegate.Await{Check: "c", Accepted: []string{"ok"}}
	signals := map[string]casegate.Direction{"a": casegate.HigherIsSafer, "fraud": casegate.LowerIsSafer}
	for _, tt := range []struct {
		name    string
		kinds   []casegate.Kind
		signals map[string]casegate.Direction
		values  map[string]any
		want    float64
	}{
		{"no signal is declared: by convention", []casegate.Kind{pass}, nil, nil, 1},
		{"the smallest", []casegate.Kind{pass}, signals, map[string]any{"a": 0.9, "fraud": 0.3}, 0.7},
		{"the other is the smallest", []casegate.Kind{pass}, signals, map[string]any{"a": 0.6, "fraud": 0.3}, 0.6},
		{"one is missing", []casegate.Kind{pass}, signals, map[string]any{"a": 0.9}, 0},
		{"one is out of range", []casegate.Kind{pass}, signals, map[string]any{"a": 1.5, "fraud": 0.0}, 0},
		{"one is NaN", []casegate.Kind{pass}, signals, map[string]any{"a": math.NaN(), "fraud": 0.0}, 0},
		{"escalated: half of the share that passed", []casegate.Kind{pass, pass, pass, fail}, signals, map[string]any{"a": 0.8, "fraud": 0.0}, 0.8 * 3 / 4 / 2},
		{"escalated: nothing passed", []casegate.Kind{fail}, signals, map[string]any{"a": 0.8, "fraud": 0.0}, 0},
		{"escalated with a violation", []casegate.Kind{pass, casegate.Forbid{Condition: condition(true)}}, signals, map[string]any{"a": 1.0, "fraud": 0.0}, 0},
		{"escalated with a missing paper", []casegate.Kind{pass, casegate.Require{Facts: []string{"x"}}}, signals, map[string]any{"a": 1.0, "fraud": 0.0}, 0},
	} {
		p := deciding(tt.kinds...)
		p.Signals = tt.signals
		out := mustCompile(t, p).Decide(casegate.Case{Signals: tt.values})
		if math.Abs(out.Confidence-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, out.Confidence, tt.want)
		}
		if out.Action == casegate.Escalate && out.Confidence >= 0.5 {
			t.Errorf("%s: escalated with a confidence of %v", tt.name, out.Confidence)
		}
	}
}

func TestWhatADecideNeeds(t *testing.T) {
	pass := casegate.Forbid{Condition: condition(false)}
	fails := func(casegate.Case) (string, error) { return "OK", errUnknown }
	panics := func(c casegate.Case) (string, error) { return c.Documents[0].ID, nil }
	for _, tt := range []struct {
		name   string
		change func(*casegate.Policy)
		key    string // in confidence_factors; empty: DECIDE
	}{
		{"a decision", func(*casegate.Policy) {}, ""},
		{"a decision that fails", func(p *casegate.Policy) { p.Decision = fails }, "decision_failed"},
		{"a decision that panics", func(p *casegate.Policy) { p.Decision = panics }, "decision_failed"},
		{"a decision that is empty", func(p *casegate.Policy) { p.Decision = text("") }, "decision_failed"},
		{"a decision that is blank", func(p *casegate.Policy) { p.Decision = text(" \n") }, "decision_failed"},
		{"a route", func(p *casegate.Policy) { p.Route = text("AIR") }, ""},
		{"a route that fails", func(p *casegate.Policy) { p.Route = fails }, "route_failed"},
		{"a route that is empty", func(p *casegate.Policy) { p.Route = text("") }, "route_failed"},
		{"confidence at the floor", func(p *casegate.Policy) { p.ConfidenceFloor = 0.9 }, ""},
		{"confidence below the floor", func(p *casegate.Policy) { p.ConfidenceFloor = 0.91 }, "confidence_floor"},
	} {
		p := deciding(pass)
		p.Signals = map[string]casegate.Direction{"s": casegate.HigherIsSafer}
		tt.change(&p)
		g := mustCompile(t, p)
		out := g.Decide(casegate.Case{Signals: map[string]any{"s": 0.9}})
		if tt.key == "" {
			if out.Action != casegate.Decide || out.Decision != "OK" || out.HumanAction != "NONE" || out.Rationale == "" || out.Category != "" {
				t.Errorf("%s: %s", tt.name, out.AppendJSON(nil))
			}
			continue
		}
		if _, ok := out.ConfidenceFactors[tt.key]; out.Action != casegate.Escalate || out.Category != casegate.InsufficientConfidence || !ok || out.Decision != "" || out.SelectedRoute != "" {
			t.Errorf("%s: %s", tt.name, out.AppendJSON(nil))
		}
	}
}

func TestFaultsOfTheCase(t *testing.T) {
	g := mustCompile(t, deciding(casegate.Forbid{Condition: condition(false)}, casegate.Forbid{Condition: condition(true)}))
	malformed := verdict.Fault{Code: verdict.InputMalformed, Detail: "1:1: not an object"}
	supervised := verdict.Fault{Code: verdict.GateSupervised}
	out := g.Decide(casegate.Case{Faults: []verdict.Fault{malformed}})
	if out.Category != casegate.InsufficientConfidence || out.Confidence != 0 || out.GatesPassed != nil || !slices.Contains(out.AuditTrail, "input_malformed: 1:1: not an object") || out.PolicyViolations != nil {
		t.Errorf("malformed: %s", out.AppendJSON(nil))
	}
	out = g.Decide(casegate.Case{Faults: []verdict.Fault{{Code: "something_new"}}})
	if out.Action != casegate.Escalate || out.Category != casegate.InsufficientConfidence {
		t.Errorf("another fault: %s", out.AppendJSON(nil))
	}
	out = g.Decide(casegate.Case{Faults: []verdict.Fault{supervised}})
	if out.Category != casegate.PolicyViolation || out.ExternalDependency["gate_supervised"].BlockingGate == "" {
		t.Errorf("supervised, with a violation: %s", out.AppendJSON(nil))
	}
	out = mustCompile(t, deciding(casegate.Forbid{Condition: condition(false)})).Decide(casegate.Case{Faults: []verdict.Fault{supervised}})
	if out.Action != casegate.Escalate || out.Category != casegate.ExternalDependency || !slices.Equal(out.GatesPassed, []string{"r0"}) {
		t.Errorf("supervised: %s", out.AppendJSON(nil))
	}
}

func TestAGateWithoutAPolicyEscalates(t *testing.T) {
	for name, g := range map[string]*casegate.Gate{"nil": nil, "zero": {}} {
		out := g.Decide(casegate.Case{})
		if out.Action != casegate.Escalate || out.Category != casegate.InsufficientConfidence || len(out.AuditTrail) == 0 {
			t.Errorf("%s: %s", name, out.AppendJSON(nil))
		}
		if r := g.Verdict(&out); r.Verdict != verdict.RouteToHuman {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestVerdict(t *testing.T) {
	p := casegate.Policy{
		Rules:    []casegate.Rule{{ID: "r", NextStep: "look", Kind: casegate.Forbid{Condition: condition(false)}}},
		Decision: text("OK"), Applies: []string{"OK"}, Rejects: []string{"NO"},
		EnableAutoApply: true, EnableAutoReject: true, WithoutConfidence: true,
		Queues: map[casegate.Category]string{casegate.PolicyViolation: "compliance"}, DefaultQueue: "desk", Paths: []string{"night"},
	}
	decide := casegate.Output{Action: casegate.Decide, Decision: "OK"}
	with := func(change func(*casegate.Output)) casegate.Output { o := decide; change(&o); return o }
	for _, tt := range []struct {
		name   string
		out    casegate.Output
		change func(*casegate.Policy)
		want   verdict.Verdict
		codes  string
		queue  string
	}{
		{"applied", decide, nil, verdict.AutoApply, "", ""},
		{"rejected", with(func(o *casegate.Output) { o.Decision = "NO" }), nil, verdict.AutoReject, "", ""},
		{"on neither list", with(func(o *casegate.Output) { o.Decision = "ok" }), nil, verdict.RouteToHuman, "decision_unlisted", "desk"},
		{"no decision", with(func(o *casegate.Output) { o.Decision = "" }), nil, verdict.RouteToHuman, "decision_unlisted", "desk"},
		{"auto_apply is off", decide, func(p *casegate.Policy) { p.EnableAutoApply = false }, verdict.RouteToHuman, "auto_apply_disabled", "desk"},
		{"auto_reject is off", with(func(o *casegate.Output) { o.Decision = "NO" }), func(p *casegate.Policy) { p.EnableAutoReject = false }, verdict.RouteToHuman, "auto_reject_disabled", "desk"},
		{"nobody says how sure", decide, func(p *casegate.Policy) { p.WithoutConfidence = false }, verdict.RouteToHuman, "confidence_undeclared", "desk"},
		{"escalated", casegate.Output{Action: casegate.Escalate, Category: casegate.BoundaryCondition}, nil, verdict.RouteToHuman, "case_escalated:BOUNDARY_CONDITION", "desk"},
		{"escalated to the queue of its category", casegate.Output{Action: casegate.Escalate, Category: casegate.PolicyViolation}, nil, verdict.RouteToHuman, "case_escalated:POLICY_VIOLATION", "compliance"},
		{"escalated to a queue that it may name", casegate.Output{Action: casegate.Escalate, Category: casegate.PolicyViolation, EscalationPath: "night"}, nil, verdict.RouteToHuman, "case_escalated:POLICY_VIOLATION", "night"},
		{"escalated to a queue of its own making", casegate.Output{Action: casegate.Escalate, Category: casegate.PolicyViolation, EscalationPath: "/dev/null"}, nil, verdict.RouteToHuman, "case_escalated:POLICY_VIOLATION", "compliance"},
		{"an action that is none", with(func(o *casegate.Output) { o.Action = "decide" }), nil, verdict.RouteToHuman, "case_escalated", "desk"},
		{"a decide with a category", with(func(o *casegate.Output) { o.Category = casegate.PolicyViolation }), nil, verdict.RouteToHuman, "case_escalated:POLICY_VIOLATION", "compliance"},
		{"nothing", casegate.Output{}, nil, verdict.RouteToHuman, "case_escalated", "desk"},
	} {
		q := p
		if tt.change != nil {
			tt.change(&q)
		}
		r := mustCompile(t, q).Verdict(&tt.out)
		codes := make([]string, len(r.Reasons))
		for i, reason := range r.Reasons {
			codes[i] = reason.String()
		}
		if r.Verdict != tt.want || strings.Join(codes, " ") != tt.codes || r.Queue != tt.queue {
			t.Errorf("%s: %s %v queue %q, want %s [%s] queue %q", tt.name, r.Verdict, codes, r.Queue, tt.want, tt.codes, tt.queue)
		}
	}
	if r := mustCompile(t, p).Verdict(nil); r.Verdict != verdict.RouteToHuman {
		t.Errorf("nil: %+v", r)
	}
}

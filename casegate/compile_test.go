package casegate_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/verdict"
)

func TestCompileRefuses(t *testing.T) {
	ok := casegate.Forbid{Condition: condition(false)}
	limit := func(l casegate.Limit) casegate.Limit { l.Value = fact("n"); return l }
	for _, tt := range []struct {
		name   string
		change func(*casegate.Policy)
		want   string
	}{
		{"no rules", func(p *casegate.Policy) { p.Rules = nil }, "/rules: a policy needs at least one rule"},
		{"no id", func(p *casegate.Policy) { p.Rules[0].ID = "" }, "/rules/0/id: the id is missing"},
		{"a long id", func(p *casegate.Policy) { p.Rules[0].ID = strings.Repeat("x", 129) }, "/rules/0/id: the id has 129 bytes"},
		{"two rules of one id", func(p *casegate.Policy) { p.Rules = append(p.Rules, p.Rules[0]) }, `/rules/1/id: another rule has the id "r0"`},
		{"an id of the gate's own", func(p *casegate.Policy) { p.Rules[0].ID = "gate_supervised" }, "/rules/0/id: \"gate_supervised\" is a name of the gate's own"},
		{"no next step", func(p *casegate.Policy) { p.Rules[0].NextStep = " " }, "/rules/0/next_step: the next step is missing"},
		{"a next step that is none", func(p *casegate.Policy) { p.Rules[0].NextStep = "NONE" }, "/rules/0/next_step: the next step of a person can't be NONE"},
		{"no kind", func(p *casegate.Policy) { p.Rules[0].Kind = nil }, "/rules/0: a rule needs one of require"},
		{"requires nothing", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Require{} }, "/rules/0/require: requires nothing"},
		{"requires an empty name", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Require{Facts: []string{"a", ""}} }, "/rules/0/require/facts/1: the name of a fact is empty"},
		{"requires twice", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Require{Documents: []string{"a", "a"}} }, `/rules/0/require/documents/1: document "a" is named twice`},
		{"forbids nothing", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Forbid{} }, "/rules/0/forbid: the condition is missing"},
		{"a limit of nothing", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Limit{Max: f(1)} }, "/rules/0/limit/value: the value is missing"},
		{"a limit without a bound", func(p *casegate.Policy) { p.Rules[0].Kind = limit(casegate.Limit{}) }, "/rules/0/limit: a limit needs max or min"},
		{"a limit that is NaN", func(p *casegate.Policy) { p.Rules[0].Kind = limit(casegate.Limit{Max: f(math.NaN())}) }, "/rules/0/limit/max: must be a finite number"},
		{"a limit upside down", func(p *casegate.Policy) { p.Rules[0].Kind = limit(casegate.Limit{Max: f(1), Min: f(2)}) }, "/rules/0/limit: min 2 is above max 1"},
		{"a negative margin", func(p *casegate.Policy) { p.Rules[0].Kind = limit(casegate.Limit{Max: f(1), Margin: f(-1)}) }, "/rules/0/limit/margin: must be a finite number of at least 0"},
		{"a margin that is NaN", func(p *casegate.Policy) { p.Rules[0].Kind = limit(casegate.Limit{Min: f(1), Margin: f(math.NaN())}) }, "/rules/0/limit/margin"},
		{"a signal that isn't declared", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Confidence{Signal: "s", Min: 0.5} }, `/rules/0/confidence/signal: signal "s" isn't declared`},
		{"a confidence above 1", func(p *casegate.Policy) {
			p.Signals = map[string]casegate.Direction{"s": casegate.HigherIsSafer}
			p.Rules[0].Kind = casegate.Confidence{Signal: "s", Min: 90}
		}, "/rules/0/confidence/min: must be from 0 to 1"},
		{"agree about nothing", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Agree{} }, "/rules/0/agree/field: the field is missing"},
		{"agree with itself", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Agree{Field: "x", MinSources: 1} }, "/rules/0/agree/min_sources: must be at least 2"},
		{"fewer sources than needed", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Agree{Field: "x", Sources: []string{"a"}} }, "/rules/0/agree/sources: names 1 sources, but 2 must have the field"},
		{"a negative tolerance", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Agree{Field: "x", Tolerance: -1} }, "/rules/0/agree/tolerance"},
		{"an endless tolerance", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Agree{Field: "x", Tolerance: math.Inf(1)} }, "/rules/0/agree/tolerance"},
		{"awaits nothing", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Await{Accepted: []string{"ok"}} }, "/rules/0/await/check: the check is missing"},
		{"accepts nothing", func(p *casegate.Policy) { p.Rules[0].Kind = casegate.Await{Check: "c"} }, "/rules/0/await/accepted: name at least one status"},
		{"an order of five", func(p *casegate.Policy) { p.Order = casegate.DefaultOrder()[:5] }, "/order: INSUFFICIENT_CONFIDENCE is missing"},
		{"an order with one twice", func(p *casegate.Policy) { p.Order = append(casegate.DefaultOrder(), casegate.PolicyViolation) }, "/order/6: POLICY_VIOLATION stands in the order twice"},
		{"an order with what is none", func(p *casegate.Policy) { p.Order = append(casegate.DefaultOrder(), "OTHER") }, `/order/6: "OTHER" isn't a category`},
		{"a direction that is none", func(p *casegate.Policy) { p.Signals = map[string]casegate.Direction{"s": "up"} }, `/signals/s/direction: "up" isn't a direction`},
		{"a floor above 1", func(p *casegate.Policy) { p.ConfidenceFloor = 1.1 }, "/confidence_floor: must be from 0 to 1"},
		{"a floor that is NaN", func(p *casegate.Policy) { p.ConfidenceFloor = math.NaN() }, "/confidence_floor: must be from 0 to 1"},
		{"no decision", func(p *casegate.Policy) { p.Decision = nil }, "/decision: the decision is missing"},
		{"applied and rejected", func(p *casegate.Policy) { p.Rejects = []string{"no", "OK"} }, `/rejects/1: "OK" stands in applies, too`},
		{"a queue of no category", func(p *casegate.Policy) { p.Queues = map[casegate.Category]string{"OTHER": "x"} }, `/queues/OTHER: "OTHER" isn't a category`},
		{"a queue without a name", func(p *casegate.Policy) {
			p.Queues = map[casegate.Category]string{casegate.PolicyViolation: ""}
		}, "/queues/POLICY_VIOLATION: the name of the queue is missing"},
	} {
		p := deciding(ok)
		tt.change(&p)
		g, err := casegate.Compile(p)
		var pe *verdict.PolicyError
		if g != nil || !errors.As(err, &pe) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// The gate keeps a copy: what happens to the policy later changes nothing.
func TestCompileCopies(t *testing.T) {
	p := deciding(casegate.Forbid{Condition: condition(false)})
	p.Queues = map[casegate.Category]string{casegate.PolicyViolation: "x"}
	g := mustCompile(t, p)
	p.Applies[0], p.Rules[0].ID, p.Queues[casegate.PolicyViolation] = "other", "other", "other"
	out := g.Decide(casegate.Case{ID: "x"})
	if r := g.Verdict(&out); r.Verdict != verdict.AutoApply || out.GatesPassed[0] != "r0" {
		t.Errorf("%+v, %v", r, out.GatesPassed)
	}
}

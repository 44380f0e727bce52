package policy

import (
	"slices"
	"sync"

	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
)

// Threshold is the gate of a policy file of kind threshold. It is immutable
// and safe for concurrent use.
type Threshold struct {
	policy  threshold.Policy
	gate    *threshold.Gate
	rules   []ruleSource
	risk    []ruleSource
	combine *expr.Program // nil if it has a name
	tests   []test
	reads   metaReads
	prefix  []byte // of an output line, from the gate's name on

	deciders sync.Pool // of *Decider, for those who bring one input at a time
}

// Gate returns the compiled gate.
func (t *Threshold) Gate() *threshold.Gate { return t.gate }

// ruleSource is what the file says of a rule or risk level.
type ruleSource struct {
	node *source.Node // of the condition
	text string       // the condition as people read it
	prog *expr.Program
}

// metaReads is which entries of meta the conditions and declarations look at.
type metaReads struct {
	whole bool
	keys  map[string]bool
	cel   map[string]bool // those that an expression reads, with all below
}

// inexact reports whether a number that can't be held, in the value of a key,
// may be read. In a list or object only an expression can read it.
func (r *metaReads) inexact(key string, value any) bool {
	return r.whole || r.cel[key] || r.keys[key] && !isCollection(value)
}

func isCollection(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

var thresholdKeys = append(slices.Clone(commonKeys),
	"signals", "bands", "combine", "rules", "enableAutoApply", "enableAutoReject", "risk", "queue")

func readThreshold(r *reader) *Threshold {
	r.known(r.root, "a threshold policy", thresholdKeys...)
	t := &Threshold{}
	p := &t.policy
	p.Signals = readSignals(r, r.root.Get("signals"))
	p.Bands = readBands(r, r.root.Get("bands"))
	p.EnableAutoApply = r.bool(r.root.Get("enableAutoApply"), "enableAutoApply")
	p.EnableAutoReject = r.bool(r.root.Get("enableAutoReject"), "enableAutoReject")

	c := newConditionReader(r, p)
	if n := r.root.Get("combine"); n != nil && r.is(n, source.String, "combine") {
		p.Combine, t.combine = c.combine(n)
	}
	t.readRules(r, c)
	t.readRisk(r, c)
	t.tests = readTests(r, r.root.Get("tests"))
	t.reads = c.reads

	gate, err := threshold.Compile(*p)
	if err != nil {
		r.compileProblems(err)
		return nil
	}
	t.gate = gate
	t.checkTests(r)
	return t
}

func readSignals(r *reader, n *source.Node) map[string]threshold.Signal {
	if n == nil || !r.is(n, source.Object, "signals") {
		return nil
	}
	signals := make(map[string]threshold.Signal, len(n.Members))
	for _, m := range n.Members {
		if !r.is(m.Value, source.Object, "a signal's declaration") {
			continue
		}
		r.known(m.Value, "a signal", "type", "range")
		var s threshold.Signal
		if t := m.Value.Get("type"); t != nil && r.is(t, source.String, "type") {
			s.Type = threshold.SignalType(t.Text)
		}
		if g := m.Value.Get("range"); g != nil {
			s.Range = readRange(r, g)
		}
		signals[m.Key] = s
	}
	return signals
}

func readRange(r *reader, n *source.Node) *threshold.Range {
	if !r.is(n, source.List, "range") {
		return nil
	}
	if len(n.Items) != 2 {
		r.problem(n.Pos, "range", "a range is [lowest, highest], both inclusive: two numbers, not %d", len(n.Items))
		return nil
	}
	lo, ok1 := r.number(n.Items[0], "the range's lower bound")
	hi, ok2 := r.number(n.Items[1], "the range's upper bound")
	if !ok1 || !ok2 {
		return nil
	}
	return &threshold.Range{Min: lo, Max: hi}
}

func readBands(r *reader, n *source.Node) map[string]threshold.BandConfig {
	if n == nil || !r.is(n, source.Object, "bands") {
		return nil
	}
	bands := make(map[string]threshold.BandConfig, len(n.Members))
	for _, m := range n.Members {
		if !r.is(m.Value, source.Object, "a band") {
			continue
		}
		r.known(m.Value, "a band", "highMin", "reviewMin")
		r.required(m.Value, "highMin", "reviewMin")
		high, low := m.Value.Get("highMin"), m.Value.Get("reviewMin")
		if high == nil || low == nil {
			continue
		}
		var b threshold.BandConfig
		var ok1, ok2 bool
		b.HighMin, ok1 = r.number(high, "highMin")
		b.ReviewMin, ok2 = r.number(low, "reviewMin")
		if ok1 && ok2 {
			bands[m.Key] = b
		}
	}
	return bands
}

func (t *Threshold) readRules(r *reader, c *conditionReader) {
	n := r.root.Get("rules")
	if n == nil || !r.is(n, source.List, "rules") {
		return
	}
	for _, item := range n.Items {
		var rule threshold.Rule
		var from ruleSource
		if r.is(item, source.Object, "a rule") {
			r.known(item, "a rule", "id", "when", "force", "reason")
			rule.ID = r.text(item, "id")
			rule.Force = threshold.Verdict(r.text(item, "force"))
			rule.Reason = r.text(item, "reason")
			if w := item.Get("when"); w != nil {
				rule.When, from = c.condition(w, false)
			}
		}
		t.policy.Rules = append(t.policy.Rules, rule)
		t.rules = append(t.rules, from)
	}
}

func (t *Threshold) readRisk(r *reader, c *conditionReader) {
	n := r.root.Get("risk")
	if n == nil || !r.is(n, source.List, "risk") {
		return
	}
	for _, item := range n.Items {
		var risk threshold.Risk
		var from ruleSource
		if r.is(item, source.Object, "a risk level") {
			r.known(item, "a risk level", "level", "when")
			risk.Level = threshold.RiskLevel(r.text(item, "level"))
			if w := item.Get("when"); w != nil {
				risk.When, from = c.condition(w, true)
			}
		}
		t.policy.Risk = append(t.policy.Risk, risk)
		t.risk = append(t.risk, from)
	}
}

// text reads a string member; an absent one is left to the compiler, which
// says what is missing.
func (r *reader) text(n *source.Node, key string) string {
	m := n.Get(key)
	if m == nil || !r.is(m, source.String, key) {
		return ""
	}
	return m.Text
}

package casegate

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/verdict"
)

// Gate is a compiled policy. It is immutable and safe for concurrent use. A
// nil or zero Gate escalates everything.
type Gate struct {
	policy Policy
	rules  []rule
	order  []Category
	names  []string // of the declared signals, in order
}

// rule is a rule and how it is evaluated.
type rule struct {
	Rule
	eval   func(*Case) finding
	passed string // the line of the audit trail
}

// Keys under which a block says what isn't about a rule. No rule may be called
// so.
const (
	keyMalformed  = string(verdict.InputMalformed)
	keySupervised = string(verdict.GateSupervised)
	keyDecision   = "decision_failed"
	keyRoute      = "route_failed"
	keyFloor      = "confidence_floor"
	keyNoRules    = "no_rules"
)

// reserved are those keys, and those of what may join in later.
var reserved = []string{keyMalformed, keySupervised, keyDecision, keyRoute, keyFloor, keyNoRules, keyModel, keyOutput}

// maxID bounds the ids of rules, in bytes.
const maxID = 128

// Compile checks a policy and makes a gate of it, which keeps a copy of the
// lists. If anything is wrong, the error is a *verdict.PolicyError with every
// problem and its place.
func Compile(p Policy) (*Gate, error) {
	c := compiler{policy: &p, gate: &Gate{}}
	c.rules()
	c.order()
	c.signals()
	c.outcome()
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	p.Applies, p.Rejects, p.Paths = slices.Clone(p.Applies), slices.Clone(p.Rejects), slices.Clone(p.Paths)
	queues := make(map[Category]string, len(p.Queues))
	for category, queue := range p.Queues {
		queues[category] = queue
	}
	p.Queues = queues
	c.gate.policy = p
	return c.gate, nil
}

// compiler collects the problems of one policy while it builds the gate.
type compiler struct {
	policy   *Policy
	gate     *Gate
	problems verdict.PolicyError
}

func (c *compiler) rules() {
	if len(c.policy.Rules) == 0 {
		c.problems.Add("/rules", "a policy needs at least one rule")
	}
	seen := map[string]bool{}
	for i, r := range c.policy.Rules {
		path := "/rules/" + strconv.Itoa(i)
		switch {
		case r.ID == "":
			c.problems.Add(path+"/id", "the id is missing")
		case len(r.ID) > maxID:
			c.problems.Add(path+"/id", "the id has %d bytes; %d are allowed", len(r.ID), maxID)
		case slices.Contains(reserved, r.ID):
			c.problems.Add(path+"/id", "%q is a name of the gate's own: call the rule otherwise", r.ID)
		case seen[r.ID]:
			c.problems.Add(path+"/id", "another rule has the id %q already", r.ID)
		}
		seen[r.ID] = true
		if blank(r.NextStep) {
			c.problems.Add(path+"/next_step", "the next step is missing: say what the person who gets the case must do")
		} else if strings.TrimSpace(r.NextStep) == NoAction {
			c.problems.Add(path+"/next_step", "the next step of a person can't be %s", NoAction)
		}
		c.gate.rules = append(c.gate.rules, rule{r, c.kind(path, r), "rule " + r.ID + ": passed"})
	}
}

// kind checks what a rule looks at, and returns how.
func (c *compiler) kind(path string, r Rule) func(*Case) finding {
	switch k := r.Kind.(type) {
	case Require:
		if len(k.Documents)+len(k.Facts) == 0 && k.Condition == nil {
			c.problems.Add(path+"/require", "requires nothing: name documents, facts or a condition")
		}
		c.named(path+"/require/documents", "document", k.Documents)
		c.named(path+"/require/facts", "fact", k.Facts)
		return k.eval
	case Forbid:
		if k.Condition == nil {
			c.problems.Add(path+"/forbid", "the condition is missing")
		}
		return k.eval
	case Limit:
		return c.limit(path+"/limit", k).eval
	case Confidence:
		d, declared := c.policy.Signals[k.Signal]
		if !declared {
			c.problems.Add(path+"/confidence/signal", "signal %q isn't declared in signals, with its direction", k.Signal)
		}
		if !(k.Min >= 0 && k.Min <= 1) {
			c.problems.Add(path+"/confidence/min", "must be from 0 to 1")
		}
		return confidencePlan{k, d}.eval
	case Agree:
		if k.Field == "" {
			c.problems.Add(path+"/agree/field", "the field is missing")
		}
		if !(k.Tolerance >= 0) || math.IsInf(k.Tolerance, 0) {
			c.problems.Add(path+"/agree/tolerance", "must be a number of at least 0")
		}
		if k.MinSources == 0 {
			k.MinSources = 2
		}
		if k.MinSources < 2 {
			c.problems.Add(path+"/agree/min_sources", "must be at least 2: one source always agrees with itself")
		}
		if k.Sources != nil && len(k.Sources) < k.MinSources {
			c.problems.Add(path+"/agree/sources", "names %d sources, but %d must have the field", len(k.Sources), k.MinSources)
		}
		c.named(path+"/agree/sources", "source", k.Sources)
		return k.eval
	case Await:
		if k.Check == "" {
			c.problems.Add(path+"/await/check", "the check is missing")
		}
		if len(k.Accepted) == 0 {
			c.problems.Add(path+"/await/accepted", "name at least one status that is accepted")
		}
		c.named(path+"/await/accepted", "status", k.Accepted)
		return k.eval
	case nil:
		c.problems.Add(path, "a rule needs one of require, forbid, limit, confidence, agree, await")
	default:
		c.problems.Add(path, "a rule can't look at a %T", k)
	}
	return nil
}

// limit checks the bounds and works out where the margin begins.
func (c *compiler) limit(path string, k Limit) limitPlan {
	plan := limitPlan{Limit: k}
	if k.Value == nil {
		c.problems.Add(path+"/value", "the value is missing")
	}
	if k.Max == nil && k.Min == nil {
		c.problems.Add(path, "a limit needs max or min")
	}
	for name, bound := range map[string]*float64{"max": k.Max, "min": k.Min} {
		if bound != nil && !finite(*bound) {
			c.problems.Add(path+"/"+name, "must be a finite number")
		}
	}
	if k.Max != nil && k.Min != nil && *k.Min > *k.Max {
		c.problems.Add(path, "min %v is above max %v", *k.Min, *k.Max)
	}
	if k.Margin == nil {
		return plan
	}
	if !finite(*k.Margin) || *k.Margin < 0 {
		c.problems.Add(path+"/margin", "must be a finite number of at least 0")
		return plan
	}
	if k.Max != nil && finite(*k.Max) {
		plan.nearMax = startOfMargin(new(big.Rat).Sub(decimal(*k.Max), decimal(*k.Margin)))
	}
	if k.Min != nil && finite(*k.Min) {
		plan.nearMin = startOfMargin(new(big.Rat).Add(decimal(*k.Min), decimal(*k.Margin)))
	}
	return plan
}

// named wants names that aren't empty, each once.
func (c *compiler) named(path, what string, names []string) {
	for i, name := range names {
		switch {
		case name == "":
			c.problems.Add(path+"/"+strconv.Itoa(i), "the name of a %s is empty", what)
		case slices.Contains(names[:i], name):
			c.problems.Add(path+"/"+strconv.Itoa(i), "%s %q is named twice", what, name)
		}
	}
}

func (c *compiler) order() {
	all := DefaultOrder()
	c.gate.order = all
	if c.policy.Order == nil {
		return
	}
	for i, category := range c.policy.Order {
		path := "/order/" + strconv.Itoa(i)
		if !slices.Contains(all, category) {
			c.problems.Add(path, "%q isn't a category: use %s", category, list(all))
		} else if slices.Contains(c.policy.Order[:i], category) {
			c.problems.Add(path, "%s stands in the order twice", category)
		}
	}
	for _, category := range all {
		if !slices.Contains(c.policy.Order, category) {
			c.problems.Add("/order", "%s is missing: the order names all six categories", category)
		}
	}
	c.gate.order = slices.Clone(c.policy.Order)
}

func (c *compiler) signals() {
	for name, d := range c.policy.Signals {
		path := "/signals/" + verdict.PointerToken(name)
		switch {
		case name == "":
			c.problems.Add(path, "the name of a signal is empty")
		case d != HigherIsSafer && d != LowerIsSafer:
			c.problems.Add(path+"/direction", "%q isn't a direction: use higher_is_safer or lower_is_safer", d)
		}
		c.gate.names = append(c.gate.names, name)
	}
	slices.Sort(c.gate.names)
	if !(c.policy.ConfidenceFloor >= 0 && c.policy.ConfidenceFloor <= 1) {
		c.problems.Add("/confidence_floor", "must be from 0 to 1")
	}
}

// outcome checks what becomes of a case that nothing speaks against, and of the
// others.
func (c *compiler) outcome() {
	p := c.policy
	if p.Decision == nil {
		c.problems.Add("/decision", "the decision is missing: what is a case that nothing speaks against?")
	}
	for name, decisions := range map[string][]string{"applies": p.Applies, "rejects": p.Rejects} {
		c.named("/"+name, "decision", decisions)
	}
	for i, d := range p.Rejects {
		if slices.Contains(p.Applies, d) {
			c.problems.Add("/rejects/"+strconv.Itoa(i), "%q stands in applies, too", d)
		}
	}
	for category, queue := range p.Queues {
		path := "/queues/" + verdict.PointerToken(string(category))
		if !slices.Contains(DefaultOrder(), category) {
			c.problems.Add(path, "%q isn't a category: use %s", category, list(DefaultOrder()))
		}
		if blank(queue) {
			c.problems.Add(path, "the name of the queue is missing")
		}
	}
	c.named("/paths", "queue", p.Paths)
	slices.SortStableFunc(c.problems.Problems, func(a, b verdict.Problem) int { return strings.Compare(a.Path, b.Path) })
}

func list(categories []Category) string {
	names := make([]string, len(categories))
	for i, category := range categories {
		names[i] = string(category)
	}
	return strings.Join(names, ", ")
}

// blank reports texts in which nobody sees anything.
func blank(s string) bool { return invisible(s) }

func finite(f float64) bool { return f-f == 0 }

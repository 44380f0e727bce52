package casegate

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawlgate/pawl/verdict"
)

// Decide looks at one case. It can't fail and can't panic: whatever is wrong
// escalates and says so. The same case always gives the same output, byte for
// byte as JSON.
func (g *Gate) Decide(c Case) Output { return g.DecideWith(c, nil) }

// DecideWith is Decide with a model's second opinion, which counts as one more
// rule; nil is none.
func (g *Gate) DecideWith(c Case, o *Opinion) Output {
	if g == nil || len(g.rules) == 0 {
		d := decider{gate: &Gate{order: DefaultOrder()}, c: &c}
		d.note("no rule is there to be evaluated")
		d.fire(keyNoRules, InsufficientConfidence, Factors{AmbiguousSignals: []string{}, WhyUncertain: "the gate has no valid policy"}, "Decide the case: no policy speaks for it.")
		return d.escalated(0)
	}
	d := decider{gate: g, c: &c}
	d.begin()
	for _, f := range c.Faults {
		d.fault(f)
	}
	if d.malformed {
		return d.escalated(0)
	}
	passes, total := d.rules(), len(g.rules)
	conf := d.confidence()
	if o != nil {
		total++
		agrees, sure := d.opinion(o)
		if agrees {
			passes++
		}
		if sure < conf {
			conf = sure
			d.out.ConfidenceReasoning += "; the model's is smaller: " + decimalText(sure)
		}
	}
	if !d.escalates() {
		d.decide(conf)
	}
	if d.escalates() {
		return d.escalated(conf * float64(passes) / float64(total) / 2)
	}
	d.out.Action, d.out.Confidence, d.out.HumanAction = Decide, conf, NoAction
	d.out.Rationale = fmt.Sprintf("all %d rules passed", len(g.rules))
	d.note("decided: nothing speaks against it")
	return d.out
}

// decider is one decision on its way.
type decider struct {
	gate      *Gate
	c         *Case
	out       Output
	fired     map[Category]string // the next step of the first that fired
	malformed bool
}

// note appends a line to the audit trail.
func (d *decider) note(format string, args ...any) {
	d.out.AuditTrail = append(d.out.AuditTrail, fmt.Sprintf(format, args...))
}

func (d *decider) begin() {
	asOf := string(d.c.AsOf)
	if asOf == "" {
		asOf = "no given day"
	}
	id := d.c.ID
	if blank(id) {
		id = "without an id"
	}
	d.out.AuditTrail = make([]string, 0, len(d.gate.rules)+2)
	d.note("case %s as of %s: %d rules", id, asOf, len(d.gate.rules))
}

// fault takes what was wrong before any rule was evaluated.
func (d *decider) fault(f verdict.Fault) {
	why := f.Reason().Message
	switch f.Code {
	case verdict.GateSupervised:
		d.note("the gate is supervised: %s", why)
		d.fire(keySupervised, ExternalDependency, Dependency{Awaiting: "the gate's release", BlockingGate: keySupervised}, "Decide the case: the gate is supervised.")
	default:
		d.malformed = true
		d.note("%s: %s", f.Code, why)
		d.fire(keyMalformed, InsufficientConfidence, Factors{AmbiguousSignals: []string{}, WhyUncertain: why}, "Correct the case and submit it again.")
	}
}

// rules evaluates all of them, whatever the others say, and returns how many
// passed.
func (d *decider) rules() (passes int) {
	d.out.Rules = make([]RuleOutcome, 0, len(d.gate.rules))
	d.out.GatesPassed = make([]string, 0, len(d.gate.rules))
	for i := range d.gate.rules {
		r := &d.gate.rules[i]
		f := r.eval(d.c)
		d.out.Rules = append(d.out.Rules, RuleOutcome{r.ID, f.category, f.why})
		if !f.fired {
			passes++
			d.out.AuditTrail = append(d.out.AuditTrail, r.passed)
			d.out.GatesPassed = append(d.out.GatesPassed, r.ID)
			continue
		}
		d.note("rule %s: fired %s: %s", r.ID, f.category, f.why)
		d.fire(r.ID, f.category, r.block(f), r.NextStep)
	}
	return passes
}

// fire notes that something speaks against the case, and its entry in a block.
func (d *decider) fire(key string, category Category, entry any, nextStep string) {
	if d.fired == nil {
		d.fired = map[Category]string{}
	}
	if _, there := d.fired[category]; !there {
		d.fired[category] = nextStep
	}
	switch e := entry.(type) {
	case Violation:
		put(&d.out.PolicyViolations, key, e)
	case Missing:
		put(&d.out.MissingPreconditions, key, e)
	case Boundary:
		put(&d.out.BoundaryAnalysis, key, e)
	case Factors:
		put(&d.out.ConfidenceFactors, key, e)
	case Conflict:
		d.out.ConflictingSignals = append(d.out.ConflictingSignals, e)
	case Dependency:
		put(&d.out.ExternalDependency, key, e)
	}
}

func put[E any](m *map[string]E, key string, e E) {
	if *m == nil {
		*m = map[string]E{}
	}
	(*m)[key] = e
}

// block is the entry of a fired rule.
func (r *rule) block(f finding) any {
	switch f.category {
	case PolicyViolation:
		v := Violation{
			Policy: r.Policy, Regulation: r.Regulation, Restriction: r.Restriction, Consequence: r.Consequence,
			Severity: r.Severity, Owner: r.Owner, Reason: f.why,
		}
		if b, ok := f.detail.(Boundary); ok {
			v.PolicyThreshold, v.Value, v.Distance = b.PolicyThreshold, b.Value, b.Distance
		}
		return v
	case MissingRequiredDocumentation:
		missing, _ := f.detail.([]string)
		return Missing{r.RequiredBy, r.Regulation, r.Severity, r.Owner, f.why, missing}
	case BoundaryCondition:
		b, _ := f.detail.(Boundary)
		b.Owner = r.Owner
		return b
	case ConflictingSignals:
		values, _ := f.detail.([]SourceValue)
		if values == nil {
			values = []SourceValue{}
		}
		field := ""
		if k, ok := r.Kind.(Agree); ok {
			field = k.Field
		}
		return Conflict{r.ID, field, values, f.why, r.Owner}
	case ExternalDependency:
		status, _ := f.detail.(string)
		awaiting := ""
		if k, ok := r.Kind.(Await); ok {
			awaiting = k.Check
		}
		return Dependency{awaiting, r.ID, status, r.Owner}
	default:
		signals, _ := f.detail.([]string)
		return Factors{signals, f.why, r.Owner}
	}
}

func (d *decider) escalates() bool { return len(d.fired) > 0 }

// confidence is the smallest one of the declared signals, 1 if none is declared.
func (d *decider) confidence() float64 {
	lowest, from := 1.0, ""
	for _, name := range d.gate.names {
		conf, why := confidence(d.c, name, d.gate.policy.Signals[name])
		if why != "" {
			d.note("%s: its confidence counts as 0", why)
		}
		if from == "" || conf < lowest {
			lowest, from = conf, name
		}
	}
	if from == "" {
		d.out.ConfidenceReasoning = "no confidence signal: by convention 1"
	} else {
		d.out.ConfidenceReasoning = fmt.Sprintf("the smallest confidence of the declared signals (%s) is that of %s: %s", strings.Join(d.gate.names, ", "), from, decimalText(lowest))
	}
	return lowest
}

// decide makes up the decision of a case that no rule speaks against.
func (d *decider) decide(conf float64) {
	p := &d.gate.policy
	uncertain := func(key, why, nextStep string) {
		d.note("%s: %s", key, why)
		d.fire(key, InsufficientConfidence, Factors{AmbiguousSignals: []string{}, WhyUncertain: why}, nextStep)
	}
	if conf < p.ConfidenceFloor {
		uncertain(keyFloor, fmt.Sprintf("the confidence %s is below the floor %s", decimalText(conf), decimalText(p.ConfidenceFloor)), "Decide the case: the confidence is too low.")
	}
	decision, why := given(p.Decision, d.c)
	if why != "" {
		uncertain(keyDecision, "the policy's decision "+why, "Decide the case: the policy gives no decision.")
	}
	route := ""
	if p.Route != nil {
		if route, why = given(p.Route, d.c); why != "" {
			uncertain(keyRoute, "the policy's route "+why, "Choose a route: the policy gives none.")
		}
	}
	if !d.escalates() {
		d.out.Decision, d.out.SelectedRoute = decision, route
	}
}

// given asks for a text, and says why there is none.
func given(f Text, c *Case) (text, why string) {
	text, err := f.eval(c)
	switch {
	case err != nil:
		return "", "can't be evaluated: " + err.Error()
	case blank(text):
		return "", "is empty"
	default:
		return text, ""
	}
}

// belowHalf is the most that an escalated case can have.
var belowHalf = math.Nextafter(0.5, 0)

// escalated finishes an output that somebody must look at. The confidence is 0
// with a violation or a missing document.
func (d *decider) escalated(conf float64) Output {
	_, violated := d.fired[PolicyViolation]
	_, incomplete := d.fired[MissingRequiredDocumentation]
	conf = min(conf, belowHalf)
	if violated || incomplete || !(conf >= 0) {
		conf = 0
	}
	d.out.Action, d.out.Confidence = Escalate, conf
	for _, category := range d.gate.order {
		nextStep, fired := d.fired[category]
		if !fired {
			continue
		}
		d.out.Category, d.out.HumanAction = category, nextStep
		d.out.EscalationPath = d.gate.policy.Queues[category]
		if d.out.EscalationPath == "" {
			d.out.EscalationPath = d.gate.policy.DefaultQueue
		}
		break
	}
	total, passes := len(d.gate.rules), len(d.out.GatesPassed)
	reasoning := fmt.Sprintf("escalated: %d of %d rules passed", passes, total)
	if d.malformed {
		reasoning = "escalated: no rule was evaluated"
	}
	if d.out.ConfidenceReasoning != "" {
		reasoning += "; " + d.out.ConfidenceReasoning
	}
	d.out.ConfidenceReasoning = reasoning
	d.note("escalated: %s", d.out.Category)
	return d.out
}

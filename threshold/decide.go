package threshold

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pawlgate/pawl/verdict"
)

// Decide compiles the policy and decides once, as the contract's decide(signals,
// policy) does. An invalid policy is the fault policy_invalid. Whoever decides
// more than once compiles once: [Compile], then [Gate.Decide].
func Decide(s Signals, p Policy) Decision {
	g, err := Compile(p)
	if err != nil {
		var d Decision
		refuse(&d, s.Faults, err.Error())
		return d
	}
	return g.Decide(s)
}

// Decide decides. It can't fail and can't panic: whatever is wrong becomes a
// reason and a person. The same signals always give the same decision, byte
// for byte as JSON.
func (g *Gate) Decide(s Signals) Decision {
	var d Decision
	g.DecideInto(&d, s)
	return d
}

// DecideInto is Decide into a decision that is used again: its slices are
// overwritten, so whatever is kept of it must be copied first. It allocates
// nothing once the slices are long enough and no fault needs a message.
func (g *Gate) DecideInto(d *Decision, s Signals) {
	if g == nil || !g.valid {
		refuse(d, s.Faults, "the gate has no valid policy")
		return
	}
	if g.small {
		slots := Slots{gate: g} // on the stack
		slots.fill(&s)
		g.decide(d, &slots, &s)
		return
	}
	slots := g.slots.Get().(*Slots)
	slots.fill(&s)
	g.decide(d, slots, &s)
	slots.Reset()
	g.slots.Put(slots)
}

// DecideSlots is DecideInto for signals that a decoder laid out with
// [Gate.NewSlots]. In a gate that [Gate.NeedsSignals] every closure is
// unknown here. The slots must be Reset before they are filled again.
func (g *Gate) DecideSlots(d *Decision, s *Slots) {
	if g == nil || !g.valid || s == nil || s.gate != g {
		var faults []Fault
		if s != nil {
			faults = s.faults
		}
		refuse(d, faults, "the slots belong to another gate, or the gate has no valid policy")
		return
	}
	g.decide(d, s, nil)
}

func refuse(d *Decision, faults []Fault, why string) {
	d.reset()
	d.Verdict = RouteToHuman
	faults = append(slices.Clone(faults), Fault{Code: verdict.PolicyInvalid, Detail: why})
	d.addFaults(verdict.SortFaults(faults))
}

// decide is the algorithm, top to bottom.
func (g *Gate) decide(d *Decision, in *Slots, s *Signals) {
	d.reset()
	d.reserve(len(g.bands))
	if g.declares || in.hasDirect || in.inexact || len(in.faults) > 0 {
		in.settle()
	}

	// 1. Band every configured score; 2. combine the bands.
	lowest := g.band(d, in)
	candidate := suggests(lowest)
	if g.combine != nil || len(g.bands) == 0 {
		candidate = g.combined(d, in)
	}

	// 3. Evaluate every rule. 4. The safest outcome wins.
	human, reject := g.fire(d, in, s)
	switch {
	case human:
		candidate = toHuman
	case reject:
		candidate = toReject
	}

	// 5. Safety: an automatic verdict survives only if nothing speaks against it.
	blocked := len(in.faults) > 0
	if len(g.bands) == 0 {
		d.addSafety(CodeNoBands, "the policy has no bands, so no score speaks for anything")
		blocked = blocked || candidate == toApply
	}
	switch candidate {
	case toApply:
		if lowest != levelHigh {
			d.addSafety(CodeNotAllHigh, "combine said auto_apply, but not every band is high")
			blocked = true
		}
		if !g.enableAutoApply {
			d.addSafety(CodeAutoApplyDisabled, "auto_apply isn't switched on (enableAutoApply)")
			blocked = true
		}
	case toReject:
		if !g.enableAutoReject {
			d.addSafety(CodeAutoRejectDisabled, "auto_reject isn't switched on (enableAutoReject)")
			blocked = true
		}
	}
	if len(in.faults) > 0 {
		in.faults = verdict.SortFaults(in.faults)
		d.addFaults(in.faults)
	}

	// 6. One way only: what is blocked goes to a person.
	if blocked {
		candidate = toHuman
	}
	d.Verdict = outcomes[candidate]
	if len(g.risk) > 0 {
		d.Risk = g.assess(d, in, s)
	}
}

// band fills in the bands and their reasons and returns the lowest level; it is
// review if there are none.
func (g *Gate) band(d *Decision, in *Slots) (lowest level) {
	if len(g.bands) == 0 {
		return levelReview
	}
	lowest = levelHigh
	bands, reasons := d.Bands[:len(g.bands)], d.Reasons[:len(g.bands)]
	for i := range g.bands {
		b := &g.bands[i]
		v := in.score(b.slot)
		at, why := levelReview, faulty
		switch v.state {
		case scorePresent:
			at = levelLow
			if v.value >= b.low {
				at = levelReview
			}
			if v.value >= b.high {
				at = levelHigh
			}
			why = at
		case scoreAbsent:
			in.AddFault(Fault{Code: verdict.ScoreMissing, Subject: b.name, Detail: "score " + b.name + " is missing"})
		}
		lowest = min(lowest, at)
		bands[i] = ScoreBand{b.name, levelBands[at]}
		reasons[i] = b.reasons[why]
	}
	d.Bands, d.Reasons = bands, reasons
	return lowest
}

// combined asks the policy's own combine. Without bands nothing is asked.
func (g *Gate) combined(d *Decision, in *Slots) outcome {
	if len(g.bands) == 0 {
		return toHuman
	}
	// A combine gets bands of its own: what it does to them changes nothing.
	v, err := callCombine(g.combine, slices.Clone(d.Bands))
	switch {
	case err != nil:
		in.AddFault(Fault{Code: verdict.CombineInvalid, Detail: "combine: " + err.Error()})
		return toHuman
	case !v.Valid():
		in.AddFault(Fault{Code: verdict.CombineInvalid, Detail: "combine answered something that isn't a verdict"})
		return toHuman
	}
	return outcome(slices.Index(outcomes[:], v))
}

// fire evaluates all rules and reports whether one forces a person, and
// whether one forces a rejection. The declarative forms are answered right
// here where nothing is missing or odd, which is nearly always; eval answers
// everything.
func (g *Gate) fire(d *Decision, in *Slots, s *Signals) (human, reject bool) {
	for i := range g.rules {
		r := &g.rules[i]
		var holds, known bool
		switch c := &r.cond; c.kind {
		case condFlag:
			holds, known = *in.flag(c.slot), true
		case condMeta:
			f := in.field(c.slot)
			holds, known = f.Float < c.bound, f.Kind == KindFloat
		case condScore:
			v := in.score(c.slot)
			holds, known = v.value < c.bound, v.state == scorePresent
		}
		if !known {
			var err error
			if holds, err = r.cond.eval(in, s, nil); err != nil {
				human = true
				in.AddFault(Fault{Code: verdict.RuleError, Subject: r.id, Detail: "rule " + r.id + " can't be decided: " + err.Error()})
				continue
			}
		}
		if holds {
			human = human || r.human
			reject = reject || !r.human
			d.Reasons = append(d.Reasons, r.reason)
		}
	}
	return human, reject
}

func (g *Gate) assess(d *Decision, in *Slots, s *Signals) RiskLevel {
	for i := range g.risk {
		r := &g.risk[i]
		holds, err := r.cond.eval(in, s, d.Bands)
		if err != nil {
			return RiskCritical
		}
		if holds {
			return r.level
		}
	}
	return ""
}

var errNoSignals = errors.New("the condition needs whole signals, which this way of deciding doesn't have")

// eval answers every condition; an error means that it is unknown.
func (c *condPlan) eval(in *Slots, s *Signals, b Bands) (bool, error) {
	switch c.kind {
	case condFlag:
		return *in.flag(c.slot), nil
	case condMeta:
		return c.cond.(MetaNumberLessThan).below(*in.field(c.slot))
	case condScore:
		v := in.score(c.slot)
		if v.state == scorePresent {
			return v.value < c.bound, nil
		}
		name := in.gate.scores.names[c.slot]
		if v.state == scoreAbsent {
			return false, fmt.Errorf("score %s is absent", name)
		}
		return false, fmt.Errorf("score %s has a fault", name)
	default:
		if s == nil {
			return false, errNoSignals
		}
		return callCondition(c.cond, s, b)
	}
}

func callCondition(c Condition, s *Signals, b Bands) (holds bool, err error) {
	defer verdict.Recovered(&err)
	if f, ok := c.(bandCondition); ok {
		holds, err = f.HoldsWith(*s, slices.Clone(b))
	} else {
		holds, err = c.Holds(*s)
	}
	return holds, verdict.Flatten(err)
}

func callCombine(c Combine, b Bands) (v Verdict, err error) {
	defer verdict.Recovered(&err)
	v, err = c(b)
	return v, verdict.Flatten(err)
}

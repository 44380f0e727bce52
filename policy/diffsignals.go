package policy

import (
	"fmt"
	"slices"

	"github.com/pawlgate/pawl/threshold"
)

// signals compares what is declared. New declarations come before all other
// changes, when no condition reads the name yet (unless nothing was declared).
func (d *differ) signals() {
	a, b := d.a.policy.Signals, d.b.policy.Signals
	switch {
	case a == nil && b != nil:
		d.add("signals", absent, plural(len(b)), effects{other, other}, because{
			NotComparable: "it checks more, but a table (CSV), which A doesn't read, can be decided",
		})
	case a != nil && b == nil:
		d.add("signals", plural(len(a)), absent, effects{more, more}, because{
			Looser: "nothing is checked, and any name can be read",
		})
	}
	for _, name := range union(a, b) {
		old, inA := a[name]
		now, inB := b[name]
		key := "signals." + name
		switch {
		case !inA:
			d.signalAdded(key, name, now)
		case !inB:
			d.add(key, signalText(old), absent, effects{more, more}, because{Looser: "it isn't checked any more"})
		default:
			if old.Type != now.Type {
				d.add(key+".type", string(old.Type), string(now.Type), effects{other, other}, because{NotComparable: "other values pass, and may be read differently"})
			}
			d.signalRange(key+".range", old.Range, now.Range)
		}
	}
}

func plural(n int) string {
	if n == 1 {
		return "1 declared"
	}
	return fmt.Sprintf("%d declared", n)
}

func signalText(s threshold.Signal) string {
	if s.Range == nil {
		return string(s.Type)
	}
	return fmt.Sprintf("%s %s", s.Type, s.Range)
}

// signalAdded: a declaration only adds faults, but a declared number is read as
// a double, which an expression can tell: 5 / 2 is 2, and 5.0 / 2 is 2.5.
func (d *differ) signalAdded(key, name string, s threshold.Signal) {
	e := effects{fewer, fewer}
	if s.Type == threshold.TypeNumber {
		r := newReads()
		for i, rule := range d.a.policy.Rules {
			r.condition(rule.When, d.a.Threshold.rules[i])
		}
		if r.whole || r.cel[name] {
			e = effects{other, other}
		}
	}
	d.add(key, absent, signalText(s), e, because{
		Tighter:       "what isn't as declared goes to a person",
		NotComparable: "a declared number is read as a double, so a condition that reads it may calculate differently",
	})
}

func (d *differ) signalRange(key string, a, b *threshold.Range) {
	text := func(r *threshold.Range) string {
		if r == nil {
			return absent
		}
		return r.String()
	}
	var e effects
	switch {
	case a == nil && b == nil || a != nil && b != nil && *a == *b:
		return
	case b == nil || a != nil && b.Min <= a.Min && b.Max >= a.Max:
		e = effects{more, more}
	case a == nil || b.Min >= a.Min && b.Max <= a.Max:
		e = effects{fewer, fewer}
	default:
		e = effects{other, other}
	}
	d.add(key, text(a), text(b), e, because{Tighter: "fewer values pass", Looser: "more values pass", NotComparable: "other values pass"})
}

// risk compares the risk levels, as the last of all changes. They never change a
// verdict, but what they read is held to be whole: a number that can't be held,
// or two values for one score, are faults wherever they are read.
func (d *differ) risk() {
	a, b := &d.a.policy.Risk, &d.b.policy.Risk
	same := slices.EqualFunc(*a, *b, func(x, y threshold.Risk) bool { return x.Level == y.Level })
	for i := range *a {
		same = same && sameCondition((*a)[i].When, d.a.Threshold.risk[i], (*b)[i].When, d.b.Threshold.risk[i])
	}
	if same {
		return
	}
	before, after, rest := newReads(), newReads(), newReads()
	before.risk(d.a)
	after.risk(d.b)
	rest.others(d.b)
	gone, come := before.beyond(after, rest), after.beyond(before, rest)
	var e effects
	why := because{Same: "risk orders the review queue and never changes a verdict"}
	switch {
	case gone != "":
		e = effects{more, more}
		why[Looser] = "B doesn't read " + gone + " any more, so a fault in it isn't seen"
	case come != "":
		e = effects{fewer, fewer}
		why[Tighter] = "B reads " + come + ", too, so a fault in it is seen"
	}
	d.add("risk", d.a.riskText(), d.b.riskText(), e, why)
}

func (s side) riskText() string {
	if len(s.policy.Risk) == 0 {
		return absent
	}
	text := ""
	for i, r := range s.policy.Risk {
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s when %s", r.Level, conditionText(r.When, s.Threshold.risk[i]))
	}
	return text
}

// reads is where a gate finds faults only because it looks there.
type reads struct {
	score bool            // score and scores.score must agree
	whole bool            // all of meta
	cel   map[string]bool // entries of meta that an expression reads, with all below
	field map[string]bool // entries of meta that are declared or compared as numbers
}

func newReads() *reads { return &reads{cel: map[string]bool{}, field: map[string]bool{}} }

// risk adds what the risk levels read.
func (r *reads) risk(s side) {
	for i, level := range s.policy.Risk {
		r.condition(level.When, s.Threshold.risk[i])
	}
}

// others adds what all but the risk levels reads.
func (r *reads) others(s side) {
	p := &s.policy
	_, banded := p.Bands["score"]
	r.score = r.score || banded || p.Signals["score"].Type == threshold.TypeScore
	for name, sig := range p.Signals {
		switch sig.Type {
		case threshold.TypeNumber, threshold.TypeInteger, threshold.TypeString, threshold.TypeBoolean:
			r.field[name] = true
		}
	}
	for i, rule := range p.Rules {
		r.condition(rule.When, s.Threshold.rules[i])
	}
}

func (r *reads) condition(cond threshold.Condition, from ruleSource) {
	switch w := cond.(type) {
	case threshold.MetaNumberLessThan:
		r.field[w.Key] = true
	case threshold.ScoreBelow:
		r.score = r.score || w.Name == "score"
	}
	if from.prog == nil {
		return
	}
	for _, read := range from.prog.Reads() {
		switch {
		case read.Var == "score" || read.Var == "scores" && (read.Whole || read.Key == "score"):
			r.score = true
		case read.Var == "meta" && read.Whole:
			r.whole = true
		case read.Var == "meta":
			r.cel[read.Key] = true
		}
	}
}

// beyond names something that r reads and neither of the two others does, or
// not as closely; empty if there is nothing.
func (r *reads) beyond(x, y *reads) string {
	switch {
	case r.score && !x.score && !y.score:
		return "score"
	case r.whole && !x.whole && !y.whole:
		return "all of meta"
	}
	for _, key := range sortedKeys(r.cel) {
		if !x.whole && !y.whole && !x.cel[key] && !y.cel[key] {
			return "meta." + key
		}
	}
	for _, key := range sortedKeys(r.field) { // a field isn't what an expression reads: see FieldOf
		if !x.field[key] && !y.field[key] {
			return "meta." + key
		}
	}
	return ""
}

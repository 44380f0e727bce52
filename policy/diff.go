package policy

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/threshold"
)

// Direction is where a change moves verdicts, in the sense of verdict.Looser.
type Direction string

// The directions.
const (
	// Same: every input gets the same verdict, and nothing binds more easily.
	Same Direction = "same"
	// Tighter: no input whatever gets a looser verdict, and nothing binds more
	// easily.
	Tighter Direction = "tighter"
	// Looser: some inputs can get a looser verdict, or something binds more easily.
	Looser Direction = "looser"
	// NotComparable: nobody can tell, or some things are tighter and others
	// looser.
	NotComparable Direction = "not_comparable"
)

// Change is one difference between two policies.
type Change struct {
	Key       string    `json:"key"` // "bands.fraud_ok.highMin", "rules.large-amount.when"
	Old       string    `json:"old"` // for people; "–" if there was none
	New       string    `json:"new"`
	Direction Direction `json:"direction"` // of this change alone, made in the new policy
	Why       string    `json:"why"`
}

// Comparison is what [Diff] found.
type Comparison struct {
	// Direction is Same if all changes are, Tighter (or Looser) if the others
	// are all so, NotComparable otherwise.
	Direction Direction
	// Changes come in the order of the keys in a policy file, and by name.
	Changes []Change
}

// Diff compares two policies, a the old and b the new one, by what they say.
// It errs on the safe side: what it calls Same or Tighter is, for every input
// that both can read; what it doesn't may be all the same. A description and
// tests decide nothing and aren't compared.
//
// Of a case or promotion policy it compares the switches and how decisions
// become binding; any other difference there is NotComparable, and so are
// policies of two kinds. The error says that one of them is no valid policy.
func Diff(a, b *File) (*Comparison, error) {
	if !a.valid() || !b.valid() {
		return nil, errors.New("only two valid policies can be compared")
	}
	d := &differ{}
	if a.Gate != b.Gate {
		d.say("gate", a.Gate, b.Gate, Same, "a gate's name decides nothing")
	}
	if a.Kind != b.Kind {
		d.say("kind", a.Kind, b.Kind, NotComparable, "gates of two kinds decide about different things")
	}
	if a.Threshold != nil && b.Threshold != nil {
		d.a, d.b = newSide(a), newSide(b)
		d.signals()
		d.bands()
		d.combine()
		d.rules()
		d.switches()
		d.risk()
	} else {
		d.others(a, b)
	}
	d.binding(a, b)
	return &Comparison{Direction: overall(d.changes), Changes: d.changes}, nil
}

// valid reports whether the file was made by Parse.
func (f *File) valid() bool {
	return f != nil && f.root != nil && (f.Threshold != nil || f.Case != nil || f.Promotion != nil)
}

func overall(changes []Change) Direction {
	all := Same
	for _, c := range changes {
		switch {
		case c.Direction == Same || c.Direction == all:
		case all == Same:
			all = c.Direction
		default:
			return NotComparable
		}
	}
	return all
}

// absent stands for what a policy doesn't have.
const absent = "–"

// effect is what a change does to a set of inputs: those that are applied
// without a person, or those that are rejected without one. The two sets are
// looked at one by one, since what happens to either doesn't depend on the
// switch of the other.
//
// Diff is sound because it goes from a to b in small steps (the order in which
// their effects hold is given where it matters), each of which has its effect
// in whatever policy it is made: if no step adds to a set, b's is part of a's.
type effect uint8

const (
	none  effect = iota // the set stays as it is
	fewer               // the new set is part of the old one
	more                // inputs can join the set
	other               // nobody can tell
)

// effects are those on both sets.
type effects struct{ applied, rejected effect }

func (e effects) direction() Direction {
	switch max(e.applied, e.rejected) {
	case none:
		return Same
	case fewer:
		return Tighter
	case more:
		return Looser
	default:
		return NotComparable
	}
}

// side is one of the two policies.
type side struct {
	*Threshold
	combineText string
	// Whether anything can be applied, or rejected, without a person.
	applies, rejects bool
}

func newSide(f *File) side {
	t := f.Threshold
	s := side{Threshold: t, combineText: "lowest"}
	if n := f.root.Get("combine"); n != nil {
		s.combineText = strings.TrimSpace(n.Text)
	}
	p := &t.policy
	s.applies = p.EnableAutoApply && len(p.Bands) > 0
	s.rejects = p.EnableAutoReject && (len(p.Bands) > 0 ||
		slices.ContainsFunc(p.Rules, func(r threshold.Rule) bool { return r.Force == threshold.AutoReject }))
	return s
}

// differ collects the changes from a to b.
type differ struct {
	a, b    side
	changes []Change
}

// because gives the reason for each direction that a change can have.
type because map[Direction]string

// add notes a change. Where b can't apply, or reject, at all, nothing can join
// that set: only what made it empty counts.
func (d *differ) add(key, old, new string, e effects, why because) {
	seen := effects{
		inSight(e.applied, d.a.applies, d.b.applies),
		inSight(e.rejected, d.a.rejects, d.b.rejects),
	}
	c := Change{Key: key, Direction: seen.direction()}
	c.Old, c.New = short(old, new)
	if c.Why = why[c.Direction]; c.Direction == Same && e != (effects{}) {
		c.Why = d.never(e)
	}
	d.changes = append(d.changes, c)
}

func inSight(e effect, a, b bool) effect {
	if b || a && e == fewer {
		return e
	}
	return none
}

// never says why an effect isn't seen.
func (d *differ) never(e effects) string {
	switch {
	case !d.b.applies && !d.b.rejects:
		return "B decides nothing without a person"
	case e.applied == none:
		return "B never gives auto_reject"
	default:
		return "B never gives auto_apply"
	}
}

func (d *differ) switches() {
	a, b := &d.a.policy, &d.b.policy
	d.toggle("enableAutoApply", a.EnableAutoApply, b.EnableAutoApply, func(e effect) effects { return effects{applied: e} })
	d.toggle("enableAutoReject", a.EnableAutoReject, b.EnableAutoReject, func(e effect) effects { return effects{rejected: e} })
}

func (d *differ) toggle(key string, a, b bool, on func(effect) effects) {
	e := more
	if a {
		e = fewer
	}
	if a != b {
		d.add(key, fmt.Sprint(a), fmt.Sprint(b), on(e), because{Looser: "it is switched on", Tighter: "it is switched off"})
	}
}

// union returns the keys of both maps in order.
func union[V any](a, b map[string]V) []string {
	keys := append(sortedKeys(a), sortedKeys(b)...)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// maxShort bounds, in characters, how much of one value is shown.
const maxShort = 100

// short puts two texts on a line each and bounds them, so that they still look
// different.
func short(a, b string) (string, string) {
	flat := func(s string) []rune { return []rune(strings.Join(strings.Fields(s), " ")) }
	x, y := flat(a), flat(b)
	if slices.Equal(x, y) {
		x, y = []rune(strconv.Quote(a)), []rune(strconv.Quote(b))
	}
	common := 0
	for common < min(len(x), len(y)) && x[common] == y[common] {
		common++
	}
	from := 0
	if max(len(x), len(y)) > maxShort {
		from = max(0, common-maxShort/4)
	}
	return excerpt(x, from), excerpt(y, from)
}

func excerpt(text []rune, from int) string {
	before, after := "", ""
	if from > 0 {
		before, text = "…", text[from:]
	}
	if len(text) > maxShort {
		after, text = "…", text[:maxShort]
	}
	return before + string(text) + after
}

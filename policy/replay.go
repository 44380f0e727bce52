package policy

import (
	"fmt"
	"slices"

	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Replay decides each input under two policies, an old one and a new one, and
// counts what changes. It is for one goroutine at a time; several can share a
// stream and [Replay.Add] up at the end: the sum doesn't depend on who saw what.
type Replay struct {
	sides  [2]replaySide // old, new
	known  map[string]bool
	scores []replayScore
	rules  []ReplayRule
	byRule map[string]int

	items, malformed int
	verdicts         [3][3]int // old, new, by supervision
	gone, came       map[string]int
}

// replaySide is one of the two policies.
type replaySide struct {
	t        *Threshold
	decider  *Decider
	decision threshold.Decision
}

// Replayed is what the two policies make of one input. It is valid until the
// next one.
type Replayed struct {
	ID       []byte // nil if the input has none
	Old, New *threshold.Decision
}

// Looser reports whether the new policy automates what the old one didn't, or
// automates it the other way; see [verdict.Looser].
func (c Replayed) Looser() bool { return verdict.Looser(c.Old.Verdict, c.New.Verdict) }

// Gone returns the reasons ("code" or "code:subject") that only the old
// decision has, Came those that only the new one has, in their order.
func (c Replayed) Gone() []string { return only(c.Old.Reasons, c.New.Reasons) }

// Came is described at Gone.
func (c Replayed) Came() []string { return only(c.New.Reasons, c.Old.Reasons) }

func only(in, notIn []threshold.Reason) []string {
	list := []string{}
	for _, r := range in {
		if !slices.ContainsFunc(notIn, func(o threshold.Reason) bool { return o.Code == r.Code && o.Subject == r.Subject }) {
			list = append(list, r.String())
		}
	}
	return list
}

// NewReplay returns a replay that has seen nothing.
func NewReplay(old, new *Threshold) *Replay {
	r := &Replay{
		known: map[string]bool{}, byRule: map[string]int{},
		gone: map[string]int{}, came: map[string]int{},
	}
	for i, t := range []*Threshold{old, new} {
		r.sides[i] = replaySide{t: t, decider: t.NewDecider()}
		for name := range t.policy.Bands {
			r.known[name] = true
		}
		for name := range t.policy.Signals {
			r.known[name] = true
		}
		for key := range t.reads.keys {
			r.known[key] = true
		}
		for _, rule := range t.policy.Rules {
			r.known[rule.ID] = true
			at, seen := r.byRule[rule.ID]
			if !seen {
				at = len(r.rules)
				r.byRule[rule.ID] = at
				r.rules = append(r.rules, ReplayRule{ID: rule.ID})
			}
			r.rules[at].side(i).Force = rule.Force
		}
	}
	r.scores = replayScores(old, new)
	return r
}

// ReplayColumns maps a header to the signals of both policies, as
// [Threshold.Columns] does for one. A flag that is never set must be one of a
// policy, not of both.
func ReplayColumns(old, new *Threshold, header []string, neverSet ...string) ([2]*Columns, error) {
	var columns [2]*Columns
	for i, t := range []*Threshold{old, new} {
		other := []*Threshold{new, old}[i]
		var mine []string
		for _, name := range neverSet {
			if t.isFlag(name) || !other.isFlag(name) {
				mine = append(mine, name)
			}
		}
		var err error
		if columns[i], err = t.Columns(header, mine...); err != nil {
			return columns, fmt.Errorf("the %s policy: %w", []string{"old", "new"}[i], err)
		}
	}
	return columns, nil
}

func (t *Threshold) isFlag(name string) bool {
	return t.policy.Signals[name].Type == threshold.TypeFlag
}

// SetLine tells on which line the next input begins.
func (r *Replay) SetLine(line int) {
	for i := range r.sides {
		r.sides[i].decider.SetLine(line)
	}
}

// JSON decides an input as [Decider.DecideJSON] does.
func (r *Replay) JSON(raw []byte) Replayed {
	return r.each(func(_ int, s *replaySide) Envelope { return s.decider.DecideJSON(&s.decision, raw) })
}

// Row decides a row as [Decider.DecideRow] does, with the columns of the old
// and of the new policy.
func (r *Replay) Row(columns [2]*Columns, cells [][]byte) Replayed {
	return r.each(func(i int, s *replaySide) Envelope { return s.decider.DecideRow(&s.decision, columns[i], cells) })
}

// Malformed decides what isn't even a line or row.
func (r *Replay) Malformed(why string) Replayed {
	return r.each(func(_ int, s *replaySide) Envelope {
		s.decider.DecideMalformed(&s.decision, why)
		return Envelope{}
	})
}

func (r *Replay) each(decide func(int, *replaySide) Envelope) Replayed {
	var c Replayed
	for i := range r.sides {
		c.ID = decide(i, &r.sides[i]).ID
	}
	c.Old, c.New = &r.sides[0].decision, &r.sides[1].decision
	r.count(c)
	return c
}

func (r *Replay) count(c Replayed) {
	r.items++
	r.verdicts[c.Old.Verdict.Supervision()][c.New.Verdict.Supervision()]++
	if c.Old.Malformed() || c.New.Malformed() {
		r.malformed++
	}
	for i := range r.sides {
		r.countRules(i, &r.sides[i].decision)
	}
	for i := range r.scores {
		r.scores[i].count(&r.sides)
	}
	if c.Looser() {
		r.moved(r.gone, c.Gone())
		r.moved(r.came, c.Came())
	}
}

func (r *Replay) countRules(i int, d *threshold.Decision) {
	for j := range d.Reasons {
		reason := &d.Reasons[j]
		switch {
		case reason.Source == verdict.SourceRule:
			r.rules[r.byRule[reason.Subject]].side(i).Fired++
		case reason.Code == verdict.RuleError:
			r.rules[r.byRule[reason.Subject]].side(i).Unknown++
		}
	}
}

// moved counts reasons. A subject that comes from the input is left out: what
// is counted must stay small, whatever the inputs are.
func (r *Replay) moved(counts map[string]int, reasons []string) {
	for _, reason := range reasons {
		code, subject := cutReason(reason)
		if !r.known[subject] {
			reason = code
		}
		counts[reason]++
	}
}

// Add adds what another replay of the same two policies has seen.
func (r *Replay) Add(o *Replay) {
	r.items += o.items
	r.malformed += o.malformed
	for i := range r.verdicts {
		for j := range r.verdicts[i] {
			r.verdicts[i][j] += o.verdicts[i][j]
		}
	}
	for i := range r.rules {
		for k := range 2 {
			r.rules[i].side(k).Fired += o.rules[i].side(k).Fired
			r.rules[i].side(k).Unknown += o.rules[i].side(k).Unknown
		}
	}
	for i := range r.scores {
		r.scores[i].add(&o.scores[i])
	}
	for reason, n := range o.gone {
		r.gone[reason] += n
	}
	for reason, n := range o.came {
		r.came[reason] += n
	}
}

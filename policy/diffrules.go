package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/threshold"
)

// ruleAt is a rule with what the file says of its condition.
type ruleAt struct {
	threshold.Rule
	from ruleSource
}

func (s side) ruleList() []ruleAt {
	list := make([]ruleAt, len(s.policy.Rules))
	for i, r := range s.policy.Rules {
		list[i] = ruleAt{r, s.Threshold.rules[i]}
	}
	return list
}

func (r ruleAt) text() string { return fmt.Sprintf("%s when %s", r.Force, r.when()) }

func (r ruleAt) when() string { return conditionText(r.When, r.from) }

// conditionText is a condition as it stands in a file, so that a declarative
// one and an expression that means about the same look different.
func conditionText(c threshold.Condition, from ruleSource) string {
	switch c := c.(type) {
	case threshold.Flag:
		return fmt.Sprintf("{flag: %s}", c)
	case threshold.MetaNumberLessThan:
		return fmt.Sprintf("{metaNumberLessThan: {key: %s, value: %v}}", c.Key, c.Value)
	case threshold.ScoreBelow:
		return fmt.Sprintf("{scoreBelow: {name: %s, value: %v}}", c.Name, c.Value)
	default:
		return from.text
	}
}

// same reports whether two rules decide the same.
func (r ruleAt) same(o ruleAt) bool {
	return r.Force == o.Force && sameCondition(r.When, r.from, o.When, o.from)
}

func sameCondition(a threshold.Condition, af ruleSource, b threshold.Condition, bf ruleSource) bool {
	if af.prog != nil || bf.prog != nil {
		return af.prog != nil && bf.prog != nil && strings.TrimSpace(af.text) == strings.TrimSpace(bf.text)
	}
	return a == b // of fixtures, which are plain values
}

// rules compares the rules by id. New ones come first, then those that change,
// and at last the old ones go: a rule of which there is another in between does
// nothing.
func (d *differ) rules() {
	a, b := d.a.ruleList(), d.b.ruleList()
	at := func(rules []ruleAt, id string) int {
		return slices.IndexFunc(rules, func(r ruleAt) bool { return r.ID == id })
	}
	var before, after []string // the ids of both, in either order
	for _, old := range a {
		i := at(b, old.ID)
		if i < 0 {
			d.ruleRemoved(old, slices.ContainsFunc(b, old.same))
			continue
		}
		before = append(before, old.ID)
		d.ruleChanged(old, b[i])
	}
	for _, now := range b {
		if at(a, now.ID) >= 0 {
			after = append(after, now.ID)
		} else {
			d.ruleAdded(now, slices.ContainsFunc(a, now.same))
		}
	}
	if !slices.Equal(before, after) {
		d.add("rules", strings.Join(before, ", "), strings.Join(after, ", "), effects{}, because{Same: "all rules count, in whatever order"})
	}
}

func (d *differ) ruleAdded(r ruleAt, twin bool) {
	e := effects{fewer, fewer}
	why := because{Same: "A has a rule with this condition and force", Tighter: "more goes to a person"}
	if r.Force == threshold.AutoReject {
		e.rejected = more
		why[Tighter] = "it keeps from auto_apply, and rejects nothing by itself in B"
		why[Looser] = "it rejects what was applied, or what a person decided"
	}
	if twin {
		e = effects{}
	}
	d.add("rules."+r.ID, absent, r.text(), e, why)
}

func (d *differ) ruleRemoved(r ruleAt, twin bool) {
	e := effects{more, more} // also what the rule couldn't decide
	if r.Force == threshold.AutoReject && !d.b.rejects {
		e.rejected = fewer
	}
	if twin {
		e = effects{}
	}
	d.add("rules."+r.ID, r.text(), absent, e, because{
		Same:    "B has a rule with this condition and force",
		Tighter: "nothing is left that rejects",
		Looser:  "what it held up, or couldn't decide, can be automated",
	})
}

// ruleChanged compares two rules of one id: first the force, then, under the
// new force, the condition.
func (d *differ) ruleChanged(a, b ruleAt) {
	key := "rules." + b.ID
	if !sameCondition(a.When, a.from, b.When, b.from) {
		d.when(key+".when", a, b)
	}
	if a.Force != b.Force {
		e := effects{rejected: fewer} // neither force lets anything be applied
		if b.Force == threshold.AutoReject {
			e.rejected = more
		}
		d.add(key+".force", string(a.Force), string(b.Force), e, because{
			Tighter: "what it hits goes to a person", Looser: "what it hits is rejected without a person",
		})
	}
	if a.Reason != b.Reason {
		d.add(key+".reason", a.Reason, b.Reason, effects{}, because{Same: "a reason decides nothing"})
	}
}

func (d *differ) when(key string, a, b ruleAt) {
	var e effects
	why := because{NotComparable: "two conditions aren't compared"}
	switch known, rises := oneBound(a.When, b.When); {
	case !known:
		e = effects{other, other}
	case rises:
		e = effects{fewer, fewer}
		why[Tighter] = "it fires more often"
		if b.Force == threshold.AutoReject {
			e.rejected = more
			why[Looser] = "it fires, and rejects, more often"
		}
	default:
		e = effects{more, more}
		why[Looser] = "it fires less often"
		if b.Force == threshold.AutoReject {
			e.rejected = fewer
			why[Tighter] = "it rejects less often"
		}
	}
	d.add(key, a.when(), b.when(), e, why)
}

// oneBound reports whether two conditions differ in the bound alone below which
// both are true, and whether it rises. Both are unknown of the same inputs.
func oneBound(a, b threshold.Condition) (known, rises bool) {
	switch a := a.(type) {
	case threshold.MetaNumberLessThan:
		b, ok := b.(threshold.MetaNumberLessThan)
		return ok && a.Key == b.Key, b.Value > a.Value
	case threshold.ScoreBelow:
		b, ok := b.(threshold.ScoreBelow)
		return ok && a.Name == b.Name, b.Value > a.Value
	}
	return false, false
}

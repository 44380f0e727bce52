package policy

import (
	"fmt"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
)

// Lint returns warnings: what is legal, but can be proven to have no effect or
// hardly the one that was meant. They are sorted by place.
func (f *File) Lint() []Problem {
	r := &reader{root: f.root}
	switch {
	case f.Threshold != nil:
		l := linter{t: f.Threshold, r: r}
		l.lint()
	case f.Case != nil:
		l := caseLinter{Case: f.Case, r: r}
		l.lint()
	case f.Promotion != nil:
		l := promotionLinter{Promotion: f.Promotion, r: r}
		l.lint()
	}
	if f.root != nil {
		l := reviewLinter{File: f, r: r}
		l.lint()
	}
	for i := range r.problems {
		r.problems[i].Warning = true
	}
	source.SortProblems(r.problems)
	return r.problems
}

type linter struct {
	t *Threshold
	r *reader
}

func (l *linter) lint() {
	l.switches()
	l.bands()
	l.combine()
	l.conditions("/rules", "rule %q can never fire", l.t.rules, func(i int) string { return l.t.policy.Rules[i].ID })
	l.conditions("/risk", "the risk level %q can never apply", l.t.risk, func(i int) string { return string(l.t.policy.Risk[i].Level) })
	l.unread()
}

func (l *linter) warn(pointer, code, format string, args ...any) {
	l.r.problem(l.r.at(pointer), code, format, args...)
}

func (l *linter) switches() {
	p := &l.t.policy
	if p.EnableAutoApply && len(p.Bands) == 0 {
		l.warn("/enableAutoApply", "auto-apply-without-band", "auto_apply is switched on, but without a band nothing can be applied")
	}
	if p.EnableAutoReject && len(p.Bands) == 0 {
		for _, r := range p.Rules {
			if r.Force == threshold.AutoReject {
				return
			}
		}
		l.warn("/enableAutoReject", "auto-reject-without-cause", "auto_reject is switched on, but no band and no rule can lead to it")
	}
}

// bands compares the bounds with the declared range of the score.
func (l *linter) bands() {
	p := &l.t.policy
	for _, name := range sortedKeys(p.Bands) {
		b, r := p.Bands[name], p.Signals[name].Range
		if r == nil {
			continue
		}
		at := "/bands/" + name
		switch {
		case b.HighMin > r.Max:
			l.warn(at+"/highMin", "band-never-high", "%s can never be high: highMin %v is above its range %s, so nothing is ever auto_apply", name, b.HighMin, r)
		case b.HighMin <= r.Min:
			l.warn(at+"/highMin", "band-always-high", "%s is always high: highMin %v isn't above the lowest value of its range %s", name, b.HighMin, r)
		}
		if b.ReviewMin > r.Max {
			l.warn(at+"/reviewMin", "band-always-low", "%s is always low: reviewMin %v is above its range %s", name, b.ReviewMin, r)
		}
	}
}

// combine warns of words in the expression that are neither a verdict nor a
// band: most are misspelt, and a combine that answers no verdict is a fault.
func (l *linter) combine() {
	if l.t.combine == nil {
		return
	}
	for _, text := range l.t.combine.Texts() {
		_, name := l.t.policy.Bands[text]
		switch threshold.Band(text) {
		case threshold.High, threshold.Review, threshold.Low:
			continue
		}
		if !name && !threshold.Verdict(text).Valid() {
			l.warn("/combine", "combine-word", "%q is neither a verdict (auto_apply, auto_reject, route_to_human) nor a band (high, review, low)", text)
		}
	}
}

// conditions warns of those that can't be true within the declared ranges.
func (l *linter) conditions(path, format string, from []ruleSource, name func(int) string) {
	p := &l.t.policy
	for i, c := range from {
		at := fmt.Sprintf("%s/%d/when", path, i)
		var cond threshold.Condition
		if path == "/rules" {
			cond = p.Rules[i].When
		} else {
			cond = p.Risk[i].When
		}
		never := c.prog != nil && !c.prog.CanBeTrue()
		switch w := cond.(type) {
		case threshold.MetaNumberLessThan:
			r := p.Signals[w.Key].Range
			never = r != nil && w.Value <= r.Min
		case threshold.ScoreBelow:
			r := p.Signals[w.Name].Range
			never = r != nil && w.Value <= r.Min
		}
		if never {
			l.warn(at, "never-true", format+": %s is false for every value that is declared possible", name(i), c.text)
		}
	}
}

// unread warns of declared signals that nothing looks at.
func (l *linter) unread() {
	p := &l.t.policy
	read := map[string]bool{}
	for name := range p.Bands {
		read[name] = true
	}
	note := func(cond threshold.Condition, from ruleSource) {
		switch w := cond.(type) {
		case threshold.Flag:
			read[string(w)] = true
		case threshold.MetaNumberLessThan:
			read[w.Key] = true
		case threshold.ScoreBelow:
			read[w.Name] = true
		}
		if from.prog == nil {
			return
		}
		for _, r := range from.prog.Reads() {
			if r.Var == "score" {
				read["score"] = true
			}
			read[r.Key] = true
		}
	}
	for i, r := range p.Rules {
		note(r.When, l.t.rules[i])
	}
	for i, r := range p.Risk {
		note(r.When, l.t.risk[i])
	}
	for _, name := range sortedKeys(p.Signals) {
		if !read[name] {
			l.warn("/signals/"+name, "unread-signal", "no band, rule or risk level reads %s", name)
		}
	}
}

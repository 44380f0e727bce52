package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Explanation shows one decision with everything that it looked at.
type Explanation struct {
	Bands []BandLine `json:"bands,omitempty"`
	Rules []RuleLine `json:"rules,omitempty"`
	Risk  []RuleLine `json:"risk,omitempty"`
}

// BandLine is one banded score and its value.
type BandLine struct {
	Score     string         `json:"score"`
	Value     string         `json:"value"` // as JSON, or "absent" and the like
	HighMin   float64        `json:"highMin"`
	ReviewMin float64        `json:"reviewMin"`
	Band      threshold.Band `json:"band"`
}

// Outcome is what became of a condition.
type Outcome string

// The outcomes of a condition.
const (
	Holds    Outcome = "true"
	HoldsNot Outcome = "false"
	Unknown  Outcome = "unknown"
)

// RuleLine is one rule (or risk level), what it says and what it looked at.
type RuleLine struct {
	ID      string            `json:"id"`              // of a risk level: the level
	When    string            `json:"when"`            // the condition
	Force   threshold.Verdict `json:"force,omitempty"` // of a rule
	Reason  string            `json:"reason,omitempty"`
	Outcome Outcome           `json:"outcome"`
	Why     string            `json:"why,omitempty"` // if unknown
	Values  []ValueLine       `json:"values,omitempty"`
}

// ValueLine is one thing that a condition looked at.
type ValueLine struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as JSON, or "absent"
}

// Explain decides the signals and shows each band and rule with its value.
// Values are shown as they came, so an explanation is as confidential as its
// input.
func (t *Threshold) Explain(s threshold.Signals) (threshold.Decision, *Explanation) {
	d := t.gate.Decide(s)
	e := &Explanation{}
	for _, b := range d.Bands {
		cfg := t.policy.Bands[b.Score]
		e.Bands = append(e.Bands, BandLine{b.Score, scoreValue(s, b.Score), cfg.HighMin, cfg.ReviewMin, b.Band})
	}
	for i, r := range t.policy.Rules {
		line := t.line(s, d, t.rules[i], r.When)
		line.ID, line.Force, line.Reason = r.ID, r.Force, r.Reason
		line.Outcome, line.Why = outcome(d, r.ID)
		e.Rules = append(e.Rules, line)
	}
	reached := true
	for i, r := range t.policy.Risk {
		if !reached {
			break
		}
		line := t.line(s, d, t.risk[i], r.When)
		line.ID = string(r.Level)
		line.Outcome, line.Why = riskOutcome(s, d, r.When)
		reached = line.Outcome == HoldsNot
		e.Risk = append(e.Risk, line)
	}
	return d, e
}

// outcome takes from the decision what became of a rule, so that what is shown
// is what was decided.
func outcome(d threshold.Decision, id string) (Outcome, string) {
	for _, r := range d.Reasons {
		if r.Subject != id {
			continue
		}
		if r.Code == verdict.RuleError {
			return Unknown, r.Message
		}
		if r.Source == verdict.SourceRule {
			return Holds, ""
		}
	}
	return HoldsNot, ""
}

func riskOutcome(s threshold.Signals, d threshold.Decision, cond threshold.Condition) (Outcome, string) {
	var holds bool
	var err error
	if f, ok := cond.(celRisk); ok {
		holds, err = f.HoldsWith(s, d.Bands)
	} else {
		holds, err = cond.Holds(s)
	}
	switch {
	case err != nil:
		return Unknown, err.Error()
	case holds:
		return Holds, ""
	default:
		return HoldsNot, ""
	}
}

func (t *Threshold) line(s threshold.Signals, d threshold.Decision, from ruleSource, cond threshold.Condition) RuleLine {
	line := RuleLine{When: from.text}
	add := func(r expr.Read) {
		v := ValueLine{Name: r.String()}
		switch {
		case r.Var == "flags":
			v.Value = show(slices.Contains(s.Flags, r.Key), true)
			if r.Whole {
				v.Value = show(s.Flags, true)
			}
		case r.Whole && r.Var != "score":
			return // as long as the input itself
		case r.Var == "score":
			v.Value = scoreValue(s, "score")
		case r.Var == "scores":
			v.Value = scoreValue(s, r.Key)
		case r.Var == "bands":
			b, ok := d.Bands.Get(r.Key)
			v.Value = show(b, ok)
		default:
			x, ok := s.Meta[r.Key]
			v.Value = show(x, ok)
		}
		line.Values = append(line.Values, v)
	}
	switch w := cond.(type) {
	case threshold.Flag:
		add(expr.Read{Var: "flags", Key: string(w)})
	case threshold.MetaNumberLessThan:
		add(expr.Read{Var: "meta", Key: w.Key})
	case threshold.ScoreBelow:
		add(expr.Read{Var: "scores", Key: w.Name})
	default:
		if from.prog != nil {
			for _, r := range from.prog.Reads() {
				add(r)
			}
		}
	}
	return line
}

func scoreValue(s threshold.Signals, name string) string {
	v, ok := s.Scores[name]
	if name == "score" && s.Score != nil {
		if ok && v != *s.Score {
			return fmt.Sprintf("%s and %s", show(*s.Score, true), show(v, true))
		}
		return show(*s.Score, true)
	}
	for _, f := range s.Faults {
		if f.Subject == name && !ok {
			return string(f.Code)
		}
	}
	return show(v, ok)
}

// maxShown bounds how much of one value is shown.
const maxShown = 80

func show(v any, present bool) string {
	if !present {
		return "absent"
	}
	if _, inexact := v.(threshold.Inexact); inexact {
		return threshold.KindInexact.String()
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "not a JSON value" // NaN, from Go
	}
	text := string(b)
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}

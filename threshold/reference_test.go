package threshold_test

import (
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/pawlgate/pawl/threshold"
)

// An answer is what conformance looks at: everything of a decision but the
// messages.
type answer struct {
	Verdict threshold.Verdict
	Bands   map[string]threshold.Band
	Codes   []string // "code" or "code:subject", in order
	Risk    threshold.RiskLevel
}

// answerOf reduces a decision of the gate to an answer.
func answerOf(d threshold.Decision) answer {
	a := answer{Verdict: d.Verdict, Bands: map[string]threshold.Band{}, Risk: d.Risk}
	for _, b := range d.Bands {
		a.Bands[b.Score] = b.Band
	}
	for _, r := range d.Reasons {
		a.Codes = append(a.Codes, codeString(string(r.Code), r.Subject))
	}
	return a
}

func codeString(code, subject string) string {
	if subject == "" {
		return code
	}
	return code + ":" + subject
}

// reference decides as the contract page says, slowly and obviously: it was
// written from the page alone, before the gate was read, and shares none of
// its code. The policy must be valid.
//
// Where the page leaves the list of faults open, it reads as the gate does:
//   - score_conflict needs "score" to be banded, read by a ScoreBelow or
//     declared, and two finite values;
//   - a score that has a fault already isn't held to its range;
//   - a number too large for its declaration is unknown to a condition, but one
//     of another type, or outside its range, is read as it is;
//   - number_inexact about a meta key that the gate itself found says nothing
//     about a score of the same name.
type reference struct {
	policy  threshold.Policy
	signals threshold.Signals
	faults  map[refFault]bool

	inexactMeta []string // meta keys whose number can't be held
}

type refFault struct{ code, subject string }

// decide runs the six steps of the page's algorithm.
func referenceDecide(s threshold.Signals, p threshold.Policy) answer {
	r := &reference{policy: p, signals: s, faults: map[refFault]bool{}}
	r.collectFaults()

	// 1. Band every score that bands names.
	a := answer{Bands: map[string]threshold.Band{}}
	for _, name := range sortedKeys(p.Bands) {
		a.Bands[name] = r.band(name)
		a.Codes = append(a.Codes, "band_"+string(a.Bands[name])+":"+name)
	}

	// 2. Tentative verdict.
	tentative := r.tentative(a.Bands)

	// 3. and 4. Every rule; unknown counts as a fired route_to_human.
	route, reject := false, false
	for _, rule := range p.Rules {
		fired, known := r.holds(rule.When, nil)
		switch {
		case !known:
			r.fault("rule_error", rule.ID)
			route = true
		case fired && rule.Force == threshold.RouteToHuman:
			a.Codes = append(a.Codes, "rule_route_to_human:"+rule.ID)
			route = true
		case fired:
			a.Codes = append(a.Codes, "rule_auto_reject:"+rule.ID)
			reject = true
		}
	}
	candidate := tentative
	if route {
		candidate = threshold.RouteToHuman
	} else if reject {
		candidate = threshold.AutoReject
	}

	// 5. Safety.
	allHigh := true
	for _, b := range a.Bands {
		allHigh = allHigh && b == threshold.High
	}
	var blocked []string
	if len(p.Bands) == 0 {
		blocked = append(blocked, "no_bands")
	}
	if candidate == threshold.AutoApply && !allHigh {
		blocked = append(blocked, "not_all_high")
	}
	if candidate == threshold.AutoApply && !p.EnableAutoApply {
		blocked = append(blocked, "auto_apply_disabled")
	}
	if candidate == threshold.AutoReject && !p.EnableAutoReject {
		blocked = append(blocked, "auto_reject_disabled")
	}
	a.Codes = append(a.Codes, blocked...)
	a.Risk = r.risk(a.Bands)
	for _, key := range r.inexactMeta {
		r.fault("number_inexact", key)
	}
	a.Codes = append(a.Codes, r.faultCodes()...)
	a.Verdict = threshold.RouteToHuman
	if len(r.faults) == 0 {
		switch {
		case candidate == threshold.AutoApply && len(a.Bands) > 0 && allHigh && p.EnableAutoApply,
			candidate == threshold.AutoReject && p.EnableAutoReject:
			a.Verdict = candidate
		}
	}
	return a
}

func (r *reference) tentative(bands map[string]threshold.Band) threshold.Verdict {
	if len(bands) == 0 {
		return threshold.RouteToHuman
	}
	if r.policy.Combine != nil {
		v, ok := r.combine(bands)
		if !ok || (v != "auto_apply" && v != "auto_reject" && v != "route_to_human") {
			r.fault("combine_invalid", "")
			return threshold.RouteToHuman
		}
		return v
	}
	count := map[threshold.Band]int{}
	for _, b := range bands {
		count[b]++
	}
	switch {
	case count["low"] > 0:
		return threshold.AutoReject
	case count["review"] > 0:
		return threshold.RouteToHuman
	}
	return threshold.AutoApply
}

func (r *reference) combine(bands map[string]threshold.Band) (v threshold.Verdict, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	v, err := r.policy.Combine(bandsOf(bands))
	return v, err == nil
}

func (r *reference) risk(bands map[string]threshold.Band) threshold.RiskLevel {
	for _, step := range r.policy.Risk {
		holds, known := r.holds(step.When, bands)
		if !known {
			return threshold.RiskCritical
		}
		if holds {
			return step.Level
		}
	}
	return ""
}

// holds evaluates a condition to true, false or unknown.
func (r *reference) holds(c threshold.Condition, bands map[string]threshold.Band) (holds, known bool) {
	defer func() {
		if recover() != nil {
			holds, known = false, false
		}
	}()
	switch c := c.(type) {
	case threshold.Flag:
		for _, f := range r.signals.Flags {
			if f == string(c) {
				return true, true
			}
		}
		return false, true
	case threshold.MetaNumberLessThan:
		v := numberOf(r.signals.Meta[c.Key])
		if slices.Contains(r.inexactMeta, c.Key) {
			v = nil
		}
		return v != nil && v.Cmp(big.NewFloat(c.Value)) < 0, v != nil
	case threshold.ScoreBelow:
		v := r.sources(c.Name)
		if len(v) == 0 || r.scoreFault(c.Name) || (len(v) == 2 && v[0] != v[1]) {
			return false, false
		}
		return v[0] < c.Value, true
	case threshold.RiskFunc:
		b, err := c(r.signals, bandsOf(bands))
		return b, err == nil
	}
	b, err := c.Holds(r.signals)
	return b, err == nil
}

// sources returns every value that feeds the score of that name.
func (r *reference) sources(name string) (v []float64) {
	if name == "score" && r.signals.Score != nil {
		v = append(v, *r.signals.Score)
	}
	if x, ok := r.signals.Scores[name]; ok {
		v = append(v, x)
	}
	return v
}

func (r *reference) band(name string) threshold.Band {
	if r.scoreFault(name) {
		return threshold.Review
	}
	s, c := r.sources(name)[0], r.policy.Bands[name]
	switch {
	case s >= c.HighMin:
		return threshold.High
	case s >= c.ReviewMin:
		return threshold.Review
	}
	return threshold.Low
}

// scoreFault reports whether the score of that name can't be trusted.
func (r *reference) scoreFault(name string) bool {
	for _, code := range []string{
		"score_missing", "score_not_number", "score_not_finite",
		"score_out_of_range", "score_conflict", "number_inexact",
	} {
		if r.faults[refFault{code, name}] {
			return true
		}
	}
	return false
}

// collectFaults finds the faults of the signals; rules and combine add theirs.
func (r *reference) collectFaults() {
	for _, f := range r.signals.Faults {
		r.fault(string(f.Code), f.Subject)
	}
	names := map[string]bool{"score": true}
	for name := range r.signals.Scores {
		names[name] = true
	}
	for name := range names {
		v, trusted := r.sources(name), true
		for _, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				r.fault("score_not_finite", name)
				trusted = false
			}
		}
		if trusted && len(v) == 2 && v[0] != v[1] && r.looksAtScore() {
			r.fault("score_conflict", "score")
		}
		d := r.policy.Signals[name]
		if r.scoreFault(name) || d.Type != "score" || d.Range == nil {
			continue
		}
		for _, x := range v {
			if x < d.Range.Min || x > d.Range.Max {
				r.fault("score_out_of_range", name)
			}
		}
	}
	for name := range r.policy.Bands {
		if len(r.sources(name)) == 0 && !r.scoreFault(name) {
			r.fault("score_missing", name)
		}
	}
	r.metaFaults()
}

// looksAtScore reports whether anything looks up the score named "score".
func (r *reference) looksAtScore() bool {
	_, banded := r.policy.Bands["score"]
	looks := banded || r.policy.Signals["score"].Type == "score"
	for _, c := range r.conditions() {
		below, ok := c.(threshold.ScoreBelow)
		looks = looks || ok && below.Name == "score"
	}
	return looks
}

func (r *reference) conditions() (all []threshold.Condition) {
	for _, rule := range r.policy.Rules {
		all = append(all, rule.When)
	}
	for _, step := range r.policy.Risk {
		all = append(all, step.When)
	}
	return all
}

func (r *reference) fault(code, subject string) { r.faults[refFault{code, subject}] = true }

// faultCodes lists the faults by the order of the page's table, then by
// subject. Codes that the table lacks come last, by name.
func (r *reference) faultCodes() (codes []string) {
	table := []string{
		"input_malformed", "score_missing", "score_not_number", "score_not_finite",
		"score_out_of_range", "score_conflict", "number_inexact", "signal_type",
		"rule_error", "combine_invalid", "policy_invalid", "gate_supervised",
	}
	place := func(code string) int {
		for i, c := range table {
			if c == code {
				return i
			}
		}
		return len(table)
	}
	var all []refFault
	for f := range r.faults {
		all = append(all, f)
	}
	sort.Slice(all, func(i, j int) bool {
		x, y := all[i], all[j]
		if place(x.code) != place(y.code) {
			return place(x.code) < place(y.code)
		}
		if x.code != y.code {
			return x.code < y.code
		}
		return x.subject < y.subject
	})
	for _, f := range all {
		codes = append(codes, codeString(f.code, f.subject))
	}
	return codes
}

func bandsOf(m map[string]threshold.Band) (b threshold.Bands) {
	for _, name := range sortedKeys(m) {
		b = append(b, threshold.ScoreBand{Score: name, Band: m[name]})
	}
	return b
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

package policy

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/verdict"
)

// caseLinter warns of what is of no use in a case policy.
type caseLinter struct {
	*Case
	r *reader
}

func (l *caseLinter) warn(pointer, code, format string, args ...any) {
	l.r.problem(l.r.at(pointer), code, format, args...)
}

func (l *caseLinter) lint() {
	l.switches()
	l.outcomes()
	l.queues()
	l.confidence()
	for i := range l.policy.Rules {
		at := fmt.Sprintf("/rules/%d", i)
		l.fields(at, &l.policy.Rules[i])
		l.expression(at, i)
		if k, ok := l.policy.Rules[i].Kind.(casegate.Limit); ok {
			l.limit(at, l.policy.Rules[i].ID, &k, l.rules[i].prog)
		}
	}
	l.repeated()
	l.onlyModel()
	l.unread()
}

func (l *caseLinter) switches() {
	for _, s := range []struct {
		list, key, verdict string
		decisions          []string
		on                 bool
	}{
		{"applies", "enableAutoApply", "auto_apply", l.policy.Applies, l.policy.EnableAutoApply},
		{"rejects", "enableAutoReject", "auto_reject", l.policy.Rejects, l.policy.EnableAutoReject},
	} {
		switch {
		case len(s.decisions) > 0 && !s.on:
			l.warn("/"+s.list, "list-switched-off", "%s names decisions, but %s isn't switched on: nothing is ever %s", s.list, s.key, s.verdict)
		case len(s.decisions) == 0 && s.on:
			l.warn("/"+s.key, "switch-without-list", "%s is switched on, but %s names no decision: nothing is ever %s", s.key, s.list, s.verdict)
		}
	}
}

// outcomes compares what the decision can be with what the lists name.
func (l *caseLinter) outcomes() {
	texts, all := l.decision.Outcomes()
	for _, text := range texts {
		if !slices.Contains(l.policy.Applies, text) && !slices.Contains(l.policy.Rejects, text) {
			l.warn("/decision", "decision-unlisted", "the decision %q stands neither in applies nor in rejects: a person must look at it", text)
		}
	}
	if !all {
		return
	}
	for list, decisions := range map[string][]string{"applies": l.policy.Applies, "rejects": l.policy.Rejects} {
		for i, text := range decisions {
			if !slices.Contains(texts, text) {
				l.warn(fmt.Sprintf("/%s/%d", list, i), "decision-never", "the decision is never %q", text)
			}
		}
	}
}

// raises returns the categories that a rule can raise.
func raises(k casegate.Kind) []casegate.Category {
	switch k.(type) {
	case casegate.Require:
		return []casegate.Category{casegate.MissingRequiredDocumentation}
	case casegate.Forbid:
		return []casegate.Category{casegate.PolicyViolation}
	case casegate.Limit:
		return []casegate.Category{casegate.PolicyViolation, casegate.BoundaryCondition}
	case casegate.Confidence:
		return []casegate.Category{casegate.InsufficientConfidence}
	case casegate.Agree:
		return []casegate.Category{casegate.ConflictingSignals}
	default:
		return []casegate.Category{casegate.ExternalDependency}
	}
}

// raised returns which categories the rules can raise.
func (l *caseLinter) raised() map[casegate.Category]bool {
	raised := map[casegate.Category]bool{}
	for _, rule := range l.policy.Rules {
		for _, category := range raises(rule.Kind) {
			raised[category] = true
		}
	}
	return raised
}

func (l *caseLinter) queues() {
	if l.policy.DefaultQueue != "" {
		return
	}
	raised := l.raised()
	var without []string
	for _, category := range casegate.DefaultOrder() {
		if raised[category] && l.policy.Queues[category] == "" {
			without = append(without, string(category))
		}
	}
	if len(without) > 0 {
		l.warn("/queues", "no-queue", "%s: the rules can raise it, but it has no queue, and there is no default one", join(without))
	}
}

func (l *caseLinter) confidence() {
	p := &l.policy
	none := len(p.Signals) == 0
	switch {
	case none && !p.WithoutConfidence && (p.EnableAutoApply || p.EnableAutoReject):
		l.warn("/signals", "no-confidence", "no signal says how sure anybody is, so nothing is automatic: declare one in signals, or say confidence: none")
	case !none && p.WithoutConfidence:
		l.warn("/confidence", "confidence-none", "confidence: none has no effect, since signals are declared")
	}
	for _, name := range sortedKeys(p.Signals) {
		checked := slices.ContainsFunc(p.Rules, func(r casegate.Rule) bool {
			k, ok := r.Kind.(casegate.Confidence)
			return ok && k.Signal == name
		})
		if !checked && p.ConfidenceFloor == 0 {
			l.warn("/signals/"+verdict.PointerToken(name), "signal-unchecked", "no rule looks at signal %s and there is no confidence_floor: without any confidence a case is decided all the same", name)
		}
	}
	if none && p.ConfidenceFloor > 0 && l.model == "" {
		l.warn("/confidence_floor", "floor-without-signal", "confidence_floor has no effect: without a signal the confidence is 1")
	}
}

// fields warns of blocks that would lack what a person needs.
func (l *caseLinter) fields(at string, rule *casegate.Rule) {
	var lacking []string
	lacks := func(name, text string) {
		if text == "" {
			lacking = append(lacking, name)
		}
	}
	category := raises(rule.Kind)[0]
	switch category {
	case casegate.PolicyViolation:
		lacks("policy", rule.Policy)
		lacks("regulation", rule.Regulation)
		lacks("restriction", rule.Restriction)
		lacks("consequence", rule.Consequence)
	case casegate.MissingRequiredDocumentation:
		lacks("required_by", rule.RequiredBy)
		lacks("regulation", rule.Regulation)
		lacks("severity", rule.Severity)
	}
	if len(lacking) > 0 {
		l.warn(at, "block-lacks", "rule %q raises %s without %s", rule.ID, category, join(lacking))
	}
}

// expression warns of conditions that can be true for no case that the schema
// lets pass.
func (l *caseLinter) expression(at string, i int) {
	rule := &l.policy.Rules[i]
	prog := l.rules[i].prog
	if prog == nil || prog.CanBeTrue() {
		return
	}
	switch rule.Kind.(type) {
	case casegate.Forbid:
		l.warn(at+"/forbid", "forbid-never", "rule %q can only fire when it can't be decided: %s is false for every case that the schema lets pass", rule.ID, prog)
	case casegate.Require:
		l.warn(at+"/require/condition", "require-never", "rule %q always fires: %s is false for every case that the schema lets pass", rule.ID, prog)
	}
}

// limit compares the bounds with each other and with the range that the schema
// lets pass.
func (l *caseLinter) limit(at, id string, k *casegate.Limit, prog *expr.Program) {
	lowest, highest := math.Inf(-1), math.Inf(1)
	if prog != nil {
		if lo, hi, ok := prog.Range(); ok {
			lowest, highest = lo, hi
		}
	}
	beyond := (k.Max == nil || *k.Max >= highest) && (k.Min == nil || *k.Min <= lowest)
	if k.Max != nil && *k.Max < lowest || k.Min != nil && *k.Min > highest {
		l.warn(at+"/limit", "limit-always", "rule %q always fires: the schema lets only values %s pass", id, between(lowest, highest))
		return
	}
	if k.Min != nil {
		lowest = max(lowest, *k.Min)
	}
	if k.Max != nil {
		highest = min(highest, *k.Max)
	}
	nearMax, nearMin := math.Inf(1), math.Inf(-1)
	if k.Margin != nil {
		if k.Max != nil {
			nearMax = onPaper(*k.Max, -*k.Margin)
		}
		if k.Min != nil {
			nearMin = onPaper(*k.Min, *k.Margin)
		}
	}
	switch {
	case nearMax <= lowest || nearMin >= highest || nearMax <= nearMin:
		l.warn(at+"/limit/margin", "margin-swallows", "rule %q always fires: no value %s is outside of the margin %v", id, between(lowest, highest), *k.Margin)
	case beyond && nearMax > highest && nearMin < lowest:
		l.warn(at+"/limit", "limit-never", "rule %q can only fire when it can't be decided: the schema lets no value beyond the limit pass", id)
	}
}

func between(lowest, highest float64) string {
	switch {
	case math.IsInf(lowest, 0):
		return fmt.Sprintf("up to %v", highest)
	case math.IsInf(highest, 0):
		return fmt.Sprintf("from %v", lowest)
	default:
		return fmt.Sprintf("from %v to %v", lowest, highest)
	}
}

// onPaper adds as the gate does: 0.8 - 0.1 is 0.7.
func onPaper(a, b float64) float64 {
	sum := new(big.Rat)
	for _, f := range []float64{a, b} {
		if r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64)); ok {
			sum.Add(sum, r)
		}
	}
	f, _ := sum.Float64()
	return f
}

// repeated warns of rules that look at what another one looks at already.
func (l *caseLinter) repeated() {
	seen := map[string]string{}
	for i, rule := range l.policy.Rules {
		way, _ := l.r.find(fmt.Sprintf("/rules/%d/%s", i, l.rules[i].kind))
		looks := l.rules[i].kind + string(way[len(way)-1].AppendJSON(nil))
		if other, ok := seen[looks]; ok {
			l.warn(fmt.Sprintf("/rules/%d", i), "same-rule", "rule %q looks at the same as rule %q", rule.ID, other)
			continue
		}
		seen[looks] = rule.ID
	}
}

// onlyModel warns of categories that no rule raises.
func (l *caseLinter) onlyModel() {
	if l.model == "" {
		return
	}
	raised := l.raised()
	var alone []string
	for _, category := range casegate.DefaultOrder() {
		if !raised[category] {
			alone = append(alone, string(category))
		}
	}
	if len(alone) > 0 {
		l.warn("/model", "only-model", "only the model could escalate a case for %s: no rule does", join(alone))
	}
}

// unread warns of what cases have and nothing looks at.
func (l *caseLinter) unread() {
	if l.schema == nil {
		return
	}
	reads := l.reads()
	for _, group := range []struct {
		what, variable string
		names          []string
	}{
		{"facts", "facts", l.names("facts")},
		{"signals", "signals", l.names("signals")},
		{"documents", "documents", l.listed("documents", "type")},
		{"sources", "sources", l.listed("sources", "name")},
		{"checks", "checks", l.listed("checks", "name")},
	} {
		var unread []string
		for _, name := range group.names {
			if !reads[group.variable] && !reads[group.variable+"/"+verdict.PointerToken(name)] {
				unread = append(unread, name)
			}
		}
		if len(unread) > 0 {
			l.warn("/case_schema", "unread-member", "no rule reads the %s %s", group.what, join(unread))
		}
	}
}

// names are the names that the schema lists in an object of a case.
func (l *caseLinter) names(member string) []string {
	s, known := l.schema.at(member)
	if !known || s == nil {
		return nil
	}
	return sortedKeys(s.members)
}

// listed are the values that the schema lists for a member of a list's entries.
func (l *caseLinter) listed(way ...string) []string {
	s, _ := l.schema.at(way...)
	return s.listed()
}

// reads is what the rules, the decision and the route look at: a variable, or
// a variable and a name.
func (l *caseLinter) reads() map[string]bool {
	reads := map[string]bool{}
	note := func(variable string, names ...string) {
		for _, name := range names {
			reads[variable+"/"+verdict.PointerToken(name)] = true
		}
	}
	note("signals", sortedKeys(l.policy.Signals)...)
	for _, rule := range l.policy.Rules {
		switch k := rule.Kind.(type) {
		case casegate.Require:
			note("documents", k.Documents...)
			note("facts", k.Facts...)
		case casegate.Agree:
			if k.Sources == nil {
				reads["sources"] = true
			}
			note("sources", k.Sources...)
		case casegate.Await:
			note("checks", k.Check)
		}
	}
	progs := []*expr.Program{l.decision, l.route}
	for _, rule := range l.rules {
		progs = append(progs, rule.prog)
	}
	for _, prog := range progs {
		if prog == nil {
			continue
		}
		for _, r := range prog.Reads() {
			if r.Whole {
				reads[r.Var] = true
			} else {
				note(r.Var, r.Key)
			}
			if r.Var == "documents" { // by a text that the expression writes down, maybe
				reads["documents"] = true
			}
		}
	}
	return reads
}

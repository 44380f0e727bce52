package casegate

import (
	"errors"

	"github.com/pawlgate/pawl/internal/source"
)

// ParseOutput reads an output that is valid by the schema, to look at it or to
// show it; the error says what is wrong, a finding a line. It doesn't judge: a
// contradictory output is read too. What Report.Consistent says of the text
// counts, not the Output, in which numbers are rounded.
//
// Members that Output doesn't have are left out. Blocks need not have Pawl's
// form: entries that aren't objects make up one entry under the block's name,
// and an entry that has none of the known members, or of other kinds, stands in
// the free text of its place as JSON. So a block that says something never
// becomes empty.
func ParseOutput(output []byte) (*Output, error) {
	n, err := source.ReadJSON(output)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, f := range schemaErrors(n) {
		errs = append(errs, errors.New(f.String()))
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	o := &Output{
		Action:               Action(memberText(n, "action")),
		Category:             Category(memberText(n, "escalation_category")),
		Confidence:           parseConfidence(n.Get("confidence_score").Text),
		ConfidenceReasoning:  memberText(n, "confidence_reasoning"),
		HumanAction:          memberText(n, "human_action_required"),
		AuditTrail:           memberTexts(n, "audit_trail"),
		PolicyViolations:     parseBlock(n, "policy_violations", parseViolation),
		MissingPreconditions: parseBlock(n, "missing_preconditions", parseMissing),
		BoundaryAnalysis:     parseBlock(n, "boundary_analysis", parseBoundary),
		ConfidenceFactors:    parseBlock(n, "confidence_factors", parseFactors),
		ExternalDependency:   parseBlock(n, "external_dependency", parseDependency),
		EscalationPath:       memberText(n, "escalation_path"),
		GatesPassed:          memberTexts(n, "policy_gates_passed"),
		Decision:             memberText(n, "decision"),
		SelectedRoute:        memberText(n, "selected_route"),
		Rationale:            memberText(n, "rationale"),
	}
	if conflicts := n.Get("conflicting_signals"); conflicts != nil {
		for _, item := range conflicts.Items {
			o.ConflictingSignals = append(o.ConflictingSignals, parseConflict(item))
		}
	}
	if m, ok := goValue(n.Get("model_opinion")).(map[string]any); ok {
		o.ModelOpinion = m
	}
	return o, nil
}

// parseConfidence gives the nearest float64 of a number from 0 to 1. -0 is 0.
func parseConfidence(lit string) float64 {
	return source.ParseNumber([]byte(lit)).Float + 0
}

// parseBlock reads the entries of a block that is an object.
func parseBlock[E any](n *source.Node, member string, parse func(*source.Node) E) map[string]E {
	b := n.Get(member)
	if b == nil || len(b.Members) == 0 {
		return nil
	}
	entries, flat := map[string]E{}, &source.Node{Kind: source.Object}
	for _, m := range b.Members {
		if m.Value.Kind != source.Object {
			flat.Members = append(flat.Members, m)
			continue
		}
		entries[m.Key] = parse(m.Value)
	}
	if len(flat.Members) == 0 {
		return entries
	}
	key := member
	for {
		if _, taken := entries[key]; !taken {
			break
		}
		key += "_"
	}
	entries[key] = parse(flat)
	return entries
}

func parseViolation(n *source.Node) Violation {
	v := Violation{
		Policy: memberText(n, "policy"), Regulation: memberText(n, "regulation"), Restriction: memberText(n, "restriction"),
		Consequence: memberText(n, "consequence"), Severity: memberText(n, "severity"), Owner: memberText(n, "owner"),
		Reason: memberText(n, "reason"),
	}
	if v == (Violation{}) {
		v.Reason = jsonText(n)
	}
	return v
}

func parseMissing(n *source.Node) Missing {
	m := Missing{
		RequiredBy: memberText(n, "required_by"), Regulation: memberText(n, "regulation"), Severity: memberText(n, "severity"),
		Owner: memberText(n, "owner"), Reason: memberText(n, "reason"), Missing: memberTexts(n, "missing"),
	}
	if m.RequiredBy+m.Regulation+m.Severity+m.Owner+m.Reason == "" && m.Missing == nil {
		m.Reason = jsonText(n)
	}
	return m
}

func parseBoundary(n *source.Node) Boundary {
	b := Boundary{
		PolicyThreshold: goValue(n.Get("policy_threshold")), Value: goValue(n.Get("value")), Distance: goValue(n.Get("distance_from_threshold")),
		Assessment: memberText(n, "assessment"), Owner: memberText(n, "owner"),
	}
	if b.PolicyThreshold == nil && b.Value == nil && b.Distance == nil && b.Assessment+b.Owner == "" {
		b.Assessment = jsonText(n)
	}
	return b
}

func parseFactors(n *source.Node) Factors {
	f := Factors{AmbiguousSignals: memberTexts(n, "ambiguous_signals"), WhyUncertain: memberText(n, "why_uncertain"), Owner: memberText(n, "owner")}
	if f.AmbiguousSignals == nil && f.WhyUncertain+f.Owner == "" {
		f.WhyUncertain = jsonText(n)
	}
	if f.AmbiguousSignals == nil {
		f.AmbiguousSignals = []string{} // it is always written
	}
	return f
}

func parseDependency(n *source.Node) Dependency {
	d := Dependency{Awaiting: memberText(n, "awaiting"), BlockingGate: memberText(n, "blocking_gate"), Status: memberText(n, "status"), Owner: memberText(n, "owner")}
	if d == (Dependency{}) {
		d.Awaiting = jsonText(n)
	}
	return d
}

// parseConflict reads an entry of conflicting_signals, in Pawl's form (a rule,
// with the values of all sources) or as one source with its value.
func parseConflict(n *source.Node) Conflict {
	c := Conflict{Rule: memberText(n, "rule"), Field: memberText(n, "field"), Reason: memberText(n, "reason"), Owner: memberText(n, "owner")}
	if values := n.Get("values"); values != nil {
		for _, item := range values.Items {
			c.Values = append(c.Values, SourceValue{memberText(item, "source"), goValue(item.Get("value"))})
		}
	}
	if name := memberText(n, "source"); name != "" {
		c.Values = append(c.Values, SourceValue{name, goValue(n.Get("value"))})
	}
	if c.Rule+c.Field+c.Reason+c.Owner == "" && c.Values == nil {
		c.Reason = jsonText(n)
	}
	if c.Values == nil {
		c.Values = []SourceValue{} // they are always written
	}
	return c
}

// memberText returns a member that is a string, or "".
func memberText(n *source.Node, member string) string {
	if m := n.Get(member); m != nil && m.Kind == source.String {
		return m.Text
	}
	return ""
}

// memberTexts returns the entries of a member that is a list: texts as they
// are, the others as JSON.
func memberTexts(n *source.Node, member string) (texts []string) {
	m := n.Get(member)
	if m == nil {
		return nil
	}
	for _, item := range m.Items {
		if item.Kind == source.String {
			texts = append(texts, item.Text)
		} else {
			texts = append(texts, jsonText(item))
		}
	}
	return texts
}

func jsonText(n *source.Node) string { return string(n.AppendJSON(nil)) }

// goValue gives a value as Go values of the kinds that Case describes; a number
// that can't be held is the text of its literal, and nothing is nil.
func goValue(n *source.Node) any {
	if n == nil {
		return nil
	}
	return n.Value(func(n *source.Node) any {
		switch num := source.ParseNumber([]byte(n.Text)); {
		case num.Inexact:
			return n.Text
		case num.IsInt:
			return num.Int
		default:
			return num.Float
		}
	})
}

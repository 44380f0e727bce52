package casegate

import "fmt"

// keyOutput is the key under which a block says what is wrong with an output
// from elsewhere.
const keyOutput = "output_invalid"

// Judge takes an output from elsewhere (a model's of its own, another team's
// gate) and returns the one that counts, for Verdict: the output itself if it
// is an ESCALATE or a consistent DECIDE, an ESCALATE otherwise. With a case the
// rules are evaluated, too, and the more supervised of the two counts; two
// DECIDEs must name the same decision. The report says what was found in the
// output.
func (g *Gate) Judge(output []byte, c *Case) (Output, *Report) {
	var p *Policy
	if g != nil {
		p = &g.policy
	}
	report := Validate(output, p)
	said, err := ParseOutput(output)
	var counts Output
	switch {
	case g == nil || len(g.rules) == 0:
		return g.Decide(Case{}), report
	case err != nil:
		counts = g.refused("it is not exactly one valid output: " + faultOf(err))
	case said.Action == Decide && !report.Consistent():
		counts = g.refused("its DECIDE contradicts itself or the policy")
	default:
		counts = *said
	}
	if c == nil {
		return counts, report
	}
	own := g.Decide(*c)
	switch {
	case own.Action == Escalate:
		return own, report
	case counts.Action == Escalate:
		return counts, report
	case own.Decision != counts.Decision || own.SelectedRoute != counts.SelectedRoute:
		return g.refused("it decides otherwise than the policy does"), report
	}
	own.Confidence = min(own.Confidence, counts.Confidence)
	return own, report
}

// refused is the ESCALATE that stands for an output of no use.
func (g *Gate) refused(why string) Output {
	d := decider{gate: g, c: &Case{}}
	d.note("an output from elsewhere: %s", why)
	d.fire(keyOutput, InsufficientConfidence, Factors{AmbiguousSignals: []string{}, WhyUncertain: why}, "Decide the case: the output can't be relied on.")
	out := d.escalated(0)
	out.ConfidenceReasoning = fmt.Sprintf("escalated: the output from elsewhere is of no use: %s", why)
	return out
}

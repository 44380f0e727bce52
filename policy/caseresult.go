package policy

import (
	"slices"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/verdict"
)

// CaseResult is what became of one input: the verdict with its queue and
// reasons, and the output that it rests on.
type CaseResult struct {
	casegate.Result
	Output casegate.Output
	// Report is what was found in the output from elsewhere, if the input had one.
	Report *casegate.Report
}

// DecideJSON is Decide of what Read reads, without a model's opinion.
func (c *Case) DecideJSON(raw []byte, line int, supervised bool) (id []byte, r CaseResult) {
	in := c.Read(raw, line)
	if supervised {
		in.Supervise()
	}
	return in.ID, c.Decide(in, nil)
}

// Decide decides an input. It always does; what isn't well-formed escalates.
//
// If the policy names a model, o is that one's opinion. Nil counts as one that
// couldn't be had: it escalates what the rules alone would decide.
func (c *Case) Decide(in *CaseInput, o *casegate.Opinion) CaseResult {
	if o == nil && c.model != "" {
		o = &casegate.Opinion{Name: c.model, Fault: "it wasn't asked"}
	}
	if in.Output == nil {
		return c.result(c.gate.DecideWith(in.Case, o), in.Case.Faults)
	}
	if !in.HasCase && len(in.Case.Faults) > 0 { // nothing but supervision can be wrong without a case
		return c.supervised(in.Case.Faults)
	}
	var facts *casegate.Case
	if in.HasCase {
		facts = &in.Case
	}
	out, report := c.gate.Judge(in.Output, facts)
	if out.Action == casegate.Decide && o != nil {
		out = c.withOpinion(out, in, o)
	}
	r := c.result(out, nil)
	r.Report = report
	if why := inconsistent(&out, report); why != "" {
		r.Reasons = append(r.Reasons, verdict.Reason{Code: casegate.CodeOutputInconsistent, Message: why, Source: verdict.SourceSafety})
	}
	for _, f := range in.Case.Faults {
		r.Reasons = append(r.Reasons, f.Reason())
	}
	return r
}

// result is the result that an output leads to.
func (c *Case) result(out casegate.Output, faults []verdict.Fault) CaseResult {
	r := CaseResult{Result: c.gate.Verdict(&out), Output: out}
	for _, f := range faults {
		r.Reasons = append(r.Reasons, f.Reason())
	}
	return r
}

// withOpinion lets the model that the policy names look at what an output from
// elsewhere decides. Without a case it can't.
func (c *Case) withOpinion(out casegate.Output, in *CaseInput, o *casegate.Opinion) casegate.Output {
	if in.HasCase {
		own := c.gate.DecideWith(in.Case, o)
		if own.Action == casegate.Decide {
			own.Confidence = min(own.Confidence, out.Confidence)
		}
		return own
	}
	why := "model " + o.Name + " can't look at an output without its case"
	escalated := c.escalated(casegate.InsufficientConfidence, "model: "+why, "Decide the case: the model gave no opinion.")
	escalated.ConfidenceFactors = map[string]casegate.Factors{"model": {AmbiguousSignals: []string{}, WhyUncertain: why}}
	return escalated
}

// inconsistent says why an output from elsewhere wasn't relied on.
func inconsistent(out *casegate.Output, report *casegate.Report) string {
	if f, ok := out.ConfidenceFactors["output_invalid"]; ok {
		return f.WhyUncertain
	}
	if report.Malformed != "" || len(report.Schema) > 0 || report.Action == casegate.Decide && !report.Consistent() {
		return "the output from elsewhere is not valid, or contradicts itself or the policy"
	}
	return ""
}

// supervised is the result without a case, of a gate that is supervised.
func (c *Case) supervised(faults []verdict.Fault) CaseResult {
	why := faults[0].Reason().Message
	out := c.escalated(casegate.ExternalDependency, "the gate is supervised: "+why, "Decide the case: the gate is supervised.")
	key := string(verdict.GateSupervised)
	out.ExternalDependency = map[string]casegate.Dependency{key: {Awaiting: "the gate's release", BlockingGate: key}}
	return c.result(out, faults)
}

// escalated makes an output that escalates without a case.
func (c *Case) escalated(category casegate.Category, why, nextStep string) casegate.Output {
	out := casegate.Output{
		Action: casegate.Escalate, Category: category, HumanAction: nextStep,
		ConfidenceReasoning: "escalated: " + why,
		AuditTrail:          []string{why, "escalated: " + string(category)},
		EscalationPath:      c.policy.Queues[category],
	}
	if out.EscalationPath == "" {
		out.EscalationPath = c.policy.DefaultQueue
	}
	return out
}

// Supervise adds the fault of a gate that is supervised: a person decides.
func (in *CaseInput) Supervise() {
	in.Case.Faults = append(slices.Clip(in.Case.Faults), verdict.Fault{Code: verdict.GateSupervised, Detail: "a person decides"})
}

// AppendResult appends a result as a JSON object with what it was made by:
// {"line", "id", "gate", "policy", "engine", "result"}. Line is left out if it
// is 0, id if it is nil.
func (c *Case) AppendResult(dst []byte, line int, id []byte, r *CaseResult) []byte {
	dst = appendResultHead(dst, line, id, c.prefix)
	return append(r.AppendJSON(dst), '}')
}

// AppendJSON appends the result as {"verdict", "queue"?, "reasons", "output"}.
func (r *CaseResult) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"verdict":`...)
	dst = verdict.AppendString(dst, string(r.Verdict))
	if r.Queue != "" {
		dst = append(dst, `,"queue":`...)
		dst = verdict.AppendString(dst, r.Queue)
	}
	dst = append(dst, `,"reasons":[`...)
	for i, reason := range r.Reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = reason.AppendJSON(dst)
	}
	dst = append(dst, `],"output":`...)
	return append(r.Output.AppendJSON(dst), '}')
}

// MarshalJSON returns what AppendJSON appends.
func (r CaseResult) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

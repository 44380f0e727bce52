package policy

import (
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/verdict"
)

// CaseResult is what became of one input: the verdict with its queue and
// reasons, and the output that it rests on.
type CaseResult struct {
	casegate.Result
	Output casegate.Output
}

// Judge judges an output that comes from elsewhere, as JSON. What speaks
// against relying on it are faults: it isn't of the schema, or contradicts
// itself. It must be pure.
type Judge func(output []byte) Judged

// Judged is what a Judge found.
type Judged struct {
	Output casegate.Output // of no use if there are faults
	Faults []string
}

// unjudged is the judge as long as there is no other.
func unjudged([]byte) Judged {
	return Judged{Faults: []string{"outputs from elsewhere can't be judged"}}
}

// WithJudge returns the gate with a judge of outputs from elsewhere. Without
// one none of them is consistent.
func (c *Case) WithJudge(j Judge) *Case {
	other := *c
	other.judge = j
	return &other
}

// Keys of the gate's own in the blocks of an output, see package casegate.
const (
	keyModel         = "model"
	keyOutputInvalid = "output_invalid"
)

// DecideJSON decides the input that stands in raw, on a line of a file (0:
// none): a bare case, an envelope {"id", "subject"?, "case", "action"?}, or an
// output from elsewhere {"id"?, "output", "case"?}. It always decides; what
// isn't exactly one well-formed input escalates. The id is the envelope's,
// else the case's, nil if there is none.
//
// A policy that wants a model's opinion escalates what its rules would decide:
// whoever asks the model uses Decide.
func (c *Case) DecideJSON(raw []byte, line int, supervised bool) (id []byte, r CaseResult) {
	in := c.read(raw, line)
	if in.err != nil {
		in.facts.Faults = append(in.facts.Faults, verdict.Fault{Code: verdict.InputMalformed, Detail: in.err.Error()})
	}
	if supervised {
		in.facts.Faults = append(in.facts.Faults, verdict.Fault{Code: verdict.GateSupervised, Detail: "the gate is supervised: a person decides"})
	}
	if in.output == nil {
		return in.id, c.withoutModel(c.Decide(in.facts))
	}
	return in.id, c.withOutput(&in)
}

// Decide decides a case by the rules alone.
func (c *Case) Decide(facts casegate.Case) CaseResult {
	return c.result(c.gate.Decide(facts), facts.Faults)
}

func (c *Case) result(out casegate.Output, faults []verdict.Fault) CaseResult {
	r := CaseResult{c.gate.Verdict(&out), out}
	for _, f := range faults {
		r.Reasons = append(r.Reasons, f.Reason())
	}
	return r
}

// withoutModel escalates a case that only the model, which wasn't asked, could
// still escalate.
func (c *Case) withoutModel(r CaseResult) CaseResult {
	if c.model == "" || r.Output.Action != casegate.Decide {
		return r
	}
	why := "model " + c.model + " wasn't asked"
	out := c.escalated(casegate.InsufficientConfidence, r.Output.AuditTrail, "model: "+why, "Decide the case: the model gave no opinion.")
	out.GatesPassed = r.Output.GatesPassed
	out.ConfidenceFactors = uncertain(keyModel, why)
	return c.result(out, nil)
}

// withOutput decides an input that brings an output along: the more supervised
// of what it and the rules say.
func (c *Case) withOutput(in *caseInput) CaseResult {
	judged := c.judge(in.output.AppendJSON(nil))
	own := CaseResult{}
	if in.bare || len(in.facts.Faults) > 0 {
		if in.bare {
			own = c.withoutModel(c.Decide(in.facts))
		} else { // nothing but supervision can be wrong without a case
			own = c.supervised(in.facts.Faults)
		}
	}
	if len(judged.Faults) > 0 {
		return c.inconsistent(own, judged.Faults)
	}
	theirs := c.result(judged.Output, nil)
	switch {
	case own.Output.Action == "":
		return theirs
	case own.Output.Action != casegate.Decide:
		return own
	case theirs.Output.Action != casegate.Decide:
		return theirs
	case own.Output.Decision != theirs.Output.Decision:
		return c.inconsistent(own, []string{"it decides otherwise than the policy"})
	default:
		return theirs // of the same decision, thus of the same verdict
	}
}

// inconsistent is the result for an output that can't be relied on.
func (c *Case) inconsistent(own CaseResult, faults []string) CaseResult {
	why := strings.Join(faults, "; ")
	r := own
	if own.Output.Action != casegate.Escalate {
		out := c.escalated(casegate.InsufficientConfidence, own.Output.AuditTrail, "output_invalid: "+why, "Decide the case: the output can't be relied on.")
		out.GatesPassed = own.Output.GatesPassed
		out.ConfidenceFactors = uncertain(keyOutputInvalid, why)
		r = c.result(out, nil)
	}
	r.Reasons = append(r.Reasons, verdict.Reason{Code: casegate.CodeOutputInconsistent, Message: why, Source: verdict.SourceSafety})
	return r
}

// supervised is the result without a case, of a gate that is supervised.
func (c *Case) supervised(faults []verdict.Fault) CaseResult {
	why := faults[0].Reason().Message
	out := c.escalated(casegate.ExternalDependency, nil, "the gate is supervised: "+why, "Decide the case: the gate is supervised.")
	key := string(verdict.GateSupervised)
	out.ExternalDependency = map[string]casegate.Dependency{key: {Awaiting: "the gate's release", BlockingGate: key}}
	return c.result(out, faults)
}

func uncertain(key, why string) map[string]casegate.Factors {
	return map[string]casegate.Factors{key: {AmbiguousSignals: []string{}, WhyUncertain: why}}
}

// escalated makes an output that escalates for a reason beside the rules.
func (c *Case) escalated(category casegate.Category, trail []string, why, nextStep string) casegate.Output {
	out := casegate.Output{
		Action: casegate.Escalate, Category: category, HumanAction: nextStep,
		ConfidenceReasoning: "escalated: " + why,
		AuditTrail:          append(append([]string(nil), trail...), why, "escalated: "+string(category)),
		EscalationPath:      c.policy.Queues[category],
	}
	if out.EscalationPath == "" {
		out.EscalationPath = c.policy.DefaultQueue
	}
	return out
}

// AppendResult appends a result as a JSON object with what it was made by:
// {"line", "id", "gate", "policy", "engine", "result"}. Line is left out if it
// is 0, id if it is nil.
func (c *Case) AppendResult(dst []byte, line int, id []byte, r *CaseResult) []byte {
	dst = append(dst, '{')
	if line > 0 {
		dst = append(dst, `"line":`...)
		dst = strconv.AppendInt(dst, int64(line), 10)
		dst = append(dst, ',')
	}
	if id != nil {
		dst = append(dst, `"id":`...)
		dst = verdict.AppendString(dst, string(id))
		dst = append(dst, ',')
	}
	dst = append(dst, c.prefix...)
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

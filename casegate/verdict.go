package casegate

import (
	"slices"

	"github.com/pawlgate/pawl/verdict"
)

// The codes of reasons of a verdict on a case, in the order in which they
// stand. Faults of the case come last, with the codes of package verdict.
const (
	CodeCaseEscalated        verdict.Code = "case_escalated"        // subject: the category
	CodeDecisionUnlisted     verdict.Code = "decision_unlisted"     // neither applied nor rejected by the policy
	CodeConfidenceUndeclared verdict.Code = "confidence_undeclared" // no signal says how sure anybody is
	CodeAutoApplyDisabled    verdict.Code = "auto_apply_disabled"   // the policy doesn't switch auto_apply on
	CodeAutoRejectDisabled   verdict.Code = "auto_reject_disabled"  // the policy doesn't switch auto_reject on
	CodeOutputInconsistent   verdict.Code = "output_inconsistent"   // an output from elsewhere contradicts itself
)

// Result is what an output means for a caller.
type Result struct {
	Verdict verdict.Verdict
	Queue   string // where a person finds the case; empty if nobody needs to look or the policy names none
	Reasons []verdict.Reason
}

// Verdict turns an output of this gate, or a consistent one from elsewhere,
// into a verdict: auto_apply only for a DECIDE whose decision the policy
// applies, auto_reject only for one whose decision it rejects, each only if it
// is switched on. Everything else is a person's.
func (g *Gate) Verdict(out *Output) Result {
	r := Result{Verdict: verdict.RouteToHuman}
	add := func(code verdict.Code, subject, message string) {
		r.Reasons = append(r.Reasons, verdict.Reason{Code: code, Subject: subject, Message: message, Source: verdict.SourceSafety})
	}
	if g == nil || len(g.rules) == 0 {
		add(verdict.PolicyInvalid, "", "the gate has no valid policy")
		return r
	}
	p := &g.policy
	if out == nil || out.Action != Decide || out.Category != "" {
		category := Category("")
		if out != nil {
			category = out.Category
		}
		add(CodeCaseEscalated, string(category), "a person must look at the case")
		r.Queue = g.queue(out)
		return r
	}
	applies, rejects := slices.Contains(p.Applies, out.Decision), slices.Contains(p.Rejects, out.Decision)
	if !applies && !rejects || out.Decision == "" {
		add(CodeDecisionUnlisted, "", "the policy lists the decision neither in applies nor in rejects")
	}
	if len(p.Signals) == 0 && !p.WithoutConfidence {
		add(CodeConfidenceUndeclared, "", "no signal says how sure anybody is, and the policy doesn't say that none is needed (confidence: none)")
	}
	if applies && !p.EnableAutoApply {
		add(CodeAutoApplyDisabled, "", "auto_apply isn't switched on (enableAutoApply)")
	}
	if rejects && !p.EnableAutoReject {
		add(CodeAutoRejectDisabled, "", "auto_reject isn't switched on (enableAutoReject)")
	}
	switch {
	case len(r.Reasons) > 0:
		r.Queue = p.DefaultQueue
	case applies:
		r.Verdict = verdict.AutoApply
	case rejects:
		r.Verdict = verdict.AutoReject
	}
	return r
}

// queue is where an escalated case waits: in the one that the output names, if
// the policy knows it, else in that of its category.
func (g *Gate) queue(out *Output) string {
	p := &g.policy
	if out == nil {
		return p.DefaultQueue
	}
	known := out.EscalationPath != "" && (out.EscalationPath == p.DefaultQueue || slices.Contains(p.Paths, out.EscalationPath))
	for _, queue := range p.Queues {
		known = known || queue == out.EscalationPath
	}
	if known {
		return out.EscalationPath
	}
	if queue, ok := p.Queues[out.Category]; ok {
		return queue
	}
	return p.DefaultQueue
}

package threshold

import "github.com/pawlgate/pawl/verdict"

// What all gates share, under the names a user of this gate expects.
type (
	// Verdict is auto_apply, auto_reject or route_to_human.
	Verdict = verdict.Verdict
	// Reason is one of the things that shaped a verdict.
	Reason = verdict.Reason
	// Fault is something that keeps the gate from trusting its input.
	Fault = verdict.Fault
	// Code names a reason or a fault.
	Code = verdict.Code
	// Problem is one thing that is wrong with a policy.
	Problem = verdict.Problem
	// PolicyError is the error of [Compile]: everything that is wrong.
	PolicyError = verdict.PolicyError
)

// The three verdicts, from the least to the most supervised.
const (
	AutoApply    = verdict.AutoApply
	AutoReject   = verdict.AutoReject
	RouteToHuman = verdict.RouteToHuman
)

// The codes of reasons that aren't faults, in the order in which they stand
// in a decision. The faults, which come last, are those of package verdict.
const (
	CodeBandHigh           Code = "band_high"            // subject: the score
	CodeBandReview         Code = "band_review"          // subject: the score; also a score with a fault
	CodeBandLow            Code = "band_low"             // subject: the score
	CodeRuleRouteToHuman   Code = "rule_route_to_human"  // subject: the rule
	CodeRuleAutoReject     Code = "rule_auto_reject"     // subject: the rule
	CodeNoBands            Code = "no_bands"             // the policy has no band, so nothing can be automated by score
	CodeNotAllHigh         Code = "not_all_high"         // combine said auto_apply though a band isn't high
	CodeAutoApplyDisabled  Code = "auto_apply_disabled"  // the policy doesn't switch auto_apply on
	CodeAutoRejectDisabled Code = "auto_reject_disabled" // the policy doesn't switch auto_reject on
)

// Package casegate decides whether a regulated case may be automated. It looks
// at the facts, documents, sources and pending checks of one case and the
// rules that apply, and answers DECIDE (safe to automate) or ESCALATE (a person
// must look), with a category, a confidence, the next step and an audit trail.
//
// [Compile] makes a [Gate] of a [Policy]; [Gate.Decide] gives the [Output],
// which always validates against the schema of sentinel outputs ([Schema]).
// A DECIDE is not a permission: only [Gate.Verdict] turns an output into one of
// the three verdicts, by the lists and switches of the policy.
//
// Whatever can't be evaluated fires. Nothing in an output ever turns ESCALATE
// into DECIDE.
package casegate

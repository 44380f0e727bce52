package review

import "github.com/pawlgate/pawl/verdict"

// Status is where an item stands. The zero value is none.
type Status string

// The statuses. All but pending_review are ended.
const (
	PendingReview Status = "pending_review"
	AutoApplied   Status = "auto_applied"
	AutoRejected  Status = "auto_rejected"
	Approved      Status = "approved"
	Rejected      Status = "rejected"
	Edited        Status = "edited" // approved after a person changed the action
	Superseded    Status = "superseded"
	Expired       Status = "expired" // the deadline passed; only this one can be re-opened
	Withdrawn     Status = "withdrawn"
)

// Ended reports whether s is one of the statuses in which nobody is asked any
// more. What isn't a status hasn't ended, and has no effect either.
func (s Status) Ended() bool {
	switch s {
	case AutoApplied, AutoRejected, Approved, Rejected, Edited, Superseded, Expired, Withdrawn:
		return true
	}
	return false
}

// Effect returns what an item of this status lets an executor do.
func (s Status) Effect() Effect {
	switch s {
	case AutoApplied, Approved, Edited:
		return EffectApply
	case AutoRejected, Rejected:
		return EffectReject
	}
	return NoEffect
}

// Effect is what a permit is for.
type Effect string

// The effects. To apply is to run the action; to reject is to do whatever the
// caller does with a refused one.
const (
	NoEffect     Effect = ""
	EffectApply  Effect = "apply"
	EffectReject Effect = "reject"
)

// statusOf returns the status in which an item of verdict v begins: anything
// that isn't an automatic verdict waits for a person.
func statusOf(v verdict.Verdict) Status {
	switch v {
	case verdict.AutoApply:
		return AutoApplied
	case verdict.AutoReject:
		return AutoRejected
	}
	return PendingReview
}

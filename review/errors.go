package review

import (
	"fmt"
	"strings"
	"time"
)

// Conflict says what an act ran into.
type Conflict string

// The conflicts.
const (
	ConflictEnded    Conflict = "ended"       // somebody else, or something else, ended the item
	ConflictHeld     Conflict = "held"        // another person has the lease
	ConflictAssigned Conflict = "assigned"    // the item waits for another person
	ConflictLease    Conflict = "needs_lease" // the act needs a lease, and the actor has none
	ConflictStale    Conflict = "stale_token" // the lease of that token is over
	ConflictChanged  Conflict = "changed"     // version or action aren't the ones that the actor saw
	ConflictOverdue  Conflict = "overdue"     // the deadline has passed; the item is about to expire
	ConflictStatus   Conflict = "status"      // the item isn't in the status that the act is for
)

// ConflictError says that the item isn't as the actor thought: who has it now,
// or who ended it, how and when. Over HTTP it is a 409.
type ConflictError struct {
	Item    string
	Act     Kind // the act that lost
	Code    Conflict
	Status  Status // of the item now
	Version int64  // of the item now

	// The act that won, if the item has ended.
	By     Person
	Winner Kind
	At     time.Time

	// Who has the item now and until when, or for whom it waits; empty if it
	// is free.
	Holder string
	Until  time.Time
}

// Error names the conflict and what it was lost to.
func (e *ConflictError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "can't %s item %s: ", e.Act, e.Item)
	switch e.Code {
	case ConflictEnded:
		fmt.Fprintf(&b, "it is %s since %s, by the %s of %s", e.Status, e.At.Format(time.RFC3339), e.Winner, e.By.ID)
	case ConflictHeld:
		b.WriteString("another person has it")
	case ConflictAssigned:
		b.WriteString("it is assigned to another person")
	case ConflictLease:
		b.WriteString("claim it first, and give the token of the claim")
	case ConflictStale:
		b.WriteString("the lease of this token is over; claim it again")
	case ConflictChanged:
		fmt.Fprintf(&b, "it has changed and is at version %d; look at it again", e.Version)
	case ConflictOverdue:
		b.WriteString("its deadline has passed")
	default:
		fmt.Fprintf(&b, "it is %s", e.Status)
	}
	if e.Holder != "" {
		fmt.Fprintf(&b, " (%s", e.Holder)
		if !e.Until.IsZero() {
			fmt.Fprintf(&b, ", until %s", e.Until.Format(time.RFC3339))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// Denied says why a person may not do something.
type Denied string

// What keeps a person from acting.
const (
	DeniedNoPerson  Denied = "no_person"         // who acts, or how they are known, isn't said
	DeniedQueue     Denied = "queue"             // the queue isn't theirs to see
	DeniedSubmitter Denied = "submitter"         // nobody approves what they submitted
	DeniedAsserted  Denied = "asserted"          // the name was only asserted
	DeniedTwice     Denied = "voted"             // they have voted on this action already
	DeniedMadeBy    Denied = "made_by_approver"  // account and approver aren't independent
	DeniedNotOwn    Denied = "not_submitter"     // only for a submitter of the item
	DeniedRight     Denied = "right"             // takes a right that they don't have
	DeniedSecond    Denied = "needs_another"     // the second person must be another one
	DeniedAutomatic Denied = "needs_a_person"    // Pawl itself may not do it
	DeniedLoosening Denied = "loosens_something" // takes Loosen
)

// DeniedError says that the person may not do it, whatever the item's state.
// Over HTTP it is a 403.
type DeniedError struct {
	Person  string
	Act     Kind
	Code    Denied
	Message string // for people
}

// Error returns the message.
func (e *DeniedError) Error() string { return e.Message }

// InvalidError says that an act or a submission makes no sense as it stands.
// Over HTTP it is a 422.
type InvalidError struct {
	Field   string // of the act or submission: "reason", "action", …
	Pointer string // JSON pointer into an action, if it is about a part of one
	Message string // for people
	Allowed []string
	Err     error // what a schema said, or nil
}

// Error names the field, what is wrong, and what would be right.
func (e *InvalidError) Error() string {
	s := e.Field + ": " + e.Message
	if e.Pointer != "" {
		s = e.Field + " at " + e.Pointer + ": " + e.Message
	}
	if len(e.Allowed) > 0 {
		s += "; allowed: " + strings.Join(e.Allowed, ", ")
	}
	return s
}

// Unwrap returns what a schema said, or nil.
func (e *InvalidError) Unwrap() error { return e.Err }

func invalid(field, format string, args ...any) error {
	return &InvalidError{Field: field, Message: fmt.Sprintf(format, args...)}
}

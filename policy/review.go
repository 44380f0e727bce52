package policy

import "time"

// Review is what a policy says about the people who decide what its gate
// doesn't, and about the permits that come of it. The words are those of
// package review, which has the rules.
type Review struct {
	Approvals  int // how many distinct people must approve; 1 unless said
	Rejections int // how many must reject to end an item; 1 unless said
	// CountAsserted lets people count of whom only a name is known, one that was
	// given to the library or the command line.
	CountAsserted bool
	Lease         time.Duration // how long a claim lasts; 0 is the default
	PermitLife    time.Duration // how long a permit can be redeemed; 0 is the default
	Deadline      time.Duration // how long an item may wait; 0 is for ever
	Escalate      []Step        // where items go that wait long, in this order
	// Editable are the places (JSON pointers) of an action that an edit may
	// change, with all that lies below them.
	Editable []string
	// ActionSchema holds an edited action, in its canonical form, to the JSON
	// Schema that the policy names. It is nil if there is none.
	ActionSchema func(action []byte) error
	// Reasons are the reason codes by act. An act that is listed needs one of
	// its codes.
	Reasons map[string][]string
	// JoinSameAction lets a submission join a pending item of the same gate,
	// subject and action.
	JoinSameAction bool
	Executors      []string // who may redeem; none: the default
}

// Step says where an item goes that has been waiting for After.
type Step struct {
	After time.Duration
	To    string
}

// FullRamp is a ramp that leaves every automatic decision automatic.
const FullRamp = 10_000

// reviewActs are the acts that can ask for a reason code. What happens as part
// of something else, a claim, a submission or a deadline, has nobody to give one.
var reviewActs = []string{"approve", "reject", "edit", "hold", "release", "skip", "escalate", "assign", "comment", "withdraw", "reopen", "overturn"}

// Package pawl is the whole service in one process: it decides, keeps every
// decision durably, lets people review what no gate decides alone, hands out
// permits to act, and writes all of it into a tamper-evident ledger.
//
// [Open] takes a database (":memory:", a SQLite file or Postgres) and policies.
// [Pawl.Submit] asks a gate. What ends at once has a permit; what doesn't is an
// item that waits for people: [Pawl.Next] or [Pawl.Claim], then [Pawl.Approve],
// [Pawl.Reject] or another act. Whoever carries out the action does so through
// [Pawl.Do], which redeems the permit, so that it happens for one decision only,
// for the action that was decided, and not once it was called back.
//
// An error from Submit means that there is no verdict. What was answered is on
// the disk. The rules are described in docs/review.md, the ledger in
// docs/ledger.md.
package pawl

import (
	"context"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// What methods take and return. Those of package review are described there.
type (
	// Config says where decisions are kept and which policies decide.
	Config = app.Config
	// Callbacks are the executor of a gate.
	Callbacks = app.Callbacks
	// Run is what an effect is told.
	Run = app.Run
	// Submission is a question to a gate, with the action that depends on it.
	Submission = app.Submission
	// Submitted is the answer to a submission.
	Submitted = app.Submitted
	// Record is an item with all that is kept of it.
	Record = app.Record
	// Label is what turned out to be right about an item.
	Label = app.Label
	// Query picks items.
	Query = app.Query
	// Redemption asks for the permit of an item.
	Redemption = app.Redemption
	// PolicyText is a policy file that is to be added.
	PolicyText = app.PolicyText
	// PolicyVersion is one version of a gate's policy.
	PolicyVersion = app.PolicyVersion
	// Shadowed is a decision that was recorded beside the caller's own.
	Shadowed = app.Shadowed
	// Counts are how many items of a gate there are.
	Counts = app.Counts
	// Head is the end of the ledger.
	Head = app.Head

	// Actor is a person with what the caller knows about their account.
	Actor = review.Actor
	// Person is who did something, and how that is known.
	Person = review.Person
	// Act is one thing that somebody does with an item.
	Act = review.Act
	// Outcome is what an act did.
	Outcome = review.Outcome
	// Permit lets one executor act on an ended item, once.
	Permit = review.Permit
	// PermitState is how far a permit has come.
	PermitState = review.PermitState
	// Granted is the answer to a redemption.
	Granted = review.Granted
	// Gate is a gate's setting.
	Gate = review.Gate
	// GateEvent is one change of a gate.
	GateEvent = review.GateEvent
	// Verdict is what a gate answers.
	Verdict = verdict.Verdict
	// Reason is one of the things that shaped a verdict.
	Reason = verdict.Reason
)

// The verdicts.
const (
	AutoApply    = verdict.AutoApply
	AutoReject   = verdict.AutoReject
	RouteToHuman = verdict.RouteToHuman
)

// Errors that callers tell apart. Those of the rules are in package review:
// ConflictError, DeniedError, InvalidError, RefusedError, ErrKeyReused,
// ErrKeyRunning.
var (
	// ErrNotFound says that there is no such item, gate or version.
	ErrNotFound = app.ErrNotFound
	// ErrDoing says that another goroutine of this process runs the effect of
	// the item just now.
	ErrDoing = app.ErrDoing
	// ErrRestored says that the database is older than a checkpoint that is kept
	// elsewhere, or was put back from a backup; see Config.Restored.
	ErrRestored = app.ErrRestored
)

// FailedError says that the effect of an item failed, now or before, and that
// this was recorded.
type FailedError = app.FailedError

// Pawl is the service. It may be used by many goroutines, and several processes
// may share one Postgres.
type Pawl struct{ app *app.App }

// Open opens the database, brings it up to date and deploys the policies.
func Open(ctx context.Context, c Config) (*Pawl, error) {
	a, err := app.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Pawl{a}, nil
}

// Close ends the service. What was answered is kept.
func (p *Pawl) Close() error { return p.app.Close() }

// Asserted returns the actor of a name that nobody checked, who may see every
// queue and do what takes a right: for a library or a command line whose users
// are trusted. Whether such a name counts toward approvals is for the policy to
// say (count_asserted).
func Asserted(name string) Actor {
	return Actor{
		Person: Person{ID: name, Known: review.KnownAsserted}, Queues: []string{"*"},
		Supervisor: true, MayLoosen: true,
	}
}

// PromotionAction is the action of promoting a snapshot, by its digest.
func PromotionAction(digest string) []byte { return app.PromotionAction(digest) }

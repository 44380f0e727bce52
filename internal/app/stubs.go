package app

import (
	"context"
	"errors"

	"github.com/pawlgate/pawl/review"
)

// Submit decides and records: an item, its permit if it ended at once, and the
// ledger's entry, in one transaction. An error means that there is no verdict.
// Shared with other submissions that come at the same time.
func (a *App) Submit(ctx context.Context, s Submission) (Submitted, error) {
	return Submitted{}, errors.ErrUnsupported
}

// Decide is Submit of an input without an action.
func (a *App) Decide(ctx context.Context, gate string, input []byte, by review.Actor) (Submitted, error) {
	return Submitted{}, errors.ErrUnsupported
}

// Pending returns items that wait for people, the newest first, once what the time
// has brought about is done.
func (a *App) Pending(ctx context.Context, q Query) ([]*Record, error) {
	return nil, errors.ErrUnsupported
}

// List returns items, the newest first.
func (a *App) List(ctx context.Context, q Query) ([]*Record, error) {
	return nil, errors.ErrUnsupported
}

// Item returns an item with its events, permit and labels, or ErrNotFound.
func (a *App) Item(ctx context.Context, id string) (*Record, error) {
	return nil, errors.ErrUnsupported
}

// Counts counts the items of a gate.
func (a *App) Counts(ctx context.Context, gate string) (Counts, error) {
	return Counts{}, errors.ErrUnsupported
}

// InDoubt returns the items whose permit was redeemed and not reported; an empty
// gate is all of them.
func (a *App) InDoubt(ctx context.Context, gate string) ([]*Record, error) {
	return nil, errors.ErrUnsupported
}

// Next claims the most urgent item that is free, in the queue or, if it is empty,
// in all queues that the person may see. It returns false if there is none.
func (a *App) Next(ctx context.Context, by review.Actor, queue string) (review.Outcome, bool, error) {
	return review.Outcome{}, false, errors.ErrUnsupported
}

// Act does one act on an item: the only way in which items change. What the time
// has brought about is done before.
func (a *App) Act(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	return review.Outcome{}, errors.ErrUnsupported
}

// Redeem grants the permit of an item to one executor, once: the same key again
// has the same answer, any other is refused with a *review.RefusedError.
func (a *App) Redeem(ctx context.Context, r Redemption) (review.Granted, error) {
	return review.Granted{}, errors.ErrUnsupported
}

// Report says how a redeemed permit ended: done or failed.
func (a *App) Report(ctx context.Context, item string, key []byte, state review.PermitState, result []byte) (review.Permit, error) {
	return review.Permit{}, errors.ErrUnsupported
}

// Do redeems the item's permit for the action, runs fn and reports done with what
// fn returns, or failed with its error. A permit that is done already has the
// result from then, and fn isn't run.
//
// After a crash call it again: it goes on with the redemption key that it kept,
// and runs fn with Run.Again. So what fn does outside may happen more than once:
// hand Run.IdempotencyKey to it.
func (a *App) Do(ctx context.Context, item string, action []byte, fn func(context.Context, Run) ([]byte, error)) ([]byte, error) {
	return nil, errors.ErrUnsupported
}

// SweepDue does what the time has brought about, items that expire or escalate,
// and returns how many acts that were.
func (a *App) SweepDue(ctx context.Context) (int, error) {
	return 0, errors.ErrUnsupported
}

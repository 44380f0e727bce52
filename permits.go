package pawl

import (
	"context"
)

// Redeem grants the permit of an item to one executor, once: the same key again
// has the same answer, any other is refused with a *[review.RefusedError].
func (p *Pawl) Redeem(ctx context.Context, r Redemption) (Granted, error) {
	return p.app.Redeem(ctx, r)
}

// Report says how a redeemed permit ended: done or failed.
func (p *Pawl) Report(ctx context.Context, item string, key []byte, state PermitState, result []byte) (Permit, error) {
	return p.app.Report(ctx, item, key, state, result)
}

// Do redeems the item's permit for the action, runs fn and reports done with what
// fn returns, or failed with its error, which is a *[FailedError] then. A permit
// that is done already has the result from then, and fn isn't run; nor is it for
// one that failed.
//
// After a crash call it again: it goes on with the redemption key that it kept,
// and runs fn with Run.Again. So what fn does outside may happen more than once:
// hand Run.IdempotencyKey to it.
func (p *Pawl) Do(ctx context.Context, item string, action []byte, fn func(context.Context, Run) ([]byte, error)) ([]byte, error) {
	return p.app.Do(ctx, item, action, fn)
}

// InDoubt returns the items whose permit was redeemed and not reported; an empty
// gate is all of them.
func (p *Pawl) InDoubt(ctx context.Context, gate string) ([]*Record, error) {
	return p.app.InDoubt(ctx, gate)
}

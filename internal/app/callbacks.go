package app

import (
	"context"

	"github.com/pawlgate/pawl/review"
)

// callback returns the callback for items that ended like this, or nil.
func (a *App) callback(gate string, s review.Status) func(context.Context, Run) ([]byte, error) {
	on := a.cfg.On[gate]
	switch s {
	case review.AutoApplied:
		return on.OnAutoApply
	case review.AutoRejected:
		return on.OnAutoReject
	case review.Approved, review.Edited:
		return on.OnApprove
	case review.Rejected:
		return on.OnReject
	}
	return nil
}

// effect runs the callback of an item that has just ended, if there is one. How
// it went is recorded with the permit; if that couldn't be, the permit is open
// or in doubt, and the next Open goes on with it. It returns the permit as it is
// afterwards; nil if there is no callback or nobody can tell.
func (a *App) effect(ctx context.Context, id, gate string, s review.Status) *review.Permit {
	fn := a.callback(gate, s)
	if fn == nil {
		return nil
	}
	rec, _, err := a.look(ctx, id)
	if err != nil {
		return nil
	}
	_, _ = a.Do(ctx, id, rec.Action, fn) // the permit says how it went
	if rec, _, err = a.look(context.WithoutCancel(ctx), id); err != nil {
		return nil
	}
	return rec.Permit
}

// resume goes on with what callbacks didn't get to before the process ended:
// permits that are in doubt, and those that are open.
func (a *App) resume(ctx context.Context) error {
	for gate := range a.cfg.On {
		for _, state := range []review.PermitState{review.PermitGranted, review.PermitOpen} {
			list, err := a.all(ctx, Query{Gate: gate, Permit: state})
			if err != nil {
				return err
			}
			for i := len(list) - 1; i >= 0; i-- { // the oldest first
				a.effect(ctx, list[i].ID, gate, list[i].Status)
			}
		}
	}
	return ctx.Err()
}

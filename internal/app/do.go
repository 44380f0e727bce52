package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
)

// ErrDoing says that another goroutine of this process has the effect just now.
var ErrDoing = errors.New("the effect of this item is running already")

// FailedError says that the effect of an item failed, now or before, and that
// this was recorded.
type FailedError struct {
	Item   string
	Result []byte // what was recorded
	Err    error  // what the effect returned; nil if that was before
}

// Error says what was recorded.
func (e *FailedError) Error() string {
	return fmt.Sprintf("the effect of item %s failed: %.500s", e.Item, e.Result)
}

// Unwrap returns what the effect returned.
func (e *FailedError) Unwrap() error { return e.Err }

// Do redeems the item's permit for the action, runs fn and reports done with what
// fn returns, or failed with its error, which is a *FailedError then. A permit
// that is done already has the result from then, and fn isn't run; nor is it for
// one that failed.
//
// After a crash call it again: it goes on with the redemption key that it kept,
// and runs fn with Run.Again. So what fn does outside may happen more than once:
// hand Run.IdempotencyKey to it.
func (a *App) Do(ctx context.Context, item string, action []byte, fn func(context.Context, Run) ([]byte, error)) ([]byte, error) {
	if !a.doing.begin(item) {
		return nil, fmt.Errorf("item %s: %w", item, ErrDoing)
	}
	defer a.doing.end(item)
	rec, key, err := a.execution(ctx, item)
	if err != nil {
		return nil, err
	}
	granted, err := a.Redeem(ctx, Redemption{Item: item, Action: action, Key: key, Effect: rec.Permit.Effect})
	if err != nil {
		return nil, err
	}
	switch granted.Permit.State {
	case review.PermitDone:
		return granted.Permit.Result, nil
	case review.PermitFailed:
		return nil, &FailedError{Item: item, Result: granted.Permit.Result}
	}
	if action, err = review.CanonicalAction(action); err != nil {
		return nil, err
	}
	result, failed := attempt(ctx, fn, Run{
		Item: item, Gate: rec.Item.Gate, Subject: rec.Item.Subject, Action: action,
		Effect: granted.Permit.Effect, Status: rec.Item.Status, IdempotencyKey: item, Again: granted.Again,
	})
	if failed != nil && ctx.Err() != nil {
		// Whether it happened isn't known: it stays in doubt, and Do goes on.
		return nil, fmt.Errorf("the effect of item %s was interrupted and stays in doubt: %w", item, failed)
	}
	state, kept := review.PermitDone, result
	if len(kept) > maxResult {
		// It has happened, and has to be reported: with what identifies the result.
		kept = fmt.Appendf(nil, "%d bytes, %s", len(result), review.BodyDigest(result))
	}
	if failed != nil {
		state, kept = review.PermitFailed, fmt.Appendf(nil, "%.4000s", failed.Error())
	}
	// The effect has happened: that is to be known even if the caller has gone.
	if _, err := a.Report(context.WithoutCancel(ctx), item, key, state, kept); err != nil {
		return nil, fmt.Errorf("the effect of item %s stays in doubt: %w", item, errors.Join(err, failed))
	}
	if failed != nil {
		return nil, &FailedError{Item: item, Result: kept, Err: failed}
	}
	return result, nil
}

// maxResult is the longest result that is kept; of a longer one its size and
// digest are.
const maxResult = 64 << 10

// attempt runs an effect; a panic is a failure.
func attempt(ctx context.Context, fn func(context.Context, Run) ([]byte, error), r Run) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return fn(ctx, r)
}

// execution returns the redemption key that this executor keeps for an item, and
// makes one if it has none. It is durable before it is used.
func (a *App) execution(ctx context.Context, item string) (rec *store.Record, key []byte, err error) {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh)
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		var err error
		if rec, err = permitted(tx, item); err != nil {
			return err
		}
		kept, err := tx.Execution(item, a.cfg.Executor)
		switch {
		case err == nil:
			key = kept.Key
			return nil
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		key = fresh
		return tx.PutExecution(&store.Execution{Item: item, Executor: a.cfg.Executor, Key: key, At: tx.Now()})
	})
	if err != nil {
		return nil, nil, err
	}
	return rec, key, nil
}

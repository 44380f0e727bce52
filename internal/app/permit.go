package app

import (
	"cmp"
	"context"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
)

// Redeem grants the permit of an item to one executor, once: the same key again
// has the same answer, any other is refused with a *review.RefusedError.
func (a *App) Redeem(ctx context.Context, r Redemption) (review.Granted, error) {
	hash, err := review.HashKey(r.Item, r.Key)
	if err != nil {
		return review.Granted{}, err
	}
	action, err := review.CanonicalAction(r.Action)
	if err != nil {
		return review.Granted{}, err
	}
	var granted review.Granted
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		rec, err := permitted(tx, r.Item)
		if err != nil {
			return err
		}
		gate, err := tx.Gate(rec.Item.Gate)
		if err != nil {
			return notFound(err, "there is no gate %.60q", rec.Item.Gate)
		}
		digest, err := review.ActionDigest(rec.Item.Salt, action)
		if err != nil {
			return err
		}
		granted, err = review.Grant(*rec.Permit, rec.Item, review.Redemption{
			Item: r.Item, Digest: digest, Effect: r.Effect, Executor: cmp.Or(r.Executor, a.cfg.Executor), KeyHash: hash,
		}, gate.Gate, tx.Now())
		if err != nil || granted.Again {
			return err
		}
		return savePermit(tx, rec, granted.Permit)
	})
	if err != nil {
		return review.Granted{}, err
	}
	a.wrote()
	return granted, nil
}

// permitted reads the record of an item that has a permit.
func permitted(tx *store.Tx, item string) (*store.Record, error) {
	rec, err := tx.Record(item)
	if err != nil {
		return nil, notFound(err, "there is no item %.60q", item)
	}
	if rec.Permit == nil {
		return nil, &review.RefusedError{Item: item, Code: review.RefusedState, Message: "not granted: the item is " + string(rec.Item.Status) + " and has no permit"}
	}
	return rec, nil
}

func savePermit(tx *store.Tx, rec *store.Record, p review.Permit) error {
	rec.Permit = &p
	e, err := permitEntry(rec.Seed, &p)
	if err != nil {
		return err
	}
	if err := write(tx, e); err != nil {
		return err
	}
	return tx.UpdateRecord(rec)
}

// Report says how a redeemed permit ended: done or failed.
func (a *App) Report(ctx context.Context, item string, key []byte, state review.PermitState, result []byte) (review.Permit, error) {
	hash, err := review.HashKey(item, key)
	if err != nil {
		return review.Permit{}, err
	}
	var p review.Permit
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		rec, err := permitted(tx, item)
		if err != nil {
			return err
		}
		var changed bool
		p, changed, err = review.Report(*rec.Permit, hash, state, result, tx.Now())
		if err != nil || !changed {
			return err
		}
		return savePermit(tx, rec, p)
	})
	if err != nil {
		return review.Permit{}, err
	}
	a.wrote()
	return p, nil
}

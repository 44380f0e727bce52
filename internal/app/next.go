package app

import (
	"context"
	"errors"
	"slices"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
)

// Next claims the most urgent item that is free, in the queue or, if it is empty,
// in all queues that the person may see. It returns false if there is none.
func (a *App) Next(ctx context.Context, by review.Actor, queue string) (out review.Outcome, found bool, err error) {
	queues := []string{queue}
	if queue == "" {
		queues = slices.Compact(slices.Sorted(slices.Values(by.Queues)))
		if slices.Contains(queues, "*") {
			queues = []string{"*"}
		}
	}
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		out, found = review.Outcome{}, false
		var best *store.Record
		for _, q := range queues {
			r, err := offered(tx, &by, q)
			if err != nil {
				return err
			}
			if r != nil && (best == nil || review.CompareUrgency(&r.Item, &best.Item) < 0) {
				best = r
			}
		}
		if best == nil {
			return nil
		}
		var err error
		out, err = a.claimIn(tx, best, by)
		found = err == nil
		return err
	})
	if err != nil {
		return review.Outcome{}, false, err
	}
	if found {
		a.wrote()
	}
	return out, found, nil
}

// offered returns the most urgent item of a queue that can be handed to a
// person, or nil.
func offered(tx *store.Tx, by *review.Actor, queue string) (*store.Record, error) {
	var after *store.Cursor
	for limit := 4; ; limit = 64 {
		page, err := tx.Candidates(queue, after, limit)
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			if r.Item.Offered(by, tx.Now()) {
				return r, nil
			}
		}
		if len(page) < limit {
			return nil, nil
		}
		after = store.CursorAt(&page[len(page)-1].Item)
	}
}

// claimIn claims a record that was read in the transaction, after what the time
// has brought about.
func (a *App) claimIn(tx *store.Tx, r *store.Record, by review.Actor) (review.Outcome, error) {
	p, err := a.policies.of(tx, r.Item.Gate, r.Item.Policy)
	if err != nil {
		return review.Outcome{}, err
	}
	if _, err := a.dueOf(tx, r, &p.rules); err != nil {
		return review.Outcome{}, err
	}
	out, err := review.Apply(r.Item, review.Act{Kind: review.ActClaim, Actor: by}, p.rules, tx.Now())
	var denied *review.DeniedError
	if errors.As(err, &denied) && denied.Code == review.DeniedQueue {
		// It was escalated out of sight just now: the person has asked for what
		// they could see a moment ago, and asks again.
		return review.Outcome{}, store.ErrConflict
	}
	if err != nil {
		return review.Outcome{}, err
	}
	return out, a.save(tx, r, &p.rules, &out)
}

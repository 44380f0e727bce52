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
	if err := by.Check(review.ActClaim); err != nil {
		return review.Outcome{}, false, err
	}
	queues := []string{queue}
	if queue == "" {
		queues = slices.Compact(slices.Sorted(slices.Values(by.Queues)))
		if slices.Contains(queues, "*") {
			queues = []string{"*"}
		}
	}
	err = a.db.Update(ctx, func(tx *store.Tx) (err error) {
		out, found, err = a.nextIn(tx, by, queues)
		return err
	})
	if err != nil {
		return review.Outcome{}, false, err
	}
	a.wrote()
	return out, found, nil
}

func (a *App) nextIn(tx *store.Tx, by review.Actor, queues []string) (review.Outcome, bool, error) {
	for {
		var best *store.Record
		for _, q := range queues {
			r, err := a.offered(tx, &by, q)
			if err != nil {
				return review.Outcome{}, false, err
			}
			if r != nil && (best == nil || review.CompareUrgency(&r.Item, &best.Item) < 0) {
				best = r
			}
		}
		if best == nil {
			return review.Outcome{}, false, nil
		}
		p, err := a.policies.of(tx, best.Item.Gate, best.Item.Policy)
		if err != nil {
			return review.Outcome{}, false, err
		}
		n, err := a.dueOf(tx, best, &p.rules)
		if err != nil {
			return review.Outcome{}, false, err
		}
		if n > 0 {
			continue // it may be in another queue now
		}
		out, err := review.Apply(best.Item, review.Act{Kind: review.ActClaim, Actor: by}, p.rules, tx.Now())
		if err != nil {
			return review.Outcome{}, false, err
		}
		return out, true, a.save(tx, best, &p.rules, &out)
	}
}

// offered returns the most urgent item of a queue that can be handed to a
// person, or nil. It is nearly always the first one, and on Postgres whatever
// is looked at is kept from others.
func (a *App) offered(tx *store.Tx, by *review.Actor, queue string) (*store.Record, error) {
	var after *store.Cursor
	for limit := 1; ; limit = min(8*limit, 64) {
		page, err := tx.Candidates(queue, after, limit)
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			if !r.Item.Offered(by, tx.Now()) {
				continue
			}
			_, err := a.policies.of(tx, r.Item.Gate, r.Item.Policy)
			if errors.Is(err, errUnreadable) {
				continue // nobody can act on it, and it keeps no others from their turn
			}
			return r, err
		}
		if len(page) < limit {
			return nil, nil
		}
		after = store.CursorAt(&page[len(page)-1].Item)
	}
}

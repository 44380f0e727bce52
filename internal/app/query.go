package app

import (
	"context"
	"errors"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
)

// recordOf shows a record as it counts: a permit that its gate has made void is
// void, though nobody has written that into its row.
func recordOf(tx *store.Tx, r *store.Record) (*Record, error) {
	rec := &Record{Item: r.Item, Kind: r.Kind, Permit: r.Permit, LegalHold: r.LegalHold, Erased: r.Erased}
	if p := r.Permit; p != nil && p.Automatic && p.State == review.PermitOpen {
		g, err := tx.Gate(r.Item.Gate)
		if err != nil {
			return nil, err
		}
		if g.Voids(p) {
			void := *p
			void.State, void.Void = review.PermitVoided, review.VoidGate
			rec.Permit = &void
		}
	}
	return rec, nil
}

// Pending returns items that wait for people, the newest first, once what the time
// has brought about is done.
func (a *App) Pending(ctx context.Context, q Query) ([]*Record, error) {
	if !a.cfg.ReadOnly {
		if _, err := a.SweepDue(ctx); err != nil {
			return nil, err
		}
	}
	q.Status = review.PendingReview
	return a.List(ctx, q)
}

// List returns items, the newest first.
func (a *App) List(ctx context.Context, q Query) (list []*Record, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		rows, err := tx.List(store.Query(q))
		if err != nil {
			return err
		}
		list = make([]*Record, len(rows))
		for i, r := range rows {
			if list[i], err = recordOf(tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// InDoubt returns the items whose permit was redeemed and not reported; an empty
// gate is all of them.
func (a *App) InDoubt(ctx context.Context, gate string) ([]*Record, error) {
	return a.all(ctx, Query{Gate: gate, Permit: review.PermitGranted})
}

// all is List without a limit.
func (a *App) all(ctx context.Context, q Query) (list []*Record, err error) {
	for q.Limit = 1000; ; {
		page, err := a.List(ctx, q)
		if err != nil {
			return nil, err
		}
		list = append(list, page...)
		if len(page) < q.Limit {
			return list, nil
		}
		q.Before = page[len(page)-1].ID
	}
}

// Item returns an item with its events, permit and labels, or ErrNotFound.
func (a *App) Item(ctx context.Context, id string) (*Record, error) {
	rec, due, err := a.look(ctx, id)
	if err != nil || !due || a.cfg.ReadOnly {
		return rec, err
	}
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		_, _, err := a.due(tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.wrote()
	rec, _, err = a.look(ctx, id)
	return rec, err
}

// look reads an item, and whether the time has brought something about that
// isn't done yet.
func (a *App) look(ctx context.Context, id string) (rec *Record, due bool, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		r, err := tx.Record(id)
		if err != nil {
			return notFound(err, "there is no item %.60q", id)
		}
		if rec, err = recordOf(tx, r); err != nil {
			return err
		}
		if rec.Events, err = tx.Events(id); err != nil {
			return err
		}
		labels, err := tx.Labels(id)
		if err != nil {
			return err
		}
		for _, l := range labels {
			rec.Labels = append(rec.Labels, Label{Value: l.Body, By: l.By, At: l.At})
		}
		p, err := a.policies.of(tx, r.Item.Gate, r.Item.Policy)
		if err != nil {
			return err
		}
		_, due = review.Due(r.Item, p.rules, tx.Now())
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return rec, due, nil
}

// Counts counts the items of a gate; an empty gate is all of them.
func (a *App) Counts(ctx context.Context, gate string) (c Counts, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		var err error
		c.ByStatus, c.InDoubt, err = tx.Counts(gate)
		return err
	})
	return c, err
}

// SweepDue does what the time has brought about, items that expire or escalate,
// and returns how many acts that were.
func (a *App) SweepDue(ctx context.Context) (done int, err error) {
	for {
		n, seen := 0, 0
		err := a.db.Update(ctx, func(tx *store.Tx) error {
			n = 0
			ids, err := tx.Due(100)
			if err != nil {
				return err
			}
			seen = len(ids)
			for _, id := range ids {
				k, err := a.sweep(tx, id)
				if err != nil {
					return err
				}
				n += k
			}
			return nil
		})
		if n > 0 && err == nil {
			a.wrote()
		}
		done += n
		if err != nil || seen < 100 || n == 0 {
			return done, err
		}
	}
}

func (a *App) sweep(tx *store.Tx, id string) (int, error) {
	r, err := tx.Record(id)
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	p, err := a.policies.of(tx, r.Item.Gate, r.Item.Policy)
	if errors.Is(err, errUnreadable) {
		return 0, nil // it stays, and keeps no others from their turn
	}
	if err != nil {
		return 0, err
	}
	return a.dueOf(tx, r, &p.rules)
}

package app

import (
	"context"
	"errors"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// Act does one act on an item: the only way in which items change. What the time
// has brought about is done before.
func (a *App) Act(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	switch act.Kind {
	case review.ActOverturn:
		if act.Item == "" {
			var err error
			if act.Item, err = newID(); err != nil {
				return review.Outcome{}, err
			}
		}
		if act.Salt == (review.Salt{}) {
			act.Salt = newSecrets().salt
		}
	case review.ActJoin, review.ActSubmit, review.ActDecide, review.ActExpire:
		return review.Outcome{}, &review.InvalidError{Field: "act", Message: string(act.Kind) + " is no act on its own"}
	}
	if act.Actor.ID == review.Pawl {
		return review.Outcome{}, &review.DeniedError{Person: act.Actor.ID, Act: act.Kind, Code: review.DeniedNoPerson, Message: "nobody is called " + review.Pawl}
	}
	var out review.Outcome
	var refused error
	err := a.db.Update(ctx, func(tx *store.Tx) error {
		var err error
		out, refused = review.Outcome{}, nil
		out, err = a.actIn(tx, id, act)
		if isRefusal(err) {
			refused, err = err, nil // what the time has brought about stays done
		}
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return review.Outcome{}, err
	}
	a.wrote()
	if out.Permit != nil && !out.Replayed {
		if p := a.effect(ctx, id, out.Item.Gate, out.Item.Status); p != nil {
			out.Permit = p
		}
	}
	return out, nil
}

// isRefusal tells what the rules say against an act from what went wrong.
func isRefusal(err error) bool {
	var (
		conflict *review.ConflictError
		denied   *review.DeniedError
		invalid  *review.InvalidError
		refused  *review.RefusedError
	)
	return errors.As(err, &conflict) || errors.As(err, &denied) || errors.As(err, &invalid) || errors.As(err, &refused)
}

// actIn does an act in a transaction.
func (a *App) actIn(tx *store.Tx, id string, act review.Act) (review.Outcome, error) {
	r, rules, err := a.due(tx, id)
	if err != nil {
		return review.Outcome{}, err
	}
	if act.Kind == review.ActSupersede {
		if err := supersedable(tx, &r.Item, act.Item); err != nil {
			return review.Outcome{}, err
		}
	}
	out, err := review.Apply(r.Item, act, *rules, tx.Now())
	if err != nil {
		return review.Outcome{}, err
	}
	if out.Replayed {
		out.Permit = r.Permit
		return out, nil
	}
	if r.Erased {
		return review.Outcome{}, &review.InvalidError{Field: "item", Message: "the item was erased; nothing can be done with it any more"}
	}
	return out, a.save(tx, r, rules, &out)
}

// supersedable refuses an item that isn't there, or of another gate, to take
// another's place.
func supersedable(tx *store.Tx, old *review.Item, id string) error {
	if id == "" || id == old.ID {
		return nil // the rules say what is wrong
	}
	r, err := tx.Record(id)
	if err != nil {
		return notFound(err, "there is no item %.60q to take the place of %s", id, old.ID)
	}
	if r.Item.Gate != old.Gate {
		return &review.InvalidError{Field: "item", Message: "the item " + id + " is of another gate"}
	}
	return nil
}

// due reads an item and does what the time has brought about.
func (a *App) due(tx *store.Tx, id string) (*store.Record, *review.Rules, error) {
	r, err := tx.Record(id)
	if err != nil {
		return nil, nil, notFound(err, "there is no item %.60q", id)
	}
	p, err := a.policies.of(tx, r.Item.Gate, r.Item.Policy)
	if err != nil {
		return nil, nil, err
	}
	_, err = a.dueOf(tx, r, &p.rules)
	return r, &p.rules, err
}

// dueOf does what the time has brought about, and says how many acts it was.
func (a *App) dueOf(tx *store.Tx, r *store.Record, rules *review.Rules) (int, error) {
	for n := 0; ; n++ {
		act, ok := review.Due(r.Item, *rules, tx.Now())
		if !ok {
			return n, nil
		}
		out, err := review.Apply(r.Item, act, *rules, tx.Now())
		if err != nil {
			return n, err
		}
		if out.Replayed {
			return n, nil
		}
		if err := a.save(tx, r, rules, &out); err != nil {
			return n, err
		}
	}
}

// save stores what an act did: the item, its event, its permit and their
// entries, and the item that it opened.
func (a *App) save(tx *store.Tx, r *store.Record, rules *review.Rules, out *review.Outcome) error {
	r.Item = out.Item
	r.NextDue = review.NextDue(r.Item, *rules)
	if out.Permit != nil {
		r.Permit = out.Permit
	}
	e, err := eventEntry(r.Seed, r.Item.Gate, &out.Event)
	if err != nil {
		return err
	}
	if out.Permit != nil {
		e.Numbers["permit_expires"] = out.Permit.Expires.UnixMicro()
	}
	if err := write(tx, e); err != nil {
		return err
	}
	if out.Void != "" && r.Permit != nil {
		if _, err := voidPermit(tx, r, out.Void); err != nil {
			return err
		}
	}
	if err := tx.UpdateRecord(r); err != nil {
		return err
	}
	if err := tx.AppendEvent(out.Event); err != nil {
		return err
	}
	if out.Opened == nil {
		return nil
	}
	return a.openAnew(tx, r, rules, out.Opened)
}

// voidPermit makes the permit of a record void, if it is open, and writes its
// entry; the record is the caller's to store. One that was redeemed stays.
func voidPermit(tx *store.Tx, r *store.Record, why review.Void) (changed bool, err error) {
	next, changed, err := review.Revoke(*r.Permit, why, tx.Now())
	var redeemed *review.RefusedError
	if errors.As(err, &redeemed) || err == nil && !changed {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r.Permit = &next
	e, err := permitEntry(r.Seed, &next)
	if err != nil {
		return false, err
	}
	return true, write(tx, e)
}

// openAnew stores the item that an overturn made.
func (a *App) openAnew(tx *store.Tx, old *store.Record, rules *review.Rules, o *review.Opening) error {
	r := &store.Record{Item: o.Item, Kind: old.Kind, Seed: newSecrets().seed, Opening: o.Event, Permit: o.Permit}
	r.NextDue = review.NextDue(r.Item, *rules)
	e, err := eventEntry(r.Seed, r.Item.Gate, &o.Event)
	if err != nil {
		return err
	}
	c, err := bind(r.Seed, &r.Item)
	if err != nil {
		return err
	}
	if e.Commitments == nil {
		e.Commitments = map[string]ledger.Commitment{}
	}
	e.Commitments[bodyName(r.Kind)], e.Commitments["decision"] = c.input, c.decision
	if err := tx.InsertRecord(r); err != nil {
		return err
	}
	return write(tx, e)
}

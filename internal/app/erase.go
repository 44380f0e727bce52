package app

import (
	"context"
	"unicode/utf8"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// maxWhy is how long a reason may be that the ledger keeps as it is.
const maxWhy = 256

// Erase forgets the bodies of an ended item for good, with their salts. The ledger
// stays as it is, and nothing in it tells what they were. Refused while a permit is
// open or in doubt, and under a legal hold. It takes a supervisor. Why stays in the
// ledger for good, so it names a rule or a case and no person. An item that is
// erased already stays so.
func (a *App) Erase(ctx context.Context, item string, by review.Actor, why string) error {
	if err := mayKeep(by, "erase", why); err != nil {
		return err
	}
	err := a.db.Update(ctx, func(tx *store.Tx) error {
		r, err := tx.Record(item)
		if err != nil {
			return notFound(err, "there is no item %.60q", item)
		}
		if r.Erased {
			return nil
		}
		g, err := tx.Gate(r.Item.Gate)
		if err != nil {
			return err
		}
		if err := erasable(tx, r, g); err != nil {
			return err
		}
		if err := tx.Erase(item); err != nil {
			return err
		}
		return write(tx, ledger.Entry{
			Kind: ledger.KindErasure, Act: "erase", Gate: g.Name, Person: by.ID, Known: known(by.Person),
			IDs: map[string]string{"item": item}, Statement: why,
		})
	})
	if err == nil {
		a.wrote()
	}
	return err
}

// erasable says why an item must stay.
func erasable(tx *store.Tx, r *store.Record, g *store.Gate) error {
	refuse := func(message string) error {
		return &review.InvalidError{Field: "item", Message: "not erased: " + message}
	}
	p := r.Permit
	switch {
	case r.LegalHold:
		return refuse("the item is under a legal hold")
	case g.LegalHold:
		return refuse("the gate " + g.Name + " is under a legal hold")
	case r.Item.Status == review.PendingReview:
		return refuse("it waits for people")
	case p == nil:
	case p.InDoubt():
		return refuse("its permit was redeemed, and nobody has reported what came of it")
	case p.State == review.PermitOpen && !g.Voids(p) && tx.Now().Before(p.Expires) &&
		r.Item.SupersededBy == "" && r.Item.OverturnedBy == "":
		return refuse("its permit can still be redeemed")
	}
	return nil
}

// LegalHold forbids erasing an item, or allows it again. It takes a supervisor.
func (a *App) LegalHold(ctx context.Context, item string, on bool, by review.Actor, why string) error {
	return a.hold(ctx, on, by, why, func(tx *store.Tx, e *ledger.Entry) (changed bool, err error) {
		r, err := tx.Record(item)
		if err != nil {
			return false, notFound(err, "there is no item %.60q", item)
		}
		if r.LegalHold == on {
			return false, nil
		}
		if r.Erased {
			return false, erased(item)
		}
		r.LegalHold = on
		e.Gate, e.IDs = r.Item.Gate, map[string]string{"item": item}
		return true, tx.UpdateRecord(r)
	})
}

// GateLegalHold forbids erasing any item of a gate, or allows it again. It takes a
// supervisor.
func (a *App) GateLegalHold(ctx context.Context, gate string, on bool, by review.Actor, why string) error {
	err := a.hold(ctx, on, by, why, func(tx *store.Tx, e *ledger.Entry) (changed bool, err error) {
		g, err := tx.LockGate(gate)
		if err != nil {
			return false, notFound(err, "there is no gate %.60q", gate)
		}
		if g.LegalHold == on {
			return false, nil
		}
		e.Gate = gate
		return true, tx.SetGateHold(gate, on)
	})
	a.moved(gate, err)
	return err
}

func (a *App) hold(ctx context.Context, on bool, by review.Actor, why string, change func(*store.Tx, *ledger.Entry) (bool, error)) error {
	if err := mayKeep(by, "legal_hold", why); err != nil {
		return err
	}
	err := a.db.Update(ctx, func(tx *store.Tx) error {
		e := ledger.Entry{Kind: ledger.KindLegalHold, Act: "release", Person: by.ID, Known: known(by.Person), Statement: why}
		if on {
			e.Act = "hold"
		}
		changed, err := change(tx, &e)
		if err != nil || !changed {
			return err
		}
		return write(tx, e)
	})
	if err == nil {
		a.wrote()
	}
	return err
}

// mayKeep tells what keeps somebody from saying what is kept and what is erased.
func mayKeep(by review.Actor, act review.Kind, why string) error {
	if err := checkPerson(by.Person, act); err != nil {
		return err
	}
	if !by.Supervisor {
		return &review.DeniedError{Person: by.ID, Act: act, Code: review.DeniedRight, Message: by.ID + " is no supervisor"}
	}
	if len(why) > maxWhy || !utf8.ValidString(why) {
		return &review.InvalidError{Field: "why", Message: "a reason is a text of at most 256 bytes"}
	}
	return nil
}

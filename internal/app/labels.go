package app

import (
	"context"
	"fmt"
	"strconv"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// maxLabel is how long a label may be.
const maxLabel = 64 << 10

// Label records what turned out to be right about an item: any JSON.
func (a *App) Label(ctx context.Context, item string, value []byte, by review.Actor) error {
	if err := checkPerson(by.Person, "label"); err != nil {
		return err
	}
	if len(value) > maxLabel {
		return &review.InvalidError{Field: "label", Message: fmt.Sprintf("%d bytes; %d are allowed", len(value), maxLabel)}
	}
	body, err := review.CanonicalInput(value)
	if err != nil {
		return err
	}
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		r, err := tx.Record(item)
		if err != nil {
			return notFound(err, "there is no item %.60q", item)
		}
		if r.Erased {
			return erased(item)
		}
		l := &store.Label{Item: item, Body: body, By: by.Person, At: tx.Now()}
		if err := tx.PutLabel(l); err != nil {
			return err
		}
		c, err := commit(r.Seed, "label/"+strconv.FormatInt(l.Seq, 10), body)
		if err != nil {
			return err
		}
		return write(tx, ledger.Entry{
			Kind: ledger.KindLabel, Gate: r.Item.Gate, Person: by.ID, Known: known(by.Person),
			IDs: map[string]string{"item": item}, Numbers: map[string]int64{"label": l.Seq},
			Commitments: map[string]ledger.Commitment{"label": c},
		})
	})
	if err == nil {
		a.wrote()
	}
	return err
}

func erased(item string) error {
	return &review.InvalidError{Field: "item", Message: "the item " + item + " was erased; nothing can be done with it any more"}
}

// checkPerson tells what keeps p from being a person who can act.
func checkPerson(p review.Person, act review.Kind) error {
	return p.Check(act)
}

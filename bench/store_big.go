package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
)

// Big says how large a store is to be.
type Big struct {
	DB             string // a SQLite file that isn't there yet, or an empty Postgres database
	Key            string // the file for the ledger's key
	Pending, Ended int
	Progress       func(done int)
}

// atOnce is how many records are written in one transaction.
const atOnce = 2000

// Make fills a store with items that wait, with different priorities, deadlines
// and ages, among items that have ended. A few are submitted and reviewed as
// always; the others are copies of those, in random order. The ledger has the
// few only: no speed that is measured here depends on its size.
func (g Big) Make(ctx context.Context) error {
	models, err := g.models(ctx)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, g.DB, store.Options{MustExist: true})
	if err != nil {
		return err
	}
	return errors.Join(g.fill(ctx, db, models), db.Close())
}

// models returns the ids of a pending item and of two that ended, by themselves
// and by a person.
func (g Big) models(ctx context.Context) (ids [3]string, err error) {
	p, err := OpenPawl(ctx, g.DB, g.Key)
	if err != nil {
		return ids, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if ids[2], err = submit(ctx, p, routedInput, pawl.RouteToHuman); err != nil {
		return ids, err
	}
	if err := reviewNext(ctx, p, 0); err != nil {
		return ids, err
	}
	if ids[0], err = submit(ctx, p, routedInput, pawl.RouteToHuman); err != nil {
		return ids, err
	}
	ids[1], err = submit(ctx, p, submitInput, pawl.AutoApply)
	return ids, err
}

func (g Big) fill(ctx context.Context, db *store.DB, ids [3]string) error {
	var models [3]*store.Record
	err := db.View(ctx, func(tx *store.Tx) (err error) {
		for i, id := range ids {
			if models[i], err = tx.Record(id); err != nil {
				return fmt.Errorf("model %d: %w", i, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(6, 6))
	now := time.Now().UTC().Truncate(time.Microsecond)
	for pending, ended := g.Pending, g.Ended; pending+ended > 0; {
		var batch []*store.Record
		for len(batch) < atOnce && pending+ended > 0 {
			if random.IntN(pending+ended) < pending {
				pending--
				batch = append(batch, vary(models[0], now, random))
			} else {
				ended--
				batch = append(batch, vary(models[1+ended%2], now, random))
			}
		}
		err := db.Update(ctx, func(tx *store.Tx) error {
			for _, r := range batch {
				if err := tx.InsertRecord(r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if g.Progress != nil {
			g.Progress(g.Pending + g.Ended - pending - ended)
		}
	}
	return nil
}

// vary returns a copy with its own id, of another subject.
func vary(model *store.Record, now time.Time, random *rand.Rand) *store.Record {
	r := *model
	r.Item.ID = uuid.Must(uuid.NewV7()).String()
	r.Opening.Item = r.Item.ID
	r.Item.Subject = fmt.Sprintf("customer-%d", random.IntN(1_000_000))
	if r.Permit != nil {
		permit := *r.Permit
		permit.Item = r.Item.ID
		r.Permit = &permit
	}
	if r.Item.Status == review.PendingReview {
		r.Item.Priority = random.IntN(3)
		r.Item.Since = now.Add(-time.Duration(random.IntN(86_400_000)) * time.Millisecond)
		r.Item.Deadline = now.Add(time.Duration(1+random.IntN(1000)) * time.Hour)
	}
	return &r
}

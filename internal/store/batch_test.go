package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// together runs units while another transaction keeps them waiting, so that
// they share one.
func together(t *testing.T, db *store.DB, units ...func(*store.Tx) error) []error {
	t.Helper()
	running, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	var once sync.Once
	wg.Go(func() {
		if err := db.Share(context.Background(), func(*store.Tx) error { once.Do(func() { close(running) }); <-release; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-running
	errs := make([]error, len(units))
	for k, u := range units {
		wg.Go(func() { errs[k] = db.Share(context.Background(), u) })
	}
	time.Sleep(50 * time.Millisecond) // until they wait
	close(release)
	wg.Wait()
	return errs
}

func TestConcurrentSubmissionsShareATransaction(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		var units []func(*store.Tx) error
		seen := make([]*store.Tx, 50)
		for k := range seen {
			units = append(units, func(tx *store.Tx) error {
				seen[k] = tx
				return tx.InsertRecord(record(t, fmt.Sprintf("i%d", k), verdict.AutoApply))
			})
		}
		for _, err := range together(t, db, units...) {
			if err != nil {
				t.Error(err)
			}
		}
		distinct := map[*store.Tx]bool{}
		for _, tx := range seen {
			distinct[tx] = true
		}
		if len(distinct) > 5 {
			t.Errorf("%d transactions for 50 submissions", len(distinct))
		}
		count(t, db, 50)
	})
}

func count(t *testing.T, db *store.DB, want int64) {
	t.Helper()
	view(t, db, func(tx *store.Tx) error {
		n, _, err := tx.Counts("")
		var all int64
		for _, k := range n {
			all += k
		}
		if all != want {
			t.Errorf("%d items, want %d", all, want)
		}
		return err
	})
}

func TestAFailingUnitHurtsNobodyElse(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		s := newSigner(t)
		update(t, db, func(tx *store.Tx) error { return tx.InsertRecord(record(t, "there", verdict.AutoApply)) })
		broken := errors.New("broken")
		add := func(id string, then func(*store.Tx) error) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				return errors.Join(tx.InsertRecord(record(t, id, verdict.AutoApply)), tx.Append(decisionLeaf(t, id)), then(tx))
			}
		}
		fine := func(*store.Tx) error { return nil }
		fails := func(*store.Tx) error { return broken }
		for name, last := range map[string]func(*store.Tx) error{
			"a unit fails before it wrote": add("bad", fails),
			"a unit fails after it wrote": add("bad", func(tx *store.Tx) error {
				return errors.Join(tx.PutMeta("m", []byte("bad")), broken)
			}),
			"a unit fails after others were read": add("bad", func(tx *store.Tx) error {
				_, err := tx.List(store.Query{})
				return errors.Join(err, tx.PutMeta("m", []byte("bad")), broken)
			}),
			"the end finds an id that exists": add("there", fine),
		} {
			t.Run(name, func(t *testing.T) {
				errs := together(t, db, add(name+"1", fine), last, add(name+"2", fine))
				if errs[0] != nil || errs[2] != nil || errs[1] == nil {
					t.Errorf("got %v", errs)
				}
			})
		}
		view(t, db, func(tx *store.Tx) error {
			if _, err := tx.Record("bad"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("a failed unit's item: %v", err)
			}
			if m, err := tx.Meta("m"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("a failed unit's value: %q %v", m, err)
			}
			return nil
		})
		count(t, db, 1+8)
		if _, err := db.Sequence(t.Context(), s.sign); err != nil {
			t.Fatal(err)
		}
		verify(t, db, s, 8)
	})
}

func TestAPanicReachesWhoAsked(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		for name, do := range map[string]func(context.Context, func(*store.Tx) error) error{"Update": db.Update, "Share": db.Share} {
			func() {
				defer func() {
					if p := recover(); p != "oops" {
						t.Errorf("%s: %v", name, p)
					}
				}()
				_ = do(t.Context(), func(*store.Tx) error { panic("oops") })
			}()
		}
		update(t, db, func(tx *store.Tx) error { return tx.InsertRecord(record(t, "i1", verdict.AutoApply)) })
		count(t, db, 1)
	})
}

func TestACancelledContextNeitherLosesNorDoubles(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		var mu sync.Mutex
		told := map[string]error{}
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				for k := range 25 {
					id := fmt.Sprintf("i-%d-%d", w, k)
					ctx, cancel := context.WithTimeout(context.Background(), time.Duration(k*k)*10*time.Microsecond)
					do := db.Share
					if k%2 == 0 {
						do = db.Update
					}
					err := do(ctx, func(tx *store.Tx) error { return tx.InsertRecord(record(t, id, verdict.AutoApply)) })
					cancel()
					mu.Lock()
					told[id] = err
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		view(t, db, func(tx *store.Tx) error {
			for id, err := range told {
				_, got := tx.Record(id)
				if (err == nil) != (got == nil) {
					t.Errorf("%s: told %v, there: %v", id, err, got)
				}
			}
			return nil
		})
	})
}

// Every retry reads anew, so that none of these is lost.
func TestConcurrentChangesOfOneRecordAllCount(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		update(t, db, func(tx *store.Tx) error { return tx.InsertRecord(record(t, "i1", verdict.RouteToHuman)) })
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 10 {
					if err := db.Update(context.Background(), func(tx *store.Tx) error {
						r, err := tx.Record("i1")
						if err != nil {
							return err
						}
						r.Item.Version++
						return errors.Join(tx.UpdateRecord(r), tx.AppendEvent(review.Event{Item: "i1", Seq: r.Item.Version, At: start}))
					}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		view(t, db, func(tx *store.Tx) error {
			r, err := tx.Record("i1")
			if err == nil && (r.Item.Version != 81 || r.Rev != 81) {
				t.Errorf("version %d, rev %d", r.Item.Version, r.Rev)
			}
			return err
		})
	})
}

func TestAnIdempotencyKeyMakesOneItem(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				do := db.Share
				if w%2 == 0 {
					do = db.Update
				}
				if err := do(context.Background(), func(tx *store.Tx) error {
					first, _, err := tx.Key("g", "c", "k")
					if err != nil || first != nil {
						return err
					}
					id := fmt.Sprintf("i%d", w)
					return errors.Join(tx.InsertRecord(record(t, id, verdict.AutoApply)), tx.PutKey("g", "c", "k", id, review.FirstSubmission{Answer: []byte("x")}))
				}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		count(t, db, 1)
	})
}

package store_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/internal/testenv"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// engines are the databases on which every test of the suite runs.
var engines = map[string]func(testing.TB) string{
	"memory":   func(testing.TB) string { return ":memory:" },
	"sqlite":   func(t testing.TB) string { return filepath.Join(t.TempDir(), "pawl.db") },
	"postgres": testenv.Postgres,
}

func onEach(t *testing.T, fn func(t *testing.T, db *store.DB)) {
	for name, dsn := range engines {
		t.Run(name, func(t *testing.T) { fn(t, open(t, dsn(t), store.Options{})) })
	}
}

func open(t testing.TB, dsn string, o store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), dsn, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func update(t testing.TB, db *store.DB, fn func(*store.Tx) error) {
	t.Helper()
	if err := db.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, db *store.DB, fn func(*store.Tx) error) {
	t.Helper()
	if err := db.View(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

var start = time.Date(2026, 1, 31, 9, 0, 0, 123456000, time.UTC)

// record makes a record from what review makes of a submission.
func record(t testing.TB, id string, v verdict.Verdict, change ...func(*review.Submission)) *store.Record {
	t.Helper()
	s := review.Submission{
		ID: id, Gate: "g", Policy: review.PolicyRef{Version: 3, Digest: "sha256:ab"}, Engine: "e1", Subject: "s", Verdict: v, Queue: "q", Risk: "high",
		Input: []byte(`{"a":1}`), Action: []byte(`{"pay":5}`), Decision: []byte(`{"d":1}`), Salt: review.Salt{1}, Submitter: review.Person{ID: "sub", Known: review.KnownKey},
	}
	for _, c := range change {
		c(&s)
	}
	o, err := review.New(s, review.Rules{Deadline: time.Hour, Audience: []string{"shop"}}, start)
	if err != nil {
		t.Fatal(err)
	}
	return &store.Record{Item: o.Item, Kind: "threshold", Seed: [32]byte{7}, Opening: o.Event, Permit: o.Permit}
}

func TestARecordComesBackAsItWas(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		for _, v := range []verdict.Verdict{verdict.AutoApply, verdict.RouteToHuman} {
			want := record(t, "i-"+string(v), v)
			update(t, db, func(tx *store.Tx) error {
				if err := tx.InsertRecord(want); err != nil {
					return err
				}
				got, err := tx.Record(want.Item.ID) // before it is written
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("within its transaction:\n%s", d)
				}
				return err
			})
			view(t, db, func(tx *store.Tx) error {
				got, err := tx.Record(want.Item.ID)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("afterwards:\n%s", d)
				}
				return err
			})
		}
	})
}

func TestAnUpdateOfAnOldRevisionIsRefused(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		r := record(t, "i1", verdict.RouteToHuman)
		update(t, db, func(tx *store.Tx) error { return tx.InsertRecord(r) })
		stale := *r
		update(t, db, func(tx *store.Tx) error {
			r, err := tx.Record("i1")
			if err != nil {
				return err
			}
			o, err := review.Apply(r.Item, review.Act{Kind: review.ActComment, Note: "hm", Actor: review.Actor{Person: review.Person{ID: "ann", Known: review.KnownOIDC}, Queues: []string{"*"}}}, review.Rules{}, tx.Now())
			if err != nil {
				return err
			}
			r.Item = o.Item
			return errors.Join(tx.UpdateRecord(r), tx.AppendEvent(o.Event))
		})
		if err := db.Update(t.Context(), func(tx *store.Tx) error { return tx.UpdateRecord(&stale) }); !errors.Is(err, store.ErrConflict) {
			t.Errorf("got %v, want ErrConflict", err)
		}
		view(t, db, func(tx *store.Tx) error {
			events, err := tx.Events("i1")
			if len(events) != 2 || events[0].Seq != 1 || events[1].Note != "hm" {
				t.Errorf("events: %+v", events)
			}
			return err
		})
	})
}

func TestAnItemIsThereOnce(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		insert := func(tx *store.Tx) error { return tx.InsertRecord(record(t, "i1", verdict.AutoApply)) }
		update(t, db, insert)
		if err := db.Share(t.Context(), insert); !errors.Is(err, store.ErrExists) {
			t.Errorf("got %v, want ErrExists", err)
		}
		if err := db.View(t.Context(), insert); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("in a view: got %v, want ErrReadOnly", err)
		}
	})
}

func TestCandidatesComeByUrgency(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		want := []*store.Record{}
		update(t, db, func(tx *store.Tx) error {
			want = want[:0]
			for k := range 20 {
				r := record(t, fmt.Sprintf("i%02d", k), verdict.RouteToHuman, func(s *review.Submission) { s.Priority, s.Queue = 1+k%3, []string{"a", "b"}[k%2] })
				r.Item.Deadline = start.Add(time.Duration(k%4) * time.Hour)
				if k%4 == 0 {
					r.Item.Deadline = time.Time{}
				}
				want = append(want, r)
				if err := tx.InsertRecord(r); err != nil {
					return err
				}
			}
			return tx.InsertRecord(record(t, "ended", verdict.AutoApply))
		})
		for _, queue := range []string{"*", "a"} {
			update(t, db, func(tx *store.Tx) error {
				var got []*store.Record
				var after *store.Cursor
				for {
					page, err := tx.Candidates(queue, after, 3)
					if err != nil {
						return err
					}
					if len(page) == 0 {
						break
					}
					got = append(got, page...)
					after = store.CursorAt(&page[len(page)-1].Item)
				}
				n := 20
				if queue == "a" {
					n = 10
				}
				if len(got) != n {
					t.Errorf("queue %s: %d candidates", queue, len(got))
				}
				for k := 1; k < len(got); k++ {
					if review.CompareUrgency(&got[k-1].Item, &got[k].Item) >= 0 {
						t.Errorf("queue %s: %s before %s", queue, got[k-1].Item.ID, got[k].Item.ID)
					}
				}
				return nil
			})
		}
	})
}

func TestListAndCountsAndDue(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		update(t, db, func(tx *store.Tx) error {
			for k, v := range []verdict.Verdict{verdict.AutoApply, verdict.RouteToHuman, verdict.AutoReject, verdict.RouteToHuman} {
				r := record(t, fmt.Sprintf("i%d", k), v)
				if v == verdict.RouteToHuman {
					r.NextDue = start
				} else if v == verdict.AutoApply {
					r.Permit.State = review.PermitGranted
				}
				if err := tx.InsertRecord(r); err != nil {
					return err
				}
			}
			return nil
		})
		view(t, db, func(tx *store.Tx) error {
			for _, tt := range []struct {
				q    store.Query
				want string
			}{
				{store.Query{}, "i3 i2 i1 i0 "},
				{store.Query{Status: review.PendingReview, Gate: "g"}, "i3 i1 "},
				{store.Query{Status: review.AutoApplied}, "i0 "},
				{store.Query{Permit: review.PermitGranted}, "i0 "},
				{store.Query{Permit: review.PermitOpen}, "i2 "},
				{store.Query{Before: "i2", Limit: 1}, "i1 "},
				{store.Query{Queue: "'; DROP TABLE items; --"}, ""},
			} {
				all, err := tx.List(tt.q)
				if err != nil {
					return err
				}
				got := ""
				for _, r := range all {
					got += r.Item.ID + " "
				}
				if got != tt.want {
					t.Errorf("%+v: got %q, want %q", tt.q, got, tt.want)
				}
			}
			n, doubt, err := tx.Counts("g")
			if n[review.PendingReview] != 2 || n[review.AutoApplied] != 1 || doubt != 1 {
				t.Errorf("counts %v, in doubt %d", n, doubt)
			}
			due, derr := tx.Due(10)
			if len(due) != 2 {
				t.Errorf("due: %v", due)
			}
			j, jerr := tx.Joinable("g", "s")
			if len(j) != 2 {
				t.Errorf("joinable: %d", len(j))
			}
			return errors.Join(err, derr, jerr)
		})
	})
}

func TestGatesAndPolicies(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		g := &store.Gate{Gate: review.Gate{Name: "g", Version: 1, Setting: review.Setting{State: review.GateLive, Ramp: 10000}, LastAt: start}, RampKey: []byte{1, 2}}
		p := &store.Policy{Gate: "g", Version: 1, Kind: "threshold", Name: "p", Digest: "d", Engine: "e", Source: []byte("x"), Files: map[string][]byte{"a": {1}}, AddedBy: review.Person{ID: "ann", Known: review.KnownKey}, AddedAt: start}
		event := review.GateEvent{Gate: "g", Seq: 1, Actor: review.Person{ID: "ann", Known: review.KnownKey}, To: g.Setting, Cause: "why", At: start}
		update(t, db, func(tx *store.Tx) error {
			return errors.Join(tx.PutGate(g), tx.InsertPolicy(p), tx.AppendGateEvent(event))
		})
		next := *g
		next.Version, next.State = 2, review.GateStopped
		next.Proposal = &review.Proposal{To: g.Setting, By: review.Person{ID: "bob", Known: review.KnownOIDC}, Until: start}
		update(t, db, func(tx *store.Tx) error {
			if _, err := tx.Gate("g"); err != nil {
				return err
			}
			return tx.PutGate(&next)
		})
		if err := db.Update(t.Context(), func(tx *store.Tx) error { return tx.PutGate(&next) }); !errors.Is(err, store.ErrConflict) {
			t.Errorf("an old version: got %v", err)
		}
		view(t, db, func(tx *store.Tx) error {
			got, err := tx.Gate("g")
			if d := cmp.Diff(&next, got); d != "" {
				t.Error(d)
			}
			gp, perr := tx.Policy("g", 1)
			if d := cmp.Diff(p, gp); d != "" {
				t.Error(d)
			}
			ge, eerr := tx.GateEvents("g")
			if d := cmp.Diff([]review.GateEvent{event}, ge); d != "" {
				t.Error(d)
			}
			if _, err := tx.Gate("none"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("no gate: %v", err)
			}
			return errors.Join(err, perr, eerr)
		})
	})
}

func TestWhatStandsBesideAnItemIsErasedWithIt(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		d := review.BodyDigest([]byte("blob"))
		var other review.Digest
		binary.BigEndian.PutUint64(other[:], 9)
		update(t, db, func(tx *store.Tx) error {
			return errors.Join(
				tx.InsertRecord(record(t, "i1", verdict.AutoApply)),
				tx.InsertRecord(record(t, "i2", verdict.AutoApply)),
				tx.AppendEvent(review.Event{Item: "i1", Seq: 2, Act: review.ActComment, Note: "a secret", At: start}),
				tx.PutKey("g", "c", "k", "i1", review.FirstSubmission{Body: d, Answer: []byte("a secret")}),
				tx.PutLabel(&store.Label{Item: "i1", Body: []byte("right"), By: review.Person{ID: "ann", Known: review.KnownOIDC}, At: start}),
				tx.PutExecution(&store.Execution{Item: "i1", Executor: "shop", Key: []byte("key"), At: start}),
				tx.PutBlob("i1", d, []byte("blob")), tx.PutBlob("i2", d, []byte("blob")), tx.PutBlob("i1", other, []byte("mine")),
				tx.PutBlob("i2", review.BodyDigest(nil), []byte{}), tx.PutMeta("none", nil), tx.PutMeta("m", []byte("1")), tx.PutMeta("m", []byte("2")),
				tx.PutShadow(&store.Shadow{ID: "s1", Gate: "g", Input: []byte("in"), At: start}),
			)
		})
		view(t, db, func(tx *store.Tx) error {
			first, item, err := tx.Key("g", "c", "k")
			if err != nil || first == nil || item != "i1" || string(first.Answer) != "a secret" || first.Body != d {
				t.Errorf("key: %+v %s %v", first, item, err)
			}
			l, lerr := tx.Labels("i1")
			if len(l) != 1 || l[0].Seq != 1 || string(l[0].Body) != "right" {
				t.Errorf("labels: %+v", l)
			}
			e, xerr := tx.Execution("i1", "shop")
			if xerr != nil || string(e.Key) != "key" {
				t.Errorf("execution: %+v %v", e, xerr)
			}
			m, merr := tx.Meta("m")
			if string(m) != "2" {
				t.Errorf("meta: %s", m)
			}
			sh, serr := tx.Shadows("g", 5)
			if len(sh) != 1 || string(sh[0].Input) != "in" {
				t.Errorf("shadows: %+v", sh)
			}
			return errors.Join(lerr, merr, serr)
		})
		if err := db.Update(t.Context(), func(tx *store.Tx) error {
			return tx.PutExecution(&store.Execution{Item: "i1", Executor: "shop", Key: []byte("k2"), At: start})
		}); !errors.Is(err, store.ErrExists) {
			t.Errorf("a second execution: %v", err)
		}
		update(t, db, func(tx *store.Tx) error { return tx.Erase("i1") })
		view(t, db, func(tx *store.Tx) error {
			r, err := tx.Record("i1")
			if err != nil {
				return err
			}
			if !r.Erased || r.Item.Action != nil || r.Item.Input != nil || r.Item.Decision != nil || r.Seed != ([32]byte{}) || r.Item.Salt != (review.Salt{}) {
				t.Errorf("erased: %+v", r)
			}
			events, err := tx.Events("i1")
			if len(events) != 2 || events[1].Note != "" {
				t.Errorf("events: %+v", events)
			}
			if _, err := tx.Blob(other); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("its own blob: %v", err)
			}
			if _, err := tx.Blob(d); err != nil {
				t.Errorf("a blob of another item, too: %v", err)
			}
			if _, err := tx.Execution("i1", "shop"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("its execution: %v", err)
			}
			return err
		})
	})
}

func TestAnEndedContextKeepsFromRunning(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for name, do := range map[string]func(context.Context, func(*store.Tx) error) error{"Update": db.Update, "Share": db.Share} {
			if err := do(ctx, func(*store.Tx) error { t.Error("it ran"); return nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

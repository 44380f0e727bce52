package pawl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/testenv"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// shopGate is the gate of these tests: a score of 0.9 applies, one below 0.5
// rejects, and people decide between.
type shopGate struct {
	approvals, rejections int
	lease, deadline       string
}

func (g shopGate) policy() map[string]string {
	text := fmt.Sprintf(`pawl: v1
gate: shop
kind: threshold
signals:
  score: {type: score, range: [0, 1]}
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
enableAutoApply: true
enableAutoReject: true
two_people: false
review:
  approvals: %d
  rejections: %d
  count_asserted: true
  lease: %s
  deadline: %s
  editable: ["/amount"]
  executors: [local, other]
`, max(1, g.approvals), max(1, g.rejections), or(g.lease, "15m"), or(g.deadline, "48h"))
	return map[string]string{"shop.pawl.yaml": text}
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

const (
	applied  = `{"score": 0.95}`
	asked    = `{"score": 0.7}`
	rejected = `{"score": 0.1}`
)

// onBoth runs a test on each engine, with the address of an empty database.
func onBoth(t *testing.T, test func(t *testing.T, db string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(t.TempDir(), "pawl.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, testenv.Postgres(t)) })
}

func onPostgres(db string) bool { return strings.HasPrefix(db, "postgres") }

// opened opens the service until the test ends.
func opened(t testing.TB, c pawl.Config) *pawl.Pawl {
	t.Helper()
	p, err := pawl.Open(context.Background(), c)
	if err != nil {
		t.Fatalf("opening: %v", err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// config is that of a database with the shop's gate, with the key beside it.
func config(t testing.TB, db string, g shopGate) pawl.Config {
	t.Helper()
	return pawl.Config{DB: db, PolicyText: g.policy(), Key: filepath.Join(t.TempDir(), "ledger.key"), Origin: "test.example/shop"}
}

func checked(id string) pawl.Actor {
	return pawl.Actor{Person: pawl.Person{ID: id, Known: review.KnownKey}, Queues: []string{"*"}, MayLoosen: true}
}

func submission(input, subject string) pawl.Submission {
	return pawl.Submission{Gate: "shop", Subject: subject, Input: []byte(input), Action: []byte(`{"amount":1,"to":"x"}`), By: checked("seller")}
}

func submitted(t testing.TB, p *pawl.Pawl, input string) pawl.Submitted {
	t.Helper()
	s, err := p.Submit(context.Background(), submission(input, "order"))
	if err != nil {
		t.Fatalf("submitting: %v", err)
	}
	return s
}

func redemption(item, key string) pawl.Redemption {
	return pawl.Redemption{Item: item, Action: []byte(`{"amount":1,"to":"x"}`), Key: []byte(key), Effect: review.EffectApply}
}

// verified sequences and exports the ledger, and verifies it with nothing but the
// public keys.
func verified(t testing.TB, p *pawl.Pawl) ledger.Report {
	t.Helper()
	ctx := context.Background()
	if _, err := p.Sequence(ctx); err != nil {
		t.Fatalf("sequencing: %v", err)
	}
	keys := publicKeys(t, p)
	var out bytes.Buffer
	if err := p.Export(ctx, &out); err != nil {
		t.Fatalf("exporting: %v", err)
	}
	report, err := ledger.Verify(&out, keys, nil)
	if err != nil {
		t.Fatalf("the ledger doesn't verify: %v\n%v", err, report)
	}
	return report
}

func publicKeys(t testing.TB, p *pawl.Pawl) []ledger.Key {
	t.Helper()
	text, err := p.PublicKeys(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	keys, err := ledger.ParseKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// proven checks that the entry of an item's event is in the ledger.
func proven(t testing.TB, p *pawl.Pawl, keys []ledger.Key, item string, seq int64) {
	t.Helper()
	proof, leaf, err := p.ProveItem(context.Background(), item, seq)
	if err != nil {
		t.Fatalf("proving event %d of %s: %v", seq, item, err)
	}
	if _, err := proof.Check(leaf, keys); err != nil {
		t.Fatalf("the proof of event %d of %s: %v", seq, item, err)
	}
	e, err := ledger.Parse(leaf)
	if err != nil {
		t.Fatal(err)
	}
	if e.IDs["item"] != item || e.Numbers["seq"] != seq {
		t.Fatalf("the entry of event %d of %s is %s", seq, item, leaf)
	}
}

// dense checks that an item's events are numbered without a gap and never earlier
// than the one before, and that the last one agrees with the item.
func dense(t testing.TB, r *pawl.Record) {
	t.Helper()
	var last time.Time
	for i, e := range r.Events {
		if e.Seq != int64(i+1) || e.At.Before(last) || i > 0 && e.From != r.Events[i-1].To {
			t.Fatalf("event %d of %s is %+v", i+1, r.ID, e)
		}
		last = e.At
	}
	if n := len(r.Events); n == 0 || int64(n) != r.Version || r.Events[n-1].To != r.Status {
		t.Fatalf("%s is %s at version %d, with %d events", r.ID, r.Status, r.Version, n)
	}
}

// all lists every item there is.
func all(t testing.TB, p *pawl.Pawl, q pawl.Query) []*pawl.Record {
	t.Helper()
	q.Limit = 500
	var items []*pawl.Record
	for {
		page, err := p.List(context.Background(), q)
		if err != nil {
			t.Fatalf("listing: %v", err)
		}
		items = append(items, page...)
		if len(page) < q.Limit {
			return items
		}
		q.Before = page[len(page)-1].ID
	}
}

// conflict returns the code of what an act ran into.
func conflict(err error) review.Conflict {
	if e, ok := errors.AsType[*review.ConflictError](err); ok {
		return e.Code
	}
	return ""
}

// refusal returns why a permit wasn't granted.
func refusal(err error) review.Refusal {
	if e, ok := errors.AsType[*review.RefusedError](err); ok {
		return e.Code
	}
	return ""
}

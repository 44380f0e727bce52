package app_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/internal/testenv"
	"github.com/pawlgate/pawl/review"
)

// policyText is a gate that applies what scores high and asks people about the
// rest; more is what else it says.
func policyText(more string) map[string]string {
	return map[string]string{"refunds.pawl.yaml": `pawl: v1
gate: refunds
kind: threshold
signals:
  score:  {type: score, range: [0, 1]}
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
enableAutoApply: true
` + more}
}

const countAsserted = `
review: {count_asserted: true, editable: [/amount]}
`

const (
	certain = `{"score":0.95}`
	unsure  = `{"score":0.6}`
)

// clock is a time that tests move.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock() *clock { return &clock{t: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(time.Millisecond)
	return c.t
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func person(name string) review.Actor {
	return review.Actor{Person: review.Person{ID: name, Known: review.KnownOIDC}, Queues: []string{"*"}, MayLoosen: true}
}

// opener opens a service on one of the engines, with an empty database.
type opener func(*testing.T, app.Config) *app.App

// onBoth runs a test on SQLite and on Postgres.
func onBoth(t *testing.T, test func(*testing.T, opener)) {
	t.Run("sqlite", func(t *testing.T) { test(t, open) })
	t.Run("postgres", func(t *testing.T) {
		test(t, func(t *testing.T, c app.Config) *app.App {
			c.DB, c.Key = postgres(t), filepath.Join(t.TempDir(), "ledger.key")
			return open(t, c)
		})
	})
}

func open(t *testing.T, c app.Config) *app.App {
	t.Helper()
	if c.DB == "" {
		c.DB = ":memory:"
	}
	a, err := app.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func submit(t *testing.T, a *app.App, input, action string) app.Submitted {
	t.Helper()
	s, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Subject: "order 1", Input: []byte(input), Action: []byte(action), By: person("shop")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func item(t *testing.T, a *app.App, id string) *app.Record {
	t.Helper()
	r, err := a.Item(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// claim returns the token.
func claim(t *testing.T, a *app.App, id, who string) int64 {
	t.Helper()
	out, err := a.Claim(t.Context(), id, review.Act{Actor: person(who)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Event.Token
}

func approve(t *testing.T, a *app.App, id, who string) review.Outcome {
	t.Helper()
	out, err := a.Approve(t.Context(), id, review.Act{Actor: person(who), Token: claim(t, a, id, who)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// effects counts what was done.
type effects struct {
	runs []app.Run
	err  error
}

func (e *effects) run(_ context.Context, r app.Run) ([]byte, error) {
	e.runs = append(e.runs, r)
	return fmt.Appendf(nil, "run %d", len(e.runs)), e.err
}

func wantRefusal(t *testing.T, err error, code review.Refusal) {
	t.Helper()
	var r *review.RefusedError
	if !errors.As(err, &r) || r.Code != code {
		t.Fatalf("got %v, want the refusal %s", err, code)
	}
}

func wantConflict(t *testing.T, err error, code review.Conflict) {
	t.Helper()
	var c *review.ConflictError
	if !errors.As(err, &c) || c.Code != code {
		t.Fatalf("got %v, want the conflict %s", err, code)
	}
}

func postgres(t *testing.T) string { return testenv.Postgres(t) }

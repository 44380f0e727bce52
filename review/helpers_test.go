package review_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
	"pgregory.net/rapid"
)

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func person(id string) review.Actor {
	return review.Actor{Person: review.Person{ID: id, Known: review.KnownOIDC}, Queues: []string{"q", "q2"}}
}

func submission(v verdict.Verdict) review.Submission {
	return review.Submission{
		ID: "i1", Gate: "g", Subject: "s", Verdict: v, Queue: "q", Risk: "high",
		Input: []byte(`{"a":1}`), Action: []byte(`{"pay":{"amount":5,"to":"x"},"lines":[1,2]}`),
		Salt: review.Salt{1}, Submitter: review.Person{ID: "sub", Known: review.KnownKey},
	}
}

// life is one item on which acts are done in order; every step is checked for
// what must hold of any.
type life struct {
	t     testing.TB
	item  review.Item
	rules review.Rules
	now   time.Time
	last  review.Outcome
}

func begin(t testing.TB, rules review.Rules) *life {
	t.Helper()
	o, err := review.New(submission(verdict.RouteToHuman), rules, start)
	if err != nil {
		t.Fatal(err)
	}
	return &life{t: t, item: o.Item, rules: rules, now: start}
}

func (l *life) after(d time.Duration) *life { l.now = l.now.Add(d); return l }

func (l *life) try(a review.Act) error {
	l.t.Helper()
	before := deepCopy(l.item)
	o, err := review.Apply(l.item, a, l.rules, l.now)
	if d := cmp.Diff(before, l.item); d != "" {
		l.t.Fatalf("%s changed its input:\n%s", a.Kind, d)
	}
	if err != nil {
		return err
	}
	l.item, l.last = o.Item, o
	return nil
}

func (l *life) do(a review.Act) *life {
	l.t.Helper()
	if err := l.try(a); err != nil {
		l.t.Fatalf("%s by %s: %v", a.Kind, a.Actor.ID, err)
	}
	return l
}

// claimed does an act right after a claim.
func (l *life) claimed(a review.Act) *life {
	l.t.Helper()
	l.do(review.Act{Kind: review.ActClaim, Actor: a.Actor})
	a.Token = l.item.Lease.Token
	return l.do(a)
}

func (l *life) tryClaimed(a review.Act) error {
	l.t.Helper()
	l.do(review.Act{Kind: review.ActClaim, Actor: a.Actor})
	a.Token = l.item.Lease.Token
	return l.try(a)
}

func (l *life) is(s review.Status) *life {
	l.t.Helper()
	if l.item.Status != s {
		l.t.Fatalf("the item is %s, not %s", l.item.Status, s)
	}
	return l
}

// code returns what kind of error it is, as "conflict ended".
func code(err error) string {
	var c *review.ConflictError
	var d *review.DeniedError
	var i *review.InvalidError
	var r *review.RefusedError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &c):
		return "conflict " + string(c.Code)
	case errors.As(err, &d):
		return "denied " + string(d.Code)
	case errors.As(err, &i):
		return "invalid " + i.Field
	case errors.As(err, &r):
		return "refused " + string(r.Code)
	}
	return fmt.Sprintf("%T", err)
}

func expect(t testing.TB, err error, want string) {
	t.Helper()
	if got := code(err); got != want {
		t.Fatalf("got %q (%v), want %q", got, err, want)
	}
}

func conflict(t testing.TB, err error) *review.ConflictError {
	t.Helper()
	var c *review.ConflictError
	if !errors.As(err, &c) {
		t.Fatalf("not a conflict: %v", err)
	}
	return c
}

func clonePtr[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func deepCopy(i review.Item) review.Item {
	c := i
	c.Input, c.Decision, c.Action = append([]byte(nil), i.Input...), append([]byte(nil), i.Decision...), append([]byte(nil), i.Action...)
	if i.Input == nil {
		c.Input = nil
	}
	if i.Decision == nil {
		c.Decision = nil
	}
	c.Submitters = append([]review.Submitter(nil), i.Submitters...)
	c.Approvals = append([]review.Vote(nil), i.Approvals...)
	if i.Approvals != nil && c.Approvals == nil {
		c.Approvals = []review.Vote{}
	}
	c.Rejections = append([]review.Vote(nil), i.Rejections...)
	if i.Rejections != nil && c.Rejections == nil {
		c.Rejections = []review.Vote{}
	}
	c.Skipped = append([]string(nil), i.Skipped...)
	c.Escalations = append([]review.Escalation(nil), i.Escalations...)
	c.Receipts = append([]review.Receipt(nil), i.Receipts...)
	c.Lease, c.Hold, c.Original, c.Ending = clonePtr(i.Lease), clonePtr(i.Hold), clonePtr(i.Original), clonePtr(i.Ending)
	return c
}

// rapidly lets helpers that take a testing.TB fail a rapid.T.
type rapidly struct {
	testing.TB
	rt *rapid.T
}

func inRapid(t *rapid.T) testing.TB { return rapidly{rt: t} }

func (r rapidly) Helper()                   { r.rt.Helper() }
func (r rapidly) Fatal(args ...any)         { r.rt.Fatal(args...) }
func (r rapidly) Fatalf(f string, a ...any) { r.rt.Fatalf(f, a...) }

package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

var (
	// Postgres can't keep a NUL, and review lets none through.
	texts = rapid.Map(rapid.String(), func(s string) string { return strings.ReplaceAll(s, "\x00", "0") })
	// An empty body is none: SQLite's driver doesn't tell them apart.
	bodies  = rapid.OneOf(rapid.Just([]byte(nil)), rapid.SliceOfN(rapid.Byte(), 1, 40))
	lists   = rapid.OneOf(rapid.Just([]string(nil)), rapid.SliceOf(texts))
	moments = rapid.Map(rapid.Int64Range(0, 1<<52), func(us int64) time.Time {
		if us == 0 {
			return time.Time{}
		}
		return time.UnixMicro(us).UTC()
	})
	numbers = rapid.Int64Range(0, 1<<60)
	ints    = rapid.IntRange(0, 1<<30)
	digests = rapid.Map(rapid.SliceOfN(rapid.Byte(), 32, 32), func(b []byte) review.Digest { return review.Digest(b) })
	people  = rapid.Custom(func(t *rapid.T) review.Person {
		return review.Person{ID: texts.Draw(t, "id"), Known: review.Known(texts.Draw(t, "known"))}
	})
	votes = rapid.OneOf(rapid.Just([]review.Vote(nil)), rapid.SliceOfN(rapid.Custom(func(t *rapid.T) review.Vote {
		return review.Vote{Person: people.Draw(t, "person"), MadeBy: lists.Draw(t, "made by"), Digest: digests.Draw(t, "digest"), At: moments.Draw(t, "at")}
	}), 0, 3))
	events = rapid.Custom(func(t *rapid.T) review.Event {
		return review.Event{
			Item: texts.Draw(t, "item"), Seq: numbers.Draw(t, "seq"), Actor: people.Draw(t, "actor"), Act: review.Kind(texts.Draw(t, "act")),
			From: review.Status(texts.Draw(t, "from")), To: review.Status(texts.Draw(t, "to")), Reason: texts.Draw(t, "reason"), Note: texts.Draw(t, "note"),
			At: moments.Draw(t, "at"), Digest: digests.Draw(t, "digest"), Queue: texts.Draw(t, "queue"), Person: texts.Draw(t, "person"),
			Until: moments.Draw(t, "until"), Token: numbers.Draw(t, "token"), Link: texts.Draw(t, "link"), Voided: ints.Draw(t, "voided"),
		}
	})
)

func maybe[T any](t *rapid.T, name string, draw func() T) *T {
	if !rapid.Bool().Draw(t, name) {
		return nil
	}
	v := draw()
	return &v
}

func some[T any](t *rapid.T, name string, draw func() T) []T {
	n := rapid.IntRange(-1, 3).Draw(t, name)
	if n < 0 {
		return nil
	}
	out := make([]T, n)
	for k := range out {
		out[k] = draw()
	}
	return out
}

func anyItem(t *rapid.T, id string) review.Item {
	return review.Item{
		ID: id, Gate: texts.Draw(t, "gate"), Policy: review.PolicyRef{Version: numbers.Draw(t, "policy"), Digest: texts.Draw(t, "policy digest")},
		Engine: texts.Draw(t, "engine"), Subject: texts.Draw(t, "subject"), Input: bodies.Draw(t, "input"), Decision: bodies.Draw(t, "decision"),
		Verdict: verdict.Verdict(texts.Draw(t, "verdict")), Risk: texts.Draw(t, "risk"), Action: bodies.Draw(t, "action"),
		Salt: review.Salt(digests.Draw(t, "salt")), Digest: digests.Draw(t, "digest"),
		Original: maybe(t, "original", func() review.Original {
			return review.Original{Action: bodies.Draw(t, "original"), Digest: digests.Draw(t, "digest")}
		}),
		Queue: texts.Draw(t, "queue"), Priority: ints.Draw(t, "priority"), Created: moments.Draw(t, "created"), Since: moments.Draw(t, "since"), Deadline: moments.Draw(t, "deadline"),
		Status: review.Status(texts.Draw(t, "status")), Version: numbers.Draw(t, "version"), LastAt: moments.Draw(t, "last"),
		Submitters: some(t, "submitters", func() review.Submitter {
			return review.Submitter{Person: people.Draw(t, "person"), Withdrawn: rapid.Bool().Draw(t, "withdrawn")}
		}),
		Lease: maybe(t, "lease", func() review.Lease {
			return review.Lease{Holder: texts.Draw(t, "holder"), Token: numbers.Draw(t, "token"), Until: moments.Draw(t, "until")}
		}),
		LastToken: numbers.Draw(t, "token"), Assigned: texts.Draw(t, "assigned"),
		Hold:      maybe(t, "hold", func() review.Hold { return review.Hold{By: texts.Draw(t, "by"), Until: moments.Draw(t, "until")} }),
		Approvals: votes.Draw(t, "approvals"), Rejections: votes.Draw(t, "rejections"), Skipped: lists.Draw(t, "skipped"),
		Escalations: some(t, "escalations", func() review.Escalation {
			return review.Escalation{By: people.Draw(t, "by"), To: texts.Draw(t, "to"), At: moments.Draw(t, "at")}
		}),
		Steps: ints.Draw(t, "steps"), Reopened: ints.Draw(t, "reopened"), Supersedes: texts.Draw(t, "supersedes"), SupersededBy: texts.Draw(t, "superseded by"),
		Overturns: texts.Draw(t, "overturns"), OverturnedBy: texts.Draw(t, "overturned by"),
		Ending: maybe(t, "ending", func() review.Ending {
			return review.Ending{By: people.Draw(t, "by"), Act: review.Kind(texts.Draw(t, "act")), At: moments.Draw(t, "at")}
		}),
		Receipts: some(t, "receipts", func() review.Receipt {
			return review.Receipt{Print: digests.Draw(t, "print"), Person: texts.Draw(t, "person"), Key: texts.Draw(t, "key"), Event: events.Draw(t, "event"), Ended: rapid.Bool().Draw(t, "ended")}
		}),
	}
}

func anyPermit(t *rapid.T) review.Permit {
	return review.Permit{
		Item: texts.Draw(t, "item"), Gate: texts.Draw(t, "gate"), Digest: digests.Draw(t, "digest"), Effect: review.Effect(texts.Draw(t, "effect")),
		Audience: lists.Draw(t, "audience"), Expires: moments.Draw(t, "expires"), Automatic: rapid.Bool().Draw(t, "automatic"), Epoch: numbers.Draw(t, "epoch"),
		State: review.PermitState(texts.Draw(t, "state")), Version: numbers.Draw(t, "version"), LastAt: moments.Draw(t, "last"), KeyHash: digests.Draw(t, "key"),
		GrantedTo: texts.Draw(t, "to"), GrantedAt: moments.Draw(t, "granted"), ReportedAt: moments.Draw(t, "reported"), Result: bodies.Draw(t, "result"), Void: review.Void(texts.Draw(t, "void")),
	}
}

// Whatever an item comes to hold, a row holds it: the members of review's types
// are all there, and empty lists and none are kept apart.
func TestAnyRecordComesBackAsItWas(t *testing.T) {
	n := 0
	onEach(t, func(t *testing.T, db *store.DB) {
		rapid.Check(t, func(rt *rapid.T) {
			n++
			id := fmt.Sprintf("i%d", n)
			want := &store.Record{
				Item: anyItem(rt, id), Kind: texts.Draw(rt, "kind"), Seed: digests.Draw(rt, "seed"), Opening: events.Draw(rt, "opening"),
				Permit: maybe(rt, "permit", func() review.Permit { return anyPermit(rt) }), NextDue: moments.Draw(rt, "due"), LegalHold: rapid.Bool().Draw(rt, "hold"),
			}
			update(t, db, func(tx *store.Tx) error { return tx.InsertRecord(want) })
			same := func() {
				view(t, db, func(tx *store.Tx) error {
					got, err := tx.Record(id)
					if d := cmp.Diff(want, got); d != "" {
						rt.Errorf("it came back changed:\n%s", d)
					}
					return err
				})
			}
			same()
			// What may change, changed.
			i, next := &want.Item, anyItem(rt, id)
			next.Gate, next.Subject, next.Input, next.Decision, next.Salt = i.Gate, i.Subject, i.Input, i.Decision, i.Salt
			want.Item = next
			update(t, db, func(tx *store.Tx) error {
				r := *want
				err := tx.UpdateRecord(&r)
				if err == nil {
					want.Rev = r.Rev
				}
				return err
			})
			same()
		})
	})
}

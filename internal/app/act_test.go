package app_test

import (
	"errors"
	"testing"
	"time"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/review"
)

func TestTwoDistinctPeopleApprove(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("review: {approvals: 2}\n")})
		s := submit(t, a, unsure, `1`)
		if out := approve(t, a, s.Item, "anna"); out.Item.Status != review.PendingReview {
			t.Fatalf("one approval made it %s", out.Item.Status)
		}
		_, err := a.Approve(t.Context(), s.Item, review.Act{Actor: person("anna"), Token: claim(t, a, s.Item, "anna"), Note: "again"})
		var denied *review.DeniedError
		if !errors.As(err, &denied) {
			t.Fatalf("got %v", err)
		}
		if _, err := a.Release(t.Context(), s.Item, review.Act{Actor: person("anna"), Token: item(t, a, s.Item).Lease.Token}); err != nil {
			t.Fatal(err)
		}
		out := approve(t, a, s.Item, "bert")
		if out.Item.Status != review.Approved || out.Permit == nil || item(t, a, s.Item).Permit == nil {
			t.Fatalf("got %+v", out)
		}
	})
}

func TestALoserLearnsWhoWon(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := submit(t, a, unsure, `1`)
		token := claim(t, a, s.Item, "anna")
		if _, err := a.Reject(t.Context(), s.Item, review.Act{Actor: person("bert"), Token: token}); err == nil {
			t.Fatal("a stolen token rejected")
		}
		first := review.Act{Actor: person("anna"), Token: token}
		if _, err := a.Reject(t.Context(), s.Item, first); err != nil {
			t.Fatal(err)
		}
		if out, err := a.Reject(t.Context(), s.Item, first); err != nil || !out.Replayed {
			t.Fatalf("the very same act: %+v, %v", out, err)
		}
		_, err := a.Claim(t.Context(), s.Item, review.Act{Actor: person("bert")})
		var lost *review.ConflictError
		if !errors.As(err, &lost) || lost.By.ID != "anna" || lost.Winner != review.ActReject {
			t.Fatalf("got %v", err)
		}
	})
}

func TestTheDeadlineExpiresAndNeverApproves(t *testing.T) {
	c := newClock()
	a := open(t, app.Config{PolicyText: policyText("review: {deadline: 1h, escalate: [{after: 30m, to: leads}]}\n"), Clock: c.now})
	s := submit(t, a, unsure, `1`)
	c.pass(31 * time.Minute)
	if r := item(t, a, s.Item); r.Queue != "leads" {
		t.Fatalf("it is in %q", r.Queue)
	}
	token := claim(t, a, s.Item, "anna")
	c.pass(30 * time.Minute)
	_, err := a.Approve(t.Context(), s.Item, review.Act{Actor: person("anna"), Token: token})
	wantConflict(t, err, review.ConflictEnded)
	r := item(t, a, s.Item)
	if r.Status != review.Expired || r.Permit != nil {
		t.Fatalf("got %+v", r)
	}
	if _, err := a.Reopen(t.Context(), s.Item, review.Act{Actor: person("anna")}); err != nil {
		t.Fatal(err)
	}
	c.pass(2 * time.Hour)
	if n, err := a.SweepDue(t.Context()); err != nil || n != 1 {
		t.Fatalf("swept %d, %v", n, err)
	}
	if list, err := a.Pending(t.Context(), app.Query{}); err != nil || len(list) != 0 {
		t.Fatalf("%d wait, %v", len(list), err)
	}
}

func TestOverturnOpensAnotherItemAndVoidsThePermit(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := submit(t, a, certain, `{"amount":1}`)
		out, err := a.Overturn(t.Context(), s.Item, review.Act{Actor: person("anna"), Note: "that was wrong"})
		if err != nil {
			t.Fatal(err)
		}
		old, opened := item(t, a, s.Item), item(t, a, out.Opened.Item.ID)
		if old.Status != review.AutoApplied || old.Permit.State != review.PermitVoided || old.OverturnedBy != opened.ID {
			t.Fatalf("got %+v", old)
		}
		if opened.Status != review.PendingReview || opened.Overturns != old.ID || len(opened.Events) != 1 {
			t.Fatalf("got %+v", opened)
		}
		_, err = a.Do(t.Context(), s.Item, []byte(`{"amount":1}`), (&effects{}).run)
		wantRefusal(t, err, review.RefusedVoided)
	})
}

func TestNextHandsOutTheMostUrgentFreeItem(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		first, second := submit(t, a, unsure, `1`), submit(t, a, unsure, `2`)
		for _, tt := range []struct {
			name string
			by   review.Actor
			want string
		}{
			{"not to who submitted it", person("shop"), ""},
			{"not to who doesn't see the queue", review.Actor{Person: person("eve").Person, Queues: []string{"loans"}}, ""},
			{"the first one", person("anna"), first.Item},
			{"then the second", person("bert"), second.Item},
			{"then nothing", person("carl"), ""},
		} {
			out, found, err := a.Next(t.Context(), tt.by, "")
			if err != nil || found != (tt.want != "") || out.Item.ID != tt.want {
				t.Errorf("%s: got %q, %v", tt.name, out.Item.ID, err)
			}
		}
	})
}

func TestNextPassesOverWhatTheTimeMovesAway(t *testing.T) {
	c := newClock()
	a := open(t, app.Config{PolicyText: policyText("review: {escalate: [{after: 30m, to: leads}]}\n"), Clock: c.now})
	s := submit(t, a, unsure, `1`)
	c.pass(time.Hour)
	desk := review.Actor{Person: person("anna").Person, Queues: []string{"refunds"}}
	if out, found, err := a.Next(t.Context(), desk, ""); err != nil || found {
		t.Fatalf("got %q, %v", out.Item.ID, err)
	}
	desk.Queues = []string{"leads"}
	if out, found, err := a.Next(t.Context(), desk, ""); err != nil || !found || out.Item.ID != s.Item {
		t.Fatalf("got %q, %v", out.Item.ID, err)
	}
}

func TestNextIsRefusedToWhoIsNoPerson(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		submit(t, a, unsure, `1`)
		for _, name := range []string{"", " ", "pawl", "an\x00na"} {
			_, found, err := a.Next(t.Context(), person(name), "")
			var denied *review.DeniedError
			if found || !errors.As(err, &denied) {
				t.Errorf("next for %q: %v, %v; want it denied", name, found, err)
			}
		}
	})
}

package review_test

import (
	"testing"
	"time"

	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

func submitter() review.Actor {
	return review.Actor{Person: review.Person{ID: "sub", Known: review.KnownKey}}
}

func TestWithdrawing(t *testing.T) {
	l := begin(t, review.Rules{}).do(review.Act{Kind: review.ActWithdraw, Actor: submitter()}).is(review.Withdrawn)
	if l.last.Permit != nil {
		t.Error("what was withdrawn has a permit")
	}
	// With joined submitters it takes all of them.
	l = begin(t, review.Rules{}).do(act(review.ActJoin, "dan"))
	l.do(review.Act{Kind: review.ActWithdraw, Actor: submitter()}).is(review.PendingReview)
	l.do(act(review.ActWithdraw, "dan")).is(review.Withdrawn)
	// Who joins again wants it again.
	l = begin(t, review.Rules{}).do(act(review.ActJoin, "dan")).do(act(review.ActWithdraw, "dan")).do(act(review.ActJoin, "dan"))
	l.do(review.Act{Kind: review.ActWithdraw, Actor: submitter()}).is(review.PendingReview)
}

func TestJoining(t *testing.T) {
	l := begin(t, review.Rules{Editable: []string{"/pay"}})
	on := review.Rules{JoinSameAction: true}
	same := submission(verdict.RouteToHuman)
	same.Action = []byte(`{"lines":[1,2.0], "pay":{"to":"x","amount":5}}`)
	if !l.item.Joins(&same, on) {
		t.Error("the same action doesn't join")
	}
	if l.item.Joins(&same, review.Rules{}) {
		t.Error("it joins though the gate doesn't say so")
	}
	for name, change := range map[string]func(*review.Submission){
		"gate":    func(s *review.Submission) { s.Gate = "h" },
		"subject": func(s *review.Submission) { s.Subject = "" },
		"action":  func(s *review.Submission) { s.Action = []byte(`{}`) },
		"invalid": func(s *review.Submission) { s.Action = []byte(`{`) },
		"verdict": func(s *review.Submission) { s.Verdict = verdict.AutoReject },
	} {
		s := same
		change(&s)
		if l.item.Joins(&s, on) {
			t.Errorf("another %s joins", name)
		}
	}
	edit := act(review.ActEdit, "ada")
	edit.Action = []byte(`{"pay":1,"lines":[1,2]}`)
	l.rules.Needed = 2
	l.claimed(edit)
	edited := submission(verdict.RouteToHuman)
	edited.Action = edit.Action
	if l.item.Joins(&same, on) || l.item.Joins(&edited, on) {
		t.Error("a submission joins an edited item")
	}
}

func TestSuperseding(t *testing.T) {
	s := review.Act{Kind: review.ActSupersede, Actor: submitter()}
	expect(t, begin(t, review.Rules{}).try(s), "invalid item")
	s.Item = "i1"
	expect(t, begin(t, review.Rules{}).try(s), "invalid item")
	s.Item = "i2"
	l := begin(t, review.Rules{}).do(s).is(review.Superseded)
	if l.item.SupersededBy != "i2" || l.last.Event.Link != "i2" || l.last.Permit != nil {
		t.Errorf("%+v", l.item)
	}
	// Nobody takes back what others submitted, too.
	l = begin(t, review.Rules{}).do(act(review.ActJoin, "dan"))
	other := act(review.ActSupersede, "dan")
	other.Item = "i2"
	expect(t, l.try(other), "denied not_submitter")
	l.do(review.Act{Kind: review.ActWithdraw, Actor: submitter()}).do(other).is(review.Superseded)
	// What has ended stays as it ended, but can't be redeemed any more.
	l = begin(t, review.Rules{}).claimed(act(review.ActApprove, "ada")).do(s).is(review.Approved)
	if l.last.Void != review.VoidSuperseded || l.item.Ending.By.ID != "ada" {
		t.Errorf("%+v", l.last)
	}
	s.Item = "i3"
	expect(t, l.try(s), "conflict ended")
}

func TestExpiry(t *testing.T) {
	l := begin(t, review.Rules{Deadline: time.Hour}).do(act(review.ActClaim, "ada"))
	expire := review.Act{Kind: review.ActExpire, Actor: review.Actor{Person: review.Person{ID: review.Pawl}}}
	expect(t, l.try(expire), "conflict status")
	l.after(time.Hour - time.Microsecond)
	expect(t, l.try(expire), "conflict status")
	l.do(act(review.ActClaim, "ada")).after(time.Microsecond)
	// Nothing is decided after the deadline, not even before anybody has noticed.
	for _, k := range []review.Kind{review.ActApprove, review.ActReject, review.ActClaim} {
		a := act(k, "ada")
		a.Token = l.item.LastToken
		expect(t, l.try(a), "conflict overdue")
	}
	due, ok := review.Due(l.item, l.rules, l.now)
	if !ok || due.Kind != review.ActExpire {
		t.Fatalf("due: %+v", due)
	}
	l.do(due).is(review.Expired)
	if l.last.Permit != nil || l.item.Lease != nil || l.last.Event.Actor.ID != review.Pawl || l.item.Ending.Act != review.ActExpire {
		t.Errorf("%+v", l.last)
	}
	// A clock that steps back doesn't bring it back.
	l.after(-2 * time.Hour)
	expect(t, l.try(act(review.ActClaim, "ada")), "conflict ended")
}

func TestADeadlineIsNotEvadedByTheClock(t *testing.T) {
	l := begin(t, review.Rules{Deadline: time.Hour, Lease: 3 * time.Hour}).do(act(review.ActClaim, "ada"))
	c := act(review.ActComment, "bob")
	l.after(2 * time.Hour).do(c).after(-2 * time.Hour)
	a := act(review.ActApprove, "ada")
	a.Token = 1
	expect(t, l.try(a), "conflict overdue")
}

func TestReopening(t *testing.T) {
	l := begin(t, review.Rules{Deadline: time.Hour, Needed: 2, Escalate: []review.Step{{After: time.Minute, To: "q2"}}})
	reopen := act(review.ActReopen, "ada")
	expect(t, l.try(reopen), "conflict status")
	l.claimed(act(review.ActApprove, "bob")).after(time.Hour)
	due, _ := review.Due(l.item, l.rules, l.now)
	l.do(due).is(review.Expired)
	reopen.Until = l.now
	expect(t, l.try(reopen), "invalid until")
	reopen.Until = time.Time{}
	l.do(reopen).is(review.PendingReview)
	if len(l.item.Approvals) != 0 || l.last.Event.Voided != 1 || l.item.Ending != nil || !l.item.Deadline.Equal(l.now.Add(time.Hour)) {
		t.Errorf("%+v", l.item)
	}
	// Its escalations begin anew, and so does its expiry.
	l.after(time.Minute)
	due, ok := review.Due(l.item, l.rules, l.now)
	if !ok || due.Kind != review.ActEscalate {
		t.Fatalf("due: %+v", due)
	}
	l.do(due).after(time.Hour)
	due, _ = review.Due(l.item, l.rules, l.now)
	l.do(due).is(review.Expired)
	if l.last.Replayed {
		t.Error("the second expiry was taken for the first")
	}

	l.rules.Deadline = 0
	expect(t, l.try(reopen), "invalid until")
	for _, a := range []review.Act{act(review.ActApprove, "ada"), act(review.ActReject, "ada")} {
		l := begin(t, review.Rules{}).claimed(a)
		expect(t, l.try(reopen), "conflict status")
	}
}

func TestOverturning(t *testing.T) {
	o, err := review.New(submission(verdict.AutoApply), review.Rules{}, start)
	if err != nil {
		t.Fatal(err)
	}
	l := &life{t: t, item: o.Item, rules: review.Rules{Deadline: time.Hour}, now: start.Add(time.Minute)}
	turn := act(review.ActOverturn, "ada")
	expect(t, l.try(turn), "invalid note")
	turn.Note = "wrong account"
	expect(t, l.try(turn), "invalid item")
	turn.Item = "i2"
	expect(t, l.try(turn), "invalid salt")
	turn.Salt = review.Salt{2}
	l.do(turn).is(review.AutoApplied)
	if l.item.OverturnedBy != "i2" || l.last.Event.Link != "i2" || l.last.Void != review.VoidOverturned || l.last.Event.From != review.AutoApplied {
		t.Errorf("%+v", l.last)
	}
	n := l.last.Opened.Item
	if n.Status != review.PendingReview || n.Overturns != "i1" || n.Version != 1 || string(n.Action) != string(l.item.Action) || n.Digest == l.item.Digest ||
		n.Deadline.IsZero() || n.Verdict != verdict.RouteToHuman || l.last.Opened.Event.Actor.ID != "ada" || l.last.Opened.Event.Link != "i1" {
		t.Errorf("%+v", l.last.Opened)
	}
	// Trying again with a new id is the same act; anybody else is too late.
	again := turn
	again.Item, again.Salt = "i3", review.Salt{3}
	l.do(again)
	if !l.last.Replayed || l.item.OverturnedBy != "i2" {
		t.Errorf("%+v", l.last)
	}
	again.Actor = person("bob")
	expect(t, l.try(again), "conflict changed")

	// Who asked for it can't approve it, nor can the first submitter; they can
	// reject it.
	m := &life{t: t, item: n, rules: review.Rules{}, now: l.now}
	for _, who := range []string{"ada", "sub"} {
		k := *m
		expect(t, k.tryClaimed(act(review.ActApprove, who)), "denied submitter")
	}
	m.claimed(act(review.ActReject, "ada")).is(review.Rejected)
	expect(t, begin(t, review.Rules{}).try(turn), "conflict status")

	// What is to be done about it may be something else.
	turn.Action = []byte(`{"refund":"back"}`)
	p := begin(t, review.Rules{}).claimed(act(review.ActApprove, "bob")).do(turn)
	if string(p.last.Opened.Item.Action) != `{"refund":"back"}` {
		t.Errorf("%s", p.last.Opened.Item.Action)
	}
}

func TestEscalationsByTime(t *testing.T) {
	rules := review.Rules{Deadline: 4 * time.Hour, Lease: 10 * time.Hour, Escalate: []review.Step{{After: time.Hour, To: "boss"}, {After: 2 * time.Hour, To: "boss"}}}
	l := begin(t, rules).do(act(review.ActClaim, "ada"))
	pawl := review.Act{Kind: review.ActEscalate, Actor: review.Actor{Person: review.Person{ID: review.Pawl}}, Queue: "boss"}
	expect(t, l.try(pawl), "conflict status")
	if next := review.NextDue(l.item, rules); !next.Equal(start.Add(time.Hour)) {
		t.Errorf("next due at %s", next)
	}
	if _, ok := review.Due(l.item, rules, start.Add(time.Hour-time.Microsecond)); ok {
		t.Error("due before its time")
	}
	l.after(2 * time.Hour)
	pawl.Queue = "elsewhere"
	expect(t, l.try(pawl), "conflict status")
	for k := range 2 {
		due, ok := review.Due(l.item, rules, l.now)
		if !ok || due.Kind != review.ActEscalate {
			t.Fatalf("step %d: %+v", k, due)
		}
		l.do(due)
		if l.last.Replayed || l.item.Steps != k+1 {
			t.Fatalf("step %d was taken for the one before it", k)
		}
		l.do(due) // two sweepers
		if !l.last.Replayed {
			t.Error("a step is done twice")
		}
	}
	if _, ok := review.Due(l.item, rules, l.now); ok {
		t.Error("more is due")
	}
	// Who has it goes on with it, though the queue is out of their sight.
	a := act(review.ActApprove, "ada")
	a.Token = 1
	l.do(a).is(review.Approved)
	if _, ok := review.Due(l.item, rules, l.now.Add(99*time.Hour)); ok || !review.NextDue(l.item, rules).IsZero() {
		t.Error("something is due of an ended item")
	}
}

package review_test

import (
	"testing"
	"time"

	"github.com/pawlgate/pawl/review"
)

func act(k review.Kind, who string) review.Act {
	a := review.Act{Kind: k, Actor: person(who)}
	if k == review.ActHold || k == review.ActComment {
		a.Note = "because"
	}
	return a
}

func TestAClaimHasOneHolder(t *testing.T) {
	l := begin(t, review.Rules{Lease: time.Minute}).do(act(review.ActClaim, "ada"))
	first := *l.item.Lease
	if first.Holder != "ada" || first.Token != 1 || !first.Until.Equal(start.Add(time.Minute)) || l.last.Event.Token != 1 {
		t.Errorf("lease %+v", first)
	}
	c := conflict(t, l.try(act(review.ActClaim, "bob")))
	if c.Code != review.ConflictHeld || c.Holder != "ada" || !c.Until.Equal(first.Until) {
		t.Errorf("bob learns %+v", c)
	}
	// Claiming again renews for the holder, with the same token.
	l.after(30 * time.Second).do(act(review.ActClaim, "ada"))
	if got := *l.item.Lease; got.Token != 1 || !got.Until.Equal(start.Add(90*time.Second)) {
		t.Errorf("renewed: %+v", got)
	}
	// An expired lease is free, without anybody having swept it up.
	l.after(time.Minute)
	if l.item.Held(l.now) != nil {
		t.Error("the lease is over at its end, not after it")
	}
	l.do(act(review.ActClaim, "bob"))
	if got := *l.item.Lease; got.Holder != "bob" || got.Token != 2 {
		t.Errorf("bob's: %+v", got)
	}
}

func TestActsThatNeedTheLease(t *testing.T) {
	until := start.Add(time.Hour)
	for _, a := range []review.Act{
		{Kind: review.ActRenew},
		{Kind: review.ActRelease},
		{Kind: review.ActApprove},
		{Kind: review.ActReject},
		{Kind: review.ActEdit, Action: []byte(`{}`)},
		{Kind: review.ActHold, Note: "n", Until: until},
		{Kind: review.ActEscalate, Queue: "q2"},
	} {
		t.Run(string(a.Kind), func(t *testing.T) {
			rules := review.Rules{Lease: time.Minute, Editable: []string{""}}
			a.Actor = person("ada")
			l := begin(t, rules)
			expect(t, l.try(a), "conflict needs_lease")
			a.Token = 1
			expect(t, l.try(a), "conflict stale_token") // nobody gave this one yet

			l.do(act(review.ActClaim, "bob"))
			c := conflict(t, l.try(a))
			if c.Code != review.ConflictStale || c.Holder != "bob" {
				t.Errorf("bob's token in ada's hand: %+v", c)
			}
			a.Token = 0
			expect(t, l.try(a), "conflict held")

			l.after(time.Minute).do(act(review.ActClaim, "ada"))
			for _, wrong := range []int64{1, 3, -2} {
				a.Token = wrong
				expect(t, l.try(a), "conflict stale_token")
			}
			a.Token = 0
			expect(t, l.try(a), "conflict needs_lease")
			a.Token = 2
			l.after(time.Minute)
			expect(t, l.try(a), "conflict stale_token") // over, though nobody else has it
			l.after(-time.Second).do(a)
			if l.last.Event.Token != 2 {
				t.Errorf("the event has token %d", l.last.Event.Token)
			}
		})
	}
}

func TestActsThatNeedNone(t *testing.T) {
	sub := review.Actor{Person: review.Person{ID: "sub", Known: review.KnownKey}}
	boss := person("boss")
	boss.Supervisor = true
	for _, a := range []review.Act{
		{Kind: review.ActComment, Actor: person("ada"), Note: "n"},
		{Kind: review.ActComment, Actor: sub, Note: "n"},
		{Kind: review.ActSkip, Actor: person("ada")},
		{Kind: review.ActWithdraw, Actor: sub},
		{Kind: review.ActAssign, Actor: boss, Person: "ada"},
		{Kind: review.ActSupersede, Actor: sub, Item: "i2"},
		{Kind: review.ActSupersede, Actor: boss, Item: "i2"},
		{Kind: review.ActJoin, Actor: person("dan")},
	} {
		begin(t, review.Rules{}).do(a)
		begin(t, review.Rules{}).do(act(review.ActClaim, "bob")).do(a)
	}
}

func TestAPersonActsOnWhatTheySeeOnly(t *testing.T) {
	blind := person("ada")
	blind.Queues = []string{"other", "Q"}
	for _, k := range []review.Kind{review.ActClaim, review.ActApprove, review.ActSkip, review.ActComment, review.ActOverturn, review.ActReopen} {
		a := act(k, "ada")
		a.Actor, a.Note, a.Token = blind, "n", 1
		expect(t, begin(t, review.Rules{}).do(act(review.ActClaim, "bob")).try(a), "denied queue")
	}
	for _, k := range []review.Kind{review.ActWithdraw, review.ActSupersede} {
		l := begin(t, review.Rules{}).claimed(act(review.ActApprove, "bob"))
		expect(t, l.try(act(k, "ada")), "denied not_submitter") // and not who approved it
	}
	all := person("ada")
	all.Queues = []string{"*"}
	begin(t, review.Rules{}).do(review.Act{Kind: review.ActClaim, Actor: all})
}

func TestAPersonsActNeedsAPerson(t *testing.T) {
	for _, p := range []review.Person{
		{},
		{ID: "ada"},
		{ID: "ada", Known: "OIDC"},
		{ID: review.Pawl},
		{ID: review.Pawl, Known: review.KnownOIDC},
		{ID: "PAWL", Known: review.KnownKey},
		{ID: "pawl ", Known: review.KnownKey},
		{ID: "ada\x00", Known: review.KnownKey},
		{ID: " ada", Known: review.KnownKey},
		{ID: "\xc0", Known: review.KnownKey},
		{ID: string(make([]byte, 300)), Known: review.KnownKey},
	} {
		for _, k := range []review.Kind{review.ActClaim, review.ActApprove, review.ActReject, review.ActEdit, review.ActWithdraw, review.ActReopen, review.ActOverturn, review.ActComment} {
			l := begin(t, review.Rules{CountAsserted: true})
			expect(t, l.try(review.Act{Kind: k, Actor: review.Actor{Person: p, Queues: []string{"*"}}, Note: "n", Token: 1}), "denied no_person")
		}
	}
	expect(t, begin(t, review.Rules{}).try(act(review.ActExpire, "ada")), "denied right")
	expect(t, begin(t, review.Rules{}).try(act("decide", "ada")), "invalid act")
	expect(t, begin(t, review.Rules{}).try(act("", "ada")), "invalid act")
}

func TestATokenNeverComesBack(t *testing.T) {
	l := begin(t, review.Rules{Lease: time.Minute})
	last := int64(0)
	for k := range 20 {
		who := []string{"ada", "bob"}[k%2]
		l.do(act(review.ActClaim, who))
		if l.item.Lease.Token != last+1 {
			t.Fatalf("token %d after %d", l.item.Lease.Token, last)
		}
		last = l.item.Lease.Token
		if k%3 == 0 {
			l.after(time.Hour)
			continue
		}
		a := act(review.ActRelease, who)
		a.Token = last
		l.do(a)
	}
}

func TestAHoldSleepsUntilItWakes(t *testing.T) {
	l := begin(t, review.Rules{Deadline: 10 * time.Hour})
	hold := act(review.ActHold, "ada")
	expect(t, l.tryClaimed(hold), "invalid until")
	hold.Until = l.now
	expect(t, l.tryClaimed(hold), "invalid until")
	hold.Until = l.now.Add(10 * time.Hour)
	expect(t, l.tryClaimed(hold), "invalid until") // it would expire first
	hold.Until, hold.Note = l.now.Add(time.Hour), " "
	expect(t, l.tryClaimed(hold), "invalid note")
	hold.Note = "waiting for the bank"
	l.claimed(hold)
	bob := person("bob")
	if l.item.Lease != nil || l.item.Offered(&bob, l.now) {
		t.Error("a held item is offered")
	}
	if !l.item.Offered(&bob, hold.Until) {
		t.Error("it doesn't wake")
	}
	// Who asks for it by name gets it sooner.
	l.do(act(review.ActClaim, "bob"))
	if l.item.Hold != nil {
		t.Error("claimed and held")
	}
}

func TestASkipIsRememberedPerPerson(t *testing.T) {
	l := begin(t, review.Rules{}).claimed(act(review.ActSkip, "ada"))
	ada, bob := person("ada"), person("bob")
	if l.item.Lease != nil || l.item.Offered(&ada, l.now) || !l.item.Offered(&bob, l.now) {
		t.Errorf("%+v", l.item)
	}
	l.do(act(review.ActClaim, "bob"))
	stale := act(review.ActSkip, "bob")
	stale.Token = 1
	expect(t, l.try(stale), "conflict stale_token")
	l.do(act(review.ActSkip, "cem"))
	if l.item.Lease == nil {
		t.Error("cem's skip took bob's lease")
	}
	l.do(act(review.ActSkip, "bob"))
	if l.item.Lease != nil {
		t.Error("bob still has it")
	}
}

func TestAnEscalationGoesToAQueueThatExists(t *testing.T) {
	l := begin(t, review.Rules{Queues: []string{"q", "q2"}})
	e := act(review.ActEscalate, "ada")
	expect(t, l.tryClaimed(e), "invalid queue")
	e.Queue = "nowhere"
	expect(t, l.tryClaimed(e), "invalid queue")
	e.Queue = "q"
	expect(t, l.tryClaimed(e), "invalid queue")
	e.Queue = "q2"
	l.claimed(e)
	if l.item.Queue != "q2" || l.item.Lease != nil || len(l.item.Escalations) != 1 || l.last.Event.Queue != "q2" {
		t.Errorf("%+v", l.item)
	}
}

func TestASupervisorAssigns(t *testing.T) {
	l := begin(t, review.Rules{}).do(act(review.ActClaim, "bob"))
	a := act(review.ActAssign, "boss")
	a.Person = "ada"
	expect(t, l.try(a), "denied right")
	a.Actor.Supervisor = true
	l.do(a)
	if l.item.Lease != nil || l.item.Assigned != "ada" {
		t.Errorf("%+v", l.item)
	}
	c := conflict(t, l.try(act(review.ActClaim, "bob")))
	if c.Code != review.ConflictAssigned || c.Holder != "ada" {
		t.Errorf("%+v", c)
	}
	stale := act(review.ActApprove, "bob")
	stale.Token = 1
	expect(t, l.try(stale), "conflict stale_token")
	l.do(act(review.ActClaim, "ada"))
	a.Person, a.Note = "", "ada is ill"
	l.do(a).do(act(review.ActClaim, "bob"))
}

// Of two readings of the clock a lease ends at the later one, and no event is
// earlier than the one before it.
func TestAClockThatStepsBackDuringALease(t *testing.T) {
	l := begin(t, review.Rules{Lease: time.Minute}).after(time.Hour).do(act(review.ActClaim, "ada"))
	until := l.item.Lease.Until
	l.after(-30 * time.Minute)
	expect(t, l.try(act(review.ActClaim, "bob")), "conflict held")
	l.do(act(review.ActClaim, "ada"))
	if l.item.Lease.Until.Before(until) {
		t.Error("renewing has shortened the lease")
	}
	l.rules.Lease = time.Second // another version of the rules
	if l.do(act(review.ActClaim, "ada")); l.item.Lease.Until.Before(until) {
		t.Error("a renewal has shortened the lease")
	}
	if l.last.Event.At.Before(start.Add(time.Hour)) {
		t.Errorf("the event is at %s, before the one before it", l.last.Event.At)
	}
	a := act(review.ActApprove, "ada")
	a.Token = 1
	l.do(a)
	if !l.last.Event.At.Equal(start.Add(time.Hour)) || !l.item.LastAt.Equal(start.Add(time.Hour)) {
		t.Errorf("approved at %s", l.last.Event.At)
	}
	if want := l.now.Add(review.DefaultPermitLife); !l.last.Permit.Expires.Equal(want) {
		t.Errorf("the permit expires at %s, want the earlier reading's %s", l.last.Permit.Expires, want)
	}
}

package review_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/review"
)

func TestTheVerySameActIsAReplay(t *testing.T) {
	rules := review.Rules{Needed: 2, Editable: []string{"/pay"}}
	edit := act(review.ActEdit, "ada")
	edit.Action = []byte(`{"pay":1,"lines":[1,2]}`)
	hold := act(review.ActHold, "ada")
	hold.Until = start.Add(time.Hour)
	escalate := act(review.ActEscalate, "ada")
	escalate.Queue = "q2"
	reject := act(review.ActReject, "ada")
	reject.Note = "no"
	for _, a := range []review.Act{act(review.ActApprove, "ada"), reject, edit, hold, escalate, act(review.ActRelease, "ada")} {
		t.Run(string(a.Kind), func(t *testing.T) {
			l := begin(t, rules).do(act(review.ActClaim, "ada"))
			a.Token = 1
			l.do(a)
			first, item := l.last.Event, l.item
			// Others go on meanwhile, and it is late.
			if !item.Status.Ended() {
				l.do(act(review.ActComment, "bob")).do(act(review.ActClaim, "bob"))
			}
			before := l.item
			l.after(1000 * time.Hour).do(a)
			if d := cmp.Diff(first, l.last.Event); d != "" || !l.last.Replayed || l.last.Permit != nil {
				t.Errorf("replayed %v:\n%s", l.last.Replayed, d)
			}
			if d := cmp.Diff(before, l.item); d != "" {
				t.Errorf("the item changed:\n%s", d)
			}
			// Anything else about it, and it is another act.
			for name, change := range map[string]func(*review.Act){
				"person": func(a *review.Act) { a.Actor.ID = "bob" },
				"known":  func(a *review.Act) { a.Actor.Known = review.KnownAsserted },
				"note":   func(a *review.Act) { a.Note += "!" },
				"token":  func(a *review.Act) { a.Token = 77 },
			} {
				b := a
				change(&b)
				if err := l.try(b); err == nil {
					t.Errorf("with another %s it is a replay", name)
				}
			}
		})
	}
}

func TestActsWithoutTokenAreTheSameOnlyIfNothingCameBetween(t *testing.T) {
	l := begin(t, review.Rules{})
	ok := act(review.ActComment, "ada")
	l.do(ok).do(ok)
	if !l.last.Replayed {
		t.Error("a doubled comment")
	}
	l.do(act(review.ActComment, "bob")).do(ok)
	if l.last.Replayed {
		t.Error("the same words later are another comment")
	}
	// With a key it is the same act whenever it comes.
	ok.Key = "k1"
	l.do(ok).do(act(review.ActComment, "bob")).do(ok)
	if !l.last.Replayed {
		t.Error("the key didn't help")
	}
	other := ok
	other.Note = "something else"
	expect(t, l.try(other), "invalid key")
	other.Actor = person("bob") // whose key it isn't
	l.do(other)

	boss := act(review.ActAssign, "boss")
	boss.Actor.Supervisor = true
	for _, who := range []string{"ada", "bob", "ada"} {
		boss.Person = who
		if l.do(boss); l.last.Replayed || l.item.Assigned != who {
			t.Errorf("%s wasn't assigned", who)
		}
	}
}

func TestEndingsReplayAfterComments(t *testing.T) {
	w := review.Act{Kind: review.ActWithdraw, Actor: submitter()}
	l := begin(t, review.Rules{}).do(w)
	for k := range 200 { // more than are remembered
		c := act(review.ActComment, "bob")
		c.Note = fmt.Sprint(k)
		l.do(c)
	}
	if len(l.item.Receipts) > 100 {
		t.Errorf("%d receipts are kept", len(l.item.Receipts))
	}
	if l.do(w); !l.last.Replayed {
		t.Error("not replayed")
	}
}

func TestAnEventInJSON(t *testing.T) {
	l := begin(t, review.Rules{Deadline: time.Hour})
	reject := act(review.ActReject, "ada")
	reject.Note = "no \x01\"'; --"
	l.after(1500 * time.Millisecond).claimed(reject)
	got := string(l.last.Event.AppendJSON(nil))
	want := `{"itemId":"i1","seq":3,"actor":"ada","known":"oidc","action":"reject","fromStatus":"pending_review","toStatus":"rejected","note":"no \u0001\"'; --","at":"2026-01-31T09:00:01.5Z","actionDigest":"` + l.item.Digest.String() + `","token":1}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

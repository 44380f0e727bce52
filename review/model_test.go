package review_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pawlgate/pawl/review"
	"pgregory.net/rapid"
)

// model is an item's life, told once more and shorter: what must come of an act
// is worked out from it, not from the package.
type model struct {
	rules              review.Rules
	status             review.Status
	version, top       int64
	last, deadline     time.Time
	holder             string
	token              int64
	until              time.Time
	assigned, queue    string
	approved, rejected []string
	submitters, gone   []string
	action, original   string
	steps              int
	since              time.Time
	superseded, turned bool
}

var (
	crew    = []string{"ada", "bob", "cem", "dan", "eve", "boss", "sub"}
	actions = []string{`{"amount":1}`, `{"amount":2}`, `{"amount":3}`}
)

// maker is the one dependence among the crew: ada made bob's account.
func dependentPair(a, b string) bool {
	return a == "ada" && b == "bob" || a == "bob" && b == "ada"
}

func crewMember(id string) review.Actor {
	a := person(id)
	switch id {
	case "eve":
		a.Known = review.KnownAsserted
	case "bob":
		a.MadeBy = []string{"ada"}
	case "boss":
		a.Supervisor = true
	case review.Pawl:
		a = review.Actor{Person: review.Person{ID: review.Pawl}}
	}
	return a
}

func (m *model) ended() bool { return m.status != review.PendingReview }

func (m *model) holds(who string, token int64, now time.Time) bool {
	return m.holder == who && m.token == token && now.Before(m.until)
}

func (m *model) mayApprove(who string, edit bool) bool {
	if who == "eve" && !m.rules.CountAsserted || slices.Contains(m.submitters, who) || slices.Contains(m.rejected, who) {
		return false
	}
	if edit {
		return true
	}
	for _, other := range m.approved {
		if other == who || dependentPair(other, who) {
			return false
		}
	}
	return true
}

// alone reports whether who is a submitter and all others have withdrawn.
func (m *model) alone(who string) bool {
	for _, p := range m.submitters {
		if p != who && !slices.Contains(m.gone, p) {
			return false
		}
	}
	return slices.Contains(m.submitters, who)
}

// step does an act on the model and reports whether it may be done.
func (m *model) step(a review.Act, now time.Time) bool {
	who := a.Actor.ID
	at := now
	if at.Before(m.last) {
		at = m.last
	}
	late := !at.Before(m.deadline)
	sees := m.queue == "q" || m.queue == "q2"
	free := func() { m.holder, m.until = "", time.Time{} }
	end := func(s review.Status) { m.status, m.assigned = s, ""; free() }
	ok := false
	switch a.Kind {
	case review.ActClaim:
		held := now.Before(m.until) && m.holder != ""
		if ok = !m.ended() && !late && sees && (held && m.holder == who || !held && (m.assigned == "" || m.assigned == who)); ok {
			if !held {
				m.top++
				m.holder, m.token, m.until = who, m.top, time.Time{}
			}
			if u := at.Add(m.rules.Lease); u.After(m.until) {
				m.until = u
			}
		}
	case review.ActRenew, review.ActRelease, review.ActHold, review.ActApprove, review.ActReject, review.ActEdit:
		if ok = !m.ended() && !late && m.holds(who, a.Token, now); !ok {
			break
		}
		switch a.Kind {
		case review.ActRenew:
			if u := at.Add(m.rules.Lease); u.After(m.until) {
				m.until = u
			}
		case review.ActRelease:
			free()
		case review.ActHold:
			if ok = a.Until.After(at) && a.Until.Before(m.deadline); ok {
				free()
			}
		case review.ActReject:
			if ok = !slices.Contains(m.rejected, who); ok {
				m.approved = slices.DeleteFunc(m.approved, func(p string) bool { return p == who })
				m.rejected = append(m.rejected, who)
				if free(); len(m.rejected) >= m.rules.Rejections {
					end(review.Rejected)
				}
			}
		default:
			edit := a.Kind == review.ActEdit
			if ok = m.mayApprove(who, edit) && (!edit || string(a.Action) != m.action); !ok {
				break
			}
			if edit {
				m.action, m.approved = string(a.Action), nil
			}
			m.approved = append(m.approved, who)
			if free(); len(m.approved) >= m.rules.Needed {
				if end(review.Approved); m.action != m.original {
					m.status = review.Edited
				}
			}
		}
	case review.ActEscalate:
		if who == review.Pawl {
			due := m.steps < len(m.rules.Escalate) && !at.Before(m.since.Add(m.rules.Escalate[m.steps].After)) && m.rules.Escalate[m.steps].To == a.Queue
			if ok = !m.ended() && !late && due; ok {
				m.queue, m.assigned = a.Queue, ""
				m.steps++
			}
		} else if ok = !m.ended() && !late && m.holds(who, a.Token, now) && a.Queue != m.queue; ok {
			m.queue, m.assigned = a.Queue, ""
			free()
		}
	case review.ActSkip:
		mine := now.Before(m.until) && m.holder == who
		if ok = !m.ended() && !late && sees && (a.Token == 0 || mine && a.Token == m.token); ok {
			if mine {
				free()
			}
			if m.assigned == who {
				m.assigned = ""
			}
		}
	case review.ActAssign:
		if ok = !m.ended() && !late && sees && who == "boss"; ok {
			if m.holder != a.Person {
				free()
			}
			m.assigned = a.Person
		}
	case review.ActComment:
		ok = sees || slices.Contains(m.submitters, who)
	case review.ActJoin:
		if ok = !m.ended() && !late; ok {
			m.approved = slices.DeleteFunc(m.approved, func(p string) bool { return p == who })
			m.gone = slices.DeleteFunc(m.gone, func(p string) bool { return p == who })
			if !slices.Contains(m.submitters, who) {
				m.submitters = append(m.submitters, who)
			}
		}
	case review.ActWithdraw:
		if ok = !m.ended() && !late && slices.Contains(m.submitters, who); ok {
			if !slices.Contains(m.gone, who) {
				m.gone = append(m.gone, who)
			}
			if len(m.gone) == len(m.submitters) {
				end(review.Withdrawn)
			}
		}
	case review.ActSupersede:
		if ok = (who == "boss" || m.alone(who)) && !m.superseded && (m.ended() || !late); ok {
			if m.superseded = true; !m.ended() {
				end(review.Superseded)
			}
		}
	case review.ActExpire:
		if ok = !m.ended() && late; ok {
			end(review.Expired)
		}
	case review.ActReopen:
		if ok = m.status == review.Expired && sees && !m.superseded && !m.turned; ok {
			m.status, m.approved, m.deadline, m.since, m.steps = review.PendingReview, nil, at.Add(m.rules.Deadline), at, 0
		}
	case review.ActOverturn:
		if ok = m.ended() && sees && !m.turned; ok {
			m.turned = true
		}
	}
	if ok {
		m.version++
		m.last = at
	}
	return ok
}

func TestAnItemLivesAsItsModel(t *testing.T) {
	seen := map[string]int{} // that the acts are really done
	rapid.Check(t, func(t *rapid.T) {
		wait := time.Duration(rapid.IntRange(1, 12).Draw(t, "hours")) * time.Hour
		l := begin(inRapid(t), review.Rules{
			Needed: rapid.IntRange(1, 3).Draw(t, "needed"), Rejections: rapid.IntRange(1, 2).Draw(t, "rejections"),
			CountAsserted: rapid.Bool().Draw(t, "asserted"), Lease: 30 * time.Minute, Deadline: wait,
			Editable: []string{""}, Escalate: []review.Step{{After: wait / 3, To: "q2"}, {After: wait / 3 * 2, To: "unseen"}},
			Audience: []string{"x"},
		})
		m := &model{
			rules: l.rules, status: review.PendingReview, version: 1, last: start, deadline: start.Add(wait), since: start,
			queue: "q", submitters: []string{"sub"}, action: string(l.item.Action), original: string(l.item.Action),
		}
		var done []review.Act
		permits := 0
		for n := range rapid.IntRange(20, 80).Draw(t, "length") {
			l.after(time.Duration(rapid.IntRange(-30, 90).Draw(t, "minutes")) * time.Minute)
			if len(done) > 0 && rapid.IntRange(0, 9).Draw(t, "repeat") == 0 {
				a := rapid.SampledFrom(done[max(0, len(done)-30):]).Draw(t, "again")
				before := l.item.Version
				if err := l.try(a); err != nil || !l.last.Replayed || l.item.Version != before {
					t.Fatalf("repeating %+v: %v, %+v", a, err, l.last.Event)
				}
				continue
			}
			a := drawAct(t, l, n)
			before := l.item
			err := l.try(a)
			if want := m.step(a, l.now); want != (err == nil) {
				t.Fatalf("%s by %s at %s: %v; by the model it is %t", a.Kind, a.Actor.ID, l.now, err, want)
			}
			if err != nil {
				continue
			}
			seen[string(a.Kind)]++
			if a.Kind != review.ActClaim && a.Kind != review.ActRenew {
				done = append(done, a)
			}
			m.compare(t, &l.item)
			if l.last.Permit != nil {
				permits++
			}
			laws(t, before, a, l.last, permits)
		}
	})
	for _, k := range []review.Kind{
		review.ActClaim, review.ActRenew, review.ActRelease, review.ActApprove, review.ActReject, review.ActEdit, review.ActHold, review.ActSkip, review.ActEscalate,
		review.ActAssign, review.ActComment, review.ActJoin, review.ActWithdraw, review.ActSupersede, review.ActExpire, review.ActReopen, review.ActOverturn,
	} {
		if !t.Failed() && seen[string(k)] == 0 {
			t.Errorf("no %s was ever done: the test proves nothing of it (%v)", k, seen)
		}
	}
}

func drawAct(t *rapid.T, l *life, n int) review.Act {
	if due, ok := review.Due(l.item, l.rules, l.now); ok && rapid.Bool().Draw(t, "sweep") {
		return due
	}
	k := rapid.SampledFrom([]review.Kind{
		review.ActClaim, review.ActClaim, review.ActClaim, review.ActRenew, review.ActRelease, review.ActApprove, review.ActApprove, review.ActApprove, review.ActReject, review.ActEdit, review.ActHold,
		review.ActSkip, review.ActEscalate, review.ActAssign, review.ActComment, review.ActJoin, review.ActWithdraw, review.ActSupersede, review.ActExpire, review.ActReopen, review.ActOverturn,
	}).Draw(t, "kind")
	if l.item.Status == review.Expired && rapid.Bool().Draw(t, "wake it") {
		k = review.ActReopen
	}
	who := rapid.SampledFrom(crew).Draw(t, "who")
	token := int64(0)
	if l.item.Lease != nil && rapid.IntRange(0, 9).Draw(t, "honest") > 0 {
		// Mostly who has the item goes on with it.
		switch k {
		case review.ActClaim, review.ActAssign, review.ActJoin, review.ActWithdraw, review.ActSupersede, review.ActComment, review.ActSkip:
		default:
			who, token = l.item.Lease.Holder, l.item.Lease.Token
		}
	} else {
		token = rapid.Int64Range(0, l.item.LastToken+1).Draw(t, "token")
	}
	if k == review.ActExpire || k == review.ActEscalate && rapid.IntRange(0, 3).Draw(t, "pawl") == 0 {
		who, token = review.Pawl, 0
	}
	a := review.Act{Kind: k, Actor: crewMember(who), Token: token, Key: fmt.Sprint("k", n), Note: fmt.Sprint("note ", n)}
	switch k {
	case review.ActEdit:
		a.Action = []byte(rapid.SampledFrom(append(actions, string(l.item.Action))).Draw(t, "action"))
	case review.ActHold:
		a.Until = l.now.Add(time.Duration(rapid.IntRange(-60, 900).Draw(t, "wake")) * time.Minute)
	case review.ActEscalate:
		a.Queue = rapid.SampledFrom([]string{"q", "q2"}).Draw(t, "queue")
	case review.ActAssign:
		a.Person = rapid.SampledFrom([]string{"", "ada", "bob"}).Draw(t, "assignee")
	case review.ActSupersede, review.ActOverturn:
		a.Item, a.Salt = fmt.Sprint("new-", n), review.Salt{9}
	case review.ActSkip:
		if rapid.Bool().Draw(t, "without token") {
			a.Token = 0
		}
	}
	return a
}

func (m *model) compare(t *rapid.T, i *review.Item) {
	var approved, rejected []string
	for _, v := range i.Approvals {
		approved = append(approved, v.Person.ID)
	}
	for _, v := range i.Rejections {
		rejected = append(rejected, v.Person.ID)
	}
	holder := ""
	if i.Lease != nil {
		holder = i.Lease.Holder
	}
	if i.Status != m.status || i.Version != m.version || i.LastToken != m.top || holder != m.holder || i.Assigned != m.assigned || i.Queue != m.queue ||
		string(i.Action) != m.action || !slices.Equal(approved, m.approved) || !slices.Equal(rejected, m.rejected) || !i.LastAt.Equal(m.last) || !i.Deadline.Equal(m.deadline) {
		t.Fatalf("the item is %+v\nthe model  %+v", i, m)
	}
	if i.Lease != nil && !i.Lease.Until.Equal(m.until) {
		t.Fatalf("the lease ends at %s, in the model at %s", i.Lease.Until, m.until)
	}
}

// laws are what holds of every change, whatever it is.
func laws(t *rapid.T, before review.Item, a review.Act, o review.Outcome, permits int) {
	i, e := o.Item, o.Event
	if i.Version != before.Version+1 || e.Seq != i.Version {
		t.Fatalf("version %d, event %d after version %d", i.Version, e.Seq, before.Version)
	}
	if e.From != before.Status || e.To != i.Status || e.At.Before(before.LastAt) || e.Actor != a.Actor.Person {
		t.Fatalf("event %+v", e)
	}
	if s := i.Status; s != before.Status && (s == review.Approved || s == review.Edited) {
		if a.Kind != review.ActApprove && a.Kind != review.ActEdit || e.Actor.ID == review.Pawl || e.Actor.Known == "" {
			t.Fatalf("%s by %s of %+v", s, a.Kind, e.Actor)
		}
	}
	if before.Status.Ended() && i.Status != before.Status && (a.Kind != review.ActReopen || before.Status != review.Expired) {
		t.Fatalf("%s became %s by %s", before.Status, i.Status, a.Kind)
	}
	if i.LastToken < before.LastToken || i.Lease != nil && i.Lease.Token != i.LastToken {
		t.Fatalf("tokens: %d before, %d now, lease %+v", before.LastToken, i.LastToken, i.Lease)
	}
	people := map[string]bool{}
	for _, v := range i.Approvals {
		if people[v.Person.ID] || v.Digest != i.Digest {
			t.Fatalf("approvals: %+v", i.Approvals)
		}
		people[v.Person.ID] = true
	}
	for _, s := range i.Submitters {
		if people[s.Person.ID] {
			t.Fatalf("%s submitted and approved", s.Person.ID)
		}
	}
	if (o.Permit != nil) != (i.Status != before.Status && i.Status.Effect() != review.NoEffect) || permits > 1 {
		t.Fatalf("%s, %d permits, this one %+v", i.Status, permits, o.Permit)
	}
	if p := o.Permit; p != nil && (p.Digest != i.Digest || p.Effect != i.Status.Effect() || p.Automatic) {
		t.Fatalf("permit %+v", p)
	}
	if (i.Ending != nil) != i.Status.Ended() || i.Status.Ended() && i.Lease != nil {
		t.Fatalf("ended: %+v", i)
	}
}

package pawl_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
	"pgregory.net/rapid"
)

// story is an item's life by docs/review.md, told in short: two people approve or
// reject it, and it waits for three hours.
type story struct {
	status             review.Status
	version, top       int64
	last, deadline     time.Time
	holder, assigned   string
	token              int64
	until              time.Time
	approved, rejected []string
	action, original   string
	permit             review.PermitState
	expires            time.Time // the permit
	key                string    // the redemption key
}

const (
	storyWait  = 3 * time.Hour
	storyLease = 30 * time.Minute
)

// pass lets the time do what it does: an overdue item expires at the next look.
func (s *story) pass(now time.Time) (at time.Time) {
	at = now
	if at.Before(s.last) {
		at = s.last
	}
	if s.status == review.PendingReview && !at.Before(s.deadline) {
		s.version, s.last = s.version+1, at
		s.end(review.Expired, now)
	}
	return at
}

func (s *story) end(status review.Status, now time.Time) {
	s.status, s.holder, s.assigned = status, "", ""
	if status.Effect() != review.NoEffect {
		s.permit, s.expires = review.PermitOpen, now.Add(24*time.Hour)
	}
}

// act reports whether the act may be done, and does it.
func (s *story) act(a pawl.Act, now time.Time) bool {
	at := s.pass(now)
	who := a.Actor.ID
	pending := s.status == review.PendingReview
	held := s.holder != "" && now.Before(s.until)
	mine := held && s.holder == who
	ok := pending
	switch a.Kind {
	case review.ActClaim:
		if ok = ok && (mine || !held && (s.assigned == "" || s.assigned == who)); !ok {
			break
		}
		if !mine {
			s.top++
			s.holder, s.token, s.until = who, s.top, at
		}
		s.prolong(at)
	case review.ActRenew, review.ActRelease, review.ActHold, review.ActApprove, review.ActReject, review.ActEdit:
		if ok = ok && mine && a.Token == s.token; ok {
			ok = s.ofHolder(a, who, at, now)
		}
	case review.ActSkip:
		if ok && mine {
			s.holder = ""
		}
		if ok && s.assigned == who {
			s.assigned = ""
		}
	case review.ActAssign:
		if ok = ok && a.Actor.Supervisor; ok {
			if s.assigned = a.Person; s.holder != a.Person {
				s.holder = ""
			}
		}
	case review.ActComment:
		ok = true
	case review.ActWithdraw:
		if ok = ok && who == "seller"; ok {
			s.end(review.Withdrawn, now)
		}
	case review.ActReopen:
		if ok = s.status == review.Expired; ok {
			s.status, s.approved, s.deadline = review.PendingReview, nil, at.Add(storyWait)
		}
	}
	if ok {
		s.version, s.last = s.version+1, at
	}
	return ok
}

func (s *story) prolong(at time.Time) {
	if u := at.Add(storyLease); u.After(s.until) {
		s.until = u
	}
}

// ofHolder does what takes the lease.
func (s *story) ofHolder(a pawl.Act, who string, at, now time.Time) bool {
	switch a.Kind {
	case review.ActRenew:
		s.prolong(at)
		return true
	case review.ActHold:
		if !a.Until.After(at) || !a.Until.Before(s.deadline) {
			return false
		}
	case review.ActReject:
		if slices.Contains(s.rejected, who) {
			return false
		}
		s.approved = slices.DeleteFunc(s.approved, func(p string) bool { return p == who })
		if s.rejected = append(s.rejected, who); len(s.rejected) == 2 {
			s.end(review.Rejected, now)
		}
	case review.ActApprove, review.ActEdit:
		edit := a.Kind == review.ActEdit
		if who == "seller" || slices.Contains(s.rejected, who) || !edit && slices.Contains(s.approved, who) || edit && string(a.Action) == s.action {
			return false
		}
		if edit {
			s.action, s.approved = string(a.Action), nil
		}
		if s.approved = append(s.approved, who); len(s.approved) == 2 {
			if s.end(review.Approved, now); s.action != s.original {
				s.status = review.Edited
			}
		}
	}
	s.holder = ""
	return true
}

// redeem reports whether the key is granted the permit, of this action.
func (s *story) redeem(key, action string, at time.Time) bool {
	s.pass(at)
	if s.status.Effect() != review.EffectApply || action != s.action {
		return false
	}
	if s.permit == review.PermitOpen && at.Before(s.expires) {
		s.permit, s.key = review.PermitGranted, key
	}
	return s.key == key
}

func TestAKeptItemLivesAsItsModel(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		var µs atomic.Int64
		µs.Store(clockStart.UnixMicro())
		now := func() time.Time { return time.UnixMicro(µs.Load()).UTC() }
		c := config(t, db, shopGate{approvals: 2, rejections: 2, lease: "30m", deadline: "3h"})
		if onPostgres(db) {
			// There the database's clock counts: nothing expires in this test.
			now = func() time.Time { return time.Now().UTC() }
		} else {
			c.Clock = now
		}
		p := opened(t, c)
		done := map[string]int{}
		rapid.Check(t, func(t *rapid.T) {
			ctx := context.Background()
			a, err := p.Submit(ctx, submission(asked, "order"))
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Item(ctx, a.Item)
			if err != nil {
				t.Fatal(err)
			}
			s := &story{status: review.PendingReview, version: 1, last: r.LastAt, deadline: r.Deadline, action: string(r.Action), original: string(r.Action)}
			for n := range rapid.IntRange(5, 25).Draw(t, "length") {
				if !onPostgres(db) {
					µs.Add(int64(rapid.SampledFrom([]int{0, 1, 20, 40, 100, -10}).Draw(t, "minutes")) * time.Minute.Microseconds())
				}
				if s.permit != "" && rapid.Bool().Draw(t, "redeem") {
					redeemOne(t, p, s, a.Item, now())
					done["redeem"]++
					continue
				}
				act := drawAct(t, s, n, now())
				o, err := p.Act(ctx, a.Item, act)
				if want := s.act(act, now()); want != (err == nil) {
					t.Fatalf("%s by %s: %v; by the model it is %t: %+v", act.Kind, act.Actor.ID, err, want, s)
				}
				r, broken := p.Item(ctx, a.Item)
				if broken != nil {
					t.Fatal(broken)
				}
				if s.agrees(t, r, onPostgres(db)); err != nil {
					continue
				}
				done[string(act.Kind)]++
				if o.Event.Seq == r.Version {
					if d := cmp.Diff(o.Item, r.Item, cmpopts.EquateEmpty()); d != "" {
						t.Fatalf("what was answered isn't what was kept: %s", d)
					}
				}
			}
		})
		t.Log(done)
		verified(t, p)
	})
}

func redeemOne(t *rapid.T, p *pawl.Pawl, s *story, item string, now time.Time) {
	key := rapid.SampledFrom([]string{"first-redemption-key", "second-redemption-key"}).Draw(t, "key")
	action := rapid.SampledFrom([]string{s.action, s.action, s.original}).Draw(t, "action")
	q := redemption(item, key)
	q.Action = []byte(action)
	_, err := p.Redeem(context.Background(), q)
	if want := s.redeem(key, action, now); want != (err == nil) {
		t.Fatalf("redeeming: %v; by the model it is %t: %+v", err, want, s)
	}
}

func drawAct(t *rapid.T, s *story, n int, now time.Time) pawl.Act {
	k := rapid.SampledFrom([]review.Kind{
		review.ActClaim, review.ActClaim, review.ActRenew, review.ActRelease, review.ActApprove, review.ActApprove, review.ActApprove,
		review.ActReject, review.ActEdit, review.ActHold, review.ActSkip, review.ActAssign, review.ActComment, review.ActWithdraw, review.ActReopen,
	}).Draw(t, "kind")
	who := rapid.SampledFrom([]string{"ada", "bob", "cem", "seller", "ada", "bob", "cem"}).Draw(t, "who")
	a := pawl.Act{Kind: k, Key: fmt.Sprint("k", n)}
	switch k {
	case review.ActRenew, review.ActRelease, review.ActApprove, review.ActReject, review.ActEdit, review.ActHold:
		if a.Token = s.token; s.holder != "" && rapid.IntRange(0, 9).Draw(t, "honest") > 0 {
			who = s.holder
		} else {
			a.Token = rapid.Int64Range(0, s.top+1).Draw(t, "token")
		}
	}
	a.Actor = checked(who)
	a.Actor.Supervisor = who == "cem"
	switch k {
	case review.ActEdit:
		a.Action = []byte(fmt.Sprintf(`{"amount":%d,"to":"x"}`, rapid.IntRange(1, 3).Draw(t, "amount")))
	case review.ActHold:
		a.Note, a.Until = "waiting", now.Add(time.Duration(rapid.IntRange(-20, 120).Draw(t, "wake"))*time.Minute).Truncate(time.Microsecond)
	case review.ActAssign:
		a.Person = rapid.SampledFrom([]string{"", "ada", "bob"}).Draw(t, "assignee")
	case review.ActComment:
		a.Note = "looked at it"
	}
	return a
}

// agrees compares what is kept with the model. Times are the database's own on
// Postgres.
func (s *story) agrees(t *rapid.T, r *pawl.Record, ownTimes bool) {
	people := func(votes []review.Vote) (ids []string) {
		for _, v := range votes {
			ids = append(ids, v.Person.ID)
		}
		return ids
	}
	holder := ""
	if r.Lease != nil {
		holder = r.Lease.Holder
	}
	if r.Status != s.status || r.Version != s.version || r.LastToken != s.top || holder != s.holder || r.Assigned != s.assigned || string(r.Action) != s.action ||
		!slices.Equal(people(r.Approvals), s.approved) || !slices.Equal(people(r.Rejections), s.rejected) {
		t.Fatalf("kept is  %+v\nthe model %+v", r.Item, s)
	}
	if ownTimes {
		s.last, s.deadline = r.LastAt, r.Deadline
		if r.Lease != nil {
			s.until = r.Lease.Until
		}
	} else if !r.LastAt.Equal(s.last) || !r.Deadline.Equal(s.deadline) || r.Lease != nil && !r.Lease.Until.Equal(s.until) {
		t.Fatalf("kept is  %+v\nthe model %+v", r.Item, s)
	}
	if (r.Permit != nil) != (s.permit != "") || r.Permit != nil && r.Permit.State != s.permit {
		t.Fatalf("the permit is %+v, in the model %q", r.Permit, s.permit)
	}
	if len(r.Events) != int(r.Version) {
		t.Fatalf("%d events at version %d", len(r.Events), r.Version)
	}
}

package pawl_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/pawlgate/pawl/review"
)

// call is what a client asked, and when by the clock that counts.
type call struct {
	kind   review.Kind // or redeem, report
	item   string
	who    string
	token  int64
	key    string // the act's, or the redemption key
	before time.Time
}

// reply is all that the client got to know.
type reply struct {
	after    time.Time
	ok       bool
	code     string // why not
	status   review.Status
	version  int64 // of the item
	at       time.Time
	token    int64
	until    time.Time
	holder   string
	replayed bool
}

const (
	doRedeem review.Kind = "redeem"
	doReport review.Kind = "report"
)

// life is an item by docs/review.md: two approvals or two rejections end it, each
// vote gives the lease back, and one key redeems its permit. It is comparable, as
// porcupine wants it.
type life struct {
	status             review.Status
	version            int64
	last               time.Time // of the last event
	holder             string
	token              int64
	until              time.Time
	approved, rejected string // people, each with a comma behind
	done               string // keys of votes with their version
	redeemed           string // the redemption key
	reported           bool
}

// bounds are what doesn't change in a history.
type bounds struct {
	lease    time.Duration
	deadline map[string]time.Time // by item
	created  map[string]time.Time
}

func (b bounds) model() porcupine.Model {
	return porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			byItem := map[string][]porcupine.Operation{}
			for _, o := range history {
				id := o.Input.(call).item
				byItem[id] = append(byItem[id], o)
			}
			var parts [][]porcupine.Operation
			for _, p := range byItem {
				parts = append(parts, p)
			}
			return parts
		},
		Init: func() any { return life{status: review.PendingReview, version: 1} },
		Step: func(state, input, output any) (bool, any) {
			next, ok := b.step(state.(life), input.(call), output.(reply))
			return ok, next
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
		DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
	}
}

// step reports whether the item as it is may give this reply, and what it is then.
// Pure: state is a copy.
func (b bounds) step(s life, c call, r reply) (life, bool) {
	if s.last.IsZero() {
		s.last = b.created[c.item]
	}
	switch {
	case c.kind == doRedeem:
		return s.redeem(c, r)
	case c.kind == doReport:
		ok := s.redeemed != "" && s.redeemed == c.key
		s.reported = s.reported || r.ok
		return s, r.ok == ok
	case r.ok && r.replayed:
		return s, strings.Contains(s.done, fmt.Sprintf(",%s=%d,", c.key, r.version))
	case c.key != "" && strings.Contains(s.done, ","+c.key+"="):
		return s, false // a vote that was cast, and isn't known any more
	case r.ok:
		return b.succeed(s, c, r)
	}
	return b.fail(s, c, r)
}

func (s life) redeem(c call, r reply) (life, bool) {
	switch {
	case s.status.Effect() != review.EffectApply:
		return s, !r.ok && r.code != string(review.RefusedRedeemed)
	case s.redeemed == "":
		s.redeemed = c.key
		return s, r.ok && !r.replayed
	case s.redeemed == c.key:
		return s, r.ok && r.replayed
	}
	return s, !r.ok && r.code == string(review.RefusedRedeemed)
}

// succeed does an act as of the time that its event has.
func (b bounds) succeed(s life, c call, r reply) (life, bool) {
	inTime := !r.at.Before(s.last) && (r.at.Equal(s.last) || !r.at.Before(c.before) && !r.at.After(r.after))
	if s.status != review.PendingReview || !inTime || r.version != s.version+1 || !r.at.Before(b.deadline[c.item]) {
		return s, false
	}
	held := s.holder != "" && r.at.Before(s.until)
	s.version, s.last = r.version, r.at
	prolonged := r.at.Add(b.lease)
	if prolonged.Before(s.until) {
		prolonged = s.until
	}
	switch c.kind {
	case review.ActClaim:
		if held && s.holder != c.who {
			return s, false
		}
		if !held {
			s.token++
			s.holder, prolonged = c.who, r.at.Add(b.lease)
		}
		s.until = prolonged
		return s, r.token == s.token && r.until.Equal(s.until)
	case review.ActRenew:
		ok := held && s.holder == c.who && s.token == c.token && r.until.Equal(prolonged)
		s.until = prolonged
		return s, ok
	}
	// A vote.
	ok := held && s.holder == c.who && s.token == c.token
	s.holder, s.until = "", time.Time{}
	s.done += fmt.Sprintf(",%s=%d,", c.key, r.version)
	mine := c.who + ","
	if c.kind == review.ActApprove {
		ok = ok && !voted(s.approved, c.who) && !voted(s.rejected, c.who)
		if s.approved += mine; strings.Count(s.approved, ",") == 2 {
			s.status = review.Approved
		}
	} else {
		ok = ok && !voted(s.rejected, c.who)
		s.approved = without(s.approved, c.who)
		if s.rejected += mine; strings.Count(s.rejected, ",") == 2 {
			s.status = review.Rejected
		}
	}
	return s, ok && r.status == s.status
}

// fail judges why an act wasn't done. The clock stood somewhere between the call
// and the answer.
func (b bounds) fail(s life, c call, r reply) (life, bool) {
	overdue := s.status == review.PendingReview && !r.after.Before(b.deadline[c.item])
	if overdue && r.code == string(review.ConflictEnded) && r.status == review.Expired {
		s.status, s.holder, s.until = review.Expired, "", time.Time{}
		s.version++
		s.last = b.deadline[c.item]
	}
	if r.version != 0 && r.version != s.version {
		return s, false
	}
	maybeHeld := s.holder != "" && c.before.Before(s.until)
	maybeFree := s.holder == "" || !r.after.Before(s.until)
	pending := s.status == review.PendingReview
	switch r.code {
	case string(review.ConflictEnded):
		return s, s.status.Ended() && s.status == r.status
	case string(review.ConflictOverdue):
		return s, overdue
	case string(review.ConflictHeld):
		return s, pending && maybeHeld && s.holder != c.who && s.holder == r.holder
	case string(review.ConflictLease):
		return s, pending && c.token == 0 && (maybeFree || s.holder == c.who)
	case string(review.ConflictStale):
		return s, pending && (maybeFree || s.holder != c.who || s.token != c.token)
	case string(review.DeniedTwice):
		mine := pending && maybeHeld && s.holder == c.who && s.token == c.token
		return s, mine && (voted(s.rejected, c.who) || c.kind == review.ActApprove && voted(s.approved, c.who))
	}
	return s, false
}

func voted(people, who string) bool { return slices.Contains(strings.Split(people, ","), who) }

func without(people, who string) string {
	list := slices.DeleteFunc(strings.Split(people, ","), func(p string) bool { return p == who })
	return strings.Join(list, ",")
}

package review

import (
	"fmt"
	"time"
)

// overdue reports whether the deadline has passed. It takes the later of the
// clock and the last event: nothing is decided after its deadline by setting
// the clock back.
func (i *Item) overdue(at time.Time) bool {
	return i.Status == PendingReview && !i.Deadline.IsZero() && !at.Before(i.Deadline)
}

// expire ends an item whose deadline has passed. Nothing is applied, and nothing
// rejected.
func (c *change) expire() error {
	if !c.item.overdue(c.at) {
		return c.conflict(ConflictStatus)
	}
	c.end(Expired)
	return nil
}

// dueStep returns the gate's next escalation, if its time has come.
func (i *Item) dueStep(r *Rules, at time.Time) (Step, bool) {
	if i.Status != PendingReview || i.Steps >= len(r.Escalate) {
		return Step{}, false
	}
	s := r.Escalate[i.Steps]
	return s, !at.Before(i.Since.Add(s.After))
}

// Due returns the act that the time alone has brought about, if there is one:
// the item expires, or goes to the next queue. Apply it and ask again. A claim
// stays with its holder while its item is escalated.
func Due(item Item, rules Rules, now time.Time) (Act, bool) {
	at := later(stored(now), item.LastAt)
	if item.overdue(at) {
		return Act{Kind: ActExpire, Actor: Actor{Person: byPawl}, Key: fmt.Sprintf("expire/%d", item.Reopened)}, true
	}
	if s, ok := item.dueStep(&rules, at); ok {
		return Act{
			Kind: ActEscalate, Actor: Actor{Person: byPawl}, Queue: s.To,
			Key: fmt.Sprintf("escalate/%d/%d", item.Reopened, item.Steps),
		}, true
	}
	return Act{}, false
}

// NextDue returns when [Due] will next have something to say, or the zero time
// if it never will as things stand.
func NextDue(item Item, rules Rules) time.Time {
	if item.Status != PendingReview {
		return time.Time{}
	}
	next := item.Deadline
	if item.Steps < len(rules.Escalate) {
		if t := item.Since.Add(rules.Escalate[item.Steps].After); next.IsZero() || t.Before(next) {
			next = t
		}
	}
	return next
}

package review

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// CompareUrgency orders pending items for review, the most urgent first: by
// priority, then by deadline (none is last), then by age, then by id. It is a
// strict order of items with different ids.
func CompareUrgency(a, b *Item) int {
	return cmp.Or(
		cmp.Compare(b.Priority, a.Priority),
		compareDeadlines(a.Deadline, b.Deadline),
		a.Since.Compare(b.Since),
		strings.Compare(a.ID, b.ID),
	)
}

func compareDeadlines(a, b time.Time) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	}
	return a.Compare(b)
}

// Offered reports whether `next` may hand the item to the actor: it is pending
// and not overdue, free, awake, in a queue that they see, not assigned to
// somebody else, not passed on by them, and they can still approve it: they
// haven't submitted it nor voted on it.
func (i *Item) Offered(a *Actor, now time.Time) bool {
	now = stored(now)
	at := later(now, i.LastAt)
	return i.Status == PendingReview && !i.overdue(at) &&
		a.Person.Check(ActClaim) == nil && a.Sees(i.Queue) &&
		i.held(now) == nil &&
		(i.Hold == nil || !at.Before(i.Hold.Until)) &&
		(i.Assigned == "" || i.Assigned == a.ID) &&
		!slices.Contains(i.Skipped, a.ID) &&
		!i.submitted(a.ID) && !voted(i.Approvals, a.ID) && !voted(i.Rejections, a.ID)
}

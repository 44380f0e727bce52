package review_test

import (
	"slices"
	"testing"
	"time"

	"github.com/pawlgate/pawl/review"
	"pgregory.net/rapid"
)

func TestTheMostUrgentIsFirst(t *testing.T) {
	at := func(h int) time.Time { return start.Add(time.Duration(h) * time.Hour) }
	want := []review.Item{
		{ID: "critical", Priority: 400, Since: at(9)},
		{ID: "soon", Priority: 100, Deadline: at(1), Since: at(9)},
		{ID: "later", Priority: 100, Deadline: at(2), Since: at(0)},
		{ID: "old", Priority: 100, Since: at(1)},
		{ID: "young-a", Priority: 100, Since: at(2)},
		{ID: "young-b", Priority: 100, Since: at(2)},
		{ID: "low", Priority: -1, Deadline: at(0), Since: at(0)},
	}
	rapid.Check(t, func(t *rapid.T) {
		got := rapid.Permutation(want).Draw(t, "order")
		slices.SortFunc(got, func(a, b review.Item) int { return review.CompareUrgency(&a, &b) })
		for k := range want {
			if got[k].ID != want[k].ID {
				t.Fatalf("%s at %d", got[k].ID, k)
			}
		}
	})
}

func TestWhatIsOffered(t *testing.T) {
	ada := person("ada")
	for _, tt := range []struct {
		name string
		make func(*life)
		want bool
	}{
		{"free", func(*life) {}, true},
		{"held by another", func(l *life) { l.do(act(review.ActClaim, "bob")) }, false},
		{"held by herself", func(l *life) { l.do(act(review.ActClaim, "ada")) }, false},
		{"lease over", func(l *life) { l.do(act(review.ActClaim, "bob")).after(time.Hour) }, true},
		{"overdue", func(l *life) { l.after(5 * time.Hour) }, false},
		{"skipped", func(l *life) { l.do(act(review.ActSkip, "ada")) }, false},
		{"skipped by another", func(l *life) { l.do(act(review.ActSkip, "bob")) }, true},
		{"approved already", func(l *life) { l.claimed(act(review.ActApprove, "ada")) }, false},
		{"rejected already", func(l *life) { l.claimed(act(review.ActReject, "ada")) }, false},
		{"submitted", func(l *life) { l.do(act(review.ActJoin, "ada")) }, false},
		{"ended", func(l *life) { l.do(review.Act{Kind: review.ActWithdraw, Actor: submitter()}) }, false},
		{"out of sight", func(l *life) { l.item.Queue = "elsewhere" }, false},
		{"assigned to another", func(l *life) { l.item.Assigned = "bob" }, false},
		{"assigned", func(l *life) { l.item.Assigned = "ada" }, true},
	} {
		l := begin(t, review.Rules{Needed: 2, Rejections: 2, Deadline: 5 * time.Hour})
		tt.make(l)
		if got := l.item.Offered(&ada, l.now); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
		// What is offered can be claimed.
		if tt.want {
			l.do(act(review.ActClaim, "ada"))
		}
	}
	nobody := review.Actor{Queues: []string{"*"}}
	if begin(t, review.Rules{}).item.Offered(&nobody, start) {
		t.Error("offered to nobody")
	}
}

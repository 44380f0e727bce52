package review_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

func TestAnItemBeginsAsItsVerdictSays(t *testing.T) {
	for _, tt := range []struct {
		v      verdict.Verdict
		status review.Status
		effect review.Effect
	}{
		{verdict.AutoApply, review.AutoApplied, review.EffectApply},
		{verdict.AutoReject, review.AutoRejected, review.EffectReject},
		{verdict.RouteToHuman, review.PendingReview, review.NoEffect},
		{"", review.PendingReview, review.NoEffect},
		{"AUTO_APPLY", review.PendingReview, review.NoEffect},
	} {
		s := submission(tt.v)
		s.Epoch = 3
		o, err := review.New(s, review.Rules{Deadline: time.Hour, Audience: []string{"x"}}, start)
		if err != nil {
			t.Fatal(err)
		}
		i, e := o.Item, o.Event
		if i.Status != tt.status || i.Version != 1 || e.Seq != 1 || e.Actor.ID != review.Pawl || e.From != "" || e.To != tt.status || !e.At.Equal(start) {
			t.Errorf("%q: item %s v%d, event %+v", tt.v, i.Status, i.Version, e)
		}
		if waits := tt.status == review.PendingReview; waits != (i.Ending == nil) || waits == i.Deadline.IsZero() {
			t.Errorf("%q: ending %v, deadline %v", tt.v, i.Ending, i.Deadline)
		}
		switch p := o.Permit; {
		case tt.effect == review.NoEffect && p != nil:
			t.Errorf("%q has a permit", tt.v)
		case tt.effect != review.NoEffect && (p == nil || p.Effect != tt.effect || !p.Automatic || p.Epoch != 3 || p.Digest != i.Digest || p.State != review.PermitOpen):
			t.Errorf("%q: permit %+v", tt.v, p)
		}
	}
}

func TestAnItemIsADetachedCopy(t *testing.T) {
	s := submission(verdict.RouteToHuman)
	s.Decision = []byte(`{}`)
	o, err := review.New(s, review.Rules{}, start)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{s.Input, s.Action, s.Decision} {
		for k := range b {
			b[k] = 'X'
		}
	}
	if got := string(o.Item.Input) + string(o.Item.Action) + string(o.Item.Decision); strings.Contains(got, "X") {
		t.Errorf("the item changed with the caller's bytes: %s", got)
	}
}

func TestPriorityComesFromRisk(t *testing.T) {
	last := -1
	for _, risk := range []string{"", "low", "medium", "high", "critical"} {
		s := submission(verdict.RouteToHuman)
		s.Risk = risk
		o, _ := review.New(s, review.Rules{}, start)
		if o.Item.Priority <= last {
			t.Errorf("%q has priority %d", risk, o.Item.Priority)
		}
		last = o.Item.Priority
	}
	s := submission(verdict.RouteToHuman)
	s.Risk = "Critcal"
	if o, _ := review.New(s, review.Rules{}, start); o.Item.Priority != review.PriorityCritical {
		t.Errorf("an unknown risk has priority %d", o.Item.Priority)
	}
	s.Priority = 7
	if o, _ := review.New(s, review.Rules{}, start); o.Item.Priority != 7 {
		t.Errorf("a given priority became %d", o.Item.Priority)
	}
}

func TestASubmissionThatMakesNoItem(t *testing.T) {
	for _, tt := range []struct {
		name string
		mar  func(*review.Submission)
		want string
	}{
		{"no id", func(s *review.Submission) { s.ID = "" }, "invalid id"},
		{"no gate", func(s *review.Submission) { s.Gate = "" }, "invalid id"},
		{"control character", func(s *review.Submission) { s.Queue = "a\nb" }, "invalid queue"},
		{"not UTF-8", func(s *review.Submission) { s.ID = "\xff" }, "invalid id"},
		{"NUL in the subject", func(s *review.Submission) { s.Subject = "a\x00" }, "invalid subject"},
		{"no salt", func(s *review.Submission) { s.Salt = review.Salt{} }, "invalid salt"},
		{"supersedes itself", func(s *review.Submission) { s.Supersedes = "i1" }, "invalid supersedes"},
		{"nobody submits", func(s *review.Submission) { s.Submitter = review.Person{} }, "denied no_person"},
		{"pawl submits", func(s *review.Submission) { s.Submitter.ID = " Pawl" }, "denied no_person"},
		{"unknown how", func(s *review.Submission) { s.Submitter.Known = "" }, "denied no_person"},
		{"big integer", func(s *review.Submission) { s.Action = []byte(`{"a":9007199254740993}`) }, "invalid action"},
		{"action of 2 MB", func(s *review.Submission) { s.Action = []byte(`"` + strings.Repeat("x", 2<<20) + `"`) }, "invalid action"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := submission(verdict.AutoApply)
			tt.mar(&s)
			o, err := review.New(s, review.Rules{}, start)
			expect(t, err, tt.want)
			if o.Item.ID != "" || o.Permit != nil {
				t.Error("there is an item or a permit beside the error")
			}
		})
	}
}

func TestOnceAnswersOnce(t *testing.T) {
	a, b := review.BodyDigest([]byte("a")), review.BodyDigest([]byte("b"))
	for _, tt := range []struct {
		name  string
		first *review.FirstSubmission
		body  review.Digest
		want  string
		err   error
	}{
		{"first", nil, a, "", nil},
		{"again", &review.FirstSubmission{Body: a, Answer: []byte("yes")}, a, "yes", nil},
		{"running", &review.FirstSubmission{Body: a}, a, "", review.ErrKeyRunning},
		{"other body", &review.FirstSubmission{Body: a, Answer: []byte("yes")}, b, "", review.ErrKeyReused},
		{"other body while running", &review.FirstSubmission{Body: a}, b, "", review.ErrKeyReused},
	} {
		if got, err := review.Once(tt.first, tt.body); string(got) != tt.want || err != tt.err { //nolint:errorlint // returned as they are
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}

func TestAnOpeningAtAnotherTimeIsTheOneMadeThen(t *testing.T) {
	later := start.Add(time.Hour + 7*time.Nanosecond)
	for _, v := range []verdict.Verdict{verdict.AutoApply, verdict.AutoReject, verdict.RouteToHuman} {
		for _, rules := range []review.Rules{{}, {Deadline: time.Minute, PermitLife: time.Second, Audience: []string{"x"}}} {
			early, err := review.New(submission(v), rules, start)
			if err != nil {
				t.Fatal(err)
			}
			want, err := review.New(submission(v), rules, later)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := review.New(submission(v), rules, start)
			if diff := cmp.Diff(want, early.At(later, rules)); diff != "" {
				t.Errorf("%s: -made then +moved there\n%s", v, diff)
			}
			if diff := cmp.Diff(before, early); diff != "" {
				t.Errorf("%s: At changed what it was given\n%s", v, diff)
			}
		}
	}
}

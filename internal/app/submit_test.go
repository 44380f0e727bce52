package app_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

func TestSubmitRecordsWhatItAnswers(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		for _, tt := range []struct {
			name, input string
			verdict     verdict.Verdict
			status      review.Status
			permit      bool
		}{
			{"an automatic verdict ends at once, with a permit", certain, verdict.AutoApply, review.AutoApplied, true},
			{"an unsure one waits", unsure, verdict.RouteToHuman, review.PendingReview, false},
			{"a malformed one waits", `{"score":`, verdict.RouteToHuman, review.PendingReview, false},
			{"one with control characters waits", "{\"score\":\x00}", verdict.RouteToHuman, review.PendingReview, false},
		} {
			t.Run(tt.name, func(t *testing.T) {
				a := open(t, app.Config{PolicyText: policyText("")})
				s := submit(t, a, tt.input, `{"b":1,"a":2}`)
				if s.Verdict != tt.verdict || s.Status != tt.status || (s.Permit != nil) != tt.permit {
					t.Fatalf("got %+v", s)
				}
				r := item(t, a, s.Item)
				if r.Status != tt.status || string(r.Action) != `{"a":2,"b":1}` || len(r.Events) != 1 || r.Verdict != tt.verdict || len(r.Decision) == 0 {
					t.Fatalf("kept %+v", r)
				}
				if (r.Permit != nil) != tt.permit {
					t.Fatalf("permit %+v", r.Permit)
				}
			})
		}
	})
}

func TestSubmitRefusesWhatItCannotRecord(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		for _, tt := range []struct {
			name string
			s    app.Submission
			want string
		}{
			{"no gate of that name", app.Submission{Gate: "loans", Input: []byte(certain), By: person("shop")}, "no gate"},
			{"nobody", app.Submission{Gate: "refunds", Input: []byte(certain)}, "needs a person"},
			{"an integer that can't be held", app.Submission{Gate: "refunds", Input: []byte(certain), Action: []byte(`9007199254740993`), By: person("shop")}, "2^53"},
			{"an item to supersede that isn't there", app.Submission{Gate: "refunds", Input: []byte(certain), By: person("shop"), Supersedes: "x"}, "no item"},
			{"a subject with NUL", app.Submission{Gate: "refunds", Subject: "a\x00b", Input: []byte(certain), By: person("shop")}, "NUL"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				s, err := a.Submit(t.Context(), tt.s)
				if err == nil || !strings.Contains(err.Error(), tt.want) || s.Verdict != "" {
					t.Fatalf("got %+v, %v", s, err)
				}
			})
		}
		if all, err := a.List(t.Context(), app.Query{}); err != nil || len(all) != 0 {
			t.Fatalf("%d items were kept, %v", len(all), err)
		}
	})
}

func TestDryRunKeepsNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Input: []byte(certain), By: person("shop"), DryRun: true})
		if err != nil || !s.DryRun || s.Item != "" || s.Permit != nil || s.Verdict != verdict.AutoApply {
			t.Fatalf("got %+v, %v", s, err)
		}
		if all, _ := a.List(t.Context(), app.Query{}); len(all) != 0 {
			t.Fatalf("%d items were kept", len(all))
		}
	})
}

func TestTheSameKeyHasTheFirstAnswer(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := app.Submission{Gate: "refunds", Input: []byte(certain), Action: []byte(`1`), By: person("shop"), Key: "k"}
		first, err := a.Submit(t.Context(), s)
		if err != nil || first.Replayed {
			t.Fatalf("got %+v, %v", first, err)
		}
		again, err := a.Submit(t.Context(), s)
		if err != nil || !again.Replayed || again.Item != first.Item || again.Verdict != first.Verdict {
			t.Fatalf("got %+v, %v", again, err)
		}
		s.Action = []byte(`2`)
		if _, err := a.Submit(t.Context(), s); !errors.Is(err, review.ErrKeyReused) {
			t.Fatalf("got %v", err)
		}
		s.By = person("other")
		if other, err := a.Submit(t.Context(), s); err != nil || other.Item == first.Item {
			t.Fatalf("another caller's key is another key: %+v, %v", other, err)
		}
	})
}

func TestSupersedingEndsTheOldItemAndItsPermit(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		for _, tt := range []struct {
			name, input string
			status      review.Status
		}{
			{"a pending one", unsure, review.Superseded},
			{"an ended one", certain, review.AutoApplied},
		} {
			t.Run(tt.name, func(t *testing.T) {
				a := open(t, app.Config{PolicyText: policyText("")})
				old := submit(t, a, tt.input, `1`)
				s, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Input: []byte(certain), Action: []byte(`2`), By: person("shop"), Supersedes: old.Item})
				if err != nil {
					t.Fatal(err)
				}
				r := item(t, a, old.Item)
				if r.Status != tt.status || r.SupersededBy != s.Item || item(t, a, s.Item).Supersedes != old.Item {
					t.Fatalf("got %+v", r)
				}
				if r.Permit != nil && r.Permit.State != review.PermitVoided {
					t.Fatalf("the permit is %s", r.Permit.State)
				}
			})
		}
	})
}

func TestSupersedingWhatCannotBeSupersededRecordsNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		old := submit(t, a, unsure, `1`)
		_, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Input: []byte(certain), By: person("thief"), Supersedes: old.Item})
		var denied *review.DeniedError
		if !errors.As(err, &denied) {
			t.Fatalf("got %v", err)
		}
		if all, _ := a.List(t.Context(), app.Query{}); len(all) != 1 || all[0].Status != review.PendingReview {
			t.Fatalf("got %d items", len(all))
		}
	})
}

func TestJoiningTheSameAction(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("review: {join: same_action}\n")})
		first := submit(t, a, unsure, `{"amount":1}`)
		s := app.Submission{Gate: "refunds", Subject: "order 1", Input: []byte(unsure), Action: []byte(`{ "amount" : 1 }`), By: person("till")}
		joined, err := a.Submit(t.Context(), s)
		if err != nil || !joined.Joined || joined.Item != first.Item {
			t.Fatalf("got %+v, %v", joined, err)
		}
		if r := item(t, a, first.Item); len(r.Submitters) != 2 || len(r.Events) != 2 {
			t.Fatalf("got %+v", r)
		}
		s.Action = []byte(`{"amount":2}`)
		if other, err := a.Submit(t.Context(), s); err != nil || other.Joined || other.Item == first.Item {
			t.Fatalf("another action joined: %+v, %v", other, err)
		}
	})
}

func TestNothingOfAnErasedItemIsLeftInTheFile(t *testing.T) {
	db := filepath.Join(t.TempDir(), "pawl.db")
	a := open(t, app.Config{DB: db, PolicyText: policyText("")})
	sub := app.Submission{Gate: "refunds", Subject: "ida-subject", Input: []byte(`{"score":0.6,"meta":{"x":"ida-input"}}`), Action: []byte(`{"to":"ida-action"}`), By: person("shop"), Key: "k"}
	s, err := a.Submit(t.Context(), sub)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Comment(t.Context(), s.Item, review.Act{Actor: person("anna"), Note: "ida-note"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Reject(t.Context(), s.Item, review.Act{Actor: person("anna"), Token: claim(t, a, s.Item, "anna"), Note: "ida-why"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Do(t.Context(), s.Item, sub.Action, func(context.Context, app.Run) ([]byte, error) { return []byte("ida-result"), nil }); err != nil {
		t.Fatal(err)
	}
	if err := a.Label(t.Context(), s.Item, []byte(`"ida-label"`), person("anna")); err != nil {
		t.Fatal(err)
	}
	if err := a.Erase(t.Context(), s.Item, supervisor("anna"), "art-17"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Submit(t.Context(), sub); err == nil || !strings.Contains(err.Error(), "erased") {
		t.Fatalf("the same key again: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{db, db + "-wal"} {
		data, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if i := bytes.Index(data, []byte("ida-")); i >= 0 {
			t.Errorf("%s still has %q", filepath.Base(file), data[i:min(i+20, len(data))])
		}
	}
}

package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/review"
)

const skills = "../../examples/skills"

func snapshotOf(t *testing.T, dir string) *promotion.Snapshot {
	t.Helper()
	s, err := promotion.Read(dir, os.DirFS(filepath.Dir(dir)), filepath.Base(dir), promotion.DefaultLimits()).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAPromotionIsDecidedReviewedAndPermitted(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{Policies: []string{skills}})
		snapshot := snapshotOf(t, filepath.Join(skills, "tidy"))
		s, err := a.Submit(t.Context(), app.Submission{Gate: "skills", Subject: "tidy", Snapshot: snapshot.Tar(), By: person("agent")})
		if err != nil {
			t.Fatal(err)
		}
		if s.Status != review.PendingReview || s.Queue == "" {
			t.Fatalf("without evidence it is %+v", s)
		}
		if r := item(t, a, s.Item); string(r.Action) != string(app.PromotionAction(snapshot.Digest)) || r.Kind != "promotion" {
			t.Fatalf("got %+v", r)
		}
		approve(t, a, s.Item, "anna")
		other := snapshotOf(t, filepath.Join(skills, "sync-notes"))
		_, err = a.Do(t.Context(), s.Item, app.PromotionAction(other.Digest), (&effects{}).run)
		wantRefusal(t, err, review.RefusedDigest)
		if _, err := a.Do(t.Context(), s.Item, app.PromotionAction(snapshot.Digest), (&effects{}).run); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAPromotionNeedsItsSnapshot(t *testing.T) {
	a := open(t, app.Config{Policies: []string{skills}, PolicyText: policyText("")})
	for name, s := range map[string]app.Submission{
		"no snapshot":                {Gate: "skills"},
		"no archive":                 {Gate: "skills", Snapshot: []byte("x")},
		"signals":                    {Gate: "skills", Input: []byte(certain)},
		"a snapshot for a threshold": {Gate: "refunds", Snapshot: []byte("x")},
	} {
		s.By = person("agent")
		_, err := a.Submit(t.Context(), s)
		var invalid *review.InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

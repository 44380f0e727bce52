package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// reopener opens one database again and again.
type reopener func(*testing.T, app.Config) *app.App

func onBothAgain(t *testing.T, test func(*testing.T, reopener)) {
	onBoth(t, func(t *testing.T, open opener) {
		var db, key string
		test(t, func(t *testing.T, c app.Config) *app.App {
			if db == "" {
				db, key = filepath.Join(t.TempDir(), "pawl.db"), filepath.Join(t.TempDir(), "ledger.key")
				if strings.HasSuffix(t.Name(), "/postgres") {
					db = postgres(t)
				}
			}
			c.DB, c.Key = db, key
			a, err := app.Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			return a
		})
	})
}

func closeNow(t *testing.T, a *app.App) {
	t.Helper()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasAnsweredIsThereAfterARestart(t *testing.T) {
	onBothAgain(t, func(t *testing.T, open reopener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		done, waiting := submit(t, a, certain, `1`), submit(t, a, unsure, `2`)
		before := item(t, a, done.Item)
		closeNow(t, a)
		a = open(t, app.Config{PolicyText: policyText("")})
		defer closeNow(t, a)
		if r := item(t, a, done.Item); r.Permit == nil || r.Permit.State != review.PermitOpen || !bytes.Equal(r.Action, before.Action) {
			t.Fatalf("got %+v", r)
		}
		approve(t, a, waiting.Item, "anna")
		var e effects
		for _, s := range []struct{ id, action string }{{done.Item, `1`}, {waiting.Item, `2`}} {
			if _, err := a.Do(t.Context(), s.id, []byte(s.action), e.run); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAnotherPolicyVoidsAutomaticPermitsOnly(t *testing.T) {
	onBothAgain(t, func(t *testing.T, open reopener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		auto, asked := submit(t, a, certain, `1`), submit(t, a, unsure, `2`)
		approve(t, a, asked.Item, "anna")
		closeNow(t, a)
		a = open(t, app.Config{PolicyText: policyText("description: another\nreview: {approvals: 2}\n")})
		defer closeNow(t, a)
		g, err := a.Gate(t.Context(), "refunds")
		if err != nil || g.Policy.Version != 2 || g.State != review.GateLive {
			t.Fatalf("got %+v, %v", g, err)
		}
		var e effects
		_, err = a.Do(t.Context(), auto.Item, []byte(`1`), e.run)
		wantRefusal(t, err, review.RefusedVoided)
		if p := item(t, a, auto.Item).Permit; p.State != review.PermitVoided || p.Void != review.VoidGate {
			t.Fatalf("the permit is shown as %s", p.State)
		}
		if _, err := a.Do(t.Context(), asked.Item, []byte(`2`), e.run); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAPolicyThatNeedsActivationBindsNobodyAlone(t *testing.T) {
	onBothAgain(t, func(t *testing.T, open reopener) {
		a := open(t, app.Config{PolicyText: policyText(""), NeedActivation: true})
		if s := submit(t, a, certain, `1`); s.Status != review.PendingReview || s.Reasons[len(s.Reasons)-1].Code != review.CodeSupervised {
			t.Fatalf("got %+v", s)
		}
		closeNow(t, a)
		a = open(t, app.Config{PolicyText: policyText("description: x\nreview: {approvals: 2}\n"), NeedActivation: true})
		defer closeNow(t, a)
		if g, err := a.Gate(t.Context(), "refunds"); err != nil || g.Policy.Version != 1 {
			t.Fatalf("got %+v, %v", g, err)
		}
		if all, err := a.Policies(t.Context(), "refunds"); err != nil || len(all) != 2 || !all[0].Active || all[1].Active {
			t.Fatalf("got %+v, %v", all, err)
		}
	})
}

func TestAStoppedGateStaysStoppedAfterARestart(t *testing.T) {
	onBothAgain(t, func(t *testing.T, open reopener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		asked := submit(t, a, unsure, `2`)
		approve(t, a, asked.Item, "anna")
		if _, err := a.Stop(t.Context(), "refunds", person("anna"), "too many"); err != nil {
			t.Fatal(err)
		}
		closeNow(t, a)
		a = open(t, app.Config{PolicyText: policyText("description: x\n")})
		defer closeNow(t, a)
		if s := submit(t, a, certain, `1`); s.Status != review.PendingReview {
			t.Fatalf("got %+v", s)
		}
		_, err := a.Do(t.Context(), asked.Item, []byte(`2`), (&effects{}).run)
		wantRefusal(t, err, review.RefusedStopped)
	})
}

func TestCallbacksGoOnAfterARestart(t *testing.T) {
	onBothAgain(t, func(t *testing.T, open reopener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		waiting, doubt := submit(t, a, certain, `1`), submit(t, a, certain, `2`)
		ctx, stop := context.WithCancel(t.Context())
		_, _ = a.Do(ctx, doubt.Item, []byte(`2`), func(ctx context.Context, _ app.Run) ([]byte, error) {
			stop()
			return nil, ctx.Err()
		})
		closeNow(t, a)
		var e effects
		a = open(t, app.Config{PolicyText: policyText(""), On: map[string]app.Callbacks{"refunds": {OnAutoApply: e.run}}})
		defer closeNow(t, a)
		for _, id := range []string{waiting.Item, doubt.Item} {
			if p := item(t, a, id).Permit; p.State != review.PermitDone {
				t.Errorf("the permit is %s", p.State)
			}
		}
		if len(e.runs) != 2 || !e.runs[0].Again || e.runs[1].Again {
			t.Errorf("they ran like this: %+v", e.runs)
		}
	})
}

func TestTheLedgerHoldsAllThatWasAnswered(t *testing.T) {
	onBothAgain(t, func(t *testing.T, open reopener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		defer closeNow(t, a)
		var group sync.WaitGroup
		ids := make([]string, 64)
		for k := range ids {
			group.Go(func() {
				s, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Input: []byte(certain), Action: fmt.Append(nil, k), By: person("shop")})
				if err != nil {
					t.Error(err)
				}
				ids[k] = s.Item
			})
		}
		group.Wait()
		keys, err := a.PublicKeys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		list, err := ledger.ParseKeys(keys)
		if err != nil {
			t.Fatal(err)
		}
		var export bytes.Buffer
		if err := a.Export(t.Context(), &export); err != nil {
			t.Fatal(err)
		}
		if r, err := ledger.Verify(&export, list, nil); err != nil || r.Verified < 64 {
			t.Fatalf("%v\n%s", err, r)
		}
		for _, id := range ids {
			p, leaf, err := a.ProveItem(t.Context(), id, 1)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Check(leaf, list); err != nil {
				t.Fatal(err)
			}
			if e, err := ledger.Parse(leaf); err != nil || e.IDs["item"] != id || e.Kind != ledger.KindDecision {
				t.Fatalf("got %+v, %v", e, err)
			}
		}
	})
}

func TestPoliciesThatContradictEachOtherAreRefused(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.pawl.yaml", "b.pawl.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(policyText("")["refunds.pawl.yaml"]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		c    app.Config
		want string
	}{
		{"two of one gate", app.Config{Policies: []string{dir}}, "both of the gate refunds"},
		{"a folder without any", app.Config{Policies: []string{t.TempDir()}}, "no *.pawl.yaml"},
		{"callbacks of no gate", app.Config{PolicyText: policyText(""), On: map[string]app.Callbacks{"loans": {}}}, "no policy has"},
		{"callbacks that may not redeem", app.Config{PolicyText: policyText("review: {executors: [shop]}\n"), On: map[string]app.Callbacks{"refunds": {}}}, "executors don't include"},
		{"one that doesn't compile", app.Config{PolicyText: map[string]string{"x.pawl.yaml": "pawl: v1"}}, "x.pawl.yaml:1"},
	} {
		tt.c.DB = ":memory:"
		_, err := app.Open(t.Context(), tt.c)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
	if _, err := app.Open(t.Context(), app.Config{}); err == nil || errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("no database: got %v", err)
	}
}

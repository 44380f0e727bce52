package app_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/review"
)

func TestDoRunsOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := submit(t, a, certain, `{"amount":1}`)
		var e effects
		_, err := a.Do(t.Context(), s.Item, []byte(`{"amount":2}`), e.run)
		wantRefusal(t, err, review.RefusedDigest)
		for range 2 {
			result, err := a.Do(t.Context(), s.Item, []byte(`{ "amount": 1 }`), e.run)
			if err != nil || string(result) != "run 1" {
				t.Fatalf("got %q, %v", result, err)
			}
		}
		if len(e.runs) != 1 || e.runs[0].Again || e.runs[0].IdempotencyKey != s.Item || e.runs[0].Effect != review.EffectApply {
			t.Fatalf("it ran like this: %+v", e.runs)
		}
	})
}

func TestDoGoesOnAfterAnInterruption(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := submit(t, a, certain, `1`)
		ctx, stop := context.WithCancel(t.Context())
		_, err := a.Do(ctx, s.Item, []byte(`1`), func(ctx context.Context, _ app.Run) ([]byte, error) {
			stop()
			return nil, ctx.Err()
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if list, err := a.InDoubt(t.Context(), "refunds"); err != nil || len(list) != 1 {
			t.Fatalf("%d in doubt, %v", len(list), err)
		}
		var e effects
		if _, err := a.Do(t.Context(), s.Item, []byte(`1`), e.run); err != nil {
			t.Fatal(err)
		}
		if len(e.runs) != 1 || !e.runs[0].Again {
			t.Fatalf("it ran like this: %+v", e.runs)
		}
		if c, err := a.Counts(t.Context(), "refunds"); err != nil || c.InDoubt != 0 || c.ByStatus[review.AutoApplied] != 1 {
			t.Fatalf("counted %+v, %v", c, err)
		}
	})
}

func TestAFailedEffectIsRecordedAndNotTriedAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := submit(t, a, certain, `1`)
		e := effects{err: errors.New("no money")}
		for range 2 {
			_, err := a.Do(t.Context(), s.Item, []byte(`1`), e.run)
			var failed *app.FailedError
			if !errors.As(err, &failed) || string(failed.Result) != "no money" {
				t.Fatalf("got %v", err)
			}
		}
		if len(e.runs) != 1 || item(t, a, s.Item).Permit.State != review.PermitFailed {
			t.Fatalf("it ran %d times", len(e.runs))
		}
	})
}

func TestAPermitIsRedeemedWithOneKey(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := submit(t, a, certain, `1`)
		other := submit(t, a, certain, `1`)
		key, key2 := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
		r := app.Redemption{Item: s.Item, Action: []byte(`1`), Key: key, Effect: review.EffectApply}
		for _, tt := range []struct {
			name   string
			change func(*app.Redemption)
			code   review.Refusal
		}{
			{"for the other effect", func(r *app.Redemption) { r.Effect = review.EffectReject }, review.RefusedEffect},
			{"by another executor", func(r *app.Redemption) { r.Executor = "eve" }, review.RefusedAudience},
			{"for another action", func(r *app.Redemption) { r.Action = []byte(`2`) }, review.RefusedDigest},
		} {
			bad := r
			tt.change(&bad)
			_, err := a.Redeem(t.Context(), bad)
			wantRefusal(t, err, tt.code)
		}
		if g, err := a.Redeem(t.Context(), r); err != nil || g.Again {
			t.Fatalf("got %+v, %v", g, err)
		}
		if g, err := a.Redeem(t.Context(), r); err != nil || !g.Again {
			t.Fatalf("got %+v, %v", g, err)
		}
		r.Key = key2
		_, err := a.Redeem(t.Context(), r)
		wantRefusal(t, err, review.RefusedRedeemed)
		_, err = a.Report(t.Context(), s.Item, key2, review.PermitDone, nil)
		wantRefusal(t, err, review.RefusedKey)
		_, err = a.Report(t.Context(), other.Item, key, review.PermitDone, nil)
		wantRefusal(t, err, review.RefusedState)
		if p, err := a.Report(t.Context(), s.Item, key, review.PermitDone, []byte("ok")); err != nil || p.State != review.PermitDone {
			t.Fatalf("got %+v, %v", p, err)
		}
	})
}

func TestCallbacksAreTheExecutor(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		applied, approved, rejected := &effects{}, &effects{}, &effects{err: errors.New("mail server is down")}
		a := open(t, app.Config{PolicyText: policyText(countAsserted), On: map[string]app.Callbacks{
			"refunds": {OnAutoApply: applied.run, OnApprove: approved.run, OnReject: rejected.run},
		}})
		auto := submit(t, a, certain, `{"amount":1}`)
		if len(applied.runs) != 1 || item(t, a, auto.Item).Permit.State != review.PermitDone {
			t.Fatalf("OnAutoApply ran %d times", len(applied.runs))
		}
		edited := submit(t, a, unsure, `{"amount":2}`)
		if _, err := a.Edit(t.Context(), edited.Item, review.Act{Actor: person("anna"), Token: claim(t, a, edited.Item, "anna"), Action: []byte(`{"amount":1}`)}); err != nil {
			t.Fatal(err)
		}
		if len(approved.runs) != 1 || string(approved.runs[0].Action) != `{"amount":1}` || approved.runs[0].Status != review.Edited {
			t.Fatalf("OnApprove ran like this: %+v", approved.runs)
		}
		refused := submit(t, a, unsure, `{"amount":3}`)
		if _, err := a.Reject(t.Context(), refused.Item, review.Act{Actor: person("anna"), Token: claim(t, a, refused.Item, "anna")}); err != nil {
			t.Fatal(err)
		}
		r := item(t, a, refused.Item)
		if len(rejected.runs) != 1 || r.Status != review.Rejected || r.Permit.State != review.PermitFailed {
			t.Fatalf("a failing callback: ran %d times, %s, permit %s", len(rejected.runs), r.Status, r.Permit.State)
		}
	})
}

func TestAResultThatIsTooLargeIsReportedAllTheSame(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		a := open(t, app.Config{PolicyText: policyText("")})
		s := submit(t, a, certain, `1`)
		result, err := a.Do(t.Context(), s.Item, []byte(`1`), func(context.Context, app.Run) ([]byte, error) {
			return make([]byte, 100_000), nil
		})
		if err != nil || len(result) != 100_000 {
			t.Fatalf("got %d bytes, %v", len(result), err)
		}
		if p := item(t, a, s.Item).Permit; p.State != review.PermitDone || !bytes.HasPrefix(p.Result, []byte("100000 bytes, sha256:")) {
			t.Fatalf("kept %s, %.60q", p.State, p.Result)
		}
	})
}

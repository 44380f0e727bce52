package pawl_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// countdown is a context that is cancelled once somebody has looked at it so many
// times: so a call is cancelled at every step that it takes.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func cancelledAt(looks int) *countdown {
	c := &countdown{}
	c.Context, c.cancel = context.WithCancel(context.Background())
	c.left.Store(int64(looks))
	return c
}

func (c *countdown) look() {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
}

func (c *countdown) Done() <-chan struct{} { c.look(); return c.Context.Done() }
func (c *countdown) Err() error            { c.look(); return c.Context.Err() }

// everyStep does something with contexts that are cancelled later and later, until
// three of them were never noticed.
func everyStep(t *testing.T, step func(ctx context.Context, n int) error) {
	t.Helper()
	failed, fine := 0, 0
	for n := 0; fine < 3; n++ {
		c := cancelledAt(n)
		err := step(c, n)
		c.cancel()
		switch {
		case err == nil:
			fine++
		case !errors.Is(err, context.Canceled):
			t.Errorf("cancelled at step %d: %v, which isn't context.Canceled", n, err)
			failed++
		default:
			failed++
		}
		if n > 2000 {
			t.Fatal("2000 steps, and no end")
		}
	}
	if failed == 0 {
		t.Error("no call was cancelled at all")
	}
	t.Logf("cancelled at %d steps", failed)
}

func TestACancelledCallIsDoneOnceOrNot(t *testing.T) {
	onBoth(t, func(t *testing.T, db string) {
		p := opened(t, config(t, db, shopGate{}))
		ctx := t.Context()
		t.Run("submit", func(t *testing.T) {
			everyStep(t, func(cut context.Context, n int) error {
				subject := fmt.Sprint("cut-", n)
				s := submission(applied, subject)
				s.Key = subject
				first, cancelled := p.Submit(cut, s)
				if cancelled != nil && first.Verdict != "" {
					t.Errorf("step %d: a verdict beside the error: %+v", n, first)
				}
				again, err := p.Submit(ctx, s)
				if err != nil {
					t.Fatalf("step %d, again: %v", n, err)
				}
				once(t, p, subject, again.Item)
				if cancelled == nil && first.Item != again.Item {
					t.Errorf("step %d: %s, and again %s", n, first.Item, again.Item)
				}
				return cancelled
			})
		})
		t.Run("approve", func(t *testing.T) {
			everyStep(t, func(cut context.Context, n int) error {
				id := submitted(t, p, asked).Item
				o, err := p.Claim(ctx, id, pawl.Act{Actor: checked("ada")})
				if err != nil {
					t.Fatal(err)
				}
				act := pawl.Act{Actor: checked("ada"), Token: o.Event.Token}
				_, cancelled := p.Approve(cut, id, act)
				if _, err := p.Approve(ctx, id, act); err != nil {
					t.Fatalf("step %d, again: %v", n, err)
				}
				r, err := p.Item(ctx, id)
				if err != nil {
					t.Fatal(err)
				}
				if dense(t, r); len(r.Events) != 3 || r.Status != review.Approved {
					t.Errorf("step %d: %s with events %+v", n, r.Status, r.Events)
				}
				return cancelled
			})
		})
		t.Run("redeem", func(t *testing.T) {
			everyStep(t, func(cut context.Context, n int) error {
				id := submitted(t, p, applied).Item
				_, cancelled := p.Redeem(cut, redemption(id, "0123456789abcdef"))
				if _, err := p.Redeem(ctx, redemption(id, "0123456789abcdef")); err != nil {
					t.Fatalf("step %d, again: %v", n, err)
				}
				if _, err := p.Redeem(ctx, redemption(id, "another-redemption-key")); refusal(err) != review.RefusedRedeemed {
					t.Errorf("step %d, with another key: %v", n, err)
				}
				return cancelled
			})
		})
		verified(t, p)
	})
}

func TestAClockThatStepsBackGivesNothingAway(t *testing.T) {
	var clock steppingClock
	clock.step(5 * time.Hour)
	c := config(t, filepath.Join(t.TempDir(), "pawl.db"), shopGate{lease: "10m"})
	c.Clock = clock.read
	p := opened(t, c)
	ctx := t.Context()
	id := submitted(t, p, asked).Item
	o, err := p.Claim(ctx, id, pawl.Act{Actor: checked("ada")})
	if err != nil {
		t.Fatal(err)
	}
	clock.step(-2 * time.Hour)
	if _, err := p.Claim(ctx, id, pawl.Act{Actor: checked("bob")}); conflict(err) != review.ConflictHeld {
		t.Errorf("another claims what is held, after the clock stepped back: %v", err)
	}
	if _, ok, err := p.Next(ctx, checked("bob"), ""); ok || err != nil {
		t.Errorf("next hands out what is held: %t, %v", ok, err)
	}
	if o, err = p.Approve(ctx, id, pawl.Act{Actor: checked("ada"), Token: o.Event.Token}); err != nil {
		t.Fatal(err)
	}
	now := clock.read()
	if o.Permit == nil || o.Permit.Expires.After(now.Add(24*time.Hour)) {
		t.Errorf("at %s the permit %+v: it ends at the earlier reading", now, o.Permit)
	}
	auto := submitted(t, p, applied)
	if _, err := p.Redeem(ctx, redemption(auto.Item, "0123456789abcdef")); err != nil {
		t.Error(err)
	}
	r, err := p.Item(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	dense(t, r)
	clock.step(30 * time.Hour)
	if _, err := p.Redeem(ctx, redemption(id, "0123456789abcdef")); refusal(err) != review.RefusedExpired {
		t.Errorf("30 hours later: %v", err)
	}
	verified(t, p)
}

func TestAnOldBackupIsNotTakenForThePresent(t *testing.T) {
	dir := t.TempDir()
	c := config(t, filepath.Join(dir, "pawl.db"), shopGate{})
	c.CheckpointTo = []string{filepath.Join(dir, "elsewhere")}
	p := opened(t, c)
	ctx := t.Context()
	open, doubt := submitted(t, p, applied).Item, submitted(t, p, applied).Item
	pending := submitted(t, p, asked).Item
	if _, err := p.Redeem(ctx, redemption(doubt, "0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	verified(t, p)
	old := filepath.Join(dir, "old.db")
	if err := p.Backup(ctx, old); err != nil {
		t.Fatalf("backing up: %v", err)
	}
	// This happens after the backup, and is not in it.
	if _, err := p.Redeem(ctx, redemption(open, "0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	submitted(t, p, applied)
	verified(t, p)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	c.DB = old
	if p, err := pawl.Open(ctx, c); err == nil {
		_ = p.Close()
		t.Fatal("a database that is older than the checkpoint kept elsewhere was opened")
	} else if !strings.Contains(err.Error(), "restored") && !strings.Contains(err.Error(), "Restored") {
		t.Errorf("the error doesn't say what to do: %v", err)
	}
	c.Restored = true
	p = opened(t, c)
	r, err := p.Item(ctx, open)
	if err != nil {
		t.Fatal(err)
	}
	if r.Permit.State != review.PermitVoided || r.Permit.Void != review.VoidRestored {
		t.Errorf("the permit that was open in the backup is %+v", r.Permit)
	}
	if _, err := p.Redeem(ctx, redemption(open, "another-key-of-16")); refusal(err) != review.RefusedVoided {
		t.Errorf("redeeming what was redeemed after the backup: %v", err)
	}
	if r, err = p.Item(ctx, doubt); err != nil || !r.Permit.InDoubt() {
		t.Errorf("the permit in doubt is %+v, %v", r.Permit, err)
	}
	if r, err = p.Item(ctx, pending); err != nil || r.Status != review.PendingReview {
		t.Errorf("the pending item is %+v, %v", r, err)
	}
	verified(t, p)
}

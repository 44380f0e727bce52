package review_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
	"pgregory.net/rapid"
)

// desk is an ended item with its permit, a gate, and a redemption that fits.
type desk struct {
	item   review.Item
	permit review.Permit
	gate   review.Gate
	r      review.Redemption
	now    time.Time
}

func newDesk(t testing.TB, v verdict.Verdict) *desk {
	t.Helper()
	s := submission(v)
	s.Epoch = 5
	o, err := review.New(s, review.Rules{Audience: []string{"shop", "bank"}, PermitLife: time.Hour}, start)
	if err != nil {
		t.Fatal(err)
	}
	item, permit := o.Item, o.Permit
	if permit == nil {
		l := &life{t: t, item: item, rules: review.Rules{Audience: []string{"shop", "bank"}, PermitLife: time.Hour}, now: start}
		l.claimed(act(review.ActApprove, "ada"))
		item, permit = l.item, l.last.Permit
	}
	d := &desk{item: item, permit: *permit, now: start, gate: review.Gate{Name: "g", Epoch: 5, Setting: review.Setting{State: review.GateLive}}}
	d.r = review.Redemption{Item: "i1", Effect: permit.Effect, Executor: "shop", Digest: item.Digest, KeyHash: key(t, "0123456789abcdef")}
	return d
}

func key(t testing.TB, s string) review.Digest {
	t.Helper()
	h, err := review.HashKey("i1", []byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (d *desk) grant() (review.Granted, error) {
	return review.Grant(d.permit, d.item, d.r, d.gate, d.now)
}

func TestAPermitIsGrantedOnce(t *testing.T) {
	d := newDesk(t, verdict.AutoApply)
	before := d.permit
	g, err := d.grant()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, d.permit); diff != "" {
		t.Errorf("Grant changed its input:\n%s", diff)
	}
	if g.Again || g.Permit.State != review.PermitGranted || !g.Permit.InDoubt() || g.Permit.Version != 2 || g.Permit.GrantedTo != "shop" || !g.Permit.GrantedAt.Equal(start) {
		t.Errorf("%+v", g)
	}
	d.permit = g.Permit

	// Any other key is refused, and told when but not which.
	d.r.KeyHash = key(t, "fedcba9876543210")
	_, err = d.grant()
	var r *review.RefusedError
	if !errors.As(err, &r) || r.Code != review.RefusedRedeemed || !r.At.Equal(start) || strings.Contains(err.Error(), g.Permit.KeyHash.String()[7:]) {
		t.Errorf("another key: %v", err)
	}
	// The same key has the same answer, whatever happened since.
	d.r.KeyHash = g.Permit.KeyHash
	d.gate.State, d.gate.Epoch, d.item.SupersededBy = review.GateStopped, 9, "i2"
	d.now = start.Add(1000 * time.Hour)
	again, err := d.grant()
	if err != nil || !again.Again || cmp.Diff(again.Permit, g.Permit) != "" {
		t.Errorf("%+v, %v", again, err)
	}
	// But not for another action, effect or executor.
	for name, change := range map[string]func(*review.Redemption){
		"refused digest":   func(r *review.Redemption) { r.Digest[0]++ },
		"refused effect":   func(r *review.Redemption) { r.Effect = review.EffectReject },
		"refused redeemed": func(r *review.Redemption) { r.Executor = "bank" },
		"refused audience": func(r *review.Redemption) { r.Executor = "thief" },
		"refused item":     func(r *review.Redemption) { r.Item = "i2" },
	} {
		k := *d
		change(&k.r)
		_, err := k.grant()
		expect(t, err, name)
	}
}

func TestWhyAPermitIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		v      verdict.Verdict
		change func(*desk)
		want   string
	}{
		{"another item's permit", verdict.AutoApply, func(d *desk) { d.permit.Item = "i9" }, "refused item"},
		{"another item", verdict.AutoApply, func(d *desk) { d.item.ID = "i9" }, "refused item"},
		{"another gate", verdict.AutoApply, func(d *desk) { d.gate.Name = "h" }, "refused item"},
		{"no permit", verdict.AutoApply, func(d *desk) { d.permit = review.Permit{} }, "refused item"},
		{"another executor", verdict.AutoApply, func(d *desk) { d.r.Executor = "SHOP" }, "refused audience"},
		{"no executor", verdict.AutoApply, func(d *desk) { d.r.Executor = ""; d.permit.Audience = []string{""} }, "refused audience"},
		{"no audience", verdict.AutoApply, func(d *desk) { d.permit.Audience = nil }, "refused audience"},
		{"no key", verdict.AutoApply, func(d *desk) { d.r.KeyHash = review.Digest{} }, "refused key"},
		{"another action", verdict.AutoApply, func(d *desk) { d.r.Digest = review.Digest{} }, "refused digest"},
		{"an item that changed", verdict.AutoApply, func(d *desk) { d.item.Digest[3]++ }, "refused digest"},
		{"to apply what was rejected", verdict.AutoReject, func(d *desk) { d.r.Effect = review.EffectApply }, "refused effect"},
		{"no effect said", verdict.AutoApply, func(d *desk) { d.r.Effect = "" }, "refused effect"},
		{"an item that waits", verdict.AutoApply, func(d *desk) { d.item.Status = review.PendingReview }, "refused effect"},
		{"an expired item", verdict.AutoApply, func(d *desk) { d.item.Status = review.Expired }, "refused effect"},
		{"void", verdict.AutoApply, func(d *desk) { d.permit.State = review.PermitVoided }, "refused voided"},
		{"an unknown state", verdict.AutoApply, func(d *desk) { d.permit.State = "" }, "refused state"},
		{"superseded", verdict.RouteToHuman, func(d *desk) { d.item.SupersededBy = "i2" }, "refused superseded"},
		{"overturned", verdict.RouteToHuman, func(d *desk) { d.item.OverturnedBy = "i2" }, "refused overturned"},
		{"gate stopped", verdict.RouteToHuman, func(d *desk) { d.gate.State = review.GateStopped }, "refused stopped"},
		{"gate in no state", verdict.RouteToHuman, func(d *desk) { d.gate.State = "" }, "refused stopped"},
		{"gate supervised, automatic", verdict.AutoApply, func(d *desk) { d.gate.State = review.GateSupervised }, "refused voided"},
		{"gate supervised and live again, automatic", verdict.AutoApply, func(d *desk) { d.gate.Epoch++ }, "refused voided"},
		{"gate supervised, a person's", verdict.RouteToHuman, func(d *desk) { d.gate.State = review.GateSupervised; d.gate.Epoch++ }, ""},
		{"expired", verdict.AutoApply, func(d *desk) { d.now = start.Add(time.Hour) }, "refused expired"},
		{"just in time", verdict.AutoApply, func(d *desk) { d.now = start.Add(time.Hour - time.Microsecond) }, ""},
		{"expired, and the clock stepped back", verdict.AutoApply, func(d *desk) { d.item.LastAt = start.Add(2 * time.Hour) }, "refused expired"},
		{"to reject what was rejected", verdict.AutoReject, func(*desk) {}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t, tt.v)
			tt.change(d)
			g, err := d.grant()
			expect(t, err, tt.want)
			if tt.want != "" && g.Permit.State != "" {
				t.Error("there is a permit beside the refusal")
			}
		})
	}
}

func TestReporting(t *testing.T) {
	d := newDesk(t, verdict.AutoApply)
	report := func(h review.Digest, s review.PermitState, result string) (bool, error) {
		p, changed, err := review.Report(d.permit, h, s, []byte(result), d.now)
		if err == nil {
			d.permit = p
		}
		return changed, err
	}
	ours, theirs := d.r.KeyHash, key(t, "fedcba9876543210")
	_, err := report(ours, review.PermitDone, "")
	expect(t, err, "refused state")
	g, _ := d.grant()
	d.permit, d.now = g.Permit, start.Add(-time.Hour)
	for _, h := range []review.Digest{theirs, {}} {
		_, err = report(h, review.PermitDone, "")
		expect(t, err, "refused key")
	}
	for _, s := range []review.PermitState{review.PermitOpen, review.PermitGranted, review.PermitVoided, ""} {
		_, err = report(ours, s, "")
		expect(t, err, "invalid state")
	}
	_, err = report(ours, review.PermitDone, strings.Repeat("x", 1<<20))
	expect(t, err, "invalid result")
	if changed, err := report(ours, review.PermitFailed, "no money"); !changed || err != nil || d.permit.InDoubt() || d.permit.ReportedAt.Before(start) {
		t.Errorf("%t, %v, %+v", changed, err, d.permit)
	}
	if changed, err := report(ours, review.PermitFailed, "no money"); changed || err != nil {
		t.Errorf("the same report: %t, %v", changed, err)
	}
	_, err = report(ours, review.PermitDone, "no money")
	expect(t, err, "refused state")
	// Who tries again after a crash learns how far it came.
	d.now = start
	again, err := d.grant()
	if err != nil || !again.Again || again.Permit.State != review.PermitFailed || !bytes.Equal(again.Permit.Result, []byte("no money")) {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestRevoking(t *testing.T) {
	d := newDesk(t, verdict.AutoApply)
	p, changed, err := review.Revoke(d.permit, review.VoidGate, start)
	if err != nil || !changed || p.State != review.PermitVoided || p.Void != review.VoidGate || p.Version != 2 {
		t.Errorf("%+v, %t, %v", p, changed, err)
	}
	if q, changed, err := review.Revoke(p, review.VoidRestored, start); err != nil || changed || q.Void != review.VoidGate {
		t.Errorf("%+v, %t, %v", q, changed, err)
	}
	g, _ := d.grant()
	_, _, err = review.Revoke(g.Permit, review.VoidGate, start)
	expect(t, err, "refused redeemed")
}

func TestKeysAreHashedPerItem(t *testing.T) {
	if _, err := review.HashKey("i1", make([]byte, review.MinKey-1)); code(err) != "invalid key" {
		t.Error(err)
	}
	a, _ := review.HashKey("i1", []byte("0123456789abcdef"))
	b, _ := review.HashKey("i10", []byte("123456789abcdef!"))
	c, _ := review.HashKey("i2", []byte("0123456789abcdef"))
	if a == b || a == c {
		t.Error("two items have the same hash")
	}
}

// However many executors try whatever in any order, at most one key is granted
// the permit, and once void or redeemed it stays so.
func TestAtMostOneKeyIsGranted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDesk(inRapid(t), rapid.SampledFrom([]verdict.Verdict{verdict.AutoApply, verdict.AutoReject, verdict.RouteToHuman}).Draw(t, "verdict"))
		keys := []review.Digest{key(inRapid(t), "0123456789abcdef"), key(inRapid(t), "fedcba9876543210"), {}}
		var winner review.Digest
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			d.now = start.Add(time.Duration(rapid.IntRange(-90, 90).Draw(t, "minute")) * time.Minute)
			before := d.permit
			switch rapid.IntRange(0, 5).Draw(t, "act") {
			case 0, 1, 2:
				d.r.KeyHash = rapid.SampledFrom(keys).Draw(t, "key")
				d.r.Executor = rapid.SampledFrom([]string{"shop", "bank", "x"}).Draw(t, "executor")
				d.r.Effect = rapid.SampledFrom([]review.Effect{d.item.Status.Effect(), d.item.Status.Effect(), review.EffectApply}).Draw(t, "effect")
				g, err := d.grant()
				if err != nil {
					break
				}
				if winner != (review.Digest{}) && winner != d.r.KeyHash || !g.Again && winner != (review.Digest{}) || d.r.Effect != d.item.Status.Effect() || d.r.Executor == "x" {
					t.Fatalf("granted: %+v", g)
				}
				winner, d.permit = d.r.KeyHash, g.Permit
			case 3:
				h := rapid.SampledFrom(keys).Draw(t, "key")
				if p, _, err := review.Report(d.permit, h, rapid.SampledFrom([]review.PermitState{review.PermitDone, review.PermitFailed}).Draw(t, "state"), nil, d.now); err == nil {
					if h != winner {
						t.Fatal("reported by somebody else")
					}
					d.permit = p
				}
			case 4:
				if p, _, err := review.Revoke(d.permit, review.VoidGate, d.now); err == nil {
					if winner != (review.Digest{}) {
						t.Fatal("called back")
					}
					d.permit = p
				}
			case 5:
				d.gate.State = rapid.SampledFrom([]review.GateState{review.GateLive, review.GateSupervised, review.GateStopped}).Draw(t, "gate")
			}
			if d.permit.Version < before.Version || d.permit.LastAt.Before(before.LastAt) || before.State == review.PermitVoided && d.permit.State != before.State {
				t.Fatalf("%+v became %+v", before, d.permit)
			}
		}
	})
}

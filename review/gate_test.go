package review_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
	"pgregory.net/rapid"
)

var (
	live       = review.Setting{State: review.GateLive, Ramp: review.FullRamp, Policy: review.PolicyRef{Version: 1, Digest: "a"}}
	supervised = review.Setting{State: review.GateSupervised, Ramp: review.FullRamp, Policy: live.Policy}
	stopped    = review.Setting{State: review.GateStopped, Ramp: review.FullRamp, Policy: live.Policy}
)

func gateOf(s review.Setting) review.Gate {
	return review.Gate{Name: "g", Setting: s, Epoch: 1, Version: 1, LastAt: start}
}

func chief(id string) review.Actor {
	a := person(id)
	a.MayLoosen = true
	return a
}

func with(s review.Setting, change func(*review.Setting)) review.Setting { change(&s); return s }

func TestWhatIsLooser(t *testing.T) {
	policy2 := with(live, func(s *review.Setting) { s.Policy = review.PolicyRef{Version: 2, Digest: "b"} })
	half := with(live, func(s *review.Setting) { s.Ramp = review.FullRamp / 2 })
	shadow := with(live, func(s *review.Setting) { s.Shadow = true })
	for _, tt := range []struct {
		name     string
		from, to review.Setting
		tighter  bool
		want     bool
	}{
		{"nothing", live, live, false, false},
		{"supervised", live, supervised, false, false},
		{"stopped", live, stopped, false, false},
		{"resumed", supervised, live, false, true},
		{"from stopped to supervised", stopped, supervised, false, true},
		{"from no state", review.Setting{}, live, false, true},
		{"ramp up", half, live, false, true},
		{"ramp down", live, half, false, false},
		{"out of shadow", shadow, live, false, true},
		{"into shadow", live, shadow, false, true},
		{"another policy", live, policy2, false, true},
		{"a tighter policy", live, policy2, true, false},
		{"supervised, but a looser policy", live, with(policy2, func(s *review.Setting) { s.State = review.GateSupervised }), false, true},
	} {
		if got := review.Looser(tt.from, tt.to, tt.tighter); (len(got) > 0) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestOnePersonTightensAtOnce(t *testing.T) {
	asserted := review.Person{ID: "eve", Known: review.KnownAsserted}
	for _, by := range []review.Person{{ID: review.Pawl}, asserted} {
		g := gateOf(live)
		g.Proposal = &review.Proposal{To: live}
		before := g
		next, e, changed, err := review.Tighten(g, supervised, false, by, "watch", start.Add(-time.Hour))
		if err != nil || !changed || next.Setting != supervised || next.Epoch != 2 || next.Version != 2 || next.Proposal != nil {
			t.Fatalf("%+v, %v", next, err)
		}
		if e.Seq != 2 || e.Actor != by || e.From != live || e.To != supervised || e.Cause != "watch" || e.At.Before(start) || e.Proposed {
			t.Errorf("%+v", e)
		}
		if d := cmp.Diff(before, g); d != "" {
			t.Errorf("its input changed:\n%s", d)
		}
		if _, _, changed, err := review.Tighten(next, supervised, false, by, "again", start); changed || err != nil {
			t.Errorf("again: %t, %v", changed, err)
		}
	}
	_, _, _, err := review.Tighten(gateOf(supervised), live, true, chief("ada").Person, "", start)
	expect(t, err, "denied loosens_something")
	_, _, _, err = review.Tighten(gateOf(live), supervised, true, review.Person{}, "", start)
	expect(t, err, "denied no_person")
	_, _, _, err = review.Tighten(gateOf(live), review.Setting{State: "off"}, true, asserted, "", start)
	expect(t, err, "invalid state")
	_, _, _, err = review.Tighten(gateOf(live), review.Setting{State: review.GateStopped, Ramp: -1}, true, asserted, "", start)
	expect(t, err, "invalid ramp")
}

func TestLooseningTakesTwoPeople(t *testing.T) {
	g := gateOf(supervised)
	g, e, err := review.Loosen(g, live, false, chief("ada"), "all clear", start)
	if err != nil || !e.Proposed || g.Setting != supervised || g.Proposal == nil || e.Seq != 2 {
		t.Fatalf("%+v, %+v, %v", g, e, err)
	}
	_, _, err = review.Loosen(g, live, false, chief("ada"), "", start)
	expect(t, err, "denied needs_another")
	_, _, err = review.Loosen(g, live, false, chief("ADA"), "", start)
	expect(t, err, "denied needs_another")
	puppet := chief("bob")
	puppet.MadeBy = []string{"ada"}
	_, _, err = review.Loosen(g, live, false, puppet, "", start)
	expect(t, err, "denied made_by_approver")

	next, e, err := review.Loosen(g, live, false, chief("bob"), "", start)
	if err != nil || e.Proposed || next.Setting != live || next.Proposal != nil || next.Epoch != 1 || e.Seconded.ID != "ada" || e.Seq != 3 {
		t.Errorf("%+v, %+v, %v", next, e, err)
	}
	// Too late, or for something else, it is a proposal of its own.
	half := with(live, func(s *review.Setting) { s.Ramp = 5 })
	for _, tt := range []struct {
		to  review.Setting
		now time.Time
	}{{live, start.Add(review.ProposalLife)}, {half, start}} {
		next, e, err := review.Loosen(g, tt.to, false, chief("bob"), "", tt.now)
		if err != nil || !e.Proposed || next.State != review.GateSupervised || next.Proposal.By.ID != "bob" {
			t.Errorf("%+v, %v", next, err)
		}
	}
	// Tightening in between drops it.
	g, _, _, _ = review.Tighten(g, stopped, false, review.Person{ID: review.Pawl}, "budget", start)
	if _, e, err := review.Loosen(g, live, false, chief("bob"), "", start); err != nil || !e.Proposed {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestWhoMayLoosen(t *testing.T) {
	asserted := chief("eve")
	asserted.Known = review.KnownAsserted
	pawl := review.Actor{Person: review.Person{ID: review.Pawl}, MayLoosen: true}
	for _, tt := range []struct {
		actor review.Actor
		want  string
	}{
		{person("ada"), "denied right"},
		{asserted, "denied asserted"},
		{pawl, "denied needs_a_person"},
		{review.Actor{MayLoosen: true}, "denied no_person"},
		{chief("ada"), ""},
	} {
		g := gateOf(supervised)
		g.OnePerson = true
		next, _, err := review.Loosen(g, live, false, tt.actor, "", start)
		expect(t, err, tt.want)
		if (tt.want == "") != (next.Setting == live) {
			t.Errorf("%s: %+v", tt.actor.ID, next)
		}
	}
	_, _, err := review.Loosen(gateOf(live), supervised, false, chief("ada"), "", start)
	expect(t, err, "invalid setting")
}

func TestAPolicyVoidsAutomaticPermits(t *testing.T) {
	d := newDesk(t, verdict.AutoApply)
	g := gateOf(live)
	g.Epoch = 5
	to := with(live, func(s *review.Setting) { s.Policy.Version = 2 })
	if g.Voids(&d.permit) {
		t.Error("void from the start")
	}
	next, _, _, err := review.Tighten(g, to, true, review.Person{ID: review.Pawl}, "", start)
	if err != nil || !next.Voids(&d.permit) {
		t.Errorf("not void: %v", err)
	}
	// The ramp alone voids nothing, nor does anything a person's permit.
	next, _, _, err = review.Tighten(g, with(live, func(s *review.Setting) { s.Ramp = 1 }), true, review.Person{ID: review.Pawl}, "", start)
	if err != nil || next.Voids(&d.permit) {
		t.Errorf("void by the ramp: %v", err)
	}
	d = newDesk(t, verdict.RouteToHuman)
	if next.Epoch = 99; next.Voids(&d.permit) {
		t.Error("a person's permit is void")
	}
}

func TestSettleOnlyTightens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := review.Gate{Name: "g", Setting: review.Setting{
			State: rapid.SampledFrom([]review.GateState{review.GateLive, review.GateSupervised, review.GateStopped, ""}).Draw(t, "state"),
			Ramp:  rapid.SampledFrom([]int{0, 1, 5000, review.FullRamp, -1}).Draw(t, "ramp"),
		}}
		v := rapid.SampledFrom([]verdict.Verdict{verdict.AutoApply, verdict.AutoReject, verdict.RouteToHuman, ""}).Draw(t, "verdict")
		got, why := g.Settle(v, rapid.String().Draw(t, "item"), []byte("key"))
		if verdict.Looser(v, got) || !got.Valid() || got.Supervision() < v.Supervision() {
			t.Fatalf("%q became %q", v, got)
		}
		if (got == v || v == "") != (len(why) == 0) {
			t.Fatalf("%q became %q because of %v", v, got, why)
		}
		if g.State != review.GateLive && got != verdict.RouteToHuman {
			t.Fatalf("%q while %s", got, g.State)
		}
	})
}

func TestTheRampKeepsItsShare(t *testing.T) {
	const n = 20_000
	in := map[int]int{}
	for k := range n {
		id := fmt.Sprint("item-", k)
		small := review.InRamp([]byte("key"), id, 500)
		if small && !review.InRamp([]byte("key"), id, 501) {
			t.Fatalf("%s left as the share grew", id)
		}
		if small {
			in[500]++
		}
		if small && review.InRamp([]byte("another"), id, 500) {
			in[0]++
		}
		if review.InRamp([]byte("key"), id, 0) || !review.InRamp(nil, id, review.FullRamp) || review.InRamp(nil, id, 9999) {
			t.Fatalf("%s: none, all, or no key", id)
		}
	}
	if in[500] < 900 || in[500] > 1100 || in[0] > 100 {
		t.Errorf("of %d, 5%% were %d; %d under both keys", n, in[500], in[0])
	}
}

package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

func TestOnePersonTightensTwoLoosen(t *testing.T) { onBoth(t, onePersonTightensTwoLoosen) }

func onePersonTightensTwoLoosen(t *testing.T, open opener) {
	a := open(t, app.Config{PolicyText: policyText("")})
	old := submit(t, a, certain, `{}`)
	if _, err := a.Supervise(t.Context(), "refunds", person("anna"), "odd"); err != nil {
		t.Fatal(err)
	}
	if s := submit(t, a, certain, `{}`); s.Verdict != verdict.RouteToHuman {
		t.Errorf("a supervised gate decided %s", s.Verdict)
	}
	_, err := a.Redeem(t.Context(), app.Redemption{Item: old.Item, Action: []byte(`{}`), Key: []byte("0123456789abcdef"), Effect: review.EffectApply})
	wantRefusal(t, err, review.RefusedVoided)
	ev, err := a.Resume(t.Context(), "refunds", person("anna"), "well again")
	if err != nil || !ev.Proposed {
		t.Fatalf("%+v, %v", ev, err)
	}
	if _, err := a.Resume(t.Context(), "refunds", person("Anna"), "well again"); err == nil {
		t.Error("one person seconded herself")
	}
	if g, err := a.Gate(t.Context(), "refunds"); err != nil || g.State != review.GateSupervised {
		t.Fatalf("%+v, %v", g, err)
	}
	ev, err = a.Resume(t.Context(), "refunds", person("ben"), "yes")
	if err != nil || ev.Proposed || ev.Seconded.ID != "anna" {
		t.Fatalf("%+v, %v", ev, err)
	}
	if s := submit(t, a, certain, `{}`); s.Verdict != verdict.AutoApply {
		t.Errorf("a live gate decided %s", s.Verdict)
	}
	_, err = a.Redeem(t.Context(), app.Redemption{Item: old.Item, Action: []byte(`{}`), Key: []byte("0123456789abcdef"), Effect: review.EffectApply})
	wantRefusal(t, err, review.RefusedVoided)
	events, err := a.GateEvents(t.Context(), "refunds")
	if err != nil || len(events) != 4 {
		t.Fatalf("%+v, %v", events, err)
	}
	if e := last(t, a, ledger.KindGateState); e.Act != "live" || e.IDs["proposer"] != "anna" || e.Person != "ben" {
		t.Errorf("entry %+v", e)
	}
}

func TestTrippingNeverLoosens(t *testing.T) {
	a := open(t, app.Config{PolicyText: policyText("")})
	for _, want := range []review.GateState{review.GateSupervised, review.GateStopped} {
		if want == review.GateStopped {
			if _, err := a.Stop(t.Context(), "refunds", person("anna"), ""); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if _, err := a.Trip(t.Context(), "refunds", "too many errors"); err != nil {
				t.Fatal(err)
			}
		}
		if g, err := a.Gate(t.Context(), "refunds"); err != nil || g.State != want {
			t.Fatalf("%+v, %v", g, err)
		}
	}
}

func TestTheRampOnlyFallsAlone(t *testing.T) {
	a := open(t, app.Config{PolicyText: policyText("")})
	if _, err := a.SetRamp(t.Context(), "refunds", 0, person("anna"), ""); err != nil {
		t.Fatal(err)
	}
	if s := submit(t, a, certain, `{}`); s.Verdict != verdict.RouteToHuman {
		t.Errorf("beyond the ramp it decided %s", s.Verdict)
	}
	if ev, err := a.SetRamp(t.Context(), "refunds", 100, person("anna"), ""); err != nil || !ev.Proposed {
		t.Errorf("%+v, %v", ev, err)
	}
	if _, err := a.SetRamp(t.Context(), "refunds", review.FullRamp+1, person("anna"), ""); err == nil {
		t.Error("more than all")
	}
	if _, err := a.SetRamp(t.Context(), "nothing", 0, person("anna"), ""); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func TestATighterPolicyNeedsOnePersonOnly(t *testing.T) { onBoth(t, aTighterPolicyNeedsOnePersonOnly) }

func aTighterPolicyNeedsOnePersonOnly(t *testing.T, open opener) {
	a := open(t, app.Config{PolicyText: policyText("")})
	add := func(text string) app.PolicyVersion {
		t.Helper()
		v, err := a.AddPolicy(t.Context(), app.PolicyText{Name: "refunds.pawl.yaml", Source: []byte(text)}, person("anna"))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	first := policyText("")["refunds.pawl.yaml"]
	tight := add(strings.Replace(first, "highMin: 0.9", "highMin: 0.99", 1))
	if tight.Version != 2 || tight.Active {
		t.Fatalf("%+v", tight)
	}
	ev, err := a.ActivatePolicy(t.Context(), "refunds", 2, person("anna"), "")
	if err != nil || ev.Proposed {
		t.Fatalf("%+v, %v", ev, err)
	}
	if s := submit(t, a, certain, `{}`); s.Verdict != verdict.RouteToHuman || s.Policy.Version != 2 {
		t.Errorf("%+v", s)
	}
	for _, who := range []string{"anna", "ben"} {
		ev, err := a.RollBack(t.Context(), "refunds", 1, person(who), "too tight")
		if err != nil || ev.Proposed != (who == "anna") {
			t.Fatalf("%+v, %v", ev, err)
		}
	}
	if s := submit(t, a, certain, `{}`); s.Verdict != verdict.AutoApply || s.Policy.Version != 1 {
		t.Errorf("%+v", s)
	}
	if _, err := a.RollBack(t.Context(), "refunds", 2, person("ben"), ""); err == nil {
		t.Error("rolled back to a later version")
	}
	if _, err := a.ActivatePolicy(t.Context(), "refunds", 7, person("ben"), ""); !errors.Is(err, app.ErrNotFound) {
		t.Errorf("%v", err)
	}
	all, err := a.Policies(t.Context(), "refunds")
	if err != nil || len(all) != 2 || !all[0].Active || all[1].Active || string(all[0].Source) != first {
		t.Fatalf("%+v, %v", all, err)
	}
	if e := last(t, a, ledger.KindPolicy); e.Act != "roll_back" || e.Versions["policy"] != "1" {
		t.Errorf("entry %+v", e)
	}
}

func TestAPolicyCannotLetItsOwnActivationPass(t *testing.T) {
	a := open(t, app.Config{PolicyText: policyText("")})
	alone := policyText("two_people: false\n")["refunds.pawl.yaml"]
	if _, err := a.AddPolicy(t.Context(), app.PolicyText{Name: "p.yaml", Source: []byte(alone)}, person("anna")); err != nil {
		t.Fatal(err)
	}
	if ev, err := a.ActivatePolicy(t.Context(), "refunds", 2, person("anna"), ""); err != nil || !ev.Proposed {
		t.Fatalf("%+v, %v", ev, err)
	}
	if ev, err := a.ActivatePolicy(t.Context(), "refunds", 2, person("ben"), ""); err != nil || ev.Proposed {
		t.Fatalf("%+v, %v", ev, err)
	}
	if g, err := a.Gate(t.Context(), "refunds"); err != nil || !g.OnePerson {
		t.Fatalf("%+v, %v", g, err)
	}
}

func TestANewGateThatNobodyActivatedAutomatesNothing(t *testing.T) {
	a := open(t, app.Config{PolicyText: policyText(""), NeedActivation: true})
	if s := submit(t, a, certain, `{}`); s.Verdict != verdict.RouteToHuman {
		t.Errorf("it decided %s", s.Verdict)
	}
	b := open(t, app.Config{})
	if _, err := b.AddPolicy(t.Context(), app.PolicyText{Name: "p.yaml", Source: []byte(policyText("")["refunds.pawl.yaml"])}, person("anna")); err != nil {
		t.Fatal(err)
	}
	if s := submit(t, b, certain, `{}`); s.Verdict != verdict.RouteToHuman {
		t.Errorf("it decided %s", s.Verdict)
	}
}

package app_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/review"
)

// A policy that automates nothing needs no second person by default, and one
// person may activate it alone. That mustn't let them loosen alone next.
func TestNobodyGetsRidOfTheSecondPersonAlone(t *testing.T) {
	a := open(t, app.Config{PolicyText: policyText(countAsserted), Clock: newClock().now})
	add := func(change ...string) int64 {
		t.Helper()
		src := strings.NewReplacer(change...).Replace(policyText(countAsserted)["refunds.pawl.yaml"])
		v, err := a.AddPolicy(t.Context(), app.PolicyText{Name: "refunds.pawl.yaml", Source: []byte(src)}, person("mallory"))
		if err != nil {
			t.Fatal(err)
		}
		return v.Version
	}
	activate := func(version int64, who string) review.GateEvent {
		t.Helper()
		ev, err := a.ActivatePolicy(t.Context(), "refunds", version, person(who), "try")
		if err != nil {
			t.Fatal(err)
		}
		return ev
	}
	if ev := activate(add("enableAutoApply: true", "enableAutoApply: false"), "mallory"); ev.Proposed {
		t.Fatal("switching off takes a second person")
	}
	lax := add("highMin: 0.9", "highMin: 0.6", "enableAutoApply: true", "enableAutoApply: true\ntwo_people: false")
	if ev := activate(lax, "mallory"); !ev.Proposed {
		t.Fatal("one person loosened the gate alone")
	}
	if ev := activate(lax, "other"); ev.Proposed || ev.Seconded.ID != "mallory" {
		t.Fatalf("a second person isn't enough: %+v", ev)
	}
	if ev := activate(add("highMin: 0.9", "highMin: 0.5", "enableAutoApply: true", "enableAutoApply: true\ntwo_people: false"), "mallory"); ev.Proposed {
		t.Error("two people agreed that one is enough, and it isn't")
	}
}

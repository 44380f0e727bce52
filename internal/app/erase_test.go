package app_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

func supervisor(name string) review.Actor {
	a := person(name)
	a.Supervisor = true
	return a
}

func TestErasingKeepsTheLedger(t *testing.T) { onBoth(t, erasingKeepsTheLedger) }

func erasingKeepsTheLedger(t *testing.T, open opener) {
	a := open(t, app.Config{PolicyText: policyText("")})
	s := submit(t, a, certain, `{"to":"secret person"}`)
	if err := a.Label(t.Context(), s.Item, []byte(`"right"`), person("anna")); err != nil {
		t.Fatal(err)
	}
	if r := item(t, a, s.Item); len(r.Labels) != 1 || string(r.Labels[0].Value) != `"right"` {
		t.Fatalf("labels %+v", r.Labels)
	}
	refused := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	refused("can still be redeemed", a.Erase(t.Context(), s.Item, supervisor("anna"), "gdpr"))
	if _, err := a.Supervise(t.Context(), "refunds", person("anna"), ""); err != nil { // which voids it
		t.Fatal(err)
	}
	refused("no supervisor", a.Erase(t.Context(), s.Item, person("anna"), "gdpr"))
	refused("no supervisor", a.LegalHold(t.Context(), s.Item, true, person("anna"), "case 7"))
	if err := a.LegalHold(t.Context(), s.Item, true, supervisor("anna"), "case 7"); err != nil {
		t.Fatal(err)
	}
	refused("legal hold", a.Erase(t.Context(), s.Item, supervisor("anna"), "gdpr"))
	if err := a.LegalHold(t.Context(), s.Item, false, supervisor("anna"), "case 7"); err != nil {
		t.Fatal(err)
	}
	if err := a.GateLegalHold(t.Context(), "refunds", true, supervisor("anna"), "case 8"); err != nil {
		t.Fatal(err)
	}
	refused("legal hold", a.Erase(t.Context(), s.Item, supervisor("anna"), "gdpr"))
	if err := a.GateLegalHold(t.Context(), "refunds", false, supervisor("anna"), "case 8"); err != nil {
		t.Fatal(err)
	}
	waiting := submit(t, a, unsure, `{}`)
	refused("waits for people", a.Erase(t.Context(), waiting.Item, supervisor("anna"), "gdpr"))
	for range 2 { // twice is once
		if err := a.Erase(t.Context(), s.Item, supervisor("anna"), "gdpr"); err != nil {
			t.Fatal(err)
		}
	}
	r := item(t, a, s.Item)
	if !r.Erased || len(r.Input) > 0 || len(r.Action) > 0 || len(r.Decision) > 0 || len(r.Labels) != 1 || len(r.Labels[0].Value) > 0 || r.Salt != (review.Salt{}) {
		t.Errorf("left %+v", r)
	}
	refused("was erased", a.Label(t.Context(), s.Item, []byte(`"wrong"`), person("anna")))
	n := 0
	for _, e := range entries(t, a) {
		if e.Kind == ledger.KindErasure {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d erasures in the ledger", n)
	}
}

func TestShadowsBindNobody(t *testing.T) { onBoth(t, shadowsBindNobody) }

func shadowsBindNobody(t *testing.T, open opener) {
	a := open(t, app.Config{PolicyText: policyText("mode: shadow\n")})
	s, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Input: []byte(certain), Actual: "paid", Key: "k", By: person("shop")})
	if err != nil || !s.Shadow || s.Item != "" || s.Permit != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	again, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Input: []byte(certain), Actual: "paid", Key: "k", By: person("shop")})
	if err != nil || !again.Replayed || !again.Shadow {
		t.Fatalf("%+v, %v", again, err)
	}
	all, err := a.Shadows(t.Context(), "refunds", 10)
	if err != nil || len(all) != 1 || all[0].Actual != "paid" || all[0].Verdict != s.Verdict || !bytes.Equal(all[0].Decision, s.Decision) {
		t.Fatalf("%+v, %v", all, err)
	}
	if e := last(t, a, ledger.KindDecision); e.Act != "shadow" || e.IDs["item"] != "" {
		t.Errorf("entry %+v", e)
	}
	if list, err := a.List(t.Context(), app.Query{}); err != nil || len(list) != 0 {
		t.Errorf("items %+v, %v", list, err)
	}
}

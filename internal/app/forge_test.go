package app_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/review"
)

func TestNobodyActsUnderPawlsName(t *testing.T) {
	a := open(t, app.Config{PolicyText: policyText("")})
	s := submit(t, a, unsure, `1`)
	for name, by := range map[string]review.Person{
		"Pawl itself":       {ID: review.Pawl},
		"another case":      {ID: "PAWL", Known: review.KnownOIDC},
		"blanks around it":  {ID: " pawl", Known: review.KnownOIDC},
		"control character": {ID: "an\nna", Known: review.KnownOIDC},
	} {
		t.Run(name, func(t *testing.T) {
			by := review.Actor{Person: by, Queues: []string{"*"}, Supervisor: true, MayLoosen: true}
			_, stop := a.Stop(t.Context(), "refunds", by, "")
			_, ramp := a.SetRamp(t.Context(), "refunds", 0, by, "")
			_, act := a.ActivatePolicy(t.Context(), "refunds", 1, by, "")
			for act, err := range map[string]error{
				"label": a.Label(t.Context(), s.Item, []byte(`1`), by), "hold": a.LegalHold(t.Context(), s.Item, true, by, ""),
				"stop": stop, "ramp": ramp, "activate": act,
			} {
				var denied *review.DeniedError
				if !errors.As(err, &denied) {
					t.Errorf("%s: got %v", act, err)
				}
			}
		})
	}
	if ev, err := a.Trip(t.Context(), "refunds", "a watch"); err != nil || ev.Actor.ID != review.Pawl {
		t.Fatalf("got %+v, %v", ev, err)
	}
}

func TestTwoProcessesJoinTheSameAction(t *testing.T) {
	c := app.Config{DB: postgres(t), Key: filepath.Join(t.TempDir(), "ledger.key"), PolicyText: policyText("review: {join: same_action}\n")}
	both := []*app.App{open(t, c), open(t, c)}
	for range 10 {
		subject := t.Name() + submit(t, both[0], certain, `0`).Item
		items := make([]string, len(both))
		var wg sync.WaitGroup
		for k, a := range both {
			wg.Go(func() {
				s, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Subject: subject, Input: []byte(unsure), Action: []byte(`1`), By: person("shop" + string(rune('a'+k)))})
				if err != nil {
					t.Error(err)
				}
				items[k] = s.Item
			})
		}
		wg.Wait()
		if items[0] != items[1] {
			t.Fatalf("the same action waits twice: %v", items)
		}
	}
}

func TestAnUnreadablePolicyKeepsNoOthersFromTheirTurn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pawl.db")
	text := policyText("")
	text["other.pawl.yaml"] = "pawl: v1\ngate: other\nkind: threshold\nsignals:\n  score: {type: score, range: [0, 1]}\nbands:\n  score: {highMin: 0.9, reviewMin: 0.5}\nqueue: refunds\n"
	a, err := app.Open(t.Context(), app.Config{DB: file, PolicyText: text})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Submit(t.Context(), app.Submission{Gate: "other", Input: []byte(unsure), By: person("shop")}); err != nil {
		t.Fatal(err)
	}
	readable := submit(t, a, unsure, `1`)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE policies SET source = 'pawl: v0' WHERE gate = 'other'`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	a = open(t, app.Config{DB: file, PolicyText: text})
	out, found, err := a.Next(t.Context(), person("anna"), "")
	if err != nil || !found || out.Item.ID != readable.Item {
		t.Fatalf("got %s, %v, %v", out.Item.ID, found, err)
	}
	if _, err := a.Submit(t.Context(), app.Submission{Gate: "other", Input: []byte(certain), By: person("shop")}); err == nil {
		t.Fatal("an unreadable policy decided")
	}
}

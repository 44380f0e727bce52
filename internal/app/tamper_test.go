package app_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/ledger"
)

// Whoever can write to the database file can change what it says, and is found.
func TestAChangedDatabaseDoesNotVerify(t *testing.T) {
	c := app.Config{DB: filepath.Join(t.TempDir(), "shop.db"), PolicyText: policyText("")}
	a, err := app.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"shop", "mallory", "shop"} {
		if _, err := a.Submit(t.Context(), app.Submission{Gate: "refunds", Input: []byte(certain), By: person(who)}); err != nil {
			t.Fatal(err)
		}
	}
	keys := keysOf(t, a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(c.DB)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.ReplaceAll(file, []byte("mallory"), []byte("nobody1"))
	if bytes.Equal(file, changed) {
		t.Fatal("there is nothing to change")
	}
	if err := os.WriteFile(c.DB, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	r := open(t, app.Config{DB: c.DB, ReadOnly: true})
	var out bytes.Buffer
	if err := r.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	_, err = ledger.Verify(&out, keys, nil)
	var p ledger.Problem
	if !errors.As(err, &p) || p.Kind != ledger.Edit || p.First != 5 || p.Last != 5 {
		t.Fatalf("got %v", err)
	}
}

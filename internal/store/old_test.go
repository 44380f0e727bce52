package store_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx", to put an old database in place
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/internal/testenv"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// The keys that signed the old databases' ledger. Nothing else is signed with
// them.
const (
	oldPrivate = "PRIVATE+KEY+example.com/old+20a78d91+AcYEi35BEjS/Pu8ptotx3CWna0Z/PBN5/07jtpwsObY6"
	oldPublic  = "example.com/old+20a78d91+AasoWO+ba+9f6BNJiBtuvWerTHDaba59NUlaAW7vQN1C"
)

// TestAnOldDatabaseOpens opens databases as earlier versions wrote them. Files
// of later schemas are added; these stay.
func TestAnOldDatabaseOpens(t *testing.T) {
	for name, place := range map[string]func(t *testing.T) string{
		"v1.db": func(t *testing.T) string {
			raw, err := os.ReadFile("testdata/v1.db")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "pawl.db")
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		},
		"v1.sql": func(t *testing.T) string {
			url := testenv.Postgres(t)
			raw, err := os.ReadFile("testdata/v1.sql")
			if err != nil {
				t.Fatal(err)
			}
			pg, err := sql.Open("pgx", url)
			if err != nil {
				t.Fatal(err)
			}
			defer pg.Close()
			if _, err := pg.ExecContext(t.Context(), string(raw)); err != nil {
				t.Fatal(err)
			}
			return url
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, place(t), store.Options{MustExist: true})
			checkOld(t, db)
			// And it goes on.
			s, err := note.NewSigner(oldPrivate)
			if err != nil {
				t.Fatal(err)
			}
			update(t, db, func(tx *store.Tx) error {
				return errors.Join(tx.InsertRecord(record(t, "new", verdict.AutoApply)), tx.Append(decisionLeaf(t, "new")))
			})
			if _, err := db.Sequence(t.Context(), func(size int64, root tlog.Hash) ([]byte, error) {
				return ledger.Sign(ledger.Checkpoint{Origin: "example.com/old", Size: size, Root: root}, s)
			}); err != nil {
				t.Fatal(err)
			}
			keys, err := ledger.ParseKeys(oldPublic + "\n")
			if err != nil {
				t.Fatal(err)
			}
			verify(t, db, signer{keys: keys}, 3)
		})
	}
}

func checkOld(t *testing.T, db *store.DB) {
	t.Helper()
	view(t, db, func(tx *store.Tx) error {
		g, err := tx.Gate("g")
		if err != nil || g.State != review.GateSupervised || g.Version != 2 || g.Policy.Digest != "d" || string(g.RampKey) != "ramp" {
			t.Errorf("gate: %+v %v", g, err)
		}
		p, err := tx.Policy("g", 1)
		if err != nil || string(p.Source) != "x" || string(p.Files["a"]) != "1" {
			t.Errorf("policy: %+v %v", p, err)
		}
		a, err := tx.Record("auto")
		if err != nil || a.Item.Status != review.AutoApplied || a.Permit.State != review.PermitOpen || string(a.Item.Action) != `{"pay":5}` || a.Item.Created != start {
			t.Errorf("item: %+v %v", a, err)
		}
		r, err := tx.Record("human")
		if err != nil || r.Item.Status != review.PendingReview || r.Item.Lease == nil || r.Item.Lease.Holder != "ann" || r.Item.Version != 2 {
			t.Errorf("item: %+v %v", r, err)
		}
		events, err := tx.Events("human")
		if err != nil || len(events) != 2 || events[1].Act != review.ActClaim {
			t.Errorf("events: %+v %v", events, err)
		}
		first, item, err := tx.Key("g", "c", "k")
		if err != nil || item != "auto" || string(first.Answer) != "answer" {
			t.Errorf("key: %+v %s %v", first, item, err)
		}
		labels, err := tx.Labels("auto")
		if err != nil || len(labels) != 1 || string(labels[0].Body) != "right" {
			t.Errorf("labels: %+v %v", labels, err)
		}
		x, err := tx.Execution("auto", "shop")
		if err != nil || string(x.Key) != "key" {
			t.Errorf("execution: %+v %v", x, err)
		}
		b, err := tx.Blob(review.BodyDigest([]byte("blob")))
		if err != nil || string(b) != "blob" {
			t.Errorf("blob: %q %v", b, err)
		}
		sh, err := tx.Shadows("g", 9)
		if err != nil || len(sh) != 1 || string(sh[0].Actual) != "done" {
			t.Errorf("shadows: %+v %v", sh, err)
		}
		m, err := tx.Meta("m")
		if err != nil || !strings.HasPrefix(string(m), "value") {
			t.Errorf("meta: %q %v", m, err)
		}
		return nil
	})
}

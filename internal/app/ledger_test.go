package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/app"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// keysOf returns the public keys of a ledger.
func keysOf(t *testing.T, a *app.App) []ledger.Key {
	t.Helper()
	list, err := a.PublicKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keys, err := ledger.ParseKeys(list)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// entries exports the ledger, verifies it and returns its entries.
func entries(t *testing.T, a *app.App) []ledger.Entry {
	t.Helper()
	var out bytes.Buffer
	if err := a.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Verify(bytes.NewReader(out.Bytes()), keysOf(t, a), nil); err != nil {
		t.Fatal(err)
	}
	var all []ledger.Entry
	for line := range strings.Lines(out.String()) {
		if k := strings.Index(line, `,"leaf":`); k > 0 {
			e, err := ledger.Parse([]byte(strings.TrimSuffix(line[k+len(`,"leaf":`):], "}\n")))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
	}
	return all
}

// last returns the newest entry of a kind.
func last(t *testing.T, a *app.App, kind ledger.Kind) ledger.Entry {
	t.Helper()
	all := entries(t, a)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Kind == kind {
			return all[i]
		}
	}
	t.Fatalf("no entry of kind %s", kind)
	return ledger.Entry{}
}

func TestTheLedgerHoldsWhatWasAnswered(t *testing.T) { onBoth(t, theLedgerHoldsWhatWasAnswered) }

func theLedgerHoldsWhatWasAnswered(t *testing.T, open opener) {
	a := open(t, app.Config{PolicyText: policyText("")})
	for i := range 20 {
		submit(t, a, certain, fmt.Sprintf(`{"n":%d}`, i))
	}
	count := map[ledger.Kind]int{}
	for _, e := range entries(t, a) {
		count[e.Kind]++
	}
	if count[ledger.KindStart] != 1 || count[ledger.KindDecision] != 20 || count[ledger.KindPolicy] != 2 || count[ledger.KindGateState] != 1 {
		t.Fatalf("entries %v", count)
	}
}

func TestAnEntryIsProven(t *testing.T) { onBoth(t, anEntryIsProven) }

func anEntryIsProven(t *testing.T, open opener) {
	a := open(t, app.Config{PolicyText: policyText("")})
	var ids []string
	for range 5 {
		ids = append(ids, submit(t, a, unsure, `{}`).Item)
	}
	before, err := a.Sequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	claim(t, a, ids[2], "anna")
	for seq, kind := range map[int64]ledger.Kind{1: ledger.KindDecision, 2: ledger.KindEvent} {
		proof, leaf, err := a.ProveItem(t.Context(), ids[2], seq)
		if err != nil {
			t.Fatal(err)
		}
		c, err := proof.Check(leaf, keysOf(t, a))
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckRecord(proof.Hashes, c.Size, c.Root, proof.Index, tlog.RecordHash(leaf)); err != nil {
			t.Fatal(err)
		}
		e, err := ledger.Parse(leaf)
		if err != nil || e.Kind != kind || e.IDs["item"] != ids[2] || e.Numbers["seq"] != seq {
			t.Fatalf("proved %s: %v", leaf, err)
		}
	}
	now, err := a.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proof, err := a.ProveConsistency(t.Context(), before.Size, now.Size)
	if err != nil {
		t.Fatal(err)
	}
	if err := tlog.CheckTree(proof, now.Size, now.Root, before.Size, before.Root); err != nil {
		t.Fatal(err)
	}
	for name, prove := range map[string]func() error{
		"an item that isn't there":    func() error { _, _, err := a.ProveItem(t.Context(), "nobody", 1); return err },
		"an event that isn't there":   func() error { _, _, err := a.ProveItem(t.Context(), ids[0], 9); return err },
		"an index beyond the end":     func() error { _, _, err := a.ProveIndex(t.Context(), 1000); return err },
		"a negative index":            func() error { _, _, err := a.ProveIndex(t.Context(), -1); return err },
		"a size beyond the end":       func() error { _, err := a.ProveConsistency(t.Context(), 1, 1000); return err },
		"a smaller size than it was":  func() error { _, err := a.ProveConsistency(t.Context(), 3, 2); return err },
		"that it begins with nothing": func() error { _, err := a.ProveConsistency(t.Context(), 0, 2); return err },
	} {
		if err := prove(); !errors.Is(err, app.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheKeyIsOfItsOwner(t *testing.T) {
	dir := t.TempDir()
	c := app.Config{DB: filepath.Join(dir, "shop.db"), PolicyText: policyText("")}
	a, err := app.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, a)[0].Verifier.Name(); got != "pawl.local/shop.db" {
		t.Errorf("origin %s", got)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	key := c.DB + ".key"
	info, err := os.Stat(key)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.ParseKeys(string(public)); err != nil {
		t.Fatal(err)
	}
	refused := func(want string) {
		t.Helper()
		a, err := app.Open(t.Context(), c)
		if err == nil {
			t.Fatal("opened", a.Close())
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := os.Chmod(key, 0o640); err != nil {
		t.Fatal(err)
	}
	refused("others may read")
	if err := os.Rename(key, key+".away"); err != nil {
		t.Fatal(err)
	}
	refused("is missing")
	other := app.Config{DB: filepath.Join(dir, "other.db"), Origin: "pawl.local/shop.db"}
	b, err := app.Open(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other.DB+".key", key); err != nil {
		t.Fatal(err)
	}
	refused("isn't the one that signs")
	if err := os.WriteFile(key, []byte("PRIVATE+KEY+secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("isn't a private key")
}

func TestReadingNeedsNoKeyAndWritesNothing(t *testing.T) {
	dir := t.TempDir()
	c := app.Config{DB: filepath.Join(dir, "shop.db"), PolicyText: policyText("")}
	a, err := app.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	submit(t, a, certain, `{}`)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(c.DB + ".key"); err != nil {
		t.Fatal(err)
	}
	r := open(t, app.Config{DB: c.DB, ReadOnly: true})
	if n := len(entries(t, r)); n != 5 {
		t.Errorf("%d entries", n)
	}
	if _, err := r.Supervise(t.Context(), "refunds", person("anna"), ""); err == nil {
		t.Error("a reader wrote")
	}
}

func TestCheckpointsAreKeptElsewhere(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "elsewhere")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "kept")
	c := app.Config{DB: filepath.Join(dir, "shop.db"), PolicyText: policyText(""), CheckpointTo: []string{folder, file}}
	a := open(t, c)
	submit(t, a, certain, `{}`)
	head, err := a.Sequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(folder, "pawl.local_shop.db.checkpoint"), file} {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, head.Checkpoint) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestARestoredDatabaseVoidsOpenPermits(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	c := app.Config{DB: filepath.Join(dir, "shop.db"), PolicyText: policyText(""), CheckpointTo: []string{kept}}
	a, err := app.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	old := submit(t, a, certain, `{}`)
	backup := filepath.Join(dir, "backup.db")
	if err := a.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := a.Backup(t.Context(), backup); err == nil {
		t.Error("a backup was replaced")
	}
	submit(t, a, certain, `{}`) // what is lost
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := app.Restore(t.Context(), backup, c.DB); err == nil {
		t.Fatal("a database was replaced")
	}
	lost, err := filepath.Glob(c.DB + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range lost {
		if !strings.Contains(f, ".key") {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := app.Restore(t.Context(), backup, c.DB); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Open(t.Context(), c); !errors.Is(err, app.ErrRestored) {
		t.Fatalf("opened an old database: %v", err)
	}
	marked := c
	marked.CheckpointTo = nil
	if _, err := app.Open(t.Context(), marked); !errors.Is(err, app.ErrRestored) {
		t.Fatalf("opened a marked database: %v", err)
	}
	c.Restored = true
	a, err = app.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if p := item(t, a, old.Item).Permit; p == nil || p.State != review.PermitVoided || p.Void != review.VoidRestored {
		t.Errorf("permit %+v", p)
	}
	_, err = a.Redeem(t.Context(), app.Redemption{Item: old.Item, Action: []byte(`{}`), Key: bytes.Repeat([]byte{7}, 16), Effect: review.EffectApply})
	wantRefusal(t, err, review.RefusedVoided)
	if e := last(t, a, ledger.KindRestore); e.Numbers["lost_size"] == 0 {
		t.Errorf("entry %+v", e)
	}
	if e := last(t, a, ledger.KindPermitVoided); e.IDs["item"] != old.Item {
		t.Errorf("entry %+v", e)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	c.Restored = false
	open(t, c) // it counts once
}

func TestAChangedBackupIsNotRestored(t *testing.T) {
	dir := t.TempDir()
	a := open(t, app.Config{DB: filepath.Join(dir, "shop.db"), PolicyText: policyText("")})
	submit(t, a, certain, `{}`)
	first, second := filepath.Join(dir, "1.db"), filepath.Join(dir, "2.db")
	if err := a.Backup(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	submit(t, a, certain, `{}`)
	if err := a.Backup(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(first+".checkpoint", second+".checkpoint"); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "restored.db")
	for _, from := range []string{first, second} { // one has no checkpoint, one another's
		if err := app.Restore(t.Context(), from, to); err == nil {
			t.Errorf("restored from %s", from)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*restored*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

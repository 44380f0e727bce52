package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
)

var now = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

// judge decides about a skill of the example in dir, with the evidence there.
func judge(t *testing.T, dir, name string) policy.PromotionResult {
	t.Helper()
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	f, err := policy.ParseFiles("skills.pawl.yaml", read("skills.pawl.yaml"), os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	a := promotion.Read(name, os.DirFS(filepath.Join(dir, name)), ".", f.Promotion.Limits())
	digest := ""
	if snapshot, err := a.Snapshot(); err == nil {
		digest = snapshot.Digest
	}
	ev := evidence.Open(read("tidy.evidence.dsse.json"), f.Promotion.Keys(), digest, now)
	return f.Promotion.Judge(a, &ev)
}

func TestTidyIsPromotedAlone(t *testing.T) {
	r := judge(t, "..", "tidy")
	if r.Terminal != promotion.AutoPromote || r.Verdict != verdict.AutoApply {
		t.Errorf("%s\n(if tidy was changed: go run ./examples/skills/sign)", r.AppendJSON(nil))
	}
}

func TestSyncNotesNeedsAPerson(t *testing.T) {
	r := judge(t, "..", "sync-notes")
	if r.Terminal != promotion.NeedsHuman || r.Stops[0].Guard != promotion.GuardTripwire || r.Queue != "skill-review" {
		t.Errorf("%s", r.AppendJSON(nil))
	}
	if !slices.Contains(r.Irreversible, "Bash") {
		t.Errorf("irreversible are %v, not Bash", r.Irreversible)
	}
}

// The command leaves an example behind that works as before, with another key.
func TestSigningAnew(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("..")); err != nil {
		t.Fatal(err)
	}
	before := judge(t, dir, "tidy")
	if err := run(dir); err != nil {
		t.Fatal(err)
	}
	after := judge(t, dir, "tidy")
	if after.Terminal != promotion.AutoPromote || after.Evidence.Key == before.Evidence.Key || after.Snapshot != before.Snapshot {
		t.Errorf("before %s\nafter  %s", before.AppendJSON(nil), after.AppendJSON(nil))
	}
}

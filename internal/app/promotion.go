package app

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// PromotionAction is the action of promoting a snapshot: {"promote": digest}.
func PromotionAction(digest string) []byte {
	return append(verdict.AppendString([]byte(`{"promote":`), digest), '}')
}

// judge asks a promotion policy. The snapshot is kept as a blob; the input names
// it, and holds the evidence as a text.
func (w *submitting) judge(f *policy.File) error {
	if w.s.Input != nil {
		return &review.InvalidError{Field: "input", Message: fmt.Sprintf("the gate %s decides about a snapshot and its evidence, nothing else", f.Gate)}
	}
	artefact, snapshot, err := promotion.ReadSnapshot(w.s.Subject, w.s.Snapshot, f.Promotion.Limits())
	if err != nil {
		return &review.InvalidError{Field: "snapshot", Message: err.Error(), Err: err}
	}
	var ev *promotion.Evidence
	if w.s.Evidence != nil {
		opened := evidence.Open(w.s.Evidence, f.Promotion.Keys(), snapshot.Digest, w.app.now())
		ev = &opened
	}
	w.result = f.JudgeArtefact(artefact, ev)
	w.blob, w.digest = w.s.Snapshot, review.Digest(sha256.Sum256(w.s.Snapshot))
	w.input = append(verdict.AppendString([]byte(`{"blob":`), w.digest.String()), `,"evidence":`...)
	w.input = verdict.AppendString(w.input, string(w.s.Evidence))
	w.input = append(verdict.AppendString(append(w.input, `,"snapshot":`...), snapshot.Digest), '}')
	w.action = w.s.Action
	if len(w.action) == 0 {
		w.action = PromotionAction(snapshot.Digest)
	}
	return nil
}

func (a *App) now() time.Time {
	if a.cfg.Clock != nil {
		return a.cfg.Clock()
	}
	return time.Now()
}

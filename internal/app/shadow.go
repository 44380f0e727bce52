package app

import (
	"context"
	"strconv"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/verdict"
)

// recordShadow records a decision beside the caller's own: no item, no permit,
// and nothing may be done on it.
func (a *App) recordShadow(tx *store.Tx, w *submitting) error {
	by := w.s.By.Person
	if err := checkPerson(by, "submit"); err != nil {
		return err
	}
	ref := w.gate.policy.ref
	s := &store.Shadow{
		ID: w.id, Gate: w.s.Gate, Subject: w.s.Subject, Policy: ref, Engine: policy.Engine, Seed: w.own.seed,
		Verdict: string(w.result.Verdict), Input: w.input, Decision: w.result.Native, Actual: []byte(w.s.Actual), By: by, At: tx.Now(),
	}
	e := ledger.Entry{
		Kind: ledger.KindDecision, Act: "shadow", Gate: s.Gate, Verdict: w.result.Verdict, Person: by.ID, Known: known(by),
		IDs:         map[string]string{"shadow": s.ID},
		Versions:    map[string]string{"engine": s.Engine, "policy": strconv.FormatInt(ref.Version, 10)},
		Digests:     map[string]string{"policy": ref.Digest},
		Commitments: map[string]ledger.Commitment{},
	}
	if w.result.Malformed {
		e.Kind = ledger.KindFault
	}
	for name, body := range map[string][]byte{bodyName(w.gate.policy.file.Kind): s.Input, "decision": s.Decision, "actual": s.Actual} {
		from := name
		if body == nil {
			continue
		}
		if name != "decision" && name != "actual" {
			from = "input"
		}
		c, err := commit(s.Seed, from, body)
		if err != nil {
			return err
		}
		e.Commitments[name] = c
	}
	if err := tx.PutShadow(s); err != nil {
		return err
	}
	if err := write(tx, e); err != nil {
		return err
	}
	w.answer = Submitted{
		Gate: s.Gate, Verdict: w.result.Verdict, Risk: w.result.Risk, Reasons: w.result.Reasons, Decision: s.Decision,
		Policy: ref, Engine: s.Engine, Malformed: w.result.Malformed, Shadow: true,
	}
	return w.keep(tx)
}

// Shadows returns decisions that were recorded beside the caller's own, the newest
// first.
func (a *App) Shadows(ctx context.Context, gate string, limit int) (all []Shadowed, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		if _, err := tx.Gate(gate); err != nil {
			return notFound(err, "there is no gate %.60q", gate)
		}
		rows, err := tx.Shadows(gate, limit)
		all = make([]Shadowed, len(rows))
		for i, s := range rows {
			all[i] = Shadowed{ID: s.ID, Gate: s.Gate, Subject: s.Subject, Verdict: verdict.Verdict(s.Verdict), Decision: s.Decision, Actual: string(s.Actual), Policy: s.Policy, At: s.At}
		}
		return err
	})
	return all, err
}

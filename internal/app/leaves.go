package app

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// write appends an entry to the ledger, as of the transaction's time unless it
// has one of its own.
func write(tx *store.Tx, e ledger.Entry) error {
	if e.At == 0 {
		e.At = tx.Now().UnixMicro()
	}
	leaf, err := e.Encode()
	if err != nil {
		return fmt.Errorf("the ledger can't hold this: %w", err)
	}
	return tx.Append(leaf)
}

func known(p review.Person) ledger.Known {
	if p.ID == review.Pawl {
		return ""
	}
	return ledger.Known(p.Known)
}

// bodyName is what the ledger calls the input of a gate of this kind.
func bodyName(kind string) string {
	switch kind {
	case policy.KindCase:
		return "case"
	case policy.KindPromotion:
		return "snapshot"
	}
	return "signals"
}

// commitments bind the bodies of an item.
type commitments struct{ input, decision ledger.Commitment }

func bind(seed [32]byte, i *review.Item) (c commitments, err error) {
	if c.input, err = commit(seed, "input", i.Input); err != nil {
		return c, err
	}
	c.decision, err = commit(seed, "decision", i.Decision)
	return c, err
}

// decisionEntry is the entry of a new item that a gate decided.
func decisionEntry(r *store.Record, c commitments, epoch int64, malformed bool) ledger.Entry {
	i := &r.Item
	e := ledger.Entry{
		Kind: ledger.KindDecision, At: r.Opening.At.UnixMicro(), Gate: i.Gate, Verdict: i.Verdict,
		Person: i.Submitters[0].Person.ID, Known: known(i.Submitters[0].Person),
		IDs:         map[string]string{"item": i.ID},
		Versions:    map[string]string{"engine": i.Engine, "policy": strconv.FormatInt(i.Policy.Version, 10)},
		Digests:     map[string]string{"policy": i.Policy.Digest, "action": i.Digest.String()},
		Numbers:     map[string]int64{"seq": 1, "epoch": epoch},
		Commitments: map[string]ledger.Commitment{bodyName(r.Kind): c.input, "decision": c.decision},
	}
	switch {
	case malformed:
		e.Kind, e.Act = ledger.KindFault, string(verdict.InputMalformed)
	case r.Opening.Reason != "":
		e.Act = r.Opening.Reason // why it isn't automatic
	}
	if r.Permit != nil {
		e.Numbers["permit_expires"] = r.Permit.Expires.UnixMicro()
	}
	return e
}

// eventEntry is the entry of an act on an item. It has all of the event but its
// note, to which it commits.
func eventEntry(seed [32]byte, gate string, ev *review.Event) (ledger.Entry, error) {
	e := ledger.Entry{
		Kind: ledger.KindEvent, At: ev.At.UnixMicro(), Gate: gate, Act: string(ev.Act),
		Person: ev.Actor.ID, Known: known(ev.Actor),
		IDs:     map[string]string{"item": ev.Item},
		Numbers: map[string]int64{"seq": ev.Seq},
	}
	for name, id := range map[string]string{"link": ev.Link, "reason": ev.Reason, "queue": ev.Queue, "assigned": ev.Person, "status": string(ev.To)} {
		if id != "" {
			e.IDs[name] = id
		}
	}
	if ev.Token != 0 {
		e.Numbers["token"] = ev.Token
	}
	if !ev.Until.IsZero() {
		e.Numbers["until"] = ev.Until.UnixMicro()
	}
	if ev.Digest != (review.Digest{}) {
		e.Digests = map[string]string{"action": ev.Digest.String()}
	}
	if ev.Note != "" {
		note, err := commit(seed, "note/"+strconv.FormatInt(ev.Seq, 10), []byte(ev.Note))
		if err != nil {
			return ledger.Entry{}, err
		}
		e.Commitments = map[string]ledger.Commitment{"note": note}
	}
	return e, nil
}

// permitEntry is the entry of a permit that was redeemed, reported or voided:
// its state says which.
func permitEntry(seed [32]byte, p *review.Permit) (ledger.Entry, error) {
	e := ledger.Entry{
		At: p.LastAt.UnixMicro(), Gate: p.Gate,
		IDs:     map[string]string{"item": p.Item, "permit": p.Item},
		Digests: map[string]string{"action": p.Digest.String()},
		Numbers: map[string]int64{"permit_version": p.Version},
	}
	switch p.State {
	case review.PermitGranted:
		e.Kind, e.Act = ledger.KindPermitGranted, string(p.Effect)
	case review.PermitDone, review.PermitFailed:
		e.Kind, e.Act = ledger.KindPermitReported, string(p.State)
		result, err := commit(seed, "result", p.Result)
		if err != nil {
			return ledger.Entry{}, err
		}
		e.Commitments = map[string]ledger.Commitment{"result": result}
	case review.PermitVoided:
		e.Kind, e.Act = ledger.KindPermitVoided, string(p.Void)
	default:
		return ledger.Entry{}, fmt.Errorf("a permit that is %s has no entry", p.State)
	}
	if p.GrantedTo != "" {
		e.IDs["executor"] = p.GrantedTo
	}
	return e, nil
}

// gateEntry is the entry of a change of a gate, or of a proposal of one. The
// cause is bound by the gate's own secret.
func gateEntry(rampKey []byte, ev *review.GateEvent, epoch int64) (ledger.Entry, error) {
	e := ledger.Entry{
		Kind: ledger.KindGateState, At: ev.At.UnixMicro(), Gate: ev.Gate, Act: "set",
		Person: ev.Actor.ID, Known: known(ev.Actor),
		IDs:     map[string]string{"state": string(ev.To.State)},
		Numbers: map[string]int64{"seq": ev.Seq, "epoch": epoch, "ramp": int64(ev.To.Ramp), "policy": ev.To.Policy.Version},
	}
	switch {
	case ev.Proposed:
		e.Act = "propose"
	case ev.From.State != ev.To.State:
		e.Act = string(ev.To.State)
	case ev.From.Policy != ev.To.Policy:
		e.Act = "policy"
	case ev.From.Ramp != ev.To.Ramp:
		e.Act = "ramp"
	case ev.To.Shadow:
		e.Act = "shadow"
	case ev.From.Shadow:
		e.Act = "binding"
	}
	if ev.To.Shadow {
		e.Numbers["shadow"] = 1
	}
	if ev.Seconded.ID != "" {
		e.IDs["proposer"] = ev.Seconded.ID
	}
	if ev.To.Policy.Digest != "" {
		e.Digests = map[string]string{"policy": ev.To.Policy.Digest}
	}
	if ev.Cause != "" {
		cause, err := commit(sha256.Sum256(rampKey), "cause/"+strconv.FormatInt(ev.Seq, 10), []byte(ev.Cause))
		if err != nil {
			return ledger.Entry{}, err
		}
		e.Commitments = map[string]ledger.Commitment{"cause": cause}
	}
	return e, nil
}

// policyEntry is the entry of a policy version that was added or activated. The
// digest binds what it says; its text, comments and all, is bound beside it.
func policyEntry(p *store.Policy, act string, by review.Person, at time.Time) ledger.Entry {
	return ledger.Entry{
		Kind: ledger.KindPolicy, At: at.UnixMicro(), Gate: p.Gate, Act: act, Person: by.ID, Known: known(by),
		Versions: map[string]string{"engine": p.Engine, "policy": strconv.FormatInt(p.Version, 10)},
		Digests:  map[string]string{"policy": p.Digest, "text": review.Digest(sha256.Sum256(p.Source)).String()},
	}
}

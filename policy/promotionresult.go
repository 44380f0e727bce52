package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
)

// PromotionResult is what became of one artefact: where its promotion ended,
// the verdict with its queue, and what it rests on.
type PromotionResult struct {
	promotion.Decision
	Verdict verdict.Verdict
	Queue   string // empty for auto_apply, or if the policy names none
	// Held says why an auto_promote waits for a person all the same; else it is
	// empty.
	Held     string
	Snapshot string // the digest of what was decided, empty if there is none
	// Evidence is what was said of the snapshot; if it doesn't count, it says only
	// why. Nil if the inputs were given as they are.
	Evidence *promotion.Evidence
	// Irreversible are the tools whose effects can't be taken back that the scan
	// found, sorted.
	Irreversible []string
	Tripwire     *promotion.TripwireResult // nil if none ran
}

// Judge decides about an artefact: it scans it, takes its snapshot and folds
// both with what the evidence says of that snapshot. It always decides; what is
// missing needs a person. A nil ev is none.
//
// The evidence counts if it was opened for this snapshot, with a key that the
// policy lists. That it hasn't expired is for who opened it to see. It can't say
// what only a scan can: its tripwire isn't looked at, and an irreversible tool
// that the scan finds stays one.
func (p *Promotion) Judge(a *promotion.Artefact, ev *promotion.Evidence) PromotionResult {
	if a == nil {
		a = &promotion.Artefact{Findings: []promotion.Finding{{Kind: promotion.KindUnread, Offset: -1, Detail: "there is no artefact"}}}
	}
	scan := p.scanner.Scan(a)
	digest := ""
	snapshot, err := a.Snapshot()
	if err == nil {
		digest = snapshot.Digest
	}
	counted := promotion.Evidence{}
	if err := p.counts(ev, digest, err); err != nil {
		counted.Fault = err.Error()
		counted.Malformed = ev != nil && ev.Malformed
	} else {
		counted = *ev
	}
	in := counted.Inputs
	in.Tripwire = &scan.Tripwire
	if len(scan.Irreversible) > 0 {
		in.TouchesIrreversibleTool = promotion.Yes
	}
	r := p.Decide(in)
	r.Snapshot, r.Evidence, r.Irreversible = digest, &counted, scan.Irreversible
	return r
}

// counts says why evidence doesn't count for a snapshot: snapshotErr is why
// there is none.
func (p *Promotion) counts(ev *promotion.Evidence, digest string, snapshotErr error) error {
	switch {
	case snapshotErr != nil:
		return fmt.Errorf("there is no snapshot that evidence could be for: %w", snapshotErr)
	case ev == nil:
		return errors.New("no evidence was given")
	case ev.Fault != "" || ev.Malformed:
		return errors.New(cmp.Or(ev.Fault, "the evidence is malformed"))
	case digest == "" || ev.Digest != digest:
		return fmt.Errorf("the evidence was checked for another snapshot: for %s, and this one is %s", orNone(ev.Digest), orNone(digest))
	case !slices.ContainsFunc(p.keys, func(k promotion.Key) bool { return k.ID == ev.Key }):
		return errors.New("no key that the policy lists has signed the evidence")
	default:
		return nil
	}
}

// Decide folds inputs as they are given, whoever gives them, and says what the
// policy makes of the answer. [Promotion.Judge] takes nobody's word.
func (p *Promotion) Decide(in promotion.Inputs) PromotionResult {
	r := PromotionResult{Decision: promotion.Decide(in, p.options), Verdict: verdict.RouteToHuman, Tripwire: in.Tripwire}
	if r.Terminal != promotion.AutoPromote {
		r.Queue = p.queues[r.Terminal]
		return r
	}
	switch {
	case !p.autoApply:
		r.Held = "the policy promotes nothing alone: enableAutoApply isn't true"
	case len(p.keys) == 0:
		r.Held = "the policy promotes nothing alone: it lists no evidence key"
	default:
		r.Verdict = verdict.AutoApply
		return r
	}
	r.Queue = p.queues[promotion.NeedsHuman]
	return r
}

// AppendResult appends a result as a JSON object with what it was made by:
// {"id", "gate", "policy", "engine", "result"}. Id is left out if it is nil.
func (p *Promotion) AppendResult(dst, id []byte, r *PromotionResult) []byte {
	dst = appendResultHead(dst, 0, id, p.prefix)
	return append(r.AppendJSON(dst), '}')
}

// AppendJSON appends the result as {"terminal", "verdict", "queue"?, "held"?,
// "guard"?, "others", "stops", "kinds", "snapshot", "evidence", "irreversible",
// "tripwire"}. Guard is the first that stopped it, others are those that would
// have, too. Snapshot is null if there is none, evidence if the inputs were
// given as they are, tripwire if none ran.
func (r *PromotionResult) AppendJSON(dst []byte) []byte {
	text := func(name, s string) {
		dst = append(append(append(dst, '"'), name...), `":`...)
		dst = append(verdict.AppendString(dst, s), ',')
	}
	dst = append(dst, '{')
	text("terminal", string(r.Terminal))
	text("verdict", string(r.Verdict))
	if r.Queue != "" {
		text("queue", r.Queue)
	}
	if r.Held != "" {
		text("held", r.Held)
	}
	dst = r.AppendStops(dst)
	dst = append(dst, `,"snapshot":`...)
	if r.Snapshot == "" {
		dst = append(dst, "null"...)
	} else {
		dst = verdict.AppendString(dst, r.Snapshot)
	}
	dst = appendEvidence(append(dst, `,"evidence":`...), r.Evidence)
	dst = verdict.AppendStrings(append(dst, `,"irreversible":`...), r.Irreversible)
	return append(r.Tripwire.AppendJSON(append(dst, `,"tripwire":`...)), '}')
}

// guards names what stopped the promotion, in the order of the guards.
func (r *PromotionResult) guards() []string {
	guards := make([]string, len(r.Stops))
	for i, s := range r.Stops {
		guards[i] = string(s.Guard)
	}
	return guards
}

func appendEvidence(dst []byte, ev *promotion.Evidence) []byte {
	switch {
	case ev == nil:
		return append(dst, "null"...)
	case ev.Fault != "":
		dst = append(dst, `{"counts":false,"fault":`...)
		return append(verdict.AppendString(dst, ev.Fault), '}')
	default:
		dst = append(dst, `{"counts":true,"key":`...)
		dst = verdict.AppendString(dst, ev.Key)
		dst = append(dst, `,"expires":`...)
		return append(verdict.AppendString(dst, ev.Expires.Format(time.RFC3339Nano)), '}')
	}
}

// MarshalJSON returns what AppendJSON appends.
func (r PromotionResult) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

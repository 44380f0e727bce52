package review

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"
)

// PermitState is how far a permit has come.
type PermitState string

// The states of a permit: open, granted, then done or failed; or open, then
// void. Granted and not yet reported is in doubt.
const (
	PermitOpen    PermitState = "open"
	PermitGranted PermitState = "granted"
	PermitDone    PermitState = "done"
	PermitFailed  PermitState = "failed"
	PermitVoided  PermitState = "voided"
)

// Void is why a permit is void.
type Void string

// The reasons for a permit to be void.
const (
	VoidGate       Void = "gate"       // the gate was tightened, or has another policy
	VoidSuperseded Void = "superseded" // another item took its item's place
	VoidOverturned Void = "overturned" // its item is decided anew
	VoidRestored   Void = "restored"   // the database was restored from a backup
)

// Permit lets one executor act on an ended item, once. It is a value; [Grant],
// [Report] and [Revoke] return changed copies.
type Permit struct {
	Item      string
	Gate      string
	Digest    Digest
	Effect    Effect
	Audience  []string  // the executors that may redeem
	Expires   time.Time // when it can't be redeemed any more
	Automatic bool      // of a decision that no person made
	Epoch     int64     // of the gate when an automatic decision was made

	State      PermitState
	Version    int64
	LastAt     time.Time // of the last change
	KeyHash    Digest    // of the redemption key, once granted
	GrantedTo  string
	GrantedAt  time.Time
	ReportedAt time.Time
	Result     []byte // what the executor reported
	Void       Void
}

// newPermit makes the permit of an item that has just ended. Its life counts
// from what the clock says, even if that is before the last event: of two
// readings a permit ends at the earlier one.
func newPermit(i *Item, r *Rules, now, at time.Time) *Permit {
	return &Permit{
		Item: i.ID, Gate: i.Gate, Digest: i.Digest, Effect: i.Status.Effect(), Audience: slices.Clone(r.Audience),
		Expires: now.Add(r.permitLife()), State: PermitOpen, Version: 1, LastAt: at,
	}
}

// InDoubt reports whether an executor has the permit and hasn't said what came
// of it.
func (p *Permit) InDoubt() bool { return p.State == PermitGranted }

// MinKey is how many bytes a redemption key has at least.
const MinKey = 16

// HashKey returns what is kept of a redemption key. The key is a secret that
// the executor made from a good source of randomness and keeps before it
// redeems.
func HashKey(item string, key []byte) (Digest, error) {
	if len(key) < MinKey {
		return Digest{}, invalid("key", "a redemption key has at least %d random bytes", MinKey)
	}
	h := sha256.New()
	number(h, int64(len(item)))
	h.Write([]byte(item))
	h.Write(key)
	return Digest(h.Sum(nil)), nil
}

// Refusal is why a permit isn't granted, reported or voided.
type Refusal string

// The refusals.
const (
	RefusedItem       Refusal = "item"     // the permit is of another item
	RefusedAudience   Refusal = "audience" // not for this executor
	RefusedKey        Refusal = "key"      // no redemption key
	RefusedRedeemed   Refusal = "redeemed" // with another key
	RefusedDigest     Refusal = "digest"   // of another action
	RefusedEffect     Refusal = "effect"   // the permit is for the other effect
	RefusedVoided     Refusal = "voided"
	RefusedSuperseded Refusal = "superseded"
	RefusedOverturned Refusal = "overturned"
	RefusedStopped    Refusal = "stopped" // the gate is
	RefusedExpired    Refusal = "expired"
	RefusedState      Refusal = "state" // it isn't in the state for it
)

// RefusedError says why a permit isn't granted. It never holds a key.
type RefusedError struct {
	Item    string
	Code    Refusal
	At      time.Time // when it was redeemed, voided or expired
	Void    Void
	Message string // for people
}

// Error returns the message.
func (e *RefusedError) Error() string { return e.Message }

// Redemption asks for a permit.
type Redemption struct {
	Item     string
	Digest   Digest // of the action that is about to run, see ActionDigest
	Effect   Effect // what the executor is about to do
	Executor string // who it is; one of the permit's audience
	KeyHash  Digest // see HashKey
}

// Granted is the answer to a redemption.
type Granted struct {
	Permit Permit // to be stored, unless Again
	// Again says that the same key redeemed it before: the executor tries again
	// after a crash. Permit.State and Result tell how far it came.
	Again bool
}

// Grant redeems a permit: once, by one key, for the action and effect that it
// is bound to. The same key again has the same answer, whatever happened since,
// so that an executor can go on after a crash. The error is a *[RefusedError].
func Grant(p Permit, item Item, r Redemption, gate Gate, now time.Time) (Granted, error) {
	at := later(later(stored(now), p.LastAt), item.LastAt)
	refuse := func(code Refusal, when time.Time, format string, args ...any) (Granted, error) {
		return Granted{}, &RefusedError{Item: p.Item, Code: code, At: when, Void: p.Void, Message: "not granted: " + fmt.Sprintf(format, args...)}
	}
	never := time.Time{}
	switch {
	case p.Item == "" || r.Item != p.Item || item.ID != p.Item || item.Gate != p.Gate || gate.Name != p.Gate:
		return refuse(RefusedItem, never, "permit, item and gate don't belong together")
	case r.Executor == "" || !slices.Contains(p.Audience, r.Executor):
		return refuse(RefusedAudience, never, "the permit isn't for the executor %.60q", r.Executor)
	case r.KeyHash == Digest{}:
		return refuse(RefusedKey, never, "a redemption key is needed")
	}
	redeemed := p.State == PermitGranted || p.State == PermitDone || p.State == PermitFailed
	switch {
	case redeemed && !(r.KeyHash.Equal(p.KeyHash) && r.Executor == p.GrantedTo):
		return refuse(RefusedRedeemed, p.GrantedAt, "it was redeemed at %s, with another key", p.GrantedAt.Format(time.RFC3339))
	case !r.Digest.Equal(p.Digest) || !redeemed && item.Digest != p.Digest:
		return refuse(RefusedDigest, never, "this isn't the action that was decided")
	case r.Effect == NoEffect || r.Effect != p.Effect || item.Status.Effect() != p.Effect:
		return refuse(RefusedEffect, never, "the permit is to %s, not to %s", p.Effect, cmp.Or(string(r.Effect), "do nothing"))
	case redeemed:
		return Granted{Permit: p, Again: true}, nil
	case p.State == PermitVoided:
		return refuse(RefusedVoided, p.LastAt, "it is void since %s (%s)", p.LastAt.Format(time.RFC3339), p.Void)
	case p.State != PermitOpen:
		return refuse(RefusedState, never, "it is %.20q", string(p.State))
	case item.SupersededBy != "":
		return refuse(RefusedSuperseded, never, "item %s took its place", item.SupersededBy)
	case item.OverturnedBy != "":
		return refuse(RefusedOverturned, never, "it is decided anew as item %s", item.OverturnedBy)
	case gate.State != GateLive && gate.State != GateSupervised:
		return refuse(RefusedStopped, gate.LastAt, "the gate %s is stopped", gate.Name)
	case gate.Voids(&p):
		p.Void = VoidGate
		return refuse(RefusedVoided, gate.LastAt, "the gate %s was tightened or has another policy since", gate.Name)
	case !at.Before(p.Expires):
		return refuse(RefusedExpired, p.Expires, "it expired at %s", p.Expires.Format(time.RFC3339))
	}
	p.State, p.KeyHash, p.GrantedTo, p.GrantedAt = PermitGranted, r.KeyHash, r.Executor, at
	p.LastAt = at
	p.Version++
	return Granted{Permit: p}, nil
}

const maxResult = 64 << 10

// Report ends the doubt: done, or failed, with a result of at most 64 KiB. Only
// who redeemed it can, with the same key. The same report again changes nothing
// (changed is false); another one is refused.
func Report(p Permit, keyHash Digest, state PermitState, result []byte, now time.Time) (next Permit, changed bool, err error) {
	refuse := func(code Refusal, when time.Time, format string, args ...any) (Permit, bool, error) {
		return Permit{}, false, &RefusedError{Item: p.Item, Code: code, At: when, Message: "not reported: " + fmt.Sprintf(format, args...)}
	}
	if state != PermitDone && state != PermitFailed {
		return Permit{}, false, &InvalidError{Field: "state", Message: fmt.Sprintf("a report says done or failed, not %.20q", string(state)), Allowed: []string{string(PermitDone), string(PermitFailed)}}
	}
	if len(result) > maxResult {
		return Permit{}, false, invalid("result", "%d bytes; %d are allowed", len(result), maxResult)
	}
	switch {
	case p.State == PermitOpen || p.State == PermitVoided:
		return refuse(RefusedState, p.LastAt, "nobody has redeemed the permit")
	case keyHash == Digest{} || !keyHash.Equal(p.KeyHash):
		return refuse(RefusedKey, p.GrantedAt, "another key redeemed it, at %s", p.GrantedAt.Format(time.RFC3339))
	case p.State == state && string(p.Result) == string(result):
		return p, false, nil
	case p.State != PermitGranted:
		return refuse(RefusedState, p.ReportedAt, "it was reported %s at %s", p.State, p.ReportedAt.Format(time.RFC3339))
	}
	p.State, p.Result = state, slices.Clone(result)
	p.ReportedAt = later(stored(now), p.LastAt)
	p.LastAt = p.ReportedAt
	p.Version++
	return p, true, nil
}

// Revoke makes an open permit void for good. One that is void already stays as
// it is (changed is false); one that was redeemed can't be called back.
func Revoke(p Permit, why Void, now time.Time) (next Permit, changed bool, err error) {
	switch p.State {
	case PermitVoided:
		return p, false, nil
	case PermitOpen:
		p.State, p.Void, p.LastAt = PermitVoided, why, later(stored(now), p.LastAt)
		p.Version++
		return p, true, nil
	}
	return Permit{}, false, &RefusedError{Item: p.Item, Code: RefusedRedeemed, At: p.GrantedAt, Message: "not voided: it was redeemed at " + p.GrantedAt.Format(time.RFC3339)}
}

package review

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/pawlgate/pawl/verdict"
)

// GateState is how much a gate may do alone.
type GateState string

// The states, each tighter than the one before. What isn't one of them counts
// as stopped.
const (
	GateLive       GateState = "live"
	GateSupervised GateState = "supervised" // every new decision goes to a person
	GateStopped    GateState = "stopped"    // and no permit is redeemed
)

func (s GateState) rank() int {
	switch s {
	case GateLive:
		return 0
	case GateSupervised:
		return 1
	}
	return 2
}

// FullRamp is the whole: every automatic decision stays automatic.
const FullRamp = 10_000

// Setting is what can be set of a gate. The zero value automates nothing.
type Setting struct {
	State GateState
	// Shadow records decisions beside the caller's own, without item or permit.
	Shadow bool
	// Ramp is which share of the automatic decisions stays automatic, of
	// FullRamp.
	Ramp   int
	Policy PolicyRef // the active version
}

// Gate is a gate's setting, with what it takes to change it. The zero value
// automates nothing, and nobody loosens it alone.
type Gate struct {
	Name string
	Setting
	// Epoch counts tightenings and policies: automatic decisions of an earlier
	// one can't be redeemed any more.
	Epoch int64
	// OnePerson lets one person alone loosen; otherwise it takes a second one.
	OnePerson bool
	// CountAsserted lets people loosen of whom only a name is known.
	CountAsserted bool
	Proposal      *Proposal // what waits for the second person
	Version       int64
	LastAt        time.Time
}

// Proposal is a loosening that one person asked for.
type Proposal struct {
	To     Setting
	By     Person
	MadeBy []string
	Until  time.Time
}

// ProposalLife is how long a proposal waits for the second person.
const ProposalLife = 24 * time.Hour

// GateEvent is one change of a gate, or a proposal of one.
type GateEvent struct {
	Gate     string
	Seq      int64 // the gate's version after it
	Actor    Person
	Seconded Person // who proposed it, if two people were needed
	From, To Setting
	Proposed bool   // nothing has changed yet
	Cause    string // why
	At       time.Time
}

// Codes of the reasons that a gate's setting gives for a person.
const (
	CodeSupervised verdict.Code = "gate_supervised"
	CodeRamp       verdict.Code = "gate_ramp"
)

// Settle returns the verdict that counts: the one that was decided, or
// route_to_human with the reason why. The key is the gate's secret for its
// ramp. It never makes a verdict automatic.
func (g *Gate) Settle(v verdict.Verdict, item string, rampKey []byte) (verdict.Verdict, []verdict.Reason) {
	if v != verdict.AutoApply && v != verdict.AutoReject {
		return verdict.RouteToHuman, nil
	}
	human := func(c verdict.Code, format string, args ...any) (verdict.Verdict, []verdict.Reason) {
		return verdict.RouteToHuman, []verdict.Reason{{Code: c, Message: fmt.Sprintf(format, args...), Source: verdict.SourceSafety, Subject: g.Name}}
	}
	switch {
	case g.State == GateSupervised:
		return human(CodeSupervised, "the gate is supervised: every decision goes to a person")
	case g.State != GateLive:
		return human(CodeSupervised, "the gate is stopped: every decision goes to a person, and no permit is redeemed")
	case !InRamp(rampKey, item, g.Ramp):
		return human(CodeRamp, "this is one of the decisions that the ramp of %d in %d leaves to a person", g.Ramp, FullRamp)
	}
	return v, nil
}

// InRamp reports whether an item belongs to the share (of [FullRamp]) that
// stays automatic. It is a keyed hash of the id: the same item gives the same
// answer, a larger share holds the smaller, and nobody without the key can
// choose an id that is in it. Without a key only the full ramp holds anything.
func InRamp(key []byte, item string, share int) bool {
	if share >= FullRamp {
		return true
	}
	if share <= 0 || len(key) == 0 {
		return false
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte("pawl ramp\x00"))
	h.Write([]byte(item))
	hi, _ := bits.Mul64(binary.BigEndian.Uint64(h.Sum(nil)), FullRamp)
	return hi < uint64(share)
}

// Voids reports whether the permit is void because of the gate: it is of an
// automatic decision, nobody has redeemed it, and since then the gate was
// tightened or got another policy, or isn't live.
func (g *Gate) Voids(p *Permit) bool {
	return p.Automatic && p.State == PermitOpen && (p.Epoch != g.Epoch || g.State != GateLive)
}

// Looser lists what makes a change of setting a loosening; nothing if it isn't
// one. That the new policy is structurally tighter is for the caller to know.
// Any change of shadow counts: off, Pawl's decisions begin to bind; on, people
// are no longer asked.
func Looser(from, to Setting, policyTighter bool) []string {
	var all []string
	if to.State.rank() < from.State.rank() {
		all = append(all, fmt.Sprintf("the gate goes from %s to %s", from.State, to.State))
	}
	if clampRamp(to.Ramp) > clampRamp(from.Ramp) {
		all = append(all, fmt.Sprintf("the ramp goes from %d to %d in %d", from.Ramp, to.Ramp, FullRamp))
	}
	if to.Shadow != from.Shadow {
		all = append(all, fmt.Sprintf("shadow goes from %t to %t", from.Shadow, to.Shadow))
	}
	if to.Policy != from.Policy && !policyTighter {
		all = append(all, "the policy isn't structurally tighter")
	}
	return all
}

func clampRamp(r int) int { return min(max(r, 0), FullRamp) }

// checkSetting refuses what would be read in two ways.
func checkSetting(s Setting) error {
	switch s.State {
	case GateLive, GateSupervised, GateStopped:
	default:
		return &InvalidError{Field: "state", Message: fmt.Sprintf("there is no state %.20q", string(s.State)), Allowed: []string{string(GateLive), string(GateSupervised), string(GateStopped)}}
	}
	if s.Ramp != clampRamp(s.Ramp) {
		return invalid("ramp", "%d isn't between 0 and %d", s.Ramp, FullRamp)
	}
	return nil
}

// change makes the setting count.
func (g Gate) change(to Setting, at time.Time) Gate {
	if to.State.rank() > g.State.rank() || to.Policy != g.Policy {
		g.Epoch++
	}
	g.Setting, g.Proposal, g.LastAt = to, nil, at
	g.Version++
	return g
}

// Tighten changes a gate in a way that loosens nothing, at once and by anybody:
// one person, or Pawl itself, whose cause is then a watch or a budget. It drops
// a proposal. If the gate is set so already, changed is false. What loosens
// something is a *[DeniedError].
func Tighten(g Gate, to Setting, policyTighter bool, by Person, cause string, now time.Time) (next Gate, e GateEvent, changed bool, err error) {
	if err := checkSetting(to); err != nil {
		return Gate{}, GateEvent{}, false, err
	}
	if by != byPawl {
		if err := by.Check("tighten"); err != nil {
			return Gate{}, GateEvent{}, false, err
		}
	}
	if badText(cause) {
		return Gate{}, GateEvent{}, false, invalid("cause", "%s", wantText)
	}
	if why := Looser(g.Setting, to, policyTighter); len(why) > 0 {
		return Gate{}, GateEvent{}, false, &DeniedError{Person: by.ID, Act: "tighten", Code: DeniedLoosening, Message: fmt.Sprintf("this loosens the gate, which takes the right to: %s", why[0])}
	}
	if to == g.Setting {
		return g, GateEvent{}, false, nil
	}
	at := later(stored(now), g.LastAt)
	next = g.change(to, at)
	return next, GateEvent{Gate: g.Name, Seq: next.Version, Actor: by, From: g.Setting, To: to, Cause: cause, At: at}, true, nil
}

// Loosen changes a gate in a way that loosens something. It takes a person with
// the right to; and unless one is enough for the gate, a second one who asks for
// the same within [ProposalLife]: until then the event is Proposed, and only
// the proposal has changed. Asking for something else makes a new proposal.
func Loosen(g Gate, to Setting, policyTighter bool, a Actor, cause string, now time.Time) (Gate, GateEvent, error) {
	deny := func(code Denied, format string, args ...any) (Gate, GateEvent, error) {
		return Gate{}, GateEvent{}, &DeniedError{Person: a.ID, Act: "loosen", Code: code, Message: fmt.Sprintf(format, args...)}
	}
	if err := checkSetting(to); err != nil {
		return Gate{}, GateEvent{}, err
	}
	if a.ID == Pawl {
		return deny(DeniedAutomatic, "nothing but a person loosens a gate")
	}
	if err := a.Check("loosen"); err != nil {
		return Gate{}, GateEvent{}, err
	}
	switch {
	case badText(cause):
		return Gate{}, GateEvent{}, invalid("cause", "%s", wantText)
	case !a.MayLoosen:
		return deny(DeniedRight, "%s has no right to loosen the gate %s", a.ID, g.Name)
	case a.Known == KnownAsserted && !g.CountAsserted:
		return deny(DeniedAsserted, "nobody checked that this is %s, and this gate counts checked people only", a.ID)
	case len(Looser(g.Setting, to, policyTighter)) == 0:
		return Gate{}, GateEvent{}, invalid("setting", "this loosens nothing; tighten the gate with it")
	}
	at := later(stored(now), g.LastAt)
	e := GateEvent{Gate: g.Name, Actor: a.Person, From: g.Setting, To: to, Cause: cause, At: at}
	p := g.Proposal
	if !g.OnePerson && (p == nil || p.To != to || !at.Before(p.Until)) {
		g.Proposal = &Proposal{To: to, By: a.Person, MadeBy: slices.Clone(a.MadeBy), Until: at.Add(ProposalLife)}
		g.Version++
		g.LastAt = at
		e.Seq, e.Proposed = g.Version, true
		return g, e, nil
	}
	if !g.OnePerson {
		switch {
		case same(p.By.ID, a.ID):
			return deny(DeniedSecond, "%s proposed this; another person with the right to must agree", a.ID)
		case dependent(a.ID, a.MadeBy, p.By.ID, p.MadeBy):
			return deny(DeniedMadeBy, "the accounts of %s and %s aren't independent: one made the other or gave it its role; a third person is needed", a.ID, p.By.ID)
		}
		e.Seconded = p.By
	}
	next := g.change(to, at)
	e.Seq = next.Version
	return next, e, nil
}

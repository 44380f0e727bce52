package pawl

import (
	"context"
)

// Gate returns a gate's setting, or ErrNotFound.
func (p *Pawl) Gate(ctx context.Context, name string) (Gate, error) {
	return p.app.Gate(ctx, name)
}

// Gates returns all gates by name.
func (p *Pawl) Gates(ctx context.Context) ([]Gate, error) {
	return p.app.Gates(ctx)
}

// GateEvents returns what happened to a gate, the first one first.
func (p *Pawl) GateEvents(ctx context.Context, gate string) ([]GateEvent, error) {
	return p.app.GateEvents(ctx, gate)
}

// Supervise sends every new decision of a gate to a person, and voids the open
// permits of automatic ones.
func (p *Pawl) Supervise(ctx context.Context, gate string, by Actor, cause string) (GateEvent, error) {
	return p.app.Supervise(ctx, gate, by, cause)
}

// Stop is Supervise, and no permit is redeemed.
func (p *Pawl) Stop(ctx context.Context, gate string, by Actor, cause string) (GateEvent, error) {
	return p.app.Stop(ctx, gate, by, cause)
}

// Resume makes a gate live again. It takes the right to, and a second person
// unless one is enough for the gate: until then the event is Proposed.
func (p *Pawl) Resume(ctx context.Context, gate string, by Actor, cause string) (GateEvent, error) {
	return p.app.Resume(ctx, gate, by, cause)
}

// Trip supervises a gate in nobody's name: a watch or a budget did.
func (p *Pawl) Trip(ctx context.Context, gate, cause string) (GateEvent, error) {
	return p.app.Trip(ctx, gate, cause)
}

// SetRamp sets the share, of review.FullRamp, of the automatic decisions that stay
// automatic. Raising it is loosening.
func (p *Pawl) SetRamp(ctx context.Context, gate string, ramp int, by Actor, cause string) (GateEvent, error) {
	return p.app.SetRamp(ctx, gate, ramp, by, cause)
}

// SetShadow turns shadow mode on or off; both are loosening.
func (p *Pawl) SetShadow(ctx context.Context, gate string, on bool, by Actor, cause string) (GateEvent, error) {
	return p.app.SetShadow(ctx, gate, on, by, cause)
}

// AddPolicy keeps a version of a gate's policy, not active yet. A gate that is new
// begins supervised.
func (p *Pawl) AddPolicy(ctx context.Context, text PolicyText, by Actor) (PolicyVersion, error) {
	return p.app.AddPolicy(ctx, text, by)
}

// ActivatePolicy makes a version the one that decides. Unless it is structurally
// tighter this is loosening.
func (p *Pawl) ActivatePolicy(ctx context.Context, gate string, version int64, by Actor, cause string) (GateEvent, error) {
	return p.app.ActivatePolicy(ctx, gate, version, by, cause)
}

// RollBack activates an earlier version.
func (p *Pawl) RollBack(ctx context.Context, gate string, version int64, by Actor, cause string) (GateEvent, error) {
	return p.app.RollBack(ctx, gate, version, by, cause)
}

// Policies returns the versions of a gate's policy, the first one first.
func (p *Pawl) Policies(ctx context.Context, gate string) ([]PolicyVersion, error) {
	return p.app.Policies(ctx, gate)
}

// Shadows returns decisions that were recorded beside the caller's own, the newest
// first.
func (p *Pawl) Shadows(ctx context.Context, gate string, limit int) ([]Shadowed, error) {
	return p.app.Shadows(ctx, gate, limit)
}

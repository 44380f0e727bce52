package app

import (
	"context"
	"errors"
	"io"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// Gate returns a gate's setting, or ErrNotFound.
func (a *App) Gate(ctx context.Context, name string) (review.Gate, error) {
	return review.Gate{}, errors.ErrUnsupported
}

// Gates returns all gates by name.
func (a *App) Gates(ctx context.Context) ([]review.Gate, error) {
	return nil, errors.ErrUnsupported
}

// GateEvents returns what happened to a gate, the first one first.
func (a *App) GateEvents(ctx context.Context, gate string) ([]review.GateEvent, error) {
	return nil, errors.ErrUnsupported
}

// Supervise sends every new decision of a gate to a person, and voids the open
// permits of automatic ones.
func (a *App) Supervise(ctx context.Context, gate string, by review.Actor, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// Stop is Supervise, and no permit is redeemed.
func (a *App) Stop(ctx context.Context, gate string, by review.Actor, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// Resume makes a gate live again. It takes the right to, and a second person
// unless one is enough for the gate: until then the event is Proposed.
func (a *App) Resume(ctx context.Context, gate string, by review.Actor, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// Trip supervises a gate in nobody's name: a watch or a budget did.
func (a *App) Trip(ctx context.Context, gate, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// SetRamp sets the share, of review.FullRamp, of the automatic decisions that stay
// automatic. Raising it is loosening.
func (a *App) SetRamp(ctx context.Context, gate string, ramp int, by review.Actor, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// SetShadow turns shadow mode on or off; both are loosening.
func (a *App) SetShadow(ctx context.Context, gate string, on bool, by review.Actor, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// AddPolicy keeps a version of a gate's policy, not active yet. A gate that is new
// begins supervised.
func (a *App) AddPolicy(ctx context.Context, p PolicyText, by review.Actor) (PolicyVersion, error) {
	return PolicyVersion{}, errors.ErrUnsupported
}

// ActivatePolicy makes a version the one that decides. Unless it is structurally
// tighter this is loosening.
func (a *App) ActivatePolicy(ctx context.Context, gate string, version int64, by review.Actor, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// RollBack activates an earlier version.
func (a *App) RollBack(ctx context.Context, gate string, version int64, by review.Actor, cause string) (review.GateEvent, error) {
	return review.GateEvent{}, errors.ErrUnsupported
}

// Policies returns the versions of a gate's policy, the first one first.
func (a *App) Policies(ctx context.Context, gate string) ([]PolicyVersion, error) {
	return nil, errors.ErrUnsupported
}

// Label records what turned out to be right about an item: any JSON.
func (a *App) Label(ctx context.Context, item string, value []byte, by review.Actor) error {
	return errors.ErrUnsupported
}

// Erase forgets the bodies of an ended item for good, with their salts. The ledger
// stays as it is, and nothing in it tells what they were. Refused while a permit is
// open or in doubt, and under a legal hold.
func (a *App) Erase(ctx context.Context, item string, by review.Actor, why string) error {
	return errors.ErrUnsupported
}

// LegalHold forbids erasing an item, or allows it again.
func (a *App) LegalHold(ctx context.Context, item string, on bool, by review.Actor, why string) error {
	return errors.ErrUnsupported
}

// GateLegalHold forbids erasing any item of a gate, or allows it again.
func (a *App) GateLegalHold(ctx context.Context, gate string, on bool, by review.Actor, why string) error {
	return errors.ErrUnsupported
}

// Shadows returns decisions that were recorded beside the caller's own, the newest
// first.
func (a *App) Shadows(ctx context.Context, gate string, limit int) ([]Shadowed, error) {
	return nil, errors.ErrUnsupported
}

// Sequence gives what was written since the last time its place in the ledger and
// signs a checkpoint. It happens by itself, too, soon after every write.
func (a *App) Sequence(ctx context.Context) (Head, error) {
	return Head{}, errors.ErrUnsupported
}

// Head returns the end of the ledger as it was last signed.
func (a *App) Head(ctx context.Context) (Head, error) {
	return Head{}, errors.ErrUnsupported
}

// Export writes the whole ledger with its checkpoints: what ledger.Verify reads.
func (a *App) Export(ctx context.Context, w io.Writer) error {
	return errors.ErrUnsupported
}

// ProveItem proves that the entry of an item's event is in the ledger, and returns
// the entry.
func (a *App) ProveItem(ctx context.Context, item string, seq int64) (ledger.Proof, []byte, error) {
	return ledger.Proof{}, nil, errors.ErrUnsupported
}

// ProveIndex proves that an entry is in the ledger, and returns it.
func (a *App) ProveIndex(ctx context.Context, index int64) (ledger.Proof, []byte, error) {
	return ledger.Proof{}, nil, errors.ErrUnsupported
}

// ProveConsistency proves that the ledger of one size is the beginning of that of
// another.
func (a *App) ProveConsistency(ctx context.Context, from, to int64) (tlog.TreeProof, error) {
	return nil, errors.ErrUnsupported
}

// PublicKeys returns the list of keys that ledger.ParseKeys reads.
func (a *App) PublicKeys(ctx context.Context) (string, error) {
	return "", errors.ErrUnsupported
}

// Backup writes a copy of a SQLite database, with its last checkpoint beside it.
// On Postgres pg_dump does this.
func (a *App) Backup(ctx context.Context, file string) error {
	return errors.ErrUnsupported
}

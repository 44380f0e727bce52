package pawl

import (
	"context"
)

// Submit decides and records: an item, its permit if it ended at once, and the
// ledger's entry, in one transaction. An error means that there is no verdict.
// Shared with other submissions that come at the same time.
func (p *Pawl) Submit(ctx context.Context, s Submission) (Submitted, error) {
	return p.app.Submit(ctx, s)
}

// Decide is Submit of an input without an action.
func (p *Pawl) Decide(ctx context.Context, gate string, input []byte, by Actor) (Submitted, error) {
	return p.app.Decide(ctx, gate, input, by)
}

// Pending returns items that wait for people, the newest first, once what the time
// has brought about is done.
func (p *Pawl) Pending(ctx context.Context, q Query) ([]*Record, error) {
	return p.app.Pending(ctx, q)
}

// List returns items, the newest first.
func (p *Pawl) List(ctx context.Context, q Query) ([]*Record, error) {
	return p.app.List(ctx, q)
}

// Item returns an item with its events, permit and labels, or ErrNotFound.
func (p *Pawl) Item(ctx context.Context, id string) (*Record, error) {
	return p.app.Item(ctx, id)
}

// Counts counts the items of a gate.
func (p *Pawl) Counts(ctx context.Context, gate string) (Counts, error) {
	return p.app.Counts(ctx, gate)
}

// SweepDue does what the time has brought about, items that expire or escalate,
// and returns how many acts that were.
func (p *Pawl) SweepDue(ctx context.Context) (int, error) {
	return p.app.SweepDue(ctx)
}

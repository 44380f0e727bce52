package pawl

import (
	"context"
)

// Next claims the most urgent item that is free, in the queue or, if it is empty,
// in all queues that the person may see. It returns false if there is none.
func (p *Pawl) Next(ctx context.Context, by Actor, queue string) (Outcome, bool, error) {
	return p.app.Next(ctx, by, queue)
}

// Act does one act on an item: the only way in which items change. What the time
// has brought about is done before.
func (p *Pawl) Act(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Act(ctx, id, act)
}

// Claim gives the person the lease of an item. The act's kind is filled in.
func (p *Pawl) Claim(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Claim(ctx, id, act)
}

// Renew prolongs a lease. The act's kind is filled in.
func (p *Pawl) Renew(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Renew(ctx, id, act)
}

// Release gives an item back. The act's kind is filled in.
func (p *Pawl) Release(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Release(ctx, id, act)
}

// Approve is one vote for the action as it stands. The act's kind is filled in.
func (p *Pawl) Approve(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Approve(ctx, id, act)
}

// Reject is one vote against it. The act's kind is filled in.
func (p *Pawl) Reject(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Reject(ctx, id, act)
}

// Edit changes the action and approves it. The act's kind is filled in.
func (p *Pawl) Edit(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Edit(ctx, id, act)
}

// Hold puts an item aside until a time. The act's kind is filled in.
func (p *Pawl) Hold(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Hold(ctx, id, act)
}

// Skip passes an item on: the person won't be offered it again. The act's kind is filled in.
func (p *Pawl) Skip(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Skip(ctx, id, act)
}

// Escalate sends an item to another queue. The act's kind is filled in.
func (p *Pawl) Escalate(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Escalate(ctx, id, act)
}

// Assign gives an item to one person, or takes it from one. The act's kind is filled in.
func (p *Pawl) Assign(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Assign(ctx, id, act)
}

// Comment adds a note. The act's kind is filled in.
func (p *Pawl) Comment(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Comment(ctx, id, act)
}

// Withdraw takes a proposal back. The act's kind is filled in.
func (p *Pawl) Withdraw(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Withdraw(ctx, id, act)
}

// Supersede puts another item, Act.Item, in this one's place. The act's kind is filled in.
func (p *Pawl) Supersede(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Supersede(ctx, id, act)
}

// Overturn has an ended item decided anew, as another one: Outcome.Opened. The act's kind is filled in.
func (p *Pawl) Overturn(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Overturn(ctx, id, act)
}

// Reopen lets an expired item wait again. The act's kind is filled in.
func (p *Pawl) Reopen(ctx context.Context, id string, act Act) (Outcome, error) {
	return p.app.Reopen(ctx, id, act)
}

package app

import (
	"context"

	"github.com/pawlgate/pawl/review"
)

// Claim gives the person the lease of an item: [App.Act] with review.ActClaim.
func (a *App) Claim(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActClaim
	return a.Act(ctx, id, act)
}

// Renew prolongs a lease: [App.Act] with review.ActRenew.
func (a *App) Renew(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActRenew
	return a.Act(ctx, id, act)
}

// Release gives an item back: [App.Act] with review.ActRelease.
func (a *App) Release(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActRelease
	return a.Act(ctx, id, act)
}

// Approve is one vote for the action as it stands: [App.Act] with review.ActApprove.
func (a *App) Approve(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActApprove
	return a.Act(ctx, id, act)
}

// Reject is one vote against it: [App.Act] with review.ActReject.
func (a *App) Reject(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActReject
	return a.Act(ctx, id, act)
}

// Edit changes the action and approves it: [App.Act] with review.ActEdit.
func (a *App) Edit(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActEdit
	return a.Act(ctx, id, act)
}

// Hold puts an item aside until a time: [App.Act] with review.ActHold.
func (a *App) Hold(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActHold
	return a.Act(ctx, id, act)
}

// Skip passes an item on: the person won't be offered it again: [App.Act] with review.ActSkip.
func (a *App) Skip(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActSkip
	return a.Act(ctx, id, act)
}

// Escalate sends an item to another queue: [App.Act] with review.ActEscalate.
func (a *App) Escalate(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActEscalate
	return a.Act(ctx, id, act)
}

// Assign gives an item to one person, or takes it from one: [App.Act] with review.ActAssign.
func (a *App) Assign(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActAssign
	return a.Act(ctx, id, act)
}

// Comment adds a note: [App.Act] with review.ActComment.
func (a *App) Comment(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActComment
	return a.Act(ctx, id, act)
}

// Withdraw takes a proposal back: [App.Act] with review.ActWithdraw.
func (a *App) Withdraw(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActWithdraw
	return a.Act(ctx, id, act)
}

// Supersede puts another item, Act.Item, in this one's place: [App.Act] with review.ActSupersede.
func (a *App) Supersede(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActSupersede
	return a.Act(ctx, id, act)
}

// Overturn has an ended item decided anew, as another one: Outcome.Opened: [App.Act] with review.ActOverturn.
func (a *App) Overturn(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActOverturn
	return a.Act(ctx, id, act)
}

// Reopen lets an expired item wait again: [App.Act] with review.ActReopen.
func (a *App) Reopen(ctx context.Context, id string, act review.Act) (review.Outcome, error) {
	act.Kind = review.ActReopen
	return a.Act(ctx, id, act)
}

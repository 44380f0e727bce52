package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/review"
)

// actFlags are what every act has.
type actFlags struct {
	dbFlags
	asFlags
	ID   string `arg:"" help:"The item."`
	Note string `short:"m" help:"Say why, for whoever reads it later."`
}

// leaseFlags are what an act has that takes a claim.
type leaseFlags struct {
	actFlags
	Reason string `help:"One of the gate's reason codes."`
	Token  int64  `help:"The token of your claim. Without it the item is claimed first, in the same call."`
	Digest string `placeholder:"DIGEST" help:"The digest of the action that you saw: if it is another one now, nothing is done."`
}

// do does an act and prints the item.
func (f *actFlags) do(p *program, act review.Act) error {
	return f.open(p, func(ctx context.Context, service *pawl.Pawl) error { return f.act(ctx, p, service, act) })
}

func (f *actFlags) act(ctx context.Context, p *program, service *pawl.Pawl, act review.Act) error {
	act.Actor, act.Note = f.actor(), f.Note
	out, err := service.Act(ctx, f.ID, act)
	if err != nil {
		return err
	}
	return f.answer(p, outcomeText(&out), newOutcomeJSON(&out))
}

// do claims the item unless a token is given, and does the act.
func (f *leaseFlags) do(p *program, act review.Act) error {
	act.Reason, act.Token = f.Reason, f.Token
	if f.Digest != "" {
		var err error
		if act.Digest, err = review.ParseDigest(f.Digest); err != nil {
			return usageError{fmt.Errorf("--digest: %w", err)}
		}
	}
	return f.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		if act.Token != 0 {
			return f.act(ctx, p, service, act)
		}
		r, err := service.Item(ctx, f.ID)
		if err != nil {
			return fmt.Errorf("item %s: %w", f.ID, err)
		}
		had := r.Lease != nil && r.Lease.Holder == f.As
		if !r.Status.Ended() { // of one that has ended the act itself says how
			claim, err := service.Claim(ctx, f.ID, review.Act{Actor: f.actor()})
			if err != nil {
				return err
			}
			act.Token = claim.Event.Token
		}
		err = f.act(ctx, p, service, act)
		if err != nil && act.Token != 0 && !had {
			// Nobody has to wait for a lease of which nothing came.
			_, _ = service.Release(ctx, f.ID, review.Act{Actor: f.actor(), Token: act.Token})
		}
		return err
	})
}

type itemClaimCmd struct{ actFlags }

// Run claims an item and shows it whole.
func (c *itemClaimCmd) Run(p *program) error {
	return c.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		if _, err := service.Claim(ctx, c.ID, review.Act{Actor: c.actor(), Note: c.Note}); err != nil {
			return err
		}
		return c.show(ctx, p, service, c.ID)
	})
}

type itemNextCmd struct {
	dbFlags
	asFlags
	Queue string `help:"Only of this queue."`
}

// Help is shown by "pawl item next --help".
func (c *itemNextCmd) Help() string {
	return `The highest priority comes first, then the nearest deadline, then the longest wait.
Exit codes: 0 claimed and shown, 3 nothing is waiting for you, 1 failure, 2 wrong call.`
}

// Run claims the most urgent item.
func (c *itemNextCmd) Run(p *program) error {
	return c.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		out, found, err := service.Next(ctx, c.actor(), c.Queue)
		if err != nil {
			return err
		}
		if !found {
			p.say("nothing is waiting for %s", c.As)
			return exit(exitHuman)
		}
		return c.show(ctx, p, service, out.Item.ID)
	})
}

type itemRenewCmd struct {
	actFlags
	Token int64 `required:"" help:"The token of your claim."`
}

// Run prolongs a lease.
func (c *itemRenewCmd) Run(p *program) error {
	return c.do(p, review.Act{Kind: review.ActRenew, Token: c.Token})
}

type itemReleaseCmd struct {
	actFlags
	Reason string `help:"One of the gate's reason codes."`
	Token  int64  `help:"The token of your claim; without it, that of the lease that you have."`
}

// Run gives an item back.
func (c *itemReleaseCmd) Run(p *program) error {
	return c.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		act := review.Act{Kind: review.ActRelease, Reason: c.Reason, Token: c.Token}
		if act.Token == 0 {
			r, err := service.Item(ctx, c.ID)
			if err != nil {
				return fmt.Errorf("item %s: %w", c.ID, err)
			}
			if l := r.Lease; l != nil && l.Holder == c.As {
				act.Token = l.Token
			}
		}
		return c.act(ctx, p, service, act)
	})
}

type itemApproveCmd struct{ leaseFlags }

// Run approves.
func (c *itemApproveCmd) Run(p *program) error {
	return c.do(p, review.Act{Kind: review.ActApprove})
}

type itemRejectCmd struct{ leaseFlags }

// Run rejects.
func (c *itemRejectCmd) Run(p *program) error { return c.do(p, review.Act{Kind: review.ActReject}) }

type itemEditCmd struct {
	leaseFlags
	Action string `required:"" placeholder:"FILE" help:"The changed action, whole; - is standard input."`
}

// Run changes the action and approves it.
func (c *itemEditCmd) Run(p *program) error {
	action, err := p.readFile(c.Action, source.MaxBytes+1)
	if err != nil {
		return err
	}
	return c.do(p, review.Act{Kind: review.ActEdit, Action: action})
}

type itemHoldCmd struct {
	leaseFlags
	For   time.Duration `help:"How long: 2h, 30m."`
	Until time.Time     `placeholder:"TIME" help:"Until when, as 2026-12-31T12:00:00Z."`
}

// Run puts an item aside.
func (c *itemHoldCmd) Run(p *program) error {
	until, err := when(c.For, c.Until)
	if err != nil {
		return err
	}
	if until.IsZero() {
		return usagef("give --for or --until: an item on hold wakes at some time")
	}
	return c.do(p, review.Act{Kind: review.ActHold, Until: until})
}

// when is a time that was given in one of two ways; zero if in none.
func when(wait time.Duration, until time.Time) (time.Time, error) {
	switch {
	case wait != 0 && !until.IsZero():
		return time.Time{}, usagef("give one of --for and --until")
	case wait < 0:
		return time.Time{}, usagef("--for %s lies in the past", wait)
	case wait > 0:
		return time.Now().Add(wait), nil
	}
	return until, nil
}

type itemSkipCmd struct{ actFlags }

// Run passes an item on.
func (c *itemSkipCmd) Run(p *program) error { return c.do(p, review.Act{Kind: review.ActSkip}) }

type itemEscalateCmd struct {
	leaseFlags
	To string `required:"" placeholder:"QUEUE" help:"The queue."`
}

// Run sends an item to another queue.
func (c *itemEscalateCmd) Run(p *program) error {
	return c.do(p, review.Act{Kind: review.ActEscalate, Queue: c.To})
}

type itemAssignCmd struct {
	actFlags
	To string `placeholder:"NAME" help:"The person; without it, the item is anybody's again."`
}

// Run assigns.
func (c *itemAssignCmd) Run(p *program) error {
	return c.do(p, review.Act{Kind: review.ActAssign, Person: c.To})
}

type itemCommentCmd struct{ actFlags }

// Run adds a note.
func (c *itemCommentCmd) Run(p *program) error { return c.do(p, review.Act{Kind: review.ActComment}) }

type itemWithdrawCmd struct{ actFlags }

// Run takes a proposal back.
func (c *itemWithdrawCmd) Run(p *program) error {
	return c.do(p, review.Act{Kind: review.ActWithdraw})
}

type itemSupersedeCmd struct {
	actFlags
	By string `required:"" placeholder:"ID" help:"The item that takes its place."`
}

// Run supersedes.
func (c *itemSupersedeCmd) Run(p *program) error {
	return c.do(p, review.Act{Kind: review.ActSupersede, Item: c.By})
}

type itemOverturnCmd struct {
	actFlags
	Reason string `help:"One of the gate's reason codes."`
	Action string `placeholder:"FILE" help:"What is to be done about it now, instead of the same action."`
}

// Run makes a new item of an ended one.
func (c *itemOverturnCmd) Run(p *program) error {
	act := review.Act{Kind: review.ActOverturn, Reason: c.Reason}
	if c.Action != "" {
		var err error
		if act.Action, err = p.readFile(c.Action, source.MaxBytes+1); err != nil {
			return err
		}
	}
	return c.do(p, act)
}

type itemReopenCmd struct {
	actFlags
	For   time.Duration `help:"How long it may wait now; the gate's deadline if neither is given."`
	Until time.Time     `placeholder:"TIME" help:"The new deadline, as 2026-12-31T12:00:00Z."`
}

// Run re-opens an expired item.
func (c *itemReopenCmd) Run(p *program) error {
	until, err := when(c.For, c.Until)
	if err != nil {
		return err
	}
	return c.do(p, review.Act{Kind: review.ActReopen, Until: until})
}

// outcomeJSON is what an act did.
type outcomeJSON struct {
	Item     itemJSON        `json:"item"`
	Event    json.RawMessage `json:"event"`
	Permit   *permitJSON     `json:"permit,omitempty"`
	Opened   string          `json:"opened,omitempty"` // the new item of an overturn
	Void     review.Void     `json:"void,omitempty"`
	Replayed bool            `json:"replayed,omitempty"`
}

func newOutcomeJSON(o *review.Outcome) outcomeJSON {
	out := outcomeJSON{Item: newItemJSON(&o.Item, false), Event: o.Event.AppendJSON(nil), Permit: newPermitJSON(o.Permit), Void: o.Void, Replayed: o.Replayed}
	if o.Opened != nil {
		out.Opened = o.Opened.Item.ID
	}
	return out
}

// outcomeText is what an act did, for people: one line, and another for what
// comes next.
func outcomeText(o *review.Outcome) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s  %s  %s by %s", o.Item.ID, o.Item.Status, o.Event.Act, who(o.Event.Actor))
	if o.Replayed {
		fmt.Fprint(&b, ", done before")
	}
	fmt.Fprintln(&b)
	if o.Event.Act == review.ActRenew && o.Item.Lease != nil {
		fmt.Fprintf(&b, "token %d, until %s\n", o.Item.Lease.Token, at(o.Item.Lease.Until))
	}
	if o.Permit != nil {
		fmt.Fprintf(&b, "permit to %s, until %s\n", o.Permit.Effect, at(o.Permit.Expires))
	}
	if o.Opened != nil {
		fmt.Fprintf(&b, "decided anew as %s\n", o.Opened.Item.ID)
	}
	return b.Bytes()
}

// regularBytes reads a file that holds a secret or an answer, whole.
func regularBytes(name string, max int64) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, usageError{err}
	case !info.Mode().IsRegular():
		return nil, usagef("%s is no regular file", name)
	case info.Size() > max:
		return nil, usagef("%s is longer than %d bytes", name, max)
	}
	return os.ReadFile(name)
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// statuses are the words that --status takes.
var statuses = []review.Status{
	review.PendingReview, review.AutoApplied, review.AutoRejected, review.Approved, review.Rejected,
	review.Edited, review.Superseded, review.Expired, review.Withdrawn,
}

type itemListCmd struct {
	dbFlags
	Status  string `help:"Only items of this status: pending_review, auto_applied, auto_rejected, approved, rejected, edited, superseded, expired, withdrawn."`
	Gate    string `help:"Only items of this gate."`
	Queue   string `help:"Only items in this queue."`
	Subject string `help:"Only items about this subject."`
	InDoubt bool   `help:"Only items whose permit was redeemed and not reported."`
	Before  string `placeholder:"ID" help:"Only items older than this one."`
	Limit   int    `default:"100" help:"How many at most."`
}

// Run lists items, the newest first.
func (c *itemListCmd) Run(p *program) error {
	if c.Status != "" && !slices.Contains(statuses, review.Status(c.Status)) {
		return usagef("--status %s: use one of %v", c.Status, statuses)
	}
	if c.Limit < 1 {
		return usagef("--limit %d: at least 1", c.Limit)
	}
	q := pawl.Query{
		Gate: c.Gate, Status: review.Status(c.Status), Queue: c.Queue, Subject: c.Subject, Before: c.Before, Limit: c.Limit,
	}
	if c.InDoubt {
		q.Permit = review.PermitGranted
	}
	return c.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		list := service.List
		if q.Status == review.PendingReview {
			list = service.Pending // what has expired by now is no longer pending
		}
		records, err := list(ctx, q)
		if err != nil {
			return err
		}
		items, out := make([]review.Item, len(records)), make([]recordJSON, len(records))
		for i, r := range records {
			items[i], out[i] = r.Item, newRecordJSON(r, false)
		}
		return c.answer(p, listText(items), out)
	})
}

type itemShowCmd struct {
	dbFlags
	ID string `arg:"" help:"The item."`
}

// Run shows an item with all that is kept of it.
func (c *itemShowCmd) Run(p *program) error {
	return c.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		return c.show(ctx, p, service, c.ID)
	})
}

// show prints an item as it is now.
func (f dbFlags) show(ctx context.Context, p *program, service *pawl.Pawl, id string) error {
	r, err := service.Item(ctx, id)
	if err != nil {
		return fmt.Errorf("item %s: %w", id, err)
	}
	return f.answer(p, recordText(r), newRecordJSON(r, true))
}

// recordJSON is an item with all that is kept of it.
type recordJSON struct {
	itemJSON
	Kind      string            `json:"kind,omitempty"`
	Permit    *permitJSON       `json:"permit,omitempty"`
	Events    []json.RawMessage `json:"events,omitempty"`
	Labels    []labelJSON       `json:"labels,omitempty"`
	LegalHold bool              `json:"legalHold,omitempty"`
	Erased    bool              `json:"erased,omitempty"`
}

type labelJSON struct {
	Value json.RawMessage `json:"value"`
	By    string          `json:"by"`
	At    *time.Time      `json:"at"`
}

func newRecordJSON(r *pawl.Record, full bool) recordJSON {
	out := recordJSON{itemJSON: newItemJSON(&r.Item, full), Kind: r.Kind, Permit: newPermitJSON(r.Permit), LegalHold: r.LegalHold, Erased: r.Erased}
	if full {
		out.Events = eventsJSON(r.Events)
	}
	for _, l := range r.Labels {
		out.Labels = append(out.Labels, labelJSON{body(l.Value), l.By.ID, moment(l.At)})
	}
	return out
}

func recordText(r *pawl.Record) []byte {
	var labels [][]string
	for _, l := range r.Labels {
		labels = append(labels, []string{brief(string(l.Value)), who(l.By), at(l.At)})
	}
	text := bytes.NewBuffer(itemText(&r.Item, r.Permit, r.Events, labels))
	if r.Erased {
		fmt.Fprint(text, "\nits bodies were erased\n")
	}
	if r.LegalHold {
		fmt.Fprint(text, "\nunder a legal hold: it can't be erased\n")
	}
	return text.Bytes()
}

package main

import (
	"context"
	"encoding/json"

	"github.com/pawlgate/pawl"
)

type itemLabelCmd struct {
	actFlags
	Value string `arg:"" help:"right, wrong, or any JSON."`
}

// Run records what turned out to be right.
func (c *itemLabelCmd) Run(p *program) error {
	value := []byte(c.Value)
	if c.Value == "right" || c.Value == "wrong" {
		value = []byte(`"` + c.Value + `"`)
	}
	if !json.Valid(value) {
		return usagef("%q is neither right, wrong nor JSON", c.Value)
	}
	return c.change(p, func(ctx context.Context, service *pawl.Pawl) error {
		return service.Label(ctx, c.ID, value, c.actor())
	})
}

type itemEraseCmd struct{ actFlags }

// Run erases an item's bodies.
func (c *itemEraseCmd) Run(p *program) error {
	if c.Note == "" {
		return usagef("say why with --note: what is erased is gone, and that stays")
	}
	return c.change(p, func(ctx context.Context, service *pawl.Pawl) error {
		return service.Erase(ctx, c.ID, c.actor(), c.Note)
	})
}

type itemLegalHoldCmd struct {
	actFlags
	State string `arg:"" enum:"on,off" help:"on or off."`
}

// Run sets or lifts a legal hold.
func (c *itemLegalHoldCmd) Run(p *program) error {
	return c.change(p, func(ctx context.Context, service *pawl.Pawl) error {
		return service.LegalHold(ctx, c.ID, c.State == "on", c.actor(), c.Note)
	})
}

// change does something that isn't an act, and shows the item.
func (f *actFlags) change(p *program, fn func(context.Context, *pawl.Pawl) error) error {
	return f.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		if err := fn(ctx, service); err != nil {
			return err
		}
		return f.show(ctx, p, service, f.ID)
	})
}

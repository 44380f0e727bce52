package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/artefact"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/review"
)

// permitted puts a snapshot in place on an item's permit.
func (c *promoteApplyCmd) permitted(p *program, s *promotion.Snapshot) error {
	f := dbFlags{DB: c.DB, keyFileFlag: c.keyFileFlag}
	return f.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		r, err := service.Item(ctx, c.Permit)
		if err != nil {
			return fmt.Errorf("item %s: %w", c.Permit, err)
		}
		if r.Status.Effect() != review.EffectApply {
			p.say("%s: item %s is %s: nothing was written", cell(c.Dest), c.Permit, r.Status)
			return exit(exitHuman)
		}
		// A permit is redeemed once: what can be found wrong before is.
		if r.Permit != nil && r.Permit.State == review.PermitOpen {
			if err := artefact.CheckDest(c.Dest, c.DestDigest); err != nil {
				return fmt.Errorf("apply %s: %w", c.Snapshot, err)
			}
		}
		ran := false
		_, err = service.Do(ctx, c.Permit, pawl.PromotionAction(s.Digest), func(_ context.Context, run pawl.Run) ([]byte, error) {
			ran = true
			if run.Effect != review.EffectApply {
				return nil, errors.New("the permit isn't one to apply")
			}
			err := artefact.Place(s, c.Dest, c.DestDigest)
			if run.Again && errors.Is(err, artefact.ErrExpect) {
				err = artefact.Place(s, c.Dest, s.Digest) // it may have been placed before the crash
			}
			if err != nil {
				return nil, err
			}
			return pawl.PromotionAction(s.Digest), nil
		})
		switch {
		case err != nil:
			return fmt.Errorf("apply %s: %w", c.Snapshot, err)
		case !ran:
			return p.print(fmt.Appendf(nil, "item %s was applied before, nothing was written\n", c.Permit))
		}
		return p.print(fmt.Appendf(nil, "%s is %s\n", cell(c.Dest), s.Digest))
	})
}

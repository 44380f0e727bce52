package main

import (
	"cmp"
	"fmt"

	"github.com/pawlgate/pawl/internal/artefact"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/verdict"
)

type promoteApplyCmd struct {
	promoteFlags
	Permit string `placeholder:"ITEM" help:"Don't decide: redeem the permit of this item, which people have approved."`
	DB     string `env:"PAWL_DB" placeholder:"FILE" help:"With --permit: the database that the item is in."`
	keyFileFlag
	DestDigest string `placeholder:"DIGEST" help:"What DEST must hold now: a snapshot's digest, or none (the default): nothing is there."`
	Snapshot   string `arg:"" help:"The snapshot, as \"pawl promote snapshot --to\" wrote it."`
	Dest       string `arg:"" help:"The folder to be: it appears, or is replaced, whole."`
}

// Help is shown by "pawl promote apply --help".
func (c *promoteApplyCmd) Help() string {
	return `Decides again, from the policy, the evidence and the snapshot, and only if that
gives auto_apply puts the snapshot's bytes at DEST: into a folder beside it first,
synced, then moved there at once. Afterwards the digest of what stands there is
computed anew. Who reads DEST sees the old folder or the new one, never a mixture.

If DEST holds something else than --dest-digest says, nothing is done.

With --permit ITEM --db FILE it decides nothing: the item's permit is redeemed, which
is for this snapshot and no other, and once the bytes are in place that is reported.
After a crash, call it again.

Exit codes: 0 applied, 3 a person is needed (nothing was written), 2 malformed
evidence or wrong call, 1 failure.`
}

// Run decides again and applies.
func (c *promoteApplyCmd) Run(p *program) error {
	if err := onceStdin(c.Policy, c.Evidence); err != nil {
		return err
	}
	if c.Permit != "" && (c.DB == "" || c.Evidence != "") {
		return usagef("--permit needs --db, and no --evidence: what people approved counts")
	}
	if err := artefact.CheckPlace(c.Dest, c.DestDigest); err != nil {
		return usageError{err}
	}
	f, err := p.loadKind(c.Policy, policy.KindPromotion)
	if err != nil {
		return err
	}
	a, s, err := artefact.LoadSnapshot(c.Snapshot, f.Promotion.Limits())
	if err != nil {
		return usagef("%w: make one with pawl promote snapshot --to", err)
	}
	if c.Permit != "" {
		return c.permitted(p, s)
	}
	r, err := c.judge(p, f, a)
	if err != nil {
		return err
	}
	if r.Verdict != verdict.AutoApply || r.Snapshot != s.Digest {
		p.say("%s", promotionText(f, a, &r))
		p.say("%s: a person is needed: nothing was written", cell(c.Dest))
		return cmp.Or(promotionExit(&r), error(exit(exitHuman)))
	}
	if err := artefact.Place(s, c.Dest, c.DestDigest); err != nil {
		return fmt.Errorf("apply %s: %w", c.Snapshot, err)
	}
	if err := p.print(fmt.Appendf(nil, "%s is %s\n", cell(c.Dest), s.Digest)); err != nil {
		return fmt.Errorf("%s is in place, and is %s: %w", c.Dest, s.Digest, err)
	}
	return nil
}

package main

import (
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
)

type promoteSnapshotCmd struct {
	Path   string `arg:"" help:"A skill's folder, an archive with one skill, or a single file."`
	Policy string `short:"p" placeholder:"FILE" help:"A policy of kind promotion, for its limits."`
	To     string `placeholder:"FILE" help:"Write the snapshot there; - is standard output, and the digest then goes to standard error."`
}

// Help is shown by "pawl promote snapshot --help".
func (c *promoteSnapshotCmd) Help() string {
	return `Reads the artefact once and prints its digest. With --to it also writes the
snapshot: a tar file that is the same, byte for byte, for the same files. Decide
and apply take it, so that what was decided is what is applied, whatever becomes
of the folder. "tar -tvf" lists it.

The digest is the SHA-256 of the RFC 8785 form of
[[path, "file" or "exec", size, SHA-256 in hex], …] in the byte order of paths.
What holds links, devices or unreadable files has none.

Exit codes: 0 done, 3 there is no snapshot of it, 2 wrong call, 1 failure.`
}

// Run makes a snapshot.
func (c *promoteSnapshotCmd) Run(p *program) error {
	limits, err := p.promotionLimits(c.Policy)
	if err != nil {
		return err
	}
	a, err := p.oneArtefact(c.Path, limits)
	if err != nil {
		return err
	}
	s, err := a.Snapshot()
	if err != nil {
		p.sayError(err)
		return exit(exitHuman)
	}
	if c.To != "" {
		if err := p.writeOut(c.To, s.Tar(), c.Path, c.Policy); err != nil {
			return err
		}
	}
	if c.To == "-" { // a digest behind the snapshot would make it none
		p.say("%s", s.Digest)
		return nil
	}
	return p.print([]byte(s.Digest + "\n"))
}

// promotionLimits are the limits of a policy, or the default ones.
func (p *program) promotionLimits(name string) (promotion.Limits, error) {
	if name == "" {
		return promotion.DefaultLimits(), nil
	}
	f, err := p.loadKind(name, policy.KindPromotion)
	if err != nil {
		return promotion.Limits{}, err
	}
	return f.Promotion.Limits(), nil
}

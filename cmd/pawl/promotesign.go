package main

import (
	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
)

type promoteSignCmd struct {
	Key       string `required:"" placeholder:"FILE" help:"The evidence key: Ed25519, PKCS #8 in PEM, as \"openssl genpkey -algorithm ed25519\" writes it."`
	Statement string `arg:"" help:"The in-toto statement (JSON); - is standard input."`
	Path      string `arg:"" optional:"" help:"The snapshot, folder or archive that it is about: the statement is refused if it names another."`
	Policy    string `short:"p" placeholder:"FILE" help:"A policy of kind promotion, for its limits in reading the path."`
	To        string `placeholder:"FILE" help:"Write the envelope there instead of to standard output."`
}

// Help is shown by "pawl promote sign --help".
func (c *promoteSignCmd) Help() string {
	return `Checks a statement of evidence and signs it: the envelope (DSSE) is what
"pawl promote decide --evidence" reads. The statement is signed byte for byte.

  {"_type": "https://in-toto.io/Statement/v1",
   "subject": [{"name": "skills/tidy", "digest": {"sha256": "…"}}],
   "predicateType": "https://pawl.dev/promotion-evidence/v1",
   "predicate": {"expires": "2026-12-31T00:00:00Z", "oracle": "out_of_process_isolated",
     "record": {"gate2Verdict": "present_positive"}, "gate4Armed": true,
     "touchesIrreversibleTool": false, "statisticsPresent": true,
     "concurringSignals": ["unit_tests", "canary"]}}

The digest is what "pawl promote snapshot" prints, without "sha256:". Signing says
that you vouch for each statement: who holds the key decides what goes live alone.

Exit codes: 0 signed, 2 the statement or the call is wrong, 1 failure.`
}

// Run signs a statement.
func (c *promoteSignCmd) Run(p *program) error {
	if c.Key == "-" && c.Statement == "-" {
		return usagef("the key and the statement can't both come from standard input")
	}
	if c.Policy != "" && c.Path == "" {
		return usagef("--policy is for reading a path, and there is none")
	}
	pem, err := p.readFile(c.Key, source.MaxBytes)
	if err != nil {
		return err
	}
	key, err := evidence.ReadPrivateKey(pem)
	if err != nil {
		return usagef("%s: %w", c.Key, err)
	}
	raw, err := p.readFile(c.Statement, source.MaxBytes+1)
	if err != nil {
		return err
	}
	statement, err := promotion.ParseStatement(raw)
	if err != nil {
		return usagef("%s: %w", c.Statement, err)
	}
	if c.Path != "" {
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
			return usageError{err}
		}
		if !statement.About(s.Digest) {
			return usagef("%s is not about %s, whose digest is %s", c.Statement, c.Path, s.Digest)
		}
	}
	envelope, err := evidence.Sign(raw, key)
	if err != nil {
		return usagef("%s: %w", c.Statement, err)
	}
	return p.writeOut(c.To, append(envelope, '\n'), c.Key, c.Statement, c.Path)
}

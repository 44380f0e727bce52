package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
)

// promoteFlags say what a promotion is decided by.
type promoteFlags struct {
	Policy   string `short:"p" required:"" placeholder:"FILE" help:"The policy, of kind promotion."`
	Evidence string `placeholder:"FILE" help:"The signed evidence, a DSSE envelope. Without any, a person is needed."`
}

type promoteDecideCmd struct {
	promoteFlags
	Path   string `arg:"" help:"A snapshot, or a skill's folder or archive, of which one is made."`
	Output string `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// Help is shown by "pawl promote decide --help".
func (c *promoteDecideCmd) Help() string {
	return `Reads the artefact once, scans it, reads the evidence about it, and folds both into
auto_promote, candidate_only or needs_human, with the guard that decided and all
others that would have. What is missing counts as failing. Evidence that is
unsigned, by another key, expired or for another snapshot doesn't count.

Exit codes: 0 auto_apply, 3 a person is needed, 2 the evidence isn't an envelope
(the decision is printed all the same) or wrong call, 1 failure.`
}

// Run decides.
func (c *promoteDecideCmd) Run(p *program) error {
	if err := onceStdin(c.Policy, c.Evidence); err != nil {
		return err
	}
	f, err := p.loadKind(c.Policy, policy.KindPromotion)
	if err != nil {
		return err
	}
	a, err := p.oneArtefact(c.Path, f.Promotion.Limits())
	if err != nil {
		return err
	}
	r, err := c.judge(p, f, a)
	if err != nil {
		return err
	}
	var out []byte
	if c.Output == "json" {
		out = append(f.Promotion.AppendResult(nil, nil, &r), '\n')
	} else {
		out = promotionText(f, a, &r)
	}
	if err := p.print(out); err != nil {
		return err
	}
	return promotionExit(&r)
}

// promotionExit is the exit code for a decision. Evidence that is no evidence at
// all is a malformed input.
func promotionExit(r *policy.PromotionResult) error {
	switch {
	case r.Evidence.Malformed:
		return exit(exitUsage)
	case r.Verdict == verdict.AutoApply:
		return nil
	default:
		return exit(exitHuman)
	}
}

// judge reads the evidence and decides on an artefact.
func (c *promoteFlags) judge(p *program, f *policy.File, a *promotion.Artefact) (policy.PromotionResult, error) {
	if c.Evidence == "" {
		return f.Promotion.Judge(a, nil), nil
	}
	raw, err := p.readFile(c.Evidence, evidence.MaxBytes+1)
	if err != nil {
		return policy.PromotionResult{}, err
	}
	digest := ""
	if s, err := a.Snapshot(); err == nil {
		digest = s.Digest
	}
	ev := evidence.Open(raw, f.Promotion.Keys(), digest, time.Now())
	return f.Promotion.Judge(a, &ev), nil
}

// promotionText is a decision for people: the terminal first, then what stopped
// it, then what was looked at.
func promotionText(f *policy.File, a *promotion.Artefact, r *policy.PromotionResult) []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "%s  %s  (gate %s)\n", r.Terminal, cell(a.Name), f.Gate)
	var rows [][]string
	for i, s := range r.Stops {
		role := "also"
		if i == 0 {
			role = "decided by"
		}
		rows = append(rows, []string{role, string(s.Guard), cell(s.Message)})
	}
	writeTable(b, rows)
	rows = [][]string{{"verdict", string(r.Verdict)}}
	if r.Held != "" {
		rows = append(rows, []string{"held", cell(r.Held)})
	}
	if r.Queue != "" {
		rows = append(rows, []string{"queue", cell(r.Queue)})
	}
	if r.Snapshot == "" {
		rows = append(rows, []string{"snapshot", "none: not all of it could be taken"})
	} else {
		rows = append(rows, []string{"snapshot", r.Snapshot})
	}
	rows = append(rows, []string{"evidence", evidenceText(r)})
	if len(r.Kinds) > 0 {
		rows = append(rows, []string{"signals that concur", cell(strings.Join(r.Kinds, ", "))})
	}
	if len(r.Irreversible) > 0 {
		rows = append(rows, []string{"can't be taken back", cell(strings.Join(r.Irreversible, ", "))})
	}
	section(b, "what was decided on", rows)
	if r.TripwireDown {
		fmt.Fprintln(b, "\nno tripwire ran: the policy calls it advisory")
	}
	appendFindings(b, r.Tripwire, excerptsOf(a, r.Tripwire.Reasons), false)
	return b.Bytes()
}

func evidenceText(r *policy.PromotionResult) string {
	e := r.Evidence
	switch {
	case e.Fault != "" && r.Snapshot == "":
		return "doesn't count: there is no snapshot that it could be for" // why not stands below
	case e.Fault != "":
		return "doesn't count: " + cell(e.Fault)
	}
	return fmt.Sprintf("signed by %s, until %s", cell(e.Key), e.Expires.UTC().Format(time.RFC3339))
}

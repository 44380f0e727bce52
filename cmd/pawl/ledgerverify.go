package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pawlgate/pawl/ledger"
)

type ledgerVerifyCmd struct {
	File   string   `arg:"" optional:"" help:"The export; - is standard input."`
	Keys   string   `required:"" placeholder:"FILE" help:"The public keys of the ledger, a line each, with the sizes for which they sign."`
	Known  []string `placeholder:"FILE" help:"A checkpoint that was kept elsewhere; may be repeated. Without one a ledger that was cut off, or written anew with the key, isn't noticed."`
	Proof  string   `placeholder:"FILE" help:"Check this proof, and the entry in --leaf, instead of an export."`
	Leaf   string   `placeholder:"FILE" help:"The entry that the proof is about: its very bytes."`
	Output string   `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// Help is shown by "pawl ledger verify --help".
func (c *ledgerVerifyCmd) Help() string {
	return `Reads an export from start to end and says what holds. What doesn't is one of
edit, gap, duplicate, order, fork, truncation, signature, unknown_key and
malformed, with the entries that it is about. docs/ledger.md describes the
format, so that you needn't trust this program.

Exit codes: 0 all of it holds, 1 something doesn't, 2 wrong call.`
}

// Run verifies an export or a proof.
func (c *ledgerVerifyCmd) Run(p *program) error {
	keys, err := p.ledgerKeys(c.Keys)
	if err != nil {
		return err
	}
	if c.Proof != "" || c.Leaf != "" {
		return c.proof(p, keys)
	}
	if c.File == "" {
		return usagef("name an export, or a proof with --proof and --leaf")
	}
	var known []ledger.Checkpoint
	for _, name := range c.Known {
		k, _, err := p.readCheckpoint(name, keys)
		if err != nil {
			return err
		}
		known = append(known, k)
	}
	in, err := p.open(c.File)
	if err != nil {
		return err
	}
	report, err := ledger.Verify(in, keys, known)
	_ = in.Close() // it was only read
	var problem ledger.Problem
	if err != nil && !errors.As(err, &problem) {
		return fmt.Errorf("verify %s: %w", c.File, err)
	}
	if c.Output == "json" {
		if err := p.printJSON(reportJSON(&report, err == nil)); err != nil {
			return err
		}
	} else if err := p.print([]byte(strings.TrimRight(report.String(), "\n") + "\n")); err != nil {
		return err
	}
	if err != nil {
		return exit(exitFailure)
	}
	return nil
}

// maxProof is more than a proof has: a checkpoint and 64 hashes.
const maxProof = ledger.MaxNote + 8<<10

// proof checks that a leaf is in the ledger.
func (c *ledgerVerifyCmd) proof(p *program, keys []ledger.Key) error {
	if c.Proof == "" || c.Leaf == "" || c.File != "" || len(c.Known) > 0 {
		return usagef("--proof and --leaf belong together, and stand alone")
	}
	text, err := p.readFile(c.Proof, maxProof)
	if err != nil {
		return err
	}
	leaf, err := p.readFile(c.Leaf, ledger.MaxLeaf+1)
	if err != nil {
		return err
	}
	proof, err := ledger.ParseProof(string(text))
	if err != nil {
		return usagef("%s is no proof: %w", c.Proof, err)
	}
	at, err := proof.Check(leaf, keys)
	if err != nil {
		return fmt.Errorf("not proven: %w", err)
	}
	if c.Output == "json" {
		return p.printJSON(map[string]any{"ok": true, "index": proof.Index, "origin": at.Origin, "size": at.Size})
	}
	return p.print(fmt.Appendf(nil, "proven: this is entry %d of %s, which has %d\n", proof.Index, at.Origin, at.Size))
}

// verifyReport is a report for programs.
type verifyReport struct {
	OK          bool            `json:"ok"`
	Origin      string          `json:"origin"`
	Entries     int64           `json:"entries"`
	Checkpoints int             `json:"checkpoints"`
	Verified    int64           `json:"verified"`
	Last        *headJSON       `json:"last"` // null if no checkpoint holds
	Known       int             `json:"known"`
	Given       int             `json:"given"`
	Problems    []verifyProblem `json:"problems"`
	Omitted     int             `json:"omitted,omitempty"`
}

type headJSON struct {
	Size int64  `json:"size"`
	Root string `json:"root"`
}

type verifyProblem struct {
	Kind    ledger.ProblemKind `json:"kind"`
	First   int64              `json:"first"` // -1: it is about no entry
	Last    int64              `json:"last"`
	Line    int64              `json:"line"`
	Message string             `json:"message"`
}

func reportJSON(r *ledger.Report, ok bool) verifyReport {
	out := verifyReport{
		OK: ok, Origin: r.Origin, Entries: r.Entries, Checkpoints: r.Checkpoints, Verified: r.Verified,
		Known: r.Known, Given: r.Given, Problems: []verifyProblem{}, Omitted: r.Omitted,
	}
	if r.Last.Origin != "" {
		out.Last = &headJSON{r.Last.Size, r.Last.Root.String()}
	}
	for _, q := range r.Problems {
		out.Problems = append(out.Problems, verifyProblem{q.Kind, q.First, q.Last, q.Line, q.Message})
	}
	return out
}

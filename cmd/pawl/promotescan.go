package main

import (
	"fmt"
	"path/filepath"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
)

type promoteScanCmd struct {
	Paths  []string `arg:"" name:"path" help:"A skill, a folder of skills, an archive (.zip, .skill, .tar.gz), a snapshot, or a single file."`
	Policy string   `short:"p" placeholder:"FILE" help:"A policy of kind promotion: its catalogue, limits, tokens and lists of tools count."`
	Tools  string   `placeholder:"FILE" help:"A tool catalogue (YAML), instead of the policy's or the shipped one."`
	Add    []string `sep:"none" placeholder:"FILE" help:"A file of further tokens to look for, one a line; # begins a comment. May be repeated."`
	All    bool     `help:"Show every place of a token in the text, not just its first in each file."`
	Output string   `short:"o" enum:"text,json,sarif" default:"text" help:"text, json or sarif (for code review tools)."`
}

// Help is shown by "pawl promote scan --help".
func (c *promoteScanCmd) Help() string {
	return `Reads each artefact once, without following links and without running anything,
and looks for what should make a person look: programs and hosts that it names,
in prose, code and comments, also encoded or hidden; tools that it doesn't
declare; text that can't be seen; what isn't plain text or can't be read.

A scan can only raise. "Nothing found" says that nothing was found, not that the
artefact is safe.

Exit codes: 0 nothing found, 3 something was found or couldn't be read, or a tool
is asked for whose effects can't be taken back, 2 wrong call, 1 failure.`
}

// scanned is an artefact and what its scan says.
type scanned struct {
	artefact *promotion.Artefact
	result   promotion.ScanResult
	digest   string // empty: no snapshot
}

// needsPerson says whether the scan alone shows that the artefact can't go live
// without a person, whatever anybody says of it.
func (s *scanned) needsPerson() bool {
	return s.result.Tripwire.Raised() || len(s.result.Irreversible) > 0 || s.digest == ""
}

// Run scans the paths.
func (c *promoteScanCmd) Run(p *program) error {
	scanner, limits, err := c.scanner(p)
	if err != nil {
		return err
	}
	ctx, stop := p.interruptible()
	defer stop()
	var all []scanned
	raised := false
	for _, path := range c.Paths {
		artefacts, err := p.artefacts(path, limits)
		if err != nil {
			return err
		}
		for _, a := range artefacts {
			if ctx.Err() != nil {
				return fmt.Errorf("scan %s: %w: nothing was said of the others", path, ctx.Err())
			}
			s := scanned{artefact: a, result: scanner.Scan(a)}
			if snapshot, err := a.Snapshot(); err == nil {
				s.digest = snapshot.Digest
			}
			raised = raised || s.needsPerson()
			all = append(all, s)
		}
	}
	switch c.Output {
	case "json":
		err = p.printJSON(scanJSON(all))
	case "sarif":
		err = p.printJSON(scanSarif(all))
	default:
		err = p.print(scanText(all, c.All))
	}
	if err == nil && raised {
		return exit(exitHuman)
	}
	return err
}

// scanner compiles what the flags say.
func (c *promoteScanCmd) scanner(p *program) (*promotion.Scanner, promotion.Limits, error) {
	var o promotion.ScanOptions
	limits := promotion.DefaultLimits()
	if c.Policy != "" {
		f, err := p.loadKind(c.Policy, policy.KindPromotion)
		if err != nil {
			return nil, limits, err
		}
		o, limits = f.Promotion.ScanOptions(), f.Promotion.Limits()
	}
	if c.Tools != "" {
		catalogue, err := p.readCatalogue(c.Tools)
		if err != nil {
			return nil, limits, err
		}
		o.Catalogue = catalogue
	}
	for _, name := range c.Add {
		tokens, err := p.readTokens(name)
		if err != nil {
			return nil, limits, err
		}
		o.ExtraTokens = append(o.ExtraTokens, tokens...)
	}
	s, err := promotion.NewScanner(o)
	if err != nil {
		return nil, limits, usageError{err}
	}
	return s, limits, nil
}

func (p *program) readCatalogue(name string) (*promotion.Catalogue, error) {
	src, err := p.readFile(name, source.MaxBytes+1)
	if err != nil {
		return nil, err
	}
	catalogue, problems := promotion.ParseCatalogue(src)
	if len(problems) == 0 {
		return catalogue, nil
	}
	p.sayProblems(name, src, problems)
	return nil, usagef("%s is not a valid tool catalogue: nothing was done", name)
}

// shownName is how an artefact's file is named to people and tools.
func shownName(a *promotion.Artefact, file string) string {
	if file == "" {
		return a.Name
	}
	return filepath.ToSlash(filepath.Join(a.Name, file))
}

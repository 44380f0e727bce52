package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
)

type promoteScanCmd struct {
	Paths  []string `arg:"" name:"path" help:"A skill, a folder of skills, an archive (.zip, .skill, .tar.gz), a snapshot, or a single file."`
	Policy string   `short:"p" placeholder:"FILE" help:"A policy of kind promotion: its catalogue, limits, tokens and lists of tools count."`
	Tools  string   `placeholder:"FILE" help:"A tool catalogue (YAML), instead of the shipped one; not with -p."`
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

// scanned is an artefact and what its scan says. Of its files only what is shown
// is kept: there may be more of them than fit into memory.
type scanned struct {
	name     string
	single   bool     // the artefact is one file, and name names it
	leftOut  []string // as the artefact has it
	result   promotion.ScanResult
	excerpts []string // of each reason, empty where there is none
	digest   string   // empty: no snapshot
}

// unscanned is a path at which there was nothing to scan.
type unscanned struct {
	Path  string `json:"path"`
	Error string `json:"error"`
}

// needsPerson says whether the scan alone shows that the artefact can't go live
// without a person, whatever anybody says of it.
func (s *scanned) needsPerson() bool {
	return s.result.Tripwire.Raised() || len(s.result.Irreversible) > 0 || s.digest == ""
}

// Run scans the paths. One at which there is nothing doesn't keep back what the
// others hold.
func (c *promoteScanCmd) Run(p *program) error {
	scanner, limits, err := c.scanner(p)
	if err != nil {
		return err
	}
	ctx, stop := p.interruptible()
	defer stop()
	var all []scanned
	var failed []unscanned
	for _, path := range c.Paths {
		_, err := p.eachArtefact(path, limits, func(a *promotion.Artefact) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			all = append(all, scanOne(scanner, path, a))
			return nil
		})
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted at %s: nothing of the scan is shown", path)
		case err != nil && len(c.Paths) == 1:
			return err
		case err != nil:
			p.sayError(err)
			failed = append(failed, unscanned{path, err.Error()})
		}
	}
	switch c.Output {
	case "json":
		err = p.printJSON(scanJSON(all, failed))
	case "sarif":
		err = p.printJSON(scanSarif(all, failed))
	default:
		if err = p.print(scanText(all, c.All)); err == nil && len(failed) > 0 {
			p.say("pawl: %d of %s couldn't be scanned", len(failed), plural(len(c.Paths), "path"))
		}
	}
	switch {
	case err != nil:
		return err
	case len(failed) > 0:
		return exit(exitUsage)
	case slices.ContainsFunc(all, func(s scanned) bool { return s.needsPerson() }):
		return exit(exitHuman)
	}
	return nil
}

func scanOne(scanner *promotion.Scanner, path string, a *promotion.Artefact) scanned {
	s := scanned{name: a.Name, leftOut: a.LeftOut, result: scanner.Scan(a)}
	if snapshot, err := a.Snapshot(); err == nil {
		s.digest = snapshot.Digest
	}
	s.excerpts = excerptsOf(a, s.result.Tripwire.Reasons)
	if len(a.Files) == 1 && a.Files[0].Path == filepath.Base(path) {
		info, err := os.Stat(path)
		s.single = err == nil && info.Mode().IsRegular()
	}
	return s
}

// scanner compiles what the flags say.
func (c *promoteScanCmd) scanner(p *program) (*promotion.Scanner, promotion.Limits, error) {
	var o promotion.ScanOptions
	limits := promotion.DefaultLimits()
	if c.Policy != "" && c.Tools != "" {
		// What the policy calls irreversible would be lost.
		return nil, limits, usagef("a policy has its catalogue: leave out --tools, or -p")
	}
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
func (s *scanned) shownName(file string) string {
	if file == "" || s.single {
		return filepath.ToSlash(s.name)
	}
	return filepath.ToSlash(filepath.Join(s.name, file))
}

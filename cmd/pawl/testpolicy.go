package main

import (
	"bytes"
	"fmt"

	"github.com/pawlgate/pawl/policy"
)

type testCmd struct {
	Files  []string `arg:"" optional:"" name:"file" help:"Policy files; - is standard input."`
	Policy []string `short:"p" help:"The same as a flag."`
	Output string   `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// Run runs the tests of each file. Exit code 1 if one fails or a file has
// none: tests that aren't there prove nothing.
func (c *testCmd) Run(p *program) error {
	names := append(c.Files, c.Policy...)
	if len(names) == 0 {
		return usagef("name the policy files to test")
	}
	passed := true
	reports := []testJSON{}
	var text bytes.Buffer
	for _, name := range names {
		f, err := p.load(name)
		if err != nil {
			return err
		}
		report := f.RunTests()
		passed = passed && report.Passed()
		if c.Output == "json" {
			reports = append(reports, newTestJSON(f, report))
		} else {
			printTests(&text, f, report)
		}
	}
	var err error
	if c.Output == "json" {
		err = p.printJSON(map[string]any{"files": reports})
	} else {
		err = p.print(text.Bytes())
	}
	if err != nil {
		return err
	}
	if !passed {
		return exit(exitFailure)
	}
	return nil
}

func printTests(w *bytes.Buffer, f *policy.File, r *policy.TestReport) {
	failed := 0
	for _, t := range r.Results {
		if len(t.Failures) == 0 {
			fmt.Fprintf(w, "ok    %s\n", printable(t.Name))
			continue
		}
		failed++
		fmt.Fprintf(w, "FAIL  %s  (%s:%s)\n", printable(t.Name), f.Name, t.Pos)
		for _, why := range t.Failures {
			fmt.Fprintf(w, "        %s\n", printable(why))
		}
	}
	if len(r.Results) == 0 {
		fmt.Fprintf(w, "%s: no tests: add some under tests:\n", f.Name)
		return
	}
	fmt.Fprintf(w, "%s: %s, %d failed\n\n", f.Name, plural(len(r.Results), "test"), failed)

	reached, all := r.Covered()
	if all == 0 {
		return
	}
	fmt.Fprintf(w, "coverage: %d of %d outcomes\n", reached, all)
	var rows [][]string
	for _, c := range r.Rules {
		row := []string{"rule " + printable(c.ID), fmt.Sprintf("fired %d", c.Fired), fmt.Sprintf("not fired %d", c.NotFired)}
		if f.Threshold != nil { // what is unknown fires in a case policy
			row = append(row, fmt.Sprintf("unknown %d", c.Unknown))
		}
		rows = append(rows, append(row, missing(outcomeCount{"fired", c.Fired}, outcomeCount{"not fired", c.NotFired})))
	}
	for _, c := range r.Bands {
		rows = append(rows, []string{
			"band " + c.Score, fmt.Sprintf("high %d", c.High), fmt.Sprintf("review %d", c.Review), fmt.Sprintf("low %d", c.Low),
			missing(outcomeCount{"high", c.High}, outcomeCount{"review", c.Review}, outcomeCount{"low", c.Low}),
		})
	}
	for _, c := range r.Guards {
		rows = append(rows, []string{
			"guard " + c.Guard, fmt.Sprintf("stopped %d", c.Stopped), fmt.Sprintf("not stopped %d", c.NotStopped),
			missing(outcomeCount{"stopped", c.Stopped}, outcomeCount{"not stopped", c.NotStopped}),
		})
	}
	for _, c := range r.Terminals {
		rows = append(rows, []string{"terminal " + c.Terminal, fmt.Sprintf("reached %d", c.Reached), "", missing(outcomeCount{"reached", c.Reached})})
	}
	writeTable(w, rows)
}

type outcomeCount struct {
	name string
	n    int
}

// missing names the outcomes that no test reached.
func missing(counts ...outcomeCount) string {
	text := ""
	for _, c := range counts {
		if c.n > 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += c.name
	}
	if text == "" {
		return ""
	}
	return "never " + text
}

type testJSON struct {
	File   string                `json:"file"`
	Gate   string                `json:"gate"`
	Policy string                `json:"policy"`
	Passed bool                  `json:"passed"`
	Tests  []testResultJSON      `json:"tests"`
	Rules  []policy.RuleCoverage `json:"rules"`
	Bands  []policy.BandCoverage `json:"bands"`
	// Of a promotion policy.
	Guards    []policy.GuardCoverage    `json:"guards,omitempty"`
	Terminals []policy.TerminalCoverage `json:"terminals,omitempty"`
}

type testResultJSON struct {
	Name     string   `json:"name"`
	Line     int      `json:"line"`
	Passed   bool     `json:"passed"`
	Failures []string `json:"failures,omitempty"`
}

func newTestJSON(f *policy.File, r *policy.TestReport) testJSON {
	out := testJSON{
		File: f.Name, Gate: f.Gate, Policy: f.Digest, Passed: r.Passed(),
		Tests: []testResultJSON{}, Rules: r.Rules, Bands: r.Bands, Guards: r.Guards, Terminals: r.Terminals,
	}
	for _, t := range r.Results {
		out.Tests = append(out.Tests, testResultJSON{t.Name, t.Pos.Line, len(t.Failures) == 0, t.Failures})
	}
	return out
}

package main

import (
	"bytes"
	"fmt"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
)

type caseValidateCmd struct {
	Policy string `short:"p" help:"A policy of kind case: its confidence floor and its lists of decisions count, too."`
	Input  string `arg:"" optional:"" default:"-" help:"A file with one output; - is standard input (the default)."`
	Output string `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// Help is shown by "pawl case validate --help".
func (c *caseValidateCmd) Help() string {
	return `Holds an output of a case gate, or of a model, to the schema (schema_sentinel_v1)
and to itself: a DECIDE with a violation beside it is valid and says two things.
It repairs nothing, and a consistent DECIDE is no permission.

Exit codes: 0 a consistent DECIDE, 3 ESCALATE or not consistent, 2 not exactly one
JSON value, or wrong call.`
}

// Run checks one output.
func (c *caseValidateCmd) Run(p *program) error {
	var f *policy.File
	var gate *casegate.Policy
	if c.Policy != "" {
		if c.Policy == "-" && c.Input == "-" {
			return usagef("the policy and the output can't both come from standard input")
		}
		var err error
		if f, err = p.loadKind(c.Policy, policy.KindCase); err != nil {
			return err
		}
		gate = new(f.Case.Policy())
	}
	raw, err := p.readFile(c.Input, source.MaxBytes+1)
	if err != nil {
		return err
	}
	report := casegate.Validate(raw, gate)
	if c.Output == "json" {
		err = p.printJSON(struct {
			Consistent bool `json:"consistent"`
			*casegate.Report
		}{report.Consistent(), report})
	} else {
		err = p.print(validateText(c.Input, report))
	}
	switch {
	case err != nil:
		return err
	case report.Malformed != "":
		return exit(exitUsage)
	case !report.Consistent():
		return exit(exitHuman)
	}
	return nil
}

func validateText(name string, r *casegate.Report) []byte {
	b := &bytes.Buffer{}
	name = cell(name)
	if r.Malformed != "" {
		fmt.Fprintf(b, "%s: not exactly one JSON value: %s\n", name, cell(r.Malformed))
		return b.Bytes()
	}
	action := string(r.Action)
	if action == "" {
		action = "no action"
	}
	switch {
	case r.Consistent() && len(r.Skipped) > 0:
		fmt.Fprintf(b, "%s: %s, consistent as far as that can be seen without a policy. This is no permission.\n", name, action)
	case r.Consistent():
		fmt.Fprintf(b, "%s: %s, consistent. This is no permission: only a policy's gate gives a verdict.\n", name, action)
	case len(r.Schema) > 0:
		fmt.Fprintf(b, "%s: %s, not valid: take it as ESCALATE.\n", name, action)
	case r.Action == casegate.Decide:
		fmt.Fprintf(b, "%s: %s, but not consistent: take it as ESCALATE.\n", name, action)
	default:
		fmt.Fprintf(b, "%s: %s, valid.\n", name, action)
	}
	findings := func(title string, findings []casegate.Finding) {
		var rows [][]string
		for _, f := range findings {
			at := f.Pointer
			if at == "" {
				at = "(the output)"
			}
			rows = append(rows, []string{cell(at), cell(f.Message)})
		}
		section(b, title, rows)
	}
	findings("against the schema", r.Schema)
	findings("contradictions", r.Contradictions)
	findings("warnings", r.Warnings)
	var skipped [][]string
	for _, s := range r.Skipped {
		skipped = append(skipped, []string{cell(s)})
	}
	section(b, "not looked at", skipped)
	return b.Bytes()
}

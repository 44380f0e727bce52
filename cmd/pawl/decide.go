package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

type decideCmd struct {
	Policy  string   `short:"p" required:"" help:"The policy file."`
	Input   string   `arg:"" optional:"" default:"-" help:"A .json file holds one input, .jsonl and .csv hold many; - is standard input (the default)."`
	Format  string   `help:"json, jsonl or csv; needed where the name doesn't tell (standard input: jsonl)."`
	Output  string   `short:"o" help:"text or json. Default: text for one input, json for a stream."`
	Explain bool     `help:"Show each band, rule and risk level with the values it looked at."`
	Only    []string `sep:"none" placeholder:"ID" help:"Of a stream, decide only the inputs with this id (may be repeated)."`
	Without []string `sep:"none" placeholder:"FLAG" help:"Of a CSV: this declared flag has no column and is never set (may be repeated)."`
	Summary bool     `help:"Of a stream, print counts by verdict and reason instead of each decision."`
	Record  string   `placeholder:"DB" help:"Of a stream, keep every decision in this database, and answer once it is on the disk."`
	As      string   `env:"PAWL_AS" placeholder:"NAME" help:"With --record: who submits. Nobody checks the name, and it is recorded so."`
	keyFileFlag
	RunName string `name:"run" placeholder:"NAME" help:"With --record: a name for this run. Repeated with the same name, no line is recorded twice."`
}

// Help is shown by "pawl decide --help".
func (c *decideCmd) Help() string {
	return `An input is a JSON object, either the bare signals
  {"score": 0.93, "scores": {"name": 0.5}, "flags": ["new"], "meta": {"amount": 20}}
or an envelope around them
  {"id": "r-17", "subject": "…", "signals": {…}, "action": …}
A CSV's columns are the signals that the policy declares; "id" names the row.

Every line of a stream is answered, in order, with one line; a malformed one by
route_to_human with the reason input_malformed. Exit codes: one input: 0
auto_apply, 3 route_to_human, 4 auto_reject, 2 malformed; a stream: 0 all
answered, 2 all answered and some malformed, 1 stopped early.`
}

// Run decides one input or a stream.
func (c *decideCmd) Run(p *program) error {
	format, err := inputFormat(c.Format, c.Input)
	if err != nil {
		return err
	}
	single := format == "json"
	switch c.Output {
	case "":
		c.Output = "json"
		if single {
			c.Output = "text"
		}
	case "text", "json":
	default:
		return usagef("--output %s: use text or json", c.Output)
	}
	if single && (len(c.Only) > 0 || c.Summary) {
		return usagef("--only and --summary are for streams; %s holds one input", c.Input)
	}
	if slices.Contains(c.Only, "") {
		return usagef("--only needs an id")
	}
	if c.Policy == "-" && c.Input == "-" {
		return usagef("the policy and the input can't both come from standard input")
	}
	f, err := p.loadThreshold(c.Policy)
	if err != nil {
		return err
	}
	switch {
	case single && c.Record != "":
		return usagef("--record is for streams: use pawl item submit for one input")
	case single:
		return c.one(p, f)
	case c.Record != "":
		return c.record(p, f, format)
	case c.RunName != "":
		return usagef("--run goes with --record")
	}
	return c.stream(p, f, format, nil)
}

// wants reports whether an input with this id is to be decided.
func (c *decideCmd) wants(id string) bool { return len(c.Only) == 0 || slices.Contains(c.Only, id) }

// inputFormat tells what an input holds: json, jsonl or csv.
func inputFormat(format, input string) (string, error) {
	switch format = strings.ToLower(format); format {
	case "json", "jsonl", "csv":
		return format, nil
	case "":
	default:
		return "", usagef("--format %s: use json, jsonl or csv", format)
	}
	if input == "-" {
		return "jsonl", nil
	}
	switch ext := strings.ToLower(filepath.Ext(input)); ext {
	case ".json":
		return "json", nil
	case ".jsonl", ".ndjson":
		return "jsonl", nil
	case ".csv":
		return "csv", nil
	default:
		return "", usagef("%s: the name doesn't tell what it holds: give --format json, jsonl or csv", input)
	}
}

// one decides a single input.
func (c *decideCmd) one(p *program, f *policy.File) error {
	raw, err := p.readFile(c.Input, source.MaxBytes+1)
	if err != nil {
		return err
	}
	var d threshold.Decision
	id := f.Threshold.NewDecider().DecideJSON(&d, raw).ID
	var e *policy.Explanation
	if c.Explain {
		signals, _, _ := f.Threshold.Signals(raw) // a malformed input carries its fault
		d, e = f.Threshold.Explain(signals)
	}
	var out []byte
	if c.Output == "json" {
		out, err = appendResultJSON(nil, f, 0, id, &d, e)
	} else {
		out = appendDecision(nil, f, id, &d, e)
	}
	if err != nil {
		return err
	}
	if err := p.print(out); err != nil {
		return err
	}
	return decisionExit(&d)
}

func decisionExit(d *threshold.Decision) error {
	switch {
	case d.Malformed():
		return exit(exitUsage)
	case d.Verdict == threshold.AutoApply:
		return nil
	case d.Verdict == threshold.AutoReject:
		return exit(exitAutoReject)
	default:
		return exit(exitHuman)
	}
}

var errNothing = errors.New("the input is empty: nothing was decided")

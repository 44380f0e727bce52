package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawlgate/pawl/internal/conformance"
	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/vectors"
	"github.com/pawlgate/pawl/verdict"
)

type vectorsRunCmd struct {
	Exec    *string       `placeholder:"COMMAND" help:"Put the vectors to this command, run by sh, instead of to this program."`
	Corpus  []string      `enum:"core,cel,case,outputs,promotion,tripwire,snapshot" help:"core, cel (threshold gate), case, outputs (case gate), promotion, tripwire or snapshot (promotion gate); may be repeated. Default: all; with --exec: core, which is for every language."`
	Only    []string      `sep:"none" placeholder:"NAME" help:"Only the vector of this name (may be repeated)."`
	Timeout time.Duration `default:"5s" help:"How long to wait for one answer."`
	Output  string        `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// Help is shown by "pawl vectors run --help".
func (c *vectorsRunCmd) Help() string {
	return `A vector is an input, a policy and the decision that they must give: the contract
of the gate as data. The command gets one line for each on its standard input
  {"id": "…", "signalsText": "{\"score\": 0.9}", "policy": {…}, "supervised": false}
and must answer each, before it gets the next, with one line
  {"id": "…", "verdict": "auto_apply", "bands": {"score": "high"}, "codes": ["band_high:score"]}
vectors/README.md describes both. "pawl vectors answer" is such a command.

Exit codes: 0 all passed, 1 not, 2 wrong call.`
}

// Run puts the vectors to this program's gate, or to another program.
func (c *vectorsRunCmd) Run(p *program) error {
	if c.Timeout <= 0 {
		return usagef("--timeout %s: must be more than nothing", c.Timeout)
	}
	if c.Exec != nil && strings.TrimSpace(*c.Exec) == "" {
		return usagef("--exec needs a command; this one is empty")
	}
	if len(c.Corpus) == 0 && c.Exec != nil {
		c.Corpus = []string{vectors.Core}
	}
	all, err := c.items()
	if err != nil {
		return err
	}
	if all, err = c.selected(all); err != nil {
		return err
	}
	var impl conformance.Implementation = &conformance.Gate{}
	if c.Exec != nil {
		other := &conformance.Program{Command: *c.Exec, Timeout: c.Timeout}
		defer other.Close()
		impl = other
	}
	ctx, stop := p.interruptible()
	defer stop()
	var results []conformance.Result
	if err := conformance.Run(ctx, all, impl, func(r conformance.Result) { results = append(results, r) }); err != nil {
		return fmt.Errorf("stopped early, after %d of %s: %w", len(results), plural(len(all), "vector"), err)
	}
	if c.Output == "json" {
		err = p.printJSON(vectorsJSON(results))
	} else {
		err = p.print(vectorsText(results))
	}
	if err == nil && slices.ContainsFunc(results, func(r conformance.Result) bool { return r.Outcome != conformance.Passed }) {
		return exit(exitFailure)
	}
	return err
}

// items returns the vectors of the corpora, all if none is named.
func (c *vectorsRunCmd) items() ([]conformance.Item, error) {
	if len(c.Corpus) == 0 {
		c.Corpus = []string{vectors.Core, vectors.CEL, vectors.Case, vectors.Outputs, vectors.Promotion, vectors.Tripwire, vectors.Snapshot}
	}
	var all []conformance.Item
	for i, corpus := range c.Corpus {
		if slices.Contains(c.Corpus[:i], corpus) {
			continue
		}
		items, err := itemsOf(corpus)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

func itemsOf(corpus string) ([]conformance.Item, error) {
	switch corpus {
	case vectors.Case:
		return itemsFrom(vectors.Cases, conformance.CaseItems)
	case vectors.Outputs:
		return itemsFrom(vectors.OutputsFromElsewhere, conformance.OutputItems)
	case vectors.Promotion:
		return itemsFrom(vectors.Promotions, conformance.PromotionItems)
	case vectors.Tripwire:
		return itemsFrom(vectors.Tripwires, conformance.TripwireItems)
	case vectors.Snapshot:
		return itemsFrom(vectors.Snapshots, conformance.SnapshotItems)
	default:
		return itemsFrom(func() ([]vectors.Vector, error) { return vectors.Threshold(corpus) }, conformance.Items)
	}
}

func itemsFrom[V any](read func() ([]V, error), items func([]V) ([]conformance.Item, error)) ([]conformance.Item, error) {
	all, err := read()
	if err != nil {
		return nil, err
	}
	return items(all)
}

// selected returns the vectors that --only names, with their corpus or without.
func (c *vectorsRunCmd) selected(all []conformance.Item) ([]conformance.Item, error) {
	if len(c.Only) == 0 {
		return all, nil
	}
	var some []conformance.Item
	for _, name := range c.Only {
		found := false
		for _, v := range all {
			_, bare, _ := strings.Cut(v.ID, "/")
			if bare != name && v.ID != name {
				continue
			}
			found = true
			if !slices.ContainsFunc(some, func(o conformance.Item) bool { return o.ID == v.ID }) {
				some = append(some, v)
			}
		}
		if !found {
			return nil, usagef("no vector has the name %q", name)
		}
	}
	return some, nil
}

// outcomeOrder is the order in which outcomes are counted.
var outcomeOrder = []conformance.Outcome{conformance.Passed, conformance.Failed, conformance.TimedOut, conformance.Broken, conformance.NotRun}

func vectorsText(results []conformance.Result) []byte {
	w := &bytes.Buffer{}
	counts := map[conformance.Outcome]int{}
	for _, r := range results {
		counts[r.Outcome]++
		if r.Outcome == conformance.Passed || r.Outcome == conformance.NotRun {
			continue
		}
		fmt.Fprintf(w, "%-9s  %s  (%s)\n", r.Outcome, printable(r.ID), r.File)
		for _, wrong := range r.Wrong {
			fmt.Fprintf(w, "           %s\n", printable(wrong))
		}
		if r.Said != "" {
			fmt.Fprintf(w, "           it said %s\n", printable(cut(r.Said)))
		}
	}
	if n := counts[conformance.NotRun]; n > 0 {
		fmt.Fprintf(w, "given up: no answer to %d in a row; not run: %s\n", conformance.MaxSilent, thousands(n))
	}
	fmt.Fprintf(w, "%s:", plural(len(results), "vector"))
	sep := " "
	for _, o := range outcomeOrder {
		if n := counts[o]; n > 0 || o == conformance.Passed {
			fmt.Fprintf(w, "%s%s %s", sep, thousands(n), o)
			sep = ", "
		}
	}
	fmt.Fprintln(w)
	return w.Bytes()
}

// maxSaid bounds how much is shown of what a program said.
const maxSaid = 400

func cut(s string) string {
	if len(s) <= maxSaid {
		return s
	}
	return s[:maxSaid] + "…"
}

type vectorJSON struct {
	ID      string              `json:"id"`
	File    string              `json:"file"`
	Outcome conformance.Outcome `json:"outcome"`
	Wrong   []string            `json:"wrong,omitempty"`
	Said    string              `json:"said,omitempty"`
}

func vectorsJSON(results []conformance.Result) any {
	out := struct {
		Counts  map[conformance.Outcome]int `json:"counts"`
		Vectors []vectorJSON                `json:"vectors"`
	}{map[conformance.Outcome]int{}, []vectorJSON{}}
	for _, o := range outcomeOrder {
		out.Counts[o] = 0
	}
	for _, r := range results {
		out.Counts[r.Outcome]++
		v := vectorJSON{ID: r.ID, File: r.File, Outcome: r.Outcome, Wrong: r.Wrong}
		if r.Outcome != conformance.Passed {
			v.Said = r.Said
		}
		out.Vectors = append(out.Vectors, v)
	}
	return out
}

type vectorsAnswerCmd struct{}

// Help is shown by "pawl vectors answer --help".
func (vectorsAnswerCmd) Help() string {
	return `Reads the lines that "pawl vectors run --exec" writes and answers each with this
program's gate: to compare another implementation with, input by input. A line
that can't be read is answered by {"id": null, "error": "…"}, and the exit code
is then 2.`
}

// Run answers lines until the input ends.
func (vectorsAnswerCmd) Run(p *program) error {
	ctx, stop := p.interruptible()
	defer stop()
	run := &answerRun{}
	res, err := stream.Run(ctx, p.stdin, p.stdout, stream.Options{NewWorker: run.newWorker})
	if err != nil {
		return stopped("-", res, err)
	}
	for _, w := range run.workers {
		if w.errors > 0 {
			return exit(exitUsage)
		}
	}
	return nil
}

// answerRun is what the workers of one run share. They are made one after the
// other.
type answerRun struct{ workers []*answerWorker }

type answerWorker struct {
	gate   conformance.Gate
	errors int
}

func (r *answerRun) newWorker() stream.Worker {
	w := &answerWorker{}
	r.workers = append(r.workers, w)
	return w
}

// Answer answers one line.
func (w *answerWorker) Answer(dst []byte, rec stream.Record) []byte {
	a, err := w.answer(rec)
	if err != nil {
		w.errors++
		dst = append(dst, `{"id":null,"error":`...)
		dst = verdict.AppendString(dst, fmt.Sprintf("line %d: %v", rec.Line, err))
		return append(dst, "}\n"...)
	}
	return append(append(dst, a...), '\n')
}

func (w *answerWorker) answer(rec stream.Record) ([]byte, error) {
	if rec.Defect != "" {
		return nil, fmt.Errorf("the line is %s", rec.Defect)
	}
	return w.gate.Ask(context.Background(), rec.Data)
}

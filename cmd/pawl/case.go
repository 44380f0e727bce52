package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/verdict"
)

type caseDecideCmd struct {
	Policy string `short:"p" required:"" help:"The policy file, of kind case."`
	Input  string `arg:"" optional:"" default:"-" help:"A .json file holds one case, .jsonl many; - is standard input (the default)."`
	Format string `help:"json or jsonl; needed where the name doesn't tell (standard input: jsonl)."`
	Output string `short:"o" help:"text or json. Default: text for one case, json for a stream."`
	modelFlags
}

// Help is shown by "pawl case decide --help".
func (c *caseDecideCmd) Help() string {
	return `An input is a case
  {"case_id": "S-1", "as_of": "2026-11-30", "facts": {…}, "documents": […],
   "sources": […], "checks": […], "signals": {…}}
an envelope around one
  {"id": "r-17", "subject": "…", "case": {…}, "action": …}
or an output from elsewhere, with its case if there is one
  {"id": "r-17", "output": {"action": "DECIDE", …}, "case": {…}}

Every case is answered, those of a stream in order, a line each: what isn't
well-formed, or can't be evaluated, escalates. If the policy names a model,
--models FILE says where it is; its opinion can escalate a case and do no more,
and no answer escalates, too.

Exit codes: one case: 0 auto_apply, 3 route_to_human, 4 auto_reject, 2 malformed,
1 failure; a stream: 0 all answered, 2 all answered and some malformed, 1 stopped
early. A wrong call is 2.`
}

// Run decides one case or a stream.
func (c *caseDecideCmd) Run(p *program) error {
	format, err := inputFormat(c.Format, c.Input)
	if err != nil {
		return err
	}
	if format == "csv" {
		return usagef("a case has lists and objects: use json or jsonl")
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
	if err := oneStdin("the input", c.Input, c.Policy, &c.modelFlags); err != nil {
		return err
	}
	f, err := p.loadKind(c.Policy, policy.KindCase)
	if err != nil {
		return err
	}
	second, err := c.model(p, f, c.Policy, c.Input)
	if err != nil {
		return err
	}
	if single {
		err = c.one(p, f, second)
	} else {
		err = c.stream(p, f, second)
	}
	return second.close(err)
}

// one decides a single case.
func (c *caseDecideCmd) one(p *program, f *policy.File, second *secondOpinion) error {
	raw, err := p.readFile(c.Input, source.MaxBytes+1)
	if err != nil {
		return err
	}
	in := f.Case.Read(raw, 0)
	ctx, stop := p.interruptible()
	o, err := second.ask(ctx, in)
	stop()
	if err != nil {
		return fmt.Errorf("%s: %w: nothing was decided", c.Input, err)
	}
	r := f.Case.Decide(in, o)
	var out []byte
	if c.Output == "json" {
		out = append(f.Case.AppendResult(nil, 0, in.ID, &r), '\n')
	} else {
		out = appendCase(nil, f, in.ID, &r)
	}
	if err := p.print(out); err != nil {
		return err
	}
	return caseExit(&r, in)
}

func caseExit(r *policy.CaseResult, in *policy.CaseInput) error {
	switch {
	case in.Err != nil:
		return exit(exitUsage)
	case r.Verdict == verdict.AutoApply:
		return nil
	case r.Verdict == verdict.AutoReject:
		return exit(exitAutoReject)
	default:
		return exit(exitHuman)
	}
}

// stream decides all cases of a stream.
func (c *caseDecideCmd) stream(p *program, f *policy.File, second *secondOpinion) error {
	in, err := p.open(c.Input)
	if err != nil {
		return err
	}
	defer in.Close()
	ctx, stop := p.interruptible()
	defer stop()
	run := &caseRun{ctx: ctx, cmd: c, file: f, second: second}
	opts := second.options(stream.Options{NewWorker: run.newWorker})
	bar := p.progress(c.Input, in)
	opts.Progress = bar.update
	start := time.Now()
	res, err := stream.Run(ctx, in, wholeAnswers{p.stdout}, opts)
	bar.done()
	if err != nil {
		return stopped(c.Input, res, err)
	}
	if res.Records == 0 {
		return usageError{fmt.Errorf("%s: %w", c.Input, errNothing)}
	}
	total := run.total()
	p.say("%s: %s decided in %s: DECIDE %s, ESCALATE %s, malformed %s", c.Input, plural(total.cases, "case"), time.Since(start).Round(time.Millisecond),
		thousands(total.decided), thousands(total.cases-total.decided), thousands(total.malformed))
	if total.malformed > 0 {
		return exit(exitUsage)
	}
	return nil
}

// caseRun is what the workers of one run share.
type caseRun struct {
	ctx    context.Context
	cmd    *caseDecideCmd
	file   *policy.File
	second *secondOpinion

	mu      sync.Mutex
	workers []*caseWorker
}

// caseWorker decides cases, one after the other.
type caseWorker struct {
	run *caseRun
	caseTally
}

type caseTally struct{ cases, decided, malformed int }

func (r *caseRun) newWorker() stream.Worker {
	w := &caseWorker{run: r}
	r.mu.Lock()
	r.workers = append(r.workers, w)
	r.mu.Unlock()
	return w
}

func (r *caseRun) total() (sum caseTally) {
	for _, w := range r.workers {
		sum.cases += w.cases
		sum.decided += w.decided
		sum.malformed += w.malformed
	}
	return sum
}

// Answer decides one record.
func (w *caseWorker) Answer(dst []byte, rec stream.Record) []byte {
	f := w.run.file
	in := readCase(f, rec)
	o, err := w.run.second.ask(w.run.ctx, in)
	if err != nil {
		return append(dst, noAnswer)
	}
	r := f.Case.Decide(in, o)
	w.cases++
	if r.Output.Action == casegate.Decide {
		w.decided++
	}
	if in.Err != nil {
		w.malformed++
	}
	if w.run.cmd.Output == "text" {
		return appendCaseLine(dst, rec.Line, in, &r)
	}
	return append(f.Case.AppendResult(dst, rec.Line, in.ID, &r), '\n')
}

// noAnswer stands for the answer to a record that was given up when the run was
// interrupted. No answer begins so.
const noAnswer = 0

// wholeAnswers lets through what isn't a noAnswer, and fails at the first one:
// the run stops there, and the record counts as one that is still to be done.
type wholeAnswers struct{ io.Writer }

func (w wholeAnswers) Write(p []byte) (int, error) {
	if len(p) > 0 && p[0] == noAnswer {
		return 0, context.Canceled
	}
	return w.Writer.Write(p)
}

// readCase reads the input of one record.
func readCase(f *policy.File, rec stream.Record) *policy.CaseInput {
	if rec.Defect == "" {
		return f.Case.Read(rec.Data, rec.Line)
	}
	err := fmt.Errorf("%d:1: the line is %s", rec.Line, rec.Defect)
	return &policy.CaseInput{Err: err, Case: casegate.Case{Faults: []verdict.Fault{{Code: verdict.InputMalformed, Detail: err.Error()}}}}
}

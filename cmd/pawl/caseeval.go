package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/policy"
)

type caseEvalCmd struct {
	Policy    string   `short:"p" required:"" help:"The policy file, of kind case."`
	Input     string   `arg:"" optional:"" default:"-" name:"data" help:"Labelled cases, a line of JSON each; - is standard input (the default)."`
	Output    string   `short:"o" enum:"text,json,html" default:"text" help:"text, json or html (one file, with a diagram)."`
	MaxFNRate *float64 `name:"max-fn-rate" placeholder:"RATE" help:"Fail unless the share of missed escalations is shown to be at most this (0 to 1)."`
	MaxFPRate *float64 `name:"max-fp-rate" placeholder:"RATE" help:"The same for cases that were escalated without need."`
	Level     float64  `default:"0.95" help:"The level of the intervals (default 0.95)."`
	modelFlags
}

// Help is shown by "pawl case eval --help".
func (c *caseEvalCmd) Help() string {
	return `Each line holds a case and what would have been right:
  {"id": "S-1", "case": {…}, "expected": {"action": "ESCALATE", "category": "POLICY_VIOLATION"}}
(category is optional). A limit is judged by the upper end of the exact binomial
interval: few cases show little, however well they went. A malformed case is
escalated, as in pawl case decide; how many there are is said on standard error.

Exit codes: 0 done, 1 a limit isn't kept, or failure, 2 a line isn't a labelled
case (nothing is reported then), or wrong call.`
}

// Run evaluates a policy on labelled cases.
func (c *caseEvalCmd) Run(p *program) error {
	for _, l := range []struct {
		name string
		rate *float64
	}{{"--max-fn-rate", c.MaxFNRate}, {"--max-fp-rate", c.MaxFPRate}} {
		if l.rate != nil && !(*l.rate >= 0 && *l.rate <= 1) {
			return usagef("%s %v: must be from 0 to 1", l.name, *l.rate)
		}
	}
	if !(c.Level > 0 && c.Level < 1) {
		return usagef("--level %v: must be between 0 and 1", c.Level)
	}
	if err := oneStdin("the cases", c.Input, c.Policy, &c.modelFlags); err != nil {
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
	return second.close(c.eval(p, f, second))
}

func (c *caseEvalCmd) eval(p *program, f *policy.File, second *secondOpinion) error {
	in, err := p.open(c.Input)
	if err != nil {
		return err
	}
	defer in.Close()
	ctx, stop := p.interruptible()
	defer stop()
	run := &evalRun{ctx: ctx, file: f, second: second}
	bar := p.progress(c.Input, in)
	opts := second.options(stream.Options{NewWorker: run.newWorker})
	opts.Progress = bar.update
	res, err := stream.Run(ctx, in, wholeAnswers{io.Discard}, opts)
	bar.done()
	if err != nil {
		if errors.Is(err, context.Canceled) {
			err = errInterrupted
		}
		return fmt.Errorf("%s: stopped early, after %s: %w; nothing is reported", c.Input, plural(int(res.Records), "case"), err)
	}
	if res.Records == 0 {
		return usageError{fmt.Errorf("%s: %w", c.Input, errNothing)}
	}
	sum, problems, malformed := run.total()
	if len(problems) > 0 {
		for _, problem := range problems[:min(len(problems), maxEvalProblems)] {
			p.say("%s:%s", c.Input, problem.text)
		}
		if more := len(problems) - maxEvalProblems; more > 0 {
			p.say("%s: and %s more", c.Input, plural(more, "line"))
		}
		return usagef("%s: %s can't be used: nothing is reported", c.Input, plural(len(problems), "line"))
	}
	counted, err := sum.Report(c.Level)
	if err != nil {
		return err
	}
	if malformed > 0 {
		p.say("%s: %s malformed, which escalates whatever the policy says (pawl case decide tells why)", c.Input, isOrAre(malformed, "case"))
	}
	report := newCaseEvalReport(c.Input, nameOf(f), policy.Engine, counted, c.MaxFNRate, c.MaxFPRate)
	if malformed > 0 && (c.MaxFNRate != nil || c.MaxFPRate != nil) {
		report.Exceeded = append(report.Exceeded, isOrAre(malformed, "case")+" malformed: they say nothing about the policy, so no limit is shown to be kept")
	}
	switch c.Output {
	case "json":
		err = p.printJSON(report)
	case "html":
		var page []byte
		if page, err = caseEvalHTML(report); err == nil {
			err = p.print(page)
		}
	default:
		err = p.print(caseEvalText(report))
	}
	if err == nil && len(report.Exceeded) > 0 {
		return exit(exitFailure)
	}
	return err
}

// maxEvalProblems bounds how many lines that can't be used are named.
const maxEvalProblems = 20

// evalRun is what the workers of one evaluation share.
type evalRun struct {
	ctx    context.Context
	file   *policy.File
	second *secondOpinion

	mu      sync.Mutex
	workers []*evalWorker
}

// evalWorker evaluates cases, one after the other.
type evalWorker struct {
	run      *evalRun
	sum      casegate.Evaluation
	problems []evalProblem

	malformed int
}

// evalProblem is a line that can't be used.
type evalProblem struct {
	line int
	text string
}

func (r *evalRun) newWorker() stream.Worker {
	w := &evalWorker{run: r}
	r.mu.Lock()
	r.workers = append(r.workers, w)
	r.mu.Unlock()
	return w
}

func (r *evalRun) total() (sum *casegate.Evaluation, problems []evalProblem, malformed int) {
	sum = &casegate.Evaluation{}
	for _, w := range r.workers {
		sum.Add(&w.sum)
		problems = append(problems, w.problems...)
		malformed += w.malformed
	}
	slices.SortFunc(problems, func(a, b evalProblem) int { return cmp.Compare(a.line, b.line) })
	return sum, problems, malformed
}

// Answer evaluates one line. It writes nothing.
func (w *evalWorker) Answer(dst []byte, rec stream.Record) []byte {
	err := w.eval(rec)
	switch {
	case errors.Is(err, errInterrupted):
		return append(dst, noAnswer)
	case err != nil:
		text := fmt.Sprintf("%d: %v", rec.Line, err)
		if se := (*source.SyntaxError)(nil); errors.As(err, &se) {
			se.Pos.Line += rec.Line - 1
			text = se.Error()
		}
		w.problems = append(w.problems, evalProblem{rec.Line, printable(oneLine([]byte(text)))})
	}
	return dst
}

func (w *evalWorker) eval(rec stream.Record) error {
	if rec.Defect != "" {
		return fmt.Errorf("the line is %s", rec.Defect)
	}
	root, err := source.ReadJSON(rec.Data)
	if err != nil {
		return err
	}
	label, err := takeLabel(root)
	if err != nil {
		return err
	}
	// A label that is none is told before a model is asked, and paid.
	if err := new(casegate.Evaluation).Count(label, &casegate.Output{Action: casegate.Decide}); err != nil {
		return err
	}
	in := w.run.file.Case.Read(root.AppendJSON(nil), rec.Line)
	o, err := w.run.second.ask(w.run.ctx, in)
	if err != nil {
		return err
	}
	if in.Err != nil {
		w.malformed++
	}
	r := w.run.file.Case.Decide(in, o)
	return w.sum.Count(label, &r.Output)
}

// isOrAre writes "1 case is", "2 cases are".
func isOrAre(n int, what string) string {
	if n == 1 {
		return plural(n, what) + " is"
	}
	return plural(n, what) + " are"
}

// takeLabel takes "expected" out of a line.
func takeLabel(root *source.Node) (casegate.Label, error) {
	var label casegate.Label
	n := root.Get("expected")
	one := root.Get("case")
	aCase := one != nil && one.Kind == source.Object || one == nil && root.Get("case_id") != nil // in an envelope, or bare
	if n == nil || n.Kind != source.Object || n.Get("action") == nil || !aCase || root.Get("output") != nil {
		return label, fmt.Errorf(`a labelled case is {"case": {…}, "expected": {"action": …, "category"?: …}}`)
	}
	root.Members = slices.DeleteFunc(root.Members, func(m source.Member) bool { return m.Key == "expected" })
	for _, m := range n.Members {
		switch {
		case m.Key == "category" && m.Value.Kind == source.Null:
		case m.Value.Kind != source.String:
			return label, fmt.Errorf("expected.%.64s must be a string, not %s", m.Key, m.Value.Kind)
		case m.Key == "action":
			label.Action = casegate.Action(m.Value.Text)
		case m.Key == "category":
			label.Category = casegate.Category(m.Value.Text)
		default:
			return label, fmt.Errorf("expected has no member %.64q", m.Key)
		}
	}
	return label, nil
}

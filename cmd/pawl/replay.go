package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

type replayCmd struct {
	Old     string   `required:"" placeholder:"FILE" help:"The policy that is in force."`
	New     string   `required:"" placeholder:"FILE" help:"The policy that may replace it."`
	Input   string   `arg:"" optional:"" default:"-" name:"data" help:"Inputs as .jsonl or .csv; - is standard input (the default)."`
	Format  string   `help:"jsonl or csv; needed where the name doesn't tell (standard input: jsonl)."`
	Without []string `sep:"none" placeholder:"FLAG" help:"Of a CSV: this declared flag has no column and is never set (may be repeated)."`
	Output  string   `short:"o" enum:"text,json,html" default:"text" help:"text, json or html (one file, with histograms)."`
	List    int      `default:"20" placeholder:"N" help:"List up to N of the items that become more automatic (default 20)."`
	Items   *string  `placeholder:"FILE" help:"Write all of them to this file, a line of JSON each."`
}

// Help is shown by "pawl policy replay --help".
func (c *replayCmd) Help() string {
	return `Decides each input under both policies and shows what would change: a table of
old and new verdicts, the items that become more automatic (a person is taken
out, or one automatic verdict is exchanged for the other) with the reasons that
moved them, how often each rule fires, and how the scores lie in the bands.

Exit codes: 0 nothing becomes more automatic, 3 something does, 2 nothing does
but some inputs are malformed (both policies send them to a person), or wrong
call, 1 stopped early.`
}

// Run replays a stream under two policies.
func (c *replayCmd) Run(p *program) error {
	format, err := inputFormat(c.Format, c.Input)
	if err != nil {
		return err
	}
	if format == "json" {
		return usagef("%s holds one input; a replay reads many: .jsonl or .csv, or give --format", c.Input)
	}
	if c.List < 0 {
		return usagef("--list %d: must not be negative", c.List)
	}
	stdin := 0
	for _, name := range []string{c.Old, c.New, c.Input} {
		if name == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return usagef("only one of the policies and the data can come from standard input")
	}
	run := &replayRun{cmd: c}
	if run.old, err = p.loadThreshold(c.Old); err != nil {
		return err
	}
	if run.new, err = p.loadThreshold(c.New); err != nil {
		return err
	}
	return run.stream(p, format)
}

// replayRun is what the workers of one replay share.
type replayRun struct {
	cmd      *replayCmd
	old, new *policy.File
	columns  *[2]*policy.Columns // of a CSV
	workers  []*replayWorker
}

func (r *replayRun) stream(p *program, format string) error {
	c := r.cmd
	in, err := p.open(c.Input)
	if err != nil {
		return err
	}
	defer in.Close()
	opts := stream.Options{NewWorker: r.newWorker}
	var rows io.Reader = in
	if format == "csv" {
		opts.Format = stream.CSV
		t, err := readTable(in)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Input, err)
		}
		rows, opts.FirstLine = t.rows, t.line
		columns, err := policy.ReplayColumns(r.old.Threshold, r.new.Threshold, t.header, c.Without...)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Input, columnsError(err))
		}
		r.columns = &columns
		if missing := append(columns[0].Missing, columns[1].Missing...); len(missing) > 0 {
			return usagef("%s: no column for the score %s: every row would need a person, which shows nothing", c.Input, missing[0])
		}
		p.sayColumns(c.Input, both(columns[0].Ignored, columns[1].Ignored), nil)
	} else if len(c.Without) > 0 {
		return usagef("--without is for a CSV: in JSON a flag that isn't named isn't set")
	}
	items := &itemList{max: c.List}
	var whole *wholeFile
	if c.Items != nil {
		if whole, err = p.createWhole(*c.Items, c.Old, c.New, c.Input); err != nil {
			return err
		}
		items.all = whole
	}
	bar := p.progress(c.Input, in)
	opts.Progress = bar.update
	ctx, stop := p.interruptible()
	defer stop()
	start := time.Now()
	res, err := stream.Run(ctx, rows, items, opts)
	bar.done()
	switch {
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
		fallthrough
	case err != nil:
		err = fmt.Errorf("%s: stopped early, after %s: %w; nothing is reported", c.Input, plural(int(res.Records), "input"), err)
	case res.Records == 0:
		err = usageError{fmt.Errorf("%s: %w", c.Input, errNothing)}
	}
	if whole != nil {
		err = whole.finish(err)
	}
	if err != nil {
		return err
	}
	report := r.report(items)
	if err := r.print(p, report); err != nil {
		return err
	}
	p.say("%s: %s decided twice in %s", c.Input, thousands(report.Items), time.Since(start).Round(time.Millisecond))
	switch {
	case report.MoreAutomatic > 0:
		return exit(exitHuman)
	case report.Malformed > 0:
		return exit(exitUsage)
	}
	return nil
}

// both returns what stands in both lists.
func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return !slices.Contains(b, s) })
}

// replayWorker replays on one core.
type replayWorker struct {
	run    *replayRun
	replay *policy.Replay
	row    row // of a CSV
}

func (r *replayRun) newWorker() stream.Worker {
	w := &replayWorker{run: r, replay: policy.NewReplay(r.old.Threshold, r.new.Threshold)}
	r.workers = append(r.workers, w)
	return w
}

// Answer decides one record twice. Its answer is the item, if it becomes more
// automatic, and nothing otherwise.
func (w *replayWorker) Answer(dst []byte, rec stream.Record) []byte {
	w.replay.SetLine(rec.Line)
	c := w.decide(rec)
	if !c.Looser() {
		return dst
	}
	return append(appendItem(dst, rec.Line, c), '\n')
}

func (w *replayWorker) decide(rec stream.Record) policy.Replayed {
	switch {
	case w.run.columns != nil:
		cells, err := w.row.cells(rec)
		if err != nil {
			return w.replay.Malformed(fmt.Sprintf("%d:1: %v", rec.Line, err))
		}
		return w.replay.Row(*w.run.columns, cells)
	case rec.Defect != "":
		return w.replay.Malformed(fmt.Sprintf("%d:1: the line is %s", rec.Line, rec.Defect))
	default:
		return w.replay.JSON(rec.Data)
	}
}

// appendItem appends an item that becomes more automatic as JSON: itemJSON, in
// few allocations.
func appendItem(dst []byte, line int, c policy.Replayed) []byte {
	dst = fmt.Appendf(dst, `{"line":%d,`, line)
	if c.ID != nil {
		dst = append(dst, `"id":`...)
		dst = append(verdict.AppendString(dst, string(c.ID)), ',')
	}
	dst = fmt.Appendf(dst, `"old":%q,"new":%q,"gone":`, c.Old.Verdict, c.New.Verdict)
	dst = verdict.AppendStrings(dst, c.Gone())
	dst = append(dst, `,"came":`...)
	dst = verdict.AppendStrings(dst, c.Came())
	return append(dst, '}')
}

// itemList takes the items of a replay, in the order of the input. It keeps the
// first ones and passes all on.
type itemList struct {
	max  int
	kept [][]byte
	all  io.Writer // nil: nowhere
}

// Write takes whole lines.
func (l *itemList) Write(lines []byte) (int, error) {
	for line := range bytes.Lines(lines) {
		if len(l.kept) == l.max {
			break
		}
		l.kept = append(l.kept, bytes.Clone(bytes.TrimSuffix(line, []byte{'\n'})))
	}
	if l.all == nil {
		return len(lines), nil
	}
	return l.all.Write(lines)
}

// replayItem is an item that becomes more automatic.
type replayItem struct {
	Line int               `json:"line"`
	ID   *string           `json:"id,omitempty"`
	Old  threshold.Verdict `json:"old"`
	New  threshold.Verdict `json:"new"`
	Gone []string          `json:"gone"`
	Came []string          `json:"came"`
}

// replayReport is what is shown of a replay.
type replayReport struct {
	Engine string     `json:"engine"`
	Data   string     `json:"data"`
	Old    policyName `json:"old"`
	New    policyName `json:"new"`
	*policy.ReplayReport
	// List holds the first items that become more automatic.
	List []replayItem `json:"list"`
}

// policyName says which policy it is.
type policyName struct {
	File   string `json:"file"`
	Gate   string `json:"gate"`
	Policy string `json:"policy"`
}

func nameOf(f *policy.File) policyName { return policyName{f.Name, f.Gate, f.Digest} }

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// stream decides all inputs of a stream, and keeps what it decided if it is told
// where.
func (c *decideCmd) stream(p *program, f *policy.File, format string, to *recording) error {
	in, err := p.open(c.Input)
	if err != nil {
		return err
	}
	defer in.Close()
	run := &decideRun{cmd: c, file: f, to: to}
	opts := stream.Options{Format: stream.Lines, NewWorker: run.newWorker}
	if to != nil {
		opts.Workers, opts.Block = inFlight, 1
	}
	bar := p.progress(c.Input, in)
	opts.Progress = bar.update
	var rows io.Reader = in
	if format == "csv" {
		opts.Format = stream.CSV
		t, err := readTable(in)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Input, err)
		}
		rows, opts.FirstLine = t.rows, t.line
		if run.columns, err = f.Threshold.Columns(t.header, c.Without...); err != nil {
			return fmt.Errorf("%s: %w", c.Input, columnsError(err))
		}
		p.sayColumns(c.Input, run.columns.Ignored, run.columns.Missing)
	}
	start := time.Now()
	out := p.stdout
	if c.Summary {
		out = io.Discard
	}
	ctx, stop := p.interruptible()
	defer stop()
	res, err := stream.Run(ctx, rows, out, opts)
	bar.done()
	switch {
	case err != nil && to != nil:
		return c.unrecorded(res, err)
	case err != nil:
		return stopped(c.Input, res, err)
	}
	if res.Records == 0 && run.columns == nil {
		return usageError{fmt.Errorf("%s: %w", c.Input, errNothing)}
	}
	total := run.total()
	if len(c.Only) > 0 {
		if missing := total.missing(c.Only); len(missing) > 0 {
			return usagef("%s: no input has the id %s", c.Input, strings.Join(missing, ", "))
		}
	}
	if c.Summary {
		if err := p.print(total.report(f)); err != nil {
			return err
		}
	}
	p.say("%s: %s", c.Input, total.line(time.Since(start)))
	if total.malformed > 0 {
		return exit(exitUsage)
	}
	return nil
}

// stopped says how far a stream came that couldn't be finished.
func stopped(name string, res stream.Result, err error) error {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	cut := ""
	if res.Cut {
		cut = " (the last line of the output is cut off: remove it)"
	}
	return fmt.Errorf("%s: stopped early: %w; %d answered and written, go on with line %d%s", name, err, res.Records, res.NextLine, cut)
}

// decideRun is what the workers of one run share.
type decideRun struct {
	cmd     *decideCmd
	file    *policy.File
	columns *policy.Columns // of a CSV
	to      *recording      // nil: nothing is kept

	mu      sync.Mutex
	workers []*decideWorker
}

// decideWorker decides on one core.
type decideWorker struct {
	run      *decideRun
	decider  *policy.Decider
	decision threshold.Decision
	row      row // of a CSV
	tally    tally
}

func (r *decideRun) newWorker() stream.Worker {
	keeper := &recordWorker{to: r.to, decideWorker: decideWorker{run: r, decider: r.file.Threshold.NewDecider(), tally: newTally(r.cmd.Summary)}}
	w := &keeper.decideWorker
	r.mu.Lock()
	r.workers = append(r.workers, w)
	r.mu.Unlock()
	if r.to != nil {
		return keeper
	}
	return w
}

// total adds up what the workers counted, once they are done.
func (r *decideRun) total() *tally {
	sum := newTally(r.cmd.Summary)
	for _, w := range r.workers {
		sum.add(&w.tally)
	}
	return &sum
}

// Answer decides one record.
func (w *decideWorker) Answer(dst []byte, rec stream.Record) []byte {
	var id []byte
	explain := func() threshold.Signals {
		s, _, _ := w.run.file.Threshold.Signals(rec.Data)
		return s
	}
	w.decider.SetLine(rec.Line)
	switch columns := w.run.columns; {
	case columns != nil:
		cells, err := w.row.cells(rec)
		if err != nil {
			w.decider.DecideMalformed(&w.decision, fmt.Sprintf("%d:1: %v", rec.Line, err))
			explain = func() threshold.Signals { return malformedSignals(err) }
			break
		}
		id = w.decider.DecideRow(&w.decision, columns, cells).ID
		explain = func() threshold.Signals { return w.run.file.Threshold.RowSignals(columns, cells) }
	case rec.Defect != "":
		w.decider.DecideMalformed(&w.decision, fmt.Sprintf("%d:1: the line is %s", rec.Line, rec.Defect))
		explain = func() threshold.Signals { return malformedSignals(errors.New(rec.Defect)) }
	default:
		id = w.decider.DecideJSON(&w.decision, rec.Data).ID
	}
	c := w.run.cmd
	if len(c.Only) > 0 {
		if !c.wants(string(id)) {
			return dst
		}
		w.tally.ids[string(id)] = true
	}
	w.tally.count(&w.decision)
	if c.Summary {
		return dst
	}
	var e *policy.Explanation
	if c.Explain {
		w.decision, e = w.run.file.Threshold.Explain(explain())
	}
	if c.Output == "text" {
		if e != nil {
			return append(appendDecision(dst, w.run.file, id, &w.decision, e), '\n')
		}
		return appendLine(dst, rec.Line, id, &w.decision)
	}
	if e == nil {
		return append(w.run.file.Threshold.AppendResult(dst, rec.Line, id, &w.decision), '\n')
	}
	out, err := appendResultJSON(dst, w.run.file, rec.Line, id, &w.decision, e)
	if err != nil { // an explanation is strings and numbers that are finite
		return append(w.run.file.Threshold.AppendResult(dst, rec.Line, id, &w.decision), '\n')
	}
	return out
}

func malformedSignals(err error) threshold.Signals {
	return threshold.Signals{Faults: []threshold.Fault{{Code: "input_malformed", Detail: fmt.Sprint(err)}}}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// inFlight is how many lines of a stream are recorded at a time: submissions
// that come together share a transaction, and the wait for the disk.
const inFlight = 128

// record decides and keeps all inputs of a stream. Each is answered once it is
// durable; one that can't be recorded has no verdict, and ends the run.
func (c *decideCmd) record(p *program, f *policy.File, format string) error {
	if c.As == "" {
		return usagef("--record needs --as NAME: who submits")
	}
	if c.Explain {
		return usagef("--explain doesn't go with --record: pawl item show says why")
	}
	config := pawl.Config{DB: c.Record, Key: c.LedgerKey, Policies: []string{c.Policy}, Deployer: c.As}
	if c.Policy == "-" {
		return usagef("with --record, the policy must be a file: it is kept with its name")
	}
	return p.withPawl(config, func(ctx context.Context, service *pawl.Pawl) error {
		// Who interrupts the stream ends it between two lines: what is on its way
		// is still kept and answered.
		return c.stream(p, f, format, &recording{context.WithoutCancel(ctx), service, f})
	})
}

// recording is where a stream's decisions are kept.
type recording struct {
	ctx     context.Context
	service *pawl.Pawl
	file    *policy.File
}

// recordWorker has one submission on its way.
type recordWorker struct {
	decideWorker
	to  *recording
	err error
}

// Err is what keeps the last record from being answered.
func (w *recordWorker) Err() error { return w.err }

// Answer submits one record and waits until it is durable.
func (w *recordWorker) Answer(dst []byte, rec stream.Record) []byte {
	c, input := w.run.cmd, w.input(rec)
	// It is decided here only to read the id: what counts is what was kept.
	var id []byte
	if rec.Defect == "" {
		id = w.decider.DecideJSON(&w.decision, input).ID
	}
	if len(c.Only) > 0 {
		if !c.wants(string(id)) {
			return dst
		}
		w.tally.ids[string(id)] = true
	}
	s := pawl.Submission{Gate: w.to.file.Gate, Input: input, By: pawl.Asserted(c.As)}
	if c.RunName != "" {
		s.Key = c.RunName + ":" + strconv.Itoa(rec.Line)
	}
	fromEnvelope(&s)
	got, err := w.to.service.Submit(w.to.ctx, s)
	if err != nil {
		w.err = fmt.Errorf("line %d isn't recorded and has no verdict: %w", rec.Line, err)
		return dst
	}
	d := threshold.Decision{Verdict: got.Verdict, Reasons: got.Reasons, Risk: threshold.RiskLevel(got.Risk)}
	if rec.Defect == "" {
		d.Bands = w.decision.Bands
	}
	w.tally.count(&d)
	switch {
	case c.Summary:
		return dst
	case c.Output == "text":
		dst = appendLine(dst, rec.Line, id, &d)
		dst = append(dst[:len(dst)-1], '\t')
		return append(append(dst, got.Item...), '\n')
	}
	return appendRecorded(dst, rec.Line, id, &got, &d)
}

// input is the record as JSON. One that isn't even a line or row is kept behind a
// word that no JSON begins with, so that it can't be taken for an input.
func (w *recordWorker) input(rec stream.Record) []byte {
	columns := w.run.columns
	if rec.Defect != "" {
		return append([]byte("a line that is "+rec.Defect+": "), rec.Data...)
	}
	if columns == nil {
		return append([]byte(nil), rec.Data...)
	}
	cells, err := w.row.cells(rec)
	if err == nil {
		var out []byte
		if out, err = w.run.file.Threshold.AppendJSON(nil, columns, cells); err == nil {
			return out
		}
	}
	return append([]byte("a row that can't be read ("+err.Error()+"): "), rec.Data...)
}

// appendRecorded appends the answer to one line: as without --record, and the
// item with its status. The decision has the verdict that counts: the gate's
// state can make it a more supervised one than the policy alone gives, and
// whoever reads the verdict acts on it.
func appendRecorded(dst []byte, line int, id []byte, got *pawl.Submitted, d *threshold.Decision) []byte {
	text := func(name, value string) {
		dst = append(append(append(dst, `,"`...), name...), `":`...)
		dst = verdict.AppendString(dst, value)
	}
	dst = strconv.AppendInt(append(dst, `{"line":`...), int64(line), 10)
	if id != nil {
		text("id", string(id))
	}
	text("gate", got.Gate)
	text("policy", got.Policy.Digest)
	text("engine", got.Engine)
	if got.Item != "" {
		text("item", got.Item)
		text("status", string(got.Status))
	}
	if got.Shadow {
		dst = append(dst, `,"shadow":true`...)
	}
	dst = d.AppendJSON(append(dst, `,"result":`...))
	return append(dst, "}\n"...)
}

// unrecorded says how a run that stopped goes on.
func (c *decideCmd) unrecorded(res stream.Result, err error) error {
	err = stopped(c.Input, res, err)
	hint := "some lines after that may be recorded, too: --run NAME would keep them from being recorded twice"
	if c.RunName != "" {
		hint = "run it again whole, with the same --run: no line is recorded twice"
	}
	return errors.Join(err, errors.New(hint))
}

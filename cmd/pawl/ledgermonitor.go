package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/ledger"
)

type ledgerMonitorCmd struct {
	File  string `arg:"" optional:"" help:"An export, read twice, so no pipe; or use --db."`
	DB    string `placeholder:"FILE" help:"The database itself: a SQLite file, or postgres://…"`
	Keys  string `required:"" placeholder:"FILE" help:"The public keys of the ledger."`
	State string `required:"" placeholder:"DIR" help:"A folder where the last checkpoint is kept: on another machine, out of reach of those who run Pawl."`
}

// Help is shown by "pawl ledger monitor --help".
func (c *ledgerMonitorCmd) Help() string {
	return `Run it regularly. It compares the ledger with the last checkpoint that it kept,
wants a proof that the one begins with the other, and keeps the new checkpoint.
When history changed it keeps the old one, puts the new one beside it as
evidence (refused.checkpoint), and exits with 1.

With --db it reads a consistency proof from the database; with an export it
verifies all of that.

Exit codes: 0 the ledger is the same or has grown, 1 history changed, or
failure, 2 wrong call.`
}

// Run looks once.
func (c *ledgerMonitorCmd) Run(p *program) error {
	if (c.File == "") == (c.DB == "") {
		return usagef("name an export or --db, one of the two")
	}
	keys, err := p.ledgerKeys(c.Keys)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.State, 0o777); err != nil {
		return usageError{err}
	}
	kept := filepath.Join(c.State, "last.checkpoint")
	var last ledger.Checkpoint
	_, err = os.Lstat(kept)
	first := errors.Is(err, fs.ErrNotExist)
	if !first {
		if last, _, err = p.readCheckpoint(kept, keys); err != nil {
			return err
		}
	}
	look := c.lookAtExport
	if c.DB != "" {
		look = c.lookAtDB
	}
	change, signed, next, err := look(p, keys, last, first)
	if err != nil {
		return err
	}
	if !change.Good() {
		if signed != nil {
			err = writeWhole(filepath.Join(c.State, "refused.checkpoint"), signed)
		}
		return errors.Join(fmt.Errorf("history changed: %s: the ledger had %d entries, and now shows %d; see %s", change, last.Size, next.Size, c.State), err)
	}
	if err := writeWhole(kept, signed); err != nil {
		return err
	}
	if first {
		return p.print(fmt.Appendf(nil, "first: %s has %d entries\n", next.Origin, next.Size))
	}
	return p.print(fmt.Appendf(nil, "%s: %s had %d entries and has %d\n", change, next.Origin, last.Size, next.Size))
}

// lookAtDB asks the database for its head and for the proof that it grew.
func (c *ledgerMonitorCmd) lookAtDB(p *program, keys []ledger.Key, last ledger.Checkpoint, first bool) (change ledger.Change, signed []byte, next ledger.Checkpoint, err error) {
	err = logFlags{c.DB}.read(p, func(ctx context.Context, s *pawl.Pawl) error {
		head, err := s.Head(ctx)
		if err != nil {
			return err
		}
		if next, err = ledger.Open(head.Checkpoint, keys); err != nil {
			return fmt.Errorf("the checkpoint of the database: %w", err)
		}
		signed = head.Checkpoint
		if first {
			change = ledger.Extended
			return nil
		}
		var proof tlog.TreeProof
		if next.Size > last.Size && last.Size > 0 {
			if proof, err = s.ProveConsistency(ctx, last.Size, next.Size); err != nil {
				return err
			}
		}
		change = ledger.Compare(last, next, proof)
		return nil
	})
	return change, signed, next, err
}

// lookAtExport verifies an export against what was seen.
func (c *ledgerMonitorCmd) lookAtExport(p *program, keys []ledger.Key, last ledger.Checkpoint, first bool) (ledger.Change, []byte, ledger.Checkpoint, error) {
	if c.File == "-" {
		return "", nil, ledger.Checkpoint{}, usagef("an export is read twice, so it can't be standard input")
	}
	signed, err := c.lastCheckpoint(p)
	if err != nil {
		return "", nil, ledger.Checkpoint{}, err
	}
	next, err := ledger.Open(signed, keys)
	if err != nil {
		return "", nil, next, fmt.Errorf("the last checkpoint of %s: %w", c.File, err)
	}
	var known []ledger.Checkpoint
	if !first {
		known = append(known, last)
	}
	in, err := p.open(c.File)
	if err != nil {
		return "", nil, next, err
	}
	report, err := ledger.Verify(in, keys, known)
	_ = in.Close() // it was only read
	var problem ledger.Problem
	switch {
	case err == nil && report.Last.Size != next.Size:
		return "", nil, next, fmt.Errorf("%s changed while it was read", c.File)
	case err == nil && !first && next.Size == last.Size:
		return ledger.Same, signed, next, nil
	case err == nil:
		return ledger.Extended, signed, next, nil
	case !errors.As(err, &problem):
		return "", nil, next, fmt.Errorf("verify %s: %w", c.File, err)
	}
	p.sayError(err)
	switch problem.Kind {
	case ledger.Truncation:
		return ledger.Shrunk, signed, next, nil
	case ledger.Fork:
		return ledger.Forked, signed, next, nil
	}
	return ledger.Unproven, signed, next, nil
}

// lastCheckpoint returns the checkpoint with which an export ends.
func (c *ledgerMonitorCmd) lastCheckpoint(p *program) ([]byte, error) {
	in, err := p.open(c.File)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	lines := bufio.NewReaderSize(in, ledger.MaxNote*2)
	var last []byte
	for {
		line, err := lines.ReadSlice('\n')
		if bytes.HasPrefix(line, []byte(`{"checkpoint":`)) {
			last = append(last[:0], line...)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", c.File, err)
		}
	}
	var l struct {
		Checkpoint string `json:"checkpoint"`
	}
	if err := json.Unmarshal(last, &l); err != nil {
		return nil, fmt.Errorf("%s has no checkpoint", c.File)
	}
	return []byte(l.Checkpoint), nil
}

// writeWhole replaces a file at once.
func writeWhole(name string, data []byte) error {
	p := &program{}
	f, err := p.createWhole(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return f.finish(err)
}

package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/ledger"
)

// ledgerCmds are the commands around the tamper-evident log.
type ledgerCmds struct {
	Verify  ledgerVerifyCmd  `cmd:"" help:"Verify an exported ledger, or a proof, offline: nothing but public keys is needed."`
	Export  ledgerExportCmd  `cmd:"" help:"Write a database's whole ledger as JSONL, to be verified elsewhere."`
	Prove   ledgerProveCmd   `cmd:"" help:"Prove that an entry is in the ledger, or that it only grew."`
	Monitor ledgerMonitorCmd `cmd:"" help:"Compare the ledger with what was seen before, and cry when history changed."`
	Keys    ledgerKeysCmd    `cmd:"" help:"Print the public keys of a database's ledger."`
}

// logFlags say where the ledger is that is read.
type logFlags struct {
	DB string `required:"" env:"PAWL_DB" placeholder:"FILE" help:"The database: a SQLite file, or postgres://…"`
}

// read runs fn on the ledger of a database without writing to it: it needs no
// key, and what wasn't sequenced when the last writer ended isn't seen.
func (f logFlags) read(p *program, fn func(context.Context, *pawl.Pawl) error) error {
	return p.withLog(pawl.Config{DB: f.DB, MustExist: true, ReadOnly: true}, fn)
}

// withLog opens a service, runs fn and closes it.
func (p *program) withLog(c pawl.Config, fn func(context.Context, *pawl.Pawl) error) (err error) {
	ctx, stop := p.interruptible()
	defer stop()
	s, err := pawl.Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	return fn(ctx, s)
}

// maxKeys is more than a list of keys has.
const maxKeys = 1 << 20

// ledgerKeys reads a list of public keys.
func (p *program) ledgerKeys(name string) ([]ledger.Key, error) {
	text, err := p.readFile(name, maxKeys)
	if err != nil {
		return nil, err
	}
	keys, err := ledger.ParseKeys(string(text))
	if err != nil {
		return nil, usagef("%s: %w", name, err)
	}
	return keys, nil
}

// readCheckpoint reads a signed checkpoint that somebody kept.
func (p *program) readCheckpoint(name string, keys []ledger.Key) (ledger.Checkpoint, []byte, error) {
	signed, err := p.readFile(name, ledger.MaxNote+1)
	if err != nil {
		return ledger.Checkpoint{}, nil, err
	}
	c, err := ledger.Open(signed, keys)
	if err != nil {
		return ledger.Checkpoint{}, nil, usagef("%s is no checkpoint of this ledger: %w", name, err)
	}
	return c, signed, nil
}

type ledgerExportCmd struct {
	logFlags
	Output string `short:"o" default:"-" placeholder:"FILE" help:"Where to write; standard output unless given. The file appears once it is whole."`
}

// Run exports a ledger.
func (c *ledgerExportCmd) Run(p *program) error {
	return c.read(p, func(ctx context.Context, s *pawl.Pawl) error {
		if c.Output == "-" {
			return s.Export(ctx, p.stdout)
		}
		out, err := p.createWhole(c.Output, c.DB)
		if err != nil {
			return err
		}
		return out.finish(s.Export(ctx, out))
	})
}

type ledgerKeysCmd struct{ logFlags }

// Run prints the keys.
func (c *ledgerKeysCmd) Run(p *program) error {
	return c.read(p, func(ctx context.Context, s *pawl.Pawl) error {
		list, err := s.PublicKeys(ctx)
		if err != nil {
			return err
		}
		return p.print([]byte(list))
	})
}

type ledgerProveCmd struct {
	logFlags
	Item  string `xor:"what" placeholder:"ID" help:"The entry of an item's event."`
	Seq   int64  `default:"1" placeholder:"N" help:"Which event of the item: 1 is the decision."`
	Index *int64 `xor:"what" placeholder:"N" help:"The entry at an index, from 0."`
	From  int64  `xor:"what" placeholder:"SIZE" help:"That the ledger begins with the one of this size."`
	Leaf  string `placeholder:"FILE" help:"Write the entry there: its very bytes."`
	To    string `default:"-" placeholder:"FILE" help:"Write the proof there; standard output unless given."`
}

// Help is shown by "pawl ledger prove --help".
func (c *ledgerProveCmd) Help() string {
	return `Prints a C2SP tlog-proof: the entry's index, the hashes that lead to the root
(RFC 6962) and a signed checkpoint. "pawl ledger verify --proof" checks it
together with the entry, and so does any tool that knows the format.

With --from it prints the hashes of a consistency proof, in base64, a line each,
and below them the checkpoint that they lead to.

Exit codes: 0 done, 1 there is no such entry, or failure, 2 wrong call.`
}

// Run proves.
func (c *ledgerProveCmd) Run(p *program) error {
	if c.Item == "" && c.Index == nil && c.From == 0 {
		return usagef("say what to prove: --item, --index or --from")
	}
	if c.Leaf != "" {
		if c.From != 0 {
			return usagef("--leaf is for one entry; --from is about all of them")
		}
		if err := p.checkOutput(c.Leaf, c.DB); err != nil {
			return err
		}
	}
	return c.read(p, func(ctx context.Context, s *pawl.Pawl) error {
		if c.From != 0 {
			return c.consistency(ctx, p, s)
		}
		proof, leaf, err := c.entry(ctx, s)
		if err != nil {
			return err
		}
		if c.Leaf != "" {
			if err := os.WriteFile(c.Leaf, leaf, 0o666); err != nil {
				return err
			}
		}
		return p.writeOut(c.To, []byte(proof.Text()), c.DB)
	})
}

func (c *ledgerProveCmd) entry(ctx context.Context, s *pawl.Pawl) (ledger.Proof, []byte, error) {
	if c.Index != nil {
		return s.ProveIndex(ctx, *c.Index)
	}
	return s.ProveItem(ctx, c.Item, c.Seq)
}

func (c *ledgerProveCmd) consistency(ctx context.Context, p *program, s *pawl.Pawl) error {
	head, err := s.Head(ctx)
	if err != nil {
		return err
	}
	proof, err := s.ProveConsistency(ctx, c.From, head.Size)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, h := range proof {
		fmt.Fprintln(&b, base64.StdEncoding.EncodeToString(h[:]))
	}
	fmt.Fprintf(&b, "\n%s", head.Checkpoint)
	return p.writeOut(c.To, []byte(b.String()), c.DB)
}

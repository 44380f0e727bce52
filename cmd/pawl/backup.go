package main

import (
	"context"
	"fmt"

	"github.com/pawlgate/pawl"
)

type backupCmd struct {
	logFlags
	To string `required:"" placeholder:"FILE" help:"The copy, which must not be there yet. Its checkpoint is written beside it, as FILE.checkpoint."`
}

// Help is shown by "pawl backup --help".
func (c *backupCmd) Help() string {
	return `Copies a SQLite database as it is at one moment, while others go on with it, and
verifies the copy's ledger. The ledger's key isn't in the copy: keep it
elsewhere. A Postgres database is backed up with pg_dump.

Exit codes: 0 done and verified, 1 failure, 2 wrong call.`
}

// Run backs up.
func (c *backupCmd) Run(p *program) error {
	return c.read(p, func(ctx context.Context, s *pawl.Pawl) error {
		if err := s.Backup(ctx, c.To); err != nil {
			return err
		}
		return p.print(fmt.Appendf(nil, "backed up to %s\n", c.To))
	})
}

type restoreCmd struct {
	From     string `required:"" placeholder:"FILE" help:"The backup, with its checkpoint beside it."`
	To       string `required:"" placeholder:"FILE" help:"The database, which must not be there yet."`
	Restored bool   `help:"Take the database over at once: every open permit becomes void. Without it the database is put in place, and nothing opens it yet."`
	Key      string `placeholder:"FILE" help:"The ledger's key, if it isn't in the database's name with .key behind it."`

	CheckpointTo []string `placeholder:"FILE" help:"Where checkpoints are kept, too. Those that are newer than the backup are put aside."`
	As           string   `default:"operator" env:"PAWL_AS" placeholder:"NAME" help:"Who restores. Nobody checks the name, and it is recorded so."`
}

// Help is shown by "pawl restore --help".
func (c *restoreCmd) Help() string {
	return `Verifies a backup and puts it in place as a database. What happened after the
backup is lost, so nobody can tell which permits were redeemed since: the
database opens only with --restored, which makes every open permit void and
records that in the ledger. Without --restored it is only put in place, and a
program that uses the library takes it over (Config.Restored).

Exit codes: 0 done, 1 failure, 2 wrong call.`
}

// Run restores.
func (c *restoreCmd) Run(p *program) error {
	ctx, stop := p.interruptible()
	defer stop()
	if err := pawl.Restore(ctx, c.From, c.To); err != nil {
		return err
	}
	if !c.Restored {
		return p.print(fmt.Appendf(nil, "restored to %s; it opens only as restored\n", c.To))
	}
	config := pawl.Config{DB: c.To, MustExist: true, Restored: true, Deployer: c.As, Key: c.Key, CheckpointTo: c.CheckpointTo}
	return p.withLog(config, func(context.Context, *pawl.Pawl) error {
		return p.print(fmt.Appendf(nil, "restored to %s; permits that were open are void\n", c.To))
	})
}

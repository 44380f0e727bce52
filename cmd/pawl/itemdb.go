package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// dbFlags say where the items are.
type dbFlags struct {
	DB string `required:"" env:"PAWL_DB" placeholder:"FILE" help:"The database: a SQLite file, or postgres://…"`
	keyFileFlag
	Output string `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// keyFileFlag says where the key is that signs the ledger.
type keyFileFlag struct {
	LedgerKey string `env:"PAWL_LEDGER_KEY" placeholder:"FILE" help:"The key that signs the ledger; made on first use. Default: the SQLite file with .key behind it; needed for Postgres."`
}

// asFlags say who acts. Whoever can open the database can say any name: it is
// recorded as asserted.
type asFlags struct {
	As string `required:"" env:"PAWL_AS" placeholder:"NAME" help:"Who acts. Nobody checks the name, and it is recorded so."`
}

func (f asFlags) actor() pawl.Actor { return pawl.Asserted(f.As) }

// withPawl opens the service, runs fn and closes it. What fn did is done, but
// that the ledger couldn't be closed is a failure all the same.
func (p *program) withPawl(c pawl.Config, fn func(context.Context, *pawl.Pawl) error) error {
	ctx, stop := p.interruptible()
	defer stop()
	service, err := pawl.Open(ctx, c)
	if err != nil {
		return fmt.Errorf("open %s: %w", withoutPassword(c.DB), err)
	}
	err = fn(ctx, service)
	return errors.Join(err, service.Close())
}

// read runs fn, which changes nothing, on a database that is there already.
func (f dbFlags) read(p *program, fn func(context.Context, *pawl.Pawl) error) error {
	return p.withPawl(pawl.Config{DB: f.DB, Key: f.LedgerKey, MustExist: true, ReadOnly: true}, fn)
}

// open runs fn on a database that is there already. Even to list items writes:
// what has expired by now is ended first.
func (f dbFlags) open(p *program, fn func(context.Context, *pawl.Pawl) error) error {
	err := p.withPawl(pawl.Config{DB: f.DB, Key: f.LedgerKey, MustExist: true}, fn)
	var denied *review.DeniedError
	var bad *review.InvalidError
	if errors.As(err, &denied) || errors.As(err, &bad) {
		return usageError{err}
	}
	return err
}

// withoutPassword is a database's name as it may stand in a message.
func withoutPassword(db string) string {
	u, err := url.Parse(db)
	switch {
	case err == nil && u.Scheme != "" && u.Host != "":
		u.RawQuery = ""
		return u.Redacted()
	case strings.Contains(db, "://"):
		return "the database"
	}
	return db
}

// json reports whether the answer is for a program.
func (f dbFlags) json() bool { return f.Output == "json" }

// answer prints what a command did, as text or JSON.
func (f dbFlags) answer(p *program, text []byte, v any) error {
	if f.json() {
		return p.printJSON(v)
	}
	return p.print(text)
}

package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// maxConns is how many connections a process has to Postgres at most.
const maxConns = 24

func (db *DB) openPostgres(ctx context.Context, dsn string) error {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	// An answer goes out only after it is durable, whatever the server's or the
	// role's default is.
	if cfg.RuntimeParams["synchronous_commit"] != "remote_apply" {
		cfg.RuntimeParams["synchronous_commit"] = "on"
	}
	for name, value := range map[string]string{"application_name": "pawl", "lock_timeout": "10s"} {
		if cfg.RuntimeParams[name] == "" {
			cfg.RuntimeParams[name] = value
		}
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	db.pool = stdlib.OpenDB(*cfg)
	db.pool.SetMaxOpenConns(maxConns)
	db.pool.SetMaxIdleConns(maxConns)
	if db.readOnly {
		return db.migrate(ctx, db.pool)
	}
	// Of several processes that start at once one migrates.
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(31337)`); err != nil {
		return fmt.Errorf("wait for a migration: %w", err)
	}
	err = db.migrate(ctx, db.pool)
	if _, uerr := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(31337)`); err == nil {
		err = uerr
	}
	return err
}

// postgresCause tells what an error of Postgres means to a caller, nil if
// nothing in particular.
func postgresCause(e *pgconn.PgError) error {
	switch e.Code {
	case "23505":
		return ErrExists
	case "22021":
		return ErrText
	case "25006":
		return ErrReadOnly
	case "55P03":
		return ErrBusy
	case "53100":
		return ErrFull
	case "40001", "40P01":
		return errAgain
	}
	return nil
}

// errAgain is a transaction that Postgres undid because of another one.
var errAgain = errors.New("undone because of another transaction")

// settled asks Postgres how a commit went whose answer was lost. A server that
// has just restarted takes a while to answer.
//
// That the id of our transaction is one of a committed transaction proves nothing:
// after a crash Postgres gives ids anew whose transactions never reached the disk.
// Our row of leaves does: it holds what only we could have written.
func (tx *Tx) settled(cause error) error {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for ctx.Err() == nil {
		var status *string
		var ours bool
		err := tx.db.pool.QueryRowContext(ctx, `SELECT pg_xact_status(CAST($1 AS text)::xid8), EXISTS (SELECT 1 FROM ledger_batch WHERE id = $2 AND leaves = $3)`,
			tx.xid, tx.batch, tx.written).Scan(&status, &ours)
		var refused *pgconn.PgError
		switch {
		case errors.As(err, &refused) && refused.Code == "22023":
			// An id that isn't given yet: the crash took ours with it.
			return fmt.Errorf("commit: %w", wrap(cause))
		case err != nil:
		case ours:
			return nil
		case status == nil || *status == "in progress":
		case *status == "aborted" || tx.written != nil:
			return fmt.Errorf("commit: %w", wrap(cause))
		default:
			return fmt.Errorf("%w (%w)", ErrUncertain, cause)
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return fmt.Errorf("%w (%w)", ErrUncertain, cause)
}

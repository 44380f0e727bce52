package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Tx is a transaction. It is for one goroutine, and for the time that the
// function runs that got it.
//
// What is only added is gathered and written in few statements, at the end or
// when something asks for it.
type Tx struct {
	db     *DB
	ctx    context.Context
	on     querier
	write  bool
	shared bool // several units share it

	now   time.Time
	xid   string // on Postgres, to ask how a commit went
	batch int64  // id of its row in ledger_batch
	// written are the leaves of that row.
	written []byte
	gates   map[string]*Gate

	whole rows // of the units that have ended
	unit  rows // of the one that runs
	saved bool // the unit has a savepoint: it wrote already

	// A statement failed, and not even SQLite says whether the transaction is
	// still there: on a full disk it undoes it, and what follows would be
	// written at once.
	broken bool
}

type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// begin reads what every writing transaction needs.
func (tx *Tx) begin() error {
	tx.write = true
	if !tx.db.pg {
		tx.now = micros(tx.db.clock())
		return nil
	}
	var us int64
	err := tx.one(`SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT), nextval('ledger_batch_id'), CAST(pg_current_xact_id() AS TEXT)`, nil, &us, &tx.batch, &tx.xid)
	tx.now = fromMicros(us)
	return err
}

// Now returns the time of the transaction: the same throughout, in UTC, in
// whole microseconds. On Postgres it is the database's.
func (tx *Tx) Now() time.Time {
	if !tx.now.IsZero() {
		return tx.now
	}
	tx.now = micros(tx.db.clock())
	if tx.db.pg {
		var us int64
		if err := tx.one(`SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)`, nil, &us); err == nil {
			tx.now = fromMicros(us)
		}
	}
	return tx.now
}

func (tx *Tx) exec(query string, args ...any) (int64, error) {
	r, err := tx.on.ExecContext(tx.ctx, query, args...)
	if err != nil {
		tx.broken = true
		return 0, wrap(err)
	}
	return r.RowsAffected()
}

// change is exec for a statement that the unit itself asks for: it can be
// undone without the others that share the transaction.
func (tx *Tx) change(query string, args ...any) (int64, error) {
	if err := tx.mayWrite(); err != nil {
		return 0, err
	}
	if err := tx.save(); err != nil {
		return 0, err
	}
	return tx.exec(query, args...)
}

func (tx *Tx) mayWrite() error {
	if !tx.write {
		return ErrReadOnly
	}
	return nil
}

// one reads one row, or ErrNotFound.
func (tx *Tx) one(query string, args []any, dest ...any) error {
	found := false
	err := tx.each(query, args, func(scan func(...any) error) error {
		found = true
		return scan(dest...)
	})
	if err == nil && !found {
		err = ErrNotFound
	}
	return err
}

// each calls fn for every row.
func (tx *Tx) each(query string, args []any, fn func(scan func(...any) error) error) error {
	r, err := tx.on.QueryContext(tx.ctx, query, args...)
	if err != nil {
		tx.broken = true
		return wrap(err)
	}
	defer r.Close()
	for r.Next() {
		if err := fn(r.Scan); err != nil {
			return err
		}
	}
	tx.broken = tx.broken || r.Err() != nil
	return wrap(r.Err())
}

// save makes what the unit writes undoable alone. What the others gathered is
// written first, so that it isn't undone with it.
func (tx *Tx) save() error {
	if !tx.shared || tx.saved {
		return nil
	}
	if err := tx.flushRows(&tx.whole); err != nil {
		return err
	}
	if _, err := tx.exec(`SAVEPOINT unit`); err != nil {
		return err
	}
	tx.saved = true
	return nil
}

// flush writes what was gathered, before something reads it.
func (tx *Tx) flush() error {
	if !tx.write || tx.whole.empty() && tx.unit.empty() {
		return nil
	}
	if tx.unit.empty() {
		if tx.saved {
			return nil // save wrote the others' already
		}
		return tx.flushRows(&tx.whole)
	}
	if err := tx.save(); err != nil {
		return err
	}
	return tx.flushRows(&tx.unit)
}

// run runs one unit. If it fails, what it did is undone; whole is false if that
// couldn't be.
func (tx *Tx) run(fn func(*Tx) error) (whole bool, err error) {
	tx.unit, tx.saved = rows{}, false
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{p}
		}
		whole = tx.settle(err)
		if !tx.shared {
			return
		}
		tx.saved = false
		tx.unit = rows{}
	}()
	return false, fn(tx)
}

// panicked carries a panic to the goroutine that asked.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprint("panic: ", p.value) }

func (tx *Tx) settle(err error) bool {
	if err == nil {
		if tx.saved {
			if _, err := tx.exec(`RELEASE SAVEPOINT unit`); err != nil {
				return false
			}
		}
		tx.whole.add(&tx.unit)
		return !tx.broken
	}
	tx.gates = nil
	if !tx.shared || tx.broken && !tx.saved {
		return false
	}
	if tx.saved {
		if _, err := tx.exec(`ROLLBACK TO SAVEPOINT unit`); err != nil {
			return false
		}
		if _, err := tx.exec(`RELEASE SAVEPOINT unit`); err != nil {
			return false
		}
		tx.broken = false
	}
	return true
}

// finish writes what is left, all but the commit.
func (tx *Tx) finish() error {
	if tx.broken {
		return errors.New("a statement failed, so nothing is written")
	}
	if err := tx.flushRows(&tx.whole); err != nil {
		return err
	}
	return tx.writeLeaves()
}

// alone runs fn in a transaction of its own on Postgres.
func (db *DB) alone(ctx context.Context, fn func(*Tx) error) error {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return wrap(err)
	}
	defer conn.Close()
	// From here on it goes to its end, so that the caller knows how it went.
	ctx = context.WithoutCancel(ctx)
	t, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return wrap(err)
	}
	tx := &Tx{db: db, ctx: ctx, on: t}
	if err := tx.begin(); err != nil {
		return errors.Join(err, t.Rollback())
	}
	if _, err = tx.run(fn); err == nil {
		err = tx.finish()
	}
	if err != nil {
		_ = t.Rollback() // the connection may be gone; then it is undone, too
		return err
	}
	return tx.commit(t.Commit)
}

// micros is a time as it is kept.
func micros(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

// us is 0 for the zero time.
func us(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func unus(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return fromMicros(n)
}

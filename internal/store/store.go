package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"
)

// The errors that a caller may want to tell apart, with errors.Is.
var (
	ErrNotFound    = errors.New("not found")
	ErrExists      = errors.New("exists already")
	ErrConflict    = errors.New("changed by somebody else meanwhile")
	ErrReadOnly    = errors.New("the store is open for reading only")
	ErrNewerSchema = errors.New("the database was written by a newer version of pawl")
	ErrOlderSchema = errors.New("the database was written by an older version of pawl and must be opened for writing first")
	ErrNoDatabase  = errors.New("there is no such database")
	ErrBusy        = errors.New("the database is locked by another process")
	ErrFull        = errors.New("the disk is full")
	ErrClosed      = errors.New("the store is closed")
	// ErrText says what Postgres says of such a text, in names that are looked
	// up, too. SQLite doesn't mind.
	ErrText = errors.New("a text isn't UTF-8, or holds a NUL")
	// ErrUncertain says that the connection was lost during a commit, and that
	// the database couldn't be asked how it went.
	ErrUncertain = errors.New("the connection was lost during a commit: it is unknown whether it was written")
)

// Options say how to open a store. The zero value is good.
type Options struct {
	// Clock tells the time on SQLite; nil is time.Now. On Postgres the
	// database's clock counts, so that all its clients have the same.
	Clock func() time.Time
	// ReadOnly refuses to write, and doesn't migrate.
	ReadOnly bool
	// MustExist refuses to make a database that isn't there, or to begin in one
	// in which nothing of pawl is.
	MustExist bool
}

// DB is an open store. It is safe for concurrent use.
type DB struct {
	pg       bool
	readOnly bool
	// mustExist refuses a database in which nothing of pawl is.
	mustExist bool
	memory    bool
	clock     func() time.Time
	pool      *sql.DB   // Postgres: all; SQLite: readers, nil for :memory:
	writer    *sql.DB   // SQLite: of one connection
	lite      *session  // SQLite: that connection, for the writer goroutine only
	queue     *batcher  // of shared transactions
	chunks    chunkMemo // full chunks of the ledger's hashes

	mu     sync.RWMutex // held for reading by whoever uses the store
	closed bool
}

// Open opens a store: ":memory:", the URL of a Postgres database (postgres:// or
// postgresql://), or else the path of a SQLite file. It brings an older schema
// up to date and refuses a newer one.
func Open(ctx context.Context, dsn string, o Options) (*DB, error) {
	db := &DB{readOnly: o.ReadOnly, mustExist: o.MustExist || o.ReadOnly, clock: o.Clock}
	if db.clock == nil {
		db.clock = time.Now
	}
	var err error
	switch {
	case dsn == "":
		return nil, errors.New("open the store: a database is needed: :memory:, a file, or postgres://")
	case strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://"):
		db.pg = true
		err = db.openPostgres(ctx, dsn)
	default:
		db.memory = dsn == ":memory:"
		if _, serr := os.Stat(dsn); errors.Is(serr, fs.ErrNotExist) && !db.memory {
			if o.MustExist || o.ReadOnly {
				return nil, fmt.Errorf("open %s: %w", dsn, ErrNoDatabase)
			}
			if err := makePrivate(dsn); err != nil {
				return nil, fmt.Errorf("open the store: %w", err)
			}
		}
		err = db.openSQLite(ctx, dsn)
	}
	if err != nil {
		_ = db.closePools()
		return nil, fmt.Errorf("open the store: %w", wrap(err))
	}
	db.queue = newBatcher(db)
	return db, nil
}

// makePrivate makes an empty file, which SQLite takes for a new database, that
// only its owner reads: it will hold redemption keys, and what people submit.
// The files that SQLite puts beside it get the same mode.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// Close waits for what is running and closes the store.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	db.closed = true
	db.mu.Unlock()
	db.queue.stop()
	return db.closePools()
}

func (db *DB) closePools() error {
	var errs []error
	if db.lite != nil {
		errs = append(errs, db.lite.close())
	}
	for _, p := range []*sql.DB{db.pool, db.writer} {
		if p != nil {
			errs = append(errs, p.Close())
		}
	}
	return errors.Join(errs...)
}

// use keeps the store open until the function that it returns is called.
func (db *DB) use() (func(), error) {
	db.mu.RLock()
	if db.closed {
		db.mu.RUnlock()
		return nil, ErrClosed
	}
	return db.mu.RUnlock, nil
}

// Postgres reports whether it is a Postgres database.
func (db *DB) Postgres() bool { return db.pg }

// Update runs fn in one transaction and returns once that is durable. If fn
// returns an error nothing is written. It may run several times, when others
// wrote meanwhile or had to be undone; so it does nothing but use the
// transaction and assign results. On SQLite concurrent Updates share a
// transaction. A context that ends before fn began keeps it from running;
// afterwards Update tells how it went.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	if !db.pg {
		return db.Share(ctx, fn)
	}
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	if db.readOnly {
		return ErrReadOnly
	}
	return given(retried(func() error { return db.alone(ctx, fn) }))
}

// Share is Update for submissions: concurrent ones share a transaction on
// Postgres, too. What fn locks stays locked for the others that share it.
func (db *DB) Share(ctx context.Context, fn func(*Tx) error) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	if db.readOnly {
		return ErrReadOnly
	}
	return db.queue.do(ctx, fn, false)
}

// View runs fn in a transaction that sees one state of the store. Writing in it
// is ErrReadOnly. Don't use it within Update: on ":memory:" it would wait for
// itself.
func (db *DB) View(ctx context.Context, fn func(*Tx) error) error {
	done, err := db.use()
	if err != nil {
		return err
	}
	defer done()
	if db.memory {
		return db.queue.do(ctx, fn, true)
	}
	o := &sql.TxOptions{ReadOnly: true}
	if db.pg {
		o.Isolation = sql.LevelRepeatableRead
	}
	t, err := db.pool.BeginTx(ctx, o)
	if err != nil {
		return wrap(err)
	}
	defer func() { _ = t.Rollback() }() // it wrote nothing
	return fn(&Tx{db: db, ctx: ctx, on: t})
}

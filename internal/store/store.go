package store

import (
	"context"
	"errors"
	"time"
)

// The errors that a caller may want to tell apart, with errors.Is.
var (
	ErrNotFound    = errors.New("not found")
	ErrExists      = errors.New("exists already")
	ErrConflict    = errors.New("changed by somebody else meanwhile")
	ErrReadOnly    = errors.New("the store is open for reading only")
	ErrNewerSchema = errors.New("the database was written by a newer version of pawl")
	ErrNoDatabase  = errors.New("there is no such database")
	ErrBusy        = errors.New("the database is locked by another process")
	ErrFull        = errors.New("the disk is full")
	ErrClosed      = errors.New("the store is closed")
)

// Options say how to open a store. The zero value is good.
type Options struct {
	// Clock tells the time on SQLite; nil is time.Now. On Postgres the
	// database's clock counts, so that all its clients have the same.
	Clock func() time.Time
	// ReadOnly refuses to write, and doesn't migrate.
	ReadOnly bool
	// MustExist refuses to make a database that isn't there.
	MustExist bool
}

// DB is an open store. It is safe for concurrent use.
type DB struct{}

// Open opens a store: ":memory:", the URL of a Postgres database (postgres:// or
// postgresql://), or else the path of a SQLite file. It brings an older schema
// up to date and refuses a newer one.
func Open(ctx context.Context, dsn string, o Options) (*DB, error) {
	return nil, errors.ErrUnsupported
}

// Close waits for what is running and closes the store.
func (db *DB) Close() error { return errors.ErrUnsupported }

// Postgres reports whether it is a Postgres database.
func (db *DB) Postgres() bool { return false }

// Update runs fn in one transaction and returns once that is durable. If fn
// returns an error nothing is written. It may run several times, when others
// wrote meanwhile or had to be undone; so it does nothing but use the
// transaction and assign results. On SQLite concurrent Updates share a
// transaction. A context that ends before fn began keeps it from running;
// afterwards Update tells how it went.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error { return errors.ErrUnsupported }

// Share is Update for submissions: concurrent ones share a transaction on
// Postgres, too. What fn locks stays locked for the others that share it.
func (db *DB) Share(ctx context.Context, fn func(*Tx) error) error { return errors.ErrUnsupported }

// View runs fn in a transaction that sees one state of the store. Writing in it
// is ErrReadOnly. Don't use it within Update: on ":memory:" it would wait for
// itself.
func (db *DB) View(ctx context.Context, fn func(*Tx) error) error { return errors.ErrUnsupported }

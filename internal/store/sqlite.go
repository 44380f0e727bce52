package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"

	"modernc.org/sqlite" // the driver, and its errors
	sqlite3 "modernc.org/sqlite/lib"
)

// busyMillis is how long a transaction waits for another process.
const busyMillis = 5000

// openSQLite opens a pool of one connection for writing and another one for
// reading, in WAL mode, so that neither waits for the other. Every commit is
// synced: an answer that goes out must survive the loss of power.
func (db *DB) openSQLite(ctx context.Context, path string) error {
	dsn := func(extra ...string) string {
		q := url.Values{}
		q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyMillis)) // first: the next ones may have to wait
		if !db.readOnly {
			q.Add("_pragma", "journal_mode(WAL)")
		}
		q.Add("_pragma", "synchronous(FULL)")
		q.Add("_pragma", "foreign_keys(ON)")
		q.Add("_pragma", "secure_delete(ON)") // what is erased doesn't stay in free pages
		for _, e := range extra {
			q.Add("_pragma", e)
		}
		q.Set("_txlock", "immediate")
		name := path
		if !db.memory {
			name = (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}).String()
		}
		return name + "?" + q.Encode()
	}
	var err error
	if db.writer, err = sql.Open("sqlite", dsn("cache_size(-65536)")); err != nil {
		return err
	}
	db.writer.SetMaxOpenConns(1)
	db.writer.SetMaxIdleConns(1)
	if err := db.migrate(ctx, db.writer); err != nil {
		return err
	}
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	db.lite = &session{conn: conn, stmts: map[string]*sql.Stmt{}}
	if db.memory {
		return nil
	}
	if db.pool, err = sql.Open("sqlite", dsn("query_only(ON)", "cache_size(-16384)")); err != nil {
		return err
	}
	db.pool.SetMaxOpenConns(8)
	db.pool.SetMaxIdleConns(8)
	return db.pool.PingContext(ctx)
}

// session is one connection with its prepared statements. Preparing takes
// longer than most of our statements run.
type session struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

func (s *session) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if p, ok := s.stmts[query]; ok {
		return p, nil
	}
	p, err := s.conn.PrepareContext(ctx, query)
	if err == nil {
		s.stmts[query] = p
	}
	return p, err
}

// ExecContext is that of sql.Tx.
func (s *session) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	p, err := s.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return p.ExecContext(ctx, args...)
}

// QueryContext is that of sql.Tx.
func (s *session) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	p, err := s.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return p.QueryContext(ctx, args...)
}

func (s *session) close() error {
	for _, p := range s.stmts {
		_ = p.Close() // the connection goes, too
	}
	return s.conn.Close()
}

// sqliteCause tells what an error of SQLite means to a caller, nil if nothing
// in particular.
func sqliteCause(e *sqlite.Error) error {
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return ErrExists
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_READONLY:
		return ErrReadOnly
	}
	return nil
}

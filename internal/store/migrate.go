package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
)

//go:embed migrations
var migrations embed.FS

// migrate brings the schema up to date. It goes forward only.
func (db *DB) migrate(ctx context.Context, on *sql.DB) error {
	dialect, folder := goose.DialectSQLite3, "migrations/sqlite"
	if db.pg {
		dialect, folder = goose.DialectPostgres, "migrations/postgres"
	}
	files, err := fs.Sub(migrations, folder)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, on, files, goose.WithTableName("schema_version"))
	if err != nil {
		return err
	}
	sources := p.ListSources()
	newest := sources[len(sources)-1].Version
	if db.mustExist {
		if _, err := schemaVersion(ctx, on); errors.Is(err, ErrNoDatabase) {
			return err
		}
	}
	// Two processes that make one SQLite file: the second sees tables that
	// weren't there when it looked, and looks again.
	for try := 0; ; try++ {
		var have int64
		if db.readOnly {
			have, err = schemaVersion(ctx, on)
		} else {
			have, err = p.GetDBVersion(ctx)
		}
		switch {
		case err != nil:
		case have > newest:
			return fmt.Errorf("%w: its schema is %d, this one knows %d", ErrNewerSchema, have, newest)
		case have == newest:
			return nil
		case db.readOnly:
			return fmt.Errorf("%w: its schema is %d, this version has %d", ErrOlderSchema, have, newest)
		default:
			_, err = p.Up(ctx)
		}
		if err == nil {
			continue
		}
		if try == 20 || ctx.Err() != nil {
			return fmt.Errorf("migrate: %w", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// schemaVersion reads the version without making the table of versions; if that
// isn't there it is ErrNoDatabase.
func schemaVersion(ctx context.Context, on *sql.DB) (v int64, err error) {
	err = on.QueryRowContext(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM schema_version WHERE is_applied`).Scan(&v)
	var pe *pgconn.PgError
	if errors.As(err, &pe) && pe.Code == "42P01" || err != nil && strings.Contains(err.Error(), "no such table: schema_version") {
		return 0, fmt.Errorf("%w: nothing of pawl is in it yet", ErrNoDatabase)
	}
	return v, err
}

// wrap makes what a driver says one of our errors where it is one.
func wrap(err error) error {
	if err == nil {
		return nil
	}
	var cause error
	var pe *pgconn.PgError
	var se *sqlite.Error
	switch {
	case errors.As(err, &pe):
		cause = postgresCause(pe)
	case errors.As(err, &se):
		cause = sqliteCause(se)
	}
	if cause == nil || errors.Is(err, cause) {
		return err
	}
	if errors.Is(cause, ErrText) {
		return cause // what Postgres says of it is for its own people
	}
	return fmt.Errorf("%w (%w)", cause, err)
}

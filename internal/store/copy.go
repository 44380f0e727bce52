package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
)

// Copy writes a copy of a SQLite database as it is at one moment, while others
// may write to it, and syncs it. The file must not be there yet.
func Copy(ctx context.Context, from, to string) (err error) {
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("copy the database: %s: %w", to, ErrExists)
	}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: from}).EscapedPath(), RawQuery: "_pragma=busy_timeout(5000)"}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := makePrivate(to); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	if _, err := db.ExecContext(ctx, `VACUUM INTO $1`, to); err != nil {
		_ = os.Remove(to) // it is no copy
		return fmt.Errorf("copy the database: %w", err)
	}
	f, err := os.OpenFile(to, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	return errors.Join(f.Sync(), f.Close())
}

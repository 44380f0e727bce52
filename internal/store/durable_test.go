package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/testenv"
)

func TestCommitsAreSynced(t *testing.T) {
	lite, err := Open(t.Context(), filepath.Join(t.TempDir(), "a file?#%41.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lite.Close()
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := lite.lite.conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", pragma, got, err, want)
		}
	}
	// Whatever the URL says.
	url := testenv.Postgres(t)
	if strings.Contains(url, "?") {
		url += "&synchronous_commit=off"
	} else {
		url += "?synchronous_commit=off"
	}
	pg, err := Open(t.Context(), url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	var got string
	if err := pg.pool.QueryRowContext(t.Context(), "SHOW synchronous_commit").Scan(&got); err != nil || got != "on" {
		t.Errorf("synchronous_commit is %q (%v)", got, err)
	}
}

func TestNobodyElseReadsTheFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pawl.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := Copy(t.Context(), path, filepath.Join(dir, "copy.db")); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

func TestOpeningRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pawl.db")
	for name, o := range map[string]Options{"for reading": {ReadOnly: true}, "to make one": {MustExist: true}} {
		if _, err := Open(t.Context(), path, o); !errors.Is(err, ErrNoDatabase) {
			t.Errorf("%s, of nothing: %v", name, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it made a file")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refusesEmpty(t, path)
	if err := os.WriteFile(path, []byte(strings.Repeat("no database at all. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); err == nil {
		t.Error("it opened a text file")
	}
}

func TestASchemaOfANewerVersionIsRefused(t *testing.T) {
	for name, dsn := range map[string]func() string{
		"sqlite":   func() string { return filepath.Join(t.TempDir(), "pawl.db") },
		"postgres": func() string { return testenv.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			at := dsn()
			db, err := Open(t.Context(), at, Options{})
			if err != nil {
				t.Fatal(err)
			}
			const later = `INSERT INTO schema_version (version_id, is_applied) VALUES (9999, TRUE)`
			if db.pg {
				_, err = db.pool.ExecContext(t.Context(), later)
			} else {
				_, err = db.lite.conn.ExecContext(t.Context(), later)
			}
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{}, {ReadOnly: true}} {
				if _, err := Open(context.Background(), at, o); !errors.Is(err, ErrNewerSchema) {
					t.Errorf("%+v: got %v", o, err)
				}
			}
		})
	}
}

func TestOpeningRefusesAnEmptyPostgresDatabase(t *testing.T) {
	refusesEmpty(t, testenv.Postgres(t))
}

// refusesEmpty opens a database in which there is nothing, without the right to
// begin one.
func refusesEmpty(t *testing.T, dsn string) {
	t.Helper()
	for name, o := range map[string]Options{"for reading": {ReadOnly: true}, "to make one": {MustExist: true}} {
		if _, err := Open(t.Context(), dsn, o); !errors.Is(err, ErrNoDatabase) {
			t.Errorf("%s, of an empty database: %v", name, err)
		}
	}
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
)

// besideBackup is what is behind a backup's name in that of its checkpoint.
const besideBackup = ".checkpoint"

// Backup writes a copy of a SQLite database, with its last checkpoint beside it,
// while the service goes on. It verifies the copy, and replaces no file. The
// ledger's key isn't in it: keep that elsewhere, out of reach of whoever has the
// backup. On Postgres pg_dump does this.
func (a *App) Backup(ctx context.Context, file string) error {
	switch {
	case isPostgres(a.cfg.DB):
		return fmt.Errorf("%w: pg_dump backs up a Postgres database", errors.ErrUnsupported)
	case a.cfg.DB == memory:
		return fmt.Errorf("%w: what is in memory only has no backup", errors.ErrUnsupported)
	}
	if _, err := a.latest(ctx); err != nil {
		return err
	}
	if err := placeCopy(ctx, a.cfg.DB, file, nil); err != nil {
		return fmt.Errorf("back up to %s: %w", file, err)
	}
	return nil
}

// Restore puts a backup in place as a SQLite database. It verifies the backup,
// replaces no file, and marks the database: it opens only as Restored, which
// makes every open permit void, since nobody can tell which of them were
// redeemed after the backup.
func Restore(ctx context.Context, from, to string) error {
	if isPostgres(to) || to == memory {
		return fmt.Errorf("%w: a backup is restored into a file", errors.ErrUnsupported)
	}
	for _, file := range []string{to, to + "-wal", to + "-shm"} {
		if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("restore to %s: %s is there already: move it away first", to, file)
		}
	}
	beside, err := os.ReadFile(from + besideBackup)
	if err != nil {
		return fmt.Errorf("restore from %s: its checkpoint: %w", from, err)
	}
	if err := placeCopy(ctx, from, to, beside); err != nil {
		return fmt.Errorf("restore from %s: %w", from, err)
	}
	return nil
}

// placeCopy copies a database, verifies the copy and gives it its name. With a
// checkpoint the copy's ledger must end with that, and the copy is marked as
// restored; without one the checkpoint is written beside it.
func placeCopy(ctx context.Context, from, to string, checkpoint []byte) (err error) {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s is there already", to)
	}
	dir, err := os.MkdirTemp(filepath.Dir(to), "."+filepath.Base(to)+".*") // for SQLite's own files, too
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tmp := filepath.Join(dir, "copy")
	if err := store.Copy(ctx, from, tmp); err != nil {
		return err
	}
	head, err := verifyCopy(ctx, tmp, checkpoint)
	if err != nil {
		return err
	}
	if info, err := os.Stat(tmp + "-wal"); err == nil && info.Size() > 0 {
		return errors.New("the copy isn't in one file")
	}
	if err := syncFile(tmp); err != nil {
		return err
	}
	if checkpoint == nil {
		if err := replaceFile(to+besideBackup, head.Checkpoint, 0o644); err != nil {
			return err
		}
	}
	if err := os.Link(tmp, to); err != nil { // doesn't replace
		return err
	}
	return syncFolder(filepath.Dir(to))
}

// verifyCopy verifies the ledger of a database, from its first leaf to its last.
func verifyCopy(ctx context.Context, file string, checkpoint []byte) (head store.Head, err error) {
	db, err := store.Open(ctx, file, store.Options{MustExist: true})
	if err != nil {
		return store.Head{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	a := &App{db: db, log: &logbook{}}
	if err := a.readKeys(ctx, a.log); err != nil {
		return store.Head{}, err
	}
	if head, err = db.Head(ctx); err != nil {
		return store.Head{}, err
	}
	if checkpoint != nil && string(head.Checkpoint) != string(checkpoint) {
		return store.Head{}, errors.New("the ledger doesn't end with the checkpoint beside the backup: one of the two was changed")
	}
	if err := a.verify(ctx); err != nil {
		return store.Head{}, fmt.Errorf("its ledger doesn't verify: %w", err)
	}
	if checkpoint == nil {
		return head, nil
	}
	return head, db.Update(ctx, func(tx *store.Tx) error { return tx.PutMeta(metaRestored, []byte(restorePending)) })
}

// verify reads the whole ledger as somebody outside would.
func (a *App) verify(ctx context.Context) error {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := a.Export(ctx, w)
		_ = w.CloseWithError(err) // never fails
		done <- err
	}()
	_, err := ledger.Verify(r, a.log.keys, nil)
	_ = r.CloseWithError(err)
	return errors.Join(err, <-done)
}

// syncFile makes a copy durable, and its owner's to read.
func syncFile(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Sync(), f.Close())
}

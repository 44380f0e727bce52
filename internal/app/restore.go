package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/review"
)

// metaRestored marks a database that was put back from a backup, until every
// permit that was open then is void.
const (
	metaRestored   = "restored"
	restorePending = "pending"
)

// ErrRestored says that the database is older than a checkpoint that is kept
// elsewhere, or was put back from a backup: what happened since is unknown, so
// permits that look open may have been redeemed.
var ErrRestored = errors.New("the database was restored from a backup, or is another one")

// checkRestored compares the log with the checkpoints that are kept elsewhere. A
// database that went back in time isn't opened unless whoever opens it says so.
func (a *App) checkRestored(ctx context.Context, l *logbook) error {
	var lost *ledger.Checkpoint
	var stale []string
	var why error
	for _, file := range l.copies {
		c, err := readCopy(file, l.keys)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		// Another process may have sequenced meanwhile, and kept what it signed.
		head, err := a.db.Head(ctx)
		if err != nil {
			return fmt.Errorf("read the ledger's head: %w", err)
		}
		if err := isPrefix(c, head, a.db.HashReader(ctx)); err != nil {
			why = fmt.Errorf("%w: %s: %w", ErrRestored, file, err)
			lost, stale = &c, append(stale, file)
		}
	}
	marked := false
	err := a.db.View(ctx, func(tx *store.Tx) error {
		b, err := tx.Meta(metaRestored)
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		marked = string(b) == restorePending
		return err
	})
	if err != nil {
		return err
	}
	if why == nil && marked {
		why = fmt.Errorf("%w: it is marked so", ErrRestored)
	}
	switch {
	case why == nil || a.cfg.ReadOnly && marked && lost == nil:
		return nil
	case !a.cfg.Restored || a.cfg.ReadOnly:
		return fmt.Errorf("%w; if that is what you want, open it as restored: every open permit becomes void", why)
	}
	if err := a.restored(ctx, lost); err != nil {
		return fmt.Errorf("take over the restored database: %w", err)
	}
	for _, file := range stale { // evidence of what was lost
		if err := os.Rename(file, fmt.Sprintf("%s.lost-%d", file, lost.Size)); err != nil {
			return fmt.Errorf("put the old checkpoint aside: %w", err)
		}
	}
	return a.unmark(ctx)
}

// isPrefix says why the log doesn't begin with what the checkpoint covers.
func isPrefix(c ledger.Checkpoint, head store.Head, r tlog.HashReader) error {
	if c.Size > head.Size {
		return fmt.Errorf("the checkpoint there has %d entries, the ledger has %d", c.Size, head.Size)
	}
	if c.Size == 0 {
		return nil
	}
	root, err := tlog.TreeHash(c.Size, r)
	if err != nil {
		return fmt.Errorf("read the ledger's hashes: %w", err)
	}
	if root != c.Root {
		return fmt.Errorf("the checkpoint there, of %d entries, is of another history", c.Size)
	}
	return nil
}

// restored records that the database was restored, and makes every open permit
// void. It marks the database first: if it doesn't come to its end, the next one
// who opens it has to do it again.
func (a *App) restored(ctx context.Context, lost *ledger.Checkpoint) error {
	err := a.db.Update(ctx, func(tx *store.Tx) error {
		if err := tx.PutMeta(metaRestored, []byte(restorePending)); err != nil {
			return err
		}
		by := a.deployer()
		e := ledger.Entry{
			Kind: ledger.KindRestore, Person: by.ID, Known: known(by),
			Versions: map[string]string{"engine": policy.Engine},
		}
		if lost != nil {
			e.Numbers = map[string]int64{"lost_size": lost.Size}
			e.Digests = map[string]string{"lost_root": review.Digest(lost.Root).String()}
		}
		return write(tx, e)
	})
	if err != nil {
		return err
	}
	for before := ""; ; {
		var list []*store.Record
		err := a.db.View(ctx, func(tx *store.Tx) (err error) {
			list, err = tx.List(store.Query{Permit: review.PermitOpen, Before: before, Limit: 500})
			return err
		})
		if err != nil || len(list) == 0 {
			return err
		}
		before = list[len(list)-1].Item.ID
		err = a.db.Update(ctx, func(tx *store.Tx) error {
			for _, old := range list {
				r, err := tx.Record(old.Item.ID)
				if err != nil {
					return err
				}
				if r.Permit == nil {
					continue
				}
				changed, err := voidPermit(tx, r, review.VoidRestored)
				if err == nil && changed {
					err = tx.UpdateRecord(r)
				}
				if err != nil {
					return fmt.Errorf("void the permit of item %s: %w", r.Item.ID, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

func (a *App) unmark(ctx context.Context) error {
	return a.db.Update(ctx, func(tx *store.Tx) error { return tx.PutMeta(metaRestored, []byte("done")) })
}

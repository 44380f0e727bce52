package bench

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
)

// PawlLedger appends entries to the ledger of a SQLite file, which is sequenced
// and signed at the same time as by the service; what is left of that when the
// last entry is on the disk is done by Close.
func PawlLedger(ctx context.Context, dir string, entry func(n int) []byte) (Durable, error) {
	log, err := NewLog(0)
	if err != nil {
		return Durable{}, err
	}
	db, err := store.Open(ctx, filepath.Join(dir, "log.db"), store.Options{})
	if err != nil {
		return Durable{}, err
	}
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { stopped <- sequence(ctx, db, log, stop) }()
	return Durable{"pawl/store", func(ctx context.Context, _, n int) error {
		leaf := entry(n)
		return db.Share(ctx, func(tx *store.Tx) error { return tx.Append(leaf) })
	}, func() error {
		close(stop)
		return errors.Join(<-stopped, db.Close())
	}}, nil
}

// sequence signs what is new every 200 ms, and once more in the end.
func sequence(ctx context.Context, db *store.DB, log *Log, stop <-chan struct{}) error {
	every := time.NewTicker(200 * time.Millisecond)
	defer every.Stop()
	for last := false; ; {
		if _, err := db.Sequence(ctx, log.sign); err != nil || last {
			return err
		}
		select {
		case <-every.C:
		case <-stop:
			last = true
		}
	}
}

func (l *Log) sign(size int64, root tlog.Hash) ([]byte, error) {
	return ledger.Sign(ledger.Checkpoint{Origin: l.Signer.Name(), Size: size, Root: root}, l.Signer)
}

// Fill keeps the log in the ledger of a new SQLite file.
func (l *Log) Fill(ctx context.Context, dir string) (*store.DB, error) {
	db, err := store.Open(ctx, filepath.Join(dir, "log.db"), store.Options{})
	if err != nil {
		return nil, err
	}
	const at = 1000
	for i := 0; i < len(l.Leaves); i += at {
		err := db.Update(ctx, func(tx *store.Tx) error {
			for _, leaf := range l.Leaves[i:min(i+at, len(l.Leaves))] {
				if err := tx.Append(leaf); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	head, err := db.Sequence(ctx, l.sign)
	for err == nil && head.Size < l.Tree.Size() { // it takes about store.MaxSequence at a time
		before := head.Size
		if head, err = db.Sequence(ctx, l.sign); err == nil && head.Size == before {
			break
		}
	}
	if err == nil && (head.Size != l.Tree.Size() || head.Root != l.Tree.Root()) {
		err = errors.New("the ledger that was written has another root")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

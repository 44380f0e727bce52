package store

import (
	"context"
	"errors"

	"golang.org/x/mod/sumdb/tlog"
)

// Head is the newest checkpoint of the ledger. The zero Head is that of a log
// in which nothing was sequenced.
type Head struct {
	Size       int64
	Root       tlog.Hash
	Checkpoint []byte // signed
}

// Append adds a leaf to the ledger. All leaves of a transaction stay together
// and in order; [DB.Sequence] gives them their place.
func (tx *Tx) Append(leaf []byte) error { return errors.ErrUnsupported }

// Sequence gives the leaves that wait their place in the log, and keeps their
// hashes and a checkpoint that sign returns, in one transaction; nobody else
// does meanwhile. If nothing waits it returns the head as it is.
func (db *DB) Sequence(ctx context.Context, sign func(size int64, root tlog.Hash) ([]byte, error)) (Head, error) {
	return Head{}, errors.ErrUnsupported
}

// Head returns the newest checkpoint.
func (db *DB) Head(ctx context.Context) (Head, error) { return Head{}, errors.ErrUnsupported }

// HashReader reads the hashes of the tree at the indexes of
// tlog.StoredHashIndex.
func (db *DB) HashReader(ctx context.Context) tlog.HashReader { return nil }

// Leaves calls fn for the leaves from one index to below another, in order, with
// the hash that was kept when they were written. The leaf is fn's for as long as
// it runs.
func (db *DB) Leaves(ctx context.Context, from, to int64, fn func(index int64, hash tlog.Hash, leaf []byte) error) error {
	return errors.ErrUnsupported
}

// LeafIndex returns the index of the leaf of an item's event; ErrNotFound if
// there is no such event or it isn't sequenced yet.
func (db *DB) LeafIndex(ctx context.Context, item string, seq int64) (int64, error) {
	return 0, errors.ErrUnsupported
}

// Checkpoints calls fn for every checkpoint that was kept, the smallest first.
func (db *DB) Checkpoints(ctx context.Context, fn func(Head) error) error {
	return errors.ErrUnsupported
}

package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
)

// Head returns the end of the ledger as it was last signed.
func (a *App) Head(ctx context.Context) (Head, error) {
	h, err := a.db.Head(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("read the ledger's head: %w", err)
	}
	return Head(h), nil
}

// between is how many leaves an export has at least between two checkpoints.
const between = 1000

// Export writes the whole ledger with its checkpoints: what ledger.Verify reads.
func (a *App) Export(ctx context.Context, w io.Writer) error {
	head, err := a.latest(ctx)
	if err != nil {
		return err
	}
	if head.Size == 0 {
		return errors.New("the ledger is empty: there is nothing to export")
	}
	var kept []store.Head
	err = a.db.Checkpoints(ctx, func(h store.Head) error {
		if n := len(kept); h.Size < head.Size && (n == 0 || h.Size-kept[n-1].Size >= between) {
			h.Checkpoint = append([]byte(nil), h.Checkpoint...)
			kept = append(kept, h)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the checkpoints: %w", err)
	}
	kept = append(kept, store.Head(head))
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	next := 0 // leaf
	err = a.db.Leaves(ctx, 0, head.Size, func(index int64, hash tlog.Hash, leaf []byte) error {
		if index != int64(next) {
			return fmt.Errorf("the store has no leaf %d", next)
		}
		next++
		line = ledger.AppendLeaf(line[:0], index, hash, leaf)
		for len(kept) > 0 && kept[0].Size == int64(next) {
			line = ledger.AppendCheckpoint(line, kept[0].Checkpoint)
			kept = kept[1:]
		}
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return fmt.Errorf("export the ledger: %w", err)
	}
	if len(kept) > 0 {
		return fmt.Errorf("export the ledger: the store has %d of %d leaves", next, head.Size)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export the ledger: %w", err)
	}
	return nil
}

// latest is the head once what was written is in it, if that is ours to do.
func (a *App) latest(ctx context.Context) (Head, error) {
	if a.log.key == nil {
		return a.Head(ctx)
	}
	return a.Sequence(ctx)
}

// ProveItem proves that the entry of an item's event is in the ledger, and returns
// the entry.
func (a *App) ProveItem(ctx context.Context, item string, seq int64) (ledger.Proof, []byte, error) {
	index, err := a.db.LeafIndex(ctx, item, seq)
	if errors.Is(err, store.ErrNotFound) && a.log.key != nil {
		if _, err := a.Sequence(ctx); err != nil {
			return ledger.Proof{}, nil, err
		}
		index, err = a.db.LeafIndex(ctx, item, seq)
	}
	if err != nil {
		return ledger.Proof{}, nil, notFound(err, "there is no entry of event %d of item %.60q", seq, item)
	}
	return a.ProveIndex(ctx, index)
}

// ProveIndex proves that an entry is in the ledger, and returns it.
func (a *App) ProveIndex(ctx context.Context, index int64) (ledger.Proof, []byte, error) {
	head, err := a.Head(ctx)
	if err == nil && index >= head.Size {
		head, err = a.latest(ctx)
	}
	if err != nil {
		return ledger.Proof{}, nil, err
	}
	if index < 0 || index >= head.Size {
		return ledger.Proof{}, nil, fmt.Errorf("%w: there is no entry %d: the ledger has %d", ErrNotFound, index, head.Size)
	}
	p := ledger.Proof{Index: index, Signed: head.Checkpoint}
	if p.Hashes, err = tlog.ProveRecord(head.Size, index, a.db.HashReader(ctx)); err != nil {
		return ledger.Proof{}, nil, fmt.Errorf("prove entry %d: %w", index, err)
	}
	var entry []byte
	err = a.db.Leaves(ctx, index, index+1, func(_ int64, _ tlog.Hash, leaf []byte) error {
		entry = append([]byte{}, leaf...)
		return nil
	})
	if err == nil && entry == nil {
		err = errors.New("it isn't there")
	}
	if err != nil {
		return ledger.Proof{}, nil, fmt.Errorf("read entry %d: %w", index, err)
	}
	return p, entry, nil
}

// ProveConsistency proves that the ledger of one size is the beginning of that of
// another.
func (a *App) ProveConsistency(ctx context.Context, from, to int64) (tlog.TreeProof, error) {
	head, err := a.Head(ctx)
	if err != nil {
		return nil, err
	}
	if from < 1 || from > to || to > head.Size {
		return nil, fmt.Errorf("%w: sizes go from 1 to %d, the first not above the second", ErrNotFound, head.Size)
	}
	p, err := tlog.ProveTree(to, from, a.db.HashReader(ctx))
	if err != nil {
		return nil, fmt.Errorf("prove that the ledger of %d entries begins with %d: %w", to, from, err)
	}
	return p, nil
}

// PublicKeys returns the list of keys that ledger.ParseKeys reads.
func (a *App) PublicKeys(_ context.Context) (string, error) {
	if a.log.list == "" {
		return "", fmt.Errorf("%w: the ledger has no key yet", ErrNotFound)
	}
	return a.log.list, nil
}

package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
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
func (tx *Tx) Append(leaf []byte) error {
	if err := tx.mayWrite(); err != nil {
		return err
	}
	if len(leaf) == 0 || len(leaf) > ledger.MaxLeaf {
		return fmt.Errorf("a leaf of %d bytes; it has 1 to %d", len(leaf), ledger.MaxLeaf)
	}
	tx.unit.leaves = append(tx.unit.leaves, leaf)
	return nil
}

// writeLeaves writes the transaction's leaves, as the last thing.
func (tx *Tx) writeLeaves() error {
	leaves := tx.whole.leaves
	if len(leaves) == 0 {
		return nil
	}
	if err := tx.number(); err != nil {
		return err
	}
	size := 0
	for _, l := range leaves {
		size += 2 + len(l)
	}
	data := make([]byte, 0, size)
	for _, l := range leaves {
		data = append(binary.BigEndian.AppendUint16(data, uint16(len(l))), l...)
	}
	if _, err := tx.exec(`INSERT INTO ledger_batch (id, n, leaves) VALUES ($1, $2, $3)`, tx.batch, int64(len(leaves)), data); err != nil {
		return fmt.Errorf("write leaves: %w", err)
	}
	tx.written = data
	return nil
}

// splitLeaves takes the leaves of a row apart. A row may have more of them than
// an entry bundle of tlog-tiles.
func splitLeaves(data []byte) (leaves [][]byte, err error) {
	for len(data) > 0 {
		if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
			return nil, errors.New("a row of leaves ends within a leaf")
		}
		n := 2 + int(binary.BigEndian.Uint16(data))
		leaves = append(leaves, data[2:n:n])
		data = data[n:]
	}
	return leaves, nil
}

// Head returns the newest checkpoint.
func (db *DB) Head(ctx context.Context) (h Head, err error) {
	err = db.View(ctx, func(tx *Tx) error {
		h, err = tx.head("")
		return err
	})
	return h, err
}

func (tx *Tx) head(lock string) (h Head, err error) {
	var root []byte
	err = tx.one(`SELECT size, root, checkpoint FROM ledger_head WHERE one = 1`+lock, nil, &h.Size, &root, &h.Checkpoint)
	copy(h.Root[:], root)
	if h.Size == 0 {
		h.Root = (&ledger.Tree{}).Root()
	}
	return h, err
}

// Leaves calls fn for the leaves from one index to below another, in order, with
// the hash that was kept when they were written. The leaf is fn's for as long as
// it runs.
func (db *DB) Leaves(ctx context.Context, from, to int64, fn func(index int64, hash tlog.Hash, leaf []byte) error) error {
	const page = 128
	type batch struct {
		first int64
		data  []byte
	}
	next := from
	for next < to {
		var batches []batch
		err := db.View(ctx, func(tx *Tx) error {
			batches = batches[:0]
			query := fmt.Sprintf(`SELECT first, leaves FROM ledger_batch WHERE first IS NOT NULL AND first < $1
				AND first >= COALESCE((SELECT MAX(first) FROM ledger_batch WHERE first IS NOT NULL AND first <= $2), 0) ORDER BY first LIMIT %d`, page)
			return tx.each(query, []any{to, next}, func(scan func(...any) error) error {
				var b batch
				err := scan(&b.first, &b.data)
				batches = append(batches, b)
				return err
			})
		})
		if err != nil {
			return fmt.Errorf("read leaves: %w", err)
		}
		before := next
		for _, b := range batches {
			leaves, err := splitLeaves(b.data)
			if err != nil {
				return fmt.Errorf("leaf %d: %w", b.first, err)
			}
			lo, hi := max(next, b.first), min(to, b.first+int64(len(leaves)))
			if lo >= hi {
				continue
			}
			hashes, err := db.leafHashes(ctx, lo, hi)
			if err != nil {
				return err
			}
			for k, h := range hashes {
				if err := fn(lo+int64(k), h, leaves[lo-b.first+int64(k)]); err != nil {
					return err
				}
			}
			next = hi
		}
		if next == before {
			return nil // there are no more; who verifies finds what is missing
		}
	}
	return nil
}

func (db *DB) leafHashes(ctx context.Context, from, to int64) ([]tlog.Hash, error) {
	at := make([]int64, 0, to-from)
	for i := from; i < to; i++ {
		at = append(at, tlog.StoredHashIndex(0, i))
	}
	return db.HashReader(ctx).ReadHashes(at)
}

// LeafIndex returns the index of the leaf of an item's event; ErrNotFound if
// there is no such event or it isn't sequenced yet.
func (db *DB) LeafIndex(ctx context.Context, item string, seq int64) (index int64, err error) {
	err = db.View(ctx, func(tx *Tx) error {
		query, args := `SELECT leaf_batch FROM events WHERE item = $1 AND seq = $2`, []any{item, seq}
		if seq == 1 {
			query, args = `SELECT leaf_batch FROM items WHERE id = $1`, args[:1]
		}
		var batch int64
		if err := tx.one(query, args, &batch); err != nil {
			return err
		}
		var first int64
		var data []byte
		if err := tx.one(`SELECT first, leaves FROM ledger_batch WHERE id = $1 AND first IS NOT NULL`, []any{batch}, &first, &data); err != nil {
			return err
		}
		leaves, err := splitLeaves(data)
		if err != nil {
			return err
		}
		for k, raw := range leaves {
			if isLeafOf(raw, item, seq) {
				index = first + int64(k)
				return nil
			}
		}
		return ErrNotFound
	})
	if err != nil {
		return 0, fmt.Errorf("the leaf of event %d of item %.80q: %w", seq, item, err)
	}
	return index, nil
}

// Checkpoints calls fn for every checkpoint that was kept, the smallest first.
func (db *DB) Checkpoints(ctx context.Context, fn func(Head) error) error {
	for last := int64(-1); ; {
		var page []Head
		err := db.View(ctx, func(tx *Tx) error {
			page = nil
			return tx.each(`SELECT size, root, note FROM checkpoints WHERE size > $1 ORDER BY size LIMIT 500`, []any{last}, func(scan func(...any) error) error {
				var h Head
				var root []byte
				err := scan(&h.Size, &root, &h.Checkpoint)
				copy(h.Root[:], root)
				page = append(page, h)
				return err
			})
		})
		if err != nil {
			return fmt.Errorf("read checkpoints: %w", err)
		}
		for _, h := range page {
			if err := fn(h); err != nil {
				return err
			}
			last = h.Size
		}
		if len(page) == 0 {
			return nil
		}
	}
}

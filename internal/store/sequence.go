package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
)

const (
	chunkHashes = 1024
	chunkBytes  = chunkHashes * tlog.HashSize
	maxChunks   = 2048 // kept in memory: 64 MB
)

// sequencePage is how many rows of leaves are read at once.
const sequencePage = 256

// MaxSequence is how many leaves get their place in one transaction, about:
// after that many there may be more that wait.
const MaxSequence = 1 << 17

// Sequence gives the leaves that wait their place in the log, and keeps their
// hashes and a checkpoint that sign returns, in one transaction; nobody else
// does meanwhile. If nothing waits it returns the head as it is. If very many
// wait, some may be left.
func (db *DB) Sequence(ctx context.Context, sign func(size int64, root tlog.Hash) ([]byte, error)) (Head, error) {
	var head Head
	err := db.Update(ctx, func(tx *Tx) error {
		lock := ""
		if db.pg {
			lock = " FOR UPDATE"
		}
		var err error
		if head, err = tx.head(lock); err != nil {
			return err
		}
		next, err := tx.sequence(head, sign)
		if err == nil {
			head = next
		}
		return err
	})
	if err != nil {
		return Head{}, fmt.Errorf("sequence the ledger: %w", err)
	}
	return head, nil
}

func (tx *Tx) sequence(head Head, sign func(size int64, root tlog.Hash) ([]byte, error)) (Head, error) {
	tree, err := ledger.OpenTree(head.Size, hashReader(tx.readHashes))
	if err != nil {
		return Head{}, err
	}
	var stored []tlog.Hash
	for last := int64(0); tree.Size()-head.Size < MaxSequence; {
		type placed struct{ id, first int64 }
		var page []placed
		query := fmt.Sprintf(`SELECT id, leaves FROM ledger_batch WHERE first IS NULL AND id > $1 ORDER BY id LIMIT %d`, sequencePage)
		err := tx.each(query, []any{last}, func(scan func(...any) error) error {
			var data []byte
			if err := scan(&last, &data); err != nil {
				return err
			}
			leaves, err := splitLeaves(data)
			if err != nil {
				return err
			}
			page = append(page, placed{last, tree.Size()})
			for _, l := range leaves {
				stored = tree.AppendStored(stored, tlog.RecordHash(l))
			}
			return nil
		})
		if err != nil {
			return Head{}, err
		}
		if len(page) == 0 {
			break
		}
		var q strings.Builder
		var args []any
		q.WriteString(`UPDATE ledger_batch SET first = v.column2 FROM (VALUES `)
		for k, p := range page {
			if k > 0 {
				q.WriteString(", ")
			}
			q.WriteString("(CAST($" + strconv.Itoa(2*k+1) + " AS BIGINT), CAST($" + strconv.Itoa(2*k+2) + " AS BIGINT))")
			args = append(args, p.id, p.first)
		}
		q.WriteString(`) AS v WHERE ledger_batch.id = v.column1`)
		if _, err := tx.change(q.String(), args...); err != nil {
			return Head{}, err
		}
	}
	if tree.Size() == head.Size {
		return head, nil
	}
	if err := tx.keepHashes(tlog.StoredHashCount(head.Size), stored); err != nil {
		return Head{}, err
	}
	next := Head{Size: tree.Size(), Root: tree.Root()}
	if next.Checkpoint, err = sign(next.Size, next.Root); err != nil {
		return Head{}, err
	}
	if _, err := tx.change(`INSERT INTO checkpoints (size, root, note, at) VALUES ($1, $2, $3, $4)`, next.Size, next.Root[:], next.Checkpoint, us(tx.Now())); err != nil {
		return Head{}, err
	}
	_, err = tx.change(`UPDATE ledger_head SET size = $1, root = $2, checkpoint = $3 WHERE one = 1`, next.Size, next.Root[:], next.Checkpoint)
	return next, err
}

// keepHashes writes hashes from one index on. The last chunk that is there is
// filled up first.
func (tx *Tx) keepHashes(from int64, hashes []tlog.Hash) error {
	chunk, used := from/chunkHashes, from%chunkHashes
	var data []byte
	if used > 0 {
		old, err := tx.chunk(chunk)
		if err != nil {
			return err
		}
		if int64(len(old)) < used*tlog.HashSize {
			return errors.New("hashes of the ledger are missing")
		}
		data = bytes.Clone(old[:used*tlog.HashSize])
	}
	for k := range hashes {
		data = append(data, hashes[k][:]...)
		if len(data) < chunkBytes && k+1 < len(hashes) {
			continue
		}
		if _, err := tx.change(`INSERT INTO ledger_hashes (chunk, data) VALUES ($1, $2) ON CONFLICT (chunk) DO UPDATE SET data = excluded.data`, chunk, data); err != nil {
			return err
		}
		chunk++
		data = nil
	}
	return nil
}

func (tx *Tx) chunk(n int64) (data []byte, err error) {
	err = tx.one(`SELECT data FROM ledger_hashes WHERE chunk = $1`, []any{n}, &data)
	if err != nil {
		err = fmt.Errorf("hashes %d to %d of the ledger: %w", n*chunkHashes, (n+1)*chunkHashes-1, err)
	}
	return data, err
}

// hashReader is a tlog.HashReader.
type hashReader func(indexes []int64) ([]tlog.Hash, error)

// ReadHashes is that of tlog.HashReader.
func (r hashReader) ReadHashes(indexes []int64) ([]tlog.Hash, error) { return r(indexes) }

func (tx *Tx) readHashes(indexes []int64) ([]tlog.Hash, error) {
	chunks := map[int64][]byte{}
	return pick(indexes, func(n int64) ([]byte, error) {
		if c, ok := chunks[n]; ok {
			return c, nil
		}
		c, err := tx.chunk(n)
		chunks[n] = c
		return c, err
	})
}

func pick(indexes []int64, chunk func(int64) ([]byte, error)) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for k, i := range indexes {
		data, err := chunk(i / chunkHashes)
		if err != nil {
			return nil, err
		}
		at := int(i%chunkHashes) * tlog.HashSize
		if at+tlog.HashSize > len(data) {
			return nil, fmt.Errorf("hash %d of the ledger: %w", i, ErrNotFound)
		}
		copy(out[k][:], data[at:])
	}
	return out, nil
}

// chunkMemo keeps full chunks, which never change.
type chunkMemo struct {
	mu   sync.Mutex
	full map[int64][]byte
}

func (m *chunkMemo) get(n int64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.full[n]
}

func (m *chunkMemo) put(n int64, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full == nil {
		m.full = map[int64][]byte{}
	}
	for old := range m.full {
		if len(m.full) < maxChunks {
			break
		}
		delete(m.full, old)
	}
	m.full[n] = data
}

// HashReader reads the hashes of the tree at the indexes of
// tlog.StoredHashIndex.
func (db *DB) HashReader(ctx context.Context) tlog.HashReader {
	return hashReader(func(indexes []int64) ([]tlog.Hash, error) {
		read := map[int64][]byte{} // so that one call needs one of each
		return pick(indexes, func(n int64) ([]byte, error) {
			if c := read[n]; c != nil {
				return c, nil
			}
			c := db.chunks.get(n)
			if c == nil {
				err := db.View(ctx, func(tx *Tx) (err error) {
					c, err = tx.chunk(n)
					return err
				})
				if err != nil {
					return nil, err
				}
				if len(c) == chunkBytes {
					db.chunks.put(n, c)
				}
			}
			read[n] = c
			return c, nil
		})
	})
}

// isLeafOf reports whether a leaf is that of an item's event.
func isLeafOf(raw []byte, item string, seq int64) bool {
	if !bytes.Contains(raw, []byte(item)) {
		return false
	}
	e, err := ledger.Parse(raw)
	if err != nil || e.IDs["item"] != item {
		return false
	}
	switch e.Kind {
	case ledger.KindDecision, ledger.KindFault:
		return seq == 1
	case ledger.KindEvent:
		return e.Numbers["seq"] == seq
	}
	return false
}

package ledger

import (
	"fmt"
	"math/bits"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// Tree is the right edge of a Merkle tree (RFC 6962, section 2.1): all that is
// needed to append and to know the root, at most one hash for each bit of the
// size. The zero Tree is empty and ready. A Tree is for one goroutine.
//
// Proofs need stored hashes. A store that keeps what [Tree.AppendStored]
// returns, in order, has them at the indexes of tlog.StoredHashIndex, for
// tlog.TreeHash, tlog.ProveRecord, tlog.ProveTree and tlog.ReadTileData.
type Tree struct {
	size int64
	edge []tlog.Hash // roots of the complete subtrees, the largest first
}

// OpenTree returns the tree of the first size leaves of a store.
func OpenTree(size int64, r tlog.HashReader) (*Tree, error) {
	if size < 0 {
		return nil, fmt.Errorf("ledger: a tree of %d leaves", size)
	}
	var at []int64
	for first, rest := int64(0), size; rest > 0; {
		level := bits.Len64(uint64(rest)) - 1
		at = append(at, tlog.StoredHashIndex(level, first>>level))
		first += 1 << level
		rest -= 1 << level
	}
	t := &Tree{size: size}
	if len(at) == 0 {
		return t, nil
	}
	edge, err := r.ReadHashes(at)
	if err != nil {
		return nil, fmt.Errorf("ledger: read the edge of the tree of %d leaves: %w", size, err)
	}
	if len(edge) != len(at) {
		return nil, fmt.Errorf("ledger: read the edge of the tree of %d leaves: %d hashes instead of %d", size, len(edge), len(at))
	}
	t.edge = slices.Clone(edge)
	return t, nil
}

// Size returns the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Append adds a leaf by its hash, which is tlog.RecordHash of its bytes.
func (t *Tree) Append(leaf tlog.Hash) {
	for n := t.size; n&1 == 1; n >>= 1 {
		last := len(t.edge) - 1
		leaf = tlog.NodeHash(t.edge[last], leaf)
		t.edge = t.edge[:last]
	}
	t.edge = append(t.edge, leaf)
	t.size++
}

// AppendStored adds a leaf as [Tree.Append] does, and appends to dst the hashes
// that a store has to keep for it, which are those of tlog.StoredHashes: the
// leaf's own, at tlog.StoredHashIndex(0, size before), and one for each subtree
// that it completes, at the indexes that follow.
func (t *Tree) AppendStored(dst []tlog.Hash, leaf tlog.Hash) []tlog.Hash {
	dst = append(dst, leaf)
	last := len(t.edge) - 1
	for n := t.size; n&1 == 1; n >>= 1 {
		leaf = tlog.NodeHash(t.edge[last], leaf)
		dst = append(dst, leaf)
		last--
	}
	t.edge = append(t.edge[:last+1], leaf)
	t.size++
	return dst
}

// Root returns the Merkle tree hash. That of the empty tree is SHA-256 of
// nothing.
func (t *Tree) Root() tlog.Hash {
	if t.size == 0 {
		return emptyRoot
	}
	root := t.edge[len(t.edge)-1]
	for i := len(t.edge) - 2; i >= 0; i-- {
		root = tlog.NodeHash(t.edge[i], root)
	}
	return root
}

var emptyRoot = func() tlog.Hash {
	h, err := tlog.TreeHash(0, nil)
	if err != nil {
		panic(err) // it reads nothing
	}
	return h
}()

func (t *Tree) clone() *Tree { return &Tree{t.size, slices.Clone(t.edge)} }

package ledger_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/ledger"
)

// stored is a store of hashes in memory.
type stored []tlog.Hash

func (s stored) ReadHashes(at []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(at))
	for i, n := range at {
		if n < 0 || n >= int64(len(s)) {
			return nil, fmt.Errorf("there is no hash %d", n)
		}
		out[i] = s[n]
	}
	return out, nil
}

func leafHash(i int) tlog.Hash { return tlog.RecordHash(fmt.Appendf(nil, "leaf %d", i)) }

// The tree is compared with the standard one at every size.
func TestTreeIsThatOfTlog(t *testing.T) {
	var s stored
	var plain, keeping ledger.Tree
	for i := range 600 {
		want, err := tlog.StoredHashesForRecordHash(int64(i), leafHash(i), s)
		if err != nil {
			t.Fatal(err)
		}
		got := keeping.AppendStored(nil, leafHash(i))
		if !slices.Equal(got, want) {
			t.Fatalf("leaf %d: stores %v, want %v", i, got, want)
		}
		s = append(s, got...)
		plain.Append(leafHash(i))
		root, err := tlog.TreeHash(int64(i+1), s)
		if err != nil {
			t.Fatal(err)
		}
		if plain.Root() != root || keeping.Root() != root || plain.Size() != int64(i+1) {
			t.Fatalf("size %d: root %s and %s, want %s", plain.Size(), plain.Root(), keeping.Root(), root)
		}
		opened, err := ledger.OpenTree(int64(i+1), s)
		if err != nil || opened.Root() != root {
			t.Fatalf("size %d: opened with root %v, %v", i+1, opened, err)
		}
	}
}

func TestEmptyTreeHasTheHashOfNothing(t *testing.T) {
	var tree ledger.Tree
	if tree.Root() != sha256.Sum256(nil) {
		t.Errorf("got %s", tree.Root())
	}
	if opened, err := ledger.OpenTree(0, nil); err != nil || opened.Root() != tree.Root() {
		t.Errorf("opened: %v, %v", opened, err)
	}
}

func TestTreeIsNotOpenedFromAStoreThatLacksHashes(t *testing.T) {
	if _, err := ledger.OpenTree(-1, stored{}); err == nil {
		t.Error("a negative size is taken")
	}
	if _, err := ledger.OpenTree(3, stored{{1}}); err == nil {
		t.Error("a missing hash is taken")
	}
	short := tlog.HashReaderFunc(func([]int64) ([]tlog.Hash, error) { return nil, nil })
	if _, err := ledger.OpenTree(3, short); err == nil {
		t.Error("too few hashes are taken")
	}
	broken := tlog.HashReaderFunc(func([]int64) ([]tlog.Hash, error) { return nil, errors.New("disk") })
	if _, err := ledger.OpenTree(3, broken); err == nil || !strings.Contains(err.Error(), "disk") {
		t.Errorf("got %v", err)
	}
}

// Every prefix is consistent with every later size, and every leaf is in every
// later tree, by the standard checks.
func TestProofsOfTheStoredHashesHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 300).Draw(t, "size")
		var s stored
		var tree ledger.Tree
		roots := []tlog.Hash{tree.Root()}
		for i := range size {
			s = tree.AppendStored(s, leafHash(i))
			roots = append(roots, tree.Root())
		}
		at := rapid.IntRange(1, size).Draw(t, "earlier size")
		p, err := tlog.ProveTree(int64(size), int64(at), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckTree(p, int64(size), tree.Root(), int64(at), roots[at]); err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(0, size-1).Draw(t, "leaf")
		rp, err := tlog.ProveRecord(int64(size), int64(n), s)
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckRecord(rp, int64(size), tree.Root(), int64(n), leafHash(n)); err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckRecord(rp, int64(size), tree.Root(), int64(n), leafHash(n+1)); err == nil {
			t.Fatal("a proof holds for another leaf")
		}
	})
}

func TestTilePathsAreThoseOfTlogTiles(t *testing.T) {
	for _, tt := range []struct {
		tile tlog.Tile
		want string // "" if refused
	}{
		{tlog.Tile{H: 8, L: 0, N: 0, W: 256}, "tile/0/000"},
		{tlog.Tile{H: 8, L: 0, N: 1234067, W: 256}, "tile/0/x001/x234/067"},
		{tlog.Tile{H: 8, L: 1, N: 1, W: 17}, "tile/1/001.p/17"},
		{tlog.Tile{H: 8, L: 63, N: 999, W: 255}, "tile/63/999.p/255"},
		{tlog.Tile{H: 8, L: 8, N: 1000, W: 1}, "tile/8/x001/000.p/1"},
		{tlog.Tile{H: 8, L: -1, N: 273, W: 112}, "tile/entries/273.p/112"},
		{tlog.Tile{H: 8, L: -1, N: 1234067, W: 256}, "tile/entries/x001/x234/067"},
		{tlog.Tile{H: 7, L: 0, N: 0, W: 1}, ""},
		{tlog.Tile{H: 8, L: -2, N: 0, W: 1}, ""},
		{tlog.Tile{H: 8, L: 64, N: 0, W: 1}, ""},
		{tlog.Tile{H: 8, L: 0, N: -1, W: 1}, ""},
		{tlog.Tile{H: 8, L: 0, N: 0, W: 0}, ""},
		{tlog.Tile{H: 8, L: 0, N: 0, W: 257}, ""},
	} {
		got, err := ledger.TilePath(tt.tile)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%+v: %q, %v", tt.tile, got, err)
		}
	}
}

// The example of the specification: a tree of 70,000 leaves.
func TestTilesOfATreeAreThoseOfTheSpecification(t *testing.T) {
	count := map[string]int{}
	for _, tile := range tlog.NewTiles(ledger.TileHeight, 0, 70_000) {
		p, err := ledger.TilePath(tile)
		if err != nil {
			t.Fatal(err)
		}
		level := strings.Split(p, "/")[1]
		if _, w, ok := strings.Cut(p, ".p/"); ok {
			level += " of width " + w
		}
		count[level]++
	}
	want := map[string]int{"0": 273, "0 of width 112": 1, "1": 1, "1 of width 17": 1, "2 of width 1": 1}
	if d := cmp.Diff(want, count); d != "" {
		t.Error(d)
	}
}

func TestBundleIsSplitAsItWasMade(t *testing.T) {
	leaves := [][]byte{[]byte("a"), {}, bytes.Repeat([]byte("b"), 65535)}
	var b []byte
	for _, l := range leaves {
		var err error
		if b, err = ledger.AppendBundle(b, l); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := ledger.ParseBundle(b); err != nil || !slices.EqualFunc(got, leaves, bytes.Equal) {
		t.Errorf("got %d leaves, %v", len(got), err)
	}
	if !bytes.HasPrefix(b, []byte("\x00\x01a\x00\x00\xff\xff")) {
		t.Errorf("begins with %x", b[:8])
	}
	if _, err := ledger.AppendBundle(nil, make([]byte, 65536)); err == nil {
		t.Error("a leaf of 65536 bytes is taken")
	}
	for _, cut := range []int{1, 2, 4, len(b) - 1} {
		if _, err := ledger.ParseBundle(b[:cut]); err == nil {
			t.Errorf("a bundle that ends after %d bytes is taken", cut)
		}
	}
	if _, err := ledger.ParseBundle(make([]byte, 2*257)); err == nil {
		t.Error("257 entries are taken")
	}
}

func FuzzParseBundle(f *testing.F) {
	f.Add([]byte("\x00\x01a\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		leaves, err := ledger.ParseBundle(b)
		if err != nil {
			return
		}
		var again []byte
		for _, l := range leaves {
			again, _ = ledger.AppendBundle(again, l)
		}
		if !bytes.Equal(again, b) {
			t.Errorf("%x is read and written as %x", b, again)
		}
	})
}

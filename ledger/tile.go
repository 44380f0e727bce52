package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// TileHeight is the height of the tiles of C2SP tlog-tiles: a full tile holds
// 256 hashes, a full entry bundle 256 leaves. It is the H of tlog.Tile and the
// argument h of tlog.NewTiles.
const TileHeight = 8

// TilePath returns the path of a tile, below the prefix of the log, as C2SP
// tlog-tiles writes it: tile/0/x001/x234/067, with .p/12 after it if the tile
// holds 12 hashes only. A tile of level -1 is the entry bundle of these leaves,
// under tile/entries. The height must be [TileHeight].
func TilePath(t tlog.Tile) (string, error) {
	if t.H != TileHeight || t.L < -1 || t.L > 63 || t.N < 0 || t.W < 1 || t.W > 1<<TileHeight {
		return "", fmt.Errorf("ledger: no tile of tlog-tiles: height %d, level %d, number %d, width %d", t.H, t.L, t.N, t.W)
	}
	rest := strings.TrimPrefix(t.Path(), fmt.Sprintf("tile/%d/", TileHeight))
	if t.L == -1 {
		rest = "entries/" + strings.TrimPrefix(rest, "data/")
	}
	return "tile/" + rest, nil
}

// AppendBundle appends a leaf to an entry bundle (C2SP tlog-tiles, "Log
// entries"): its length in two bytes, big-endian, and the leaf.
func AppendBundle(dst, leaf []byte) ([]byte, error) {
	if len(leaf) > math.MaxUint16 {
		return dst, fmt.Errorf("ledger: a leaf of %d bytes doesn't fit into an entry bundle", len(leaf))
	}
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(leaf))), leaf...), nil
}

// ParseBundle splits an entry bundle into its leaves, which are parts of it.
func ParseBundle(bundle []byte) ([][]byte, error) {
	var leaves [][]byte
	for len(bundle) > 0 {
		if len(bundle) < 2 {
			return nil, errors.New("ledger: the entry bundle ends within a length")
		}
		n := int(binary.BigEndian.Uint16(bundle))
		if bundle = bundle[2:]; len(bundle) < n {
			return nil, fmt.Errorf("ledger: the entry bundle ends within entry %d of it", len(leaves))
		}
		if len(leaves) == 1<<TileHeight {
			return nil, fmt.Errorf("ledger: an entry bundle has at most %d entries", 1<<TileHeight)
		}
		leaves = append(leaves, bundle[:n:n])
		bundle = bundle[n:]
	}
	return leaves, nil
}

package ledger_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/verdict"
)

const origin = "example.com/pawl"

// A pair of keys of which the seed is one byte, 32 times.
type pair struct {
	note.Signer
	vkey string
	key  ledger.Key
}

func newPair(t testing.TB, name string, seed byte) pair {
	t.Helper()
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, 32))
	vkey, err := note.NewEd25519VerifierKey(name, private.Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	id := strings.Split(vkey, "+")[1]
	signer, err := note.NewSigner("PRIVATE+KEY+" + name + "+" + id + "+" + base64.StdEncoding.EncodeToString(append([]byte{1}, private.Seed()...)))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	return pair{signer, vkey, ledger.Key{Verifier: verifier}}
}

// A history is a log in memory.
type history struct {
	t      testing.TB
	keys   pair
	leaves [][]byte
	hashes stored
	trees  []tlog.Hash // the root at each size
	tree   ledger.Tree
}

// newHistory is a log of n entries, each of which says so.
func newHistory(t testing.TB, n int, says string) *history {
	t.Helper()
	h := &history{t: t, keys: newPair(t, origin, 1)}
	h.trees = append(h.trees, h.tree.Root())
	for i := range n {
		h.add(ledger.Entry{Kind: ledger.KindDecision, At: 1764540000000000 + int64(i), Gate: "refunds", IDs: map[string]string{"item": fmt.Sprintf("%s-%d", says, i)}, Verdict: verdict.AutoApply})
	}
	return h
}

func (h *history) add(e ledger.Entry) {
	h.t.Helper()
	leaf, err := e.Encode()
	if err != nil {
		h.t.Fatal(err)
	}
	h.leaves = append(h.leaves, leaf)
	h.hashes = h.tree.AppendStored(h.hashes, tlog.RecordHash(leaf))
	h.trees = append(h.trees, h.tree.Root())
}

func (h *history) checkpoint(size int) ledger.Checkpoint {
	return ledger.Checkpoint{Origin: origin, Size: int64(size), Root: h.trees[size]}
}

func (h *history) signed(size int, signers ...note.Signer) []byte {
	h.t.Helper()
	if len(signers) == 0 {
		signers = []note.Signer{h.keys}
	}
	b, err := ledger.Sign(h.checkpoint(size), signers...)
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

// lines is the export of the first size entries, with checkpoints at these
// sizes and at the end.
func (h *history) lines(size int, at ...int) []string {
	var lines []string
	for i := range size + 1 {
		if i == size || slices.Contains(at, i) {
			lines = append(lines, string(ledger.AppendCheckpoint(nil, h.signed(i))))
		}
		if i < size {
			lines = append(lines, string(ledger.AppendLeaf(nil, int64(i), tlog.RecordHash(h.leaves[i]), h.leaves[i])))
		}
	}
	return lines
}

func (h *history) verify(export string, known ...ledger.Checkpoint) (ledger.Report, error) {
	return ledger.Verify(strings.NewReader(export), []ledger.Key{h.keys.key}, known)
}

package bench

import (
	"crypto/rand"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/verdict"
)

// leaf is an entry of the ledger, as a submission makes one: about 700 bytes.
func leaf(n int) []byte {
	digest := fmt.Sprintf("sha256:%064x", 7)
	e := ledger.Entry{
		Kind: ledger.KindDecision, At: 1764540000000000 + int64(n), Gate: "refunds", Verdict: verdict.AutoApply,
		IDs:    map[string]string{"item": fmt.Sprintf("019abcde-0000-7000-8000-%012x", n)},
		Person: "shop", Known: ledger.KnownAsserted,
		Versions:    map[string]string{"engine": "threshold/1", "policy": "1"},
		Digests:     map[string]string{"action": digest, "policy": digest},
		Numbers:     map[string]int64{"seq": 1, "epoch": 1, "permit_expires": 1764626400000000},
		Commitments: map[string]ledger.Commitment{"input": {1, byte(n)}, "decision": {2, byte(n)}},
	}
	text, err := e.Encode()
	if err != nil {
		panic(err) // the entry is ours
	}
	return text
}

// Log is a whole ledger in memory.
type Log struct {
	Leaves [][]byte
	Hashes []tlog.Hash // as tlog stores them
	Tree   ledger.Tree
	Signer note.Signer
	Keys   []ledger.Key
}

// NewLog makes a ledger of so many entries.
func NewLog(n int) (*Log, error) {
	const origin = "pawl.local/bench"
	secret, public, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		return nil, err
	}
	l := &Log{}
	if l.Signer, err = note.NewSigner(secret); err != nil {
		return nil, err
	}
	if l.Keys, err = ledger.ParseKeys(public + "\n"); err != nil {
		return nil, err
	}
	for i := range n {
		b := leaf(i)
		l.Leaves = append(l.Leaves, b)
		l.Hashes = l.Tree.AppendStored(l.Hashes, tlog.RecordHash(b))
	}
	return l, nil
}

// ReadHashes reads the hashes that are stored at those places.
func (l *Log) ReadHashes(at []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(at))
	for i, a := range at {
		hashes[i] = l.Hashes[a]
	}
	return hashes, nil
}

// Export is what Verify reads.
func (l *Log) Export() ([]byte, error) {
	var export []byte
	for i, b := range l.Leaves {
		export = ledger.AppendLeaf(export, int64(i), tlog.RecordHash(b), b)
	}
	signed, err := ledger.Sign(ledger.Checkpoint{Origin: l.Signer.Name(), Size: l.Tree.Size(), Root: l.Tree.Root()}, l.Signer)
	if err != nil {
		return nil, err
	}
	return ledger.AppendCheckpoint(export, signed), nil
}

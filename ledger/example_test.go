package ledger_test

import (
	"bytes"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/verdict"
)

// A small log is written, exported, verified with the public key alone, and
// verified again after somebody has changed a decision in the store.
func Example() {
	// Keys are made once, by note.GenerateKey. These are published.
	const public = "example.com/pawl+5e5b4c6f+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
	signer, err := note.NewSigner("PRIVATE+KEY+example.com/pawl+5e5b4c6f+AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB")
	if err != nil {
		panic(err)
	}

	// The action is kept elsewhere, beside its salt; the log commits to it.
	salt, action := ledger.Salt{7}, []byte(`{"amount":12}`) // 32 random bytes, in truth
	commitment, err := ledger.Commit(salt, action)
	if err != nil {
		panic(err)
	}

	var tree ledger.Tree
	var export []byte
	for i := range int64(3) {
		e := ledger.Entry{
			Kind: ledger.KindDecision, At: 1764540000000000 + i, Gate: "refunds", Verdict: verdict.RouteToHuman,
			IDs:         map[string]string{"item": fmt.Sprintf("r-%d", i)},
			Commitments: map[string]ledger.Commitment{"action": commitment},
		}
		leaf, err := e.Encode()
		if err != nil {
			panic(err)
		}
		hash := tlog.RecordHash(leaf)
		tree.Append(hash) // AppendStored, if proofs will be wanted
		export = ledger.AppendLeaf(export, i, hash, leaf)
	}
	checkpoint := ledger.Checkpoint{Origin: signer.Name(), Size: tree.Size(), Root: tree.Root()}
	signed, err := ledger.Sign(checkpoint, signer)
	if err != nil {
		panic(err)
	}
	export = ledger.AppendCheckpoint(export, signed)

	keys, err := ledger.ParseKeys(public)
	if err != nil {
		panic(err)
	}
	report, err := ledger.Verify(bytes.NewReader(export), keys, []ledger.Checkpoint{checkpoint})
	fmt.Print(report)
	fmt.Println(err)
	fmt.Println("the action is the one that was decided on:", commitment.Check(salt, action))

	export = bytes.Replace(export, []byte(`"item":"r-1"},"kind":"decision","v":1,"verdict":"route_to_human"`), []byte(`"item":"r-1"},"kind":"decision","v":1,"verdict":"auto_apply"`), 1)
	_, err = ledger.Verify(bytes.NewReader(export), keys, []ledger.Checkpoint{checkpoint})
	fmt.Println(err)
	// Output:
	// log example.com/pawl: 3 entries, 1 signed checkpoints
	// verified: entries 0 to 2, which is all
	// checkpoints kept elsewhere that agree: 1 of 1
	// <nil>
	// the action is the one that was decided on: true
	// ledger: edit, entry 1 (line 2): its bytes aren't those that were signed
}

// A proof that a leaf is in the log needs the stored hashes, and is checked by
// the standard functions.
func ExampleTree_AppendStored() {
	var tree ledger.Tree
	var store []tlog.Hash // a table, in truth
	for _, leaf := range []string{"a", "b", "c", "d", "e"} {
		store = tree.AppendStored(store, tlog.RecordHash([]byte(leaf)))
	}
	reader := tlog.HashReaderFunc(func(at []int64) ([]tlog.Hash, error) {
		var hashes []tlog.Hash
		for _, i := range at {
			hashes = append(hashes, store[i])
		}
		return hashes, nil
	})
	proof, err := tlog.ProveRecord(tree.Size(), 2, reader)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(proof), "hashes")
	fmt.Println(tlog.CheckRecord(proof, tree.Size(), tree.Root(), 2, tlog.RecordHash([]byte("c"))))
	// Output:
	// 3 hashes
	// <nil>
}

// A monitor keeps the last checkpoint where the log's operator can't write.
func ExampleCompare() {
	kept := ledger.Checkpoint{Origin: "example.com/pawl", Size: 5, Root: tlog.Hash{1}}
	shown := ledger.Checkpoint{Origin: "example.com/pawl", Size: 5, Root: tlog.Hash{2}}
	change := ledger.Compare(kept, shown, nil)
	fmt.Println(change, change.Good())
	// Output: forked false
}

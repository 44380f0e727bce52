package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/verdict"
)

const origin = "example.com/log"

type signer struct {
	keys []ledger.Key
	sign func(int64, tlog.Hash) ([]byte, error)
}

func newSigner(t testing.TB) signer {
	t.Helper()
	private, public, err := note.GenerateKey(nil, origin)
	if err != nil {
		t.Fatal(err)
	}
	s, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := ledger.ParseKeys(public + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return signer{keys, func(size int64, root tlog.Hash) ([]byte, error) {
		return ledger.Sign(ledger.Checkpoint{Origin: origin, Size: size, Root: root}, s)
	}}
}

func decisionLeaf(t testing.TB, item string) []byte {
	t.Helper()
	e := ledger.Entry{Kind: ledger.KindDecision, At: start.UnixMicro(), Gate: "g", Verdict: verdict.AutoApply, IDs: map[string]string{"item": item}, Numbers: map[string]int64{"seq": 1}}
	raw, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func export(t testing.TB, db *store.DB) []byte {
	t.Helper()
	head, err := db.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	if err := db.Leaves(t.Context(), 0, head.Size, func(i int64, h tlog.Hash, leaf []byte) error {
		out = ledger.AppendLeaf(out, i, h, leaf)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ledger.AppendCheckpoint(out, head.Checkpoint)
}

func verify(t testing.TB, db *store.DB, s signer, leaves int64) {
	t.Helper()
	report, err := ledger.Verify(bytes.NewReader(export(t, db)), s.keys, nil)
	if err != nil || len(report.Problems) > 0 || report.Verified != leaves {
		t.Fatalf("%d leaves: %v\n%v", leaves, err, report)
	}
}

func TestTheLedgerVerifiesAndProves(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		s := newSigner(t)
		if h, err := db.Sequence(t.Context(), s.sign); err != nil || h.Size != 0 {
			t.Fatalf("nothing to do: %+v %v", h, err)
		}
		var size int64
		var heads []store.Head
		for _, n := range []int{1, 3, 700, 1500} { // over the edges of chunks of hashes
			update(t, db, func(tx *store.Tx) error {
				for k := range n {
					id := fmt.Sprintf("i-%d-%d", n, k)
					if k%2 == 0 {
						if err := tx.InsertRecord(record(t, id, verdict.AutoApply)); err != nil {
							return err
						}
					}
					if err := tx.Append(decisionLeaf(t, id)); err != nil {
						return err
					}
				}
				return nil
			})
			size += int64(n)
			h, err := db.Sequence(t.Context(), s.sign)
			if err != nil || h.Size != size {
				t.Fatalf("size %d, want %d: %v", h.Size, size, err)
			}
			heads = append(heads, h)
			verify(t, db, s, size)
		}
		last := heads[len(heads)-1]
		r := db.HashReader(t.Context())
		for _, h := range heads[:3] {
			p, err := tlog.ProveTree(last.Size, h.Size, r)
			if err != nil {
				t.Fatal(err)
			}
			if err := tlog.CheckTree(p, last.Size, last.Root, h.Size, h.Root); err != nil {
				t.Error(err)
			}
		}
		for _, id := range []string{"i-1-0", "i-700-698", "i-1500-0"} {
			i, err := db.LeafIndex(t.Context(), id, 1)
			if err != nil {
				t.Fatal(err)
			}
			p, err := tlog.ProveRecord(last.Size, i, r)
			if err != nil {
				t.Fatal(err)
			}
			if err := tlog.CheckRecord(p, last.Size, last.Root, i, tlog.RecordHash(decisionLeaf(t, id))); err != nil {
				t.Errorf("%s, leaf %d: %v", id, i, err)
			}
		}
		if _, err := db.LeafIndex(t.Context(), "none", 1); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("no such item: %v", err)
		}
		var kept []int64
		if err := db.Checkpoints(t.Context(), func(h store.Head) error { kept = append(kept, h.Size); return nil }); err != nil || len(kept) != 4 {
			t.Errorf("checkpoints %v, %v", kept, err)
		}
		var part []int64
		if err := db.Leaves(t.Context(), 3, 6, func(i int64, _ tlog.Hash, _ []byte) error { part = append(part, i); return nil }); err != nil || len(part) != 3 || part[0] != 3 {
			t.Errorf("leaves 3 to 5: %v, %v", part, err)
		}
	})
}

func TestAFailingSignerLeavesTheLogAsItWas(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		s, broken := newSigner(t), errors.New("no key")
		update(t, db, func(tx *store.Tx) error { return tx.Append(decisionLeaf(t, "i1")) })
		if _, err := db.Sequence(t.Context(), func(int64, tlog.Hash) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
		if h, err := db.Sequence(t.Context(), s.sign); err != nil || h.Size != 1 {
			t.Errorf("afterwards: %+v %v", h, err)
		}
		verify(t, db, s, 1)
	})
}

func TestSequencersDontStepOnEachOther(t *testing.T) {
	onEach(t, func(t *testing.T, db *store.DB) {
		s := newSigner(t)
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				for k := range 20 {
					err := db.Share(context.Background(), func(tx *store.Tx) error { return tx.Append(decisionLeaf(t, fmt.Sprintf("i-%d-%d", w, k))) })
					if err == nil && k%5 == 0 {
						_, err = db.Sequence(context.Background(), s.sign)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if _, err := db.Sequence(t.Context(), s.sign); err != nil {
			t.Fatal(err)
		}
		verify(t, db, s, 160)
	})
}

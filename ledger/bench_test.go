package ledger_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
)

// benchLog is a log of entries of about the size of a decision.
func benchLog(b *testing.B, n int) *history {
	h := newHistory(b, 0, "")
	c, err := ledger.Commit(ledger.Salt{1}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		e := full(b)
		e.Kind, e.Statement, e.Numbers = ledger.KindDecision, "", map[string]int64{"version": 1}
		e.At += int64(i)
		e.Commitments = map[string]ledger.Commitment{"action": c, "decision": c, "signals": c}
		h.add(e)
	}
	return h
}

func BenchmarkEncode(b *testing.B) {
	e := full(b)
	for b.Loop() {
		if _, err := e.Encode(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	e := full(b)
	leaf, err := e.Encode()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := ledger.Parse(leaf); err != nil {
			b.Fatal(err)
		}
	}
}

// Appending a leaf to the tree, with the hashes to store for it.
func BenchmarkAppend(b *testing.B) {
	leaf := benchLog(b, 1).leaves[0]
	var tree ledger.Tree
	var keep []tlog.Hash
	b.SetBytes(int64(len(leaf)))
	for b.Loop() {
		keep = tree.AppendStored(keep[:0], tlog.RecordHash(leaf))
	}
}

// Verify beside SHA-256 over the same bytes, in one piece.
func BenchmarkVerify(b *testing.B) {
	const n = 20_000
	h := benchLog(b, n)
	export := []byte(strings.Join(h.lines(n, 5000, 10_000, 15_000), ""))
	leaves := bytes.Join(h.leaves, nil)
	keys := []ledger.Key{h.keys.key}
	b.Run("verify", func(b *testing.B) {
		b.SetBytes(int64(len(export)))
		for b.Loop() {
			if _, err := ledger.Verify(bytes.NewReader(export), keys, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entry")
	})
	for _, over := range []struct {
		name string
		b    []byte
	}{{"export", export}, {"leaves", leaves}} {
		b.Run("sha256-of-"+over.name, func(b *testing.B) {
			b.SetBytes(int64(len(over.b)))
			for b.Loop() {
				sha256.Sum256(over.b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entry")
		})
	}
}

func BenchmarkInclusionProof(b *testing.B) {
	const n = 100_000
	h := benchLog(b, n)
	for _, op := range []string{"prove", "check"} {
		b.Run(fmt.Sprintf("%s-in-%d", op, n), func(b *testing.B) {
			p, err := tlog.ProveRecord(n, n/3, h.hashes)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if op == "prove" {
					p, err = tlog.ProveRecord(n, n/3, h.hashes)
				} else {
					err = tlog.CheckRecord(p, n, h.trees[n], n/3, tlog.RecordHash(h.leaves[n/3]))
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package bench

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
)

// BenchmarkStoreLedger is one entry of many producers, each of which waits until its
// own is on the disk. Tessera makes batches of a fixed size: its best counts.
func BenchmarkStoreLedger(b *testing.B) {
	const producers = 256
	b.Run("pawl/store", func(b *testing.B) {
		durably(b, producers, func(b *testing.B) (Durable, error) { return PawlLedger(b.Context(), b.TempDir(), leaf) })
	})
	for _, size := range []uint{64, 128, 256} {
		b.Run(fmt.Sprintf("tessera/posix-%d", size), func(b *testing.B) {
			durably(b, producers, func(b *testing.B) (Durable, error) {
				return Tessera(b.Context(), b.TempDir(), size, time.Millisecond, leaf)
			})
		})
	}
}

// BenchmarkStoreVerify is the verification of an export, beside SHA-256 of its bytes
// in one piece.
func BenchmarkStoreVerify(b *testing.B) {
	log, err := NewLog(100_000)
	if err != nil {
		b.Fatal(err)
	}
	export, err := log.Export()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("pawl/verify", func(b *testing.B) {
		b.SetBytes(int64(len(export)))
		for b.Loop() {
			if _, err := ledger.Verify(bytes.NewReader(export), log.Keys, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sha256/export", func(b *testing.B) {
		b.SetBytes(int64(len(export)))
		for b.Loop() {
			sha256.Sum256(export)
		}
	})
}

// BenchmarkStoreProof is an inclusion proof of one entry of a million.
func BenchmarkStoreProof(b *testing.B) {
	const n = 1_000_000
	log, err := NewLog(n)
	if err != nil {
		b.Fatal(err)
	}
	prove := func(r tlog.HashReader) func(*testing.B) {
		return func(b *testing.B) {
			i := int64(0)
			for b.Loop() {
				i = (i + 611_953) % n // all over the log
				if _, err := tlog.ProveRecord(n, i, r); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("tlog/memory", prove(log))
	b.Run("pawl/store", func(b *testing.B) {
		db, err := log.Fill(b.Context(), b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		prove(db.HashReader(b.Context()))(b)
	})
}

package bench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStoreNext is the claim of the most urgent item in a store that
// cmd/bigstore made. The items are approved, outside the median's clock. Where no
// such store is named a small one is made, which doesn't say much.
func BenchmarkStoreNext(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { next(b, os.Getenv("PAWL_BENCH_BIG_SQLITE"), "", "") })
	b.Run("postgres", func(b *testing.B) {
		next(b, os.Getenv("PAWL_BENCH_BIG_POSTGRES"), os.Getenv("PAWL_BENCH_BIG_POSTGRES_KEY"), postgres(b))
	})
}

func next(b *testing.B, big, key, small string) {
	dir := b.TempDir()
	if big == "" {
		big, key = small, filepath.Join(dir, "pawl.key")
		if big == "" {
			big = filepath.Join(dir, "pawl.db")
		}
		if err := (Big{DB: big, Key: key, Pending: 10_000, Ended: 10_000}).Make(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	p, err := OpenPawl(b.Context(), big, key)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	by := reviewer(1)
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		claimed, ok, err := p.Next(b.Context(), by, "*")
		took = append(took, time.Since(start))
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		if err := approve(b.Context(), p, by, &claimed.Item); err != nil {
			b.Fatal(err)
		}
	}
	counts, err := p.Counts(b.Context(), "refunds")
	if err != nil {
		b.Fatal(err)
	}
	items := int64(0)
	for _, n := range counts.ByStatus {
		items += n
	}
	b.ReportMetric(float64(items), "items")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "us-median")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1000, "us-p99")
}

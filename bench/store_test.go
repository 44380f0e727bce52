package bench

import (
	"context"
	"os"
	"testing"
)

// durably has so many clients do it b.N times. What it leaves to be done belongs
// to the time, too.
func durably(b *testing.B, clients int, open func(b *testing.B) (Durable, error)) {
	b.Helper()
	d, err := open(b)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	err = share(context.Background(), clients, b.N, d.Do)
	if err != nil {
		b.Error(err)
	}
	if err := d.Close(); err != nil {
		b.Error(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "/s")
}

// postgres is the address of a server to measure on.
func postgres(tb testing.TB) string {
	dsn := os.Getenv("PAWL_BENCH_POSTGRES")
	if dsn == "" {
		tb.Skip("no Postgres")
	}
	return dsn
}

func BenchmarkSubmitSQLite64(b *testing.B) {
	b.Run("bare/group", func(b *testing.B) {
		durably(b, 64, func(b *testing.B) (Durable, error) { return BareGroup(b.TempDir()) })
	})
}

func BenchmarkSubmitSQLite1(b *testing.B) {
	b.Run("bare/transaction", func(b *testing.B) {
		durably(b, 1, func(b *testing.B) (Durable, error) { return BareSQLite(b.TempDir()) })
	})
}

func BenchmarkSubmitPostgres32(b *testing.B) {
	b.Run("bare/insert", func(b *testing.B) {
		durably(b, 32, func(b *testing.B) (Durable, error) { return BarePostgres(b.Context(), postgres(b), 32) })
	})
	b.Run("river/insert", func(b *testing.B) {
		durably(b, 32, func(b *testing.B) (Durable, error) { return River(b.Context(), postgres(b), 32) })
	})
}

func BenchmarkReviewPostgres16(b *testing.B) {
	b.Run("bare/claim", func(b *testing.B) {
		durably(b, 16, func(b *testing.B) (Durable, error) { return BareClaim(b.Context(), postgres(b), 16, b.N) })
	})
}

package bench

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
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

// postgres is the address of a new database on the server to measure on.
func postgres(tb testing.TB) string {
	server := os.Getenv("PAWL_BENCH_POSTGRES")
	if server == "" {
		tb.Skip("PAWL_BENCH_POSTGRES names no server")
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		tb.Fatal(err)
	}
	name := fmt.Sprintf("bench_%d", time.Now().UnixNano())
	tb.Cleanup(func() {
		if _, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			tb.Error(err)
		}
		if err := conn.Close(ctx); err != nil {
			tb.Error(err)
		}
	})
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		tb.Fatal(err)
	}
	address, err := url.Parse(server)
	if err != nil {
		tb.Fatal(err)
	}
	address.Path = "/" + name
	return address.String()
}

// key is the file for the key of a new ledger.
func key(tb testing.TB) string { return filepath.Join(tb.TempDir(), "pawl.key") }

func BenchmarkStoreSubmitSQLite64(b *testing.B) {
	b.Run("pawl/submit", func(b *testing.B) {
		durably(b, 64, func(b *testing.B) (Durable, error) {
			return PawlSubmit(b.Context(), filepath.Join(b.TempDir(), "pawl.db"), "")
		})
	})
	b.Run("bare/group", func(b *testing.B) {
		durably(b, 64, func(b *testing.B) (Durable, error) { return BareGroup(b.TempDir()) })
	})
}

func BenchmarkStoreSubmitSQLite1(b *testing.B) {
	b.Run("pawl/submit", func(b *testing.B) {
		durably(b, 1, func(b *testing.B) (Durable, error) {
			return PawlSubmit(b.Context(), filepath.Join(b.TempDir(), "pawl.db"), "")
		})
	})
	b.Run("bare/transaction", func(b *testing.B) {
		durably(b, 1, func(b *testing.B) (Durable, error) { return BareSQLite(b.TempDir()) })
	})
}

func BenchmarkStoreSubmitPostgres32(b *testing.B) {
	b.Run("pawl/submit", func(b *testing.B) {
		durably(b, 32, func(b *testing.B) (Durable, error) { return PawlSubmit(b.Context(), postgres(b), key(b)) })
	})
	b.Run("bare/insert", func(b *testing.B) {
		durably(b, 32, func(b *testing.B) (Durable, error) { return BarePostgres(b.Context(), postgres(b), 32) })
	})
	b.Run("river/insert", func(b *testing.B) {
		durably(b, 32, func(b *testing.B) (Durable, error) { return River(b.Context(), postgres(b), 32) })
	})
}

func BenchmarkStoreReviewPostgres16(b *testing.B) {
	b.Run("pawl/next+approve", func(b *testing.B) {
		durably(b, 16, func(b *testing.B) (Durable, error) { return PawlReview(b.Context(), postgres(b), key(b), b.N) })
	})
	b.Run("bare/claim", func(b *testing.B) {
		durably(b, 16, func(b *testing.B) (Durable, error) { return BareClaim(b.Context(), postgres(b), 16, b.N) })
	})
}

// Command bigstore makes a store with many items, to measure on. For the bar:
//
//	go run ./cmd/bigstore -db /big/pawl.db -pending 1000000 -ended 10000000
//
// It takes about 1.5 kB of disk an item. The ledger's key is kept beside a file;
// for Postgres, -key says where.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/pawlgate/pawl/bench"
)

func main() {
	var g bench.Big
	flag.StringVar(&g.DB, "db", "", "the SQLite `file`, or the address of the Postgres database, to fill")
	flag.StringVar(&g.Key, "key", "", "the `file` for the ledger's key; the default is the database's with .key behind it")
	flag.IntVar(&g.Pending, "pending", 10_000, "`items` that wait")
	flag.IntVar(&g.Ended, "ended", 100_000, "`items` that have ended")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, g); err != nil {
		fmt.Fprintln(os.Stderr, "bigstore:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, g bench.Big) error {
	if g.DB == "" || flag.NArg() > 0 {
		return errors.New("want -db, and no arguments")
	}
	start, told := time.Now(), time.Now()
	g.Progress = func(done int) {
		if time.Since(told) > 5*time.Second {
			told = time.Now()
			fmt.Fprintf(os.Stderr, "%d of %d, %.0f/s\n", done, g.Pending+g.Ended, float64(done)/time.Since(start).Seconds())
		}
	}
	return g.Make(ctx)
}

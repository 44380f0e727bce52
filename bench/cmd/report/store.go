package main

import (
	"fmt"
	"strings"
)

const (
	storePrefix = "Store"
	usMedian    = "us-median"
	itemsOf     = "items"

	bigItems = 11_000_000 // of the store in which the next one is looked for
)

// storeBars are the promises about what is durable. The bare loops and peers do
// their work in the same run, on the same disk.
var storeBars = []bar{
	{"durable submit, SQLite, 64 clients: at least 0.35 times bare inserts that share transactions", speed("StoreSubmitSQLite64/pawl/", "StoreSubmitSQLite64/bare/", 0.35)},
	{"durable submit, SQLite, 1 client: at least 0.6 times a bare insert", speed("StoreSubmitSQLite1/pawl/", "StoreSubmitSQLite1/bare/", 0.6)},
	{"durable submit, Postgres, 32 clients: at least 0.4 times bare inserts", speed("StoreSubmitPostgres32/pawl/", "StoreSubmitPostgres32/bare/", 0.4)},
	{"the same, at least 1.5 times River's Insert", speed("StoreSubmitPostgres32/pawl/", "StoreSubmitPostgres32/river/", 1.5)},
	{"claim and approve, Postgres, 16 reviewers: at least 0.4 times a bare loop with SKIP LOCKED", speed("StoreReviewPostgres16/pawl/", "StoreReviewPostgres16/bare/", 0.4)},
	{"the next of 1,000,000 pending among 10,000,000 ended items: median below 5 ms, SQLite", nextBelow("StoreNext/sqlite", 5000)},
	{"the same, Postgres", nextBelow("StoreNext/postgres", 5000)},
	{"ledger, 256 producers: at least 1.0 times tessera on a file system", speed("StoreLedger/pawl/", "StoreLedger/tessera/", 1)},
	{"verification of the ledger: at least 0.5 times SHA-256 over the same bytes", speed("StoreVerify/pawl/", "StoreVerify/sha256/", 0.5)},
	{"inclusion proof from the store: at most 10 times tlog's in memory", speed("StoreProof/pawl/", "StoreProof/tlog/", 0.1)},
}

// speed says that ours must be at least so many times as fast as the fastest of
// the benchmarks with that prefix.
func speed(ours, peers string, least float64) func(*results) answer {
	return func(r *results) answer {
		_, mine, ok := r.fastest(ours, "")
		name, theirs, also := r.fastest(peers, "")
		if !ok || !also {
			return answer{}
		}
		_, short, _ := strings.Cut(name, "/")
		return answer{true, theirs/mine >= least, fmt.Sprintf("%.2f× (%s)", theirs/mine, short)}
	}
}

// nextBelow counts only in a store that is big enough.
func nextBelow(name string, us float64) func(*results) answer {
	return func(r *results) answer {
		took, ok := r.median(name, usMedian)
		items, _ := r.median(name, itemsOf)
		return answer{ok && items >= bigItems, took < us, fmt.Sprintf("%.2f ms", took/1e3)}
	}
}

// writeStore writes what was measured of what is durable.
func (r *results) writeStore(b *strings.Builder) {
	started := false
	for _, name := range r.names {
		if !strings.HasPrefix(name, storePrefix) {
			continue
		}
		if !started {
			b.WriteString("\n**Durable**\n\n| | once | a second |\n|---|--:|--:|\n")
			started = true
		}
		ns, _ := r.median(name, nsPerOp)
		fmt.Fprintf(b, "| %s | %s | %.0f |\n", strings.TrimPrefix(name, storePrefix), r.time(name), 1e9/ns)
	}
}

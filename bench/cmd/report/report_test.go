package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// raw is a file of results in which every benchmark takes so many nanoseconds.
type raw map[string]int

func (w raw) read(t *testing.T) *results {
	t.Helper()
	var b strings.Builder
	b.WriteString("go: go1.26\ncores: 2\npeers: x v1\ngoos: linux\ngoarch: amd64\n")
	for _, c := range []string{
		"Decide/pawl/reused", "Decide/pawl/fresh", "Decide/pawl/cel", "Decide/cel-go/one/optimize",
		"Decide/cel-go/rules/limit", "Decide/cel-go/rules/optimize", "Decide/expr/one/map", "Decide/expr/rules/map", "Decide/cedar-go/long", "Decide/opa/parsed",
		"JSON/pawl/fixture", "JSON/if/struct", "JSON/opa/value",
	} {
		ns, ok := w[c]
		if !ok {
			continue
		}
		for _, form := range forms {
			for _, d := range []int{-1, 0, 0, 1, 900} { // a mean would be off
				fmt.Fprintf(&b, "Benchmark%s/%s-2\t100\t%d ns/op\t0 B/op\t%d allocs/op\n", c, form, ns+d, w["allocs "+c])
			}
		}
	}
	for _, c := range []string{"Stream/pawl", "Stream/plainjson", "StreamBig/pawl"} {
		if n, ok := w[c]; ok {
			fmt.Fprintf(&b, "Benchmark%s\t1\t1000 ns/op\t%d lines/s\t%d peak-RSS-bytes\n", c, n, w["peak "+c])
		}
	}
	for _, c := range []string{"Stream/count-old", "Stream/count-new", "Stream/replay"} {
		if n, ok := w[c]; ok {
			fmt.Fprintf(&b, "Benchmark%s\t1\t%d ns/op\t1 lines/s\t1 peak-RSS-bytes\n", c, n)
		}
	}
	if n, ok := w["Case/pipeline"]; ok {
		fmt.Fprintf(&b, "BenchmarkCase/pipeline-2\t100\t%d ns/op\t%d cases/s\t0 B/op\t7 allocs/op\n", 1_000_000_000/n, n)
	}
	for _, c := range []string{"Scan/pawl/files", "ScanAdversary/prefixes/1MiB"} {
		if ns, ok := w[c]; ok {
			fmt.Fprintf(&b, "Benchmark%s-2\t10\t%d ns/op\t1 MB/s\n", c, ns)
		}
	}
	if n, ok := w["slowest ScanByte"]; ok {
		fmt.Fprintf(&b, "BenchmarkScanByte-2\t1\t1000 ns/op\t1 MB/s\t65.00 slowest-byte\t%d slowest-bytes/s\n", n)
	}
	for _, c := range storeNames {
		if ns, ok := w[c]; ok {
			fmt.Fprintf(&b, "Benchmark%s-2\t10\t%d ns/op\t%d us-median\t%d items\n", c, ns, ns, w["items "+c])
		}
	}
	file := filepath.Join(t.TempDir(), "results.txt")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := readResults(file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var storeNames = []string{
	"StoreSubmitSQLite64/pawl/submit", "StoreSubmitSQLite64/bare/group", "StoreSubmitSQLite1/pawl/submit", "StoreSubmitSQLite1/bare/transaction",
	"StoreSubmitPostgres32/pawl/submit", "StoreSubmitPostgres32/bare/insert", "StoreSubmitPostgres32/river/insert",
	"StoreReviewPostgres16/pawl/next+approve", "StoreReviewPostgres16/bare/claim", "StoreNext/sqlite", "StoreNext/postgres",
	"StoreLedger/pawl/store", "StoreLedger/tessera/posix-64", "StoreLedger/tessera/posix-256",
	"StoreVerify/pawl/verify", "StoreVerify/sha256/export", "StoreProof/pawl/store", "StoreProof/tlog/memory",
}

// kept is a set of results in which every bar is met, just.
func kept() raw {
	return raw{
		"Decide/pawl/reused": 100, "Decide/pawl/fresh": 300, "allocs Decide/pawl/fresh": 3,
		"Decide/pawl/cel": 1500, "Decide/cel-go/one/optimize": 500, "Decide/cel-go/rules/limit": 1000,
		"Decide/cel-go/rules/optimize": 500, "Decide/expr/one/map": 500, "Decide/expr/rules/map": 500, "Decide/cedar-go/long": 1000, "Decide/opa/parsed": 10_000,
		"JSON/pawl/fixture": 2000, "JSON/if/struct": 2000, "JSON/opa/value": 20_000,
		"Stream/pawl": 1500, "Stream/plainjson": 1000, "StreamBig/pawl": 1, "peak StreamBig/pawl": 99_999_999,
		"Stream/count-old": 900, "Stream/count-new": 1100, "Stream/replay": 3000,
		"Case/pipeline":   20_000,
		"Scan/pawl/files": 335_000_000, "ScanAdversary/prefixes/1MiB": 10_400_000, "slowest ScanByte": 101_000_000,
		"StoreSubmitSQLite64/pawl/submit": 1000, "StoreSubmitSQLite64/bare/group": 350, "StoreSubmitSQLite1/pawl/submit": 1000, "StoreSubmitSQLite1/bare/transaction": 600,
		"StoreSubmitPostgres32/pawl/submit": 1000, "StoreSubmitPostgres32/bare/insert": 400, "StoreSubmitPostgres32/river/insert": 1500,
		"StoreReviewPostgres16/pawl/next+approve": 1000, "StoreReviewPostgres16/bare/claim": 400,
		"StoreNext/sqlite": 4999, "items StoreNext/sqlite": 11_000_000, "StoreNext/postgres": 4999, "items StoreNext/postgres": 11_000_000,
		"StoreLedger/pawl/store": 100, "StoreLedger/tessera/posix-64": 200, "StoreLedger/tessera/posix-256": 100,
		"StoreVerify/pawl/verify": 1000, "StoreVerify/sha256/export": 500, "StoreProof/pawl/store": 1000, "StoreProof/tlog/memory": 100,
	}
}

func TestBars(t *testing.T) {
	r := kept().read(t)
	for _, b := range bars {
		if a := b.measure(r); !a.known || !a.met {
			t.Errorf("%s: %+v, want met", b.promise, a)
		}
	}
	// Each change breaks one bar and no other.
	for _, x := range []struct {
		name  string
		value int
		bar   string
	}{
		{"allocs Decide/pawl/reused", 1, "reused Decision: no allocation"},
		{"Decide/pawl/fresh", 301, "fresh Decision: at most 300 ns"},
		{"allocs Decide/pawl/fresh", 4, "at most 3 allocations"},
		{"Decide/cel-go/one/optimize", 499, "than cel-go"},
		{"Decide/cel-go/rules/optimize", 499, "against cel-go for the rules"},
		{"Decide/expr/one/map", 499, "than expr"},
		{"Decide/expr/rules/map", 499, "against expr for the rules"},
		{"Decide/cedar-go/long", 999, "cedar-go"},
		{"Decide/opa/parsed", 9999, "OPA, prepared"},
		{"Decide/pawl/cel", 1501, "three CEL rules"},
		{"JSON/if/struct", 1999, "into a struct"},
		{"JSON/opa/value", 19_999, "from JSON: at least 10"},
		{"Stream/pawl", 1499, "lines/s"},
		{"peak StreamBig/pawl", 100_000_000, "1 GB"},
		{"Stream/replay", 3001, "replay of two policies"},
		{"Case/pipeline", 19_999, "case gate"},
		{"Scan/pawl/files", 336_000_000, "of Markdown"},
		{"ScanAdversary/prefixes/1MiB", 10_500_000, "of prefixes"},
		{"slowest ScanByte", 100_000_000, "of prefixes"},
		{"StoreSubmitSQLite64/bare/group", 349, "64 clients"},
		{"StoreSubmitSQLite1/pawl/submit", 1001, "1 client"},
		{"StoreSubmitPostgres32/bare/insert", 399, "32 clients"},
		{"StoreSubmitPostgres32/river/insert", 1499, "River"},
		{"StoreReviewPostgres16/pawl/next+approve", 1001, "16 reviewers"},
		{"StoreNext/sqlite", 5000, "the next of"},
		{"StoreNext/postgres", 5000, "the same, Postgres"},
		{"StoreLedger/tessera/posix-64", 99, "256 producers"},
		{"StoreVerify/sha256/export", 499, "verification"},
		{"StoreProof/pawl/store", 1001, "inclusion proof"},
	} {
		w := kept()
		w[x.name] = x.value
		r := w.read(t)
		for _, b := range bars {
			a := b.measure(r)
			if met := !strings.Contains(b.promise, x.bar); a.met != met {
				t.Errorf("%s = %d: %s: %+v, want met: %t", x.name, x.value, b.promise, a, met)
			}
		}
	}
}

func TestBarsNotMeasured(t *testing.T) {
	text := raw{"Decide/pawl/reused": 50}.read(t).report()
	if n := strings.Count(text, "not measured"); n != len(bars)-2 {
		t.Errorf("%d bars not measured, want all but two:\n%s", n, text)
	}
}

func TestCaseTable(t *testing.T) {
	text := raw{"Case/pipeline": 25_000}.read(t).report()
	for _, want := range []string{"| 25000 cases/s | met |", "| pipeline | 40000 ns ±", "| 25000 | 7 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestNextCountsInABigStoreOnly(t *testing.T) {
	w := kept()
	w["items StoreNext/sqlite"] = 11_000_000 - 1
	if a := nextBelow("StoreNext/sqlite", 5000)(w.read(t)); a.known {
		t.Errorf("got %+v of a store that is too small", a)
	}
}

func TestStoreTable(t *testing.T) {
	text := raw{"StoreVerify/pawl/verify": 25_000}.read(t).report()
	if want := "| 40000 |"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestBetween(t *testing.T) {
	page := "# Title\n" + beginMark + "\nold\n" + endMark + "\nend\n"
	for range 2 { // a second time over what the first has written
		var err error
		if page, err = between(page, "new\n"); err != nil {
			t.Fatal(err)
		}
	}
	if want := "# Title\n" + beginMark + "\n\nnew\n\n" + endMark + "\nend\n"; page != want {
		t.Errorf("got %q, want %q", page, want)
	}
	if _, err := between("# Title\n", "new\n"); err == nil {
		t.Error("a page without marks was accepted")
	}
}

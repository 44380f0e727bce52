// Command vectorgen writes the generated vectors: the families of cases that
// are too many, or too exact, to be written by hand.
//
// What a vector expects comes from this program's own plain statement of the
// contracts (contract.go, promotion.go, tripwire.go, snapshot.go) and never
// from the gates, which it doesn't import: a gate that is wrong must not teach
// its vectors.
//
//	go run ./internal/vectorgen -o vectors
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// families are the generated files by folder and topic.
var families = []struct {
	folder, topic string
	make          func() []byte
}{
	{"threshold/core", "bounds", file(bounds)},
	{"threshold/core", "verdicts", file(verdicts)},
	{"threshold/core", "combine", file(combines)},
	{"threshold/core", "shapes", file(shapes)},
	{"threshold/core", "types", file(types)},
	{"threshold/core", "faults", file(faults)},
	{"threshold/core", "limits", file(limits)},
	{"threshold/cel", "comparisons", file(comparisons)},
	{"threshold/cel", "arithmetic", file(arithmetic)},
	{"threshold/cel", "wrapped", file(wrapped)},
	{"threshold/cel", "logic", file(logic)},
	{"promotion/decide", "guards", file(guards)},
	{"promotion/decide", "oddities", file(oddities)},
	{"promotion/tripwire", "floor", file(floor)},
	{"promotion/tripwire", "evasions", file(evasions)},
	{"promotion/snapshot", "digests", file(digests)},
}

// file makes a file's text of a family.
func file[V interface{ json() string }](family func() []V) func() []byte {
	return func() []byte { return appendVectors(nil, family()) }
}

func main() {
	dir := flag.String("o", "vectors", "the `DIR` to write to")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "vectorgen:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	for _, f := range families {
		name := filepath.Join(dir, filepath.FromSlash(f.folder), "generated_"+f.topic+".json")
		if err := os.WriteFile(name, f.make(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Command vectorgen writes the generated vectors of the threshold gate: the
// families of cases that are too many, or too exact, to be written by hand.
//
// What a vector expects comes from this program's own plain statement of the
// contract (contract.go) and never from the gate, which it doesn't import: a
// gate that is wrong must not teach its vectors.
//
//	go run ./internal/vectorgen -o vectors/threshold
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// families are the generated files by corpus and topic.
var families = []struct {
	corpus, topic string
	make          func() []vector
}{
	{"core", "bounds", bounds},
	{"core", "verdicts", verdicts},
	{"core", "combine", combines},
	{"core", "shapes", shapes},
	{"core", "types", types},
	{"core", "faults", faults},
	{"core", "limits", limits},
	{"cel", "comparisons", comparisons},
	{"cel", "arithmetic", arithmetic},
	{"cel", "wrapped", wrapped},
	{"cel", "logic", logic},
}

func main() {
	dir := flag.String("o", filepath.Join("vectors", "threshold"), "the `DIR` to write to")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "vectorgen:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	for _, f := range families {
		file := filepath.Join(dir, f.corpus, "generated_"+f.topic+".json")
		if err := os.WriteFile(file, appendVectors(nil, f.make()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"fmt"
	"strings"
)

// The units of the raw results.
const (
	nsPerOp     = "ns/op"
	allocsPerOp = "allocs/op"
	linesPerSec = "lines/s"
	peakBytesOf = "peak-RSS-bytes"
	casesPerSec = "cases/s"

	corpusBytes = 64 << 20 // of the Markdown that is scanned, see scan.go
)

// forms are the two inputs of every micro benchmark.
var forms = []string{"clear", "mixed"}

// bar is a promise about speed or memory.
type bar struct {
	promise string
	measure func(*results) answer
}

// answer says what was measured and whether it keeps the promise.
type answer struct {
	known bool
	met   bool
	text  string
}

// bars are the promises, in the order of the report. Where a peer has several
// variants its fastest one counts, and of the two inputs the worse for us.
var bars = append([]bar{
	{"reused Decision: at most 100 ns", atMost("Decide/pawl/reused", nsPerOp, 100, nanoseconds)},
	{"reused Decision: no allocation", atMost("Decide/pawl/reused", allocsPerOp, 0, count)},
	{"fresh Decision: at most 300 ns", atMost("Decide/pawl/fresh", nsPerOp, 300, nanoseconds)},
	{"fresh Decision: at most 3 allocations", atMost("Decide/pawl/fresh", allocsPerOp, 3, count)},
	{"reused, at least 5 times faster than cel-go", faster("Decide/pawl/reused", "Decide/cel-go/one/", 5)},
	{"the same against cel-go for the rules alone, the bands by hand in Go", faster("Decide/pawl/reused", "Decide/cel-go/rules/", 5)},
	{"reused, at least 5 times faster than expr", faster("Decide/pawl/reused", "Decide/expr/one/", 5)},
	{"the same against expr for the rules alone, the bands by hand in Go", faster("Decide/pawl/reused", "Decide/expr/rules/", 5)},
	{"reused, at least 10 times faster than cedar-go", faster("Decide/pawl/reused", "Decide/cedar-go/", 10)},
	{"reused, at least 100 times faster than OPA, prepared", faster("Decide/pawl/reused", "Decide/opa/", 100)},
	{"three CEL rules: at most 1.5 times cel-go's time, same options and cost limit", slower("Decide/pawl/cel", "Decide/cel-go/rules/limit", 1.5)},
	{"from JSON: at most 1.0 times encoding/json into a struct and if", slower("JSON/pawl/fixture", "JSON/if/struct", 1)},
	{"from JSON: at least 10 times faster than OPA", faster("JSON/pawl/fixture", "JSON/opa/", 10)},
	{"stream: at least 1.5 times the lines/s of encoding/json alone", streamRatio(1.5)},
	{"replay of two policies: at most 1.5 times deciding under one and then under the other", replayRatio(1.5)},
	{"stream of 1 GB: less than 100 MB of memory", bigPeak(100e6)},
	{"case gate, JSONL to JSONL: at least 20,000 cases a second on one core", caseSpeed(20_000)},
	{"scan of 64 MiB of Markdown, all passes: at least 200 MB/s on one core", scanSpeed(200)},
	{"scan of prefixes of tokens, and of one repeated byte: at least 0.5 times that speed", scanAdversary(0.5)},
}, storeBars...)

// atMost holds one benchmark to an absolute bound.
func atMost(name, unit string, bound float64, show func(float64) string) func(*results) answer {
	return func(r *results) answer {
		return worst(func(form string) (float64, string, bool) {
			v, ok := r.median(name+"/"+form, unit)
			return v / max(bound, 1e-12), fmt.Sprintf("%s (%s)", show(v), form), ok
		}, bound == 0)
	}
}

// faster says that ours must take at most a factor-th of the time of the
// fastest benchmark with that prefix.
func faster(ours, peers string, factor float64) func(*results) answer {
	return func(r *results) answer {
		return worst(func(form string) (float64, string, bool) {
			ratio, against, ok := r.against(ours, peers, form)
			return factor * ratio, fmt.Sprintf("%.1f× (%s, %s)", 1/ratio, form, against), ok
		}, false)
	}
}

// slower says that ours may take up to factor times the time of the fastest
// benchmark with that prefix.
func slower(ours, peers string, factor float64) func(*results) answer {
	return func(r *results) answer {
		return worst(func(form string) (float64, string, bool) {
			ratio, against, ok := r.against(ours, peers, form)
			return ratio / factor, fmt.Sprintf("%.2f× (%s, %s)", ratio, form, against), ok
		}, false)
	}
}

// against is our time divided by that of the fastest of the peers.
func (r *results) against(ours, peers, form string) (ratio float64, name string, ok bool) {
	mine, ok := r.median(ours+"/"+form, nsPerOp)
	if !ok {
		return 0, "", false
	}
	name, theirs, ok := r.fastest(peers, "/"+form)
	_, short, _ := strings.Cut(strings.TrimSuffix(name, "/"+form), "/")
	return mine / theirs, short, ok
}

// worst takes the input on which the promise is furthest from kept: load is 1
// where it is just kept, more where it is broken. With zero, only 0 keeps it.
func worst(of func(form string) (load float64, text string, ok bool), zero bool) answer {
	a := answer{known: true}
	top := -1.0
	for _, form := range forms {
		load, text, ok := of(form)
		if !ok {
			return answer{}
		}
		if load > top {
			top, a.text = load, text
		}
	}
	a.met = top <= 1 && (!zero || top == 0)
	return a
}

func streamRatio(least float64) func(*results) answer {
	return func(r *results) answer {
		ours, ok := r.median("Stream/pawl", linesPerSec)
		theirs, also := r.median("Stream/plainjson", linesPerSec)
		if !ok || !also {
			return answer{}
		}
		return answer{true, ours/theirs >= least, fmt.Sprintf("%.2f×", ours/theirs)}
	}
}

func replayRatio(most float64) func(*results) answer {
	return func(r *results) answer {
		ours, ok := r.median("Stream/replay", nsPerOp)
		old, okOld := r.median("Stream/count-old", nsPerOp)
		new, okNew := r.median("Stream/count-new", nsPerOp)
		if !ok || !okOld || !okNew {
			return answer{}
		}
		ratio := ours / (old + new)
		return answer{true, ratio <= most, fmt.Sprintf("%.2f×", ratio)}
	}
}

func bigPeak(below float64) func(*results) answer {
	return func(r *results) answer {
		peak, ok := r.median("StreamBig/pawl", peakBytesOf)
		return answer{ok, peak < below, megabytes(peak)}
	}
}

func caseSpeed(least float64) func(*results) answer {
	return func(r *results) answer {
		speed, ok := r.median(casePrefix+"pipeline", casesPerSec)
		return answer{ok, speed >= least, fmt.Sprintf("%.0f cases/s", speed)}
	}
}

// markdownSpeed is how many bytes a second are scanned of the Markdown.
func markdownSpeed(r *results) (float64, bool) {
	ns, ok := r.median("Scan/pawl/files", nsPerOp)
	return corpusBytes / ns * 1e9, ok
}

func scanSpeed(least float64) func(*results) answer {
	return func(r *results) answer {
		speed, ok := markdownSpeed(r)
		return answer{ok, speed >= least*1e6, fmt.Sprintf("%.0f MB/s", speed/1e6)}
	}
}

func scanAdversary(least float64) func(*results) answer {
	return func(r *results) answer {
		base, ok := markdownSpeed(r)
		prefixes, okPrefixes := r.median("ScanAdversary/prefixes/1MiB", nsPerOp)
		slowest, okByte := r.median("ScanByte", "slowest-bytes/s")
		if !ok || !okPrefixes || !okByte {
			return answer{}
		}
		name, worst := "prefixes", (1<<20)/prefixes*1e9
		if slowest < worst {
			name, worst = "one byte", slowest
		}
		return answer{true, worst >= least*base, fmt.Sprintf("%.2f× (%s)", worst/base, name)}
	}
}

func nanoseconds(ns float64) string { return fmt.Sprintf("%s ns", digits(ns)) }

func count(n float64) string { return fmt.Sprintf("%g", n) }

func megabytes(b float64) string { return fmt.Sprintf("%.1f MB", b/1e6) }

// digits shows three digits of small numbers and all of the large ones.
func digits(n float64) string {
	switch {
	case n < 10:
		return fmt.Sprintf("%.2f", n)
	case n < 100:
		return fmt.Sprintf("%.1f", n)
	default:
		return fmt.Sprintf("%.0f", n)
	}
}

// Command report runs all benchmarks, keeps what they print in a file that
// benchstat reads too, and prints medians and which bars are met.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

type config struct {
	rounds    int
	benchtime string
	only      string
	lines     int64
	big       bool
	results   string
	from      string
	write     bool
}

func main() {
	var c config
	flag.IntVar(&c.rounds, "count", 6, "how many `times` each benchmark runs; the stream runs once less, at least 5 times")
	flag.StringVar(&c.benchtime, "benchtime", "500ms", "how `long` each run of a benchmark lasts")
	flag.StringVar(&c.only, "only", "all", "all, micro (no stream) or stream")
	flag.Int64Var(&c.lines, "lines", 1_000_000, "`lines` of the stream")
	flag.BoolVar(&c.big, "big", false, "also decide a file of 1 GB, for the peak of memory")
	flag.StringVar(&c.results, "results", "results.txt", "the `file` for the raw results")
	flag.StringVar(&c.from, "from", "", "measure nothing, report a `file` of raw results")
	flag.BoolVar(&c.write, "write", false, "put the report into README.md, between its two markers; implies -big")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, c); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, c config) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	file := c.from
	if file == "" {
		file = c.results
		if err := measure(ctx, c); err != nil {
			return err
		}
	}
	r, err := readResults(file)
	if err != nil {
		return err
	}
	text := r.report()
	fmt.Print(text)
	if c.write {
		return writeReadme("README.md", text)
	}
	return nil
}

// measure runs what was asked for into the file of raw results.
func measure(ctx context.Context, c config) (err error) {
	switch {
	case c.rounds < 5:
		return errors.New("-count must be at least 5: a median of fewer says little")
	case c.only != "all" && c.only != "micro" && c.only != "stream":
		return fmt.Errorf("-only %s: want all, micro or stream", c.only)
	case c.write && c.only != "all":
		return errors.New("-write is for a run of everything")
	}
	dir, err := os.MkdirTemp("", "pawl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	out, err := os.Create(c.results)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := writeMachine(out); err != nil {
		return err
	}
	if c.only != "stream" {
		if err := micro(ctx, dir, out, c); err != nil {
			return err
		}
	}
	if c.only != "micro" {
		return stream(ctx, dir, out, c)
	}
	return nil
}

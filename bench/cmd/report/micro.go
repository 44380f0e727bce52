package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// micro builds the benchmarks once and runs all of them again in every round.
// Rounds of everything, instead of many runs of one thing after the other, let
// a busy minute of the machine spoil one run of each and not all runs of one.
func micro(ctx context.Context, dir string, out io.Writer, c config) error {
	tests := filepath.Join(dir, "bench.test")
	if err := command(ctx, "go", "test", "-c", "-o", tests, ".").Run(); err != nil {
		return fmt.Errorf("build the benchmarks: %w", err)
	}
	if err := command(ctx, tests, "-test.run=.").Run(); err != nil {
		return fmt.Errorf("a contender answers wrongly: %w", err)
	}
	for i := range c.rounds {
		progress("round %d of %d", i+1, c.rounds)
		cmd := command(ctx, tests, "-test.run=^$", "-test.bench=.", "-test.count=1", "-test.benchtime="+c.benchtime)
		cmd.Stdout = out
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
	}
	return nil
}

// command is a program whose output goes to stderr, out of the report's way.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd
}

func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/pawlgate/pawl/bench"
)

const (
	streamSeed = 1
	bigBytes   = 1_000_000_000
)

// runner is a program that goes through the whole file.
type runner struct {
	name string
	args []string
}

// stream measures pawl decide beside a program that only decodes the file, and
// a replay beside deciding under each of its policies without writing the
// decisions, taking turns, and writes what it measures in the form of Go's benchmarks.
func stream(ctx context.Context, dir string, out io.Writer, c config) error {
	if err := build(ctx, dir); err != nil {
		return err
	}
	pawl, plain, gen := filepath.Join(dir, "pawl"), filepath.Join(dir, "plainjson"), filepath.Join(dir, "genstream")
	file := filepath.Join(dir, "stream.jsonl")
	progress("writing %d lines", c.lines)
	if err := generate(ctx, gen, file, "-lines", strconv.FormatInt(c.lines, 10)); err != nil {
		return err
	}
	runners := []runner{
		{"pawl", []string{pawl, "decide", "-p", "testdata/fixture.pawl.yaml", file}},
		{"plainjson", []string{plain, file}},
		{"pawl-cel", []string{pawl, "decide", "-p", "testdata/cel.pawl.yaml", file}},
		{"count-old", []string{pawl, "decide", "--summary", "-p", "testdata/fixture.pawl.yaml", file}},
		{"count-new", []string{pawl, "decide", "--summary", "-p", "testdata/tighter.pawl.yaml", file}},
		{"replay", []string{pawl, "policy", "replay", "--old", "testdata/fixture.pawl.yaml", "--new", "testdata/tighter.pawl.yaml", file}},
	}
	for _, r := range runners {
		if r.name != "pawl" && r.name != "pawl-cel" {
			continue
		}
		progress("checking every answer of %s", r.name)
		if err := checkAnswers(ctx, r.args, c.lines); err != nil {
			return fmt.Errorf("%s answers wrongly: %w", r.name, err)
		}
	}
	for i := range max(5, c.rounds-1) {
		progress("stream, round %d", i+1)
		for j := range runners {
			r := runners[(i+j)%len(runners)] // nobody is always first
			if err := record(ctx, dir, out, "Stream/"+r.name, r, c.lines); err != nil {
				return err
			}
		}
	}
	if !c.big && !c.write {
		return nil
	}
	progress("writing and deciding 1 GB")
	if err := generate(ctx, gen, file, "-bytes", strconv.Itoa(bigBytes)); err != nil {
		return err
	}
	for _, r := range runners {
		if err := record(ctx, dir, out, "StreamBig/"+r.name, r, 0); err != nil {
			return err
		}
	}
	return nil
}

// build builds all programs that take part, as pawl is released.
func build(ctx context.Context, dir string) error {
	for _, args := range [][]string{
		{"-C", "..", "-trimpath", "-o", dir, "./cmd/pawl"},
		{"-trimpath", "-o", dir, "./cmd/plainjson", "./cmd/genstream", "./cmd/measure"},
	} {
		cmd := command(ctx, "go", append([]string{"build"}, args...)...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("build: %w", err)
		}
	}
	return nil
}

func generate(ctx context.Context, gen, file string, args ...string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	cmd := command(ctx, gen, append(args, "-seed", strconv.Itoa(streamSeed))...)
	cmd.Stdout = f
	return cmd.Run()
}

// record measures one run and writes it in the form of Go's benchmarks.
func record(ctx context.Context, dir string, out io.Writer, name string, r runner, lines int64) error {
	cmd := command(ctx, filepath.Join(dir, "measure"), r.args...)
	cmd.Stdout = nil
	answer, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	var ns, peak int64
	if _, err := fmt.Sscan(string(answer), &ns, &peak); err != nil {
		return fmt.Errorf("%s: measured %q: %w", r.name, answer, err)
	}
	speed := ""
	if lines > 0 {
		speed = fmt.Sprintf("\t%.0f lines/s", float64(lines)*1e9/float64(ns))
	}
	_, err = fmt.Fprintf(out, "Benchmark%s\t1\t%d ns/op%s\t%d peak-RSS-bytes\n", name, ns, speed, peak)
	return err
}

// checkAnswers reads what the program writes and holds the verdict of every
// line to that of the hand-written if.
func checkAnswers(ctx context.Context, args []string, lines int64) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var said bytes.Buffer // of interest only if it fails
	cmd.Stderr = &said
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	want := bench.NewStream(streamSeed)
	scanner := bufio.NewScanner(answers)
	var n int64
	for ; scanner.Scan(); n++ {
		verdict := `"verdict":"` + string(want.Next().Want) + `"`
		if n < lines && bytes.Contains(scanner.Bytes(), []byte(verdict)) {
			continue
		}
		answer := scanner.Text()
		return errors.Join(fmt.Errorf("line %d: %s, want %s", n+1, answer, verdict), cmd.Process.Kill(), cmd.Wait())
	}
	if err := errors.Join(scanner.Err(), cmd.Wait()); err != nil {
		return fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	if n != lines {
		return fmt.Errorf("%d answers to %d lines", n, lines)
	}
	return nil
}

// Command mutants proves that the vectors are worth something: it changes one
// line of the gate at a time, as mutants.txt says, and expects at least one
// vector to fail. It changes no file: the compiler is given an overlay.
//
//	go run ./internal/mutants [FILES]
//
// FILES is the beginning of the names of the files to change: promotion/ or
// threshold/decide.go. Without it all of them are.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

//go:embed mutants.txt
var list string

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutant is one change.
type mutant struct {
	name, file, before, after string
}

func run() error {
	mutants, err := parse(list)
	if err != nil {
		return err
	}
	if len(os.Args) > 1 {
		mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return !strings.HasPrefix(m.file, os.Args[1]) })
	}
	if len(mutants) == 0 {
		return errors.New("no mutant changes such a file")
	}
	dir, err := os.MkdirTemp("", "pawl-mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, m := range mutants { // all of them, before minutes go by
		if _, err := m.overlay(dir); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	unchanged := mutant{name: "the gate as it is"}
	if failed, _, err := unchanged.try(dir); err != nil || failed > 0 {
		return fmt.Errorf("%s: %d vectors fail (%w)", unchanged.name, failed, err)
	}
	survived := 0
	for i, answer := range tryAll(mutants, dir) {
		m := mutants[i]
		failed, first, err := answer()
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if failed == 0 {
			survived++
			fmt.Printf("SURVIVED  %s (%s)\n", m.name, m.file)
			continue
		}
		fmt.Printf("caught by %3d  %-62s first %s\n", failed, m.name, first)
	}
	fmt.Printf("%d mutants, %d caught, %d survived\n", len(mutants), len(mutants)-survived, survived)
	if survived > 0 {
		return errors.New("a change of the gate went unnoticed: add a vector")
	}
	return nil
}

// parse reads mutants.txt.
func parse(text string) ([]mutant, error) {
	var all []mutant
	for block := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		if strings.HasPrefix(lines[0], "#") {
			continue
		}
		if len(lines) != 4 || !strings.HasPrefix(lines[0], "== ") || !strings.HasPrefix(lines[2], "- ") || !strings.HasPrefix(lines[3], "+ ") {
			return nil, fmt.Errorf("not a mutant: %q", block)
		}
		all = append(all, mutant{lines[0][3:], lines[1], lines[2][2:], lines[3][2:]})
	}
	return all, nil
}

// tryAll tries the mutants, as many at a time as there are cores: most of the
// time one of them waits for the linker. It gives an answer for each, in order,
// which waits until it is there.
func tryAll(mutants []mutant, dir string) []func() (failed int, first string, err error) {
	free := make(chan string, runtime.NumCPU())
	for i := range cap(free) {
		free <- filepath.Join(dir, strconv.Itoa(i))
	}
	type outcome struct {
		failed int
		first  string
		err    error
	}
	outcomes := make([]chan outcome, len(mutants))
	answers := make([]func() (int, string, error), len(mutants))
	for i := range mutants {
		outcomes[i] = make(chan outcome, 1)
		answers[i] = func() (int, string, error) {
			o := <-outcomes[i]
			return o.failed, o.first, o.err
		}
	}
	go func() {
		for i, m := range mutants {
			own := <-free
			go func() {
				defer func() { free <- own }()
				var o outcome
				if o.err = os.MkdirAll(own, 0o700); o.err == nil {
					o.failed, o.first, o.err = m.try(own)
				}
				outcomes[i] <- o
			}()
		}
	}()
	return answers
}

// corpora are those that a change in a folder can fail; all, if it isn't listed.
var corpora = map[string][]string{
	"threshold": {"core", "cel"},
	"casegate":  {"case", "outputs"},
	"promotion": {"promotion", "tripwire", "snapshot"},
}

// try builds pawl with the change and returns how many vectors fail, and the
// first one.
func (m mutant) try(dir string) (failed int, first string, err error) {
	bin := filepath.Join(dir, "pawl")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", bin)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if m.file != "" {
		overlay, err := m.overlay(dir)
		if err != nil {
			return 0, "", err
		}
		build.Args = append(build.Args, "-overlay", overlay)
	}
	build.Args = append(build.Args, "./cmd/pawl")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, "", fmt.Errorf("build: %w\n%s", err, out)
	}
	run := exec.Command(bin, "vectors", "run", "-o", "json")
	folder, _, _ := strings.Cut(m.file, "/")
	for _, corpus := range corpora[folder] {
		run.Args = append(run.Args, "--corpus", corpus)
	}
	out, err := run.Output()
	var exited *exec.ExitError
	if err != nil && (!errors.As(err, &exited) || exited.ExitCode() != 1) {
		return 0, "", fmt.Errorf("run the vectors: %w", err)
	}
	if m.file != "" && len(out) == 0 {
		return 1, "all: it crashed", nil // which nobody can fail to notice
	}
	var report struct {
		Vectors []struct{ ID, Outcome string }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, "", fmt.Errorf("read the report: %w", err)
	}
	if len(report.Vectors) == 0 {
		return 0, "", errors.New("no vector was run")
	}
	for _, v := range report.Vectors {
		if v.Outcome != "failed" && v.Outcome != "broken" {
			continue
		}
		if failed == 0 {
			first = v.ID
		}
		failed++
	}
	return failed, first, nil
}

// overlay writes the changed file and the list that tells the compiler of it.
func (m mutant) overlay(dir string) (string, error) {
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	lines, found := bytes.Split(src, []byte{'\n'}), 0
	for i, line := range lines {
		if string(bytes.TrimSpace(line)) == m.before {
			lines[i] = []byte(m.after)
			found++
		}
	}
	if found != 1 {
		return "", fmt.Errorf("%s has the line %q %d times", m.file, m.before, found)
	}
	changed := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(changed, bytes.Join(lines, []byte{'\n'}), 0o600); err != nil {
		return "", err
	}
	abs, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {abs: changed}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

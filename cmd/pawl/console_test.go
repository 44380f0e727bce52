package main

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files and the console blocks of the documentation anew")

// What the documentation shows of a terminal is what a terminal shows: every
// console block of every page is run, from the root of the repository, and its
// output compared. Run with -update to write the blocks anew.
func TestConsoleBlocksOfTheDocumentation(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir() // stands for bin/, which a fresh clone doesn't have
	build := exec.Command("go", "build", "-o", bin+"/pawl", ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	blocks := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			if d != nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "testdata") {
				return filepath.SkipDir
			}
			return err
		}
		blocks += checkPage(t, root, bin, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if blocks == 0 {
		t.Error("no console block found: the README should show one")
	}
}

var consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

func checkPage(t *testing.T, root, bin, path string) (blocks int) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name, _ := filepath.Rel(root, path)
	fresh := consoleBlock.ReplaceAllFunc(page, func(block []byte) []byte {
		blocks++
		text := string(consoleBlock.FindSubmatch(block)[1])
		got := runBlock(t, root, bin, text)
		if !*update {
			if diff := cmp.Diff(text, got); diff != "" {
				t.Errorf("%s: a console block isn't what the program prints now (-page +now); go test ./cmd/pawl -run Console -update writes it anew:\n%s", name, diff)
			}
		}
		return []byte("```console\n" + got + "```")
	})
	if *update && !bytes.Equal(page, fresh) {
		if err := os.WriteFile(path, fresh, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return blocks
}

// took is the one thing in the program's output that differs from run to run.
var took = regexp.MustCompile(`(decided|decided twice) in [0-9.]+m?s`)

// runBlock runs the commands of a block (lines that begin with "$ ") and
// returns the block as it should be.
func runBlock(t *testing.T, root, bin, text string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
		if !ok {
			continue // output of before
		}
		out.WriteString("$ " + command + "\n")
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(command, "bin/", bin+"/"))
		cmd.Dir = root
		printed, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatalf("%s: %v", command, err)
		}
		out.Write(took.ReplaceAll(printed, []byte("$1 in 0.1s")))
	}
	return out.String()
}

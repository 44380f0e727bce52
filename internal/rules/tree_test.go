package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// vague are names that say nothing about what is inside.
var vague = []string{"util", "utils", "common", "helpers", "models", "types", "interfaces", "mocks", "pkg"}

// checkName judges a package by its folder and by its package clause.
func checkName(dir, clause string) []string {
	for _, part := range append(strings.Split(dir, "/"), strings.TrimSuffix(clause, "_test")) {
		if slices.Contains(vague, part) {
			return []string{fmt.Sprintf("%s: %q says nothing about what is inside; name the package after the one thing that it knows", dir, part)}
		}
	}
	return nil
}

// maxLines leaves a little room above the 400 lines that a file should have.
const maxLines = 450

// checkLength wants short files. Generated ones may be as long as they like.
func checkLength(name string, src []byte, generated bool) []string {
	n := bytes.Count(src, []byte("\n"))
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	if generated || n < maxLines {
		return nil
	}
	return []string{fmt.Sprintf("%s: %d lines, the limit is %d; it holds more than one idea, so split it", name, n, maxLines-1)}
}

// private are paths of the machine on which somebody works. They are put
// together here so that this file does not contain them.
var private = []string{".." + "/shared", "/" + "work" + "/"}

// checkPrivate looks for such paths in a file of any kind.
func checkPrivate(name string, content []byte) []string {
	var bad []string
	for i, line := range bytes.Split(content, []byte("\n")) {
		for _, p := range private {
			if bytes.Contains(line, []byte(p)) {
				bad = append(bad, fmt.Sprintf("%s:%d: refers to %s, which exists on no other machine; copy what is needed into the repository, or say it in words", name, i+1, p))
			}
		}
	}
	return bad
}

// nestedModules are the folders beside the root that have their own go.mod.
var nestedModules = []string{"tools", "bench"}

func TestCheckName(t *testing.T) {
	for _, bad := range vague {
		expect(t, bad, checkName("internal/"+bad, "fine"), bad)
		expect(t, "below "+bad, checkName(bad+"/fine", "fine"), bad)
		expect(t, "clause "+bad, checkName("fine", bad), bad)
		expect(t, "test clause "+bad, checkName("fine", bad+"_test"), bad)
	}
	for _, fine := range []string{"verdict", "internal/source", "cmd/pawl", "internal/utility", "typeset"} {
		expect(t, fine, checkName(fine, path.Base(fine)), "")
	}
}

func TestCheckLength(t *testing.T) {
	lines := func(n int) []byte { return bytes.Repeat([]byte("x\n"), n) }
	expect(t, "empty", checkLength("a.go", nil, false), "")
	expect(t, "longest", checkLength("a.go", lines(maxLines-1), false), "")
	expect(t, "too long", checkLength("a.go", lines(maxLines), false), "a.go: 450 lines")
	expect(t, "no newline at the end", checkLength("a.go", append(lines(maxLines-1), 'x'), false), "a.go: 450 lines")
	expect(t, "generated", checkLength("a.go", lines(maxLines), true), "")
}

func TestCheckPrivate(t *testing.T) {
	for _, p := range private {
		expect(t, p, checkPrivate("a.md", []byte("one\nsee "+p+"notes.md\n")), "a.md:2: refers to "+p)
		expect(t, "at the end of a binary file", checkPrivate("a.bin", []byte("\x00\xff"+p)), "a.bin:1")
	}
	expect(t, "clean", checkPrivate("a.md", []byte("shared work: it works, ./shared and network/x\n")), "")
}

func TestPackageNames(t *testing.T) {
	pkgs := repository(t)
	for _, dir := range slices.Sorted(maps.Keys(pkgs)) {
		clauses := map[string]bool{}
		for _, f := range slices.Concat(pkgs[dir].files, pkgs[dir].tests) {
			clauses[f.ast.Name.Name] = true
		}
		for clause := range clauses {
			report(t, checkName(dir, clause))
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	for _, p := range repository(t) {
		for _, f := range p.files {
			report(t, checkLength(f.name, f.src, f.generated))
		}
	}
}

func TestNoPrivatePaths(t *testing.T) {
	names := files(t)
	if len(names) < 10 {
		t.Errorf("only %d files were found; the check is nearly empty", len(names))
	}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(root(t), name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and the deletion not committed yet
		}
		if err != nil {
			t.Error(err)
			continue
		}
		report(t, checkPrivate(name, content))
	}
}

func TestModulesAreTidy(t *testing.T) {
	if testing.Short() {
		t.Skip("go mod tidy may ask the network; run without -short")
	}
	dirs := []string{"."}
	for _, dir := range nestedModules {
		if _, err := os.Stat(filepath.Join(root(t), dir, "go.mod")); err == nil {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		t.Run(dir, func(t *testing.T) {
			if out, err := tidyDiff(t, filepath.Join(root(t), dir)); err != nil {
				t.Errorf("go.mod or go.sum is not tidy, or the module proxy could not be reached (%v); run: go -C %s mod tidy\n%s", err, dir, out)
			}
		})
	}
}

// A module that needs nothing and asks for something is not tidy. No network is
// needed to find that out.
func TestTidyDiff(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "package a\n")
	write("go.mod", "module example.com/a\n\ngo 1.26.0\n")
	if out, err := tidyDiff(t, dir); err != nil {
		t.Errorf("a tidy module: %v\n%s", err, out)
	}
	write("go.mod", "module example.com/a\n\ngo 1.26.0\n\nrequire example.com/b v1.0.0\n\nreplace example.com/b => ./b\n")
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("b/go.mod", "module example.com/b\n\ngo 1.26.0\n")
	if out, err := tidyDiff(t, dir); err == nil {
		t.Errorf("a module that requires too much passed\n%s", out)
	}
}

func tidyDiff(t *testing.T, dir string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "go", "mod", "tidy", "-diff")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if lines := strings.SplitAfter(string(out), "\n"); len(lines) > 40 {
		return strings.Join(lines[:40], "") + "… and more\n", err
	}
	return string(out), err
}

package rules

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A pkg is one folder of Go files.
type pkg struct {
	fset         *token.FileSet
	files, tests []file
}

type file struct {
	name      string // relative to the root, with slashes
	src       []byte
	ast       *ast.File
	generated bool
}

// imports lists what the package's own files import, tests left out.
func (p *pkg) imports() []string {
	var all []string
	for _, f := range p.files {
		for _, spec := range f.ast.Imports {
			if imp, err := strconv.Unquote(spec.Path.Value); err == nil {
				all = append(all, imp)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// root is the folder with the module's go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !bytes.HasPrefix(mod, []byte("module "+modulePath+"\n")) {
		t.Fatalf("%s is not the root of %s: %v", dir, modulePath, err)
	}
	return dir
}

// load reads every package of the module whose root is fsys. It leaves out
// nested modules and what the go command leaves out.
func load(fsys fs.FS) (map[string]*pkg, error) {
	pkgs := map[string]*pkg{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		hidden := name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
		if d.IsDir() {
			if hidden || base == "testdata" || base == "vendor" || base == "node_modules" {
				return fs.SkipDir
			}
			if _, err := fs.Stat(fsys, path.Join(name, "go.mod")); err == nil && name != "." {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || path.Ext(name) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		p := pkgs[dir]
		if p == nil {
			p = &pkg{fset: token.NewFileSet()}
			pkgs[dir] = p
		}
		f, err := parser.ParseFile(p.fset, name, src, parser.ParseComments)
		if err != nil {
			return err
		}
		one := file{name: name, src: src, ast: f, generated: ast.IsGenerated(f)}
		if strings.HasSuffix(name, "_test.go") {
			p.tests = append(p.tests, one)
		} else {
			p.files = append(p.files, one)
		}
		return nil
	})
	return pkgs, err
}

// loaded reads this module once for all tests. Reading through os keeps the
// files in the key of go test's cache: when one changes, the rules run again.
var loaded = sync.OnceValues(func() (map[string]*pkg, error) { return load(os.DirFS("../..")) })

// repository is what the rules are applied to.
func repository(t *testing.T) map[string]*pkg {
	t.Helper()
	pkgs, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// files lists the files that are, or would be, committed, relative to the root.
// Outside a git checkout that is everything but what the Makefile builds.
func files(t *testing.T) []string {
	t.Helper()
	dir := root(t)
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
		cmd.Dir = dir
		if out, err := cmd.Output(); err == nil {
			return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		}
		// No git here, or a checkout that belongs to somebody else.
	}
	names, err := walk(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func walk(fsys fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "bin" || name == "dist" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

func asts(files []file) []*ast.File {
	var all []*ast.File
	for _, f := range files {
		all = append(all, f.ast)
	}
	return all
}

// parse reads a source that a test holds in memory.
func parse(t *testing.T, name, src string) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return fset, f
}

// expect wants exactly one violation that contains want, or none if want is "".
func expect(t *testing.T, name string, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("%s: unexpected violation: %q", name, got)
	case want != "" && (len(got) != 1 || !strings.Contains(got[0], want)):
		t.Errorf("%s: got %q, want one violation with %q", name, got, want)
	}
}

// report turns violations into test failures.
func report(t *testing.T, violations []string) {
	t.Helper()
	for _, v := range violations {
		t.Error(v)
	}
}

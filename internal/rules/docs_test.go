package rules

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// checkPackageComment wants a package comment in at least one of the files.
func checkPackageComment(dir string, files []*ast.File) []string {
	for _, f := range files {
		if f.Doc.Text() != "" {
			return nil
		}
	}
	return []string{dir + ": no package comment; say in doc.go, or above one package clause, what the package is for"}
}

// selfEvident are the methods whose meaning an interface of the standard
// library fixes. They are the ones that revive lets go, too.
var selfEvident = []string{"Error", "Unwrap", "String", "Read", "Write", "ServeHTTP", "Len", "Less", "Swap"}

// checkExported wants a comment on every exported top-level name and on every
// exported method of an exported type. One comment may speak for a whole group
// of constants or variables, not for a group of types. A directive such as
// //go:embed is no comment.
func checkExported(fset *token.FileSet, f *ast.File) []string {
	var bad []string
	want := func(id *ast.Ident, kind string, docs ...*ast.CommentGroup) {
		if !id.IsExported() {
			return
		}
		for _, d := range docs {
			if d.Text() != "" {
				return
			}
		}
		bad = append(bad, fmt.Sprintf("%s: exported %s %s has no comment; say what it means to a caller, or unexport it", fset.Position(id.Pos()), kind, id.Name))
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv == nil:
				want(d.Name, "function", d.Doc)
			case ast.IsExported(receiver(d)) && !slices.Contains(selfEvident, d.Name.Name):
				want(d.Name, "method", d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if d.Lparen.IsValid() {
						want(s.Name, "type", s.Doc, s.Comment)
					} else {
						want(s.Name, "type", d.Doc, s.Comment)
					}
				case *ast.ValueSpec:
					for _, id := range s.Names {
						want(id, d.Tok.String(), d.Doc, s.Doc, s.Comment)
					}
				}
			}
		}
	}
	return bad
}

// receiver is the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	for t := d.Recv.List[0].Type; ; {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// checkExample wants an example that go test runs: one whose output is given.
func checkExample(dir string, tests []*ast.File) []string {
	for _, ex := range doc.Examples(tests...) {
		if ex.Output != "" {
			return nil
		}
	}
	return []string{dir + ": no example that is run; write a func Example… with an // Output: comment in example_test.go"}
}

// isPublic tells whether other modules can import the package in dir.
func isPublic(dir string, files []*ast.File) bool {
	return len(files) > 0 && files[0].Name.Name != "main" && !slices.Contains(strings.Split(dir, "/"), "internal")
}

func TestCheckPackageComment(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"none", "package p", "no package comment"},
		{"detached", "// Package p is apart.\n\npackage p", "no package comment"},
		{"directive", "//go:build linux\n\npackage p", "no package comment"},
		{"attached directive", "//go:generate true\npackage p", "no package comment"},
		{"line", "// Package p does it.\npackage p", ""},
		{"block", "/*\nPackage p does it.\n*/\npackage p", ""},
	} {
		_, f := parse(t, "x.go", tt.src)
		expect(t, tt.name, checkPackageComment("p", []*ast.File{f}), tt.want)
	}
	expect(t, "no files", checkPackageComment("p", nil), "no package comment")
}

func TestCheckExported(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"function", "func F() {}", "function F"},
		{"function with a directive only", "//go:noinline\nfunc F() {}", "function F"},
		{"function with a detached comment", "// F is far away.\n\nfunc F() {}", "function F"},
		{"type", "type T int", "type T"},
		{"alias", "type T = int", "type T"},
		{"type in a group", "// Some types.\ntype (\n\tT int\n)", "type T"},
		{"constant", "const C = 1", "const C"},
		{"second of two names", "var a, B int", "var B"},
		{"variable in a group", "var (\n\t// A is fine.\n\tA int\n\n\tB int\n)", "var B"},
		{"method", "// T is one.\ntype T int\nfunc (T) M() {}", "method M"},
		{"method of a pointer", "// T is one.\ntype T int\nfunc (*T) M() {}", "method M"},
		{"method of a generic type", "// T is one.\ntype T[K, V any] struct{}\nfunc (*T[K, V]) M() {}", "method M"},

		{"with comments", "// F does.\nfunc F() {}\n// T is.\ntype T int\n// C is.\nconst C = 1", ""},
		{"a group speaks for its constants", "// The kinds.\nconst (\n\tA = iota\n\tB\n)", ""},
		{"comment behind", "var (\n\tA int // how many\n)", ""},
		{"comment inside a group of types", "type (\n\t// T is one.\n\tT int\n)", ""},
		{"unexported", "func f() {}\ntype t int\nconst c = 1\nvar v int", ""},
		{"method of an unexported type", "type t int\nfunc (t) M() {}", ""},
		{"method of a known interface", "// T is one.\ntype T int\nfunc (T) String() string { return \"\" }", ""},
	} {
		fset, f := parse(t, "x.go", "package p\n\n"+tt.src)
		expect(t, tt.name, checkExported(fset, f), tt.want)
	}
}

func TestCheckExample(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"none", `func TestX(t *testing.T) {}`, "no example that is run"},
		{"no output", `func Example() { println(1) }`, "no example that is run"},
		{"empty output", "func Example() {\n\t// Output:\n}", "no example that is run"},
		{"a comment that only resembles one", "func Example() {\n\tfmt.Println(1)\n\t// outputs: 1\n}", "no example that is run"},
		{"a method", "func (t T) Example() {\n\tfmt.Println(1)\n\t// Output: 1\n}", "no example that is run"},
		{"output", "func Example() {\n\tfmt.Println(1)\n\t// Output: 1\n}", ""},
		{"unordered output", "func ExampleF() {\n\tfmt.Println(1)\n\t// Unordered output: 1\n}", ""},
	} {
		_, f := parse(t, "x_test.go", "package p\n\n"+tt.src)
		expect(t, tt.name, checkExample("p", []*ast.File{f}), tt.want)
	}
}

func TestIsPublic(t *testing.T) {
	_, lib := parse(t, "x.go", "package p")
	_, cmd := parse(t, "x.go", "package main")
	for _, tt := range []struct {
		dir   string
		files []*ast.File
		want  bool
	}{
		{"threshold", []*ast.File{lib}, true},
		{"policy/replay", []*ast.File{lib}, true},
		{"internal/expr", []*ast.File{lib}, false},
		{"policy/internal/x", []*ast.File{lib}, false},
		{"cmd/pawl", []*ast.File{cmd}, false},
		{"examples", nil, false}, // test files only
	} {
		if got := isPublic(tt.dir, tt.files); got != tt.want {
			t.Errorf("isPublic(%q) = %v", tt.dir, got)
		}
	}
}

func TestEverythingIsExplained(t *testing.T) {
	pkgs := repository(t)
	for _, dir := range slices.Sorted(maps.Keys(pkgs)) {
		p := pkgs[dir]
		files, tests := asts(p.files), asts(p.tests)
		if len(files) > 0 {
			report(t, checkPackageComment(dir, files))
		} else {
			report(t, checkPackageComment(dir, tests))
		}
		if isPublic(dir, files) {
			report(t, checkExample(dir, tests))
		}
		for _, f := range files {
			if f.Name.Name != "main" {
				report(t, checkExported(p.fset, f))
			}
		}
	}
}

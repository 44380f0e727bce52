package rules

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"testing"
)

// ambient lists what would make the answer of a pure package depend on more
// than its arguments: by import path, the names that must not be used. No names
// means that the package must not be imported at all.
var ambient = map[string][]string{
	"time":         {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"},
	"os":           {"Getenv", "LookupEnv", "Environ", "ExpandEnv"},
	"syscall":      {"Getenv", "Environ"},
	"math/rand":    nil,
	"math/rand/v2": nil,
	"crypto/rand":  nil,
}

// checkAmbient looks for uses of ambient in one file, under whatever name the
// package was imported. A mere mention counts: a function that is stored is
// called later.
func checkAmbient(fset *token.FileSet, f *ast.File) []string {
	var bad []string
	names := map[string]string{} // name in this file → import path
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the compiler says it better
		}
		used, listed := ambient[p]
		if !listed {
			continue
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch {
		case used == nil:
			bad = append(bad, fmt.Sprintf("%s: imports %s in a pure package; take the random bytes as an argument", fset.Position(spec.Pos()), p))
		case name == ".":
			bad = append(bad, fmt.Sprintf("%s: imports %s with a dot in a pure package, which hides what is used of it; import it by name", fset.Position(spec.Pos()), p))
		case name != "_":
			names[name] = p
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		// An identifier that the parser resolved is a local thing of that name.
		x, ok := sel.X.(*ast.Ident)
		if !ok || x.Obj != nil {
			return true
		}
		if p, ok := names[x.Name]; ok && slices.Contains(ambient[p], sel.Sel.Name) {
			bad = append(bad, fmt.Sprintf("%s: uses %s.%s in a pure package; take the value as an argument", fset.Position(sel.Pos()), p, sel.Sel.Name))
		}
		return true
	})
	return bad
}

func TestCheckAmbient(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"now", `import "time"; var _ = time.Now()`, "time.Now"},
		{"stored", `import "time"; var clock = time.Now`, "time.Now"},
		{"since", `import "time"; func f(t time.Time) time.Duration { return time.Since(t) }`, "time.Since"},
		{"timer", `import "time"; func f() { <-time.After(1) }`, "time.After"},
		{"renamed", `import clock "time"; var _ = clock.Now()`, "time.Now"},
		{"dot", `import . "time"; var _ = Now()`, "with a dot"},
		{"in parentheses of a call", `import "time"; func f(g func(any)) { g(func() any { return time.Now() }) }`, "time.Now"},
		{"getenv", `import "os"; var _ = os.Getenv("A")`, "os.Getenv"},
		{"lookupenv", `import o "os"; func f() { o.LookupEnv("A") }`, "os.LookupEnv"},
		{"environ", `import "os"; var _ = os.Environ()`, "os.Environ"},
		{"expandenv", `import "os"; var _ = os.ExpandEnv("$A")`, "os.ExpandEnv"},
		{"syscall", `import "syscall"; func f() { syscall.Getenv("A") }`, "syscall.Getenv"},
		{"math/rand", `import "math/rand"; var _ = rand.Int()`, "imports math/rand in"},
		{"math/rand/v2 renamed", `import r "math/rand/v2"; var _ = r.Int()`, "imports math/rand/v2"},
		{"crypto/rand blank", `import _ "crypto/rand"`, "imports crypto/rand"},

		{"another part of time", `import "time"; const d = 5 * time.Second; func f(now time.Time) time.Time { return now.Add(d) }`, ""},
		{"another part of os", `import "os"; var _ = os.ErrNotExist`, ""},
		{"a local value named time", `func f(time interface{ Now() int }) int { return time.Now() }`, ""},
		{"a local value hides the import", `import "time"; var _ time.Time; func f() { time := c{}; time.Now() }; type c struct{}; func (c) Now() {}`, ""},
		{"another package of that name", `import "example.com/time"; var _ = time.Now()`, ""},
		{"a field of that name", `func f(x struct{ time c }) { x.time.Now() }; type c struct{}; func (c) Now() {}`, ""},
	} {
		fset, f := parse(t, "x.go", "package p; "+tt.src)
		expect(t, tt.name, checkAmbient(fset, f), tt.want)
	}
}

func TestPurePackagesTakeTheirInputsAsArguments(t *testing.T) {
	pkgs := repository(t)
	for _, dir := range slices.Sorted(maps.Keys(pkgs)) {
		if own, ok := owner(dir); !ok || !layout[own].pure {
			continue
		}
		for _, f := range pkgs[dir].files {
			report(t, checkAmbient(pkgs[dir].fset, f.ast))
		}
	}
}

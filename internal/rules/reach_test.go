package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// impure lists the packages of the standard library that a pure package must
// not reach, however many imports lie between. Nothing is excused: the
// libraries in use (cel-go, go-yaml, go-json-experiment/json) reach none of
// them. The other packages below net either import net themselves or are plain
// text handling, as net/netip and net/url are.
var impure = map[string]bool{
	"database/sql": true,
	"log":          true,
	"log/slog":     true,
	"net":          true,
	"net/http":     true,
	"os/exec":      true,
}

// A graph maps the import path of a package to the paths that it imports.
type graph map[string][]string

// checkReach tells, for one package, which impure packages it reaches and by
// which shortest way.
func checkReach(g graph, from string) []string {
	if _, ok := g[from]; !ok {
		return []string{from + ": not in the output of go list; the check would be empty"}
	}
	via := map[string]string{from: ""}
	var bad []string
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if impure[at] {
			way := at
			for p := via[at]; p != ""; p = via[p] {
				way = p + " → " + way
			}
			bad = append(bad, fmt.Sprintf("%s: is pure, but reaches %s: %s; cut that chain at its first link outside this module", from, at, way))
			continue // what lies behind it is that package's own business
		}
		for _, next := range g[at] {
			if _, seen := via[next]; !seen {
				via[next] = at
				queue = append(queue, next)
			}
		}
	}
	return bad
}

// readGraph reads the output of go list -json: one object after another.
func readGraph(r io.Reader) (graph, error) {
	g := graph{}
	for d := json.NewDecoder(r); ; {
		var p struct {
			ImportPath string
			Imports    []string
			ImportMap  map[string]string
			Error      *struct{ Err string }
		}
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return g, nil
		case err != nil:
			return nil, err
		case p.Error != nil:
			return nil, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err)
		}
		for i, imp := range p.Imports {
			if real, ok := p.ImportMap[imp]; ok { // vendored inside the standard library
				p.Imports[i] = real
			}
		}
		g[p.ImportPath] = p.Imports
	}
}

func TestCheckReach(t *testing.T) {
	g := graph{
		"direct":   {"fmt", "log"},
		"indirect": {"lib/a"},
		"lib/a":    {"lib/b"},
		"lib/b":    {"lib/a", "net/http"},
		"net/http": {"net"},
		"clean":    {"fmt", "net/url", "net/netip"},
		"fmt":      nil, "log": nil, "net": nil, "net/url": nil, "net/netip": nil,
	}
	expect(t, "direct", checkReach(g, "direct"), "direct → log")
	expect(t, "indirect", checkReach(g, "indirect"), "indirect → lib/a → lib/b → net/http")
	expect(t, "clean", checkReach(g, "clean"), "")
	expect(t, "missing", checkReach(g, "missing"), "not in the output")
	for name := range impure {
		expect(t, name, checkReach(graph{"p": {name}}, "p"), "p → "+name)
	}
}

func TestReadGraph(t *testing.T) {
	g, err := readGraph(strings.NewReader(`{"ImportPath":"a","Imports":["b","x"],"ImportMap":{"x":"vendor/x"}} {"ImportPath":"b"}`))
	if err != nil || !slices.Equal(g["a"], []string{"b", "vendor/x"}) || len(g) != 2 {
		t.Errorf("got %v, %v", g, err)
	}
	for _, broken := range []string{`{"ImportPath":`, `{"ImportPath":"a","Error":{"Err":"no such package"}}`} {
		if _, err := readGraph(strings.NewReader(broken)); err == nil {
			t.Errorf("%s: accepted", broken)
		}
	}
}

func TestPurePackagesReachNoIO(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Imports,ImportMap,Error", "./...")
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	g, err := readGraph(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}

	pkgs := repository(t)
	checked := 0
	for _, dir := range slices.Sorted(maps.Keys(pkgs)) {
		own, ok := owner(dir)
		if !ok || !layout[own].pure || len(pkgs[dir].files) == 0 {
			continue
		}
		checked++
		report(t, checkReach(g, modulePath+"/"+dir))
	}
	if checked == 0 {
		t.Error("no pure package was found; the check is empty")
	}
}

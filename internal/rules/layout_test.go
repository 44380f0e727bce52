package rules

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// modulePath is the module whose packages the rules speak of. Packages are
// named below by their folder, relative to the module's root.
const modulePath = "github.com/pawlgate/pawl"

// A layer says what one package, with the folders below it, may do.
type layer struct {
	pure    bool     // no I/O, no clock, no randomness, no environment
	stdOnly bool     // no third-party module
	any     bool     // may import every package of the module
	may     []string // otherwise: the packages of the module that it may import
}

// layout is the whole module. A package that is not listed here is a violation:
// adding one is a decision, and this is where it is written down.
var layout = map[string]layer{
	"verdict":              {pure: true, stdOnly: true},
	"threshold":            {pure: true, stdOnly: true, may: []string{"verdict"}},
	"casegate":             {pure: true, may: []string{"verdict", "internal/source"}},
	"promotion":            {pure: true, may: []string{"verdict", "internal/source"}},
	"policy":               {pure: true, may: []string{"verdict", "threshold", "casegate", "promotion", "internal/expr", "internal/source"}},
	"review":               {pure: true, may: []string{"verdict", "internal/source"}},
	"ledger":               {pure: true, may: []string{"verdict", "internal/source"}},
	"tune":                 {pure: true, may: []string{"verdict"}},
	"internal/expr":        {pure: true, may: []string{"verdict"}},
	"internal/source":      {pure: true, may: []string{"verdict"}},
	"vectors":              {pure: true, stdOnly: true},
	"internal/store":       {may: []string{"review", "ledger", "verdict"}},
	"internal/testenv":     {stdOnly: true},
	"internal/stream":      {},
	"internal/artefact":    {may: []string{"promotion", "verdict"}},
	"internal/llm":         {may: []string{"internal/source", "verdict"}},
	"internal/conformance": {may: []string{"vectors", "policy", "threshold", "casegate", "promotion", "verdict", "internal/source"}},
	"internal/opinion":     {may: []string{"casegate", "policy", "internal/llm", "verdict"}},
	"internal/evidence":    {may: []string{"promotion", "internal/source", "verdict"}},
	"internal/vectorgen":   {stdOnly: true},
	"internal/mutants":     {stdOnly: true},
	"internal/rules":       {stdOnly: true},
	"internal/app":         {may: []string{"review", "ledger", "policy", "promotion", "verdict", "internal/evidence", "internal/store", "internal/testenv"}},
	".":                    {may: []string{"internal/app", "review", "ledger", "verdict"}}, // the root package, pawl
	"cmd/pawl":             {any: true},
	"examples":             {any: true},
}

// fences keep a library, with every package below its path, in one place, so
// that there is one expression environment and one decoder to trust.
var fences = map[string]string{
	"cel.dev":                            "internal/expr",
	"github.com/google/cel-go":           "internal/expr",
	"github.com/goccy/go-yaml":           "internal/source",
	"go.yaml.in/yaml":                    "internal/source",
	"gopkg.in/yaml.v2":                   "internal/source",
	"gopkg.in/yaml.v3":                   "internal/source",
	"sigs.k8s.io/yaml":                   "internal/source",
	"github.com/go-json-experiment/json": "internal/source",
}

// owner finds the entry of layout that a folder belongs to: itself, or the
// nearest listed folder above it.
func owner(dir string) (string, bool) {
	for d := dir; ; d = path.Dir(d) {
		if d == "." && dir != "." {
			return "", false // nothing belongs to the root package but itself
		}
		if _, ok := layout[d]; ok {
			return d, true
		}
		if d == "." {
			return "", false
		}
	}
}

// under tells whether p is base or lies below it.
func under(p, base string) bool {
	return p == base || strings.HasPrefix(p, base+"/")
}

// isStd tells whether an import path belongs to the standard library: its first
// element has no dot.
func isStd(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}

// checkImports judges the direct imports of one package by layout, fences and
// impure.
func checkImports(dir string, imports []string) []string {
	own, ok := owner(dir)
	if !ok {
		return []string{fmt.Sprintf("%s: not in the layout; add a row to layout in internal/rules/layout_test.go saying whether it is pure and what it may import, and a row to CONTRIBUTING.md", dir)}
	}
	l := layout[own]
	var bad []string
	for _, imp := range imports {
		switch rel, in := strings.CutPrefix(imp, modulePath+"/"); {
		case in:
			target, ok := owner(rel)
			if ok && (l.any || target == own || slices.Contains(l.may, target)) {
				continue
			}
			bad = append(bad, fmt.Sprintf("%s: imports %s, but may import only %s; move the code, or hand the value over as an argument or a closure", dir, rel, list(l.may)))
		case imp == modulePath && (l.any || own == "."):
		case imp == modulePath:
			bad = append(bad, fmt.Sprintf("%s: imports the module's root package, which stands on top of everything else; turn the import around", dir))
		case isStd(imp):
			if l.pure && impure[imp] {
				bad = append(bad, fmt.Sprintf("%s: is pure, but imports %s; take the data as an argument and leave the I/O to the caller", dir, imp))
			}
		default:
			if l.stdOnly {
				bad = append(bad, fmt.Sprintf("%s: imports %s, but may use only the standard library; do it by hand or move it to another package", dir, imp))
			}
			for lib, place := range fences {
				if under(imp, lib) && own != place {
					bad = append(bad, fmt.Sprintf("%s: imports %s, which only %s may; call %s instead", dir, imp, place, place))
				}
			}
		}
	}
	return bad
}

func list(s []string) string {
	if len(s) == 0 {
		return "no package of this module"
	}
	return strings.Join(s, ", ")
}

func TestCheckImports(t *testing.T) {
	const m = modulePath + "/"
	for _, tt := range []struct {
		dir, imp string
		want     string // part of the violation; "" for none
	}{
		{"verdict", "strings", ""},
		{"verdict", "net/netip", ""},
		{"verdict", m + "threshold", "no package of this module"},
		{"verdict", "github.com/google/go-cmp/cmp", "only the standard library"},
		{"threshold", m + "verdict", ""},
		{"threshold", m + "policy", "may import only verdict"},
		{"threshold", m + "internal/expr", "may import only verdict"},
		{"threshold", "golang.org/x/exp/maps", "only the standard library"},
		{"threshold", "os/exec", "is pure"},
		{"casegate", m + "internal/source", ""},
		{"casegate", m + "internal/expr", "may import only"},
		{"casegate", m + "threshold", "may import only"},
		{"promotion", m + "casegate", "may import only"},
		{"policy", m + "threshold", ""},
		{"policy", m + "casegate", ""},
		{"policy", m + "promotion", ""},
		{"policy", m + "internal/expr", ""},
		{"policy", m + "internal/source", ""},
		{"policy", m + "policy/replay", ""},
		{"policy", m + "tune", "may import only"},
		{"policy", m + "cmd/pawl", "may import only"},
		{"policy", modulePath, "root package"},
		{"policy", "cel.dev/cel-go/cel", "only internal/expr may"},
		{"policy", "github.com/goccy/go-yaml/ast", "only internal/source may"},
		{"policy/replay", "net/http", "is pure"},
		{"policy/replay", "gopkg.in/yaml.v3", "only internal/source may"},
		{"review", m + "threshold", "may import only verdict, internal/source"},
		{"ledger", m + "casegate", "may import only verdict, internal/source"},
		{"tune", m + "promotion", "may import only verdict"},
		{"tune", m + "verdict", ""},
		{"internal/expr", "cel.dev/cel-go/common/ast", ""},
		{"internal/expr", "cel.devious/x", ""},
		{"internal/expr", "github.com/goccy/go-yaml", "only internal/source may"},
		{"internal/expr", m + "threshold", "may import only verdict"},
		{"internal/expr", m + "policy", "may import only verdict"},
		{"internal/source", "github.com/goccy/go-yaml", ""},
		{"internal/source", "github.com/go-json-experiment/json/jsontext", ""},
		{"internal/source", "cel.dev/cel-go/cel", "only internal/expr may"},
		{"internal/source", m + "policy", "may import only verdict"},
		{"internal/source", "log/slog", "is pure"},
		{"cmd/pawl", m + "policy", ""},
		{"cmd/pawl", "net/http", ""},
		{"cmd/pawl", "cel.dev/cel-go/cel", "only internal/expr may"},
		{"cmd/pawl", "github.com/go-json-experiment/json", "only internal/source may"},
		{"cmd/pawl", m + "nowhere", "imports nowhere"},
		{"nowhere", "strings", "not in the layout"},
		{"internal/nowhere", "strings", "not in the layout"},
	} {
		got := checkImports(tt.dir, []string{tt.imp})
		expect(t, tt.dir+" imports "+tt.imp, got, tt.want)
	}
}

// A misspelled entry in a table would never match anything.
func TestLayoutIsConsistent(t *testing.T) {
	for dir, l := range layout {
		for _, m := range l.may {
			target, ok := layout[m]
			if !ok {
				t.Errorf("layout[%q] may import %q, which has no entry", dir, m)
			}
			if l.pure && !target.pure {
				t.Errorf("layout[%q] is pure and may import %q, which is not", dir, m)
			}
			if l.stdOnly && !target.stdOnly {
				t.Errorf("layout[%q] is limited to the standard library and may import %q, which is not", dir, m)
			}
		}
	}
	for lib, place := range fences {
		if _, ok := layout[place]; !ok {
			t.Errorf("fences[%q] names %q, which has no entry in layout", lib, place)
		}
	}
}

// The imports are read from the files, whatever their build constraints, and
// not from go list, which sees one platform only.
func TestImportDirections(t *testing.T) {
	pkgs := repository(t)
	for _, dir := range slices.Sorted(maps.Keys(pkgs)) {
		report(t, checkImports(dir, pkgs[dir].imports()))
	}
}

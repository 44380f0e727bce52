package vectors_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/conformance"
	"github.com/pawlgate/pawl/vectors"
)

func loadCases(t *testing.T) ([]vectors.CaseVector, []vectors.OutputVector) {
	t.Helper()
	cases, err := vectors.Cases()
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := vectors.OutputsFromElsewhere()
	if err != nil {
		t.Fatal(err)
	}
	return cases, outputs
}

func TestTheCaseGatePassesEveryVector(t *testing.T) {
	cases, outputs := loadCases(t)
	if n := len(cases) + len(outputs); n < 150 {
		t.Errorf("%d vectors", n)
	}
	items, err := conformance.CaseItems(cases)
	if err != nil {
		t.Fatal(err)
	}
	more, err := conformance.OutputItems(outputs)
	if err != nil {
		t.Fatal(err)
	}
	err = conformance.Run(t.Context(), append(items, more...), &conformance.Gate{}, func(r conformance.Result) {
		if r.Outcome != conformance.Passed {
			t.Errorf("%s: %s: %s\nit said %s", r.ID, r.Outcome, strings.Join(r.Wrong, "; "), r.Said)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Each category and each block is expected alone and beside each other one, and
// no name stands twice.
func TestCaseVectorsCoverTheCategories(t *testing.T) {
	cases, outputs := loadCases(t)
	seen, alone, pairs := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, v := range cases {
		if seen[v.ID()] {
			t.Errorf("%s: two vectors have this name", v.ID())
		}
		seen[v.ID()] = true
		if (v.Case == nil) == (v.CaseText == nil) {
			t.Errorf("%s: needs one of case, caseText", v.ID())
		}
		switch len(v.Expect.Blocks) {
		case 1:
			alone[v.Expect.Blocks[0]] = true
		case 2:
			pairs[strings.Join(v.Expect.Blocks, " ")] = true
		}
	}
	if len(alone) != 6 || len(pairs) != 15 {
		t.Errorf("%d blocks alone, %d pairs", len(alone), len(pairs))
	}
	consistent := map[bool]int{}
	for _, v := range outputs {
		if seen[v.ID()] {
			t.Errorf("%s: two vectors have this name", v.ID())
		}
		seen[v.ID()] = true
		consistent[v.Expect.Consistent]++
	}
	if consistent[true] == 0 || consistent[false] == 0 {
		t.Errorf("consistent: %v", consistent)
	}
}

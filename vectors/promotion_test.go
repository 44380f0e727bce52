package vectors_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/conformance"
	"github.com/pawlgate/pawl/vectors"
)

// loaded returns vectors and their items.
func loaded[V any](t *testing.T, read func() ([]V, error), items func([]V) ([]conformance.Item, error)) ([]V, []conformance.Item) {
	t.Helper()
	all, err := read()
	if err != nil {
		t.Fatal(err)
	}
	list, err := items(all)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, item := range list {
		if seen[item.ID] {
			t.Errorf("%s: two vectors have this name", item.ID)
		}
		seen[item.ID] = true
	}
	return all, list
}

func passAll(t *testing.T, items []conformance.Item) {
	t.Helper()
	err := conformance.Run(t.Context(), items, &conformance.Gate{}, func(r conformance.Result) {
		if r.Outcome != conformance.Passed {
			t.Errorf("%s: %s: %s\nit said %s", r.ID, r.Outcome, strings.Join(r.Wrong, "; "), r.Said)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestThePromotionGatePassesEveryVector(t *testing.T) {
	_, items := loaded(t, vectors.Promotions, conformance.PromotionItems)
	if len(items) < 1000 {
		t.Errorf("%d vectors", len(items))
	}
	passAll(t, items)
}

// What is expected is whole, and each terminal and each guard, first and later,
// is expected by some vector.
func TestPromotionVectorsCoverTheGuards(t *testing.T) {
	all, _ := loaded(t, vectors.Promotions, conformance.PromotionItems)
	count := map[string]int{}
	for _, v := range all {
		if (v.Inputs == nil) == (v.InputsText == nil) {
			t.Errorf("%s: needs one of inputs, inputsText", v.ID())
		}
		if (v.Expect.Guard == nil) != (v.Expect.Terminal == "auto_promote") {
			t.Errorf("%s: %s by a guard %v", v.ID(), v.Expect.Terminal, v.Expect.Guard)
		}
		count[v.Expect.Terminal]++
		if v.Expect.Guard != nil {
			count["first "+*v.Expect.Guard]++
		}
		for _, g := range v.Expect.Others {
			count["then "+g]++
		}
		if v.Expect.Malformed {
			count["malformed"]++
		}
	}
	for _, what := range []string{
		"auto_promote", "candidate_only", "needs_human", "malformed",
		"first tripwire", "first irreversible_tool", "first statistics", "first concurrence", "first oracle", "first gate2", "first gate4",
		"then irreversible_tool", "then statistics", "then concurrence", "then oracle", "then gate2", "then gate4",
	} {
		if count[what] == 0 {
			t.Errorf("no vector expects %s", what)
		}
	}
}

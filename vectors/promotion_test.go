package vectors_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pawlgate/pawl/internal/conformance"
	"github.com/pawlgate/pawl/promotion"
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

func TestTheTripwirePassesEveryVector(t *testing.T) {
	_, items := loaded(t, vectors.Tripwires, conformance.TripwireItems)
	if len(items) < 800 {
		t.Errorf("%d vectors", len(items))
	}
	passAll(t, items)
}

func TestSnapshotsPassEveryVector(t *testing.T) {
	_, items := loaded(t, vectors.Snapshots, conformance.SnapshotItems)
	if len(items) < 50 {
		t.Errorf("%d vectors", len(items))
	}
	passAll(t, items)
}

// The vectors have each token that is compiled in, and no other.
func TestEveryTokenOfTheFloorIsPinned(t *testing.T) {
	all, _ := loaded(t, vectors.Tripwires, conformance.TripwireItems)
	pinned := map[string]string{}
	for _, v := range all {
		if v.File != "promotion/tripwire/generated_floor.json" {
			continue
		}
		files := map[string]bool{}
		for _, r := range v.Expect.Reasons {
			pinned[*r.Token] = r.Kind
			files[*r.File] = true
		}
		if len(files) != 5 {
			t.Errorf("%s: expected in %d files, not in 5", v.ID(), len(files))
		}
	}
	for _, token := range promotion.Floor() {
		if pinned[token.Text] != string(token.Kind) {
			t.Errorf("the floor's %s %q is not in internal/vectorgen/floor.txt, or is %q there", token.Kind, token.Text, pinned[token.Text])
		}
		delete(pinned, token.Text)
	}
	for text := range pinned {
		t.Errorf("%q is in internal/vectorgen/floor.txt and not in the floor", text)
	}
}

// Each kind that a list of files can show is expected by a vector, and each
// thing that hides a token by three tokens or more.
func TestTripwireVectorsCoverTheContract(t *testing.T) {
	all, _ := loaded(t, vectors.Tripwires, conformance.TripwireItems)
	kinds, ways, clean := map[string]bool{}, map[string]map[string]bool{}, 0
	for _, v := range all {
		if v.Expect.Exact && len(v.Expect.Reasons) == 0 {
			clean++
		}
		if v.Expect.Escalate != nil && *v.Expect.Escalate != (len(v.Expect.Reasons) > 0 || v.Expect.Invalid) {
			t.Errorf("%s: escalate is %t with %d reasons", v.ID(), *v.Expect.Escalate, len(v.Expect.Reasons))
		}
		for _, r := range v.Expect.Reasons {
			kinds[r.Kind] = true
			if r.Via != nil && r.Token != nil {
				if ways[*r.Via] == nil {
					ways[*r.Via] = map[string]bool{}
				}
				ways[*r.Via][*r.Token] = true
			}
		}
	}
	if clean < 40 {
		t.Errorf("%d vectors in which nothing may be found", clean)
	}
	for _, k := range promotion.Kinds() {
		// What couldn't be read, and a scan that failed, is no list of files.
		if !kinds[string(k)] && k != promotion.KindUnread && k != promotion.KindScanFailed {
			t.Errorf("no vector expects %s", k)
		}
	}
	for _, via := range []string{"", "normalised", "joined", "base64", "hex", "percent", "base64+base64", "hex+base64", "base64+hex", "percent+base64", "base64+percent", "hex+hex", "percent+percent"} {
		if len(ways[via]) < 3 {
			t.Errorf("via %q: %d tokens", via, len(ways[via]))
		}
	}
}

func TestPromotionFilesMatchTheSchema(t *testing.T) {
	schema := schemaOf(t, "promotion/schema.json")
	files, err := fs.Glob(vectors.FS, "promotion/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if err := schema.Validate(jsonFile(t, file)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, bad := range []string{
		`[]`, `[{}]`, `[{"name": "x", "expect": {"terminal": "auto_promote", "guard": null, "others": []}}]`,
		`[{"name": "x", "inputs": {}, "expect": {"terminal": "promoted", "guard": null, "others": []}}]`,
		`[{"name": "x", "files": [], "expect": {"digest": "9f86"}}]`,
		`[{"name": "x", "files": [{"path": "a", "text": "", "link": "b"}], "expect": {"digest": null}}]`,
		`[{"name": "x", "files": [], "expect": {"escalate": true, "reasons": [{"kind": "suspicious"}]}}]`,
		`[{"name": "x", "files": [], "expect": {"digest": null}}, {"name": "y", "inputs": {}, "expect": {"terminal": "auto_promote", "guard": null, "others": []}}]`,
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(doc) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}
}

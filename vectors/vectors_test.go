package vectors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pawlgate/pawl/internal/conformance"
	"github.com/pawlgate/pawl/vectors"
)

func load(t *testing.T, corpora ...string) []vectors.Vector {
	t.Helper()
	all, err := vectors.Threshold(corpora...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheGatePassesEveryVector(t *testing.T) {
	var g conformance.Gate
	items, err := conformance.Items(load(t))
	if err != nil {
		t.Fatal(err)
	}
	err = conformance.Run(context.Background(), items, &g, func(r conformance.Result) {
		if r.Outcome != conformance.Passed {
			t.Errorf("%s: %s: %s\nit said %s", r.ID, r.Outcome, strings.Join(r.Wrong, "; "), r.Said)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestThereAreEnoughVectors(t *testing.T) {
	if n := len(load(t)); n < 300 {
		t.Errorf("%d vectors", n)
	}
	if n := len(load(t, vectors.Core)); n < 200 {
		t.Errorf("%d vectors for every language", n)
	}
	if _, err := vectors.Threshold("nothing"); err == nil {
		t.Error("a corpus that isn't there was found")
	}
}

// A vector has a name of its own and exactly one input; what it expects is
// whole.
func TestVectorsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range load(t) {
		if seen[v.ID()] {
			t.Errorf("%s: two vectors have this name", v.ID())
		}
		seen[v.ID()] = true
		inputs := 0
		for _, there := range []bool{v.Signals != nil, v.SignalsText != nil, v.SignalsBase64 != nil} {
			if there {
				inputs++
			}
		}
		if inputs != 1 {
			t.Errorf("%s: %d inputs", v.ID(), inputs)
		}
		if v.SignalsText != nil && strings.Contains(*v.SignalsText, `"$number"`) {
			t.Errorf("%s: a text can't have a number in the form of an object", v.ID())
		}
		if len(v.Expect.Codes) == 0 {
			t.Errorf("%s: no codes", v.ID())
		}
		if v.Expect.PolicyInvalid != slices.Contains(v.Expect.Codes, "policy_invalid") {
			t.Errorf("%s: policyInvalid is %t, codes %v", v.ID(), v.Expect.PolicyInvalid, v.Expect.Codes)
		}
	}
}

// Each code of the contract is expected by some vector, and core has all that
// don't need an expression.
func TestEveryCodeIsPinned(t *testing.T) {
	count := map[string]map[string]int{}
	for _, v := range load(t) {
		for _, code := range v.Expect.Codes {
			code, _, _ = strings.Cut(code, ":")
			if count[code] == nil {
				count[code] = map[string]int{}
			}
			count[code][v.Corpus]++
		}
	}
	needExpression := []string{"not_all_high", "combine_invalid"}
	for _, code := range []string{
		"band_high", "band_review", "band_low", "rule_route_to_human", "rule_auto_reject", "no_bands", "not_all_high",
		"auto_apply_disabled", "auto_reject_disabled", "input_malformed", "score_missing", "score_not_number",
		"score_not_finite", "score_out_of_range", "score_conflict", "number_inexact", "signal_type", "rule_error",
		"combine_invalid", "policy_invalid", "gate_supervised",
	} {
		corpus := vectors.Core
		if slices.Contains(needExpression, code) {
			corpus = vectors.CEL
		}
		if count[code][corpus] == 0 {
			t.Errorf("no vector of %s expects %s", corpus, code)
		}
		delete(count, code)
	}
	for code := range count {
		t.Errorf("the contract has no code %s", code)
	}
}

// Core is for programs that read no expressions.
func TestCoreHasNoExpressions(t *testing.T) {
	for _, v := range load(t, vectors.Core) {
		var p struct {
			Combine any
			Rules   []struct{ When any }
			Risk    []struct{ When any }
		}
		if v.Expect.PolicyInvalid || json.Unmarshal(v.Policy, &p) != nil {
			continue
		}
		if p.Combine != nil && p.Combine != "lowest" && p.Combine != "unanimous" {
			t.Errorf("%s: combine %v", v.ID(), p.Combine)
		}
		for _, r := range append(p.Rules, p.Risk...) {
			if _, ok := r.When.(map[string]any); !ok {
				t.Errorf("%s: condition %v", v.ID(), r.When)
			}
		}
	}
}

// jsonFile reads a file of vectors.FS.
func jsonFile(t *testing.T, name string) any {
	t.Helper()
	text, err := vectors.FS.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", jsonFile(t, name)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestFilesMatchTheSchema(t *testing.T) {
	schema := schemaOf(t, "threshold/schema.json")
	files := map[string]bool{}
	for _, v := range load(t) {
		files[v.File] = true
	}
	for file := range files {
		if err := schema.Validate(jsonFile(t, file)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, bad := range []string{
		`{}`, `[{}]`, `[{"name": "x", "policy": {}, "expect": {"verdict": "auto_apply", "codes": []}}]`,
		`[{"name": "x", "signals": {}, "signalsText": "", "policy": {}, "expect": {"verdict": "auto_apply", "codes": []}}]`,
		`[{"name": "x", "signals": {}, "policy": {}, "expect": {"verdict": "approve", "codes": []}}]`,
		`[{"name": "x", "signals": {}, "policy": {}, "expect": {"verdict": "auto_apply"}, "more": 1}]`,
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

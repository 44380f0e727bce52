package policy_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pawlgate/pawl/policy"
)

// caseVector is a vector of vectors/case/decide.
type caseVector struct {
	Name       string
	Case       json.RawMessage
	CaseText   *string
	Policy     map[string]json.RawMessage
	Supervised bool
	Expect     struct {
		Action, Category, Verdict string
		Blocks                    []string
		Confidence                *float64
		Decision, Queue           *string
		PolicyInvalid             bool
	}
}

func TestCaseVectors(t *testing.T) {
	files, err := filepath.Glob("../vectors/case/decide/*.json")
	if err != nil || len(files) < 5 {
		t.Fatalf("only %d files: %v", len(files), err)
	}
	for _, file := range files {
		var vectors []caseVector
		if err := json.Unmarshal(readFile(t, file), &vectors); err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			t.Run(v.Name, func(t *testing.T) { checkCaseVector(t, v) })
		}
	}
}

func checkCaseVector(t *testing.T, v caseVector) {
	for key, value := range map[string]string{"pawl": `"v1"`, "gate": `"vector"`, "kind": `"case"`} {
		v.Policy[key] = json.RawMessage(value)
	}
	src, err := json.Marshal(v.Policy)
	if err != nil {
		t.Fatal(err)
	}
	f, err := policy.Parse("vector.json", src)
	if v.Expect.PolicyInvalid {
		if err == nil {
			t.Error("the policy is taken")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	raw := []byte(v.Case)
	if v.CaseText != nil {
		raw = []byte(*v.CaseText)
	}
	id, r := f.Case.DecideJSON(raw, 0, v.Supervised)
	line := f.Case.AppendResult(nil, 1, id, &r)
	var got struct {
		Result struct {
			Output map[string]any
		}
	}
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	var blocks []string
	for _, block := range []string{"policy_violations", "missing_preconditions", "boundary_analysis", "confidence_factors", "conflicting_signals", "external_dependency"} {
		if got.Result.Output[block] != nil {
			blocks = append(blocks, block)
		}
	}
	slices.Sort(blocks)
	slices.Sort(v.Expect.Blocks)
	want := v.Expect
	switch {
	case string(r.Output.Action) != want.Action, string(r.Output.Category) != want.Category, string(r.Verdict) != want.Verdict,
		!slices.Equal(blocks, want.Blocks),
		want.Confidence != nil && math.Abs(r.Output.Confidence-*want.Confidence) > 1e-12,
		want.Decision != nil && r.Output.Decision != *want.Decision,
		want.Queue != nil && r.Queue != *want.Queue:
		t.Errorf("got %s\nwant %+v", line, want)
	}
}

package casegate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawlgate/pawl/casegate"
)

// FuzzOpinion takes any bytes as a model's answer: it may escalate what the
// rules decide, if they do, and can change nothing else.
func FuzzOpinion(f *testing.F) {
	for _, seed := range []string{
		modelDecide, modelEscalate, "", "{}", "null", "[" + modelDecide + "]", "Sure! " + modelDecide, "```json\n" + modelDecide + "\n```",
		modelDecide + modelDecide, modelDecide[:80], "\ufeff" + modelDecide, modelDecide + "\x00", "\xff" + modelDecide,
		strings.Replace(modelDecide, "{", `{"action":"ESCALATE",`, 1),
		strings.Replace(modelDecide, "{", `{"\u0061ction":"ESCALATE",`, 1),
		strings.Replace(modelDecide, "{", `{"Action":"ESCALATE",`, 1),
		strings.Replace(modelDecide, "{", `{"x":{"y":1,"y":2},`, 1),
		strings.Replace(modelDecide, "0.95", "NaN", 1), strings.Replace(modelDecide, "0.95", "1e-999999999", 1),
		strings.Replace(modelDecide, "0.95", "-0", 1), strings.Replace(modelDecide, "0.95", "0.8999999999999999999999", 1),
		strings.Replace(modelDecide, `"DECIDE"`, `" DECIDE"`, 1), strings.Replace(modelDecide, `"DECIDE"`, `"\u0044ECIDE"`, 1),
		strings.Replace(modelDecide, `"OK"`, `"PAY"`, 1), strings.Replace(modelDecide, `"OK"`, `"NO"`, 1),
		strings.Replace(modelDecide, "null", `"POLICY_VIOLATION"`, 1), strings.Replace(modelDecide, "looked", `\u200b`, 1),
		strings.TrimSuffix(modelDecide, "}") + `,"policy_violations":{"r0":{}}}`,
		strings.TrimSuffix(modelEscalate, "}") + `,"selected_route":"x\u001b"}`,
	} {
		f.Add([]byte(seed))
	}
	hold, stop := casegate.Forbid{Condition: condition(false)}, casegate.Forbid{Condition: condition(true)}
	passing := deciding(hold)
	passing.Rejects, passing.ConfidenceFloor = []string{"NO"}, 0.9
	escalating := passing
	escalating.Rules = append(slices.Clone(passing.Rules), casegate.Rule{ID: "stop", NextStep: "look at it", Kind: stop})
	p, e := mustCompile(f, passing), mustCompile(f, escalating)
	c := casegate.Case{ID: "x"}
	alone := e.Decide(c)
	f.Fuzz(func(t *testing.T, answer []byte) {
		o := &casegate.Opinion{Name: "judge", Answer: bytes.Clone(answer), Model: "m", Prompt: "sha256:0"}
		out := p.DecideWith(c, o)
		checkOpinionOutput(t, out, &passing)
		if err := naiveOpinion(answer, &passing); (out.Action == casegate.Decide) && err != nil {
			t.Fatalf("decided, but %v\n%q\n%s", err, answer, out.AppendJSON(nil))
		}
		if out.Action == casegate.Decide && (out.Decision != "OK" || p.Verdict(&out).Verdict != "auto_apply") {
			t.Fatalf("decided %q", out.Decision)
		}

		// What the rules escalate stays theirs, to the last word: the model adds
		// lines of its own to the trail, and may lower the confidence.
		out = e.DecideWith(c, o)
		checkOpinionOutput(t, out, &escalating)
		out.ModelOpinion, out.AuditTrail, out.ConfidenceReasoning, out.Confidence = nil, alone.AuditTrail, alone.ConfidenceReasoning, min(out.Confidence, alone.Confidence)
		if diff := cmp.Diff(string(alone.AppendJSON(nil)), string(out.AppendJSON(nil))); diff != "" {
			t.Fatalf("%q changed what the rules say: %s", answer, diff)
		}
		if !bytes.Equal(o.Answer, answer) {
			t.Fatal("the answer was changed")
		}
	})
}

// checkOpinionOutput wants an output that is valid and consistent with itself.
func checkOpinionOutput(t *testing.T, out casegate.Output, p *casegate.Policy) {
	t.Helper()
	text := out.AppendJSON(nil)
	r := casegate.Validate(text, p)
	if r.Malformed != "" || len(r.Schema)+len(r.Contradictions)+len(r.Warnings) > 0 || r.Action != out.Action || !utf8.Valid(text) {
		t.Fatalf("%+v\n%s", r, text)
	}
	if out.Action == casegate.Decide != r.Consistent() {
		t.Fatalf("%s, consistent %v\n%s", out.Action, r.Consistent(), text)
	}
	if out.ModelOpinion["name"] != "judge" {
		t.Fatalf("no opinion: %s", text)
	}
}

// naiveOpinion says in the plainest way, with the standard library alone, why an
// answer isn't exactly one consistent DECIDE.
func naiveOpinion(answer []byte, p *casegate.Policy) error {
	if !utf8.Valid(answer) {
		return errors.New("it isn't UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	if err := uniqueKeys(d); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something stands behind it: %w", err)
	}
	var o map[string]any
	if err := json.Unmarshal(answer, &o); err != nil {
		return err
	}
	if o["action"] != "DECIDE" || o["human_action_required"] != "NONE" {
		return fmt.Errorf("action %v, human action %v", o["action"], o["human_action_required"])
	}
	if category, there := o["escalation_category"]; category != nil || !there {
		return fmt.Errorf("category %v", category)
	}
	confidence, ok := o["confidence_score"].(float64)
	if !ok || confidence < p.ConfidenceFloor || confidence > 1 {
		return fmt.Errorf("confidence %v", o["confidence_score"])
	}
	decision, _ := o["decision"].(string)
	if decision != "OK" || !slices.Contains(p.Applies, decision) { // what the policy decides
		return fmt.Errorf("decision %q", decision)
	}
	trail, ok := o["audit_trail"].([]any)
	if !ok || len(trail) == 0 {
		return errors.New("no audit trail")
	}
	for _, line := range trail {
		if text, ok := line.(string); !ok || strings.TrimSpace(text) == "" {
			return fmt.Errorf("audit line %v", line)
		}
	}
	for _, name := range append(slices.Clone(blockNames), "escalation_path") {
		switch v := o[name].(type) {
		case map[string]any:
			ok = len(v) == 0
		case []any:
			ok = len(v) == 0
		case string:
			ok = v == "" && name == "escalation_path"
		default:
			_, there := o[name]
			ok = !there
		}
		if !ok {
			return fmt.Errorf("%s is %v", name, o[name])
		}
	}
	return nil
}

// uniqueKeys reads one value and wants the names of each object to differ.
func uniqueKeys(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if delim == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			key := fmt.Sprint(name)
			if seen[key] {
				return fmt.Errorf("%q stands there twice", key)
			}
			seen[key] = true
		}
		if err := uniqueKeys(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

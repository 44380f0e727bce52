package conformance_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/conformance"
)

// ask puts one line to the gate and returns its answer, or the error.
func ask(line string) string {
	said, err := new(conformance.Gate).Ask(context.Background(), []byte(line))
	if err != nil {
		return "error: " + err.Error()
	}
	return string(said)
}

func TestGateAnswers(t *testing.T) {
	const banded = `"policy": {"bands": {"score": {"highMin": 0.9, "reviewMin": 0.5}}, "enableAutoApply": true}`
	for _, tt := range []struct{ name, line, want string }{
		{
			"a high score",
			`{"id": "x", "signalsText": "{\"score\": 0.9}", ` + banded + `}`,
			`{"id":"x","verdict":"auto_apply","bands":{"score":"high"},"codes":["band_high:score"],"risk":""}`,
		},
		{
			"supervised",
			`{"signalsText": "{\"score\": 0.9}", ` + banded + `, "supervised": true}`,
			`{"id":"","verdict":"route_to_human","bands":{"score":"high"},"codes":["band_high:score","gate_supervised"],"risk":""}`,
		},
		{
			"a text that is no input",
			`{"signalsText": "", ` + banded + `}`,
			`{"id":"","verdict":"route_to_human","bands":{"score":"review"},"codes":["band_review:score","input_malformed","score_missing:score"],"risk":""}`,
		},
		{
			"bytes",
			`{"signalsBase64": "eyJzY29yZSI6MC45fQ==", ` + banded + `}`,
			`{"id":"","verdict":"auto_apply","bands":{"score":"high"},"codes":["band_high:score"],"risk":""}`,
		},
		{
			"a number that JSON can't write",
			`{"signalsText": "{\"score\": {\"$number\": \"NaN\"}}", ` + banded + `}`,
			`{"id":"","verdict":"route_to_human","bands":{"score":"review"},"codes":["band_review:score","score_not_finite:score"],"risk":""}`,
		},
		{
			"numbers that JSON can't write, elsewhere",
			`{"signalsText": "{\"scores\": {\"score\": 0.9, \"b\": {\"$number\": \"-Inf\"}}, \"meta\": {\"k\": {\"$number\": \"Inf\"}}}", "policy": {"rules": [{"id": "r", "when": {"metaNumberLessThan": {"key": "k", "value": 1}}, "force": "route_to_human", "reason": "r"}]}}`,
			`{"id":"","verdict":"route_to_human","bands":{},"codes":["no_bands","score_not_finite:b","rule_error:r"],"risk":""}`,
		},
		{
			"a number that JSON can't write, in a malformed input",
			`{"signalsText": "{\"scores\": {\"a\": {\"$number\": \"NaN\"}}, \"more\": 1}", "policy": {}}`,
			`{"id":"","verdict":"route_to_human","bands":{},"codes":["no_bands","input_malformed"],"risk":""}`,
		},
		{
			"an object that only resembles one",
			`{"signalsText": "{\"score\": {\"$number\": \"0.95\"}}", ` + banded + `}`,
			`{"id":"","verdict":"route_to_human","bands":{"score":"review"},"codes":["band_review:score","score_not_number:score"],"risk":""}`,
		},
		{
			"an invalid policy",
			`{"signalsText": "{\"score\": 0.9}", "policy": {"bands": {"score": {"highMin": 0.1, "reviewMin": 0.5}}}}`,
			`{"id":"","verdict":"route_to_human","bands":{},"codes":["policy_invalid"],"risk":""}`,
		},
		{
			"an invalid policy, supervised",
			`{"signalsText": "x", "policy": {"rule": []}, "supervised": true}`,
			`{"id":"","verdict":"route_to_human","bands":{},"codes":["policy_invalid","gate_supervised"],"risk":""}`,
		},
		{
			"a policy with what only files have",
			`{"signalsText": "{}", "policy": {"gate": "x"}}`,
			`{"id":"","verdict":"route_to_human","bands":{},"codes":["policy_invalid"],"risk":""}`,
		},
		{
			"a policy that is no object",
			`{"signalsText": "{}", "policy": []}`,
			`{"id":"","verdict":"route_to_human","bands":{},"codes":["policy_invalid"],"risk":""}`,
		},
		{
			"a risk level",
			`{"signalsText": "{}", "policy": {"risk": [{"level": "high", "when": "true"}]}}`,
			`{"id":"","verdict":"route_to_human","bands":{},"codes":["no_bands"],"risk":"high"}`,
		},

		{"no JSON", `nonsense`, "error: not a line of JSON"},
		{"no object", `[]`, "error: a line must be an object, not a list"},
		{"a member twice", `{"signalsText": "{}", "signalsText": "{}", "policy": {}}`, "error: not a line of JSON"},
		{"no policy", `{"signalsText": "{}"}`, "error: a line needs policy and one of"},
		{"no input", `{"policy": {}}`, "error: a line needs policy and one of"},
		{"two inputs", `{"signalsText": "{}", "signalsBase64": "e30=", "policy": {}}`, "error: a line needs policy and one of"},
		{"an unknown member", `{"signals": {}, "policy": {}}`, `error: unknown member "signals"`},
		{"an id that is no text", `{"id": 5, "signalsText": "{}", "policy": {}}`, "error: id must be a string, not a number"},
		{"supervised as text", `{"signalsText": "{}", "policy": {}, "supervised": "false"}`, "error: supervised must be a boolean, not a string"},
		{"no base64", `{"signalsBase64": "?", "policy": {}}`, "error: illegal base64 data"},
	} {
		got := ask(tt.line)
		if want, isError := strings.CutPrefix(tt.want, "error: "); isError && !strings.HasPrefix(got, "error: "+want) || !isError && got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// The last policy is kept; another one is another one.
func TestGateTellsPoliciesApart(t *testing.T) {
	var g conformance.Gate
	for range 2 {
		for _, p := range []struct{ policy, verdict string }{
			{`{"bands": {"score": {"highMin": 0, "reviewMin": 0}}, "enableAutoApply": true}`, "auto_apply"},
			{`{"bands": {"score": {"highMin": 2, "reviewMin": 0}}, "enableAutoApply": true}`, "route_to_human"},
			{`{"bands": 1}`, "route_to_human"},
			{`{"bands": {"score": {"highMin": 2, "reviewMin": 2}}, "enableAutoReject": true}`, "auto_reject"},
		} {
			said, err := g.Ask(t.Context(), []byte(`{"signalsText": "{\"score\": 1}", "policy": `+p.policy+`}`))
			var a struct{ Verdict string }
			if err != nil || json.Unmarshal(said, &a) != nil || a.Verdict != p.verdict {
				t.Errorf("%s: %s, %v", p.policy, said, err)
			}
		}
	}
}

// What comes from outside is read without a panic, whatever it is, and what is
// answered can be read.
func FuzzQuestion(f *testing.F) {
	f.Add([]byte(`{"id": "x", "signalsText": "{\"score\": {\"$number\": \"NaN\"}}", "policy": {"bands": {"score": {"highMin": 1, "reviewMin": 0}}}, "supervised": true}`))
	f.Add([]byte(`{"signalsBase64": "eyJzY29yZSI6MC45fQ==", "policy": {"rules": [{"id": "r", "when": "meta.x > 1", "force": "auto_reject", "reason": "r"}]}}`))
	f.Add([]byte(`{"signalsText": "{\"scores\": [], \"meta\": {\"$number\": \"Inf\"}}", "policy": {}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		q, err := conformance.ParseQuestion(line)
		if err != nil {
			return
		}
		a, err := new(conformance.Gate).Answer(q)
		if err != nil {
			t.Fatal(err)
		}
		back, err := conformance.ParseAnswer(a.AppendJSON(nil))
		if err != nil || back.Verdict != a.Verdict || len(back.Codes) != len(a.Codes) {
			t.Fatalf("%s: %v", a.AppendJSON(nil), err)
		}
	})
}

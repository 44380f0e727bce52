package policy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/verdict"
)

// plainCase takes every case, and reads nothing that the tests below change.
const plainCase = caseHead + `
rules:
  - {id: quiet, forbid: "false", next_step: Look.}
signals: {s: {direction: higher_is_safer}}
decision: '"OK"'
applies: [OK, FINE]
enableAutoApply: true
queues: {default: desk, INSUFFICIENT_CONFIDENCE: unsure}
paths: [seniors]
`

const goodCase = `{"case_id":"C-1","as_of":"2026-11-30","facts":{"a":1,"b":[null,true,"x",2.5,{}]},"documents":[{"type":"t","id":"1","issued":"2026-01-01","expires":"2027-01-01"}],"sources":[{"name":"s","values":{"v":1}}],"checks":[{"name":"c","status":"ok"}],"signals":{"s":0.9},"domain":"d"}`

func decideCase(f *policy.File, input string) (id string, r policy.CaseResult) {
	raw, r := f.Case.DecideJSON([]byte(input), 0, false)
	return string(raw), r
}

func TestACaseIsReadAsItIs(t *testing.T) {
	in := mustParse(t, plainCase).Case.Read([]byte(`{"id":"i","subject":"who","action":{"any":1},"case":`+goodCase+`}`), 0)
	want := casegate.Case{
		ID: "C-1", Domain: "d", AsOf: "2026-11-30",
		Facts:     map[string]any{"a": int64(1), "b": []any{nil, true, "x", 2.5, map[string]any{}}},
		Documents: []casegate.Document{{Type: "t", ID: "1", Issued: "2026-01-01", Expires: "2027-01-01"}},
		Sources:   []casegate.Source{{Name: "s", Values: map[string]any{"v": int64(1)}}},
		Checks:    []casegate.Check{{Name: "c", Status: "ok"}},
		Signals:   map[string]any{"s": 0.9},
	}
	if diff := cmp.Diff(want, in.Case); diff != "" || in.Err != nil || string(in.ID) != "i" || !in.HasCase || in.Output != nil {
		t.Errorf("%v, id %s (-want +got):\n%s", in.Err, in.ID, diff)
	}
	if string(in.CaseJSON()) != goodCase {
		t.Errorf("text %s", in.CaseJSON())
	}
}

func TestMalformedCasesEscalate(t *testing.T) {
	f := mustParse(t, plainCase)
	with := func(old, replaced string) string {
		t.Helper()
		if !strings.Contains(goodCase, old) {
			t.Fatalf("no %s", old)
		}
		return strings.Replace(goodCase, old, replaced, 1)
	}
	for input, want := range map[string]string{
		"": "nothing stands here", "[]": "the input must be an object, not a list", "{}": "case_id is missing",
		goodCase + goodCase: "text after the end of the value",
		`{"id":"x"}`:        "needs a case or an output", `{"id":5,"case":` + goodCase + `}`: "id must be a string", `{"id":"x","subject":null,"case":` + goodCase + `}`: "subject must be a string",
		`{"id":"x",` + goodCase[1:]: "belong into case", `{"id":"x","case":[]}`: "case must be an object", `{"id":"x","cases":{},"case":` + goodCase + `}`: "did you mean case?",
		with(`"case_id":"C-1"`, `"case_id":5`): "case_id must be a string", with(`"case_id":"C-1"`, `"case_id":" "`): "case_id is empty",
		with(`"domain":"d"`, `"domian":"d"`): "did you mean domain?", with(`"domain":"d"`, `"domain":null`): "domain must be a string",
		with(`"as_of":"2026-11-30"`, `"as_of":"2026-11-31"`): "as_of must be a day", with(`"as_of":"2026-11-30"`, `"as_of":"2026-11-30T00:00:00Z"`): "as_of must be a day",
		with(`"expires":"2027-01-01"`, `"expires":"01.01.2027"`): "expires must be a day", with(`"issued":"2026-01-01"`, `"issued":null`): "issued must be a string",
		with(`"type":"t"`, `"typ":"t"`): "did you mean type?", with(`"type":"t",`, ``): "type of a document is missing",
		with(`{"a":1`, `{"a":1,"a":1`): "a second time", with(`{"a":1`, `{"a":1e400`): "a number can't be held", with(`{"a":1`, `{"a":9223372036854775808`): "a number can't be held",
		with(`{"v":1}`, `[]`): "values must be an object", with(`,"values":{"v":1}`, ``): "values of a source is missing", with(`"name":"s"`, `"name":""`): "name of a source is missing or empty",
		with(`{"name":"s","values":{"v":1}}`, `{"name":"s","values":{}},{"name":"s","values":{}}`):  "another source has the same name",
		with(`{"name":"c","status":"ok"}`, `{"name":"c","status":"ok"},{"name":"c","status":"no"}`): "another check has the same name",
		with(`"status":"ok"`, `"status":true`):                                                      "status must be a string", with(`"signals":{"s":0.9}`, `"signals":[0.9]`): "signals must be an object",
		`{"case_id":"C","facts":` + strings.Repeat(`{"a":`, 64) + `1` + strings.Repeat(`}`, 64) + `}`: "nested more than 64 levels", `{"case_id":"C","facts":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`: "are allowed",
	} {
		_, r := decideCase(f, input)
		o := r.Output
		if r.Verdict != verdict.RouteToHuman || o.Action != casegate.Escalate || o.Category != casegate.InsufficientConfidence || o.Confidence != 0 || r.Queue != "unsure" || len(o.GatesPassed) > 0 {
			t.Errorf("%.100s: %s", input, r.AppendJSON(nil))
		}
		if last := r.Reasons[len(r.Reasons)-1]; last.Code != verdict.InputMalformed || !strings.Contains(last.Message, want) {
			t.Errorf("%.100s: %s %q, want %q", input, last, last.Message, want)
		}
	}
	if _, r := decideCase(f, goodCase); r.Verdict != verdict.AutoApply {
		t.Errorf("and the good one: %s", r.AppendJSON(nil))
	}
}

func TestMalformedCasesKeepTheirID(t *testing.T) {
	f := mustParse(t, plainCase)
	for input, want := range map[string]string{
		`{"case_id":"C-1","fact":{}}`:                          "C-1",
		`{"id":"i","case":{"case_id":"C-1","fact":{}}}`:        "i",
		`{"case":{"case_id":"C-1","fact":{}}}`:                 "C-1",
		`{"id":"","case":{"case_id":"C-1"}}`:                   "",
		`{"case_id":"C-1","case_id":"C-2"}`:                    "",
		`{"id":"i","output":5,"id":"j"}`:                       "",
		`{"id":"i","output":{"action":"DECIDE"},"subject": 5}`: "i",
	} {
		if id, _ := decideCase(f, input); id != want {
			t.Errorf("%s: id %q, want %q", input, id, want)
		}
	}
	_, r := f.Case.DecideJSON([]byte(`{"case_id":"C-1","fact":{}}`), 7, false)
	if last := r.Reasons[len(r.Reasons)-1]; !strings.HasPrefix(last.Message, "7:18: ") {
		t.Errorf("the place is %s", last.Message)
	}
}

// What the schema doesn't let pass is malformed, and the message quotes nothing
// of the case but names.
func TestCasesAreHeldToTheSchema(t *testing.T) {
	f := trade(t)
	clean := string(readFile(t, "testdata/cases/trade-clean.json"))
	for _, change := range [][3]string{
		{`"case_id": "S-1001"`, `"case_id": "secret"`, "/case_id breaks pattern"},
		{`"as_of": "2026-11-30",`, ``, "/ lacks as_of"},
		{`"value_eur": 4200`, `"value_eur": "secret"`, "/facts/value_eur is string, not number"},
		{`"value_eur": 4200`, `"value_eur": -1`, "/facts/value_eur breaks minimum"},
		{`"value_eur": 4200`, `"value_eur": 9007199254740993`, "/facts/value_eur breaks maximum"},
		{`"value_eur": 4200`, `"value": 4200`, "/facts has members that it doesn't know: value"},
		{`"weight_class": "light"`, `"weight_class": "secret"`, "/facts/weight_class breaks enum"},
		{`"type": "packing_list"`, `"type": "secret"`, "/documents/1/type breaks enum"},
		{`"gross_weight_kg": 120`, `"gross_weight_kg": 0`, "/sources/0/values/gross_weight_kg breaks exclusiveMinimum"},
		{`"classifier": 0.97`, `"classifier": 1.5`, "/signals/classifier breaks maximum"},
	} {
		if !strings.Contains(clean, change[0]) {
			t.Fatalf("no %s", change[0])
		}
		_, r := decideCase(f, strings.Replace(clean, change[0], change[1], 1))
		text := string(r.AppendJSON(nil))
		if last := r.Reasons[len(r.Reasons)-1]; last.Code != verdict.InputMalformed || !strings.Contains(last.Message, "the case isn't what the case schema says: "+change[2]) || strings.Contains(text, "secret") != (change[1] == `"case_id": "secret"`) {
			t.Errorf("%s: %s", change[1], text)
		}
	}
}

// A declared number is divided as a fraction, however it was written.
func TestDeclaredNumbersAreFractions(t *testing.T) {
	f, err := policy.ParseFiles("a.yaml", []byte(caseHead+`
case_schema: s.json
rules:
  - {id: half, limit: {value: facts.n / 2, max: 2.4}, next_step: Look.}
  - {id: whole, limit: {value: facts.i / 2, max: 2.4}, next_step: Look.}
decision: '"OK"'
`), schemaFile(`{"properties": {"case_id": {}, "facts": {"properties": {"n": {"type": "number"}, "i": {"type": "integer"}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	_, r := decideCase(f, `{"case_id":"C","facts":{"n":5,"i":5}}`)
	if len(r.Output.PolicyViolations) != 1 || r.Output.PolicyViolations["half"].Reason == "" {
		t.Errorf("%s", r.AppendJSON(nil))
	}
	_, r = decideCase(f, `{"case_id":"C","facts":{"n":9007199254740993,"i":5}}`)
	if last := r.Reasons[len(r.Reasons)-1]; last.Code != verdict.InputMalformed {
		t.Errorf("%s", r.AppendJSON(nil))
	}
}

const goodOutput = `{"action":"DECIDE","escalation_category":null,"confidence_score":0.8,"human_action_required":"NONE","audit_trail":["looked"],"decision":"OK"}`

func TestOutputsFromElsewhere(t *testing.T) {
	f := mustParse(t, plainCase)
	loud := mustParse(t, strings.Replace(plainCase, `"false"`, `"true"`, 1))
	other := strings.Replace(goodOutput, `"OK"`, `"FINE"`, 1)
	escalated := `{"action":"ESCALATE","escalation_category":"CONFLICTING_SIGNALS","confidence_score":0.1,"human_action_required":"Look.","audit_trail":["looked"],"escalation_path":"seniors","conflicting_signals":[{}]}`
	for _, tt := range []struct {
		name, input string
		gate        *policy.File
		codes       string
		queue       string
	}{
		{"a consistent one", `{"output":` + goodOutput + `}`, f, "", ""},
		{"with its case", `{"output":` + goodOutput + `,"case":` + goodCase + `}`, f, "", ""},
		{"the rules know better", `{"output":` + goodOutput + `,"case":` + goodCase + `}`, loud, "case_escalated:POLICY_VIOLATION", "desk"},
		{"another decision", `{"output":` + other + `}`, f, "", ""},
		{"another decision than the policy's", `{"output":` + other + `,"case":` + goodCase + `}`, f, "case_escalated:INSUFFICIENT_CONFIDENCE, output_inconsistent", "unsure"},
		{"an unlisted decision", `{"output":` + strings.Replace(goodOutput, `"OK"`, `"YES"`, 1) + `}`, f, "case_escalated:INSUFFICIENT_CONFIDENCE, output_inconsistent", "unsure"},
		{"escalated", `{"output":` + escalated + `}`, f, "case_escalated:CONFLICTING_SIGNALS", "seniors"},
		{"escalated, with a case", `{"output":` + escalated + `,"case":` + goodCase + `}`, f, "case_escalated:CONFLICTING_SIGNALS", "seniors"},
		{"no output at all", `{"output":5}`, f, "case_escalated:INSUFFICIENT_CONFIDENCE, output_inconsistent", "unsure"},
		{"no output, and the rules escalate", `{"output":5,"case":` + goodCase + `}`, loud, "case_escalated:POLICY_VIOLATION, output_inconsistent", "desk"},
		{"a malformed case", `{"output":` + goodOutput + `,"case":{}}`, f, "case_escalated:INSUFFICIENT_CONFIDENCE, input_malformed", "unsure"},
	} {
		_, r := decideCase(tt.gate, tt.input)
		var list []string
		for _, reason := range r.Reasons {
			list = append(list, reason.String())
		}
		apply := tt.codes == ""
		if got := strings.Join(list, ", "); got != tt.codes || r.Queue != tt.queue || (r.Verdict == verdict.AutoApply) != apply || (r.Output.Action == casegate.Decide) != apply {
			t.Errorf("%s: %s", tt.name, r.AppendJSON(nil))
		}
		supervisedID, s := tt.gate.Case.DecideJSON([]byte(tt.input), 0, true)
		if s.Verdict != verdict.RouteToHuman || s.Output.Action != casegate.Escalate || !strings.Contains(string(s.AppendJSON(nil)), `"gate_supervised"`) {
			t.Errorf("%s, supervised (%s): %s", tt.name, supervisedID, s.AppendJSON(nil))
		}
	}
}

// A policy that wants a second opinion automates nothing without it.
func TestWithoutItsModelACaseEscalates(t *testing.T) {
	f := mustParse(t, plainCase+"model: second\n")
	for _, input := range []string{goodCase, `{"case":` + goodCase + `}`, `{"output":` + goodOutput + `}`, `{"output":` + goodOutput + `,"case":` + goodCase + `}`} {
		_, r := decideCase(f, input)
		if r.Verdict != verdict.RouteToHuman || r.Output.ConfidenceFactors["model"].WhyUncertain == "" || r.Output.Confidence != 0 {
			t.Errorf("%s: %s", input, r.AppendJSON(nil))
		}
	}
	in := f.Case.Read([]byte(goodCase), 0)
	if r := f.Case.Decide(in, &casegate.Opinion{Name: "second", Answer: []byte(goodOutput)}); r.Verdict != verdict.AutoApply || r.Output.Confidence != 0.8 {
		t.Errorf("with it: %s", r.AppendJSON(nil))
	}
	in = f.Case.Read([]byte(`{"output":`+strings.Replace(goodOutput, "0.8", "0.7", 1)+`,"case":`+goodCase+`}`), 0)
	if r := f.Case.Decide(in, &casegate.Opinion{Name: "second", Answer: []byte(goodOutput)}); r.Verdict != verdict.AutoApply || r.Output.Confidence != 0.7 {
		t.Errorf("with it, and an output: %s", r.AppendJSON(nil))
	}
}

func TestAResultAsALine(t *testing.T) {
	f := mustParse(t, plainCase)
	id, r := f.Case.DecideJSON([]byte(goodCase), 3, false)
	line := f.Case.AppendResult(nil, 3, id, &r)
	var got map[string]any
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatal(err)
	}
	if got["line"] != 3.0 || got["id"] != "C-1" || got["gate"] != "test" || got["policy"] != f.Digest || got["engine"] != policy.Engine {
		t.Errorf("%s", line)
	}
	result := got["result"].(map[string]any)
	if _, queue := result["queue"]; queue || result["verdict"] != "auto_apply" || len(result["reasons"].([]any)) != 0 || result["output"].(map[string]any)["action"] != "DECIDE" {
		t.Errorf("%s", line)
	}
	if again, err := json.Marshal(r); err != nil || !strings.Contains(string(line), string(again)) {
		t.Errorf("%s, %v", again, err)
	}
}

// What a case brings along must not cost more than it is long.
func TestManyFaultsAreToldFast(t *testing.T) {
	f, err := policy.ParseFiles("a.yaml", []byte(plainCase+"case_schema: s.json\n"), schemaFile(`{"properties": {"facts": {"additionalProperties": {"type": "string"}}, "sources": {}, "case_id": {}, "signals": {}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var facts, sources strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&facts, `,"f%d":1`, i)
	}
	for i := range 3000 {
		fmt.Fprintf(&sources, `,{"name":"s%d","values":{}}`, i)
	}
	_, r := decideCase(f, `{"case_id":"C","facts":{`+facts.String()[1:]+`}}`)
	if last := r.Reasons[len(r.Reasons)-1]; !strings.HasSuffix(last.Message, "and 8995 more") || len(last.Message) > 1000 {
		t.Errorf("%s", last.Message)
	}
	if _, r := decideCase(f, `{"case_id":"C","sources":[`+sources.String()[1:]+`],"signals":{"s":1}}`); r.Verdict != verdict.AutoApply {
		t.Errorf("%.500s", r.AppendJSON(nil))
	}
}

// A case from Go may hold what a decoder would have refused: two of one name
// are none.
func TestTwoOfOneNameAreNone(t *testing.T) {
	f := mustParse(t, strings.Replace(plainCase, `"false"`, `'checks.c != "ok" || sources.s.v != 1'`, 1))
	check, source := casegate.Check{Name: "c", Status: "ok"}, casegate.Source{Name: "s", Values: map[string]any{"v": int64(1)}}
	for n := range 4 {
		c := casegate.Case{ID: "C", Signals: map[string]any{"s": 1.0}}
		for range n {
			c.Checks, c.Sources = append(c.Checks, check), append(c.Sources, source)
		}
		if r := f.Case.Decide(&policy.CaseInput{Case: c, HasCase: true}, nil); (r.Verdict == verdict.AutoApply) != (n == 1) {
			t.Errorf("%d of a name: %s", n, r.AppendJSON(nil))
		}
	}
}

func BenchmarkDecideCase(b *testing.B) {
	f := trade(b)
	raw := readFile(b, "testdata/cases/trade-clean.json")
	b.ReportAllocs()
	for b.Loop() {
		f.Case.DecideJSON(raw, 0, false)
	}
}

package policy_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
)

// trade is the policy of testdata/cases, with its schema.
func trade(t testing.TB) *policy.File {
	t.Helper()
	const name = "testdata/cases/trade.pawl.yaml"
	f, err := parseFile(t, name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTheTradePolicyPassesItsTests(t *testing.T) {
	f := trade(t)
	if f.Kind != policy.KindCase || f.Gate != "trade-release" || f.Threshold != nil || f.Case.Gate() == nil || f.Case.Model() != "" {
		t.Errorf("%+v", f)
	}
	report := f.RunTests()
	for _, r := range report.Results {
		t.Logf("%s", r.Case.AppendJSON(nil))
		for _, failure := range r.Failures {
			t.Errorf("%s: %s", r.Name, failure)
		}
	}
	if !report.Passed() {
		t.Error("failed")
	}
}

// schemaFile is a folder with one file, s.json.
func schemaFile(text string) fs.FS { return fstest.MapFS{"s.json": {Data: []byte(text)}} }

func TestAPolicyThatIsReadAloneCanNotReferToFiles(t *testing.T) {
	const name = "testdata/cases/trade.pawl.yaml"
	_, err := policy.Parse(name, readFile(t, name))
	problems := list(problemsOf(t, err))
	for _, want := range []string{"case_schema is the file trade-case.schema.json, but a policy that is read alone can't refer to files", "case is the file trade-clean.json, but"} {
		if !strings.Contains(problems, want) {
			t.Errorf("no %q in\n%s", want, problems)
		}
	}
}

func TestALargeFileIsRefused(t *testing.T) {
	src := []byte(plainCase + "case_schema: s.json\n")
	pad := func(n int) fs.FS { return schemaFile("{}" + strings.Repeat(" ", n-2)) }
	if _, err := policy.ParseFiles("a.yaml", src, pad(1<<20)); err != nil {
		t.Errorf("1 MiB: %v", err)
	}
	_, err := policy.ParseFiles("a.yaml", src, pad(1<<20+1))
	if got := list(problemsOf(t, err)); !strings.Contains(got, "s.json has more than 1048576 bytes") {
		t.Error(got)
	}
}

// The digest knows the schema, and not what only tests refer to.
func TestTheDigestOfACasePolicy(t *testing.T) {
	src := plainCase + "case_schema: s.json\n"
	digest := func(src, schema, test string) string {
		t.Helper()
		f, err := policy.ParseFiles("a.yaml", []byte(src), fstest.MapFS{"s.json": {Data: []byte(schema)}, "t.json": {Data: []byte(test)}})
		if err != nil {
			t.Fatal(err)
		}
		return f.Digest
	}
	want := digest(src, "{}", "")
	tests := src + "tests: [{name: a, case: t.json, expect: {action: DECIDE}}]\n"
	if got := digest(tests, "{}", goodCase); got != want {
		t.Error("the tests count")
	}
	if digest(src, "{} ", "") == want {
		t.Error("the schema's bytes don't count")
	}
	if digest(src+"description: x\n", "{}", "") == want {
		t.Error("the policy doesn't count")
	}
	const known = "sha256:a5b596e0fadcf55d4e3f4c45f925c5f0114f2020eef3a8c45a8675c197a6917c"
	if want != known {
		t.Errorf("digest %s, want %s", want, known)
	}
	if got := mustParse(t, plainCase).Digest; got == want {
		t.Error("with and without a schema are the same")
	}
}

// A policy without a schema may read whatever a case has.
func TestWithoutASchemaAnyNameCanBeRead(t *testing.T) {
	f := mustParse(t, caseHead+`
rules:
  - {id: a, forbid: 'facts.any.thing == 1 || sources["x y"].z > 2 || checks.c != "ok" || signals.s < 0.5 || domain != "d" || case_id == ""', next_step: Look.}
  - {id: b, forbid: 'documents.exists(d, d.type == "t" && has(d.expires) && d.expires <= as_of)', next_step: Look.}
confidence: none
decision: '"OK"'
`)
	const full = `{"case_id":"C","domain":"d","as_of":"2026-11-30","facts":{"any":{"thing":0}},"sources":[{"name":"x y","values":{"z":1}}],"checks":[{"name":"c","status":"ok"}],"signals":{"s":1},"documents":[{"type":"t"}]}`
	if _, r := decideCase(f, full); len(r.Output.GatesPassed) != 2 {
		t.Errorf("%s", r.AppendJSON(nil))
	}
	for _, without := range []string{`"domain":"d",`, `"any":{"thing":0}`, `"z":1`, `{"name":"c","status":"ok"}`, `"s":1`} {
		if _, r := decideCase(f, strings.Replace(full, without, "", 1)); !strings.Contains(r.Output.PolicyViolations["a"].Reason, "it can't be decided") {
			t.Errorf("without %s: %s", without, r.AppendJSON(nil))
		}
	}
	if _, r := decideCase(f, strings.Replace(full, `{"type":"t"}`, `{"type":"t","expires":"2026-11-30"}`, 1)); r.Output.PolicyViolations["b"].Reason == "" {
		t.Errorf("expired: %s", r.AppendJSON(nil))
	}
}

func TestCaseTestsTellWhatCameInstead(t *testing.T) {
	f := mustParse(t, strings.Replace(plainCase, `"false"`, "facts.a == 1", 1)+`
tests:
  - {name: escalated, case: {case_id: C, facts: {a: 1}}, expect: {action: DECIDE, category: CONFLICTING_SIGNALS, decision: OK, route: SEA, verdict: auto_apply, queue: x, codes: [decision_unlisted]}}
  - {name: decided, case: {case_id: C, facts: {a: 2}}, expect: {action: ESCALATE, category: POLICY_VIOLATION, codes: [case_escalated], fired: [quiet]}}
  - {name: right, case: {case_id: C, facts: {a: 1}}, expect: {action: ESCALATE, category: POLICY_VIOLATION, queue: desk, codes: ["case_escalated:POLICY_VIOLATION"], fired: [quiet]}}
`)
	report := f.RunTests()
	var got [][]string
	for _, r := range report.Results {
		got = append(got, r.Failures)
	}
	want := [][]string{
		{
			"action is ESCALATE, want DECIDE (fired: quiet)", "category is POLICY_VIOLATION, want CONFLICTING_SIGNALS", "decision is none, want OK", "route is none, want SEA",
			"verdict is route_to_human, want auto_apply", "queue is desk, want x", "no reason decision_unlisted among case_escalated:POLICY_VIOLATION",
		},
		{"action is DECIDE, want ESCALATE (fired: none)", "category is none, want POLICY_VIOLATION", "no reason case_escalated among none", "rule quiet didn't fire"},
		nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if reached, all := report.Covered(); reached != 2 || all != 2 || report.Passed() {
		t.Errorf("covered %d of %d", reached, all)
	}
	if got := (&policy.File{}).RunTests(); got.Passed() {
		t.Error("a file of no kind passes")
	}
}

package policy_test

import (
	"testing"

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

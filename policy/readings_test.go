package policy_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
)

func parsesFine(t *testing.T, src string) {
	t.Helper()
	if _, err := policy.Parse("a.yaml", []byte(src)); err != nil {
		t.Error(err)
	}
}

func parseProblems(t *testing.T, src string) string {
	t.Helper()
	_, err := policy.Parse("a.yaml", []byte(src))
	return list(problemsOf(t, err))
}

// A number inside of an object that no expression reads is no fault, whether the
// decision is made from slots or from whole signals.
func TestNestedNumberIsTheSameWhicheverWayIn(t *testing.T) {
	src := head + "signals: {m: {type: integer}}\n"
	input := `{"meta":{"m":{"a":[1e400]}}}`
	slots := decide(mustParse(t, src).Threshold, input)
	signals := decide(mustParse(t, src+"rules:\n"+closureRule).Threshold, input)
	if a, b := strings.Join(codes(slots), " "), strings.Join(codes(signals), " "); a != b {
		t.Errorf("slots   %s\nsignals %s", a, b)
	}
}

// A score that is no number is named in its reason, but not at any length.
func TestAReasonIsBounded(t *testing.T) {
	input := `{"scores":{"` + strings.Repeat("x", 500_000) + `":"1"}}`
	if n := len(text(decide(mustParse(t, head).Threshold, input))); n > len(input) {
		t.Errorf("the decision has %d bytes, the input %d", n, len(input))
	}
}

// A number that a float64 can't hold is unknown to an expression, as it is to
// the declarative forms.
func TestCELNeverReadsADeclaredNumberRounded(t *testing.T) {
	f := mustParse(t, head+"signals: {m: {type: number}}\nrules:\n  - {id: r, when: meta.m == 9007199254740992.0, force: route_to_human, reason: x}\n")
	d := decide(f.Threshold, `{"meta":{"m":9007199254740993}}`)
	if got := strings.Join(codes(d), " "); strings.Contains(got, "rule_route_to_human:r") {
		t.Errorf("codes %s", got)
	}
}

// All numbers are one kind, also to the type checker.
func TestAScoreCanBeComparedWithAWholeNumber(t *testing.T) {
	for _, when := range []string{"score == 1", "scores.a != 0", "scores.a in [0, 1]"} {
		parsesFine(t, head+"rules:\n  - {id: r, when: '"+when+"', force: route_to_human, reason: x}\n")
	}
}

// A member of the wrong type isn't missing, too.
func TestAWrongTypeIsReportedOnce(t *testing.T) {
	src := head + "rules:\n  - {id: 5, when: 'true', force: auto_reject, reason: x}\n"
	if got := parseProblems(t, src); strings.Contains(got, "missing") {
		t.Errorf("problems:\n%s", got)
	}
}

// A hint is meant to help: "if" isn't a misspelt id.
func TestHintsForShortKeys(t *testing.T) {
	if got := parseProblems(t, head+"rules:\n  - {id: r, if: 'true', force: auto_reject, reason: x}\n"); strings.Contains(got, "did you mean id") {
		t.Errorf("problems:\n%s", got)
	}
}

package policy_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
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

// A walk over the scores sees each of them once, also where a bare score is
// joined to them while the walk goes on.
func TestAWalkOverScoresIsComplete(t *testing.T) {
	f := mustParse(t, head+`bands: {a: {highMin: 0.9, reviewMin: 0.5}}
rules:
  - {id: some, when: 'scores.exists(k, scores[k] < 0.2)', force: route_to_human, reason: x}
  - {id: all, when: '!scores.all(k, scores[k] > 0.2)', force: route_to_human, reason: x}
enableAutoApply: true
`)
	d := f.Threshold.NewDecider()
	var dst threshold.Decision
	for range 3000 {
		d.DecideJSON(&dst, []byte(`{"score":0.99,"scores":{"a":0.95,"b":0.1}}`))
		if got := strings.Join(codes(&dst), " "); got != "band_high:a rule_route_to_human:some rule_route_to_human:all" {
			t.Fatal(got)
		}
	}
}

// What the reads of a rule are is found in every form of it, so that nothing is
// left out that it looks at.
func TestEveryFormOfReadingIsSeen(t *testing.T) {
	for _, c := range []struct{ when, input string }{
		{`"" in meta`, `{"scores":{"a":0.95},"meta":{"":1}}`},
		{`has(.meta.block) && .meta.block`, `{"scores":{"a":0.95},"meta":{"block":true}}`},
		{`meta["block"]`, `{"scores":{"a":0.95},"meta":{"block":true}}`},
		{`["block"].exists(k, k in meta && meta[k])`, `{"scores":{"a":0.95},"meta":{"block":true}}`},
		{`{"x": meta}["x"].block`, `{"scores":{"a":0.95},"meta":{"block":true}}`},
		{`[meta][0].block == true`, `{"scores":{"a":0.95},"meta":{"block":true}}`},
		{`(true ? meta : meta).block`, `{"scores":{"a":0.95},"meta":{"block":true}}`},
		{`dyn(meta).block`, `{"scores":{"a":0.95},"meta":{"block":true}}`},
		{`has(scores.score) && scores.score < 0.5`, `{"score":0.9,"scores":{"a":0.95,"score":0.1}}`},
		{`has(scores.score) && scores.score < 0.5`, `{"score":0.1,"scores":{"a":0.95}}`},
		{`scores.exists(k, scores[k] < 0.5)`, `{"score":0.1,"scores":{"a":0.95}}`},
		{`has(meta.order.amount) && meta.order.amount > 500`, `{"scores":{"a":0.95},"meta":{"order":"1000"}}`},
	} {
		f := mustParse(t, head+"bands: {a: {highMin: 0.9, reviewMin: 0.5}}\nenableAutoApply: true\nrules:\n  - {id: r, force: route_to_human, reason: x, when: '"+c.when+"'}\n")
		if d := decide(f.Threshold, c.input); d.Verdict != human {
			t.Errorf("%s of %s: %s", c.when, c.input, text(d))
		}
		if d := decide(f.Threshold, `{"scores":{"a":0.95},"meta":{"block":false,"order":{}}}`); c.when[0] != '"' && d.Verdict != apply {
			t.Errorf("%s of nothing that matters: %s", c.when, text(d))
		}
	}
}

// A number that can't be held, in meta, says nothing of a score of that name.
func TestMetaAndScoresOfOneName(t *testing.T) {
	for _, when := range []string{"{metaNumberLessThan: {key: x, value: 5}}", "meta.x < 5"} {
		f := mustParse(t, head+"bands: {x: {highMin: 0.9, reviewMin: 0.5}}\nrules:\n  - {id: r, when: "+when+", force: route_to_human, reason: x}\n")
		d := decide(f.Threshold, `{"scores":{"x":0.99},"meta":{"x":1e400}}`)
		if got := strings.Join(codes(d), " "); got != "band_high:x number_inexact:x rule_error:r" {
			t.Errorf("%s: %s", when, got)
		}
	}
}

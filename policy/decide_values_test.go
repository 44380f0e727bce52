package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

const human, apply, reject = threshold.RouteToHuman, threshold.AutoApply, threshold.AutoReject

// A score is a JSON number and nothing else, whether a band reads it or not.
func TestScoresAsTheyCome(t *testing.T) {
	cases := []struct {
		name, input string
		verdict     threshold.Verdict
		codes       string
	}{
		{"a number", `{"score":0.95}`, apply, "band_high:score"},
		{"the bound itself", `{"score":0.9}`, apply, "band_high:score"},
		{"an integer", `{"score":1}`, apply, "band_high:score"},
		{"an exponent", `{"score":9.5e-1}`, apply, "band_high:score"},
		{"the other bound", `{"score":0.5}`, human, "band_review:score"},
		{"below both", `{"score":0.4999}`, reject, "band_low:score"},
		{"by name", `{"scores":{"score":0.95}}`, apply, "band_high:score"},
		{"minus zero", `{"score":-0}`, reject, "band_low:score"},
		{"minus zero with a fraction", `{"score":-0.0}`, reject, "band_low:score"},
		{"too small for a float64", `{"score":1e-400}`, reject, "band_low:score"},
		{"the largest integer that is held", `{"score":9007199254740992}`, apply, "band_high:score"},
		{"nothing", `{}`, human, "band_review:score score_missing:score"},
		{"null", `{"score":null}`, human, "band_review:score score_missing:score"},
		{"null by name", `{"scores":{"score":null}}`, human, "band_review:score score_missing:score"},
		{"null beside a number", `{"score":null,"scores":{"score":0.95}}`, apply, "band_high:score"},
		{"another name", `{"scores":{"Score":0.95}}`, human, "band_review:score score_missing:score"},

		{"a string", `{"score":"0.95"}`, human, "band_review:score score_not_number:score"},
		{"an empty string", `{"score":""}`, human, "band_review:score score_not_number:score"},
		{"true", `{"score":true}`, human, "band_review:score score_not_number:score"},
		{"a list", `{"score":[0.95]}`, human, "band_review:score score_not_number:score"},
		{"an object", `{"score":{"value":0.95}}`, human, "band_review:score score_not_number:score"},
		{"a string by name", `{"scores":{"score":"0.95"}}`, human, "band_review:score score_not_number:score"},
		{"a string by name beside a number", `{"score":0.95,"scores":{"score":"0.95"}}`, human, "band_review:score score_not_number:score"},
		{"a string beside a number by name", `{"scores":{"score":0.95},"score":"0.95"}`, human, "band_review:score score_not_number:score"},
		{"a string in a score that nobody reads", `{"score":0.95,"scores":{"x":"1"}}`, human, "band_high:score score_not_number:x"},
		{"a false in a score that nobody reads", `{"score":0.95,"scores":{"x":false}}`, human, "band_high:score score_not_number:x"},
		{"several", `{"score":"a","scores":{"z":"1","score":{},"b":[]}}`, human, "band_review:score score_not_number:b score_not_number:score score_not_number:z"},
		{"null in a score that nobody reads", `{"score":0.95,"scores":{"x":null}}`, apply, "band_high:score"},

		{"two that differ", `{"score":0.95,"scores":{"score":0.96}}`, human, "band_review:score score_conflict:score"},
		{"two that differ, the low one by name", `{"score":0.95,"scores":{"score":0.1}}`, human, "band_review:score score_conflict:score"},
		{"two zeros", `{"score":0,"scores":{"score":-0.0}}`, reject, "band_low:score"},

		{"too large for a float64", `{"score":1e400}`, human, "band_review:score number_inexact:score"},
		{"too small for a float64, negative", `{"score":-1e400}`, human, "band_review:score number_inexact:score"},
		{"beyond 2^53", `{"score":9007199254740993}`, human, "band_review:score number_inexact:score"},
		{"beyond -2^53", `{"score":-9007199254740993}`, human, "band_review:score number_inexact:score"},
		{"beyond int64", `{"score":9223372036854775808}`, human, "band_review:score number_inexact:score"},
		{"beyond 2^53, with a fraction", `{"score":9007199254740993.0}`, apply, "band_high:score"},
		{"too large in a score that nobody reads", `{"score":0.95,"scores":{"x":1e400}}`, human, "band_high:score number_inexact:x"},
	}
	src := head + "bands:\n  score: {highMin: 0.9, reviewMin: 0.5}\nenableAutoApply: true\nenableAutoReject: true\n"
	slots, signals := mustParse(t, src).Threshold, mustParse(t, src+"rules:\n"+closureRule).Threshold
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			checkDecision(t, decide(slots, c.input), c.verdict, c.codes)
			checkDecision(t, decide(signals, c.input), c.verdict, c.codes)
		})
	}
}

// Numbers that can't be held matter where something may read them, and only
// there.
func TestInexactNumbersInMeta(t *testing.T) {
	const start = head + "bands:\n  score: {highMin: 0.9, reviewMin: 0.5}\nenableAutoApply: true\nenableAutoReject: true\n"
	rule := func(when string) string {
		return start + "rules:\n  - {id: r, when: " + when + ", force: auto_reject, reason: x}\n"
	}
	const (
		fine      = "band_high:score"
		inexact   = "band_high:score number_inexact:num"
		present   = "band_high:score rule_auto_reject:r number_inexact:num" // it is there, whatever it is
		undecided = "band_high:score number_inexact:num rule_error:r"
	)
	for _, c := range []struct {
		name, policy, n string
		verdict         threshold.Verdict
		codes           string
	}{
		{"not read at all", start, "1e400", apply, fine},
		{"not read at all, an integer", start, "9223372036854775808", apply, fine},
		{"not read at all, nested", start, `{"a":[1e400]}`, apply, fine},
		{"not read by a fixture", rule("{metaNumberLessThan: {key: m, value: 1}}"), "1e400", human, "band_high:score rule_error:r"},
		{"not read by CEL", rule("has(meta.m) && meta.m > 1"), "1e400", apply, fine},

		{"by a fixture", rule("{metaNumberLessThan: {key: num, value: 1}}"), "1e400", human, undecided},
		{"by a fixture, an integer", rule("{metaNumberLessThan: {key: num, value: 1}}"), "9223372036854775808", human, undecided},
		{"by a fixture, held exactly", rule("{metaNumberLessThan: {key: num, value: 1}}"), "9223372036854775807", apply, fine},
		{"by a fixture, compared exactly", rule("{metaNumberLessThan: {key: num, value: 9007199254740992}}"), "9007199254740993", apply, fine},
		{"by CEL", rule("meta.num > 1"), "1e400", human, undecided},
		{"by CEL, negative", rule("meta.num > 1"), "-1e400", human, undecided},
		{"by CEL, an integer", rule("meta.num > 1"), "-9223372036854775809", human, undecided},
		{"by CEL, held exactly", rule("meta.num < 9223372036854775807"), "9223372036854775807", apply, fine},
		{"by CEL, nested below", rule("meta.num.a.b > 1"), `{"a":{"b":1e400}}`, human, undecided},
		{"by CEL, beside what is read", rule("meta.num.a > 1"), `{"a":0,"b":[1e400]}`, human, undecided},
		{"by has", rule("has(meta.num)"), "1e400", human, present},
		{"by in", rule(`'"num" in meta'`), "1e400", human, present},
		{"by a walk over all of meta", rule("'meta.exists(k, k == \"x\")'"), "1e400", human, inexact},
		{"by a risk level", start + "risk:\n  - {level: low, when: meta.num > 1}\n", "1e400", human, inexact},
		{"declared, read by nobody", start + "signals: {score: {type: score}, num: {type: number}}\n", "1e400", human, inexact},
		{"declared, an integer beyond 2^53", start + "signals: {score: {type: score}, num: {type: number}}\n", "9007199254740993", human, inexact},
		{"declared as an integer, beyond 2^53", start + "signals: {score: {type: score}, num: {type: integer}}\n", "9007199254740993", apply, fine},
		{"declared as an integer, beyond int64", start + "signals: {score: {type: score}, num: {type: integer}}\n", "9223372036854775808", human, inexact},
		{"declarations of others", start + "signals: {score: {type: score}, m: {type: number}}\n", "1e400", apply, fine},
		{"too small becomes 0", rule("meta.num > 0"), "1e-400", apply, fine},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := decide(mustParse(t, c.policy).Threshold, `{"score":0.95,"meta":{"num":`+c.n+`}}`)
			checkDecision(t, d, c.verdict, c.codes)
		})
	}
}

// Every declared type against every kind of JSON value.
func TestDeclaredTypes(t *testing.T) {
	values := map[string]string{
		"null": "null", "true": "true", "integer": "3", "fraction": "2.5", "whole": "3.0", "string": `"3"`, "list": "[3]", "object": `{"n":3}`,
	}
	takes := map[string]string{
		"number": "integer fraction whole", "integer": "integer", "string": "string", "boolean": "true",
	}
	for typ, taken := range takes {
		src := head + "signals:\n  score: {type: score}\n  num: {type: " + typ + "}\nbands:\n  score: {highMin: 0.9, reviewMin: 0.5}\nenableAutoApply: true\n"
		slots, signals := mustParse(t, src).Threshold, mustParse(t, src+"rules:\n"+closureRule).Threshold
		for kind, value := range values {
			verdict, codes := human, "band_high:score signal_type:num"
			if slices.Contains(strings.Fields(taken), kind) {
				verdict, codes = apply, "band_high:score"
			}
			for _, gate := range []*policy.Threshold{slots, signals} {
				t.Run(typ+" "+kind, func(t *testing.T) {
					checkDecision(t, decide(gate, `{"score":0.95,"meta":{"num":`+value+`}}`), verdict, codes)
				})
			}
		}
		// Absent is of no type; whether that matters is up to the rules.
		checkDecision(t, decide(slots, `{"score":0.95}`), apply, "band_high:score")
		checkDecision(t, decide(slots, `{"score":0.95,"meta":{"other":[]},"flags":["undeclared"]}`), apply, "band_high:score")
	}
}

func TestDeclaredRanges(t *testing.T) {
	src := head + `
signals:
  score: {type: score, range: [0, 1]}
  num: {type: number, range: [-0.5, 2.5]}
  i: {type: integer, range: [0, 9007199254740992]}
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
enableAutoApply: true
enableAutoReject: true
`
	const fine, outside = "band_high:score", "band_review:score score_out_of_range:score"
	for _, c := range []struct {
		input   string
		verdict threshold.Verdict
		codes   string
	}{
		{`{"score":1}`, apply, fine},
		{`{"score":1.0000000000000002}`, human, outside},
		{`{"score":95}`, human, outside},
		{`{"score":0}`, reject, "band_low:score"},
		{`{"score":-0.0}`, reject, "band_low:score"},
		{`{"score":-5e-324}`, human, outside},
		{`{"score":-1e-400}`, reject, "band_low:score"},
		{`{"score":1,"scores":{"score":95}}`, human, "band_review:score score_conflict:score"},
		{`{"score":1,"meta":{"num":2.5}}`, apply, fine},
		{`{"score":1,"meta":{"num":-0.5}}`, apply, fine},
		{`{"score":1,"meta":{"num":2.5000000000000004}}`, human, "band_high:score signal_type:num"},
		{`{"score":1,"meta":{"num":3}}`, human, "band_high:score signal_type:num"},
		{`{"score":1,"meta":{"i":0}}`, apply, fine},
		{`{"score":1,"meta":{"i":-1}}`, human, "band_high:score signal_type:i"},
		{`{"score":1,"meta":{"i":9007199254740992}}`, apply, fine},
		{`{"score":1,"meta":{"i":9007199254740993}}`, human, "band_high:score signal_type:i"},
		{`{"score":1,"meta":{"i":1.0}}`, human, "band_high:score signal_type:i"},
		{`{"score":2,"meta":{"num":"x","i":true}}`, human, outside + " signal_type:i signal_type:num"},
	} {
		t.Run(c.input, func(t *testing.T) {
			checkDecision(t, decide(mustParse(t, src).Threshold, c.input), c.verdict, c.codes)
			checkDecision(t, decide(mustParse(t, src+"rules:\n"+closureRule).Threshold, c.input), c.verdict, c.codes)
		})
	}
}

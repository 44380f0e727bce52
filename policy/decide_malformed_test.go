package policy_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// Both ways by which an input reaches a gate: laid out in slots, and as whole
// signals, which the CEL rule asks for. What is malformed is so for both.
const (
	slotPolicy = head + `
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
rules:
  - {id: vip, when: {flag: vip}, force: route_to_human, reason: x}
  - {id: small, when: {metaNumberLessThan: {key: amount, value: 1}}, force: auto_reject, reason: x}
enableAutoApply: true
enableAutoReject: true
`
	closureRule   = "  - {id: never, when: 'false', force: route_to_human, reason: x}\n"
	closurePolicy = head + `
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
rules:
  - {id: vip, when: {flag: vip}, force: route_to_human, reason: x}
  - {id: small, when: {metaNumberLessThan: {key: amount, value: 1}}, force: auto_reject, reason: x}
` + closureRule + `enableAutoApply: true
enableAutoReject: true
`
)

// bothWays runs a test for a gate of slots and for one of whole signals.
func bothWays(t *testing.T, run func(t *testing.T, gate *policy.Threshold)) {
	t.Helper()
	for name, src := range map[string]string{"slots": slotPolicy, "signals": closurePolicy} {
		gate := mustParse(t, src).Threshold
		if gate.Gate().NeedsSignals() != (name == "signals") {
			t.Fatalf("%s: the gate needs signals: %v", name, gate.Gate().NeedsSignals())
		}
		t.Run(name, func(t *testing.T) { run(t, gate) })
	}
}

const good = `{"score":0.95,"meta":{"amount":20}}`

func TestMalformedInput(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat("0,", n-1) + "0]" }
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	cases := []struct{ name, input, says string }{
		{"nothing", "", "1:1: nothing stands here"},
		{"white space", " \n", "1:1: nothing stands here"},
		{"a byte order mark", "\ufeff" + good, "1:1: a byte order mark"},
		{"a list", "[" + good + "]", "the input must be an object, not a list"},
		{"a string", `"score"`, "the input must be an object, not a string"},
		{"null", "null", "the input must be an object, not null"},
		{"a number", "0.95", "the input must be an object, not a number"},
		{"half of it", `{"score":0.95,`, "the text ends in the middle"},
		{"text behind", good + "x", "1:36: "},
		{"a second input", good + " " + good, "text after the end"},
		{"a comma behind", good + ",", "1:36: "},
		{"NaN", `{"score":NaN,"meta":{"amount":20}}`, "1:10: "},
		{"Infinity", `{"score":Infinity}`, "1:10: "},
		{"a number with a leading zero", `{"score":00.95}`, "1:11: "},
		{"invalid UTF-8 in a flag", "{\"score\":0.95,\"flags\":[\"\xff\"]}", "invalid UTF-8"},
		{"invalid UTF-8 in what nobody reads", "{\"score\":0.95,\"meta\":{\"x\":\"\xff\"}}", "invalid UTF-8"},
		{"invalid UTF-8 in a name", "{\"score\":0.95,\"meta\":{\"\xff\":1}}", "invalid UTF-8"},
		{"a lone surrogate", `{"score":0.95,"flags":["\ud800"]}`, "surrogate"},
		{"a lone surrogate in what nobody reads", `{"score":0.95,"meta":{"x":["\udc00"]}}`, "surrogate"},
		{"a control character", "{\"score\":0.95,\"flags\":[\"\x01\"]}", "control character"},

		{"an unknown member", `{"score":0.95,"sroce":1}`, `unknown member "sroce": did you mean score?`},
		{"a member in another case", `{"Score":0.95}`, `unknown member "Score": did you mean score?`},
		{"an empty name", `{"":0.95}`, `unknown member ""`},
		{"an unknown member of signals", `{"signals":{"score":0.95,"id":"x"}}`, `unknown member "id"`},
		{"signals in signals", `{"signals":{"signals":{}}}`, `unknown member "signals"`},
		{"score twice", `{"score":0.95,"score":0.95}`, "a second time (at /score)"},
		{"score twice, written in another way", `{"score":0.1,"\u0073core":0.95}`, "a second time (at /score)"},
		{"a named score twice", `{"scores":{"score":0.1,"score":0.95}}`, "a second time (at /scores/score)"},
		{"a key of meta twice", `{"score":0.95,"meta":{"amount":0,"amount":20}}`, "a second time (at /meta/amount)"},
		{"a key twice, deep in what nobody reads", `{"score":0.95,"meta":{"x":[{"a":1,"a":1}]}}`, "a second time (at /meta/x/0/a)"},
		{"meta twice", `{"meta":{"amount":0},"meta":{"amount":20}}`, "a second time (at /meta)"},

		{"scores as a list", `{"scores":[0.95]}`, "scores must be an object, not a list"},
		{"scores as a number", `{"scores":0.95}`, "scores must be an object, not a number"},
		{"flags as a string", `{"score":0.95,"flags":"vip"}`, "flags must be a list of strings, not a string"},
		{"flags as an object", `{"score":0.95,"flags":{"vip":true}}`, "flags must be a list of strings, not an object"},
		{"a flag that is a number", `{"score":0.95,"flags":["a",1]}`, "flags must be a list of strings; one entry is a number"},
		{"a flag that is null", `{"score":0.95,"flags":[null]}`, "flags must be a list of strings; one entry is null"},
		{"a flag that is a list", `{"score":0.95,"flags":[["vip"]]}`, "flags must be a list of strings; one entry is a list"},
		{"meta as a list", `{"score":0.95,"meta":[]}`, "meta must be an object, not a list"},
		{"meta as false", `{"score":0.95,"meta":false}`, "meta must be an object, not a boolean"},

		{"score beside an envelope", `{"id":"x","signals":{},"score":0.95}`, "belong into signals"},
		{"an id before bare signals", `{"id":"x","score":0.95}`, "belong into signals"},
		{"an id behind bare signals", `{"score":0.95,"id":"x"}`, "belong into signals"},
		{"meta beside an envelope", `{"signals":{"score":0.95},"meta":{"amount":20}}`, "belong into signals"},
		{"an envelope without signals", `{"id":"x"}`, "needs signals"},
		{"only an action", `{"action":{}}`, "needs signals"},
		{"signals that are null", `{"signals":null}`, "signals must be an object, not null"},
		{"signals that are a list", `{"signals":[]}`, "signals must be an object, not a list"},
		{"signals twice", `{"signals":{"score":0.1},"signals":{"score":0.95}}`, "a second time (at /signals)"},
		{"an id that is a number", `{"id":5,"signals":{"score":0.95}}`, "id must be a string, not a number"},
		{"an id that is null", `{"id":null,"signals":{"score":0.95}}`, "id must be a string, not null"},
		{"a subject that is an object", `{"subject":{},"signals":{"score":0.95}}`, "subject must be a string, not an object"},
		{"a duplicate member in the action", `{"action":{"a":1,"a":2},"signals":{"score":0.95}}`, "a second time (at /action/a)"},

		{"65 levels", `{"score":0.95,"meta":{"x":` + nested(63) + `}}`, "nested more than 64 levels deep"},
		{"65 levels in the action", `{"signals":{},"action":` + nested(64) + `}`, "nested more than 64 levels deep"},
		{"50,000 levels", `{"score":0.95,"meta":{"x":` + strings.Repeat("[", 50_000), "1:"},
		{"10,001 members", `{"score":0.95,"meta":{"x":` + list(9_998) + `}}`, "more than 10000 members"},
		{"10,001 flags", `{"score":0.95,"flags":[` + strings.Repeat(`"a",`, 10_000) + `"a"]}`, "more than 10000 members"},
		{"1 MiB and a byte", good + strings.Repeat(" ", 1<<20-len(good)+1), "1048577 bytes; 1048576 are allowed"},
	}
	bothWays(t, func(t *testing.T, gate *policy.Threshold) {
		for _, c := range cases {
			d := decide(gate, c.input)
			// The amount is unknown, as everything is.
			if got, want := strings.Join(codes(d), " "), "band_review:score input_malformed score_missing:score rule_error:small"; got != want || d.Verdict != threshold.RouteToHuman {
				t.Errorf("%s: %s, codes %q, want %q", c.name, d.Verdict, got, want)
				continue
			}
			if !d.Malformed() {
				t.Errorf("%s: Malformed is false", c.name)
			}
			if says := d.Reasons[1].Message; !strings.Contains(says, c.says) {
				t.Errorf("%s: says %.200q, want %q in it", c.name, says, c.says)
			}
		}
	})
}

func TestInputsAtTheLimitsAreFine(t *testing.T) {
	list := func(n int) string { return "[" + strings.Repeat("0,", n-1) + "0]" }
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	bothWays(t, func(t *testing.T, gate *policy.Threshold) {
		for name, input := range map[string]string{
			"bare":                    good,
			"an envelope":             `{"id":"x","subject":"y","signals":` + good + `,"action":[{"a":1}]}`,
			"signals alone":           `{"signals":` + good + `}`,
			"signals last":            `{"action":null,"id":"","signals":` + good + `}`,
			"white space":             "\r\n\t " + good + " \n",
			"nulls":                   `{"score":0.95,"scores":null,"flags":null,"meta":{"amount":20,"x":null}}`,
			"empty ones":              `{"score":0.95,"scores":{},"flags":[],"meta":{"amount":20}}`,
			"escaped names":           `{"\u0073core":0.95,"m\u0065ta":{"\u0061mount":20}}`,
			"64 levels":               `{"score":0.95,"meta":{"amount":20,"x":` + nested(62) + `}}`,
			"10,000 members":          `{"score":0.95,"meta":{"amount":20,"x":` + list(9_996) + `}}`,
			"1 MiB":                   good + strings.Repeat(" ", 1<<20-len(good)),
			"the same flag twice":     `{"score":0.95,"flags":["a","a"],"meta":{"amount":20}}`,
			"a flag in another case":  `{"score":0.95,"flags":["VIP"," vip"],"meta":{"amount":20}}`,
			"the score in two places": `{"score":0.95,"scores":{"score":0.950},"meta":{"amount":20}}`,
		} {
			t.Run(name, func(t *testing.T) {
				checkDecision(t, decide(gate, input), threshold.AutoApply, "band_high:score")
			})
		}
	})
}

// In a stream the place is one of the file.
func TestMalformedInputNamesItsLine(t *testing.T) {
	d := mustParse(t, slotPolicy).Threshold.NewDecider()
	d.SetLine(41)
	var got threshold.Decision
	d.DecideJSON(&got, []byte("{\n\"flags\":7}"))
	if says := got.Reasons[1].Message; !strings.HasPrefix(says, "42:") || !strings.HasSuffix(says, "(at /flags)") {
		t.Errorf("%q", says)
	}
}

func TestDecideMalformed(t *testing.T) {
	bothWays(t, func(t *testing.T, gate *policy.Threshold) {
		d := gate.NewDecider()
		var got threshold.Decision
		d.DecideJSON(&got, []byte(good))
		d.DecideMalformed(&got, "a line of 5 MB")
		checkDecision(t, &got, threshold.RouteToHuman, "band_review:score input_malformed score_missing:score rule_error:small")
		if got.Reasons[1].Message != "a line of 5 MB" {
			t.Errorf("%q", got.Reasons[1].Message)
		}
	})
}

// Of two ids neither is the input's.
func TestTwoIDsAreNone(t *testing.T) {
	d := mustParse(t, head).Threshold.NewDecider()
	var dst threshold.Decision
	for input, want := range map[string]string{
		`{"id":"a","id":"b","signals":{}}`:      "",
		`{"id":"a","\u0069d":"b","signals":{}}`: "",
		`{"id":"a","signals":{},"signals":{}}`:  "a",
		`{"id":"a","signals":{"id":1,"id":2}}`:  "a",
	} {
		env := d.DecideJSON(&dst, []byte(input))
		if !dst.Malformed() || string(env.ID) != want {
			t.Errorf("%s: id %q, want %q; %s", input, env.ID, want, text(&dst))
		}
	}
}

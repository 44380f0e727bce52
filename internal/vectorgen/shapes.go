package main

import (
	"fmt"
	"slices"
	"strings"
)

// values are one value or more of each kind that JSON knows.
var values = []struct{ kind, name, text string }{
	{"null", "null", "null"},
	{"boolean", "true", "true"},
	{"boolean", "false", "false"},
	{"number", "0", "0"},
	{"number", "a fraction", "0.95"},
	{"string", "an empty string", `""`},
	{"string", "a string", `"0.95"`},
	{"list", "an empty list", "[]"},
	{"list", "a list of a string", `["x"]`},
	{"list", "a list of a number", "[0.95]"},
	{"object", "an empty object", "{}"},
	{"object", "an object", `{"x": 0.95}`},
}

// place is somewhere in an input where a value can stand.
type place struct {
	name   string
	input  string // %s is the value
	policy policy
	scored string // the band's score when the value isn't it
	// verdict says what the contract makes of a value there: "" if it is fine,
	// "malformed", or a fault.
	verdict func(kind, text string) string
}

// shapes puts each kind of value at each place of an input.
func shapes() []vector {
	var out []vector
	for _, p := range places() {
		for _, v := range values {
			out = append(out, shaped(p, v.kind, v.name, v.text))
		}
	}
	return out
}

func shaped(p place, kind, name, text string) vector {
	s := situation{apply: true, reject: true}
	level, fault := high, p.verdict(kind, text)
	if p.scored == "" { // the value is the score
		level = low
		if text == "0.95" {
			level = high
		}
		if fault != "" {
			level = review
		}
	}
	if fault == "malformed" {
		level = review
		s.faults = []string{"input_malformed", "score_missing:score"}
		if p.policy.rules != nil {
			s.faults = append(s.faults, "rule_error:r")
		}
	} else if fault != "" {
		s.faults = strings.Fields(fault)
		if slices.Contains(s.faults, "score_missing:score") {
			level = review
		}
	}
	s.bands = []band{{"score", level}}
	return vector{
		name:   fmt.Sprintf("shape: %s is %s", p.name, name),
		input:  fmt.Sprintf(p.input, text),
		policy: p.policy,
		expect: s.decide(),
	}
}

func places() []place {
	plain := automatic(member("score", usual))
	reading := plain
	reading.rules = []string{rule("r", lessThan("k", "-1"), reject)}
	only := func(kinds ...string) func(kind, text string) string {
		return func(kind, _ string) string {
			if slices.Contains(kinds, kind) {
				return ""
			}
			return "malformed"
		}
	}
	numeric := func(score, absent string) func(kind, text string) string {
		return func(kind, _ string) string {
			switch kind {
			case "number":
				return ""
			case "null":
				return absent
			}
			return "score_not_number:" + score
		}
	}
	return []place{
		{"score", `{"score": %s}`, plain, "", numeric("score", "score_missing:score")},
		{"the banded score by name", `{"scores": {"score": %s}}`, plain, "", numeric("score", "score_missing:score")},
		{"a score that nobody bands", `{"score": 0.95, "scores": {"x": %s}}`, plain, "score", numeric("x", "")},
		{"scores", `{"score": 0.95, "scores": %s}`, plain, "score", only("null", "object")},
		{"flags", `{"score": 0.95, "flags": %s}`, plain, "score", func(kind, text string) string {
			if kind == "list" && text != "[0.95]" || kind == "null" {
				return ""
			}
			return "malformed"
		}},
		{"a flag", `{"score": 0.95, "flags": ["a", %s]}`, plain, "score", only("string")},
		{"meta", `{"score": 0.95, "meta": %s}`, plain, "score", only("null", "object")},
		{"a key of meta that nobody reads", `{"score": 0.95, "meta": {"k": %s}}`, plain, "score", func(string, string) string { return "" }},
		{"a key of meta that a rule reads", `{"score": 0.95, "meta": {"k": %s}}`, reading, "score", func(kind, _ string) string {
			if kind == "number" {
				return ""
			}
			return "rule_error:r"
		}},
		{"the input", `%s`, reading, "score", func(_, text string) string {
			if text == "{}" {
				return "score_missing:score rule_error:r"
			}
			return "malformed"
		}},
		{"the id", `{"id": %s, "signals": {"score": 0.95}}`, plain, "score", only("string")},
		{"the signals of an envelope", `{"id": "x", "signals": %s}`, plain, "score", func(_, text string) string {
			if text == "{}" {
				return "score_missing:score"
			}
			return "malformed"
		}},
		{"the action", `{"signals": {"score": 0.95}, "action": %s}`, plain, "score", func(string, string) string { return "" }},
	}
}

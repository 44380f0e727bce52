package main

import (
	"slices"
	"strings"
)

// part is what brings one fault about. The parts of two faults can be put into
// one input.
type part struct {
	fault    string // "code:subject"
	band     string // the configured score that it makes faulty
	score    string // the value of score
	scores   string // a member of scores
	meta     string // a member of meta
	declares bool   // it needs declarations
	signals  []string
	rule     string
	special  bool // it needs a number that JSON can't write
	literal  bool // the way of writing counts
}

// parts are in the order in which the contract lists the faults. The subjects
// run the other way, so that whoever sorts by subject alone is found out.
var parts = []part{
	{fault: "score_missing:z1", band: "z1", signals: []string{`"z1": {"type": "score"}`}},
	{fault: "score_not_number:y1", band: "y1", scores: `"y1": "0.95"`, signals: []string{`"y1": {"type": "score"}`}},
	{fault: "score_not_finite:x1", band: "x1", scores: `"x1": {"$number": "NaN"}`, signals: []string{`"x1": {"type": "score"}`}, special: true},
	{fault: "score_out_of_range:w1", band: "w1", scores: `"w1": 1.5`, signals: []string{`"w1": {"type": "score", "range": [0, 1]}`}, declares: true},
	{fault: "score_conflict:score", band: "score", score: "0.95", scores: `"score": 0.1`, signals: []string{`"score": {"type": "score"}`}},
	{fault: "number_inexact:d1", band: "d1", scores: `"d1": 9007199254740993`, signals: []string{`"d1": {"type": "score"}`}, literal: true},
	{fault: "signal_type:c1", meta: `"c1": "5"`, signals: []string{`"c1": {"type": "integer"}`}, declares: true},
	{fault: "rule_error:b1", rule: rule("b1", lessThan("b2", "1"), reject), signals: []string{`"b2": {"type": "number"}`}},
	{fault: "gate_supervised"},
}

// faults puts every two faults into one input, and the malformed input beside
// those that it can stand beside.
func faults() []vector {
	var out []vector
	for i, a := range parts {
		out = append(out, together(a))
		for _, b := range parts[i+1:] {
			if a.special && b.literal {
				continue // one input can't be both a value and a text
			}
			out = append(out, together(a, b))
		}
	}
	for _, p := range parts {
		if p.score == "" && p.scores == "" && p.meta == "" { // of a malformed input nothing is used
			out = append(out, besideMalformed(p))
		}
	}
	return out
}

// together makes one vector of parts that stand in the order of their faults.
// There is a good score besides, called a0. The input has the parts in the
// opposite order.
func together(ps ...part) vector {
	s := situation{bands: []band{{"a0", high}}, apply: true, reject: true}
	v := vector{policy: automatic(member("a0", usual))}
	scores, signals := []string{member("a0", usualHigh)}, []string{`"a0": {"type": "score"}`}
	var score, meta, names []string
	var declares bool
	for _, p := range ps {
		names = append(names, p.code())
		s.faults = append(s.faults, p.fault)
		if p.band != "" {
			v.policy.bands = append(v.policy.bands, member(p.band, usual))
			s.bands = append(s.bands, band{p.band, review})
		}
		if p.score != "" {
			score = append(score, member("score", p.score))
		}
		scores, meta = nonempty(scores, p.scores), nonempty(meta, p.meta)
		v.policy.rules = nonempty(v.policy.rules, p.rule)
		signals, declares = append(signals, p.signals...), declares || p.declares
		v.asText = v.asText || p.literal
		v.supervised = v.supervised || p.supervises()
	}
	if declares {
		v.policy.signals = signals
	}
	var input []string
	if meta != nil {
		input = append(input, member("meta", object(meta...)))
	}
	slices.Reverse(scores)
	input = append(append(input, member("scores", object(scores...))), score...)
	v.name = "fault: " + strings.Join(names, " and ")
	v.input, v.expect = object(input...), s.decide()
	return v
}

// besideMalformed makes a vector of a part and of an input that is malformed
// though it looks good: one member stands in it twice.
func besideMalformed(p part) vector {
	s := situation{
		bands:  []band{{"a0", review}},
		faults: []string{"input_malformed", "score_missing:a0", p.fault},
	}
	v := together(p)
	if p.band != "" {
		s.bands = append(s.bands, band{p.band, review})
	}
	v.name = "fault: input_malformed and " + p.code()
	v.input, v.asText = `{"scores": {"a0": 0.95}, "scores": {"a0": 0.95}}`, true
	v.expect = s.decide()
	return v
}

func (p part) code() string {
	code, _, _ := strings.Cut(p.fault, ":")
	return code
}

func (p part) supervises() bool { return p.fault == "gate_supervised" }

func nonempty(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}

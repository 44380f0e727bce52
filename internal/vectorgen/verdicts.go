package main

import (
	"fmt"
	"strings"
)

// forces are ways in which the rules of a policy can end. The flags "h" and "r"
// fire rules of those names; the rule "u" reads a key of meta that is absent.
var forces = []struct {
	name  string
	fired []firing
	fault string
}{
	{"no rule fired", nil, ""},
	{"a rule asks for a person", []firing{{"h", human}}, ""},
	{"a rule asks for a rejection", []firing{{"r", reject}}, ""},
	{"rules ask for a rejection and a person", []firing{{"r", reject}, {"h", human}}, ""},
	{"a rule is unknown", nil, "rule_error:u"},
	{"a rule is unknown and one asks for a rejection", []firing{{"r", reject}}, "rule_error:u"},
}

// verdicts walks over all that steps 2 to 5 decide from: the tentative verdict,
// the rules, what is switched on, and whether there is a fault besides.
func verdicts() []vector {
	var out []vector
	for _, level := range []string{high, review, low, ""} {
		for i := range forces {
			for _, on := range []struct {
				name          string
				apply, reject bool
			}{
				{"nothing is switched on", false, false},
				{"auto_apply is switched on", true, false},
				{"auto_reject is switched on", false, true},
				{"both are switched on", true, true},
			} {
				for _, fault := range []string{"", "score_not_number:other", "gate_supervised"} {
					if fault != "" && (i == 1 || i > 2) {
						continue // goes to a person as it is
					}
					out = append(out, ruled(level, i, on.name, fault, on.apply, on.reject))
				}
			}
		}
	}
	return out
}

func ruled(level string, force int, on, fault string, canApply, canReject bool) vector {
	f := forces[force]
	s := situation{fired: f.fired, apply: canApply, reject: canReject}
	v := vector{policy: policy{apply: canApply, reject: canReject}, supervised: fault == "gate_supervised"}

	what := "no bands"
	var input []string
	if level != "" {
		what = "a " + level + " score"
		s.bands = []band{{"score", level}}
		v.policy.bands = []string{member("score", usual)}
		input = append(input, member("score", usualScore[level]))
	}
	name := []string{what, f.name, on}
	switch fault {
	case "score_not_number:other":
		name = append(name, "another score is no number")
		input = append(input, member("scores", `{"other": "x"}`))
	case "gate_supervised":
		name = append(name, "the gate is supervised")
	}
	if fault == "score_not_number:other" {
		s.faults = append(s.faults, fault)
	}
	if f.fault != "" {
		s.faults = append(s.faults, f.fault)
		v.policy.rules = append(v.policy.rules, rule("u", lessThan("absent", "1"), reject))
	}
	if v.supervised {
		s.faults = append(s.faults, fault)
	}
	var flags []string
	for _, x := range f.fired {
		flags = append(flags, quote(x.id))
	}
	v.policy.rules = append(v.policy.rules, rule("r", flagged("r"), reject), rule("h", flagged("h"), human))
	if flags != nil {
		input = append(input, member("flags", "["+strings.Join(flags, ", ")+"]"))
	}
	v.name, v.input, v.expect = "verdict: "+strings.Join(name, ", "), object(input...), s.decide()
	return v
}

// combines walks over the bands of two and of three scores.
func combines() []vector {
	var out []vector
	named := map[string]func([]band) string{"": lowest, "lowest": lowest, "unanimous": unanimous}
	for _, combine := range []string{"lowest", "unanimous", ""} {
		for _, levels := range tuples([]string{high, review, low, "missing"}, 2) {
			out = append(out, combined(combine, named[combine], levels))
		}
		if combine == "" {
			continue // the default is the same as lowest
		}
		for _, levels := range tuples([]string{high, review, low}, 1) {
			out = append(out, combined(combine, named[combine], levels))
		}
		for _, levels := range tuples([]string{high, review, low}, 3) {
			out = append(out, combined(combine, named[combine], levels))
		}
	}
	return out
}

func combined(name string, combine func([]band) string, levels []string) vector {
	s := situation{combine: combine, apply: true, reject: true}
	v := vector{policy: automatic()}
	v.policy.combine = name
	var scores []string
	for i, level := range levels {
		score := string(rune('a' + i))
		v.policy.bands = append(v.policy.bands, member(score, usual))
		if level == "missing" {
			s.bands = append(s.bands, band{score, review})
			s.faults = append(s.faults, "score_missing:"+score)
			continue
		}
		s.bands = append(s.bands, band{score, level})
		scores = append(scores, member(score, usualScore[level]))
	}
	if name == "" {
		name = "the default"
	}
	v.name = fmt.Sprintf("combine: %s of %s", name, strings.Join(levels, ", "))
	v.input = object(member("scores", object(scores...)))
	v.expect = s.decide()
	return v
}

// tuples returns all lists of n of the words, in the order of the words.
func tuples(words []string, n int) [][]string {
	if n == 0 {
		return [][]string{nil}
	}
	var out [][]string
	for _, rest := range tuples(words, n-1) {
		for _, w := range words {
			out = append(out, append(append([]string(nil), rest...), w))
		}
	}
	return out
}

package main

import "strings"

// The limits of one input: entries of lists and members of objects, all of them
// counted.
const maxMembers = 10_000

// limits fills inputs up to the limits and one beyond.
func limits() []vector {
	items := func(item string, n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
	}
	var out []vector
	for _, c := range []struct {
		where string
		// besides is how many members the input has around the filling.
		besides int
		input   func(n int) string
	}{
		{"a list in meta", 3, func(n int) string { return `{"score":0.95,"meta":{"x":` + items("0", n) + `}}` }},
		{"flags", 2, func(n int) string { return `{"score":0.95,"flags":` + items(`""`, n) + `}` }},
		{"lists of lists in meta", 5, func(n int) string {
			return `{"score":0.95,"meta":{"x":[` + items("0", n/2) + `,` + items("0", n-n/2) + `]}}`
		}},
		{"a list in the action", 3, func(n int) string { return `{"signals":{"score":0.95},"action":` + items("0", n) + `}` }},
	} {
		for _, beyond := range []bool{false, true} {
			n, name := maxMembers-c.besides, "10,000 members"
			s := situation{bands: []band{{"score", high}}, apply: true, reject: true}
			if beyond {
				n, name = n+1, "10,001 members"
				s.bands[0].level = review
				s.faults = []string{"input_malformed", "score_missing:score"}
			}
			out = append(out, vector{
				name:   "limit: " + name + ", most of them in " + c.where,
				input:  c.input(n),
				asText: true,
				policy: automatic(member("score", usual)),
				expect: s.decide(),
			})
		}
	}
	return out
}

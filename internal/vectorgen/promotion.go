package main

import (
	"fmt"
	"strings"
)

// said is one value of a column of the promotion gate's inputs: its name, the
// member that says it ("" for none), and whether its guard is content with it.
type said struct {
	name, member string
	holds        bool
	// waived says that the policy lets a tripwire be missing; only set for the
	// tripwire's column.
	waived bool
	// kinds are the kinds that count, for the column of the signals.
	kinds []string
	// inProcess marks the oracle that alone makes a candidate.
	inProcess bool
}

// contents is one value for each column, in the contract's order of guards.
type contents [7]said

// promotionGuards are the guards of the columns.
var promotionGuards = [7]string{"tripwire", "irreversible_tool", "statistics", "concurrence", "oracle", "gate2", "gate4"}

const clear = `"tripwire": {"escalate": false, "reasons": []}`

// holding is the value of each column with which its guard is content.
var holding = contents{
	{name: "clear", member: clear, holds: true},
	{name: "reversible", member: `"touchesIrreversibleTool": false`, holds: true},
	{name: "statistics", member: `"statisticsPresent": true`, holds: true},
	{name: "two kinds", member: `"concurringSignals": ["unit_tests", "canary"]`, holds: true, kinds: []string{"canary", "unit_tests"}},
	{name: "isolated", member: `"oracle": "out_of_process_isolated"`, holds: true},
	{name: "positive", member: `"record": {"gate2Verdict": "present_positive"}`, holds: true},
	{name: "armed", member: `"gate4Armed": true`, holds: true},
}

// plain are the values of which every combination is tried; the first of each
// column is that of holding.
var plain = [7][]said{
	{
		holding[0],
		{name: "raised", member: `"tripwire": {"escalate": true, "reasons": ["curl"]}`},
		{name: "no tripwire"},
		{name: "waived", holds: true, waived: true},
	},
	{holding[1], {name: "irreversible", member: `"touchesIrreversibleTool": true`}},
	{holding[2], {name: "no statistics", member: `"statisticsPresent": false`}},
	{holding[3], {name: "one kind", member: `"concurringSignals": ["canary"]`, kinds: []string{"canary"}}},
	{
		holding[4],
		{name: "in process", member: `"oracle": "in_process_probe_only"`, inProcess: true},
		{name: "not isolated", member: `"oracle": "not_isolated"`},
		{name: "unknown", member: `"oracle": "unknown"`},
		{name: "an odd oracle", member: `"oracle": "isolated"`},
		{name: "no oracle"},
	},
	{holding[5], {name: "absent", member: `"record": {"gate2Verdict": "absent_or_ungated"}`}},
	{holding[6], {name: "not armed", member: `"gate4Armed": false`}},
}

// odd are the values that are tried alone and in pairs.
var odd = [7][]said{
	{
		{name: "a tripwire that is null", member: `"tripwire": null`},
		{name: "an empty tripwire", member: `"tripwire": {}`},
		{name: "a tripwire without escalate", member: `"tripwire": {"reasons": []}`},
		{name: "a tripwire with escalate null", member: `"tripwire": {"escalate": null, "reasons": []}`},
		{name: "reasons that don't escalate", member: `"tripwire": {"escalate": false, "reasons": ["curl"]}`},
		{name: "a finding that doesn't escalate", member: `"tripwire": {"escalate": false, "reasons": [{"kind": "egress", "token": "curl", "file": "SKILL.md", "line": 3, "col": 1, "offset": 20, "detail": "fetches"}]}`},
		{name: "an escalation without reasons", member: `"tripwire": {"escalate": true}`},
		{name: "a tripwire that is null, waived", member: `"tripwire": null`, holds: true, waived: true},
		{name: "an empty tripwire, advisory", member: `"tripwire": {}`, waived: true},
		{name: "raised, advisory", member: `"tripwire": {"escalate": true, "reasons": ["curl"]}`, waived: true},
		{name: "reasons that don't escalate, advisory", member: `"tripwire": {"escalate": false, "reasons": ["curl"]}`, waived: true},
		{name: "clear, advisory", member: clear, holds: true, waived: true},
		{name: "clear without reasons", member: `"tripwire": {"escalate": false}`, holds: true},
	},
	{
		{name: "no word on tools"},
		{name: "tools that are null", member: `"touchesIrreversibleTool": null`},
	},
	{
		{name: "no word on statistics"},
		{name: "statistics that are null", member: `"statisticsPresent": null`},
	},
	{
		{name: "no signals"},
		{name: "signals that are null", member: `"concurringSignals": null`},
		{name: "an empty set", member: `"concurringSignals": []`},
		{name: "one kind twice", member: `"concurringSignals": ["canary", " CANARY"]`, kinds: []string{"canary"}},
		{name: "three kinds", member: `"concurringSignals": ["replay", "canary", "unit_tests"]`, holds: true, kinds: []string{"canary", "replay", "unit_tests"}},
	},
	{
		{name: "an oracle that is null", member: `"oracle": null`},
		{name: "an oracle in upper case", member: `"oracle": "OUT_OF_PROCESS_ISOLATED"`},
		{name: "an oracle that is empty", member: `"oracle": ""`},
	},
	{
		{name: "no record"},
		{name: "a record that is null", member: `"record": null`},
		{name: "an empty record", member: `"record": {}`},
		{name: "a verdict that is null", member: `"record": {"gate2Verdict": null}`},
		{name: "an odd verdict", member: `"record": {"gate2Verdict": "positive"}`},
	},
	{
		{name: "no word on gate 4"},
		{name: "gate 4 that is null", member: `"gate4Armed": null`},
	},
}

// decide is the contract's fold.
func (c contents) decide() promoted {
	p := promoted{terminal: "needs_human", kinds: c[3].kinds, tripwire: "raised"}
	for i, v := range c {
		if !v.holds {
			p.stops = append(p.stops, promotionGuards[i])
		}
	}
	switch {
	case c[0].member == "" || c[0].member == `"tripwire": null`:
		p.tripwire = "did_not_run"
	case c[0].holds:
		p.tripwire = "nothing_found"
	}
	switch {
	case len(p.stops) == 0:
		p.terminal = "auto_promote"
	case len(p.stops) == 1 && c[4].inProcess:
		p.terminal = "candidate_only"
	}
	return p
}

// promoted is what the promotion gate must answer.
type promoted struct {
	terminal string
	stops    []string // the guards, in order
	kinds    []string
	tripwire string
}

func (p promoted) json() string {
	guard, others := "null", []string{}
	for i, s := range p.stops {
		if i == 0 {
			guard = quote(s)
		} else {
			others = append(others, quote(s))
		}
	}
	kinds := make([]string, len(p.kinds))
	for i, k := range p.kinds {
		kinds[i] = quote(k)
	}
	return object(
		member("terminal", quote(p.terminal)), member("guard", guard), member("others", "["+strings.Join(others, ", ")+"]"),
		member("kinds", "["+strings.Join(kinds, ", ")+"]"), member("tripwire", quote(p.tripwire)))
}

// promotionVector is one line of promotion/decide.
type promotionVector struct {
	name string
	said contents
}

func (v promotionVector) json() string {
	var inputs []string
	for _, i := range []int{4, 5, 6, 1, 2, 3, 0} { // the seed's order
		if m := v.said[i].member; m != "" {
			inputs = append(inputs, m)
		}
	}
	m := []string{member("name", quote(v.name)), member("inputs", object(inputs...))}
	if v.said[0].waived {
		m = append(m, `"options": {"advisory": true}`)
	}
	return object(append(m, member("expect", v.said.decide().json()))...)
}

// guards tries every combination of the plain values.
func guards() []promotionVector {
	out := []promotionVector{{}}
	for column, values := range plain {
		var longer []promotionVector
		for _, v := range out {
			for _, value := range values {
				w := v
				w.said[column] = value
				w.name += ", " + value.name
				longer = append(longer, w)
			}
		}
		out = longer
	}
	for i := range out {
		out[i].name = "guards: " + strings.TrimPrefix(out[i].name, ", ")
	}
	return out
}

// oddities tries each odd value alone, each beside an oracle in process (which
// must be the only shortfall), and each beside each odd value of another
// column.
func oddities() []promotionVector {
	var out []promotionVector
	for column, values := range odd {
		for _, value := range values {
			c := holding
			c[column] = value
			out = append(out, promotionVector{"odd: " + value.name, c})
			if column != 4 {
				c[4] = plain[4][1]
				out = append(out, promotionVector{fmt.Sprintf("odd: %s, in process", value.name), c})
			}
			for other := column + 1; other < len(odd); other++ {
				for _, second := range odd[other] {
					d := holding
					d[column], d[other] = value, second
					out = append(out, promotionVector{fmt.Sprintf("odd: %s, and %s", value.name, second.name), d})
				}
			}
		}
	}
	return out
}

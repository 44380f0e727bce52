package policy_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// diffCase is two policies, what Diff says of each change ("key direction", one
// after the other), and an input that gets another verdict, looser or not as
// the directions say, unless it is empty.
type diffCase struct {
	name     string
	old, now string
	want     string
	input    string
}

const (
	onlyApply  = "enableAutoApply: true\n"
	onlyReject = "enableAutoReject: true\n"
	bothOn     = onlyApply + onlyReject
	bandA      = "bands: {a: {highMin: 0.8, reviewMin: 0.4}}\n"
	bandAB     = "bands: {a: {highMin: 0.8, reviewMin: 0.4}, b: {highMin: 0.8, reviewMin: 0.4}}\n"
	unanimous  = "combine: unanimous\n"
	rejectsMid = "combine: 'bands.a == \"review\" ? \"auto_reject\" : \"auto_apply\"'\n"
	high       = `{"scores":{"a":0.9}}`
	mid        = `{"scores":{"a":0.6}}`
	low        = `{"scores":{"a":0.1}}`
)

func band(high, review string) string {
	return fmt.Sprintf("bands: {a: {highMin: %s, reviewMin: %s}}\n", high, review)
}

func rules(list ...string) string {
	var b strings.Builder
	b.WriteString("rules:\n")
	for i, r := range list {
		force, when, _ := strings.Cut(r, " ")
		id := "r"
		if i > 0 {
			id = fmt.Sprintf("r%d", i)
		}
		if name, rest, ok := strings.Cut(force, ":"); ok {
			id, force = name, rest
		}
		fmt.Fprintf(&b, "  - {id: %s, when: %s, force: %s, reason: x}\n", id, when, map[string]string{"human": "route_to_human", "reject": "auto_reject"}[force])
	}
	return b.String()
}

func signals(list string) string { return "signals: {" + list + "}\n" }

var diffCases = []diffCase{
	{"highMin up", onlyApply + bandA, onlyApply + band("0.95", "0.4"), "bands.a.highMin tighter", high},
	{"highMin down", onlyApply + bandA, onlyApply + band("0.5", "0.4"), "bands.a.highMin looser", mid},
	{"highMin up, unanimous", bothOn + unanimous + bandA, bothOn + unanimous + band("0.95", "0.4"), "bands.a.highMin tighter", high},
	{"highMin up, an expression", bothOn + rejectsMid + bandA, bothOn + rejectsMid + band("0.95", "0.4"), "bands.a.highMin not_comparable", high},
	{"highMin up, an expression that can't reject", onlyApply + rejectsMid + bandA, onlyApply + rejectsMid + band("0.95", "0.4"), "bands.a.highMin tighter", high},
	{"highMin, nothing is applied", onlyReject + bandA, onlyReject + band("0.5", "0.4"), "bands.a.highMin same", ""},
	{"reviewMin up", bothOn + bandA, bothOn + band("0.8", "0.7"), "bands.a.reviewMin looser", mid},
	{"reviewMin up, nothing is rejected", onlyApply + bandA, onlyApply + band("0.8", "0.7"), "bands.a.reviewMin same", ""},
	{"reviewMin up, as rejecting is switched off", bothOn + bandA, onlyApply + band("0.8", "0.7"), "bands.a.reviewMin same, enableAutoReject tighter", low},
	{"reviewMin down", bothOn + bandA, bothOn + band("0.8", "0.05"), "bands.a.reviewMin tighter", low},
	{"reviewMin down, unanimous", bothOn + unanimous + bandA, bothOn + unanimous + band("0.8", "0.05"), "bands.a.reviewMin tighter", low},
	{"reviewMin down, an expression", bothOn + rejectsMid + bandA, bothOn + rejectsMid + band("0.8", "0.05"), "bands.a.reviewMin not_comparable", low},
	{"both bounds up", bothOn + bandA, bothOn + band("0.95", "0.9"), "bands.a.highMin tighter, bands.a.reviewMin looser", mid},

	{"first band", bothOn, bothOn + bandA, "bands.a looser", high},
	{"second band", onlyApply + bandA, onlyApply + bandAB, "bands.b tighter", high},
	{"second band, low rejects", bothOn + bandA, bothOn + bandAB, "bands.b looser", `{"scores":{"a":0.6,"b":0.1}}`},
	{"second band, unanimous", bothOn + unanimous + bandA, bothOn + unanimous + bandAB, "bands.b tighter", `{"scores":{"a":0.1,"b":0.6}}`},
	{"second band, an expression", bothOn + rejectsMid + bandA, bothOn + rejectsMid + bandAB, "bands.b not_comparable", ""},
	{"band removed", onlyApply + bandAB, onlyApply + bandA, "bands.b looser", high},
	{"band removed, an expression", bothOn + rejectsMid + bandAB, bothOn + rejectsMid + bandA, "bands.b not_comparable", high},
	{"last band removed", onlyApply + bandA, onlyApply, "bands.a tighter", high},
	{"last band removed, a rule rejects", bothOn + bandA + rules("reject {flag: f}"), bothOn + rules("reject {flag: f}"), "bands.a looser", `{"flags":["f"]}`},

	{"lowest to unanimous", bothOn + bandAB, bothOn + unanimous + bandAB, "combine tighter", `{"scores":{"a":0.1,"b":0.6}}`},
	{"unanimous to lowest", bothOn + unanimous + bandAB, bothOn + "combine: lowest\n" + bandAB, "combine looser", `{"scores":{"a":0.1,"b":0.6}}`},
	{"unanimous to lowest, nothing is rejected", onlyApply + unanimous + bandAB, onlyApply + bandAB, "combine same", ""},
	{"lowest, said or not", bothOn + bandA, bothOn + "combine: lowest\n" + bandA, "", ""},
	{"to an expression", bothOn + bandA, bothOn + rejectsMid + bandA, "combine not_comparable", mid},
	{"to an expression that can't reject", onlyApply + bandA, onlyApply + "combine: '\"route_to_human\"'\n" + bandA, "combine tighter", high},
	{"from an expression", onlyApply + "combine: '\"route_to_human\"'\n" + bandA, onlyApply + bandA, "combine looser", high},
	{"from an expression that rejects", bothOn + rejectsMid + bandA, bothOn + bandA, "combine not_comparable", low},
	{"to another expression", onlyApply + rejectsMid + bandA, onlyApply + "combine: '\"auto_apply\"'\n" + bandA, "combine not_comparable", ""},
	{"an expression with more blanks around", onlyApply + "combine: ' bands.a '\n" + bandA, onlyApply + "combine: 'bands.a'\n" + bandA, "", ""},
	{"combine without bands", onlyApply + rejectsMid + bandA, onlyApply, "bands.a tighter, combine same", high},

	{"rule added", bothOn + bandA, bothOn + bandA + rules("human {flag: f}"), "rules.r tighter", `{"scores":{"a":0.9},"flags":["f"]}`},
	{"rejecting rule added", bothOn + bandA, bothOn + bandA + rules("reject {flag: f}"), "rules.r looser", `{"scores":{"a":0.6},"flags":["f"]}`},
	{"rejecting rule added instead of applying", bothOn + bandA, bothOn + bandA + rules("reject {flag: f}"), "rules.r looser", `{"scores":{"a":0.9},"flags":["f"]}`},
	{"rejecting rule added, nothing is rejected", onlyApply + bandA, onlyApply + bandA + rules("reject {flag: f}"), "rules.r tighter", `{"scores":{"a":0.9},"flags":["f"]}`},
	{"rule removed", bothOn + bandA + rules("human meta.m > 1"), bothOn + bandA, "rules.r looser", high},
	{"rejecting rule removed", bothOn + bandA + rules("reject meta.m > 1"), bothOn + bandA, "rules.r looser", high},
	{"rejecting rule removed, unknown before", onlyReject + bandA + rules("reject meta.m > 1"), onlyReject + bandA, "rules.r looser", low},
	{"the last that rejects removed", onlyReject + rules("reject {flag: f}"), onlyReject, "rules.r tighter", `{"flags":["f"]}`},
	{"rule renamed", bothOn + bandA + rules("old:human {flag: f}"), bothOn + bandA + rules("new:human {flag: f}"), "rules.old same, rules.new same", ""},
	{"rule renamed, an expression", bothOn + bandA + rules("old:human meta.m > 1"), bothOn + bandA + rules("new:human ' meta.m > 1 '"), "rules.old same, rules.new same", ""},
	{"rule renamed, the force with it", bothOn + bandA + rules("old:human {flag: f}"), bothOn + bandA + rules("new:reject {flag: f}"), "rules.old looser, rules.new looser", `{"scores":{"a":0.9},"flags":["f"]}`},
	{"a rule twice", bothOn + bandA + rules("human {flag: f}"), bothOn + bandA + rules("human {flag: f}", "human {flag: f}"), "rules.r1 same", ""},
	{"reason and order", bothOn + bandA + rules("x:human {flag: f}", "y:human {flag: g}"), bothOn + bandA + strings.Replace(rules("y:human {flag: g}", "x:human {flag: f}"), "reason: x", "reason: z", 1), "rules.y.reason same, rules same", ""},
	{"reject to human", bothOn + bandA + rules("reject {flag: f}"), bothOn + bandA + rules("human {flag: f}"), "rules.r.force tighter", `{"scores":{"a":0.6},"flags":["f"]}`},
	{"human to reject", bothOn + bandA + rules("human {flag: f}"), bothOn + bandA + rules("reject {flag: f}"), "rules.r.force looser", `{"scores":{"a":0.6},"flags":["f"]}`},
	{"human to reject, nothing is rejected", onlyApply + bandA + rules("human {flag: f}"), onlyApply + bandA + rules("reject {flag: f}"), "rules.r.force same", ""},

	{"bound up", bothOn + bandA + rules("human {metaNumberLessThan: {key: m, value: 1}}"), bothOn + bandA + rules("human {metaNumberLessThan: {key: m, value: 2}}"), "rules.r.when tighter", `{"scores":{"a":0.9},"meta":{"m":1.5}}`},
	{"bound down", bothOn + bandA + rules("human {scoreBelow: {name: b, value: 0.5}}"), bothOn + bandA + rules("human {scoreBelow: {name: b, value: 0.4}}"), "rules.r.when looser", `{"scores":{"a":0.9,"b":0.45}}`},
	{"bound up, it rejects", bothOn + bandA + rules("reject {scoreBelow: {name: b, value: 0.4}}"), bothOn + bandA + rules("reject {scoreBelow: {name: b, value: 0.5}}"), "rules.r.when looser", `{"scores":{"a":0.9,"b":0.45}}`},
	{"bound up, nothing is rejected", onlyApply + bandA + rules("reject {scoreBelow: {name: b, value: 0.4}}"), onlyApply + bandA + rules("reject {scoreBelow: {name: b, value: 0.5}}"), "rules.r.when tighter", `{"scores":{"a":0.9,"b":0.45}}`},
	{"bound down, it rejects", bothOn + bandA + rules("reject {scoreBelow: {name: b, value: 0.5}}"), bothOn + bandA + rules("reject {scoreBelow: {name: b, value: 0.4}}"), "rules.r.when looser", `{"scores":{"a":0.9,"b":0.45}}`},
	{"bound down, nothing is applied", onlyReject + bandA + rules("reject {scoreBelow: {name: b, value: 0.5}}"), onlyReject + bandA + rules("reject {scoreBelow: {name: b, value: 0.4}}"), "rules.r.when tighter", `{"scores":{"a":0.9,"b":0.45}}`},
	{"bound of another key", bothOn + bandA + rules("human {metaNumberLessThan: {key: m, value: 1}}"), bothOn + bandA + rules("human {metaNumberLessThan: {key: n, value: 2}}"), "rules.r.when not_comparable", `{"scores":{"a":0.9},"meta":{"m":2}}`},
	{"another form", bothOn + bandA + rules("human {flag: f}"), bothOn + bandA + rules(`human '"f" in flags'`), "rules.r.when not_comparable", ""},
	{"another expression", bothOn + bandA + rules("human meta.m > 1"), bothOn + bandA + rules("human meta.m > 2"), "rules.r.when not_comparable", ""},
	{"force and bound", bothOn + bandA + rules("human {metaNumberLessThan: {key: m, value: 1}}"), bothOn + bandA + rules("reject {metaNumberLessThan: {key: m, value: 2}}"), "rules.r.when looser, rules.r.force looser", `{"scores":{"a":0.9},"meta":{"m":1.5}}`},
	{"force and bound, tighter", bothOn + bandA + rules("reject {metaNumberLessThan: {key: m, value: 1}}"), bothOn + bandA + rules("human {metaNumberLessThan: {key: m, value: 2}}"), "rules.r.when tighter, rules.r.force tighter", `{"scores":{"a":0.6},"meta":{"m":0}}`},

	{"apply off", bothOn + bandA, onlyReject + bandA, "enableAutoApply tighter", high},
	{"apply on", onlyReject + bandA, bothOn + bandA, "enableAutoApply looser", high},
	{"apply on without bands", "", onlyApply, "enableAutoApply same", ""},
	{"reject off", bothOn + bandA, onlyApply + bandA, "enableAutoReject tighter", low},
	{"reject on", onlyApply + bandA, bothOn + bandA, "enableAutoReject looser", low},
	{"reject on without cause", "", onlyReject + rules("human {flag: f}"), "rules.r same, enableAutoReject same", ""},
	{"all off", bandA + rules("human {flag: f}"), band("0.5", "0.1") + rules("reject {flag: g}"), "bands.a.highMin same, bands.a.reviewMin same, rules.r.when same, rules.r.force same", ""},

	{"signals declared", onlyApply + bandA, onlyApply + signals("a: {type: score}") + bandA, "signals not_comparable, signals.a tighter", ""},
	{"nothing declared", onlyApply + bandA, onlyApply + bandA + "signals: {a: {type: score}, m: {type: number}}\n", "signals not_comparable, signals.a tighter, signals.m tighter", `{"scores":{"a":0.9},"meta":{"m":"1"}}`},
	{"a number that an expression reads", onlyApply + bandA + rules("human meta.m / 2 > 2"), onlyApply + signals("a: {type: score}, m: {type: number}") + bandA + rules("human meta.m / 2 > 2"), "signals not_comparable, signals.a tighter, signals.m not_comparable", `{"scores":{"a":0.9},"meta":{"m":5}}`},
	{"declarations gone", onlyApply + signals("a: {type: score, range: [0, 1]}") + bandA, onlyApply + bandA, "signals looser, signals.a looser", `{"scores":{"a":2}}`},
	{"declaration added", onlyApply + signals("a: {type: score}") + bandA, onlyApply + signals("a: {type: score}, s: {type: string}") + bandA, "signals.s tighter", `{"scores":{"a":0.9},"meta":{"s":1}}`},
	{"declaration removed", onlyApply + signals("a: {type: score}, s: {type: string}") + bandA, onlyApply + signals("a: {type: score}") + bandA, "signals.s looser", `{"scores":{"a":0.9},"meta":{"s":1}}`},
	{"type changed", onlyApply + signals("a: {type: score}, s: {type: string}") + bandA, onlyApply + signals("a: {type: score}, s: {type: boolean}") + bandA, "signals.s.type not_comparable", `{"scores":{"a":0.9},"meta":{"s":true}}`},
	{"range added", onlyApply + signals("a: {type: score}") + bandA, onlyApply + signals("a: {type: score, range: [0, 1]}") + bandA, "signals.a.range tighter", `{"scores":{"a":2}}`},
	{"range narrowed", onlyApply + signals("a: {type: score, range: [0, 1]}") + bandA, onlyApply + signals("a: {type: score, range: [0, 0.95]}") + bandA, "signals.a.range tighter", `{"scores":{"a":1}}`},
	{"range widened", onlyApply + signals("a: {type: score, range: [0, 1]}") + bandA, onlyApply + signals("a: {type: score, range: [0, 2]}") + bandA, "signals.a.range looser", `{"scores":{"a":2}}`},
	{"range removed", onlyApply + signals("a: {type: score, range: [0, 1]}") + bandA, onlyApply + signals("a: {type: score}") + bandA, "signals.a.range looser", `{"scores":{"a":2}}`},
	{"range moved", onlyApply + signals("a: {type: score, range: [0, 1]}") + bandA, onlyApply + signals("a: {type: score, range: [0.5, 1.5]}") + bandA, "signals.a.range not_comparable", `{"scores":{"a":1.2}}`},

	{"risk", onlyApply + bandA, onlyApply + bandA + "risk: [{level: low, when: 'true'}]\n", "risk same", ""},
	{"risk reads a number", onlyApply + bandA, onlyApply + bandA + "risk: [{level: low, when: meta.m > 1}]\n", "risk tighter", `{"scores":{"a":0.9},"meta":{"m":1e400}}`},
	{"risk reads a number no more", onlyApply + bandA + "risk: [{level: low, when: {metaNumberLessThan: {key: m, value: 1}}}]\n", onlyApply + bandA, "risk looser", `{"scores":{"a":0.9},"meta":{"m":1e400}}`},
	{"risk reads all of meta no more", onlyApply + bandA + "risk: [{level: low, when: meta.size() > 1}]\n", onlyApply + bandA + "risk: [{level: low, when: has(meta.n)}]\n", "risk looser", `{"scores":{"a":0.9},"meta":{"m":1e400}}`},
	{"risk reads what is below no more", onlyApply + bandA + "risk: [{level: low, when: has(meta.m)}]\n", onlyApply + bandA + "risk: [{level: low, when: {metaNumberLessThan: {key: m, value: 1}}}]\n", "risk looser", `{"scores":{"a":0.9},"meta":{"m":[1e400]}}`},
	{"risk reads score no more", onlyApply + bandA + "risk: [{level: low, when: {scoreBelow: {name: score, value: 1}}}]\n", onlyApply + bandA, "risk looser", `{"score":0.5,"scores":{"a":0.9,"score":0.6}}`},
	{"risk and a rule read the same", onlyApply + bandA + rules("human has(meta.m)") + "risk: [{level: low, when: has(meta.m)}]\n", onlyApply + bandA + rules("human has(meta.m)"), "risk same", ""},
	{"risk orders anew", onlyApply + bandA + "risk: [{level: low, when: has(meta.m)}, {level: high, when: 'true'}]\n", onlyApply + bandA + "risk: [{level: high, when: 'true'}, {level: low, when: has(meta.m)}]\n", "risk same", ""},
}

// Every key's direction is what it should be, and for what is looser there is an
// input that becomes so. The golden file holds what people read.
func TestDiff(t *testing.T) {
	var out strings.Builder
	for _, c := range diffCases {
		fmt.Fprintf(&out, "%s\n", c.name)
		t.Run(c.name, func(t *testing.T) {
			old, now := mustParse(t, head+c.old), mustParse(t, head+c.now)
			diff := mustDiff(t, old, now)
			var got []string
			for _, ch := range diff.Changes {
				got = append(got, ch.Key+" "+string(ch.Direction))
				fmt.Fprintf(&out, "  %s %s: %s → %s: %s\n", ch.Direction, ch.Key, ch.Old, ch.New, ch.Why)
			}
			if got := strings.Join(got, ", "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if c.input == "" {
				if diff.Direction == policy.Looser {
					t.Error("looser, but no input shows it")
				}
				return
			}
			before, after := decide(old.Threshold, c.input).Verdict, decide(now.Threshold, c.input).Verdict
			if before == after {
				t.Errorf("%s stays %s", c.input, before)
			}
			if looser := verdict.Looser(before, after); looser && diff.Direction == policy.Tighter || !looser && diff.Direction == policy.Looser {
				t.Errorf("%s: %s to %s, which is not %s", c.input, before, after, diff.Direction)
			}
		})
	}
	golden(t, "testdata/diff", out.String())
}

// A gate's name, a description and tests decide nothing.
func TestDiffOfWhatDecidesNothing(t *testing.T) {
	a := mustParse(t, head+onlyApply+bandA)
	b := mustParse(t, strings.Replace(head, "gate: test", "gate: other", 1)+"description: new\n"+onlyApply+bandA+"tests: [{name: n, signals: {}, expect: {verdict: route_to_human}}]\n")
	diff := mustDiff(t, a, b)
	if len(diff.Changes) != 1 || diff.Changes[0].Key != "gate" || diff.Direction != policy.Same {
		t.Errorf("%+v", diff)
	}
	for _, pair := range [][2]*policy.File{{nil, a}, {a, nil}, {a, {}}} {
		if _, err := policy.Diff(pair[0], pair[1]); err == nil {
			t.Error("compared with nothing")
		}
	}
}

// To declare signals makes tables readable: what A refused, B may apply.
func TestDiffOfFirstDeclarations(t *testing.T) {
	a := mustParse(t, head+onlyApply+bandA)
	b := mustParse(t, head+onlyApply+bandA+signals("a: {type: score}"))
	if _, err := a.Threshold.Columns([]string{"a"}); err == nil {
		t.Error("A reads a table")
	}
	columns, err := b.Threshold.Columns([]string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	var d threshold.Decision
	b.Threshold.NewDecider().DecideRow(&d, columns, [][]byte{[]byte("0.9")})
	if diff := mustDiff(t, a, b); d.Verdict != apply || diff.Direction != policy.NotComparable {
		t.Errorf("%s, %s", d.Verdict, diff.Direction)
	}
}

// Through the Go API a number that can't be held is found by a declarative
// condition, and not by an expression over the same key.
func TestDiffOfAConditionThatFindsLess(t *testing.T) {
	risk := func(when string) *policy.File {
		return mustParse(t, head+onlyApply+bandA+"risk: [{level: low, when: "+when+"}]\n")
	}
	a, b := risk("{metaNumberLessThan: {key: m, value: 1}}"), risk("meta.m < 1")
	s := threshold.Signals{Scores: map[string]float64{"a": 0.9}, Meta: map[string]any{"m": uint64(math.MaxUint64)}}
	old, now := a.Threshold.Gate().Decide(s).Verdict, b.Threshold.Gate().Decide(s).Verdict
	if diff := mustDiff(t, a, b); !verdict.Looser(old, now) || diff.Direction != policy.Looser {
		t.Errorf("%s to %s, %+v", old, now, diff)
	}
}

// Every key that a policy file can have is either compared or known to decide
// nothing: a new one must not go unseen.
func TestDiffKnowsEveryKey(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(policy.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	defs := schema["$defs"].(map[string]any)
	delete(defs["threshold"].(map[string]any)["properties"].(map[string]any), "tests") // what tests may hold is no part of the policy
	for _, name := range []string{"case", "caseRule", "promotion"} {                   // Diff compares all of these whole
		delete(defs, name)
	}
	var keys []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, below := range v {
				if p, ok := below.(map[string]any); ok && name == "properties" {
					keys = slices.AppendSeq(keys, maps.Keys(p))
				}
				walk(below)
			}
		case []any:
			for _, below := range v {
				walk(below)
			}
		}
	}
	walk(schema)
	slices.Sort(keys)
	const known = "action_schema after approvals bands combine count_asserted deadline description editable enableAutoApply enableAutoReject escalate executors flag force gate highMin id join key kind lease level " +
		"metaNumberLessThan mode name pawl permit_life queue ramp range reason reasons rejections review reviewMin risk rules scoreBelow signals to two_people type value when"
	if got := strings.Join(slices.Compact(keys), " "); got != known {
		t.Errorf("teach Diff what has changed, then this test:\ngot  %s\nwant %s", got, known)
	}
}

// What is long is cut so that the difference can still be seen.
func TestDiffShowsWhereLongTextsDiffer(t *testing.T) {
	long := strings.Repeat("meta.m > 1 || ", 20)
	a, b := mustParse(t, head+rules("human "+long+"meta.x > 1")), mustParse(t, head+rules("human "+long+"meta.y > 1"))
	c := mustDiff(t, a, b).Changes[0]
	if c.Old != "… 1 || meta.m > 1 || meta.x > 1" || c.New != "… 1 || meta.m > 1 || meta.y > 1" {
		t.Errorf("%s → %s", c.Old, c.New)
	}
	a, b = mustParse(t, head+rules(`human 'meta.x == "a b"'`)), mustParse(t, head+rules(`human 'meta.x == "a  b"'`))
	if c := mustDiff(t, a, b).Changes[0]; c.Old == c.New {
		t.Errorf("%s → %s", c.Old, c.New)
	}
	a, b = mustParse(t, head+rules("human meta.x > 1")), mustParse(t, head+rules("human meta.x > 1 || "+long+"false"))
	if c := mustDiff(t, a, b).Changes[0]; c.Old != "meta.x > 1" || len([]rune(c.New)) != 101 || !strings.HasSuffix(c.New, "…") {
		t.Errorf("%s → %s", c.Old, c.New)
	}
}

func ExampleDiff() {
	parse := func(highMin string) *policy.File {
		f, err := policy.Parse("refunds.pawl.yaml", []byte(strings.Replace(refunds, "highMin: 0.9", "highMin: "+highMin, 1)))
		if err != nil {
			panic(err)
		}
		return f
	}
	diff, err := policy.Diff(parse("0.9"), parse("0.95"))
	if err != nil {
		panic(err)
	}
	fmt.Println(diff.Direction)
	for _, c := range diff.Changes {
		fmt.Printf("%s: %s to %s: %s, since %s\n", c.Key, c.Old, c.New, c.Direction, c.Why)
	}
	// Output:
	// tighter
	// bands.score.highMin: 0.9 to 0.95: tighter, since fewer values are high
}

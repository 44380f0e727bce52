package policy_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pawlgate/pawl/policy"
)

// How decisions become binding: each key alone, for each kind of policy.
func TestDiffOfHowDecisionsBind(t *testing.T) {
	files := fstest.MapFS{"a.json": {Data: []byte(`{}`)}, "b.json": {Data: []byte(` {}`)}, "same.json": {Data: []byte(`{}`)}}
	for _, c := range []struct{ name, old, now, want string }{
		{"nothing", "", "", ""},
		{"said as it was", "", "mode: live\nramp: 100%\nreview: {approvals: 1, rejections: 1, permit_life: 24h, count_asserted: false, join: never, executors: [local]}\n", ""},
		{"ramp up", "ramp: 5%\n", "ramp: 5.01%\n", "ramp looser"},
		{"ramp down", "", "ramp: 50%\n", "ramp tighter"},
		{"into shadow", "", "mode: shadow\n", "mode not_comparable"},
		{"out of shadow", "mode: shadow\n", "mode: live\n", "mode looser"},
		{"one person", "two_people: true\n", "two_people: false\n", "two_people looser"},
		{"one person, whatever it automates", "", "two_people: false\n", "two_people looser"},
		{"two people", "two_people: false\n", "two_people: true\n", "two_people tighter"},
		{"fewer approvals", "review: {approvals: 2}\n", "", "review.approvals looser"},
		{"more approvals", "", "review: {approvals: 3}\n", "review.approvals tighter"},
		{"more rejections", "", "review: {rejections: 2}\n", "review.rejections looser"},
		{"fewer rejections", "review: {rejections: 2}\n", "", "review.rejections tighter"},
		{"names count", "", "review: {count_asserted: true}\n", "review.count_asserted looser"},
		{"names don't count", "review: {count_asserted: true}\n", "", "review.count_asserted tighter"},
		{"permits live longer than by default", "", "review: {permit_life: 25h}\n", "review.permit_life looser"},
		{"permits end", "review: {permit_life: 25h}\n", "", "review.permit_life tighter"},
		{"times", "review: {lease: 5m, deadline: 9h, escalate: [{after: 1h, to: a}]}\n", "review: {lease: 6m}\n", "review.lease same, review.deadline same, review.escalate same"},
		{"more is editable", "review: {editable: [/a/b]}\n", "review: {editable: [/a]}\n", "review.editable looser"},
		{"less is editable", "review: {editable: [/a]}\n", "review: {editable: [/a/b, /a/c]}\n", "review.editable tighter"},
		{"all is editable", "review: {editable: [/a, /b]}\n", "review: {editable: [\"\"]}\n", "review.editable looser"},
		{"a name that begins alike", "review: {editable: [/a]}\n", "review: {editable: [/ab]}\n", "review.editable not_comparable"},
		{"an order", "review: {editable: [/a, /b]}\n", "review: {editable: [/b, /a]}\n", ""},
		{"a schema", "review: {editable: [/a]}\n", "review: {editable: [/a], action_schema: a.json}\n", "review.action_schema tighter"},
		{"no schema", "review: {editable: [/a], action_schema: a.json}\n", "review: {editable: [/a]}\n", "review.action_schema looser"},
		{"another schema", "review: {editable: [/a], action_schema: a.json}\n", "review: {editable: [/a], action_schema: b.json}\n", "review.action_schema not_comparable"},
		{"a schema by another name", "review: {editable: [/a], action_schema: a.json}\n", "review: {editable: [/a], action_schema: same.json}\n", ""},
		{"a reason is needed", "", "review: {reasons: {reject: [x]}}\n", "review.reasons.reject tighter"},
		{"none is needed", "review: {reasons: {reject: [x]}}\n", "", "review.reasons.reject looser"},
		{"one more", "review: {reasons: {reject: [x]}}\n", "review: {reasons: {reject: [x, y]}}\n", "review.reasons.reject looser"},
		{"other reasons", "review: {reasons: {reject: [x], hold: [x]}}\n", "review: {reasons: {reject: [y], hold: [x]}}\n", "review.reasons.reject not_comparable"},
		{"joining", "", "review: {join: same_action}\n", "review.join looser"},
		{"no joining", "review: {join: same_action}\n", "", "review.join tighter"},
		{"one more executor", "", "review: {executors: [local, shop]}\n", "review.executors looser"},
		{"one fewer executor", "review: {executors: [local, shop]}\n", "review: {executors: [local]}\n", "review.executors tighter"},
		{"another executor", "", "review: {executors: [shop]}\n", "review.executors not_comparable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for kind, src := range heads {
				parse := func(body string) *policy.File {
					f, err := policy.ParseFiles("a.yaml", []byte(src+body), files)
					if err != nil {
						t.Fatal(err)
					}
					return f
				}
				diff := mustDiff(t, parse(c.old), parse(c.now))
				if got := changesOf(diff); got != c.want {
					t.Errorf("%s: got %s, want %s", kind, got, c.want)
				}
				if single := strings.Fields(c.want); len(single) == 2 && string(diff.Direction) != single[1] {
					t.Errorf("%s: as a whole %s", kind, diff.Direction)
				}
			}
		})
	}
}

func changesOf(diff *policy.Comparison) string {
	texts := make([]string, len(diff.Changes))
	for i, c := range diff.Changes {
		texts[i] = c.Key + " " + string(c.Direction)
	}
	return strings.Join(texts, ", ")
}

// A policy that stops automating is tighter, though it needs no second person
// by default; one that says so itself isn't.
func TestDiffOfSwitchingOffAutomation(t *testing.T) {
	on, off := mustParse(t, head+onlyApply+bandA), mustParse(t, head+bandA)
	if diff := mustDiff(t, on, off); diff.Direction != policy.Tighter {
		t.Errorf("switched off: %s, %s", diff.Direction, changesOf(diff))
	}
	if diff := mustDiff(t, on, mustParse(t, head+bandA+"two_people: false\n")); diff.Direction != policy.NotComparable {
		t.Errorf("and one person is enough: %s, %s", diff.Direction, changesOf(diff))
	}
	if diff := mustDiff(t, off, on); diff.Direction != policy.Looser {
		t.Errorf("switched on: %s, %s", diff.Direction, changesOf(diff))
	}
}

// Into the rules of a case or a promotion nobody looks: what isn't the same
// there is never called tighter.
func TestDiffOfOtherKinds(t *testing.T) {
	files := func(schema, tested string) fstest.MapFS {
		return fstest.MapFS{"c.json": {Data: []byte(schema)}, "t.json": {Data: []byte(tested)}}
	}
	const paid = `{"case_id":"1","facts":{"x":5}}`
	tests := "tests: [{name: n, case: t.json, expect: {action: DECIDE}}]\n"
	pays := caseHead + paysSmall
	for _, c := range []struct {
		name, old, now string
		x, y           fstest.MapFS
		want           policy.Direction
	}{
		{"the same", pays, pays, nil, nil, policy.Same},
		{"a description", pays, pays + "description: new\n", nil, nil, policy.Same},
		{"a rule", pays, strings.Replace(pays, "max: 10", "max: 9", 1), nil, nil, policy.NotComparable},
		{"a rule and a tighter ramp", pays, strings.Replace(pays, "max: 10", "max: 9", 1) + "ramp: 1%\n", nil, nil, policy.NotComparable},
		{"switched off", pays, strings.Replace(pays, "enableAutoApply: true", "enableAutoApply: false", 1), nil, nil, policy.Tighter},
		{"switched on", strings.Replace(pays, "enableAutoApply: true", "enableAutoApply: false", 1), pays, nil, nil, policy.Looser},
		{"a file", pays + "case_schema: c.json\n", pays + "case_schema: c.json\n", files(`{}`, paid), files(`{"type":"object"}`, paid), policy.NotComparable},
		{"a file of a test", pays + tests, pays + tests, files(`{}`, paid), files(`{}`, paid+" "), policy.Same},
		{"a promotion", promotionHead, promotionHead + "kinds: [canary, replay]\n", nil, nil, policy.NotComparable},
		{"a promotion switched on", promotionHead, promotionHead + "enableAutoApply: true\n", nil, nil, policy.Looser},
		{"another kind", pays, head + onlyApply + bandA, nil, nil, policy.NotComparable},
	} {
		t.Run(c.name, func(t *testing.T) {
			parse := func(src string, files fstest.MapFS) *policy.File {
				f, err := policy.ParseFiles("a.yaml", []byte(src), files)
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
			diff := mustDiff(t, parse(c.old, c.x), parse(c.now, c.y))
			if diff.Direction != c.want {
				t.Errorf("%s: %s", diff.Direction, changesOf(diff))
			}
		})
	}
}

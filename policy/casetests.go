package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
)

// caseTest is one entry of the tests of a case policy.
type caseTest struct {
	name  string
	pos   Pos
	input []byte // nil if it couldn't be read

	action string
	texts  map[string]string // what else is compared, by its key in expect
	codes  []string
	fired  []string
}

// expected are the texts of an expectation that are compared as they are.
var expected = []string{"category", "decision", "route", "verdict", "queue"}

func (r *caseReader) tests(n *source.Node) []caseTest {
	if n == nil || !r.is(n, source.List, "tests") {
		return nil
	}
	var tests []caseTest
	seen := map[string]bool{}
	for _, item := range n.Items {
		if !r.is(item, source.Object, "a test") {
			continue
		}
		r.known(item, "a test", "name", "case", "expect")
		r.required(item, "name", "case", "expect")
		t := caseTest{name: r.text(item, "name"), pos: item.Pos}
		if t.name != "" && seen[t.name] {
			r.problem(item.Get("name").Pos, "duplicate-test", "another test has the name %q already", t.name)
		}
		seen[t.name] = true
		if c := item.Get("case"); c != nil {
			switch c.Kind {
			case source.Object:
				t.input = c.AppendJSON(nil)
			case source.String:
				t.input, _ = r.refer(c, "case")
			default:
				r.problem(c.Pos, "type", "case must be a case or the name of a file with one, not %s", c.Kind)
			}
		}
		if e := item.Get("expect"); e != nil && r.is(e, source.Object, "expect") {
			r.expect(e, &t)
		}
		tests = append(tests, t)
	}
	return tests
}

func (r *caseReader) expect(n *source.Node, t *caseTest) {
	r.known(n, "expect", append([]string{"action", "codes", "fired"}, expected...)...)
	r.required(n, "action")
	one := func(m *source.Node, what string, names ...string) {
		if m.Kind == source.String && !slices.Contains(names, m.Text) {
			r.problem(m.Pos, what, "%q isn't one of %s", m.Text, join(names))
		}
	}
	t.action = r.text(n, "action")
	if m := n.Get("action"); m != nil {
		one(m, "action", string(casegate.Decide), string(casegate.Escalate))
	}
	t.texts = map[string]string{}
	for _, key := range expected {
		m := n.Get(key)
		if m == nil {
			continue
		}
		t.texts[key] = r.text(n, key)
		switch key {
		case "category":
			one(m, key, categories()...)
		case "verdict":
			one(m, key, string(verdict.AutoApply), string(verdict.AutoReject), string(verdict.RouteToHuman))
		}
	}
	if m := n.Get("codes"); m != nil {
		t.codes, _ = r.texts(m, "codes", `a code ("code" or "code:subject")`)
	}
	if m := n.Get("fired"); m != nil {
		t.fired, _ = r.texts(m, "fired", "a rule's id")
		var ids []string
		if rules := r.root.Get("rules"); rules != nil {
			for _, rule := range rules.Items {
				if id := rule.Get("id"); id != nil {
					ids = append(ids, id.Text)
				}
			}
		}
		for i, id := range t.fired {
			if item := m.Items[i]; item.Kind == source.String && !slices.Contains(ids, id) {
				r.problem(item.Pos, "test", "no rule has the id %q", id)
			}
		}
	}
}

func categories() []string {
	var names []string
	for _, category := range casegate.DefaultOrder() {
		names = append(names, string(category))
	}
	return names
}

// checkTests complains about tests whose case is malformed, unless that is
// what they test: a typo would make most of them pass for the wrong reason.
func (c *Case) checkTests(r *reader) {
	for _, t := range c.tests {
		if slices.Contains(t.codes, string(verdict.InputMalformed)) {
			continue
		}
		if in := c.Read(t.input, 0); in.Err != nil {
			_, why, _ := strings.Cut(in.Err.Error(), ": ")
			r.problem(t.pos, "test", "the case of the test %q is malformed: %s", t.name, why)
		}
	}
}

// RunTests runs the tests of the file: the rules alone, no model is asked. A
// test passes if all that it names is the result's, each of its codes is among
// the reasons ("code" for any subject, "code:subject" for that one), and each
// of the rules that it says fired did.
func (c *Case) RunTests() *TestReport {
	alone := *c
	alone.model = ""
	report := &TestReport{}
	for _, rule := range c.policy.Rules {
		report.Rules = append(report.Rules, RuleCoverage{ID: rule.ID})
	}
	for _, t := range c.tests {
		_, result := alone.DecideJSON(t.input, 0, false)
		var fired []string
		for i, outcome := range result.Output.Rules { // none, if the case is malformed or there is none
			if outcome.Category == "" {
				report.Rules[i].NotFired++
			} else {
				report.Rules[i].Fired++
				fired = append(fired, outcome.ID)
			}
		}
		report.Results = append(report.Results, TestResult{Name: t.name, Pos: t.pos, Failures: t.check(&result, fired), Case: &result})
	}
	return report
}

func (t *caseTest) check(r *CaseResult, fired []string) (failures []string) {
	fail := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	o := &r.Output
	if string(o.Action) != t.action {
		fail("action is %s, want %s (fired: %s)", o.Action, t.action, orNone(join(fired)))
	}
	got := map[string]string{
		"category": string(o.Category), "decision": o.Decision, "route": o.SelectedRoute,
		"verdict": string(r.Verdict), "queue": r.Queue,
	}
	for _, key := range expected {
		if want, ok := t.texts[key]; ok && got[key] != want {
			fail("%s is %s, want %s", key, orNone(got[key]), orNone(want))
		}
	}
	for _, want := range t.codes {
		if !slices.ContainsFunc(r.Reasons, func(r verdict.Reason) bool { return r.String() == want || string(r.Code) == want }) {
			fail("no reason %s among %s", want, orNone(reasonCodes(r.Reasons)))
		}
	}
	for _, id := range t.fired {
		if !slices.Contains(fired, id) {
			fail("rule %s didn't fire", id)
		}
	}
	return failures
}

func reasonCodes(reasons []verdict.Reason) string {
	list := make([]string, len(reasons))
	for i, r := range reasons {
		list[i] = r.String()
	}
	return join(list)
}

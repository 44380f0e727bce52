package policy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
)

// promotionTest is one entry of the tests of a promotion policy.
type promotionTest struct {
	name   string
	pos    Pos
	inputs promotion.Inputs

	texts     map[string]string // what is compared, by its key in expect
	others    []string
	hasOthers bool
}

// promotionExpected are the texts of an expectation, beside others.
var promotionExpected = []string{"terminal", "verdict", "guard", "queue"}

// guards lists all guards in their order: each stops what nothing is known of.
func guards() []string {
	r := PromotionResult{Decision: promotion.Decide(promotion.Inputs{}, promotion.Options{})}
	return r.guards()
}

func terminals() []string {
	return []string{string(promotion.AutoPromote), string(promotion.CandidateOnly), string(promotion.NeedsHuman)}
}

func (r promotionReader) tests(n *source.Node) []promotionTest {
	if n == nil || !r.is(n, source.List, "tests") {
		return nil
	}
	var tests []promotionTest
	seen := map[string]bool{}
	for _, item := range n.Items {
		if !r.is(item, source.Object, "a test") {
			continue
		}
		r.known(item, "a test", "name", "inputs", "expect")
		r.required(item, "name", "inputs", "expect")
		t := promotionTest{name: r.text(item, "name"), pos: item.Pos}
		if t.name != "" && seen[t.name] {
			r.problem(item.Get("name").Pos, "duplicate-test", "another test has the name %q already", t.name)
		}
		seen[t.name] = true
		if in := item.Get("inputs"); in != nil && r.is(in, source.Object, "inputs") {
			r.inputs(in, &t)
		}
		if e := item.Get("expect"); e != nil && r.is(e, source.Object, "expect") {
			r.expect(e, &t)
		}
		tests = append(tests, t)
	}
	return tests
}

// inputs reads the inputs of a test. Malformed ones are an error: they would be
// no test of the policy, which never sees them.
func (r promotionReader) inputs(n *source.Node, t *promotionTest) {
	var err error
	if t.inputs, err = promotion.InputsOf(n); err == nil {
		return
	}
	pos, why := n.Pos, err.Error()
	var se *source.SyntaxError
	if errors.As(err, &se) {
		why = se.Message
		if se.Pos != (Pos{}) {
			pos = se.Pos
		}
		if se.Pointer != "" {
			why = se.Pointer[1:] + ": " + why
		}
	}
	r.problem(pos, "test", "the inputs of the test %q are malformed: %s", t.name, why)
}

func (r promotionReader) expect(n *source.Node, t *promotionTest) {
	r.known(n, "expect", append([]string{"others"}, promotionExpected...)...)
	r.required(n, "terminal")
	one := func(m *source.Node, what string, names []string) {
		if m.Kind == source.String && !slices.Contains(names, m.Text) {
			r.problem(m.Pos, what, "%q isn't one of %s", m.Text, join(names))
		}
	}
	t.texts = map[string]string{}
	for _, key := range promotionExpected {
		m := n.Get(key)
		if m == nil {
			continue
		}
		t.texts[key] = r.text(n, key)
		switch key {
		case "terminal":
			one(m, key, terminals())
		case "verdict":
			one(m, key, []string{string(verdict.AutoApply), string(verdict.RouteToHuman)})
		case "guard":
			one(m, key, guards())
		}
	}
	if m := n.Get("others"); m != nil {
		t.others, t.hasOthers = r.texts(m, "others", "a guard")
		for _, item := range m.Items {
			one(item, "guard", guards())
		}
	}
}

// GuardCoverage tells in how many tests a guard stopped the promotion, first or
// not, and in how many it didn't.
type GuardCoverage struct {
	Guard      string `json:"guard"`
	Stopped    int    `json:"stopped"`
	NotStopped int    `json:"notStopped"`
}

// TerminalCoverage tells how many tests ended there.
type TerminalCoverage struct {
	Terminal string `json:"terminal"`
	Reached  int    `json:"reached"`
}

// RunTests runs the tests of the file: the fold alone, nothing is scanned. A
// test passes if all that it names is the result's. Others are compared as they
// are listed, in the order of the guards.
func (p *Promotion) RunTests() *TestReport {
	report := &TestReport{}
	for _, guard := range guards() {
		report.Guards = append(report.Guards, GuardCoverage{Guard: guard})
	}
	for _, terminal := range terminals() {
		report.Terminals = append(report.Terminals, TerminalCoverage{Terminal: terminal})
	}
	for _, t := range p.tests {
		result := p.Decide(t.inputs)
		stopped := result.guards()
		for i := range report.Guards {
			if c := &report.Guards[i]; slices.Contains(stopped, c.Guard) {
				c.Stopped++
			} else {
				c.NotStopped++
			}
		}
		for i := range report.Terminals {
			if c := &report.Terminals[i]; c.Terminal == string(result.Terminal) {
				c.Reached++
			}
		}
		report.Results = append(report.Results, TestResult{Name: t.name, Pos: t.pos, Failures: t.check(&result), Promotion: &result})
	}
	return report
}

func (t *promotionTest) check(r *PromotionResult) (failures []string) {
	fail := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	guards := r.guards()
	got := map[string]string{"terminal": string(r.Terminal), "verdict": string(r.Verdict), "queue": r.Queue}
	if len(guards) > 0 {
		got["guard"], guards = guards[0], guards[1:]
	}
	for _, key := range promotionExpected {
		want, ok := t.texts[key]
		switch {
		case !ok || got[key] == want:
		case key == "terminal" && len(r.Stops) > 0:
			fail("terminal is %s, want %s (stopped by %s)", got[key], want, join(r.guards()))
		case key == "verdict" && r.Held != "":
			fail("verdict is %s, want %s (%s)", got[key], want, r.Held)
		default:
			fail("%s is %s, want %s", key, orNone(got[key]), orNone(want))
		}
	}
	if t.hasOthers && !slices.Equal(guards, t.others) {
		fail("others are %s, want %s", orNone(join(guards)), orNone(join(t.others)))
	}
	return failures
}

package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// test is one entry of a file's tests.
type test struct {
	name    string
	pos     Pos
	input   []byte // an envelope, as JSON
	verdict threshold.Verdict
	codes   []string
	bands   map[string]string
	risk    *string
}

// TestResult is the outcome of one test.
type TestResult struct {
	Name     string
	Pos      Pos
	Failures []string // what was expected and what came instead; empty if it passed
	Decision threshold.Decision
	// Case or Promotion come instead of the decision, of a policy of that kind.
	Case      *CaseResult
	Promotion *PromotionResult
}

// TestReport is the outcome of all tests of a file.
type TestReport struct {
	Results []TestResult
	Rules   []RuleCoverage
	Bands   []BandCoverage
	// Of a promotion policy: each guard, and where a promotion can end.
	Guards    []GuardCoverage
	Terminals []TerminalCoverage
}

// RuleCoverage tells in how many tests a rule fired, didn't, or was unknown. A
// rule of a case policy that is unknown fires.
type RuleCoverage struct {
	ID       string `json:"id"`
	Fired    int    `json:"fired"`
	NotFired int    `json:"notFired"`
	Unknown  int    `json:"unknown"`
}

// BandCoverage tells how many tests put a score into each of its bands. Faulty
// counts those where it had no value to rely on.
type BandCoverage struct {
	Score  string `json:"score"`
	High   int    `json:"high"`
	Review int    `json:"review"`
	Low    int    `json:"low"`
	Faulty int    `json:"faulty"`
}

// RunTests runs the tests of the file, whatever its kind.
func (f *File) RunTests() *TestReport {
	switch {
	case f.Threshold != nil:
		return f.Threshold.RunTests()
	case f.Case != nil:
		return f.Case.RunTests()
	case f.Promotion != nil:
		return f.Promotion.RunTests()
	default:
		return &TestReport{}
	}
}

// Passed reports whether there is at least one test and none failed.
func (r *TestReport) Passed() bool {
	return len(r.Results) > 0 && !slices.ContainsFunc(r.Results, func(t TestResult) bool { return len(t.Failures) > 0 })
}

// Covered counts the outcomes that the tests should reach (each rule fired and
// not fired, each score in each band that it can reach, each guard stopping and
// not, each terminal) and those that they do.
func (r *TestReport) Covered() (reached, all int) {
	count := func(hits ...int) {
		for _, n := range hits {
			all++
			if n > 0 {
				reached++
			}
		}
	}
	for _, c := range r.Rules {
		count(c.Fired, c.NotFired)
	}
	for _, c := range r.Bands {
		count(c.High, c.Review, c.Low)
	}
	for _, c := range r.Guards {
		count(c.Stopped, c.NotStopped)
	}
	for _, c := range r.Terminals {
		count(c.Reached)
	}
	return reached, all
}

func readTests(r *reader, n *source.Node) []test {
	if n == nil || !r.is(n, source.List, "tests") {
		return nil
	}
	var tests []test
	seen := map[string]bool{}
	for _, item := range n.Items {
		if !r.is(item, source.Object, "a test") {
			continue
		}
		r.known(item, "a test", "name", "signals", "expect")
		r.required(item, "name", "signals", "expect")
		t := test{name: r.text(item, "name"), pos: item.Pos}
		if t.name != "" && seen[t.name] {
			r.problem(item.Get("name").Pos, "duplicate-test", "another test has the name %q already", t.name)
		}
		seen[t.name] = true
		if s := item.Get("signals"); s != nil && r.is(s, source.Object, "signals") {
			t.input = append(s.AppendJSON([]byte(`{"signals":`)), '}')
		}
		if e := item.Get("expect"); e != nil && r.is(e, source.Object, "expect") {
			readExpect(r, e, &t)
		}
		tests = append(tests, t)
	}
	return tests
}

// checkTests complains about tests whose signals are malformed, unless that is
// what they test: a typo would make most of them pass for the wrong reason.
func (t *Threshold) checkTests(r *reader) {
	d := t.NewDecider()
	for _, test := range t.tests {
		if test.input == nil || slices.Contains(test.codes, string(verdict.InputMalformed)) {
			continue
		}
		var dst threshold.Decision
		d.DecideJSON(&dst, test.input)
		for _, reason := range dst.Reasons {
			if reason.Code == verdict.InputMalformed {
				_, why, _ := strings.Cut(reason.Message, ": ")
				r.problem(test.pos, "test", "the signals of the test %q are malformed: %s", test.name, why)
			}
		}
	}
}

func readExpect(r *reader, n *source.Node, t *test) {
	r.known(n, "expect", "verdict", "codes", "bands", "risk")
	r.required(n, "verdict")
	t.verdict = threshold.Verdict(r.text(n, "verdict"))
	if v := n.Get("verdict"); v != nil && v.Kind == source.String && !t.verdict.Valid() {
		r.problem(v.Pos, "verdict", "%q isn't a verdict: use auto_apply, auto_reject or route_to_human", t.verdict)
	}
	if c := n.Get("codes"); c != nil && r.is(c, source.List, "codes") {
		for _, item := range c.Items {
			if r.is(item, source.String, `a code ("code" or "code:subject")`) {
				t.codes = append(t.codes, item.Text)
			}
		}
	}
	if b := n.Get("bands"); b != nil && r.is(b, source.Object, "bands") {
		t.bands = map[string]string{}
		for _, m := range b.Members {
			if !r.is(m.Value, source.String, "a band (high, review or low)") {
				continue
			}
			t.bands[m.Key] = m.Value.Text
			switch threshold.Band(m.Value.Text) {
			case threshold.High, threshold.Review, threshold.Low:
			default:
				r.problem(m.Value.Pos, "band", "%q isn't a band: use high, review or low", m.Value.Text)
			}
		}
	}
	if k := n.Get("risk"); k != nil && r.is(k, source.String, "risk") {
		t.risk = &k.Text
		switch threshold.RiskLevel(k.Text) {
		case threshold.RiskLow, threshold.RiskMedium, threshold.RiskHigh, threshold.RiskCritical:
		default:
			r.problem(k.Pos, "risk", "%q isn't a level: use low, medium, high or critical", k.Text)
		}
	}
}

// RunTests runs the tests of the file. A test passes if the verdict, the bands
// and the risk that it names are the decision's, and each of its codes is
// among the reasons ("code" for any subject, "code:subject" for that one).
func (t *Threshold) RunTests() *TestReport {
	report := &TestReport{}
	for _, r := range t.policy.Rules {
		report.Rules = append(report.Rules, RuleCoverage{ID: r.ID})
	}
	for _, name := range sortedKeys(t.policy.Bands) {
		report.Bands = append(report.Bands, BandCoverage{Score: name})
	}
	d := t.NewDecider()
	for _, test := range t.tests {
		res := TestResult{Name: test.name, Pos: test.pos}
		d.DecideJSON(&res.Decision, test.input)
		res.Failures = test.check(&res.Decision)
		report.count(&res.Decision)
		report.Results = append(report.Results, res)
	}
	return report
}

func (t *test) check(d *threshold.Decision) []string {
	var failures []string
	fail := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	if d.Verdict != t.verdict {
		fail("verdict is %s, want %s", d.Verdict, t.verdict)
	}
	for _, want := range t.codes {
		if !slices.ContainsFunc(d.Reasons, func(r threshold.Reason) bool { return r.String() == want || string(r.Code) == want }) {
			fail("no reason %s among %s", want, codes(d))
		}
	}
	for _, name := range sortedKeys(t.bands) {
		if got, _ := d.Bands.Get(name); string(got) != t.bands[name] {
			fail("band of %s is %s, want %s", name, orNone(string(got)), t.bands[name])
		}
	}
	if t.risk != nil && string(d.Risk) != *t.risk {
		fail("risk is %s, want %s", orNone(string(d.Risk)), *t.risk)
	}
	return failures
}

func codes(d *threshold.Decision) string {
	list := make([]string, len(d.Reasons))
	for i, r := range d.Reasons {
		list[i] = r.String()
	}
	return strings.Join(list, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// count adds a decision to the coverage.
func (r *TestReport) count(d *threshold.Decision) {
	fired, unknown, faulty := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, reason := range d.Reasons {
		switch {
		case reason.Code == verdict.RuleError:
			unknown[reason.Subject] = true
		case reason.Source == verdict.SourceRule:
			fired[reason.Subject] = true
		case reason.Source == verdict.SourceSafety && reason.Subject != "":
			faulty[reason.Subject] = true
		}
	}
	for i := range r.Rules {
		switch c := &r.Rules[i]; {
		case unknown[c.ID]:
			c.Unknown++
		case fired[c.ID]:
			c.Fired++
		default:
			c.NotFired++
		}
	}
	for i := range r.Bands {
		c := &r.Bands[i]
		band, _ := d.Bands.Get(c.Score)
		switch {
		case faulty[c.Score]:
			c.Faulty++
		case band == threshold.High:
			c.High++
		case band == threshold.Review:
			c.Review++
		case band == threshold.Low:
			c.Low++
		}
	}
}

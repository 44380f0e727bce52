package casegate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/casegate"
)

// Each kind of rule over cases at and around its edges: the category that it
// raises, or none.
func TestRules(t *testing.T) {
	const none = casegate.Category("")
	invoice := func(expires casegate.Date) casegate.Document {
		return casegate.Document{Type: "invoice", Expires: expires}
	}
	source := func(name string, v any) casegate.Source {
		return casegate.Source{Name: name, Values: map[string]any{"kg": v}}
	}
	papers := casegate.Require{Documents: []string{"invoice"}}
	facts := casegate.Require{Facts: []string{"who"}}
	above := casegate.Limit{Value: fact("n"), Max: f(100), Margin: f(10), Text: "n"}
	below := casegate.Limit{Value: fact("n"), Min: f(0.1), Margin: f(0.2), Text: "n"}
	bare := casegate.Limit{Value: fact("n"), Max: f(100), Min: f(0), Text: "n"}
	cents := casegate.Limit{Value: fact("n"), Max: f(0.8), Margin: f(0.1), Text: "n"}
	sure := casegate.Confidence{Signal: "s", Min: 0.9}
	agree := casegate.Agree{Field: "kg"}
	within := casegate.Agree{Field: "kg", Tolerance: 0.02, Relative: true}
	apart := casegate.Agree{Field: "kg", Tolerance: 0.1}
	two := casegate.Agree{Field: "kg", Sources: []string{"a", "b", "c"}, MinSources: 2}
	bank := casegate.Await{Check: "bank", Accepted: []string{"cleared", "waived"}}
	n := func(v any) casegate.Case { return casegate.Case{Facts: map[string]any{"n": v}} }
	for _, tt := range []struct {
		name string
		kind casegate.Kind
		c    casegate.Case
		want casegate.Category
	}{
		{"document: there", papers, casegate.Case{Documents: []casegate.Document{invoice("")}}, none},
		{"document: absent", papers, casegate.Case{Documents: []casegate.Document{{Type: "Invoice"}}}, casegate.MissingRequiredDocumentation},
		{"document: expires tomorrow", papers, casegate.Case{AsOf: "2026-11-30", Documents: []casegate.Document{invoice("2026-12-01")}}, none},
		{"document: expires today", papers, casegate.Case{AsOf: "2026-11-30", Documents: []casegate.Document{invoice("2026-11-30")}}, casegate.MissingRequiredDocumentation},
		{"document: expired", papers, casegate.Case{AsOf: "2026-11-30", Documents: []casegate.Document{invoice("2025-12-31")}}, casegate.MissingRequiredDocumentation},
		{"document: one of two is valid", papers, casegate.Case{AsOf: "2026-11-30", Documents: []casegate.Document{invoice("2025-12-31"), invoice("2027-01-01")}}, none},
		{"document: may be expired, nobody knows the day", papers, casegate.Case{Documents: []casegate.Document{invoice("2999-12-31")}}, casegate.MissingRequiredDocumentation},
		{"document: nobody knows the day, but another doesn't expire", papers, casegate.Case{Documents: []casegate.Document{invoice("2999-12-31"), invoice("")}}, none},

		{"fact: there", facts, casegate.Case{Facts: map[string]any{"who": "me"}}, none},
		{"fact: false is a fact", facts, casegate.Case{Facts: map[string]any{"who": false}}, none},
		{"fact: 0 is a fact", facts, casegate.Case{Facts: map[string]any{"who": int64(0)}}, none},
		{"fact: absent", facts, casegate.Case{}, casegate.MissingRequiredDocumentation},
		{"fact: null", facts, casegate.Case{Facts: map[string]any{"who": nil}}, casegate.MissingRequiredDocumentation},
		{"fact: blank", facts, casegate.Case{Facts: map[string]any{"who": " \t"}}, casegate.MissingRequiredDocumentation},
		{"required condition: true", casegate.Require{Condition: condition(true)}, casegate.Case{}, none},
		{"required condition: false", casegate.Require{Condition: condition(false)}, casegate.Case{}, casegate.MissingRequiredDocumentation},
		{"required condition: unknown", casegate.Require{Condition: unknown}, casegate.Case{}, casegate.MissingRequiredDocumentation},

		{"forbid: false", casegate.Forbid{Condition: condition(false)}, casegate.Case{}, none},
		{"forbid: true", casegate.Forbid{Condition: condition(true)}, casegate.Case{}, casegate.PolicyViolation},
		{"forbid: unknown", casegate.Forbid{Condition: unknown}, casegate.Case{}, casegate.PolicyViolation},
		{"forbid: panics", casegate.Forbid{Condition: func(c casegate.Case) (bool, error) { return c.Documents[5].ID == "", nil }}, casegate.Case{}, casegate.PolicyViolation},

		{"limit: far below", above, n(int64(5)), none},
		{"limit: right before the margin", above, n(math.Nextafter(90, 0)), none},
		{"limit: where the margin begins", above, n(int64(90)), casegate.BoundaryCondition},
		{"limit: in the margin", above, n(95.5), casegate.BoundaryCondition},
		{"limit: at the bound", above, n(int64(100)), casegate.BoundaryCondition},
		{"limit: right behind the bound", above, n(math.Nextafter(100, 200)), casegate.PolicyViolation},
		{"limit: an integer that no float64 holds", casegate.Limit{Value: fact("n"), Max: f(1 << 53)}, n(int64(1<<53 + 1)), casegate.PolicyViolation},
		{"limit: absent", above, casegate.Case{}, casegate.BoundaryCondition},
		{"limit: a text", above, n("5"), casegate.BoundaryCondition},
		{"limit: null", above, n(nil), casegate.BoundaryCondition},
		{"limit: NaN", above, n(math.NaN()), casegate.BoundaryCondition},
		{"limit: infinite", above, n(math.Inf(1)), casegate.BoundaryCondition},
		{"limit: panics", casegate.Limit{Value: func(casegate.Case) (any, error) { panic("x") }, Max: f(1)}, casegate.Case{}, casegate.BoundaryCondition},
		{"limit: below the least", below, n(0.05), casegate.PolicyViolation},
		{"limit: where the margin ends, in decimals", below, n(0.3), casegate.BoundaryCondition},
		{"limit: behind the margin", below, n(0.31), none},
		{"limit: where a margin begins that binary fractions miss", cents, n(0.7), casegate.BoundaryCondition},
		{"limit: without a margin the bound is fine", bare, n(int64(100)), none},
		{"limit: without a margin the lower bound is fine", bare, n(0.0), none},
		{"limit: without a margin, beyond", bare, n(-0.001), casegate.PolicyViolation},
		{"limit: a margin of nothing is the bound", casegate.Limit{Value: fact("n"), Max: f(100), Margin: f(0)}, n(int64(100)), casegate.BoundaryCondition},

		{"confidence: enough", sure, casegate.Case{Signals: map[string]any{"s": 0.9}}, none},
		{"confidence: too little", sure, casegate.Case{Signals: map[string]any{"s": 0.89}}, casegate.InsufficientConfidence},
		{"confidence: absent", sure, casegate.Case{}, casegate.InsufficientConfidence},
		{"confidence: null", sure, casegate.Case{Signals: map[string]any{"s": nil}}, casegate.InsufficientConfidence},
		{"confidence: a text", sure, casegate.Case{Signals: map[string]any{"s": "0.95"}}, casegate.InsufficientConfidence},
		{"confidence: percent", sure, casegate.Case{Signals: map[string]any{"s": int64(95)}}, casegate.InsufficientConfidence},
		{"confidence: 1, written without a fraction", sure, casegate.Case{Signals: map[string]any{"s": int64(1)}}, none},
		{"confidence: NaN", sure, casegate.Case{Signals: map[string]any{"s": math.NaN()}}, casegate.InsufficientConfidence},
		{"confidence: a fraud score is none", casegate.Confidence{Signal: "fraud", Min: 0.9}, casegate.Case{Signals: map[string]any{"fraud": 0.95}}, casegate.InsufficientConfidence},
		{"confidence: a low fraud score is one", casegate.Confidence{Signal: "fraud", Min: 0.9}, casegate.Case{Signals: map[string]any{"fraud": 0.1}}, none},

		{"agree: equal", agree, casegate.Case{Sources: []casegate.Source{source("a", int64(5)), source("b", 5.0)}}, none},
		{"agree: not equal", agree, casegate.Case{Sources: []casegate.Source{source("a", int64(5)), source("b", 5.1)}}, casegate.ConflictingSignals},
		{"agree: one source", agree, casegate.Case{Sources: []casegate.Source{source("a", int64(5))}}, casegate.ConflictingSignals},
		{"agree: one has null", agree, casegate.Case{Sources: []casegate.Source{source("a", int64(5)), source("b", nil)}}, casegate.ConflictingSignals},
		{"agree: texts", agree, casegate.Case{Sources: []casegate.Source{source("a", "x"), source("b", "x")}}, none},
		{"agree: texts that differ in case", agree, casegate.Case{Sources: []casegate.Source{source("a", "x"), source("b", "X")}}, casegate.ConflictingSignals},
		{"agree: a number and its text", agree, casegate.Case{Sources: []casegate.Source{source("a", int64(5)), source("b", "5")}}, casegate.ConflictingSignals},
		{"agree: a text and its number", agree, casegate.Case{Sources: []casegate.Source{source("a", "5"), source("b", int64(5))}}, casegate.ConflictingSignals},
		{"agree: lists can't be compared", agree, casegate.Case{Sources: []casegate.Source{source("a", []any{}), source("b", []any{})}}, casegate.ConflictingSignals},
		{"agree: a value that JSON doesn't know", agree, casegate.Case{Sources: []casegate.Source{source("a", func() {}), source("b", func() {})}}, casegate.ConflictingSignals},
		{"agree: NaN agrees with nothing", agree, casegate.Case{Sources: []casegate.Source{source("a", math.NaN()), source("b", math.NaN())}}, casegate.ConflictingSignals},
		{"agree: within 2 %", within, casegate.Case{Sources: []casegate.Source{source("a", int64(100)), source("b", int64(102))}}, none},
		{"agree: 2 % of the smaller, not of the larger", within, casegate.Case{Sources: []casegate.Source{source("a", int64(98)), source("b", int64(100))}}, casegate.ConflictingSignals},
		{"agree: a share of 0 is 0", within, casegate.Case{Sources: []casegate.Source{source("a", int64(0)), source("b", 0.001)}}, casegate.ConflictingSignals},
		{"agree: negative numbers", within, casegate.Case{Sources: []casegate.Source{source("a", int64(-100)), source("b", int64(-102))}}, none},
		{"agree: the tolerance, in decimals", apart, casegate.Case{Sources: []casegate.Source{source("a", 0.3), source("b", 0.2)}}, none},
		{"agree: the outermost count", apart, casegate.Case{Sources: []casegate.Source{source("a", 0.1), source("b", 0.2), source("c", 0.3)}}, casegate.ConflictingSignals},
		{"agree: enough of the named sources", two, casegate.Case{Sources: []casegate.Source{source("a", int64(1)), source("c", int64(1)), source("other", int64(9))}}, none},
		{"agree: not enough of the named sources", two, casegate.Case{Sources: []casegate.Source{source("a", int64(1)), source("other", int64(1))}}, casegate.ConflictingSignals},

		{"await: accepted", bank, casegate.Case{Checks: []casegate.Check{{"bank", "waived"}}}, none},
		{"await: pending", bank, casegate.Case{Checks: []casegate.Check{{"bank", "pending"}}}, casegate.ExternalDependency},
		{"await: another case", bank, casegate.Case{Checks: []casegate.Check{{"bank", "Cleared"}}}, casegate.ExternalDependency},
		{"await: absent", bank, casegate.Case{Checks: []casegate.Check{{"banks", "cleared"}}}, casegate.ExternalDependency},
	} {
		p := deciding(tt.kind)
		p.Signals = map[string]casegate.Direction{"s": casegate.HigherIsSafer, "fraud": casegate.LowerIsSafer}
		out := mustCompile(t, p).Decide(tt.c)
		want := casegate.Decide
		if tt.want != none {
			want = casegate.Escalate
		}
		if out.Action != want || out.Category != tt.want {
			t.Errorf("%s: %s %s, want %s %s\n%s", tt.name, out.Action, out.Category, want, tt.want, strings.Join(out.AuditTrail, "\n"))
		}
		if tt.want != none {
			checkBlock(t, tt.name, out)
		}
	}
}

// blocks name the block of each category.
var blocks = map[casegate.Category]string{
	casegate.PolicyViolation: "policy_violations", casegate.MissingRequiredDocumentation: "missing_preconditions",
	casegate.BoundaryCondition: "boundary_analysis", casegate.InsufficientConfidence: "confidence_factors",
	casegate.ConflictingSignals: "conflicting_signals", casegate.ExternalDependency: "external_dependency",
}

// checkBlock wants the block of the category, and no other.
func checkBlock(t *testing.T, name string, out casegate.Output) {
	t.Helper()
	o := object(t, out)
	for category, block := range blocks {
		_, there := o[block]
		if there != (category == out.Category) {
			t.Errorf("%s: category %s, but block %s: %v", name, out.Category, block, there)
		}
	}
}

package casegate_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/verdict"
)

// genValue makes a value of a case, now and then one that no JSON has.
func genValue(t *rapid.T) any {
	return rapid.SampledFrom([]any{
		nil, true, false, "", " ", "x", "<&>\u2028", "\xff", int64(0), int64(1), int64(5), int64(1<<53 + 1), 0.0, 0.5, 0.9, 1.0, 2.5, 1e300, -1.0,
		[]any{int64(1)},
		map[string]any{"a": nil},
		func() {},
		struct{}{},
	}).Draw(t, "value")
}

var names = []string{"a", "b", "c"}

func genName(t *rapid.T) string { return rapid.SampledFrom(names).Draw(t, "name") }

func genValues(t *rapid.T) map[string]any {
	m := map[string]any{}
	for _, name := range names {
		if rapid.IntRange(0, 3).Draw(t, "there") > 0 {
			m[name] = genValue(t)
		}
	}
	return m
}

func genDate(t *rapid.T) casegate.Date {
	return rapid.SampledFrom([]casegate.Date{"", "2026-11-29", "2026-11-30", "2026-12-01"}).Draw(t, "date")
}

func genCase(t *rapid.T) casegate.Case {
	if rapid.IntRange(0, 2).Draw(t, "in order") > 0 { // nothing speaks against it
		c := casegate.Case{ID: "C-2", AsOf: "2026-11-30", Facts: map[string]any{}, Signals: map[string]any{"a": 0.9}}
		for _, name := range names {
			c.Facts[name] = 0.25
			c.Documents = append(c.Documents, casegate.Document{Type: name})
			c.Sources = append(c.Sources, casegate.Source{Name: name, Values: map[string]any{"a": int64(1), "b": "x", "c": 0.5}})
			c.Checks = append(c.Checks, casegate.Check{Name: name, Status: genName(t)})
		}
		return c
	}
	c := casegate.Case{ID: rapid.SampledFrom([]string{"", "C-1", "\xff"}).Draw(t, "id"), AsOf: genDate(t), Facts: genValues(t), Signals: genValues(t)}
	for range rapid.IntRange(0, 3).Draw(t, "documents") {
		c.Documents = append(c.Documents, casegate.Document{Type: genName(t), Expires: genDate(t)})
	}
	for _, name := range names[:rapid.IntRange(0, 3).Draw(t, "sources")] {
		c.Sources = append(c.Sources, casegate.Source{Name: name, Values: genValues(t)})
	}
	for _, name := range names[:rapid.IntRange(0, 3).Draw(t, "checks")] {
		c.Checks = append(c.Checks, casegate.Check{Name: name, Status: genName(t)})
	}
	if rapid.IntRange(0, 9).Draw(t, "faulty") == 0 {
		c.Faults = append(c.Faults, verdict.Fault{Code: rapid.SampledFrom([]verdict.Code{verdict.GateSupervised, verdict.InputMalformed, "new"}).Draw(t, "code")})
	}
	return c
}

func genCondition(t *rapid.T) casegate.Condition {
	name := genName(t)
	switch rapid.IntRange(0, 9).Draw(t, "condition") {
	case 0:
		return unknown
	case 1:
		return func(casegate.Case) (bool, error) { panic("x") }
	default:
		return func(c casegate.Case) (bool, error) {
			b, ok := c.Facts[name].(bool)
			if !ok {
				return false, nil
			}
			return b, nil
		}
	}
}

func genKind(t *rapid.T) casegate.Kind {
	number := func() *float64 {
		return f(rapid.SampledFrom([]float64{0.5, 1, 5, 100}).Draw(t, "number"))
	}
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return casegate.Require{Documents: []string{genName(t)}, Facts: []string{genName(t)}}
	case 1:
		return casegate.Forbid{Condition: genCondition(t), Text: "a condition"}
	case 2:
		l := casegate.Limit{Value: fact(genName(t)), Max: number(), Text: "a fact"}
		if rapid.Bool().Draw(t, "margin") {
			l.Margin = number()
		}
		return l
	case 3:
		return casegate.Confidence{Signal: "a", Min: rapid.SampledFrom([]float64{0, 0.5, 0.9, 1}).Draw(t, "min")}
	case 4:
		return casegate.Agree{Field: genName(t), Tolerance: *number(), Relative: rapid.Bool().Draw(t, "relative")}
	default:
		return casegate.Await{Check: genName(t), Accepted: []string{genName(t)}}
	}
}

func genPolicy(t *rapid.T) casegate.Policy {
	kinds := rapid.SliceOfN(rapid.Custom(genKind), 1, 4).Draw(t, "kinds")
	p := deciding(kinds...)
	p.Signals = map[string]casegate.Direction{"a": rapid.SampledFrom([]casegate.Direction{casegate.HigherIsSafer, casegate.HigherIsSafer, casegate.LowerIsSafer}).Draw(t, "direction")}
	p.ConfidenceFloor = rapid.SampledFrom([]float64{0, 0, 0.5}).Draw(t, "floor")
	p.Decision = rapid.SampledFrom([]casegate.Text{text("OK"), text("OK"), text("other"), text("")}).Draw(t, "decision")
	return p
}

// One more rule never takes a person out, and never makes the gate surer.
func TestOneMoreRuleNeverLoosens(t *testing.T) {
	escalated, tightened := 0, 0
	check := func(t *rapid.T) {
		p, c := genPolicy(t), genCase(t)
		before := mustCompile(t, p).Decide(c)
		more := p
		more.Rules = append(append([]casegate.Rule{}, p.Rules...), casegate.Rule{ID: "more", NextStep: "look", Kind: genKind(t)})
		g := mustCompile(t, more)
		after := g.Decide(c)
		switch {
		case before.Action == casegate.Escalate && after.Action == casegate.Decide:
			t.Fatalf("from ESCALATE to DECIDE:\n%s\n%s", before.AppendJSON(nil), after.AppendJSON(nil))
		case before.Action == casegate.Escalate:
			escalated++
		case after.Action == casegate.Escalate:
			tightened++
		}
		old, now := mustCompile(t, p).Verdict(&before), g.Verdict(&after)
		if verdict.Looser(old.Verdict, now.Verdict) {
			t.Fatalf("from %s to %s", old.Verdict, now.Verdict)
		}
	}
	for range 10 { // of 100 pairs each
		rapid.Check(t, check)
	}
	if escalated == 0 || tightened == 0 {
		t.Errorf("%d escalated before, %d by the new rule: the test looks at nothing", escalated, tightened)
	}
}

// A fault never takes a person out either.
func TestAFaultEscalates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genCase(t)
		c.Faults = append(c.Faults, verdict.Fault{Code: verdict.Code(rapid.String().Draw(t, "code"))})
		if out := mustCompile(t, genPolicy(t)).Decide(c); out.Action != casegate.Escalate {
			t.Fatalf("%s", out.AppendJSON(nil))
		}
	})
}

// The same case gives the same bytes, whatever the values are, and isn't changed.
func TestDecidingIsPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, c := mustCompile(t, genPolicy(t)), genCase(t)
		was := fmt.Sprintf("%#v", []any{c.AsOf, c.Documents, len(c.Facts), len(c.Signals), c.Checks, len(c.Sources)})
		one, two := g.Decide(c), g.Decide(c)
		if a, b := one.AppendJSON(nil), two.AppendJSON(nil); !bytes.Equal(a, b) {
			t.Fatalf("twice:\n%s\n%s", a, b)
		}
		if is := fmt.Sprintf("%#v", []any{c.AsOf, c.Documents, len(c.Facts), len(c.Signals), c.Checks, len(c.Sources)}); is != was {
			t.Fatalf("the case was changed: %s", cmp.Diff(was, is))
		}
	})
}

// Whatever the policy and the case are, the output is one of the schema, and
// what is decided is consistent.
func TestEveryOutputIsValid(t *testing.T) {
	answers := []string{modelDecide, modelEscalate, "", "x"}
	rapid.Check(t, func(t *rapid.T) {
		p := genPolicy(t)
		p.Applies = []string{"OK", "other"}
		var o *casegate.Opinion
		if rapid.Bool().Draw(t, "asked") {
			o = opinion(rapid.SampledFrom(answers).Draw(t, "answer"))
		}
		out := mustCompile(t, p).DecideWith(genCase(t), o)
		report := casegate.Validate(out.AppendJSON(nil), &p)
		if report.Malformed != "" || len(report.Schema) > 0 || report.Action != out.Action {
			t.Fatalf("%+v\n%s", report, out.AppendJSON(nil))
		}
		if out.Action == casegate.Decide != report.Consistent() || out.Action == casegate.Escalate && len(report.Warnings) > 0 {
			t.Fatalf("%+v\n%s", report, out.AppendJSON(nil))
		}
	})
}

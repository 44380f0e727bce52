package casegate_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/casegate"
	"pgregory.net/rapid"
)

// A jsonMember is a member of an object that is written in any order.
type jsonMember struct {
	name  string
	value any // string, bool, nil, json.Number, []any or jsonObject
}

type jsonObject []jsonMember

// write writes a value with white space and an order of members of its own.
func write(t *rapid.T, b *strings.Builder, v any) {
	space := func() { b.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n"}).Draw(t, "space")) }
	space()
	switch v := v.(type) {
	case jsonObject:
		b.WriteByte('{')
		for i, m := range rapid.Permutation(v).Draw(t, "order") {
			if i > 0 {
				b.WriteByte(',')
			}
			space()
			name, _ := json.Marshal(m.name)
			b.Write(name)
			space()
			b.WriteByte(':')
			write(t, b, m.value)
		}
		space()
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(t, b, item)
		}
		space()
		b.WriteByte(']')
	default:
		text, _ := json.Marshal(v)
		b.Write(text)
	}
	space()
}

func written(t *rapid.T, v any) []byte {
	var b strings.Builder
	write(t, &b, v)
	return []byte(b.String())
}

// set returns the object with a member set.
func (o jsonObject) set(name string, value any) jsonObject {
	out := jsonObject{{name, value}}
	for _, m := range o {
		if m.name != name {
			out = append(out, m)
		}
	}
	return out
}

var anyText = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", "DECIDE", "ESCALATE", "NONE", "POLICY_VIOLATION", "RELEASE", "REFUSE", "decide", "DECIDE ", "\u200b"}))

// anyJSON draws a value of a few levels.
func anyJSON(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 5
		if depth > 0 {
			kinds = 7
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2, 3:
			return anyText.Draw(t, "text")
		case 4:
			return json.Number(rapid.SampledFrom([]string{"0", "-0", "1", "0.9", "1e-400", "2", "1e999", "-1", "0.5", "5e-1"}).Draw(t, "number"))
		case 5:
			return rapid.SliceOfN(anyJSON(depth-1), 0, 3).Draw(t, "items")
		default:
			return anyObject(0, depth-1).Draw(t, "object")
		}
	})
}

func anyObject(least, depth int) *rapid.Generator[any] {
	return rapid.Map(rapid.MapOfN(rapid.String(), anyJSON(depth), least, 3), func(m map[string]any) any {
		o := jsonObject{}
		for name, v := range m {
			o = append(o, jsonMember{name, v})
		}
		return o
	})
}

var blockNames = []string{"policy_violations", "missing_preconditions", "boundary_analysis", "confidence_factors", "conflicting_signals", "external_dependency"}

// aBlock draws a block that isn't empty.
func aBlock(name string) *rapid.Generator[any] {
	if name != "conflicting_signals" {
		return anyObject(1, 2)
	}
	return rapid.Map(rapid.SliceOfN(anyObject(0, 2), 1, 3), func(items []any) any { return items })
}

// consistentDecide draws a DECIDE that nothing speaks against.
var consistentDecide = rapid.Custom(func(t *rapid.T) jsonObject {
	o := jsonObject{
		{"action", "DECIDE"},
		{"escalation_category", nil},
		{"confidence_score", json.Number(rapid.SampledFrom([]string{"0.8", "1", "1.0", "8E-1", "0.97"}).Draw(t, "confidence"))},
		{"human_action_required", "NONE"},
		{"audit_trail", rapid.SliceOfN(rapid.Map(rapid.String(), func(s string) any { return "line " + s }), 1, 3).Draw(t, "trail")},
		{"decision", rapid.SampledFrom([]string{"RELEASE", "REFUSE"}).Draw(t, "decision")},
	}
	for _, m := range []jsonMember{
		{"rationale", rapid.String().Draw(t, "rationale")},
		{"confidence_reasoning", rapid.String().Draw(t, "reasoning")},
		{"selected_route", "by " + rapid.String().Draw(t, "route")},
		{"escalation_path", ""},
		{"policy_gates_passed", []any{"docs"}},
		{"external_dependency", jsonObject{}},
		{"conflicting_signals", []any{}},
		{"trace", jsonObject{{"id", json.Number("7e999")}}},
	} {
		if rapid.Bool().Draw(t, m.name) {
			o = append(o, m)
		}
	}
	return o
})

// anyOutput draws an object of the members of an output, right or wrong.
var anyOutput = rapid.Custom(func(t *rapid.T) jsonObject {
	o := consistentDecide.Draw(t, "output")
	if rapid.IntRange(0, 3).Draw(t, "escalate") == 0 {
		o = o.set("action", "ESCALATE").set("escalation_category", "EXTERNAL_DEPENDENCY")
	}
	wrong := []jsonMember{
		{"Action", "ESCALATE"},
		{"needs_escalation", true},
		{"y~/", "escalate"},
		{"decision", "HOLD"},
		{"decision", " "},
		{"escalation_path", "q"},
		{"confidence_score", json.Number("0.5")},
		{"audit_trail", []any{"a", " ", "b", ""}},
		{"human_action_required", "none"},
		{"\u200b", nil},
	}
	for _, name := range blockNames {
		wrong = append(wrong, jsonMember{name, aBlock(name).Draw(t, name)})
	}
	for _, m := range rapid.SliceOfN(rapid.SampledFrom(wrong), 0, 4).Draw(t, "wrong") {
		o = o.set(m.name, m.value)
	}
	if rapid.IntRange(0, 3).Draw(t, "any") == 0 {
		names := append([]string{"action", "escalation_category", "confidence_score", "audit_trail", "decision", "x"}, blockNames...)
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 5, rapid.ID).Draw(t, "names") {
			o = o.set(name, anyJSON(2).Draw(t, name))
		}
	}
	return o
})

func TestOnlyExactlyDECIDEIsConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		action := rapid.OneOf(anyJSON(2), rapid.Custom(func(t *rapid.T) any {
			return rapid.String().Draw(t, "before") + rapid.SampledFrom([]string{"DECIDE", "decide", "Decide", "DECIDED", "ESCALATE"}).Draw(t, "action") + rapid.String().Draw(t, "after")
		})).Draw(t, "action")
		o := consistentDecide.Draw(t, "output").set("action", action)
		if r := casegate.Validate(written(t, o), reportPolicy()); r.Consistent() != (action == any("DECIDE")) {
			t.Fatalf("action %v: %+v", action, r)
		}
	})
}

func TestABlockMakesADECIDEInconsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := consistentDecide.Draw(t, "output")
		if r := casegate.Validate(written(t, o), reportPolicy()); !r.Consistent() {
			t.Fatalf("not consistent to begin with: %+v", r)
		}
		name := rapid.SampledFrom(blockNames).Draw(t, "block")
		o = o.set(name, aBlock(name).Draw(t, "entries"))
		for _, p := range []*casegate.Policy{nil, reportPolicy()} {
			if r := casegate.Validate(written(t, o), p); r.Consistent() || len(r.Schema) > 0 || len(r.Contradictions) != 1 {
				t.Fatalf("%s: %+v", name, r)
			}
		}
	})
}

func TestReportDependsOnNeitherWhiteSpaceNorOrder(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		o := anyOutput.Draw(t, "output")
		first := casegate.Validate(written(t, o), reportPolicy())
		second := casegate.Validate(written(t, o), reportPolicy())
		if first.Malformed != "" {
			t.Fatal(first.Malformed)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatal(diff)
		}
		seen[outcome(first)]++
	})
	if len(seen) != 4 {
		t.Errorf("only these came up: %v", seen)
	}
}

// What a policy says can only be one more thing that speaks against a DECIDE.
func TestAPolicyNeverMakesAnOutputConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := written(t, anyOutput.Draw(t, "output"))
		if casegate.Validate(text, reportPolicy()).Consistent() && !casegate.Validate(text, nil).Consistent() {
			t.Fatalf("%s", text)
		}
	})
}

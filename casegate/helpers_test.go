package casegate_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/pawlgate/pawl/casegate"
)

type reporter interface {
	Helper()
	Fatalf(string, ...any)
}

func mustCompile(t reporter, p casegate.Policy) *casegate.Gate {
	t.Helper()
	g, err := casegate.Compile(p)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return g
}

// deciding is a policy with these rules that decides OK.
func deciding(kinds ...casegate.Kind) casegate.Policy {
	p := casegate.Policy{Decision: text("OK"), Applies: []string{"OK"}, EnableAutoApply: true, WithoutConfidence: true}
	for i, k := range kinds {
		p.Rules = append(p.Rules, casegate.Rule{ID: "r" + string(rune('0'+i)), NextStep: "look at it", Kind: k})
	}
	return p
}

func text(s string) casegate.Text { return func(casegate.Case) (string, error) { return s, nil } }

func condition(b bool) casegate.Condition {
	return func(casegate.Case) (bool, error) { return b, nil }
}

var errUnknown = errors.New("nobody knows")

func unknown(casegate.Case) (bool, error) { return false, errUnknown }

func fact(name string) casegate.Number {
	return func(c casegate.Case) (any, error) {
		v, ok := c.Facts[name]
		if !ok {
			return nil, errUnknown
		}
		return v, nil
	}
}

func f(v float64) *float64 { return &v }

// object is the output as a JSON object.
func object(t *testing.T, o casegate.Output) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(o.AppendJSON(nil), &m); err != nil {
		t.Fatalf("%v: %s", err, o.AppendJSON(nil))
	}
	return m
}

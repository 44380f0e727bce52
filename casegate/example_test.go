package casegate_test

import (
	"fmt"

	"github.com/pawlgate/pawl/casegate"
)

func Example() {
	limit := 10_000.0
	gate, err := casegate.Compile(casegate.Policy{
		Rules: []casegate.Rule{
			{ID: "papers", NextStep: "Ask the shipper for the missing papers.", Kind: casegate.Require{Documents: []string{"invoice"}}},
			{ID: "value", NextStep: "Check the declared value.", Kind: casegate.Limit{
				Value: func(c casegate.Case) (any, error) { return c.Facts["value_eur"], nil }, Text: "facts.value_eur", Max: &limit,
			}},
		},
		Decision: func(casegate.Case) (string, error) { return "RELEASE", nil },
		Applies:  []string{"RELEASE"}, EnableAutoApply: true, WithoutConfidence: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := casegate.Case{ID: "S-1", Facts: map[string]any{"value_eur": 4200.0}, Documents: []casegate.Document{{Type: "invoice"}}}
	out := gate.Decide(c)
	fmt.Println(out.Action, out.Decision, gate.Verdict(&out).Verdict)

	c.Facts["value_eur"] = 12_000.0
	out = gate.Decide(c)
	fmt.Println(out.Action, out.Category, gate.Verdict(&out).Verdict, "-", out.HumanAction)
	// Output:
	// DECIDE RELEASE auto_apply
	// ESCALATE POLICY_VIOLATION route_to_human - Check the declared value.
}

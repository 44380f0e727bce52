package threshold_test

import (
	"errors"
	"fmt"

	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// A score at or above highMin is applied without a person, once the policy
// switches that on.
func Example() {
	gate, err := threshold.Compile(threshold.Policy{
		Bands:           map[string]threshold.BandConfig{"score": {HighMin: 0.82, ReviewMin: 0.32}},
		EnableAutoApply: true,
	})
	if err != nil {
		panic(err)
	}
	for _, score := range []float64{0.91, 0.5, 0.1} {
		d := gate.Decide(threshold.Signals{Score: &score})
		fmt.Println(score, d.Verdict, d.Reasons)
	}
	// Output:
	// 0.91 auto_apply [band_high:score]
	// 0.5 route_to_human [band_review:score]
	// 0.1 route_to_human [band_low:score auto_reject_disabled]
}

// Rules look at everything else. A closure is a condition, too; one that can't
// tell returns an error, and a person decides.
func Example_rules() {
	gate, err := threshold.Compile(threshold.Policy{
		Bands:           map[string]threshold.BandConfig{"score": {HighMin: 0.9, ReviewMin: 0.5}},
		EnableAutoApply: true, EnableAutoReject: true,
		Rules: []threshold.Rule{
			{
				ID: "sanctioned", Force: threshold.AutoReject, Reason: "the country is under sanctions",
				When: threshold.Flag("sanctioned_country"),
			},
			{
				ID: "large", Force: threshold.RouteToHuman, Reason: "above the clerk's limit",
				When: threshold.Func(func(s threshold.Signals) (bool, error) {
					amount, ok := s.Meta["amount"].(int)
					if !ok {
						return false, fmt.Errorf("no amount")
					}
					return amount > 10_000, nil
				}),
			},
		},
	})
	if err != nil {
		panic(err)
	}
	for _, s := range []threshold.Signals{
		{Score: new(0.95), Meta: map[string]any{"amount": 500}},
		{Score: new(0.95), Meta: map[string]any{"amount": 20_000}},
		{Score: new(0.95), Meta: map[string]any{"amount": 500}, Flags: []string{"sanctioned_country"}},
		{Score: new(0.95)},
	} {
		d := gate.Decide(s)
		fmt.Println(d.Verdict, d.Reasons)
	}
	// Output:
	// auto_apply [band_high:score]
	// route_to_human [band_high:score rule_route_to_human:large]
	// auto_reject [band_high:score rule_auto_reject:sanctioned]
	// route_to_human [band_high:score rule_error:large]
}

// All problems of a policy come at once, each with its place.
func ExampleCompile() {
	_, err := threshold.Compile(threshold.Policy{
		Bands: map[string]threshold.BandConfig{"score": {HighMin: 0.5, ReviewMin: 0.9}},
		Rules: []threshold.Rule{{ID: "r", When: threshold.Flag("f"), Force: threshold.AutoApply, Reason: "why not"}},
	})
	var invalid *threshold.PolicyError
	errors.As(err, &invalid)
	for _, p := range invalid.Problems {
		fmt.Println(p.Path)
	}
	// Output:
	// /bands/score
	// /rules/0/force
}

// What a decoder finds wrong travels with the signals and ends with a person.
func ExampleSignals_fault() {
	d := threshold.Decide(threshold.Signals{
		Faults: []threshold.Fault{{
			Code: verdict.ScoreNotNumber, Subject: "score", Detail: "score is a string",
		}},
	}, threshold.Policy{
		Bands:           map[string]threshold.BandConfig{"score": {HighMin: 0.9, ReviewMin: 0.5}},
		EnableAutoApply: true,
	})
	for _, r := range d.Reasons {
		fmt.Println(r, r.Source)
	}
	fmt.Println(d.Verdict)
	// Output:
	// band_review:score band
	// score_not_number:score safety
	// route_to_human
}

// A stream of decisions needs only one Decision and one buffer.
func ExampleGate_DecideInto() {
	gate, err := threshold.Compile(threshold.Policy{
		Bands:           map[string]threshold.BandConfig{"draft": {HighMin: 0.9, ReviewMin: 0.5}},
		EnableAutoApply: true,
		Risk:            []threshold.Risk{{Level: threshold.RiskHigh, When: threshold.Flag("minor")}},
	})
	if err != nil {
		panic(err)
	}
	var d threshold.Decision
	var line []byte
	for _, s := range []threshold.Signals{
		{Scores: map[string]float64{"draft": 0.9}, Flags: []string{"minor"}},
		{Scores: map[string]float64{"draft": 0.7}},
	} {
		gate.DecideInto(&d, s)
		line = d.Bands.AppendJSON(line[:0])
		fmt.Println(d.Verdict, d.Risk, string(line))
	}
	// Output:
	// auto_apply high {"draft":"high"}
	// route_to_human  {"draft":"review"}
}

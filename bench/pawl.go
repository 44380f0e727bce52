package bench

import "github.com/pawlgate/pawl/threshold"

// gatePolicy is the decision as a policy in Go, with the fixture conditions.
func gatePolicy() threshold.Policy {
	return threshold.Policy{
		Bands: map[string]threshold.BandConfig{
			"fraud_ok": {HighMin: 0.98, ReviewMin: 0.60},
			"text_ok":  {HighMin: 0.90, ReviewMin: 0.20},
		},
		Rules: []threshold.Rule{
			{ID: "vip", When: threshold.Flag("vip"), Force: threshold.RouteToHuman, Reason: "important customers get a person"},
			{ID: "unlinked", When: threshold.MetaNumberLessThan{Key: "linkedCount", Value: 1}, Force: threshold.RouteToHuman, Reason: "no linked account"},
			{ID: "text-doubt", When: threshold.ScoreBelow{Name: "text_ok", Value: 0.8}, Force: threshold.RouteToHuman, Reason: "the text model has doubts"},
		},
		EnableAutoApply: true,
	}
}

// signals returns the cases as the gate gets them.
func signals(cases []Case) []threshold.Signals {
	all := make([]threshold.Signals, len(cases))
	for i, c := range cases {
		all[i] = threshold.Signals{
			Scores: map[string]float64{"fraud_ok": c.Fraud, "text_ok": c.Text},
			Flags:  c.Flags,
			Meta:   map[string]any{"linkedCount": c.Linked, "amount": c.Amount, "country": c.Country},
		}
	}
	return all
}

func pawlMemory(cases []Case) ([]Contender, error) {
	gate, err := threshold.Compile(gatePolicy())
	if err != nil {
		return nil, err
	}
	all := signals(cases)
	var fresh threshold.Decision // not on the stack, where its reasons could stay as well
	return []Contender{
		pawlReused("pawl/reused", gate, all),
		{"pawl/fresh", func(i int) threshold.Verdict {
			fresh = gate.Decide(all[i])
			return fresh.Verdict
		}},
	}, nil
}

func pawlReused(name string, gate *threshold.Gate, all []threshold.Signals) Contender {
	var d threshold.Decision
	return Contender{name, func(i int) threshold.Verdict {
		gate.DecideInto(&d, all[i])
		return d.Verdict
	}}
}

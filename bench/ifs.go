package bench

import (
	"slices"

	"github.com/pawlgate/pawl/threshold"
)

// plain is the input as a program would hold it that knows only this decision.
type plain struct {
	Scores plainScores `json:"scores"`
	Flags  []string    `json:"flags"`
	Meta   plainMeta   `json:"meta"`
}

type plainScores struct {
	FraudOK float64 `json:"fraud_ok"`
	TextOK  float64 `json:"text_ok"`
}

type plainMeta struct {
	LinkedCount float64 `json:"linkedCount"`
}

// clear is the whole decision, written by hand. It gives no reasons and, like
// most of its kind, takes a missing score for 0.
func (in *plain) clear() bool {
	if slices.Contains(in.Flags, "vip") {
		return false
	}
	if in.Meta.LinkedCount < 1 {
		return false
	}
	if in.Scores.TextOK < 0.8 {
		return false
	}
	return in.Scores.FraudOK >= 0.98 && in.Scores.TextOK >= 0.90
}

// clearMaps is clear over the maps that the gate gets.
func clearMaps(in *threshold.Signals) bool {
	if slices.Contains(in.Flags, "vip") {
		return false
	}
	if n, ok := in.Meta["linkedCount"].(int64); !ok || n < 1 {
		return false
	}
	if in.Scores["text_ok"] < 0.8 {
		return false
	}
	return in.Scores["fraud_ok"] >= 0.98 && in.Scores["text_ok"] >= 0.90
}

func ifs(cases []Case) ([]Contender, error) {
	structs := make([]plain, len(cases))
	for i, c := range cases {
		structs[i] = plain{plainScores{c.Fraud, c.Text}, c.Flags, plainMeta{float64(c.Linked)}}
	}
	maps := signals(cases)
	return []Contender{
		{"if/struct", func(i int) threshold.Verdict { return verdictOf(structs[i].clear()) }},
		{"if/maps", func(i int) threshold.Verdict { return verdictOf(clearMaps(&maps[i])) }},
	}, nil
}

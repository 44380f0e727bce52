package bench

import (
	"encoding/json"

	"github.com/pawlgate/pawl/threshold"
)

// texts returns the cases as JSON, with every member that the policy reads:
// some contenders can't tell an empty list of flags from a missing one.
func texts(cases []Case) [][]byte {
	type input struct {
		Scores map[string]float64 `json:"scores"`
		Flags  []string           `json:"flags"`
		Meta   map[string]any     `json:"meta"`
	}
	all := make([][]byte, len(cases))
	for i, s := range signals(cases) {
		text, err := json.Marshal(input{s.Scores, append([]string{}, s.Flags...), s.Meta})
		if err != nil {
			panic(err) // no case holds anything that JSON doesn't know
		}
		all[i] = text
	}
	return all
}

// jsonIfs decode with encoding/json, which knows nothing of duplicate keys,
// missing members or trailing fields, and decide by hand.
func jsonIfs(cases []Case) ([]Contender, error) {
	texts := texts(cases)
	var reused plain
	return []Contender{
		{"if/struct", func(i int) threshold.Verdict {
			var in plain
			if json.Unmarshal(texts[i], &in) != nil {
				return threshold.RouteToHuman
			}
			return verdictOf(in.clear())
		}},
		{"if/struct-reused", func(i int) threshold.Verdict {
			reused = plain{Flags: reused.Flags[:0]}
			if json.Unmarshal(texts[i], &reused) != nil {
				return threshold.RouteToHuman
			}
			return verdictOf(reused.clear())
		}},
		{"if/map", func(i int) threshold.Verdict {
			var m map[string]any
			if json.Unmarshal(texts[i], &m) != nil {
				return threshold.RouteToHuman
			}
			return verdictOf(clearDecoded(m))
		}},
	}, nil
}

// clearDecoded is the decision over what encoding/json makes of any JSON.
func clearDecoded(m map[string]any) bool {
	flags, _ := m["flags"].([]any)
	for _, f := range flags {
		if f == "vip" {
			return false
		}
	}
	meta, _ := m["meta"].(map[string]any)
	if n, ok := meta["linkedCount"].(float64); !ok || n < 1 {
		return false
	}
	scores, _ := m["scores"].(map[string]any)
	fraud, _ := scores["fraud_ok"].(float64)
	text, _ := scores["text_ok"].(float64)
	return !(text < 0.8) && fraud >= 0.98 && text >= 0.90
}

package bench

import (
	"fmt"
	"math"

	"github.com/cedar-policy/cedar-go"

	"github.com/pawlgate/pawl/threshold"
)

// cedarLong is the decision with scores as integers of 1/10,000, the cheapest
// numbers that Cedar has (it has no floating point).
const cedarLong = `
permit (principal, action == Action::"refund", resource)
  when { context.scores.fraud_ok >= 9800 && context.scores.text_ok >= 9000 };
forbid (principal, action == Action::"refund", resource) when { context.flags.contains("vip") };
forbid (principal, action == Action::"refund", resource) when { context.meta.linkedCount < 1 };
forbid (principal, action == Action::"refund", resource) when { context.scores.text_ok < 8000 };
`

// cedarDecimal is the decision with scores as Cedar's decimals.
const cedarDecimal = `
permit (principal, action == Action::"refund", resource)
  when { context.scores.fraud_ok.greaterThanOrEqual(decimal("0.98")) &&
         context.scores.text_ok.greaterThanOrEqual(decimal("0.90")) };
forbid (principal, action == Action::"refund", resource) when { context.flags.contains("vip") };
forbid (principal, action == Action::"refund", resource) when { context.meta.linkedCount < 1 };
forbid (principal, action == Action::"refund", resource) when { context.scores.text_ok.lessThan(decimal("0.8")) };
`

func cedarGo(cases []Case) ([]Contender, error) {
	long, err := cedarContender("cedar-go/long", cedarLong, cases, func(score float64) (cedar.Value, error) {
		return cedar.Long(math.Round(score * 10_000)), nil
	})
	if err != nil {
		return nil, err
	}
	decimal, err := cedarContender("cedar-go/decimal", cedarDecimal, cases, func(score float64) (cedar.Value, error) {
		return cedar.NewDecimalFromFloat(score)
	})
	if err != nil {
		return nil, err
	}
	return []Contender{long, decimal}, nil
}

func cedarContender(name, text string, cases []Case, score func(float64) (cedar.Value, error)) (Contender, error) {
	policies, err := cedar.NewPolicySetFromBytes(name, []byte(text))
	if err != nil {
		return Contender{}, fmt.Errorf("%s: %w", name, err)
	}
	requests := make([]cedar.Request, len(cases))
	for i, c := range cases {
		fraud, err := score(c.Fraud)
		if err != nil {
			return Contender{}, fmt.Errorf("%s: %w", name, err)
		}
		text, err := score(c.Text)
		if err != nil {
			return Contender{}, fmt.Errorf("%s: %w", name, err)
		}
		flags := make([]cedar.Value, len(c.Flags))
		for j, f := range c.Flags {
			flags[j] = cedar.String(f)
		}
		requests[i] = cedar.Request{
			Principal: cedar.NewEntityUID("Agent", "model"),
			Action:    cedar.NewEntityUID("Action", "refund"),
			Resource:  cedar.NewEntityUID("Order", "1"),
			Context: cedar.NewRecord(cedar.RecordMap{
				"scores": cedar.NewRecord(cedar.RecordMap{"fraud_ok": fraud, "text_ok": text}),
				"flags":  cedar.NewSet(flags...),
				"meta":   cedar.NewRecord(cedar.RecordMap{"linkedCount": cedar.Long(c.Linked)}),
			}),
		}
	}
	entities := cedar.EntityMap{}
	return Contender{name, func(i int) threshold.Verdict {
		decision, diagnostic := cedar.Authorize(policies, entities, requests[i])
		return verdictOf(decision == cedar.Allow && len(diagnostic.Errors) == 0)
	}}, nil
}

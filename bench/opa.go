package bench

import (
	"bytes"
	"context"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/util"

	"github.com/pawlgate/pawl/threshold"
)

const opaModule = `package refunds

default verdict := "route_to_human"

verdict := "auto_apply" if {
	input.scores.fraud_ok >= 0.98
	input.scores.text_ok >= 0.90
	not held
}

held if "vip" in input.flags
held if input.meta.linkedCount < 1
held if input.scores.text_ok < 0.8
`

// opaQueries prepares the query as it is, and after partial evaluation, which
// OPA offers for policies that are asked often.
func opaQueries(ctx context.Context) (plain, partial rego.PreparedEvalQuery, err error) {
	query := func(o ...rego.PrepareOption) (rego.PreparedEvalQuery, error) {
		return rego.New(rego.Query("data.refunds.verdict"), rego.Module("refunds.rego", opaModule)).PrepareForEval(ctx, o...)
	}
	if plain, err = query(); err != nil {
		return plain, partial, fmt.Errorf("opa: %w", err)
	}
	if partial, err = query(rego.WithPartialEval()); err != nil {
		return plain, partial, fmt.Errorf("opa, partial evaluation: %w", err)
	}
	return plain, partial, nil
}

func opaDecide(ctx context.Context, q *rego.PreparedEvalQuery, input rego.EvalOption) threshold.Verdict {
	results, err := q.Eval(ctx, input)
	if err != nil || len(results) != 1 || len(results[0].Expressions) != 1 {
		return threshold.RouteToHuman
	}
	s, ok := results[0].Expressions[0].Value.(string)
	if !ok {
		return threshold.RouteToHuman
	}
	return threshold.Verdict(s)
}

func opaMemory(cases []Case) ([]Contender, error) {
	ctx := context.Background()
	plain, partial, err := opaQueries(ctx)
	if err != nil {
		return nil, err
	}
	maps, values := make([]map[string]any, len(cases)), make([]ast.Value, len(cases))
	for i, text := range texts(cases) {
		// OPA's own decoder, so that numbers are what OPA's other doors make of them.
		if err := util.UnmarshalJSON(text, &maps[i]); err != nil {
			return nil, fmt.Errorf("opa: %w", err)
		}
		if values[i], err = ast.InterfaceToValue(maps[i]); err != nil {
			return nil, fmt.Errorf("opa: %w", err)
		}
	}
	return []Contender{
		{"opa/parsed", func(i int) threshold.Verdict { return opaDecide(ctx, &plain, rego.EvalParsedInput(values[i])) }},
		{"opa/parsed-partial", func(i int) threshold.Verdict { return opaDecide(ctx, &partial, rego.EvalParsedInput(values[i])) }},
		{"opa/map", func(i int) threshold.Verdict { return opaDecide(ctx, &plain, rego.EvalInput(maps[i])) }},
	}, nil
}

func opaJSON(cases []Case) ([]Contender, error) {
	ctx := context.Background()
	plain, partial, err := opaQueries(ctx)
	if err != nil {
		return nil, err
	}
	texts := texts(cases)
	return []Contender{
		{"opa/map", func(i int) threshold.Verdict {
			var in any
			if util.UnmarshalJSON(texts[i], &in) != nil {
				return threshold.RouteToHuman
			}
			return opaDecide(ctx, &plain, rego.EvalInput(in))
		}},
		{"opa/value", func(i int) threshold.Verdict {
			v, err := ast.ValueFromReader(bytes.NewReader(texts[i]))
			if err != nil {
				return threshold.RouteToHuman
			}
			return opaDecide(ctx, &plain, rego.EvalParsedInput(v))
		}},
		{"opa/value-partial", func(i int) threshold.Verdict {
			v, err := ast.ValueFromReader(bytes.NewReader(texts[i]))
			if err != nil {
				return threshold.RouteToHuman
			}
			return opaDecide(ctx, &partial, rego.EvalParsedInput(v))
		}},
	}, nil
}

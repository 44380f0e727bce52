package bench

import (
	"fmt"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/pawlgate/pawl/threshold"
)

// exprOne is the whole decision as one boolean expression.
const exprOne = `!("vip" in flags) && !(meta.linkedCount < 1) && !(scores.text_ok < 0.8)` +
	` && scores.fraud_ok >= 0.98 && scores.text_ok >= 0.90`

var exprRules = []string{`"vip" in flags`, `meta.linkedCount < 1`, `scores.text_ok < 0.8`}

// exprEnv is the environment as a struct: expr checks types and reads fields
// by index instead of by name.
type exprEnv struct {
	Scores exprScores `expr:"scores"`
	Flags  []string   `expr:"flags"`
	Meta   exprMeta   `expr:"meta"`
}

type exprScores struct {
	FraudOK float64 `expr:"fraud_ok"`
	TextOK  float64 `expr:"text_ok"`
}

type exprMeta struct {
	LinkedCount int `expr:"linkedCount"`
}

func exprLang(cases []Case) ([]Contender, error) {
	maps, structs := make([]any, len(cases)), make([]any, len(cases))
	for i, s := range signals(cases) {
		c := cases[i]
		maps[i] = map[string]any{"scores": s.Scores, "flags": s.Flags, "meta": s.Meta}
		structs[i] = &exprEnv{exprScores{c.Fraud, c.Text}, c.Flags, exprMeta{int(c.Linked)}}
	}
	var all []Contender
	for _, env := range []struct {
		name   string
		form   any
		inputs []any
	}{
		{"map", map[string]any{"scores": map[string]float64{}, "flags": []string{}, "meta": map[string]any{}}, maps},
		{"struct", &exprEnv{}, structs},
	} {
		one, err := exprProgram(exprOne, env.form)
		if err != nil {
			return nil, err
		}
		rules := make([]*vm.Program, len(exprRules))
		for i, text := range exprRules {
			if rules[i], err = exprProgram(text, env.form); err != nil {
				return nil, err
			}
		}
		var machine vm.VM
		all = append(all,
			Contender{"expr/one/" + env.name, func(i int) threshold.Verdict {
				out, err := machine.Run(one, env.inputs[i])
				return verdictOf(err == nil && out == true)
			}},
			Contender{"expr/rules/" + env.name, func(i int) threshold.Verdict {
				clear := cases[i].Fraud >= 0.98 && cases[i].Text >= 0.90
				for _, p := range rules {
					out, err := machine.Run(p, env.inputs[i])
					if err != nil || out != false {
						clear = false
					}
				}
				return verdictOf(clear)
			}},
		)
	}
	return all, nil
}

func exprProgram(text string, env any) (*vm.Program, error) {
	p, err := expr.Compile(text, expr.Env(env), expr.AsBool())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return p, nil
}

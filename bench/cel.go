package bench

import (
	"encoding/json"
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"

	"github.com/pawlgate/pawl/threshold"
)

// celCostLimit is the limit that Pawl gives a rule.
const celCostLimit = 1_000_000

// celOne is the whole decision as one expression.
const celOne = `!("vip" in flags) && !(meta.linkedCount < 1) && !(scores.text_ok < 0.8)` +
	` && scores.fraud_ok >= 0.98 && scores.text_ok >= 0.90 ? "auto_apply" : "route_to_human"`

// celRules are the three rules alone.
var celRules = []string{`"vip" in flags`, `meta.linkedCount < 1`, `scores.text_ok < 0.8`}

// celVars is an activation without a map: the cheapest that cel-go can get.
type celVars struct{ scores, flags, meta any }

// ResolveName returns the variable of that name.
func (v *celVars) ResolveName(name string) (any, bool) {
	switch name {
	case "scores":
		return v.scores, true
	case "flags":
		return v.flags, true
	case "meta":
		return v.meta, true
	}
	return nil, false
}

// Parent returns nil: there are no other variables.
func (v *celVars) Parent() cel.Activation { return nil }

func celEnv() (*cel.Env, error) {
	return cel.NewEnv(
		cel.CrossTypeNumericComparisons(true),
		cel.Variable("scores", cel.MapType(cel.StringType, cel.DoubleType)),
		cel.Variable("flags", cel.ListType(cel.StringType)),
		cel.Variable("meta", cel.MapType(cel.StringType, cel.DynType)),
	)
}

// celHow is one set of program options.
type celHow struct {
	name string
	opts []cel.ProgramOption
}

var celHows = []celHow{
	{"limit", []cel.ProgramOption{cel.CostLimit(celCostLimit)}},
	{"limit+optimize", []cel.ProgramOption{cel.CostLimit(celCostLimit), cel.EvalOptions(cel.OptOptimize)}},
	{"optimize", []cel.ProgramOption{cel.EvalOptions(cel.OptOptimize)}},
}

func celProgram(env *cel.Env, text string, opts []cel.ProgramOption) (cel.Program, error) {
	ast, issues := env.Compile(text)
	if err := issues.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	return env.Program(ast, opts...)
}

func celDecideOne(p cel.Program, v cel.Activation) threshold.Verdict {
	out, _, err := p.Eval(v)
	if err != nil {
		return threshold.RouteToHuman
	}
	s, ok := out.(types.String)
	if !ok {
		return threshold.RouteToHuman
	}
	return threshold.Verdict(s)
}

// celDecideRules runs all rules, as the gate does, and bands the scores in Go.
func celDecideRules(rules []cel.Program, v cel.Activation, fraud, text float64) threshold.Verdict {
	clear := fraud >= 0.98 && text >= 0.90
	for _, p := range rules {
		out, _, err := p.Eval(v)
		if err != nil || out != types.False {
			clear = false
		}
	}
	return verdictOf(clear)
}

func celGo(cases []Case) ([]Contender, error) {
	env, err := celEnv()
	if err != nil {
		return nil, err
	}
	vars := make([]*celVars, len(cases))
	for i, s := range signals(cases) {
		vars[i] = &celVars{s.Scores, s.Flags, s.Meta}
	}
	var all []Contender
	for _, how := range celHows {
		one, err := celProgram(env, celOne, how.opts)
		if err != nil {
			return nil, err
		}
		rules := make([]cel.Program, len(celRules))
		for i, text := range celRules {
			if rules[i], err = celProgram(env, text, how.opts); err != nil {
				return nil, err
			}
		}
		all = append(all,
			Contender{"cel-go/one/" + how.name, func(i int) threshold.Verdict {
				return celDecideOne(one, vars[i])
			}},
			Contender{"cel-go/rules/" + how.name, func(i int) threshold.Verdict {
				return celDecideRules(rules, vars[i], cases[i].Fraud, cases[i].Text)
			}},
		)
	}
	return all, nil
}

// celGoJSON decodes with encoding/json into a map, which is how cel-go's users
// get from JSON to an activation, and runs the fastest form of the expression.
func celGoJSON(cases []Case) ([]Contender, error) {
	env, err := celEnv()
	if err != nil {
		return nil, err
	}
	one, err := celProgram(env, celOne, []cel.ProgramOption{cel.EvalOptions(cel.OptOptimize)})
	if err != nil {
		return nil, err
	}
	texts := texts(cases)
	return []Contender{{"cel-go/map", func(i int) threshold.Verdict {
		var m map[string]any
		if json.Unmarshal(texts[i], &m) != nil {
			return threshold.RouteToHuman
		}
		return celDecideOne(one, &celVars{m["scores"], m["flags"], m["meta"]})
	}}}, nil
}

package bench

import (
	_ "embed" // for the policy files

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// The policy files, which the stream benchmark hands to the pawl command too.
var (
	//go:embed testdata/fixture.pawl.yaml
	fixturePolicy []byte
	//go:embed testdata/cel.pawl.yaml
	celPolicy []byte
)

// pawlCEL is the gate with three CEL rules, which only a policy file can hold.
func pawlCEL(cases []Case) ([]Contender, error) {
	f, err := policy.Parse("testdata/cel.pawl.yaml", celPolicy)
	if err != nil {
		return nil, err
	}
	return []Contender{pawlReused("pawl/cel", f.Threshold.Gate(), signals(cases))}, nil
}

// pawlJSON decodes strictly (duplicate and unknown members, inexact numbers,
// invalid UTF-8, trailing text … end with a person) and decides, all reasons
// included.
func pawlJSON(cases []Case) ([]Contender, error) {
	fixture, err := pawlDecider("pawl/fixture", fixturePolicy, cases)
	if err != nil {
		return nil, err
	}
	cel, err := pawlDecider("pawl/cel", celPolicy, cases)
	if err != nil {
		return nil, err
	}
	return []Contender{fixture, cel}, nil
}

func pawlDecider(name string, source []byte, cases []Case) (Contender, error) {
	f, err := policy.Parse(name+".pawl.yaml", source)
	if err != nil {
		return Contender{}, err
	}
	decider, texts := f.Threshold.NewDecider(), texts(cases)
	var d threshold.Decision
	return Contender{name, func(i int) threshold.Verdict {
		decider.DecideJSON(&d, texts[i])
		return d.Verdict
	}}, nil
}

package bench

import (
	"fmt"

	"github.com/pawlgate/pawl/threshold"
)

// Contender is one way of taking the decision. It is for one goroutine.
type Contender struct {
	// Name is "who/how", as it stands in the benchmark's name.
	Name string
	// Decide decides the input of that number. What keeps a contender from
	// answering must become route_to_human.
	Decide func(i int) threshold.Verdict
}

// maker makes contenders for some inputs: it compiles the policy and brings
// every input into the contender's own form, before any clock starts.
type maker func([]Case) ([]Contender, error)

// Memory returns the contenders that decide inputs that are in memory.
func Memory(cases []Case) ([]Contender, error) {
	return makeAll(cases, pawlMemory, pawlCEL, ifs, celGo, exprLang, cedarGo, opaMemory)
}

// JSON returns the contenders that decide inputs that are JSON text.
func JSON(cases []Case) ([]Contender, error) {
	return makeAll(cases, pawlJSON, jsonIfs, celGoJSON, opaJSON)
}

func makeAll(cases []Case, makers ...maker) ([]Contender, error) {
	var all []Contender
	for _, m := range makers {
		some, err := m(cases)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// Check decides every case and complains of the first wrong verdict.
func (c Contender) Check(cases []Case) error {
	for i := range cases {
		if got := c.Decide(i); got != cases[i].Want {
			return fmt.Errorf("%s decides case %d (%+v) as %s", c.Name, i, cases[i], got)
		}
	}
	return nil
}

// verdictOf is for contenders that only know whether all is well.
func verdictOf(clear bool) threshold.Verdict {
	if clear {
		return threshold.AutoApply
	}
	return threshold.RouteToHuman
}

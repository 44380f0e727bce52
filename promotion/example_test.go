package promotion_test

import (
	"fmt"

	"github.com/pawlgate/pawl/promotion"
)

// All that is known of an artefact goes in, and what a person must look at
// comes out.
func ExampleDecide() {
	in := promotion.Inputs{
		Oracle:                  promotion.OracleIsolated,
		Gate2:                   promotion.Gate2Positive,
		Gate4Armed:              promotion.Yes,
		TouchesIrreversibleTool: promotion.No,
		StatisticsPresent:       promotion.Yes,
		ConcurringSignals:       []string{"unit_tests", "canary"},
		Tripwire:                &promotion.TripwireResult{},
	}
	fmt.Println(promotion.Decide(in, promotion.Options{}).Terminal)

	in.ConcurringSignals = []string{"canary", "Canary "} // one kind, not two
	in.StatisticsPresent = promotion.Unknown
	d := promotion.Decide(in, promotion.Options{})
	fmt.Println(d.Terminal)
	for _, s := range d.Stops {
		fmt.Printf("%s: %s\n", s.Guard, s.Message)
	}
	// Output:
	// auto_promote
	// needs_human
	// statistics: nothing says that the statistics ran
	// concurrence: 1 of at least 2 distinct kinds of signals concur
}

// Nothing said is nothing passed.
func ExampleDecide_zero() {
	d := promotion.Decide(promotion.Inputs{}, promotion.Options{})
	fmt.Println(d.Terminal)
	for _, s := range d.Stops {
		fmt.Print(s.Guard, " ")
	}
	// Output:
	// needs_human
	// tripwire irreversible_tool statistics concurrence oracle gate2 gate4
}

// Inputs are read strictly: what isn't understood is not passed over.
func ExampleParseInputs() {
	in, err := promotion.ParseInputs([]byte(`{"oracle": "out_of_process_isolated", "gate4armed": true}`))
	fmt.Println(err)
	fmt.Println(promotion.Decide(in, promotion.Options{}).Terminal)

	in, err = promotion.ParseInputs([]byte(`{"oracle": "in_process_probe_only", "record": {"gate2Verdict": "present_positive"},
		"gate4Armed": true, "touchesIrreversibleTool": false, "statisticsPresent": true,
		"concurringSignals": ["unit_tests", "replay"], "tripwire": {"escalate": false, "reasons": []}}`))
	d := promotion.Decide(in, promotion.Options{})
	fmt.Println(err, d.Terminal, d.Stops[0].Message)
	// Output:
	// 1:39: the inputs: there is no member "gate4armed" (at /gate4armed)
	// needs_human
	// <nil> candidate_only the oracle is in_process_probe_only, not out_of_process_isolated
}

// Two labels that look the same are one kind of signal.
func ExampleDistinctKinds() {
	fmt.Println(promotion.DistinctKinds([]string{"Unit tests", " unit tests", "canary", ""}, nil))
	fmt.Println(promotion.DistinctKinds([]string{"unit tests", "horoscope"}, []string{"unit tests", "canary"}))
	// Output:
	// [canary unit tests]
	// [unit tests]
}

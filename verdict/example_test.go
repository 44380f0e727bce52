package verdict_test

import (
	"fmt"

	"github.com/pawlgate/pawl/verdict"
)

// Several gates ask for one action: the most supervised answer counts, and
// what isn't a verdict counts as a person.
func ExampleMoreSupervised() {
	fmt.Println(verdict.MoreSupervised(verdict.AutoApply, verdict.AutoReject))
	fmt.Println(verdict.MoreSupervised(verdict.AutoReject, verdict.RouteToHuman))
	fmt.Println(verdict.MoreSupervised(verdict.AutoApply, "yes"))
	// Output:
	// auto_reject
	// route_to_human
	// route_to_human
}

func ExampleSortFaults() {
	faults := verdict.SortFaults([]verdict.Fault{
		{Code: verdict.RuleError, Subject: "large"},
		{Code: verdict.ScoreMissing, Subject: "draft"},
		{Code: verdict.RuleError, Subject: "large"},
	})
	for _, f := range faults {
		fmt.Println(f.Reason())
	}
	// Output:
	// score_missing:draft
	// rule_error:large
}

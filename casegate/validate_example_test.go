package casegate_test

import (
	"fmt"

	"github.com/pawlgate/pawl/casegate"
)

func ExampleValidate() {
	output := []byte(`{
		"action": "DECIDE", "escalation_category": null, "confidence_score": 0.91,
		"human_action_required": "NONE", "audit_trail": ["origin checked"], "decision": "RELEASE",
		"external_dependency": {"awaiting": "lab report"}
	}`)
	p := &casegate.Policy{ConfidenceFloor: 0.95, Applies: []string{"RELEASE"}}

	r := casegate.Validate(output, p)
	fmt.Println(r.Action, r.Consistent())
	for _, f := range r.Contradictions {
		fmt.Println(f)
	}
	// Output:
	// DECIDE false
	// /confidence_score: is below the policy's confidence floor, 0.95
	// /external_dependency: is not empty: the block of EXTERNAL_DEPENDENCY stands beside DECIDE
}

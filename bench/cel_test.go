package bench

import (
	"testing"

	"github.com/pawlgate/pawl/internal/expr"
)

// A comparison "with the same cost limit" must have the same cost limit.
func TestCostLimit(t *testing.T) {
	if celCostLimit != expr.CostLimit {
		t.Errorf("cel-go gets a limit of %d, Pawl's rules %d", celCostLimit, expr.CostLimit)
	}
}

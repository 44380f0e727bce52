package vectors_test

import (
	"fmt"

	"github.com/pawlgate/pawl/vectors"
)

func ExampleThreshold() {
	all, err := vectors.Threshold(vectors.Core)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range all {
		if v.Name == "the example: a score above highMin is applied" {
			fmt.Println(string(v.Signals), "→", v.Expect.Verdict, v.Expect.Codes)
		}
	}
	// Output: {"score": 0.91} → auto_apply [band_high:score]
}

package pawl_test

import (
	"fmt"

	"github.com/pawlgate/pawl"
)

func ExampleAsserted() {
	anna := pawl.Asserted("anna")
	fmt.Println(anna.ID, anna.Known)
	// Output: anna asserted
}

package promotion_test

import (
	"fmt"

	"github.com/pawlgate/pawl/promotion"
)

// An entry names a tool, and may scope it. Only one exact command makes a shell
// something that can be taken back.
func ExampleReadAllowedTool() {
	for _, entry := range []string{"Read", "Bash", "Bash(git status)", "Bash(git *)", "mcp__mail__send", "*"} {
		name, specifier, _, ok := promotion.ReadAllowedTool(entry)
		if !ok {
			fmt.Printf("%s names no tool\n", entry)
			continue
		}
		fmt.Println(entry, promotion.DefaultCatalogue().Irreversible(name, specifier))
	}
	// Output:
	// Read false
	// Bash true
	// Bash(git status) false
	// Bash(git *) true
	// mcp__mail__send true
	// * names no tool
}

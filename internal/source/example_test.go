package source_test

import (
	"fmt"

	"github.com/pawlgate/pawl/internal/source"
)

func Example() {
	_, problems := source.ParseYAML([]byte("gate: refunds\nenableAutoApply: yes\ngate: payouts\n"))
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// 2:18: yes means different things to different YAML readers: quote it if it is a string, or write a JSON number, true, false or null
	// 3:1: "gate" stands here a second time (first at 1:1)
}

func ExampleScanner() {
	var s source.Scanner
	s.Line = 12
	if err := s.Reset([]byte(`{"score": 0.9, "score": 0.1}`)); err != nil {
		panic(err)
	}
	fmt.Println(s.Skip())
	// Output:
	// 12:16: a member of that name stands here a second time (at /score)
}

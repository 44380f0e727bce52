package expr_test

import (
	"fmt"

	"github.com/pawlgate/pawl/internal/expr"
)

func Example() {
	env, err := expr.NewEnv(expr.Var{Name: "meta", Shape: expr.MapVar})
	if err != nil {
		panic(err)
	}
	prog, issues := env.Compile(`meta.amount > 500`, expr.Boolean)
	if issues != nil {
		panic(issues)
	}
	for _, amount := range []any{int64(501), 499.5, "82000"} {
		holds, err := prog.Bool(vars{"meta": map[string]any{"amount": amount}})
		fmt.Println(holds, err)
	}
	// Output:
	// true <nil>
	// false <nil>
	// false a string can't be compared with a number
}

func ExampleEnv_Compile() {
	env, err := expr.NewEnv(expr.Var{
		Name: "meta", Shape: expr.MapVar, Unknown: "isn't declared in signals",
		Fields: map[string]expr.Field{"amount": {Kind: expr.Number, Bounded: true, Min: 0, Max: 100}},
	})
	if err != nil {
		panic(err)
	}
	_, issues := env.Compile("meta.amount > 50 &&\nmeta.amuont < 60", expr.Boolean)
	for _, i := range issues {
		fmt.Printf("%d:%d: %s\n", i.Line, i.Col, i.Message)
	}
	prog, _ := env.Compile("meta.amount > 100", expr.Boolean)
	fmt.Println(prog.Reads(), prog.CanBeTrue())
	// Output:
	// 2:5: meta.amuont isn't declared in signals
	// [meta.amount] false
}

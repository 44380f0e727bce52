package policy_test

import (
	"fmt"
	"testing/fstest"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

const refunds = `pawl: v1
gate: refunds
kind: threshold
signals:
  score:  {type: score, range: [0, 1]}
  amount: {type: number}
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
rules:
  - id: large-amount
    when: meta.amount > 500
    force: route_to_human
    reason: refunds above 500 need a person
enableAutoApply: true
`

func ExampleParse() {
	_, err := policy.Parse("refunds.pawl.yaml", []byte(`pawl: v1
gate: refunds
kind: threshold
bands:
  score: {highMin: 0.5, reviewMin: 0.9}
enableAutoAply: true
`))
	fmt.Println(err)
	// Output:
	// refunds.pawl.yaml:5:3: highMin 0.5 is below reviewMin 0.9
	// refunds.pawl.yaml:6:1: a threshold policy has no key "enableAutoAply": did you mean enableAutoApply?
}

func ExampleThreshold_NewDecider() {
	file, err := policy.Parse("refunds.pawl.yaml", []byte(refunds))
	if err != nil {
		panic(err)
	}
	decider := file.Threshold.NewDecider()
	var d threshold.Decision // used again for each input
	for _, input := range []string{
		`{"score": 0.95, "meta": {"amount": 20}}`,
		`{"score": 0.95, "meta": {"amount": 900}}`,
		`{"score": 0.95}`,
		`{"score": "0.95", "meta": {"amount": 20}}`,
		`{"score": 0.95, "score": 0.1}`,
	} {
		decider.DecideJSON(&d, []byte(input))
		fmt.Println(d.Verdict, d.Reasons[1:])
	}
	// Output:
	// auto_apply []
	// route_to_human [rule_route_to_human:large-amount]
	// route_to_human [rule_error:large-amount]
	// route_to_human [score_not_number:score]
	// route_to_human [input_malformed score_missing:score rule_error:large-amount]
}

func ExampleThreshold_AppendResult() {
	file, err := policy.Parse("minimal.pawl.yaml", []byte("pawl: v1\ngate: refunds\nkind: threshold\n"))
	if err != nil {
		panic(err)
	}
	var d threshold.Decision
	env := file.Threshold.NewDecider().DecideJSON(&d, []byte(`{"id": "a-1", "signals": {}}`))
	fmt.Printf("%s\n", file.Threshold.AppendResult(nil, 7, env.ID, &d))
	// Output:
	// {"line":7,"id":"a-1","gate":"refunds","policy":"sha256:6f3498fcf05fb1263f3f8084888b8f8999e42792946d24442d9b48c49d060d9a","engine":"pawl/0.1.0","result":{"verdict":"route_to_human","reasons":[{"code":"no_bands","message":"the policy has no bands, so no score speaks for anything","source":"safety"}]}}
}

func ExampleParseFiles() {
	files := fstest.MapFS{"case.schema.json": {Data: []byte(`{"properties": {"case_id": {}, "facts": {"properties": {"value": {"type": "number"}}}}}`)}}
	f, err := policy.ParseFiles("refunds.pawl.yaml", []byte(`
pawl: v1
gate: refunds
kind: case
case_schema: case.schema.json
rules:
  - {id: large, limit: {value: facts.value, max: 500}, next_step: Ask a manager.}
confidence: none
decision: '"PAY"'
applies: [PAY]
enableAutoApply: true
queues: {default: managers}
`), files)
	if err != nil {
		panic(err)
	}
	for _, input := range []string{`{"case_id": "1", "facts": {"value": 20}}`, `{"case_id": "2", "facts": {"value": 501}}`, `{"case_id": "3", "facts": {"value": "20"}}`} {
		id, r := f.Case.DecideJSON([]byte(input), 0, false)
		fmt.Printf("%s: %s %q %q\n", id, r.Verdict, r.Queue, r.Output.Category)
	}
	// Output:
	// 1: auto_apply "" ""
	// 2: route_to_human "managers" "POLICY_VIOLATION"
	// 3: route_to_human "managers" "INSUFFICIENT_CONFIDENCE"
}

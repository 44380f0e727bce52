package bench

import (
	"bytes"
	_ "embed" // for the loans
	"encoding/json"
	"errors"
	"os"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/policy"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// loanLines are the first loan applications of examples/credit, as the
// converter of examples/credit-case writes them: README.md has the command.
//
//go:embed testdata/credit-cases.jsonl
var loanLines []byte

// loanPolicy is read when it is needed: nothing can be embedded from outside of
// the module.
const loanPolicy = "../examples/credit-case"

// Loans are the cases of the case gate's benchmark, a line of JSON each.
func Loans() [][]byte { return bytes.Split(bytes.TrimSuffix(loanLines, []byte{'\n'}), []byte{'\n'}) }

// CaseStep is a part of what is done with a case, or what somebody else does
// with one. It is for one goroutine.
type CaseStep struct {
	Name string
	Do   func(i int) error // with the case of that number
}

// CaseSteps returns what is measured of the case gate, and the yardsticks.
func CaseSteps() ([]CaseStep, error) {
	gate, err := loanGate()
	if err != nil {
		return nil, err
	}
	lines := Loans()
	inputs := make([]*policy.CaseInput, len(lines))
	outputs := make([][]byte, len(lines))
	values := make([]any, len(lines))
	for i, line := range lines {
		inputs[i] = gate.Read(line, i+1)
		r := gate.Decide(inputs[i], nil)
		outputs[i] = r.Output.AppendJSON(nil)
		if values[i], err = jsonschema.UnmarshalJSON(bytes.NewReader(outputs[i])); err != nil {
			return nil, err
		}
	}
	schema, err := outputSchema()
	if err != nil {
		return nil, err
	}
	var answer []byte
	return []CaseStep{
		// What pawl case decide does with a line, the reading of the file excepted.
		{"pipeline", func(i int) error {
			in := gate.Read(lines[i], i+1)
			r := gate.Decide(in, nil)
			answer = append(gate.AppendResult(answer[:0], i+1, in.ID, &r), '\n')
			return in.Err
		}},
		{"read", func(i int) error { return gate.Read(lines[i], i+1).Err }},
		{"decide", func(i int) error {
			if out := gate.Gate().Decide(inputs[i].Case); out.Action == "" {
				return errors.New("no answer")
			}
			return nil
		}},
		// The output alone: as values, and from its text.
		{"jsonschema/values", func(i int) error { return schema.Validate(values[i]) }},
		{"jsonschema/text", func(i int) error {
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(outputs[i]))
			if err != nil {
				return err
			}
			return schema.Validate(v)
		}},
		// The case alone, which nobody holds to anything.
		{"encoding-json/struct", func(i int) error {
			var l loan
			return json.Unmarshal(lines[i], &l)
		}},
		{"encoding-json/any", func(i int) error {
			var v any
			return json.Unmarshal(lines[i], &v)
		}},
	}, nil
}

func loanGate() (*policy.Case, error) {
	src, err := os.ReadFile(loanPolicy + "/credit-case.pawl.yaml")
	if err != nil {
		return nil, err
	}
	f, err := policy.ParseFiles("credit-case.pawl.yaml", src, os.DirFS(loanPolicy))
	if err != nil {
		return nil, err
	}
	return f.Case, nil
}

func outputSchema() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(casegate.Schema()))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("output.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("output.json")
}

// loan is a line as encoding/json takes it.
type loan struct {
	ID   string `json:"id"`
	Case struct {
		ID     string `json:"case_id"`
		Domain string `json:"domain"`
		AsOf   string `json:"as_of"`
		Facts  struct {
			Amount     float64  `json:"amount"`
			Duration   float64  `json:"duration_months"`
			Purpose    string   `json:"purpose"`
			History    string   `json:"credit_history"`
			Employment string   `json:"employment"`
			Savings    string   `json:"savings"`
			Label      string   `json:"label"`
			Reasons    []string `json:"reasons"`
		} `json:"facts"`
		Sources []struct {
			Name   string `json:"name"`
			Values struct {
				Creditworthy *bool `json:"creditworthy"`
			} `json:"values"`
		} `json:"sources"`
		Checks []struct {
			Name   string `json:"name"`
			Status string `json:"status"`
		} `json:"checks"`
		Signals struct {
			Confidence float64 `json:"confidence"`
		} `json:"signals"`
	} `json:"case"`
}

package vectors

import (
	"encoding/json"
	"fmt"
	"io/fs"
)

// The corpora of the case gate.
const (
	Case    = "case"    // a case and a policy: what the gate must answer
	Outputs = "outputs" // an answer from elsewhere: may anybody rely on it
)

// CaseVector is one case, one policy and what the case gate must answer.
// Exactly one of Case and CaseText is set.
type CaseVector struct {
	File     string          `json:"-"` // in FS
	Name     string          `json:"name"`
	Case     json.RawMessage `json:"case"`     // the input as a JSON value
	CaseText *string         `json:"caseText"` // the input as text, well-formed or not
	// Policy is a policy of kind case without a file's header.
	Policy     json.RawMessage `json:"policy"`
	Supervised bool            `json:"supervised"`
	Expect     CaseExpect      `json:"expect"`
}

// CaseExpect is what must come out.
type CaseExpect struct {
	Action   string   `json:"action"`
	Category *string  `json:"category"` // nil: null
	Blocks   []string `json:"blocks"`   // the blocks that aren't empty, sorted
	Verdict  string   `json:"verdict"`
	// What is nil isn't looked at.
	Confidence    *float64 `json:"confidence"`
	Queue         *string  `json:"queue"`
	Decision      *string  `json:"decision"`
	PolicyInvalid bool     `json:"policyInvalid"` // the policy must be refused
}

// OutputVector is an output from elsewhere and what must be found in it.
type OutputVector struct {
	File   string          `json:"-"` // in FS
	Name   string          `json:"name"`
	Text   string          `json:"outputText"`
	Policy json.RawMessage `json:"policy"` // nil: none
	Expect OutputExpect    `json:"expect"`
}

// OutputExpect is what must be found.
type OutputExpect struct {
	Consistent  bool   `json:"consistent"`
	Action      string `json:"action"`      // "" if it has none
	Malformed   bool   `json:"malformed"`   // not exactly one JSON value
	SchemaValid *bool  `json:"schemaValid"` // nil: not looked at
}

// ID names the vector among all corpora.
func (v *CaseVector) ID() string { return Case + "/" + v.Name }

// ID names the vector among all corpora.
func (v *OutputVector) ID() string { return Outputs + "/" + v.Name }

// Cases returns the vectors of the case gate, in the order of their files.
func Cases() ([]CaseVector, error) {
	return readAll("case/decide/*.json", func(v *CaseVector, file string) { v.File = file })
}

// OutputsFromElsewhere returns the vectors of outputs, in the order of their
// files.
func OutputsFromElsewhere() ([]OutputVector, error) {
	return readAll("case/outputs/*.json", func(v *OutputVector, file string) { v.File = file })
}

func readAll[V any](pattern string, from func(*V, string)) ([]V, error) {
	files, err := fs.Glob(FS, pattern)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", pattern, err)
	}
	var all []V
	for _, file := range files {
		vectors, err := read[V](file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i := range vectors {
			from(&vectors[i], file)
		}
		all = append(all, vectors...)
	}
	return all, nil
}

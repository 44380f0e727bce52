package vectors

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
)

// FS has the files of all corpora as they stand in this folder:
// threshold/core/*.json, threshold/cel/*.json, threshold/schema.json,
// case/decide/*.json, case/outputs/*.json, promotion/decide/*.json,
// promotion/tripwire/*.json, promotion/snapshot/*.json and
// promotion/schema.json.
//
//go:embed threshold case promotion
var FS embed.FS

// The corpora of the threshold gate.
const (
	Core = "core" // conditions in the three declarative forms: for every twin
	CEL  = "cel"  // conditions in CEL
)

// Vector is one input, one policy and the decision that they must give.
// Exactly one of Signals, SignalsText and SignalsBase64 is set.
type Vector struct {
	Corpus string `json:"-"` // Core or CEL
	File   string `json:"-"` // in FS
	// Name says what the vector pins, and is unique in its corpus.
	Name string `json:"name"`
	// Signals is the input as a JSON value, in which {"$number": "NaN"} (or
	// "Inf", "-Inf", "-0") stands for a number that JSON can't write.
	Signals json.RawMessage `json:"signals"`
	// SignalsText is the input as text, well-formed or not.
	SignalsText *string `json:"signalsText"`
	// SignalsBase64 is the input as bytes that aren't UTF-8.
	SignalsBase64 []byte `json:"signalsBase64"`
	// Policy is the contract's Policy as JSON, without a policy file's header.
	Policy json.RawMessage `json:"policy"`
	// Supervised says that the service has put the gate under supervision.
	Supervised bool   `json:"supervised"`
	Expect     Expect `json:"expect"`
}

// Expect is what must come out.
type Expect struct {
	Verdict string `json:"verdict"`
	// Bands are all bands by score. Nil: not looked at.
	Bands map[string]string `json:"bands"`
	// Codes are all reasons in their order, as "code" or "code:subject".
	Codes []string `json:"codes"`
	// Risk is the risk level, empty if no level holds. Nil: not looked at.
	Risk *string `json:"risk"`
	// PolicyInvalid says that the policy must be refused.
	PolicyInvalid bool `json:"policyInvalid"`
}

// ID names the vector among all corpora: "core/a score equal to highMin is high".
func (v *Vector) ID() string { return v.Corpus + "/" + v.Name }

// Threshold returns the vectors of the threshold gate that the named corpora
// hold, in the order of their files. Without a name it returns all.
func Threshold(corpora ...string) ([]Vector, error) {
	if len(corpora) == 0 {
		corpora = []string{Core, CEL}
	}
	var all []Vector
	for _, corpus := range corpora {
		files, err := fs.Glob(FS, path.Join("threshold", corpus, "*.json"))
		if err != nil {
			return nil, fmt.Errorf("list corpus %s: %w", corpus, err)
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("there is no corpus %q: use core or cel", corpus)
		}
		for _, file := range files {
			vectors, err := read[Vector](file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			for _, v := range vectors {
				v.Corpus, v.File = corpus, file
				all = append(all, v)
			}
		}
	}
	return all, nil
}

// read decodes one file of our own.
func read[V any](file string) ([]V, error) {
	text, err := FS.ReadFile(file)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var vectors []V
	err = dec.Decode(&vectors)
	return vectors, err
}

package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/vectors"
)

// caseAnswer is the line out for a case.
type caseAnswer struct {
	ID            string   `json:"id"`
	Action        string   `json:"action"`
	Category      *string  `json:"category"`
	Blocks        []string `json:"blocks"`
	Verdict       string   `json:"verdict"`
	Confidence    *float64 `json:"confidence,omitempty"`
	Queue         *string  `json:"queue,omitempty"`
	Decision      *string  `json:"decision,omitempty"`
	PolicyInvalid bool     `json:"policyInvalid,omitempty"`
}

// outputAnswer is the line out for an output from elsewhere.
type outputAnswer struct {
	ID          string `json:"id"`
	Consistent  bool   `json:"consistent"`
	Action      string `json:"action"`
	Malformed   bool   `json:"malformed"`
	SchemaValid *bool  `json:"schemaValid,omitempty"`
}

// CaseItems makes items of the vectors of the case gate.
func CaseItems(all []vectors.CaseVector) ([]Item, error) {
	var items []Item
	for i := range all {
		v := &all[i]
		text := string(v.Case)
		if v.CaseText != nil {
			text = *v.CaseText
		}
		line, err := json.Marshal(map[string]any{"id": v.ID(), "caseText": text, "policy": v.Policy, "supervised": v.Supervised})
		if err != nil {
			return nil, fmt.Errorf("vector %s: %w", v.ID(), err)
		}
		items = append(items, Item{ID: v.ID(), File: v.File, Line: append(line, '\n'), Check: func(said []byte) ([]string, error) {
			a, err := parseSaid[caseAnswer](said)
			if err != nil {
				return nil, err
			}
			return checkCase(v, a), nil
		}})
	}
	return items, nil
}

// OutputItems makes items of the vectors of outputs from elsewhere.
func OutputItems(all []vectors.OutputVector) ([]Item, error) {
	var items []Item
	for i := range all {
		v := &all[i]
		question := map[string]any{"id": v.ID(), "outputText": v.Text}
		if v.Policy != nil {
			question["policy"] = v.Policy
		}
		line, err := json.Marshal(question)
		if err != nil {
			return nil, fmt.Errorf("vector %s: %w", v.ID(), err)
		}
		items = append(items, Item{ID: v.ID(), File: v.File, Line: append(line, '\n'), Check: func(said []byte) ([]string, error) {
			a, err := parseSaid[outputAnswer](said)
			if err != nil {
				return nil, err
			}
			return checkOutput(v, a), nil
		}})
	}
	return items, nil
}

// parseSaid reads an answer: strictly first, so that one with two readings is
// none, and then into its type.
func parseSaid[A any](said []byte) (*A, error) {
	root, err := parseObject(said)
	if err != nil {
		return nil, err
	}
	a := new(A)
	if err := json.Unmarshal(root.AppendJSON(nil), a); err != nil {
		return nil, fmt.Errorf("not an answer: %w", err)
	}
	return a, nil
}

// differences collects what is wrong with an answer.
type differences []string

func (d *differences) compare(what string, got, want any) {
	if got != want {
		*d = append(*d, fmt.Sprintf("%s is %v, want %v", what, got, want))
	}
}

// given compares what the vector names.
func given[V comparable](d *differences, what string, got, want *V) {
	switch {
	case want == nil:
	case got == nil:
		*d = append(*d, fmt.Sprintf("%s is not told, want %v", what, *want))
	default:
		d.compare(what, *got, *want)
	}
}

func checkCase(v *vectors.CaseVector, a *caseAnswer) []string {
	var d differences
	if d.compare("the answer's id", a.ID, v.ID()); len(d) > 0 {
		return d
	}
	d.compare("action", a.Action, v.Expect.Action)
	d.compare("category", deref(a.Category), deref(v.Expect.Category))
	d.compare("blocks", strings.Join(slices.Sorted(slices.Values(a.Blocks)), ", "), strings.Join(v.Expect.Blocks, ", "))
	d.compare("verdict", a.Verdict, v.Expect.Verdict)
	given(&d, "confidence", a.Confidence, v.Expect.Confidence)
	given(&d, "queue", a.Queue, v.Expect.Queue)
	given(&d, "decision", a.Decision, v.Expect.Decision)
	d.compare("policyInvalid", a.PolicyInvalid, v.Expect.PolicyInvalid)
	return d
}

func checkOutput(v *vectors.OutputVector, a *outputAnswer) []string {
	var d differences
	if d.compare("the answer's id", a.ID, v.ID()); len(d) > 0 {
		return d
	}
	d.compare("consistent", a.Consistent, v.Expect.Consistent)
	d.compare("action", a.Action, v.Expect.Action)
	d.compare("malformed", a.Malformed, v.Expect.Malformed)
	given(&d, "schemaValid", a.SchemaValid, v.Expect.SchemaValid)
	return d
}

func deref(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

// caseHeader is what a policy file of kind case has and a vector's hasn't.
const caseHeader = `{"pawl":"v1","gate":"vector","kind":"case"`

// loadCase makes the case gate of a vector's policy, nil if it is invalid.
func loadCase(n *source.Node) *policy.Case {
	text, ok := withHeader(caseHeader, n)
	if !ok {
		return nil
	}
	f, err := policy.Parse("vector.json", text)
	if err != nil {
		return nil
	}
	return f.Case
}

// withHeader makes a policy file's text of a policy without a header.
func withHeader(header string, n *source.Node) ([]byte, bool) {
	if n == nil || n.Kind != source.Object {
		return nil, false
	}
	for _, key := range []string{"pawl", "gate", "kind", "description", "tests"} {
		if n.Get(key) != nil {
			return nil, false
		}
	}
	text := []byte(header)
	if len(n.Members) > 0 {
		text = append(text, ',')
	}
	return append(text, n.AppendJSON(nil)[1:]...), true
}

// answerCase answers {"id", "caseText", "policy", "supervised"}.
func answerCase(root *source.Node) ([]byte, error) {
	var id, text string
	var supervised bool
	for _, m := range root.Members {
		switch {
		case m.Key == "id" && m.Value.Kind == source.String:
			id = m.Value.Text
		case m.Key == "caseText" && m.Value.Kind == source.String:
			text = m.Value.Text
		case m.Key == "supervised" && m.Value.Kind == source.Bool:
			supervised = m.Value.Bool
		case m.Key == "policy":
		default:
			return nil, fmt.Errorf("a line about a case has id, caseText, policy and supervised: %.64q is none of them, or of the wrong type", m.Key)
		}
	}
	c := loadCase(root.Get("policy"))
	var r policy.CaseResult
	if c == nil {
		var none *casegate.Gate
		r.Output = none.Decide(casegate.Case{})
		r.Result = none.Verdict(&r.Output)
	} else {
		_, r = c.DecideJSON([]byte(text), 0, supervised)
	}
	a := caseAnswer{
		ID: id, Action: string(r.Output.Action), Blocks: blocksOf(&r.Output), Verdict: string(r.Verdict),
		Confidence: &r.Output.Confidence, Queue: &r.Queue, Decision: &r.Output.Decision, PolicyInvalid: c == nil,
	}
	if r.Output.Category != "" {
		a.Category = new(string(r.Output.Category))
	}
	return appendSaid(a)
}

// blocksOf lists the blocks of an output that aren't empty.
func blocksOf(o *casegate.Output) []string {
	blocks := []string{}
	for name, n := range map[string]int{
		"boundary_analysis": len(o.BoundaryAnalysis), "confidence_factors": len(o.ConfidenceFactors),
		"conflicting_signals": len(o.ConflictingSignals), "external_dependency": len(o.ExternalDependency),
		"missing_preconditions": len(o.MissingPreconditions), "policy_violations": len(o.PolicyViolations),
	} {
		if n > 0 {
			blocks = append(blocks, name)
		}
	}
	slices.Sort(blocks)
	return blocks
}

// answerOutput answers {"id", "outputText", "policy"?}.
func answerOutput(root *source.Node) ([]byte, error) {
	var id, text string
	for _, m := range root.Members {
		switch {
		case m.Key == "id" && m.Value.Kind == source.String:
			id = m.Value.Text
		case m.Key == "outputText" && m.Value.Kind == source.String:
			text = m.Value.Text
		case m.Key == "policy":
		default:
			return nil, fmt.Errorf("a line about an output has id, outputText and policy: %.64q is none of them, or of the wrong type", m.Key)
		}
	}
	var p *casegate.Policy
	if n := root.Get("policy"); n != nil {
		c := loadCase(n)
		if c == nil {
			return nil, fmt.Errorf("the policy is invalid")
		}
		p = new(c.Policy())
	}
	r := casegate.Validate([]byte(text), p)
	a := outputAnswer{ID: id, Consistent: r.Consistent(), Action: string(r.Action), Malformed: r.Malformed != ""}
	if !a.Malformed {
		a.SchemaValid = new(len(r.Schema) == 0)
	}
	return appendSaid(a)
}

func appendSaid(a any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

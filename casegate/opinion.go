package casegate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

// Opinion is what a model said about a case: a second opinion, which can only
// tighten. Its words are untrusted, since they come from the case's own text.
type Opinion struct {
	Name   string // under which the operator defined the model
	Answer []byte // what it said, exactly
	Fault  string // why there is no answer, in our words; empty if there is one
	// Model is the model's id as the server returned it, Prompt the digest of
	// what was sent. Trail is what happened on the way, in our words.
	Model, Prompt string
	Trail         []string
	// Tokens that the server counted; 0 if it didn't say.
	PromptTokens, CompletionTokens int
}

// keyModel is the key under which a block says what a model raises.
const keyModel = "model"

// maxOpinion bounds how much of an answer an output repeats, in bytes.
const maxOpinion = 4000

// stepForModel is what a person does when only the model escalates.
const stepForModel = "Look at the case: a model asks for a person (see model_opinion)."

// opinion takes a model's answer as one more rule: it passes if it is exactly
// one consistent DECIDE, and fires otherwise. When the rules escalate already,
// the category, the queue and the next step are theirs alone.
func (d *decider) opinion(o *Opinion) (passes bool, conf float64) {
	for _, line := range o.Trail {
		d.note("model %s: %s", o.Name, line)
	}
	d.out.ModelOpinion = map[string]any{"name": o.Name, "model": o.Model, "prompt": o.Prompt}
	if o.PromptTokens+o.CompletionTokens > 0 {
		d.out.ModelOpinion["tokens"] = map[string]int{"prompt": o.PromptTokens, "completion": o.CompletionTokens}
	}
	if len(o.Answer) > 0 {
		d.out.ModelOpinion["answer"] = excerpt(o.Answer)
	}
	if o.Fault != "" {
		d.unheard("model " + o.Name + " gave no answer: " + o.Fault)
		return false, 0
	}
	report := Validate(o.Answer, &d.gate.policy)
	said, err := ParseOutput(o.Answer)
	switch {
	case err != nil:
		d.unheard(fmt.Sprintf("model %s: its answer is not exactly one valid output: %s", o.Name, faultOf(err)))
		return false, 0
	case said.Action == Decide && !report.Consistent():
		d.unheard(fmt.Sprintf("model %s: its DECIDE contradicts itself or the policy", o.Name))
		return false, 0
	case said.Action == Decide && d.otherwise(said):
		d.unheard(fmt.Sprintf("model %s: it decides otherwise than the policy", o.Name))
		return false, said.Confidence
	case said.Action == Decide:
		d.note("model %s: passed", o.Name)
		return true, said.Confidence
	}
	d.note("model %s: fired %s", o.Name, said.Category)
	if !d.escalates() {
		d.fire(keyModel, said.Category, modelEntry(said.Category), stepForModel)
	}
	return false, said.Confidence
}

// otherwise reports whether a DECIDE names another decision than the policy, or
// another route if it names one. What the policy can't decide escalates by itself.
func (d *decider) otherwise(said *Output) bool {
	p := &d.gate.policy
	decision, why := given(p.Decision, d.c)
	if why == "" && decision != said.Decision {
		return true
	}
	route := ""
	if p.Route != nil {
		route, _ = given(p.Route, d.c)
	}
	return said.SelectedRoute != "" && said.SelectedRoute != route
}

// unheard escalates since nobody knows what the model thinks.
func (d *decider) unheard(why string) {
	d.note("%s", why)
	if !d.escalates() {
		d.fire(keyModel, InsufficientConfidence, Factors{AmbiguousSignals: []string{}, WhyUncertain: why}, stepForModel)
	}
}

// faultOf is what is wrong with an output, without the names of its members,
// which are somebody else's words. Findings of the schema name only its own.
func faultOf(err error) string {
	var syntax *source.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Pos.String() + ": " + syntax.Code
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// modelEntry is the entry in the block of a category that only a model raises.
// It has none of the model's words.
func modelEntry(category Category) any {
	const why = "a model's opinion, see model_opinion"
	switch category {
	case PolicyViolation:
		return Violation{Reason: why}
	case MissingRequiredDocumentation:
		return Missing{Reason: why}
	case BoundaryCondition:
		return Boundary{Assessment: why}
	case ConflictingSignals:
		return Conflict{Rule: keyModel, Values: []SourceValue{}, Reason: why}
	case ExternalDependency:
		return Dependency{Awaiting: "a person", BlockingGate: keyModel}
	default:
		return Factors{AmbiguousSignals: []string{}, WhyUncertain: why}
	}
}

// excerpt is the answer as text, cut off if it is long.
func excerpt(answer []byte) string {
	if len(answer) <= maxOpinion {
		return strings.ToValidUTF8(string(answer), "\ufffd")
	}
	return strings.ToValidUTF8(string(answer[:maxOpinion]), "") + "…"
}

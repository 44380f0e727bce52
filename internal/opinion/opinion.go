// Package opinion asks a model for its second opinion on a case: it writes the
// question, has it asked, and hands the answer, judged by nobody yet, to the
// case gate, which takes it as one more rule.
package opinion

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/llm"
	"github.com/pawlgate/pawl/policy"
)

//go:embed prompt.txt
var defaultPrompt string

// maxQuestion bounds the question, in bytes: case and policy have up to 1 MiB
// each, but no model reads that much.
const maxQuestion = 256 << 10

// Model asks one model about cases of one policy. It is safe for concurrent
// use.
type Model struct {
	name   string
	asker  llm.Asker
	prompt string
	gate   *casegate.Gate
	policy []byte // as JSON
}

// New returns the model of that name. Without a prompt it uses its own.
func New(name string, asker llm.Asker, prompt string, file *policy.File) *Model {
	if prompt == "" {
		prompt = defaultPrompt
	}
	return &Model{name, asker, prompt, file.Case.Gate(), file.JSON()}
}

// Ask asks about one case, as JSON. Whatever goes wrong is a fault of the
// opinion. What isn't a case, and what the rules escalate anyway, isn't asked
// about: nobody needs to see it, or to pay for it.
func (m *Model) Ask(ctx context.Context, in *policy.CaseInput) *casegate.Opinion {
	o := &casegate.Opinion{Name: m.name}
	if in.Err != nil || !in.HasCase {
		o.Fault = "it wasn't asked: the input has no case that can be read"
		return o
	}
	if own := m.gate.Decide(in.Case); own.Action == casegate.Escalate {
		o.Fault = "it wasn't asked: the rules escalate the case already"
		return o
	}
	text := append([]byte(`{"case":`), in.CaseJSON()...)
	text = append(append(text, `,"policy":`...), m.policy...)
	text = append(text, '}')
	if len(text) > maxQuestion {
		o.Fault = fmt.Sprintf("it wasn't asked: case and policy have %d bytes, and %d are sent at most", len(text), maxQuestion)
		return o
	}
	a := m.asker.Ask(ctx, llm.Question{System: m.prompt, User: string(text), Schema: casegate.Schema(), SchemaName: "schema_sentinel_v1"})
	o.Answer, o.Fault, o.Model, o.Prompt, o.Trail = []byte(a.Text), a.Fault, a.Model, a.PromptDigest, a.Trail
	o.PromptTokens, o.CompletionTokens = a.PromptTokens, a.CompletionTokens
	return o
}

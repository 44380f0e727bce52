package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/pawlgate/pawl/internal/source"
)

// A recording is a file of lines, each a JSON object: the answer that a model
// gave to one question.
type line struct {
	Model  string     `json:"model"` // its name in the configuration
	Prompt string     `json:"prompt"`
	Schema string     `json:"schema"`
	Answer lineAnswer `json:"answer"`
}

type lineAnswer struct {
	Text             string   `json:"text"`
	Model            string   `json:"model"`
	Format           string   `json:"format"`
	Attempts         int      `json:"attempts"`
	PromptTokens     int      `json:"prompt_tokens"`
	CompletionTokens int      `json:"completion_tokens"`
	TookMS           int64    `json:"took_ms"`
	Trail            []string `json:"trail"`
	Fault            string   `json:"fault"`
}

// question is what a recording knows a question by.
type question struct {
	model, prompt, schema string
}

// Recorder asks a model and writes each answer down. A question that is asked
// again gets the answer that it got before, so that a recording never answers a
// question in two ways. It is safe for concurrent use.
type Recorder struct {
	model string
	next  Asker

	mu    sync.Mutex
	w     io.Writer
	err   error
	known map[question]*turn
}

// turn is a question that was asked, and answered once done is closed. Without
// ok the answer isn't worth keeping.
type turn struct {
	done   chan struct{}
	answer Answer
	ok     bool
}

// NewRecorder writes to w what next, the model of that name, answers.
func NewRecorder(model string, next Asker, w io.Writer) *Recorder {
	return &Recorder{model: model, next: next, w: w, known: map[question]*turn{}}
}

// Ask asks the model, unless the question was asked before.
func (r *Recorder) Ask(ctx context.Context, q Question) Answer {
	_, prompt, err := q.messages()
	if err != nil {
		return r.next.Ask(ctx, q)
	}
	k := question{r.model, prompt, q.schemaDigest()}
	for {
		r.mu.Lock()
		t, asked := r.known[k]
		if !asked {
			t = &turn{done: make(chan struct{})}
			r.known[k] = t
			r.mu.Unlock()
			return r.ask(ctx, q, k, t)
		}
		r.mu.Unlock()
		select {
		case <-t.done:
		case <-ctx.Done():
			return Answer{PromptDigest: prompt, Fault: "the caller gave up", Trail: []string{"the same question was being asked already"}}
		}
		if t.ok {
			return t.answer
		}
	}
}

func (r *Recorder) ask(ctx context.Context, q Question, k question, t *turn) Answer {
	a := r.next.Ask(ctx, q)
	r.mu.Lock()
	defer r.mu.Unlock()
	defer close(t.done)
	if a.Fault != "" && ctx.Err() != nil {
		delete(r.known, k) // the model may have had an answer, had the caller waited
		return a
	}
	t.answer, t.ok = a, true
	if r.err == nil {
		r.err = r.write(k, a)
	}
	return a
}

func (r *Recorder) write(k question, a Answer) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(line{k.model, k.prompt, k.schema, lineAnswer{
		a.Text, a.Model, a.Format, a.Attempts, a.PromptTokens, a.CompletionTokens, a.Took.Milliseconds(), a.Trail, a.Fault,
	}}); err != nil {
		return err
	}
	if b.Len() > source.MaxBytes {
		return fmt.Errorf("model %s: an answer takes %d bytes in the recording; %d are allowed", k.model, b.Len(), source.MaxBytes)
	}
	_, err := r.w.Write(b.Bytes())
	return err
}

// Err returns what went wrong with writing first. The recording then ends
// before that answer.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Replay answers from a recording. It is safe for concurrent use.
type Replay struct {
	model   string
	answers map[question]Answer
}

// Ask returns the recorded answer. A question that isn't in the recording is a
// fault.
func (r *Replay) Ask(_ context.Context, q Question) Answer {
	_, prompt, err := q.messages()
	if err != nil {
		return Answer{Fault: err.Error(), Trail: []string{fmt.Sprintf("model %s was not asked: %v", r.model, err)}}
	}
	a, ok := r.answers[question{r.model, prompt, q.schemaDigest()}]
	if !ok {
		a = Answer{PromptDigest: prompt, Fault: "not recorded"}
		a.Trail = []string{fmt.Sprintf("the recording has no answer of model %s to this question", r.model)}
		return a
	}
	a.Trail = append(append([]string(nil), a.Trail...), "this was taken from a recording")
	return a
}

func fromLine(l line) Answer {
	a := l.Answer
	return Answer{
		Text: a.Text, Model: a.Model, PromptDigest: l.Prompt, Format: a.Format, Attempts: a.Attempts,
		PromptTokens: a.PromptTokens, CompletionTokens: a.CompletionTokens,
		Took: time.Duration(a.TookMS) * time.Millisecond, Trail: a.Trail, Fault: a.Fault,
	}
}

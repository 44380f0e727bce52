package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Client asks one model. It is safe for concurrent use and keeps nothing open
// between questions.
type Client struct {
	m         Model
	key       string
	transport *http.Transport
	dialer    *tls.Dialer
	slots     chan struct{}
	backoff   func(retry int) time.Duration
	format    atomic.Int32 // the first of formats that the server hasn't refused
}

// formats are the response formats, from the strictest on.
var formats = [...]string{"json_schema", "json_object", "plain"}

const (
	jsonSchema = iota
	jsonObject
	plain
)

// minSecret is how long a key must be for its appearance in an answer to mean
// anything: servers that need none are often given a word such as "none".
const minSecret = 8

// New makes the client of a model that [Parse] has read. getenv is asked for
// the variable that holds the key, once.
func New(m Model, getenv func(string) string) (*Client, error) {
	if why := checkURL(m.URL, m.AllowPrivate); why != "" {
		return nil, fmt.Errorf("model %s: %s", m.Name, why)
	}
	if m.Timeout <= 0 || m.Deadline <= 0 || m.Retries < 0 || m.Concurrency < 1 || m.MaxResponse < 1 || m.ID == "" {
		return nil, fmt.Errorf("model %s: not a complete configuration", m.Name)
	}
	c := &Client{m: m, slots: make(chan struct{}, m.Concurrency), backoff: backoff}
	if m.KeyEnv != "" {
		c.key = getenv(m.KeyEnv)
		if c.key == "" {
			return nil, fmt.Errorf("model %s: the environment variable %s, which should hold the API key, is not set", m.Name, m.KeyEnv)
		}
		if strings.ContainsFunc(c.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, fmt.Errorf("model %s: the API key in the environment variable %s holds a blank, a line break or another character that no key has", m.Name, m.KeyEnv)
		}
	}
	if err := openai.NewReasoningValidator().Validate(c.request(nil, Question{}, plain)); err != nil {
		return nil, fmt.Errorf("model %s: the client library refuses the settings for %s: %w", m.Name, m.ID, err)
	}
	c.transport, c.dialer = newTransport(m, strings.HasPrefix(m.URL, "https:"))
	return c, nil
}

// backoff is the pause before a retry, counted from 0: it doubles, and half of
// it is chance, so that clients that failed together don't return together.
func backoff(retry int) time.Duration {
	d := min(500*time.Millisecond<<min(retry, 10), 10*time.Second)
	return d/2 + rand.N(d/2)
}

// leaks tells whether a text holds the key.
func (c *Client) leaks(text string) bool {
	return len(c.key) >= minSecret && strings.Contains(text, c.key)
}

// Ask puts the question to the model. It returns by the deadline, whatever the
// server does.
func (c *Client) Ask(ctx context.Context, q Question) Answer {
	start := time.Now()
	x := &exchange{c: c}
	a := c.ask(ctx, q, x)
	a.Model, a.PromptTokens, a.CompletionTokens = x.got.model, x.got.prompt, x.got.out
	a.Attempts, a.Trail, a.Took = x.attempts, x.trail, time.Since(start)
	return a
}

func (c *Client) ask(ctx context.Context, q Question, x *exchange) (a Answer) {
	messages, digest, err := q.messages()
	if err != nil {
		a.Fault = err.Error()
		x.note("model %s was not asked: %s", c.m.Name, a.Fault)
		return a
	}
	a.PromptDigest = digest
	ctx, cancel := context.WithTimeoutCause(ctx, c.m.Deadline, errDeadline)
	defer cancel()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		a.Fault = ended(ctx, c.m).words
		x.note("model %s was not asked: %d questions at a time, and none was done in time", c.m.Name, c.m.Concurrency)
		return a
	}

	config := openai.DefaultConfig(c.key)
	config.BaseURL = c.m.URL
	config.HTTPClient = x
	api := openai.NewClientWithConfig(config)
	format := int(c.format.Load())
	if q.Schema == nil {
		format = max(format, jsonObject)
	}
	for {
		a.Format = formats[format]
		x.note("asking model %s for %s, response format %s", c.m.Name, c.m.ID, a.Format)
		resp, err := api.CreateChatCompletion(ctx, c.request(messages, q, format))
		if err == nil {
			c.remember(format)
			a.Text = resp.Choices[0].Message.Content
			if !x.got.counted {
				x.note("the server didn't say how many tokens were used")
			}
			return a
		}
		f := c.why(ctx, err)
		if f.refusal && format < plain {
			format++
			continue
		}
		a.Fault = f.words
		return a
	}
}

// why finds the fault in an error that came up through the libraries.
func (c *Client) why(ctx context.Context, err error) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	if f := ended(ctx, c.m); f != nil {
		return f
	}
	return &fault{words: "the request could not be made"}
}

// remember spares later questions the formats that the server refused. A server
// that refuses everything has said nothing about formats.
func (c *Client) remember(format int) {
	for {
		now := c.format.Load()
		if int32(format) <= now || c.format.CompareAndSwap(now, int32(format)) {
			return
		}
	}
}

func (c *Client) request(messages []openai.ChatCompletionMessage, q Question, format int) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{Model: c.m.ID, Messages: messages, N: 1}
	r.MaxTokens = c.m.MaxTokens //nolint:staticcheck // the newer max_completion_tokens is unknown to many servers
	switch format {
	case jsonSchema:
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: q.schemaName(), Schema: q.Schema, Strict: true},
		}
	case jsonObject:
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return r
}

package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"
)

// Asker is something that answers questions: a [Client], or a [Replay] of what
// one answered.
type Asker interface {
	// Ask answers the question. What goes wrong is the answer's fault.
	Ask(ctx context.Context, q Question) Answer
}

// Question is what a model is asked.
type Question struct {
	System     string // may be empty: then no system message is sent
	User       string
	Schema     json.RawMessage // of the answer; nil to ask for any JSON
	SchemaName string          // letters, digits, _ and -; "" is "answer"
}

// Answer is what came back: a text or a fault, and how it came about.
type Answer struct {
	Text         string
	Model        string // as the server calls it; untrusted, but one printable line
	PromptDigest string // "sha256:" and the hexadecimal SHA-256 of the messages as sent
	Format       string // json_schema, json_object or plain; "" if nothing was sent
	Attempts     int    // requests sent

	PromptTokens     int // as the server counted them, 0 if it didn't
	CompletionTokens int
	Took             time.Duration

	// Trail says what happened, in order. It holds no secret and nothing of the
	// question or of the answer.
	Trail []string
	// Fault says why there is no text; it is empty if there is one.
	Fault string
}

var schemaNamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (q Question) schemaName() string {
	if q.SchemaName == "" {
		return "answer"
	}
	return q.SchemaName
}

// messages returns the messages to send and their digest. The error is for the
// trail.
func (q Question) messages() ([]openai.ChatCompletionMessage, string, error) {
	switch {
	case q.User == "":
		return nil, "", errors.New("the question is empty")
	case !utf8.ValidString(q.System) || !utf8.ValidString(q.User):
		return nil, "", errors.New("the question is not UTF-8")
	case q.Schema != nil && !json.Valid(q.Schema):
		return nil, "", errors.New("the schema of the answer is not JSON")
	case !schemaNamePattern.MatchString(q.schemaName()):
		return nil, "", errors.New("the schema of the answer has a name that no server would take")
	}
	var ms []openai.ChatCompletionMessage
	if q.System != "" {
		ms = append(ms, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: q.System})
	}
	ms = append(ms, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: q.User})
	text, err := json.Marshal(ms)
	if err != nil {
		return nil, "", errors.New("the question can't be written as JSON")
	}
	return ms, digest(text), nil
}

// schemaDigest identifies the schema, whatever its layout; "" if there is none.
func (q Question) schemaDigest() string {
	var b bytes.Buffer
	if q.Schema == nil || json.Compact(&b, q.Schema) != nil {
		return ""
	}
	return digest(b.Bytes())
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

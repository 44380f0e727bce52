package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawlgate/pawl/internal/source"
)

// completion is what is taken from a server's answer.
type completion struct {
	model       string
	text        string
	prompt, out int  // tokens
	counted     bool // the server said how many
}

// isJSON tells whether a Content-Type announces JSON in UTF-8.
func isJSON(contentType string) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") {
		return false
	}
	return kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

// judgeHeader says what a response's status and header allow to be known before
// its body is read; nil if the body may hold an answer.
func judgeHeader(resp *http.Response) *fault {
	f := &fault{words: fmt.Sprintf("HTTP status %d", resp.StatusCode)}
	switch s := resp.StatusCode; {
	case s == http.StatusOK:
	case s == http.StatusTooManyRequests || s >= 500:
		f.retry, f.wait = true, retryAfter(resp.Header.Values("Retry-After"))
		return f
	case s == http.StatusBadRequest || s == http.StatusNotFound || s == http.StatusUnprocessableEntity:
		f.refusal = true
		return f
	case s == http.StatusUnauthorized || s == http.StatusForbidden:
		f.words += ": the server refuses the key, or wants one"
		return f
	case s >= 300 && s < 400:
		f.words += ": a redirect, which is not followed"
		return f
	default:
		return f
	}
	switch {
	case len(resp.Header.Values("Content-Encoding")) > 0:
		return &fault{words: "the answer is compressed, which was not asked for"}
	case len(resp.Header.Values("Content-Type")) != 1 || !isJSON(resp.Header.Get("Content-Type")):
		return &fault{words: "the answer is not announced as JSON (Content-Type)"}
	}
	return nil
}

func tooLarge(maxResponse int) *fault {
	return &fault{words: fmt.Sprintf("the answer is larger than %d bytes (max_response)", maxResponse)}
}

// readCompletion takes exactly one completed text out of the envelope. What it
// could read before a fault (the model, the tokens) is returned with it.
func readCompletion(body []byte) (c completion, f *fault) {
	root, err := source.ReadJSON(body)
	if err != nil {
		code := "syntax"
		if e := (*source.SyntaxError)(nil); errors.As(err, &e) {
			code = e.Code
		}
		return c, &fault{words: "the envelope of the answer is not well-formed JSON (" + code + ")"}
	}
	odd := func(what string) (completion, *fault) {
		return c, &fault{words: "the envelope of the answer is not as it should be: " + what}
	}
	if root.Kind != source.Object {
		return odd("not an object")
	}
	c.prompt, c.out, c.counted = readUsage(root.Get("usage"))
	if n := root.Get("model"); n != nil && n.Kind == source.String && printable(n.Text) {
		c.model = n.Text
	}
	if given(root.Get("error")) {
		return odd("it holds an error")
	}
	choices := root.Get("choices")
	if choices == nil || choices.Kind != source.List {
		return odd("no list of choices")
	}
	if len(choices.Items) != 1 {
		return odd(fmt.Sprintf("%d choices instead of one", len(choices.Items)))
	}
	choice := choices.Items[0]
	message := choice.Get("message")
	if message == nil || message.Kind != source.Object {
		return odd("no message")
	}
	// A refusal, a call or a cut is told before a missing text: it explains it.
	for _, key := range []string{"tool_calls", "function_call"} {
		if given(message.Get(key)) {
			return odd("a tool call instead of a text")
		}
	}
	if given(message.Get("refusal")) {
		return c, &fault{words: "the model refused to answer"}
	}
	if n := message.Get("role"); n != nil && (n.Kind != source.String || n.Text != "assistant") {
		return odd("the message is not the assistant's")
	}
	switch n := choice.Get("finish_reason"); {
	case n == nil || n.Kind != source.String:
		return odd("no finish_reason")
	case n.Text == "length":
		return c, &fault{words: "the answer was cut off at the limit of tokens"}
	case n.Text != "stop":
		return c, &fault{words: "the answer was cut off: its finish_reason is not stop"}
	}
	text := message.Get("content")
	switch {
	case text == nil || text.Kind != source.String:
		return odd("the content is not a text")
	case strings.TrimSpace(text.Text) == "":
		return odd("the content is empty")
	case c.model == "":
		return odd(fmt.Sprintf("no name of a model, or one that isn't printable text of at most %d bytes", maxID))
	}
	c.text = text.Text
	return c, nil
}

// given tells whether a member that should say nothing says something.
func given(n *source.Node) bool {
	if n == nil {
		return false
	}
	switch n.Kind {
	case source.Null:
		return false
	case source.List:
		return len(n.Items) > 0
	case source.String:
		return n.Text != ""
	default:
		return true
	}
}

func readUsage(n *source.Node) (prompt, out int, ok bool) {
	p, o := n.Get("prompt_tokens"), n.Get("completion_tokens")
	if p == nil || o == nil {
		return 0, 0, false
	}
	a, okA := integer(p)
	b, okB := integer(o)
	if !okA || !okB || a < 0 || b < 0 {
		return 0, 0, false
	}
	return int(a), int(b), true
}

// printable tells whether a text is a short line that can stand in a trail.
func printable(s string) bool {
	if s == "" || len(s) > maxID || !utf8.ValidString(s) || strings.TrimSpace(s) != s {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// envelope writes the completion down as the client library reads it: with
// nothing in it that wasn't checked.
func (c completion) envelope() ([]byte, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	type choice struct {
		Message      message `json:"message"`
		FinishReason string  `json:"finish_reason"`
	}
	return json.Marshal(struct {
		Model   string   `json:"model"`
		Choices []choice `json:"choices"`
	}{c.model, []choice{{message{"assistant", c.text}, "stop"}}})
}

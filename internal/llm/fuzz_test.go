package llm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawlgate/pawl/internal/llm"
	"github.com/sashabaranov/go-openai"
)

// Whatever a server sends is a fault or one text, and the client library reads
// the same text in what it is given.
func FuzzReadCompletion(f *testing.F) {
	for _, s := range []string{
		"", "{}", "null", completion(opinion), completion("\u2028\x00<"), envelope(`{"content":null}`, `"stop"`), envelope(`{"content":"x","tool_calls":[]}`, `"stop"`),
		`{"error":{}}`, `{"model":"m","choices":[{"message":{"content":"\ud83d\ude00"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1e9,"completion_tokens":-0}}`,
		`{"choices":[],"Choices":[1]}`, completion(opinion) + completion(opinion),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		model, text, fault, envelope := llm.ReadCompletion(body)
		if (text == "") == (fault == "") {
			t.Fatalf("the text %q and the fault %q", text, fault)
		}
		if !utf8.ValidString(model + text + fault) {
			t.Fatalf("not UTF-8: %q %q %q", model, text, fault)
		}
		if fault != "" {
			return
		}
		var read openai.ChatCompletionResponse
		if err := json.Unmarshal(envelope, &read); err != nil {
			t.Fatalf("the client library can't read %s: %v", envelope, err)
		}
		if len(read.Choices) != 1 || read.Choices[0].Message.Content != text || read.Model != model || model == "" {
			t.Fatalf("the client library reads something else in %s", envelope)
		}
		var sent struct {
			Choices []struct{ Message struct{ Content string } }
		}
		if err := json.Unmarshal(body, &sent); err != nil {
			t.Fatalf("accepted, but not JSON: %q", body)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "models: {a: {url: \"https://h/v1\", model: m}}", "models:\n  a:\n    url: http://[::1]\n    timeout: 1h\n", `{"models": {"a": {"retries": 1e2}}}`} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, src string, asJSON bool) {
		name := "m.yaml"
		if asJSON {
			name = "m.json"
		}
		c, err := llm.Parse(name, []byte(src))
		if (c == nil) == (err == nil) {
			t.Fatalf("%v and %v", c, err)
		}
		if err != nil {
			if e := (*llm.Error)(nil); !errors.As(err, &e) || len(e.Problems) == 0 || !utf8.ValidString(err.Error()) {
				t.Fatalf("an odd error: %q", err)
			}
			return
		}
		for _, m := range c.Models {
			if _, err := llm.New(m, func(string) string { return apiKey }); err != nil && !strings.Contains(err.Error(), "the client library refuses") {
				t.Fatalf("accepted, but no client can be made of it: %v", err)
			}
		}
	})
}

// A recording that is accepted answers and can be recorded again.
func FuzzReplay(f *testing.F) {
	const digest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	good := `{"model":"judge","prompt":"` + digest + `","schema":"","answer":{"text":"x","model":"m","format":"plain","attempts":1,"prompt_tokens":0,"completion_tokens":0,"took_ms":3,"trail":["a"],"fault":""}}`
	f.Add([]byte(good))
	f.Add([]byte(good + "\n" + good))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := llm.NewReplay("r.jsonl", "judge", bytes.NewReader(file))
		if (r == nil) == (err == nil) {
			t.Fatalf("%v and %v", r, err)
		}
		if err != nil {
			if e := (*llm.Error)(nil); !errors.As(err, &e) || len(e.Problems) == 0 {
				t.Fatalf("an odd error: %v", err)
			}
			return
		}
		check(t, r.Ask(t.Context(), question))
	})
}

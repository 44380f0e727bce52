package llm_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/llm"
)

func TestParse(t *testing.T) {
	t.Parallel()
	const all = `
models:
  hosted:
    url: https://api.example.com/v1
    model: judge-7b
    key_env: PAWL_KEY_HOSTED
    prompt: prompts/judge.txt
    timeout: 5s
    deadline: 1m30s
    retries: 0
    concurrency: 8
    max_response: 65536
    max_tokens: 800
  local: {url: "http://localhost:11434/v1", model: "gemma3:4b", allow_private: true}
`
	want := &llm.Config{Models: map[string]llm.Model{
		"hosted": {
			Name: "hosted", URL: "https://api.example.com/v1", ID: "judge-7b", KeyEnv: "PAWL_KEY_HOSTED", Prompt: "prompts/judge.txt",
			Timeout: 5 * time.Second, Deadline: 90 * time.Second, Concurrency: 8, MaxResponse: 65536, MaxTokens: 800,
		},
		"local": {
			Name: "local", URL: "http://localhost:11434/v1", ID: "gemma3:4b", AllowPrivate: true,
			Timeout: 20 * time.Second, Deadline: time.Minute, Retries: 2, Concurrency: 4, MaxResponse: 1048576,
		},
	}}
	got, err := llm.Parse("models.yaml", []byte(all))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	const asJSON = `{"models": {"local": {"url": "http://localhost:11434/v1", "model": "gemma3:4b", "allow_private": true}}}`
	if got, err = llm.Parse("models.json", []byte(asJSON)); err != nil || !cmp.Equal(got.Models["local"], want.Models["local"]) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestParseReportsEveryProblemWithItsPlace(t *testing.T) {
	t.Parallel()
	const bad = `model: x
models:
  "a b": {}
  b: 7
  c:
    url: ftp://x
    model: ""
    api_key: sk-canary-0123456789
    key_env: sk-canary-0123456789
    timeout: 20
    deadline: 5s
    retries: 11
    concurrency: 0
    max_response: 1048577
    max_tokens: 1.5
    allow_private: "yes"
    modell: x
  d: {url: "https://u:sk-canary-0123456789@h/v1", model: m, timeout: -1s, deadline: soon}
  e: {url: "https://h/v1", model: m, timeout: 90s}
`
	_, err := llm.Parse("m.yaml", []byte(bad))
	want := `m.yaml:1:1: a configuration of models has no key "model", only models
m.yaml:3:3: "a b" isn't a model's name (letters, digits, _ and -, at most 128)
m.yaml:3:3: model a b: url is missing
m.yaml:3:3: model a b: model is missing
m.yaml:4:6: a model must be an object, not a number
m.yaml:6:10: a URL must begin with https:// (or with http://, for a server on your own network)
m.yaml:7:12: model must be printable text of at most 200 bytes
m.yaml:8:5: a model has no key "api_key": an API key never stands in this file; key_env names the environment variable that holds it
m.yaml:9:14: key_env isn't the name of an environment variable (letters, digits and _); it is not the key itself
m.yaml:10:14: timeout (a time such as "20s") must be a string, not a number
m.yaml:11:15: the deadline of a question (5s) is shorter than the timeout of one attempt (20s)
m.yaml:12:14: retries must be a whole number from 0 to 10
m.yaml:13:18: concurrency must be a whole number from 1 to 256
m.yaml:14:19: max_response must be a whole number from 1 to 1048576
m.yaml:15:17: max_tokens must be a whole number from 1 to 1048576
m.yaml:16:20: allow_private must be a boolean, not a string
m.yaml:17:5: a model has no key "modell", only url, model, key_env, prompt, timeout, deadline, retries, concurrency, max_response, max_tokens, allow_private
m.yaml:18:12: the URL holds a user or a password: take it out; key_env names the environment variable that holds the key
m.yaml:18:70: timeout must be a time such as "20s", more than 0 and at most 1h0m0s
m.yaml:18:85: deadline must be a time such as "20s", more than 0 and at most 1h0m0s
m.yaml:19:47: the deadline of a question (1m0s) is shorter than the timeout of one attempt (1m30s)`
	if err == nil {
		t.Fatal("it was accepted")
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(err.Error(), "\n")); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(err.Error(), apiKey) {
		t.Error("a key was repeated")
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for src, words := range map[string]string{
		"":                             "1:1",
		"[]":                           "must be an object, not a list",
		"{}":                           "models is missing",
		"models: []":                   "models must be an object",
		"models: {}":                   "models names no model",
		"models: {a: &x {}, b: *x}":    "anchor",
		"models: {a: {}}\nmodels: {}":  "models",
		"models: {a: {url: , model: }": "",
		"models: {a: {}, a: {}}":       "a",
	} {
		_, err := llm.Parse("m.yaml", []byte(src))
		var e *llm.Error
		if !errors.As(err, &e) || len(e.Problems) == 0 || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v, want %q", src, err, words)
		}
	}
}

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url, words    string
		evenIfAllowed bool
	}{
		{"https://api.example.com/v1", "", false},
		{"https://api.example.com:8443/a/b/v1/", "", false},
		{"https://1.1.1.1/v1", "", false},
		{"HTTPS://api.example.com/v1", "", false},
		{"http://api.example.com/v1", "unencrypted", false},
		{"http://localhost:8080/v1", "names this machine or a private address", false},
		{"https://localhost/v1", "names this machine or a private address", false},
		{"https://LocalHost./v1", "names this machine or a private address", false},
		{"https://x.localhost/v1", "names this machine or a private address", false},
		{"https://127.0.0.1/v1", "names this machine or a private address", false},
		{"http://[::1]:8080/v1", "names this machine or a private address", false},
		{"https://10.0.0.8/v1", "names this machine or a private address", false},
		{"https://[::ffff:10.0.0.8]/v1", "names this machine or a private address", false},
		{"https://169.254.169.254/v1", "names this machine or a private address", false},
		{"https://user@api.example.com/v1", "holds a user or a password", true},
		{"https://:@api.example.com/v1", "holds a user or a password", true},
		{"https://api.example.com/v1?key=x", "has a query or a fragment", true},
		{"https://api.example.com/v1?", "has a query or a fragment", true},
		{"https://api.example.com/v1#x", "has a query or a fragment", true},
		{"https://api.example.com/v1#", "has a query or a fragment", true},
		{"https://api.example.com/v1/chat/completions", "without /chat/completions", true},
		{"https:///v1", "no host", true},
		{"https://:443/v1", "no host", true},
		{"https:api.example.com", "no host", true},
		{"api.example.com/v1", "must begin with https://", true},
		{"//api.example.com/v1", "must begin with https://", true},
		{"unix:///run/model.sock", "must begin with https://", true},
		{"file:///etc/passwd", "must begin with https://", true},
		{"https://api.example.com/v1 ", "isn't a URL", true},
		{"https://api.exa mple.com/v1", "isn't a URL", true},
		{"https://api.example.com:port/v1", "isn't a URL", true},
		{`https://api.example.com\v1`, "isn't a URL", true},
		{"https://[::1/v1", "isn't a URL", true},
		{"%", "isn't a URL", true},
	} {
		for _, allowed := range []bool{false, true} {
			_, err := llm.New(llm.Model{
				Name: "m", URL: tt.url, ID: "m", Timeout: 1, Deadline: 1, Concurrency: 1, MaxResponse: 1, AllowPrivate: allowed,
			}, getenv)
			refused := tt.words != "" && (!allowed || tt.evenIfAllowed)
			if (err != nil) != refused || refused && !strings.Contains(err.Error(), tt.words) {
				t.Errorf("%s, private allowed %t: %v, want %q", tt.url, allowed, err, tt.words)
			}
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for key, words := range map[string]string{
		apiKey:              "",
		"none":              "",
		"":                  "the environment variable PAWL_KEY_TEST, which should hold the API key, is not set",
		apiKey + "\n":       "holds a blank, a line break",
		apiKey + "\r\nX: y": "holds a blank, a line break",
		" " + apiKey:        "holds a blank, a line break",
		apiKey + "\x00":     "holds a blank, a line break",
		apiKey + "é":        "holds a blank, a line break",
		apiKey + "\x7f":     "holds a blank, a line break",
	} {
		_, err := llm.New(model("http://localhost"), func(string) string { return key })
		if (err != nil) != (words != "") || err != nil && (!strings.Contains(err.Error(), words) || strings.Contains(err.Error(), apiKey)) {
			t.Errorf("%q: %v, want %q", key, err, words)
		}
	}
}

// Only what is named is asked for.
func TestNoOtherVariableIsRead(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", apiKey)
	m := model("http://localhost")
	m.KeyEnv = ""
	if _, err := llm.New(m, func(string) string { t.Error("the environment was asked"); return os.Getenv("OPENAI_API_KEY") }); err != nil {
		t.Error(err)
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	if _, err := llm.New(llm.Model{Name: "m", URL: "https://h/v1", ID: "m"}, getenv); err == nil {
		t.Error("without times it was accepted")
	}
	m := model("http://localhost")
	m.ID, m.MaxTokens = "o3-mini", 100
	if _, err := llm.New(m, getenv); err == nil || !strings.Contains(err.Error(), "the client library refuses the settings for o3-mini") {
		t.Error(err)
	}
}

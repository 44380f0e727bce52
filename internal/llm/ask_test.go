package llm_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/llm"
)

func TestAskSendsWhatTheContractSays(t *testing.T) {
	t.Parallel()
	var body []byte
	var header http.Header
	var path string
	m := model(serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		header, path = r.Header, r.Method+" "+r.URL.String()
		writeJSON(w, completion(opinion))
	}))
	m.MaxTokens = 300
	a := ask(t, newClient(t, m), question)

	var sent map[string]json.RawMessage
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"model": `"judge-7b"`, "temperature": "0", "n": "1", "stream": "false", "max_tokens": "300",
		"messages":        `[{"role":"system","content":"You judge \u003ccases\u003e \u0026 more."},{"role":"user","content":"` + caseText + `"}]`,
		"response_format": `{"type":"json_schema","json_schema":{"name":"opinion","schema":{"type":"object","properties":{"action":{"enum":["DECIDE","ESCALATE"]}}},"strict":true}}`,
	} {
		if diff := cmp.Diff(want, string(sent[key])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	if len(sent) != 7 {
		t.Errorf("sent %d members: %s", len(sent), body)
	}
	if path != "POST /v1/chat/completions" || header.Get("Authorization") != "Bearer "+apiKey || header.Get("Accept-Encoding") != "" || header.Get("User-Agent") != "pawl" {
		t.Errorf("%s, %v", path, header)
	}

	sum := sha256.Sum256(sent["messages"])
	want := llm.Answer{
		Text: opinion, Model: "judge-7b-q4", PromptDigest: "sha256:" + hex.EncodeToString(sum[:]), Format: "json_schema", Attempts: 1,
		PromptTokens: 12, CompletionTokens: 5, Took: a.Took,
		Trail: []string{"asking model judge for judge-7b, response format json_schema", "attempt 1: answered"},
	}
	if diff := cmp.Diff(want, a); diff != "" {
		t.Error(diff)
	}
	if a.Took <= 0 || a.Took > 20*time.Second {
		t.Errorf("took %s", a.Took)
	}
}

func TestAServerWithoutKeyGetsNone(t *testing.T) {
	t.Parallel()
	m := model(serve(t, func(w http.ResponseWriter, r *http.Request) {
		if _, ok := r.Header["Authorization"]; ok {
			t.Error("an Authorization header")
		}
		writeJSON(w, completion(opinion))
	}))
	m.KeyEnv = ""
	if a := ask(t, newClient(t, m), question); a.Text != opinion {
		t.Errorf("%+v", a)
	}
}

func TestTheTextIsNotTouched(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"```json\n{\"action\":\"DECIDE\"}\n```", `{"a":1}{"a":2}`, "Sure! {}", " {\"a\":1,\"a\":NaN} \n", "\x00\x1f\x7f\u2028\ufeff\U0001f600", `<b>&amp;</b>\u0041`,
	} {
		if a := ask(t, newClient(t, model(serve(t, reply(completion(text))))), question); a.Text != text {
			t.Errorf("got %q for %q", a.Text, text)
		}
	}
}

func TestQuestionsThatAreNotSent(t *testing.T) {
	t.Parallel()
	c := newClient(t, model(serve(t, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") })))
	for words, q := range map[string]llm.Question{
		"empty":             {System: "x"},
		"not UTF-8":         {User: "a\xff"},
		"system, not UTF-8": {System: "a\xff", User: "x"},
		"not JSON":          {User: "x", Schema: json.RawMessage("{")},
		"has a name":        {User: "x", Schema: schema, SchemaName: "a b"},
	} {
		a := ask(t, c, q)
		if _, part, ok := strings.Cut(words, ", "); ok {
			words = part
		}
		if !strings.Contains(a.Fault, words) || a.Attempts != 0 {
			t.Errorf("%+v, want %q", a, words)
		}
	}
}

// The formats that a server refuses are given up one after the other, each
// leaves a line, and the next question starts with the one that was taken.
func TestResponseFormatsFallBack(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 404, 422} {
		for accepted, format := range []string{"json_schema", "json_object", "plain"} {
			var asked []string
			c := newClient(t, model(serve(t, func(w http.ResponseWriter, r *http.Request) {
				var body struct {
					Format struct{ Type string } `json:"response_format"`
				}
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					t.Error(err)
				}
				kind := body.Format.Type
				if kind == "" {
					kind = "plain"
				}
				asked = append(asked, kind)
				if kind != format {
					failing(status)(w, r)
					return
				}
				writeJSON(w, completion(opinion))
			})))
			a := ask(t, c, question)
			if a.Text != opinion || a.Format != format || a.Attempts != accepted+1 || len(a.Trail) != 2*(accepted+1) {
				t.Errorf("%d: %+v", status, a)
			}
			if b := ask(t, c, question); b.Text != opinion || b.Format != format || b.Attempts != 1 {
				t.Errorf("%d, asked again: %+v", status, b)
			}
			if want := append([]string{"json_schema", "json_object", "plain"}[:accepted+1], format); !cmp.Equal(asked, want) {
				t.Errorf("%d: asked for %v, want %v", status, asked, want)
			}
		}
	}
}

func TestWithoutASchemaAnyJSONIsAskedFor(t *testing.T) {
	t.Parallel()
	q := question
	q.Schema = nil
	if a := ask(t, newClient(t, model(serve(t, reply(completion(opinion))))), q); a.Format != "json_object" || a.Text != opinion {
		t.Errorf("%+v", a)
	}
}

// A server that refuses everything has said nothing about formats.
func TestARefusalOfEverythingIsNotRemembered(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	c := newClient(t, model(serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) <= 3 {
			failing(400)(w, r)
			return
		}
		writeJSON(w, completion(opinion))
	})))
	if a := ask(t, c, question); a.Fault != "HTTP status 400" || a.Attempts != 3 || a.Format != "plain" {
		t.Errorf("%+v", a)
	}
	if a := ask(t, c, question); a.Format != "json_schema" || a.Text == "" {
		t.Errorf("%+v", a)
	}
}

func TestConcurrencyIsLimited(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int32
	m := model(serve(t, func(w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for {
			old := most.Load()
			if n <= old || most.CompareAndSwap(old, n) {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
		writeJSON(w, completion(opinion))
	}))
	m.Concurrency = 3
	c := newClient(t, m)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if a := ask(t, c, question); a.Text == "" {
				t.Errorf("%+v", a)
			}
		})
	}
	wg.Wait()
	if n := most.Load(); n != 3 {
		t.Errorf("%d at a time, want 3", n)
	}
}

// Waiting for a turn ends with the deadline, and with the caller's patience.
func TestWaitingForATurnEnds(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	m := model(serve(t, func(w http.ResponseWriter, _ *http.Request) {
		<-release
		writeJSON(w, completion(opinion))
	}))
	m.Concurrency, m.Timeout, m.Deadline = 1, 300*time.Millisecond, 300*time.Millisecond
	c := newClient(t, m)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(release)
	started := make(chan struct{})
	wg.Go(func() {
		close(started)
		ask(t, c, question)
	})
	<-started
	time.Sleep(50 * time.Millisecond)

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	a := c.Ask(ctx, question)
	check(t, a)
	if a.Fault != "the caller gave up" || a.Attempts != 0 {
		t.Errorf("%+v", a)
	}
}

func TestTheCallerCanGiveUp(t *testing.T) {
	t.Parallel()
	m := model(serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	a := newClient(t, m).Ask(ctx, question)
	check(t, a)
	if a.Fault != "the caller gave up" || a.Attempts != 1 || a.Took > 8*time.Second {
		t.Errorf("%+v", a)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawlgate/pawl/casegate"
)

const (
	// modelKey must never turn up in what pawl writes, and modelWords, which the
	// model says, in one place alone.
	modelKey   = "sk-canary-0123456789"
	modelWords = "IGNORE-ALL-RULES"

	saysDecide = `{"action":"DECIDE","escalation_category":null,"confidence_score":0.95,"confidence_reasoning":"` + modelWords +
		`","human_action_required":"NONE","audit_trail":["` + modelWords + `"],"decision":"OK"}`
	saysEscalate = `{"action":"ESCALATE","escalation_category":"CONFLICTING_SIGNALS","confidence_score":0.2,"human_action_required":"` + modelWords +
		`","audit_trail":["` + modelWords + `"],"conflicting_signals":[{"rule":"` + modelWords + `"}],"escalation_path":"` + modelWords + `"}`
)

// modelServer is an OpenAI-compatible server on this machine that answers each
// question as the test wants.
type modelServer struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []modelQuestion
	busy   int // now
	busier int // at most
}

// modelQuestion is what the server was asked.
type modelQuestion struct {
	key    string
	caseID string
	body   string
	nth    int // from 1 on
}

// serveModel runs a server. Answer writes the whole response.
func serveModel(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, q modelQuestion)) *modelServer {
	t.Helper()
	s := &modelServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/chat/completions" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		q := modelQuestion{key: r.Header.Get("Authorization"), caseID: askedCase(body), body: string(body)}
		s.mu.Lock()
		s.asked = append(s.asked, q)
		q.nth = len(s.asked)
		s.busy++
		s.busier = max(s.busier, s.busy)
		s.mu.Unlock()
		answer(w, r, q)
		s.mu.Lock()
		s.busy--
		s.mu.Unlock()
	}))
	t.Cleanup(s.Close)
	return s
}

// questions are those that were asked so far.
func (s *modelServer) questions() []modelQuestion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// askedCase is the id of the case that a request asks about.
func askedCase(body []byte) string {
	var request struct {
		Messages []struct{ Role, Content string }
	}
	var question struct {
		Case struct {
			ID string `json:"case_id"`
		}
	}
	if json.Unmarshal(body, &request) != nil || len(request.Messages) != 2 || json.Unmarshal([]byte(request.Messages[1].Content), &question) != nil {
		return ""
	}
	return question.Case.ID
}

// say answers with a completion.
func say(w http.ResponseWriter, text string) {
	content, _ := json.Marshal(text) // a string always can be
	sayRaw(w, string(content), "stop")
}

func sayRaw(w http.ResponseWriter, content, finish string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"model":"judge-7b-q4","choices":[{"message":{"role":"assistant","content":%s},"finish_reason":%q}],"usage":{"prompt_tokens":12,"completion_tokens":5}}`, content, finish) //nolint:errcheck // the client may have left
}

// says answers every question with the text.
func says(text string) func(http.ResponseWriter, *http.Request, modelQuestion) {
	return func(w http.ResponseWriter, _ *http.Request, _ modelQuestion) { say(w, text) }
}

// modelRules is a policy that asks a model.
const modelRules = `pawl: v1
gate: judged
kind: case
rules:
  - {id: embargo, forbid: facts.country == "XX", next_step: Stop.}
confidence: none
decision: '"OK"'
applies: [OK]
rejects: ["NO"]
enableAutoApply: true
enableAutoReject: true
queues: {default: desk, POLICY_VIOLATION: compliance}
model: judge
`

// modelFiles are the files of a call, in a folder of the test's own.
type modelFiles struct {
	dir, policy, models, clean, bad string
}

// writeModelFiles writes them for a server, with more settings of the model
// (lines of YAML) and the key in the environment.
func writeModelFiles(t *testing.T, url, settings string) modelFiles {
	t.Helper()
	t.Setenv("PAWL_TEST_KEY", modelKey)
	f := modelFiles{dir: t.TempDir()}
	f.policy = f.write(t, "judged.pawl.yaml", modelRules)
	f.models = f.write(t, "models.yaml", fmt.Sprintf("models:\n  judge:\n    url: %s/v1\n    model: judge-7b\n    key_env: PAWL_TEST_KEY\n    allow_private: true\n%s", url, settings))
	f.clean = f.write(t, "clean.json", `{"case_id":"S-1","facts":{"country":"DE"}}`)
	f.bad = f.write(t, "bad.json", `{"case_id":"S-2","facts":{"country":"XX"}}`)
	return f
}

func (f modelFiles) write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(f.dir, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func (f modelFiles) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// caseAnswer is what a program reads of an answer.
type caseAnswer struct {
	Line   int
	ID     string
	Result struct {
		Verdict string
		Queue   string
		Output  json.RawMessage
	}
}

// decided reads an answer and checks what is true of every one: it is valid by
// the schema, and the model's words stand in one place.
func decided(t *testing.T, text string) (caseAnswer, *casegate.Output) {
	t.Helper()
	var a caseAnswer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	out, err := casegate.ParseOutput(a.Result.Output)
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	report := casegate.Validate(a.Result.Output, nil)
	if len(report.Warnings)+len(report.Contradictions) > 0 {
		t.Errorf("%v %v: %s", report.Warnings, report.Contradictions, text)
	}
	var members map[string]any
	if err := json.Unmarshal(a.Result.Output, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "model_opinion")
	rest, _ := json.Marshal(members)
	envelope := strings.Replace(text, string(a.Result.Output), "", 1)
	if strings.Contains(string(rest)+envelope, modelWords) {
		t.Errorf("the model's words stand outside of model_opinion: %s", text)
	}
	return a, out
}

// runCase runs a command in this process. The key stands nowhere in what it
// writes.
func runCase(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out bytes.Buffer
	start := time.Now()
	code, stderr = run(strings.NewReader(stdin), &out, append([]string{"case"}, args...)...)
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("%v took %v", args, took)
	}
	if strings.Contains(out.String()+stderr, modelKey) {
		t.Errorf("the key was written: %s%s", out.String(), stderr)
	}
	return code, out.String(), stderr
}

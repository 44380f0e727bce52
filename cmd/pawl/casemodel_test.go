package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pawlgate/pawl/casegate"
)

const shortTimes = "    timeout: 400ms\n    deadline: 4s\n    retries: 1\n"

// misbehaviours are answers of a model, and what is made of each: DECIDE lets
// the rules' DECIDE stand.
var misbehaviours = []struct {
	name   string
	answer func(w http.ResponseWriter, r *http.Request, q modelQuestion)
	action casegate.Action
	trail  string // in the audit trail
}{
	{"DECIDE", says(saysDecide), casegate.Decide, "model judge: passed"},
	{"ESCALATE", says(saysEscalate), casegate.Escalate, "model judge: fired CONFLICTING_SIGNALS"},
	{"prose", says("Sure! " + saysDecide), casegate.Escalate, "not exactly one valid output"},
	{"prose behind it", says(saysDecide + "\nI hope this helps. " + modelWords), casegate.Escalate, "not exactly one valid output"},
	{"fenced", says("```json\n" + saysDecide + "\n```"), casegate.Escalate, "not exactly one valid output"},
	{"two objects", says(saysDecide + saysDecide), casegate.Escalate, "not exactly one valid output"},
	{"duplicate keys", says(`{"action":"ESCALATE",` + saysDecide[1:]), casegate.Escalate, "not exactly one valid output"},
	{"a list", says("[" + saysDecide + "]"), casegate.Escalate, "not exactly one valid output"},
	{"another case", says(strings.Replace(saysDecide, `"DECIDE"`, `"Decide"`, 1)), casegate.Escalate, "not exactly one valid output"},
	{"a padded action", says(strings.Replace(saysDecide, `"DECIDE"`, `"DECIDE "`, 1)), casegate.Escalate, "not exactly one valid output"},
	{"NaN", says(strings.Replace(saysDecide, "0.95", "NaN", 1)), casegate.Escalate, "not exactly one valid output"},
	{"a decision that isn't listed", says(strings.Replace(saysDecide, `"OK"`, `"`+modelWords+`"`, 1)), casegate.Escalate, "contradicts itself or the policy"},
	{"a violation beside DECIDE", says(saysDecide[:len(saysDecide)-1] + `,"policy_violations":{"` + modelWords + `":{}}}`), casegate.Escalate, "contradicts itself or the policy"},
	{"cut off in the middle", says(saysDecide[:60]), casegate.Escalate, "not exactly one valid output"},
	{"cut off at the limit of tokens", func(w http.ResponseWriter, _ *http.Request, _ modelQuestion) {
		content, _ := json.Marshal(saysDecide)
		sayRaw(w, string(content), "length")
	}, casegate.Escalate, "cut off at the limit of tokens"},
	{"empty", says(""), casegate.Escalate, "the content is empty"},
	{"429, then it answers", func(w http.ResponseWriter, _ *http.Request, q modelQuestion) {
		if q.nth%2 == 1 {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		say(w, saysDecide)
	}, casegate.Decide, "attempt 1: HTTP status 429"},
	{"500 for ever", func(w http.ResponseWriter, _ *http.Request, q modelQuestion) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, modelWords, q.key) //nolint:errcheck // the client may have left
	}, casegate.Escalate, "attempt 2: HTTP status 500"},
	{"401, with the key in it", func(w http.ResponseWriter, _ *http.Request, q modelQuestion) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, modelWords, q.key) //nolint:errcheck // as above
	}, casegate.Escalate, "the server refuses the key, or wants one"},
	{"an answer with the key in it", func(w http.ResponseWriter, _ *http.Request, q modelQuestion) {
		say(w, strings.Replace(saysDecide, modelWords, q.key, 1))
	}, casegate.Escalate, "the answer holds the API key"},
	{"slow beyond the time-out", func(w http.ResponseWriter, r *http.Request, _ modelQuestion) {
		select {
		case <-r.Context().Done():
		case <-time.After(30 * time.Second):
		}
		say(w, saysDecide)
	}, casegate.Escalate, "no complete answer within 400ms"},
	{"100 MB", func(w http.ResponseWriter, _ *http.Request, _ modelQuestion) {
		w.Header().Set("Content-Type", "application/json")
		for range 100 {
			if _, err := w.Write([]byte(strings.Repeat(" ", 1<<20))); err != nil {
				return
			}
		}
		say(w, saysDecide)
	}, casegate.Escalate, "larger than 1048576 bytes"},
}

var digestOfPrompt = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// Whatever a model answers, pawl answers: a clean case is decided only if the
// model says so in exactly one consistent object, and nothing lifts what the
// rules escalate.
func TestCaseModelOnlyTightens(t *testing.T) {
	for _, tt := range misbehaviours {
		t.Run(tt.name, func(t *testing.T) {
			s := serveModel(t, tt.answer)
			f := writeModelFiles(t, s.URL, shortTimes)
			decide := func(input, o string) (int, string) {
				code, stdout, stderr := runCase(t, "", "decide", "-p", f.policy, "--models", f.models, "-o", o, input)
				if stderr != "" {
					t.Errorf("standard error: %s", stderr)
				}
				return code, stdout
			}

			code, stdout := decide(f.clean, "json")
			a, out := decided(t, stdout)
			switch {
			case out.Action != tt.action:
				t.Errorf("want %s: %s", tt.action, stdout)
			case out.Action == casegate.Decide && (code != 0 || a.Result.Verdict != "auto_apply" || out.Decision != "OK" || out.Confidence != 0.95):
				t.Errorf("exit code %d: %s", code, stdout)
			case out.Action == casegate.Escalate && (code != 3 || a.Result.Verdict != "route_to_human" || a.Result.Queue != "desk"):
				t.Errorf("exit code %d: %s", code, stdout)
			case out.Action == casegate.Escalate && tt.name != "ESCALATE" && out.Category != casegate.InsufficientConfidence:
				t.Errorf("category: %s", stdout)
			}
			if trail := strings.Join(out.AuditTrail, "\n"); !strings.Contains(trail, tt.trail) || !strings.Contains(trail, "asking model judge for judge-7b") {
				t.Errorf("the trail lacks %q:\n%s", tt.trail, trail)
			}
			checkOpinion(t, out.ModelOpinion)

			code, stdout = decide(f.bad, "json")
			a, out = decided(t, stdout)
			if code != 3 || out.Category != casegate.PolicyViolation || out.HumanAction != "Stop." || a.Result.Queue != "compliance" || out.Confidence != 0 {
				t.Errorf("exit code %d, what the rules escalate: %s", code, stdout)
			}

			// For people: the model's words are marked.
			_, stdout = decide(f.clean, "text")
			before, _, marked := strings.Cut(stdout, "model_opinion (the model's own words: nobody has checked them)")
			if strings.Contains(before, modelWords) || !marked || !strings.HasPrefix(stdout, string(tt.action)+"  ") {
				t.Errorf("text: %s", stdout)
			}
			for _, q := range s.questions() {
				if q.key != "Bearer "+modelKey || !strings.Contains(q.body, `"temperature":0,`) && !strings.Contains(q.body, `"temperature":0}`) || q.caseID == "" {
					t.Errorf("asked with key %q: %s", q.key, q.body)
				}
			}
		})
	}
}

// checkOpinion checks what a decision records of a model.
func checkOpinion(t *testing.T, opinion map[string]any) {
	t.Helper()
	prompt, _ := opinion["prompt"].(string)
	if opinion["name"] != "judge" || !digestOfPrompt.MatchString(prompt) {
		t.Errorf("opinion: %v", opinion)
	}
	model, answer := opinion["model"], opinion["answer"]
	if model != "" {
		if tokens, _ := opinion["tokens"].(map[string]any); model != "judge-7b-q4" || tokens["prompt"] != int64(12) || tokens["completion"] != int64(5) {
			t.Errorf("opinion: %v", opinion)
		}
	} else if answer != nil {
		t.Errorf("an answer of nobody: %v", opinion)
	}
}

// An evaluation asks the model, too.
func TestCaseEvalAsksTheModel(t *testing.T) {
	s := serveModel(t, func(w http.ResponseWriter, r *http.Request, q modelQuestion) {
		switch {
		case strings.HasPrefix(q.caseID, "decide"):
			say(w, saysDecide)
		case strings.HasPrefix(q.caseID, "escalate"):
			say(w, saysEscalate)
		default:
			w.WriteHeader(http.StatusNotImplemented)
		}
	})
	f := writeModelFiles(t, s.URL, "    retries: 0\n")
	line := func(id, country, expected string) string {
		return fmt.Sprintf(`{"case":{"case_id":%q,"facts":{"country":%q}},"expected":%s}`+"\n", id, country, expected)
	}
	const wantDecide, wantEscalate = `{"action":"DECIDE"}`, `{"action":"ESCALATE","category":"CONFLICTING_SIGNALS"}`
	data := line("decide-1", "DE", wantDecide) + line("decide-2", "DE", wantEscalate) + line("escalate-1", "DE", wantEscalate) +
		line("escalate-2", "DE", wantDecide) + line("decide-3", "XX", `{"action":"ESCALATE","category":"POLICY_VIOLATION"}`) + line("broken-1", "DE", wantDecide)
	code, stdout, stderr := runCase(t, data, "eval", "-p", f.policy, "--models", f.models, "-o", "json")
	var report struct {
		Cases                              int
		MissedEscalations, OverEscalations struct{ Count, Of int }
		CategoryAccuracy                   struct{ Count, Of int }
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("%v: exit code %d, %s%s", err, code, stdout, stderr)
	}
	if code != 0 || report.Cases != 6 || report.MissedEscalations.Count != 1 || report.MissedEscalations.Of != 3 ||
		report.OverEscalations.Count != 2 || report.OverEscalations.Of != 3 || report.CategoryAccuracy.Count != 2 || report.CategoryAccuracy.Of != 2 {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	if strings.Contains(stdout, modelWords) {
		t.Errorf("the model's words: %s", stdout)
	}
	// A label that is none costs no question.
	before := len(s.questions())
	code, stdout, stderr = runCase(t, line("decide-1", "DE", `{"action":"decide"}`), "eval", "-p", f.policy, "--models", f.models)
	if code != 2 || stdout != "" || !strings.Contains(stderr, "nothing is reported") || len(s.questions()) != before {
		t.Errorf("exit code %d, %d questions, %s%s", code, len(s.questions())-before, stdout, stderr)
	}
}

// A stream keeps its order, however long each answer takes, and as many
// questions are on their way as the operator allows.
func TestCaseModelStreamKeepsOrder(t *testing.T) {
	const n = 40
	s := serveModel(t, func(w http.ResponseWriter, _ *http.Request, q modelQuestion) {
		time.Sleep(time.Duration(30-10*(q.nth%4)) * time.Millisecond)
		say(w, saysDecide)
	})
	f := writeModelFiles(t, s.URL, "    concurrency: 4\n")
	var in strings.Builder
	for i := range n {
		country := "DE"
		if i%3 == 0 {
			country = "XX"
		}
		fmt.Fprintf(&in, `{"case_id":"S-%d","facts":{"country":%q}}`+"\n", i+1, country)
		if i%10 == 5 {
			in.WriteString("no case\n")
		}
	}
	code, stdout, stderr := runCase(t, in.String(), "decide", "-p", f.policy, "--models", f.models)
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if code != 2 || len(lines) != n+4 || !strings.Contains(stderr, "malformed 4") {
		t.Fatalf("exit code %d, %d lines, %s", code, len(lines), stderr)
	}
	next := 1
	for i, text := range lines {
		a, out := decided(t, text)
		if a.Line != i+1 {
			t.Fatalf("line %d is %d", i+1, a.Line)
		}
		if a.ID == "" {
			continue
		}
		want := casegate.Decide
		if (next-1)%3 == 0 {
			want = casegate.Escalate
		}
		if a.ID != fmt.Sprintf("S-%d", next) || out.Action != want {
			t.Errorf("line %d: %s", a.Line, text)
		}
		next++
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if asked := n - (n+2)/3; s.busier < 2 || s.busier > 4 || len(s.asked) != asked { // about those that the rules leave
		t.Errorf("%d questions, want %d, up to %d at a time", len(s.asked), asked, s.busier)
	}
}

// An output from elsewhere is judged by the model, too, if it has its case.
func TestCaseModelOnOutputsFromElsewhere(t *testing.T) {
	answer := saysDecide
	s := serveModel(t, func(w http.ResponseWriter, _ *http.Request, _ modelQuestion) { say(w, answer) })
	f := writeModelFiles(t, s.URL, "")
	const output = `{"action":"DECIDE","escalation_category":null,"confidence_score":0.9,"human_action_required":"NONE","audit_trail":["x"],"decision":"OK"}`
	const facts = `{"case_id":"S-1","facts":{"country":"DE"}}`
	decide := func(in string) (int, *casegate.Output) {
		code, stdout, stderr := runCase(t, in, "decide", "-p", f.policy, "--models", f.models, "-o", "json", "--format", "json")
		if stderr != "" {
			t.Error(stderr)
		}
		_, out := decided(t, stdout)
		return code, out
	}
	if code, out := decide(`{"output":` + output + `,"case":` + facts + `}`); code != 0 || out.Confidence != 0.9 {
		t.Errorf("both decide: exit code %d, %+v", code, out)
	}
	if code, out := decide(`{"output":` + output + `}`); code != 3 || out.Category != casegate.InsufficientConfidence || len(s.questions()) != 1 {
		t.Errorf("without its case: exit code %d, %+v", code, out)
	}
	answer = saysEscalate
	if code, out := decide(`{"output":` + output + `,"case":` + facts + `}`); code != 3 || out.Category != casegate.ConflictingSignals {
		t.Errorf("the model escalates: exit code %d, %+v", code, out)
	}
}

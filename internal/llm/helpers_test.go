package llm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawlgate/pawl/internal/llm"
)

const (
	// apiKey and caseText must never turn up where they don't belong.
	apiKey   = "sk-canary-0123456789"
	caseText = "the-case-of-Jane-Doe"
	modelID  = "judge-7b"
)

var schema = json.RawMessage(`{"type": "object", "properties": {"action": {"enum": ["DECIDE", "ESCALATE"]}}}`)

var question = llm.Question{System: "You judge <cases> & more.", User: caseText, Schema: schema, SchemaName: "opinion"}

// TestMain looks, after all tests, for what they may have left behind.
func TestMain(m *testing.M) {
	var logged syncBuffer
	log.SetOutput(io.MultiWriter(os.Stderr, &logged))
	// net/http reads these once. They are meant for other programs.
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		os.Setenv(name, "http://127.0.0.1:1") //nolint:errcheck // it can't fail for these
	}
	code := m.Run()
	if l := logged.String(); code == 0 && (strings.Contains(l, apiKey) || strings.Contains(l, "server-says") || strings.Contains(l, "Unsolicited")) {
		fmt.Println("the API key, or what a server said, was logged")
		code = 1
	}
	if left := leftovers(); code == 0 && left != "" {
		fmt.Println("a goroutine was left behind:\n" + left)
		code = 1
	}
	os.Exit(code)
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// leftovers returns the stack of a goroutine of a client, or of a connection,
// that doesn't end.
func leftovers() string {
	var left string
	for range 100 {
		left = ""
		buf := make([]byte, 1<<20)
		for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if !strings.Contains(g, "llm_test.TestMain") && (strings.Contains(g, "internal/llm") || strings.Contains(g, "net/http.")) {
				left = g
			}
		}
		if left == "" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return left
}

// model is the configuration of a model at that URL, with times that no test should need.
func model(url string) llm.Model {
	return llm.Model{
		Name: "judge", URL: url + "/v1", ID: modelID, KeyEnv: "PAWL_KEY_TEST",
		Timeout: 20 * time.Second, Deadline: 30 * time.Second, Retries: 2, Concurrency: 4, MaxResponse: 1 << 16, AllowPrivate: true,
	}
}

func getenv(name string) string { return map[string]string{"PAWL_KEY_TEST": apiKey}[name] }

// serve runs a server. The handler gets the request with its body read.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(read(h))
	t.Cleanup(s.Close)
	return s.URL
}

// read reads the request before the handler runs: only then does the server
// notice that the client has left.
func read(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h(w, r)
	}
}

// serveTCP runs a server that does as it likes with each connection.
func serveTCP(t *testing.T, talk func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() { l.Close(); wg.Wait() }) //nolint:errcheck // nothing depends on it
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer c.Close()
				talk(c)
			})
		}
	})
	return "http://" + l.Addr().String()
}

// hear reads until the whole question was sent.
func hear(c net.Conn) {
	buf := make([]byte, 1<<16)
	for all := ""; !strings.Contains(all, caseText); {
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		all += string(buf[:n])
	}
}

// newClient makes a client that doesn't dawdle.
func newClient(t *testing.T, m llm.Model) *llm.Client {
	t.Helper()
	c, err := llm.New(m, getenv)
	if err != nil {
		t.Fatal(err)
	}
	c.SetBackoff(time.Millisecond)
	return c
}

// ask asks and checks what is true of every answer.
func ask(t *testing.T, a llm.Asker, q llm.Question) llm.Answer {
	t.Helper()
	got := a.Ask(t.Context(), q)
	check(t, got)
	return got
}

var sha256Pattern = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

func check(t *testing.T, a llm.Answer) {
	t.Helper()
	if (a.Text == "") == (a.Fault == "") {
		t.Errorf("neither or both of text and fault: %+v", a)
	}
	if all := fmt.Sprintf("%+v", a); strings.Contains(all, apiKey) {
		t.Errorf("the API key is in the answer: %s", all)
	}
	if own := strings.Join(append(a.Trail, a.Fault, a.Format, a.PromptDigest), "\n"); strings.Contains(own, caseText) || strings.Contains(own, "server-says") {
		t.Errorf("words of the case or of the server stand where they shouldn't: %s", own)
	}
	if len(a.Trail) == 0 {
		t.Error("no trail")
	}
	for _, line := range a.Trail {
		if strings.TrimSpace(line) == "" || strings.ContainsAny(line, "\r\n") {
			t.Errorf("a line of the trail: %q", line)
		}
	}
	if a.PromptDigest != "" && !sha256Pattern.MatchString(a.PromptDigest) {
		t.Errorf("the digest %q", a.PromptDigest)
	}
}

// wantFault asks once and expects a fault that contains the words.
func wantFault(t *testing.T, m llm.Model, words string, attempts int) llm.Answer {
	t.Helper()
	a := ask(t, newClient(t, m), question)
	if !strings.Contains(a.Fault, words) || a.Attempts != attempts {
		t.Errorf("the fault is %q after %d attempts, want %q after %d\n%s", a.Fault, a.Attempts, words, attempts, strings.Join(a.Trail, "\n"))
	}
	return a
}

const opinion = `{"action": "DECIDE", "why": "<ok> & \u2028 done"}`

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// completion is a well-formed envelope around a text.
func completion(text string) string {
	return envelope(`{"role":"assistant","content":`+quoted(text)+`}`, `"stop"`)
}

func envelope(message, finish string) string {
	return `{"id":"x","object":"chat.completion","created":1,"model":"` + modelID + `-q4","choices":[{"index":0,"message":` + message +
		`,"logprobs":null,"finish_reason":` + finish + `}],"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17}}`
}

func writeJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	fmt.Fprint(w, body) //nolint:errcheck // the client may have left
}

// reply answers every request with that body.
func reply(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, body) }
}

// failing answers every request with that status and all the wrong words.
func failing(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":"server-says %s","code":"server-says"}}`, r.Header.Get("Authorization")) //nolint:errcheck // as above
	}
}

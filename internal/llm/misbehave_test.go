package llm_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What stands in an envelope must be exactly one completed text.
func TestOddEnvelopes(t *testing.T) {
	t.Parallel()
	good := completion(opinion)
	swap := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("no %s in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, tt := range map[string]struct{ body, words string }{
		"empty":               {"", "not well-formed JSON"},
		"white space":         {" \n", "not well-formed JSON"},
		"prose":               {"server-says no", "not well-formed JSON"},
		"fences":              {"```json\n" + good + "\n```", "not well-formed JSON"},
		"two objects":         {good + "\n" + good, "not well-formed JSON"},
		"cut off":             {good[:len(good)-9], "not well-formed JSON"},
		"trailing comma":      {good[:len(good)-1] + ",}", "not well-formed JSON"},
		"NaN":                 {swap(`"created":1`, `"created":NaN`), "not well-formed JSON"},
		"byte order mark":     {"\ufeff" + good, "byte-order-mark"},
		"invalid UTF-8":       {swap("judge-7b-q4", "judge\xff"), "not well-formed JSON"},
		"half a surrogate":    {swap(`"content":"`, `"content":"\ud800`), "not well-formed JSON"},
		"duplicate key":       {swap(`"object":`, `"choices":[],"object":`), "duplicate-member"},
		"duplicate content":   {swap(`"content":`, `"content":"x","content":`), "duplicate-member"},
		"escaped duplicate":   {swap(`"content":`, `"conten\u0074":"x","content":`), "duplicate-member"},
		"too deep":            {swap(`"created":1`, `"created":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)), "too-deep"},
		"a list":              {"[" + good + "]", "not an object"},
		"null":                {"null", "not an object"},
		"an error":            {`{"error":{"message":"server-says no"}}`, "holds an error"},
		"error and choices":   {swap(`"created":1`, `"error":{"message":"server-says no"}`), "holds an error"},
		"no choices":          {`{"model":"m"}`, "no list of choices"},
		"choices null":        {`{"model":"m","choices":null}`, "no list of choices"},
		"choices empty":       {`{"model":"m","choices":[]}`, "0 choices"},
		"choices an object":   {`{"model":"m","choices":{}}`, "no list of choices"},
		"two choices":         {swap(`"choices":[`, `"choices":[{"message":{"content":"x"},"finish_reason":"stop"},`), "2 choices"},
		"a choice of null":    {`{"model":"m","choices":[null]}`, "no message"},
		"other case":          {swap(`"choices"`, `"Choices"`), "no list of choices"},
		"other case, content": {swap(`"content"`, `"Content"`), "content is not a text"},
		"no message":          {swap(`"message"`, `"delta"`), "no message"},
		"content null":        {envelope(`{"role":"assistant","content":null}`, `"stop"`), "content is not a text"},
		"content missing":     {envelope(`{"role":"assistant"}`, `"stop"`), "content is not a text"},
		"content a list":      {envelope(`{"role":"assistant","content":[{"type":"text","text":"server-says"}]}`, `"stop"`), "content is not a text"},
		"content an object":   {envelope(`{"role":"assistant","content":{"action":"DECIDE"}}`, `"stop"`), "content is not a text"},
		"content empty":       {envelope(`{"role":"assistant","content":""}`, `"stop"`), "content is empty"},
		"content blank":       {envelope(`{"role":"assistant","content":" \n"}`, `"stop"`), "content is empty"},
		"tool call":           {envelope(`{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}`, `"tool_calls"`), "a tool call"},
		"tool call and text":  {envelope(`{"content":"x","tool_calls":[{"id":"1"}]}`, `"stop"`), "a tool call"},
		"function call":       {envelope(`{"content":"x","function_call":{"name":"server-says"}}`, `"stop"`), "a tool call"},
		"refusal":             {envelope(`{"content":null,"refusal":"server-says no"}`, `"stop"`), "refused to answer"},
		"another's message":   {envelope(`{"role":"user","content":"x"}`, `"stop"`), "not the assistant's"},
		"finish length":       {envelope(`{"content":"{"}`, `"length"`), "cut off at the limit of tokens"},
		"finish filter":       {envelope(`{"content":"{"}`, `"content_filter"`), "cut off"},
		"finish unknown":      {envelope(`{"content":"{"}`, `"server-says"`), "cut off"},
		"finish null":         {envelope(`{"content":"{"}`, `null`), "no finish_reason"},
		"finish missing":      {swap(`"finish_reason"`, `"finished"`), "no finish_reason"},
		"no model":            {swap(`"model"`, `"modell"`), "no name of a model"},
		"model of two lines":  {swap(`judge-7b-q4`, `judge\nserver-says`), "no name of a model"},
		"model too long":      {swap(`judge-7b-q4`, strings.Repeat("m", 201)), "no name of a model"},
		"the key as content":  {completion(`{"why":"` + apiKey + `"}`), "holds the API key"},
		"the key as model":    {swap(`judge-7b-q4`, apiKey), "holds the API key"},
		"the key, escaped":    {swap(`judge-7b-q4`, `\u0073`+apiKey[1:]), "holds the API key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFault(t, model(serve(t, reply(tt.body))), tt.words, 1)
		})
	}
}

// Servers add members; those that say nothing don't matter.
func TestUsualEnvelopes(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"empty extras":   envelope(`{"role":"assistant","content":"x","tool_calls":[],"function_call":null,"refusal":null,"reasoning_content":"hm"}`, `"stop"`),
		"error null":     `{"error":null,"model":"m","choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`,
		"odd usage":      `{"model":"m","choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1,"completion_tokens":1.5}}`,
		"quoted usage":   `{"model":"m","choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":"12","completion_tokens":1}}`,
		"usage of text":  `{"model":"m","choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":"server-says"}`,
		"usage, too big": `{"model":"m","choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1e400,"completion_tokens":99999999999999999999}}`,
	} {
		a := ask(t, newClient(t, model(serve(t, reply(body)))), question)
		if a.Text != "x" {
			t.Errorf("%s: %+v", name, a)
		}
		if name != "empty extras" && (a.PromptTokens != 0 || a.CompletionTokens != 0 || a.Trail[len(a.Trail)-1] != "the server didn't say how many tokens were used") {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// What a cut-off answer has cost is recorded, too.
func TestTokensOfAFaultAreCounted(t *testing.T) {
	t.Parallel()
	a := wantFault(t, model(serve(t, reply(envelope(`{"content":"{"}`, `"length"`)))), "cut off", 1)
	if a.PromptTokens != 12 || a.CompletionTokens != 5 || a.Model != "judge-7b-q4" {
		t.Errorf("%+v", a)
	}
}

func TestOddHeaders(t *testing.T) {
	t.Parallel()
	with := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Add(header[i], header[i+1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body) //nolint:errcheck // the client may have left
		}
	}
	const asJSON, announced = "application/json", "not announced as JSON"
	good := completion(opinion)
	for name, tt := range map[string]struct {
		h     http.HandlerFunc
		words string
	}{
		"a page":             {with(200, "<html>server-says</html>", "Content-Type", "text/html"), announced},
		"JSON as text":       {with(200, good, "Content-Type", "text/plain"), announced},
		"JSON as a stream":   {with(200, good, "Content-Type", "text/event-stream"), announced},
		"no type":            {with(200, good, "Content-Type", ""), announced},
		"two types":          {with(200, good, "Content-Type", asJSON, "Content-Type", "text/html"), announced},
		"no type at all":     {with(200, good, "Content-Type", "json"), announced},
		"Latin-1":            {with(200, good, "Content-Type", asJSON+"; charset=iso-8859-1"), announced},
		"a page of an error": {with(403, "<html>server-says</html>", "Content-Type", "text/html"), "HTTP status 403: the server refuses the key"},
		"unauthorized":       {with(401, "", "Www-Authenticate", "Bearer server-says"), "HTTP status 401: the server refuses the key"},
		"created":            {with(201, good, "Content-Type", asJSON), "HTTP status 201"},
		"no content":         {with(204, "", "Content-Type", asJSON), "HTTP status 204"},
		"timed out":          {with(408, good, "Content-Type", asJSON), "HTTP status 408"},
		"too large":          {with(413, good, "Content-Type", asJSON), "HTTP status 413"},
		"gzip":               {with(200, good, "Content-Type", asJSON, "Content-Encoding", "gzip"), "compressed"},
		"another encoding":   {with(200, good, "Content-Type", asJSON, "Content-Encoding", "server-says"), "compressed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFault(t, model(serve(t, tt.h)), tt.words, 1)
		})
	}
	if a := ask(t, newClient(t, model(serve(t, with(200, good, "Content-Type", "application/vnd.x+json")))), question); a.Text != opinion {
		t.Errorf("%+v", a)
	}
}

// bomb is 100 MB of blanks, compressed in parts of 1 MB.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat(b.Bytes(), 100)
}

// An answer that is too large is neither held nor read to its end. This test
// measures memory and so doesn't run beside others.
func TestHugeAnswers(t *testing.T) {
	packed := bomb(t)
	var written atomic.Int64
	flood := func(w http.ResponseWriter, most int64) {
		chunk := bytes.Repeat([]byte(" "), 1<<16)
		for written.Load() < most {
			n, err := w.Write(chunk)
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	}
	for name, tt := range map[string]struct {
		h     http.HandlerFunc
		words string
	}{
		"100 MB, announced": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "104857600")
			flood(w, 100<<20)
		}, "larger than 65536 bytes"},
		"100 MB, in chunks": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			flood(w, 100<<20)
		}, "larger than 65536 bytes"},
		"endless": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			flood(w, 1<<50)
		}, "larger than 65536 bytes"},
		"bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed) //nolint:errcheck // the client leaves
		}, "compressed"},
		"bomb, not announced": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write(packed) //nolint:errcheck // the client leaves
		}, "larger than 65536 bytes"},
		"100 MB of an error": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(403)
			flood(w, 100<<20)
		}, "HTTP status 403"},
	} {
		t.Run(name, func(t *testing.T) {
			written.Store(0)
			m := model(serve(t, tt.h))
			m.Retries = 0
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			wantFault(t, m, tt.words, 1)
			runtime.ReadMemStats(&after)
			if n := written.Load(); n > 32<<20 {
				t.Errorf("%d bytes were taken from the server", n)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
				t.Errorf("%d bytes were allocated", n)
			}
		})
	}
}

func TestAnEndlessHeader(t *testing.T) {
	t.Parallel()
	m := model(serveTCP(t, func(c net.Conn) {
		hear(c)
		line := "X-Header: " + strings.Repeat("server-says ", 1000) + "\r\n"
		for _, err := io.WriteString(c, "HTTP/1.1 200 OK\r\n"); err == nil; {
			_, err = io.WriteString(c, line)
		}
	}))
	m.Retries = 0
	wantFault(t, m, "the connection failed", 1)
}

func TestAnAnswerAtTheLimit(t *testing.T) {
	t.Parallel()
	good := completion(opinion)
	m := model(serve(t, reply(good)))
	m.MaxResponse = len(good)
	if a := ask(t, newClient(t, m), question); a.Text != opinion {
		t.Errorf("%+v", a)
	}
	m.MaxResponse--
	wantFault(t, m, "larger than", 1)
}

// Slowness of every kind ends with the timeout, and then is retried.
func TestSlowServers(t *testing.T) {
	t.Parallel()
	const timeout = 80 * time.Millisecond
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	drip := func(c net.Conn, s string) {
		for i := range len(s) {
			if _, err := io.WriteString(c, s[i:i+1]); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	hang := func(c net.Conn) { io.Copy(io.Discard, c) } //nolint:errcheck // until the client leaves
	for name, talk := range map[string]func(net.Conn){
		"says nothing":         hang,
		"stops in the header":  func(c net.Conn) { io.WriteString(c, head); hang(c) },                                //nolint:errcheck // as above
		"stops in the body":    func(c net.Conn) { io.WriteString(c, head+"Content-Length: 100\r\n\r\n{"); hang(c) }, //nolint:errcheck // as above
		"drips the header":     func(c net.Conn) { drip(c, head+"Content-Length: 2\r\n\r\n{}") },
		"drips the body":       func(c net.Conn) { io.WriteString(c, head+"\r\n"); drip(c, completion(opinion)) }, //nolint:errcheck // as above
		"never gets to answer": func(c net.Conn) { drip(c, strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 100)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := model(serveTCP(t, func(c net.Conn) { hear(c); talk(c) }))
			m.Timeout, m.Retries = timeout, 1
			a := wantFault(t, m, "no complete answer within 80ms", 2)
			if a.Took < 2*timeout || a.Took > 5*time.Second {
				t.Errorf("took %s", a.Took)
			}
			m.Deadline = timeout
			wantFault(t, m, "no answer within the deadline of 80ms", 1)
		})
	}
}

// A connection that breaks is tried again.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	say := func(s string) func(net.Conn) {
		return func(c net.Conn) {
			hear(c)
			io.WriteString(c, s) //nolint:errcheck // the client may have left
		}
	}
	const closed = "the connection was closed before the answer was complete"
	for name, tt := range map[string]struct {
		talk  func(net.Conn)
		words string
	}{
		"closed at once":         {func(net.Conn) {}, ""},
		"closed after reading":   {say(""), closed},
		"closed in the header":   {say("HTTP/1.1 200 OK\r\nServer: x\r\n"), closed},
		"closed in the body":     {say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"), closed},
		"closed in a chunk":      {say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"), closed},
		"no last chunk":          {say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"), closed},
		"not HTTP":               {say("server-says\r\n\r\n"), "the connection failed"},
		"half a header":          {say("HTTP/1.1 200 OK\r\nserver-says"), "the connection failed"},
		"half a status":          {say("HTTP/1.1 20"), "the connection failed"},
		"two lengths":            {say("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"), "the connection failed"},
		"a length below nothing": {say("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}"), "the connection failed"},
		"an odd chunk":           {say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nserver-says\r\n"), "the connection failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFault(t, model(serveTCP(t, tt.talk)), tt.words, 3)
		})
	}
}

// Without a length, the end of the connection is the end of the body: a cut
// shows in the JSON only, and isn't retried.
func TestACutBodyWithoutLength(t *testing.T) {
	t.Parallel()
	wantFault(t, model(serveTCP(t, func(c net.Conn) {
		hear(c)
		io.WriteString(c, "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"model\":\"") //nolint:errcheck // as above
		c.(*net.TCPConn).CloseWrite()                                                               //nolint:errcheck // as above
		io.Copy(io.Discard, c)                                                                      //nolint:errcheck // as above
	})), "not well-formed JSON", 1)
}

// What a server says before it is asked isn't read then: net/http would log it,
// for which TestMain looks.
func TestAServerThatSpeaksFirst(t *testing.T) {
	t.Parallel()
	m := model(serveTCP(t, func(c net.Conn) {
		io.WriteString(c, "server-says "+apiKey+"\r\n\r\n") //nolint:errcheck // the client may have left
		io.Copy(io.Discard, c)                              //nolint:errcheck // as above
	}))
	wantFault(t, m, "the connection failed", 3)

	c, err := newClient(t, m).Dial(t.Context(), strings.TrimSuffix(strings.TrimPrefix(m.URL, "http://"), "/v1"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var asked atomic.Bool
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		if _, err := c.Read(make([]byte, 1)); err != nil || !asked.Load() {
			t.Errorf("read before anything was written, %v", err)
		}
	})
	time.Sleep(50 * time.Millisecond)
	asked.Store(true)
	if _, err := c.Write([]byte("x")); err != nil {
		t.Error(err)
	}
}

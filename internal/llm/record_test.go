package llm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/llm"
)

// What was recorded is answered again, whether it was a text or a fault, and
// nobody is asked.
func TestReplayAnswersAsTheModelDid(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	c := newClient(t, model(serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch n.Add(1) {
		case 1:
			writeJSON(w, completion(opinion))
		case 2:
			writeJSON(w, envelope(`{"content":"{"}`, `"length"`))
		default:
			failing(403)(w, r)
		}
	})))
	var file bytes.Buffer
	rec := llm.NewRecorder("judge", c, &file)
	questions := []llm.Question{question, {User: "second"}, {User: "third", Schema: schema}}
	var want []llm.Answer
	for _, q := range questions {
		a := ask(t, rec, q)
		a.Took = a.Took.Truncate(time.Millisecond)
		want = append(want, a)
	}
	if err := rec.Err(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(file.String(), caseText) || strings.Contains(file.String(), apiKey) {
		t.Errorf("the question or the key was recorded: %s", file.String())
	}
	replay, err := llm.NewReplay("r.jsonl", "judge", bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		a := ask(t, replay, q)
		w := want[i]
		w.Trail = append(w.Trail, "this was taken from a recording")
		if diff := cmp.Diff(w, a); diff != "" {
			t.Errorf("question %d: %s", i, diff)
		}
	}
	// Written by a replay, it is the same file but for the trail's last line.
	var again bytes.Buffer
	rec = llm.NewRecorder("judge", replay, &again)
	for _, q := range questions {
		ask(t, rec, q)
	}
	if got := strings.ReplaceAll(again.String(), `,"this was taken from a recording"`, ""); got != file.String() {
		t.Error(cmp.Diff(file.String(), got))
	}
}

func TestWhatIsNotRecordedIsAFault(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	c := newClient(t, model(serve(t, reply(completion(opinion)))))
	ask(t, llm.NewRecorder("judge", c, &file), question)
	other := question
	other.User += "."
	withoutSystem := question
	withoutSystem.System = ""
	otherSchema := question
	otherSchema.Schema = []byte(`{"type":"object"}`)
	noSchema := question
	noSchema.Schema = nil
	sameSchema := question
	sameSchema.Schema = []byte(strings.ReplaceAll(string(schema), " ", "\n"))
	for name, tt := range map[string]struct {
		model, fault string
		q            llm.Question
	}{
		"the same":       {"judge", "", question},
		"other layout":   {"judge", "", sameSchema},
		"another case":   {"judge", "not recorded", other},
		"another prompt": {"judge", "not recorded", withoutSystem},
		"another schema": {"judge", "not recorded", otherSchema},
		"no schema":      {"judge", "not recorded", noSchema},
		"another model":  {"jury", "not recorded", question},
		"no question":    {"judge", "the question is empty", llm.Question{}},
	} {
		replay, err := llm.NewReplay("r.jsonl", tt.model, bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if a := ask(t, replay, tt.q); a.Fault != tt.fault {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// A question has one answer in a recording, also if it is asked again while the
// model thinks.
func TestAQuestionIsRecordedOnce(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	c := newClient(t, model(serve(t, func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(20 * time.Millisecond)
		writeJSON(w, completion(fmt.Sprint(n.Add(1))))
	})))
	var file bytes.Buffer
	rec := llm.NewRecorder("judge", c, &file)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if a := ask(t, rec, question); a.Text != "1" {
				t.Errorf("%+v", a)
			}
		})
	}
	wg.Wait()
	if got := strings.Count(file.String(), "\n"); got != 1 || n.Load() != 1 {
		t.Errorf("%d lines, %d requests", got, n.Load())
	}
}

// An answer that the caller didn't wait for is neither recorded nor given to
// others, and who waits for it can give up, too.
func TestGivingUpIsNotRecorded(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	c := newClient(t, model(serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			<-r.Context().Done()
			return
		}
		writeJSON(w, completion(opinion))
	})))
	var file bytes.Buffer
	rec := llm.NewRecorder("judge", c, &file)
	var wg sync.WaitGroup
	defer wg.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wg.Go(func() {
		if a := rec.Ask(ctx, question); a.Fault != "the caller gave up" {
			t.Errorf("the first: %+v", a)
		}
	})
	for n.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	hasty, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	a := rec.Ask(hasty, question)
	check(t, a)
	if a.Fault != "the caller gave up" || a.Attempts != 0 {
		t.Errorf("the second: %+v", a)
	}
	wg.Go(func() {
		if a := ask(t, rec, question); a.Text != opinion {
			t.Errorf("the third: %+v", a)
		}
		if strings.Count(file.String(), "\n") != 1 {
			t.Errorf("recorded: %s", file.String())
		}
	})
	time.Sleep(10 * time.Millisecond)
	cancel()
}

type brokenDisk struct{ err error }

func (d brokenDisk) Write([]byte) (int, error) { return 0, d.err }

func TestRecordingFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	c := newClient(t, model(serve(t, reply(completion(opinion)))))
	rec := llm.NewRecorder("judge", c, brokenDisk{full})
	if a := ask(t, rec, question); a.Text != opinion || !errors.Is(rec.Err(), full) {
		t.Errorf("%+v, %v", a, rec.Err())
	}

	// Its escapes make the line longer than the answer was.
	m := model(serve(t, reply(envelope(`{"content":"x`+strings.Repeat("\u2028", 200_000)+`"}`, `"stop"`))))
	m.MaxResponse = 1 << 20
	var file bytes.Buffer
	rec = llm.NewRecorder("judge", newClient(t, m), &file)
	if a := ask(t, rec, question); a.Text == "" || rec.Err() == nil || file.Len() > 0 {
		t.Errorf("%d bytes were written, %v", file.Len(), rec.Err())
	}
	if a := ask(t, rec, llm.Question{}); a.Fault != "the question is empty" {
		t.Errorf("%+v", a)
	}
}

// recorded is a line of a recording.
func recorded(t *testing.T) string {
	t.Helper()
	var file bytes.Buffer
	c := newClient(t, model(serve(t, reply(completion(opinion)))))
	ask(t, llm.NewRecorder("judge", c, &file), question)
	return file.String()
}

func TestReplayRefusesOddRecordings(t *testing.T) {
	t.Parallel()
	good := recorded(t)
	swap := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("no %s in %s", from, good)
		}
		return strings.Replace(good, from, to, 1)
	}
	text := good[strings.Index(good, `"text"`):strings.Index(good, `,"model":"judge-7b`)]
	for name, tt := range map[string]struct{ file, words string }{
		"cut off":             {good + good[:50], "r.jsonl:2:"},
		"an empty line":       {good + "\n" + good, "r.jsonl:2:1: "},
		"another answer":      {good + swap("DECIDE", "ESCALATE"), "r.jsonl:2:1: line 1 answers the same question in another way"},
		"duplicate key":       {swap(`"text":`, `"text":"x","text":`), "r.jsonl:1:"},
		"unknown key":         {swap(`"text":`, `"texts":"x","text":`), `a recorded answer has no key "texts"`},
		"a key is missing":    {swap(`"format":"json_schema",`, ``), "format is missing"},
		"no object":           {"7\n", "r.jsonl:1:1: a recorded line must be an object, not a number"},
		"no answer":           {swap(`"answer":{`, `"answer":null,"x":{`), `a recorded line has no key "x"`},
		"answer of null":      {good[:strings.Index(good, `{"text"`)] + "null}\n", "a recorded answer must be an object"},
		"text and fault":      {swap(`"fault":""`, `"fault":"x"`), "either a text or a fault"},
		"neither":             {swap(text, `"text":""`), "either a text or a fault"},
		"no digest":           {swap(`"prompt":"sha256:`, `"prompt":"md5:`), "this is no prompt that a recording would have"},
		"no digest of schema": {swap(`"schema":"sha256:`, `"schema":"md5:`), "this is no schema"},
		"odd format":          {swap(`json_schema"`, `xml"`), "this is no format"},
		"odd model":           {swap(`judge-7b-q4`, `a\nb`), "this is no model"},
		"no model":            {swap(`judge-7b-q4`, ``), "this is no model"},
		"odd name":            {swap(`"model":"judge"`, `"model":"a b"`), "this is no model"},
		"negative":            {swap(`"attempts":1`, `"attempts":-1`), "attempts must be a whole number"},
		"a fraction":          {swap(`"took_ms":`, `"took_ms":0.`), "took_ms must be a whole number"},
		"text of a number":    {swap(`"fault":""`, `"fault":0`), "fault must be a string"},
		"trail of a text":     {swap(`"trail":[`, `"trail":"x","y":[`), `no key "y"`},
		"trail of null":       {swap(`"attempt 1: answered"`, `null`), "a line of the trail must be a string"},
		"a huge line":         {good + strings.Repeat(" ", 1<<20) + good, "r.jsonl:2:1: "},
		"a line without end":  {good + strings.Repeat(" ", 3<<20), "r.jsonl:2:1: a line of more than 1048576 bytes"},
	} {
		_, err := llm.NewReplay("r.jsonl", "judge", strings.NewReader(tt.file))
		var e *llm.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: %v, want %q", name, err, tt.words)
		}
	}
	for name, file := range map[string]string{
		"empty": "", "twice": good + good, "no last line feed": strings.TrimSpace(good), "took longer": good + swap(`"took_ms":`, `"took_ms":9`),
	} {
		if _, err := llm.NewReplay("r.jsonl", "judge", strings.NewReader(file)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type brokenPipe struct{ err error }

func (p brokenPipe) Read([]byte) (int, error) { return 0, p.err }

func TestReplayOfAFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	if _, err := llm.NewReplay("r.jsonl", "judge", brokenPipe{gone}); !errors.Is(err, gone) {
		t.Error(err)
	}
}

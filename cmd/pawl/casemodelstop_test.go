//go:build unix

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawlgate/pawl/casegate"
)

// hanging answers the cases S-1 to S-n, and leaves others without an answer
// until the client leaves. Asked tells of each of those.
func hanging(n int) (answer func(http.ResponseWriter, *http.Request, modelQuestion), asked chan string) {
	asked = make(chan string, 100)
	return func(w http.ResponseWriter, r *http.Request, q modelQuestion) {
		var i int
		if _, err := fmt.Sscanf(q.caseID, "S-%d", &i); err == nil && i <= n {
			say(w, saysDecide)
			return
		}
		asked <- q.caseID
		select {
		case <-r.Context().Done():
		case <-time.After(30 * time.Second):
		}
	}, asked
}

// await waits until a question is asked that hangs.
func await(t *testing.T, asked chan string) {
	t.Helper()
	select {
	case <-asked:
	case <-time.After(20 * time.Second):
		t.Fatal("it isn't asked")
	}
}

// Ctrl-C while a model is asked: what was answered is written, what wasn't is
// neither answered nor counted, and going on behind it gives the rest.
func TestCaseModelInterrupted(t *testing.T) {
	answer, asked := hanging(5)
	s := serveModel(t, answer)
	f := writeModelFiles(t, s.URL, "    concurrency: 4\n")
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf(`{"case_id":"S-%d","facts":{"country":"DE"}}`+"\n", i+1))
	}
	out, err := os.Create(filepath.Join(f.dir, "out.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	recording := filepath.Join(f.dir, "answers.jsonl")
	p := start(t, out, "case", "decide", "-p", f.policy, "--models", f.models, "--record", recording, f.write(t, "cases.jsonl", strings.Join(lines, "")))
	for range 4 {
		await(t, asked)
	}
	sent := time.Now()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	code := p.wait()
	if took := time.Since(sent); code != 1 || took > 5*time.Second {
		t.Errorf("exit code %d after %v", code, took)
	}
	why, answered, next, cut := p.stopped()
	if !strings.Contains(why, "interrupted") || answered != 5 || next != 6 || cut {
		t.Errorf("%q, %d answered, next %d, cut %v", why, answered, next, cut)
	}
	text := f.read(t, "out.jsonl")
	if strings.Count(text, "\n") != 5 || strings.ContainsAny(text, "\x00") {
		t.Errorf("the output: %q", text)
	}
	for line := range strings.Lines(text) {
		if a, o := decided(t, line); o.Action != casegate.Decide || a.ID != fmt.Sprintf("S-%d", a.Line) {
			t.Errorf("an answer: %s", line)
		}
	}
	if text := f.read(t, "answers.jsonl"); strings.Count(text, "\n") != 5 || strings.Contains(text, "gave up") || strings.Contains(text, modelKey) {
		t.Errorf("the recording: %s", text)
	}
}

// One case, and an evaluation, that are interrupted decide and report nothing.
func TestCaseModelInterruptedAltogether(t *testing.T) {
	answer, asked := hanging(0)
	s := serveModel(t, answer)
	f := writeModelFiles(t, s.URL, "")
	labelled := f.write(t, "labelled.jsonl", `{"case":{"case_id":"S-1","facts":{"country":"DE"}},"expected":{"action":"DECIDE"}}`+"\n")
	for want, args := range map[string][]string{
		"clean.json: interrupted: nothing was decided":                                   {"decide", f.clean},
		"labelled.jsonl: stopped early, after 0 cases: interrupted; nothing is reported": {"eval", labelled},
	} {
		out, err := os.Create(filepath.Join(f.dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		p := start(t, out, append([]string{"case"}, append(args, "-p", f.policy, "--models", f.models)...)...)
		await(t, asked)
		if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if code := p.wait(); code != 1 || !strings.Contains(p.stderr.String(), want) {
			t.Errorf("%v: exit code %d, %s", args, code, p.stderr.String())
		}
		if text := f.read(t, "out"); text != "" {
			t.Errorf("%v: %s", args, text)
		}
		shut(t, out)
	}
}

// While standard input is read there is nothing to finish: the first Ctrl-C ends
// the process.
func TestCaseInterruptedWhileReading(t *testing.T) {
	_, w := pipe(t)
	f := writeModelFiles(t, "http://127.0.0.1:1", "")
	p := start(t, w, "case", "decide", "-p", f.policy, "--models", f.models, "--format", "json")
	time.Sleep(300 * time.Millisecond) // nothing tells that it reads
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != -1 {
		t.Errorf("exit code %d, %s", code, p.stderr.String())
	}
}

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"
)

// A reader that goes away ends the run, and what was written is counted
// rightly: no less than the reader got.
func TestReaderGoesAway(t *testing.T) {
	for _, lines := range []int{0, 1, 1000, 20_000} {
		r, w := pipe(t)
		p := start(t, w, "decide", "-p", gate)
		shut(t, w)
		go p.feed(1, 0)
		var got []byte
		in := bufio.NewReaderSize(r, 16)
		for range lines {
			line, err := in.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, line...)
		}
		shut(t, r)
		if code := p.wait(); code != 1 {
			t.Errorf("%d lines: exit code %d", lines, code)
		}
		why, answered, next, _ := p.stopped()
		if n := answers(t, got, 1); n != lines || answered < lines || next != answered+1 || !strings.Contains(why, "broken pipe") {
			t.Errorf("%d lines: the reader got %d; %q, %d answered, next %d", lines, n, why, answered, next)
		}
		// What the reader didn't take stood in the pipe, which holds 64 KiB, and
		// in the reader's buffer.
		if room := (64<<10)/100 + 1; answered > lines+room {
			t.Errorf("%d lines: %d are said to be written, but the pipe doesn't hold that many", lines, answered)
		}
	}
}

// Ctrl-C and SIGTERM in the middle of a stream: whole lines, a true count, and
// going on behind it gives the rest.
func TestInterrupted(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		out, err := os.Create(filepath.Join(t.TempDir(), "out.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		p := start(t, out, "decide", "-p", gate)
		go p.feed(1, 0)
		for { // until it is in the middle of its work
			if info, err := out.Stat(); err != nil || info.Size() > 1<<20 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		sent := time.Now()
		if err := p.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		code := p.wait()
		if took := time.Since(sent); code != 1 || took > 5*time.Second {
			t.Errorf("%v: exit code %d after %v", sig, code, took)
		}
		got, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		why, answered, next, cut := p.stopped()
		n := answers(t, got, 1)
		if answered != n || next != n+1 || cut || !bytes.HasSuffix(got, []byte("\n")) || why != "interrupted" {
			t.Errorf("%v: %d answers are there; %q, %d answered, next %d, cut %v", sig, n, why, answered, next, cut)
		}
		complete(t, got, next, n+1000)
	}
}

// An input that hangs doesn't keep it, and what came before is answered.
func TestInterruptedWhileWaiting(t *testing.T) {
	r, w := pipe(t)
	p := start(t, w, "decide", "-p", gate)
	shut(t, w)
	p.feed(1, 3)
	_, _ = io.WriteString(p.stdin, `{"id":"4"`)
	in := bufio.NewReader(r)
	var got []byte
	for range 3 {
		line, err := in.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, line...)
	}
	_ = p.cmd.Process.Signal(os.Interrupt)
	rest, _ := io.ReadAll(in)
	if code := p.wait(); code != 1 || len(rest) > 0 {
		t.Errorf("exit code %d, %q", code, rest)
	}
	if _, answered, next, _ := p.stopped(); answered != 3 || next != 4 {
		t.Errorf("%d answered, next %d", answered, next)
	}
	answers(t, got, 1)
}

// Where no stream runs, and where the output is stuck, Ctrl-C must still work.
func TestInterruptEndsAlways(t *testing.T) {
	for name, args := range map[string][]string{
		"one input":      {"decide", "-p", gate, "--format", "json"},
		"header":         {"decide", "-p", gate, "--format", "csv"},
		"policy":         {"policy", "check", "-"},
		"stuck output":   {"decide", "-p", gate},
		"stuck, by rows": {"decide", "-p", gate, "--explain"},
	} {
		_, w := pipe(t) // nobody reads
		p := start(t, w, args...)
		if strings.HasPrefix(name, "stuck") {
			go p.feed(1, 0)
		}
		ended := make(chan int)
		go func() { ended <- p.wait() }()
		for running := true; running; {
			select {
			case code := <-ended:
				status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
				if interrupted := ok && status.Signaled() && status.Signal() == syscall.SIGINT; !interrupted && code != exitFailure {
					t.Errorf("%s: exit code %d, %v", name, code, p.cmd.ProcessState)
				}
				running = false
			case <-time.After(100 * time.Millisecond):
				_ = p.cmd.Process.Signal(os.Interrupt)
			}
		}
	}
}

// Killed at any time, it leaves whole answers and at most one that is cut off.
func TestKilled(t *testing.T) {
	for size := int64(0); size < 4<<20; size += 1 << 20 {
		out, err := os.Create(filepath.Join(t.TempDir(), "out.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		p := start(t, out, "decide", "-p", gate)
		go p.feed(1, 0)
		for {
			if info, err := out.Stat(); err != nil || info.Size() > size {
				break
			}
			time.Sleep(time.Millisecond)
		}
		_ = p.cmd.Process.Kill()
		if code := p.wait(); code != -1 {
			t.Errorf("exit code %d", code)
		}
		got, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		if n := answers(t, got, 1); n == 0 {
			t.Error("no answers")
		}
	}
}

// Each line is answered before the next one comes.
func TestSlowProducer(t *testing.T) {
	r, w := pipe(t)
	p := start(t, w, "decide", "-p", gate)
	shut(t, w)
	in := bufio.NewReader(r)
	var got []byte
	for i := range 100 {
		p.feed(i+1, i+1)
		line, err := in.ReadBytes('\n')
		if err != nil {
			t.Fatalf("line %d isn't answered: %v", i+1, err)
		}
		got = append(got, line...)
	}
	shut(t, p.stdin)
	if code := p.wait(); code != 0 || answers(t, got, 1) != 100 {
		t.Errorf("exit code %d", code)
	}
}

// run runs the command line in this process.
func run(stdin io.Reader, stdout io.Writer, args ...string) (code int, stderr string) {
	var b bytes.Buffer
	p := &program{ctx: context.Background(), stdin: stdin, stdout: stdout, stderr: &b}
	code = p.run(args)
	return code, b.String()
}

func TestInputFails(t *testing.T) {
	boom := iotest.ErrReader(errors.New("boom"))
	var out bytes.Buffer
	code, stderr := run(io.MultiReader(strings.NewReader("{}\n{}\n{"), boom), &out, "decide", "-p", gate, "-o", "text")
	if want := "pawl: -: stopped early: read line 3: boom; 2 answered and written, go on with line 3\n"; code != 1 || stderr != want {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("%d answers: %s", n, out.String())
	}
	for _, format := range []string{"json", "csv"} {
		code, stderr = run(boom, &out, "decide", "-p", gate, "--format", format)
		if code != 1 || !strings.Contains(stderr, "boom") {
			t.Errorf("%s: exit code %d, %q", format, code, stderr)
		}
	}
}

// A bug must look neither like exit code 0, which is auto_apply, nor like an
// answered stream.
func TestPanicIsNoVerdict(t *testing.T) {
	code, stderr := run(iotest.TimeoutReader(panicking{}), io.Discard, "decide", "-p", gate, "--format", "json")
	if code != 1 || !strings.Contains(stderr, "internal error") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("a bug") }

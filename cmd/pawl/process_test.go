package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// require skips a test that can't run here, or fails it where nothing may be
// skipped.
func require(t *testing.T, err error, format string, args ...any) {
	t.Helper()
	if err == nil {
		return
	}
	why := fmt.Sprintf(format, args...) + ": " + err.Error()
	if os.Getenv("PAWL_REQUIRE") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// process is a running pawl. Its standard input is a pipe.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr bytes.Buffer
}

// start starts pawl, which is this test's own program (see TestMain). A pawl
// that doesn't end is killed by a deadline that only a hanging one reaches.
func start(t *testing.T, stdout *os.File, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.CommandContext(t.Context(), "pawl", args...)}
	p.cmd.Stdout, p.cmd.Stderr = stdout, &p.stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.AfterFunc(60*time.Second, func() { _ = p.cmd.Process.Kill() })
	t.Cleanup(func() { deadline.Stop() })
	return p
}

// feed writes lines from, from+1 … to standard input; 0 means without end. An
// error is no matter: pawl may have gone.
func (p *process) feed(from, to int) {
	w := bufio.NewWriterSize(p.stdin, 1<<16)
	for i := from; to == 0 || i <= to; i++ {
		if _, err := fmt.Fprintf(w, `{"id":"%d","signals":{"scores":{"trust":0.95}}}`+"\n", i); err != nil {
			return
		}
	}
	_ = w.Flush()
}

// wait waits for the end and returns the exit code; -1 is a signal.
func (p *process) wait() int {
	p.t.Helper()
	var exited *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exited) {
		p.t.Fatal(err)
	}
	if strings.Contains(p.stderr.String(), "goroutine ") {
		p.t.Fatalf("a stack trace:\n%s", p.stderr.String())
	}
	return p.cmd.ProcessState.ExitCode()
}

var stoppedLine = regexp.MustCompile(`(?m)^pawl: .*: stopped early: (.*); (\d+) answered and written, go on with line (\d+)(?: (\(the last line .* remove it\)))?$`)

// stopped returns what pawl said on stopping early.
func (p *process) stopped() (why string, answered, next int, cut bool) {
	p.t.Helper()
	m := stoppedLine.FindStringSubmatch(p.stderr.String())
	if m == nil {
		p.t.Fatalf("standard error doesn't say how far it came:\n%s", p.stderr.String())
	}
	answered, _ = strconv.Atoi(m[2])
	next, _ = strconv.Atoi(m[3])
	return m[1], answered, next, m[4] != ""
}

// pipe returns both ends of a pipe.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

// shut closes a file, or one end of a pipe.
func shut(t *testing.T, c io.Closer) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// gate is the policy of these tests.
const gate = "testdata/gate.pawl.yaml"

// answers checks that the output is the answers to the lines 1, 2 … that feed
// writes, each once and in order, and counts them. What stands behind the last
// line break is the beginning of the next one.
func answers(t *testing.T, out []byte, first int) (n int) {
	t.Helper()
	lines := bytes.SplitAfter(out, []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		if want := fmt.Sprintf(`{"line":%d,"id":"%d",`, i+1, first+i); !bytes.HasPrefix(line, []byte(want)) {
			t.Fatalf("answer %d is %s", i+1, line)
		}
		if !json.Valid(line) || !bytes.Contains(line, []byte(`"verdict":"auto_apply"`)) {
			t.Fatalf("answer %d is %s", i+1, line)
		}
	}
	n = len(lines) - 1
	if cut := lines[n]; len(cut) > 0 && len(cut) > bytes.LastIndexByte(append(cut[:len(cut):len(cut)], '}'), '}')+1 {
		t.Fatalf("the output ends in %s", cut)
	}
	return n
}

// complete goes on at a line and checks that both outputs together are one
// answer for each of the lines.
func complete(t *testing.T, out []byte, next, all int) {
	t.Helper()
	rest, err := os.Create(filepath.Join(t.TempDir(), "rest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer rest.Close()
	p := start(t, rest, "decide", "-p", gate)
	p.feed(next, all)
	shut(t, p.stdin)
	if code := p.wait(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, p.stderr.String())
	}
	more, err := os.ReadFile(rest.Name())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := answers(t, out, 1), answers(t, more, next); a+b != all || next != a+1 {
		t.Fatalf("%d and, from line %d, %d answers for %d lines", a, next, b, all)
	}
}

package conformance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Program drives another implementation: a command that reads lines and
// answers each. One that hangs, ends or floods is stopped and started anew for
// the next line. It is for one goroutine at a time and must be closed.
type Program struct {
	Command string        // for sh
	Timeout time.Duration // for one answer
	run     *running
}

// ErrTimeout says that no answer came in time.
var ErrTimeout = errors.New("no answer in time")

// ErrEnded says that the program ended instead of answering.
var ErrEnded = errors.New("it ended without an answer")

// maxAnswer bounds the line that an implementation may answer with.
const maxAnswer = 1 << 20

// running is one process of the command.
type running struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers chan []byte   // closed when the process says nothing any more
	tooLong atomic.Bool   // a line was longer than maxAnswer
	done    chan struct{} // closed when nobody listens any more
	stderr  *tail
}

// Ask writes one line and waits for one. The error says what became of the
// program instead; it has then been stopped.
func (p *Program) Ask(ctx context.Context, line []byte) ([]byte, error) {
	if p.run == nil {
		run, err := start(p.Command)
		if err != nil {
			return nil, fmt.Errorf("start %q: %w", p.Command, err)
		}
		p.run = run
	}
	r := p.run
	go func() { _, _ = r.stdin.Write(line) }() // whoever doesn't read doesn't answer either
	timeout := time.NewTimer(p.Timeout)
	defer timeout.Stop()
	select {
	case answer, ok := <-r.answers:
		if ok {
			return answer, nil
		}
		return nil, p.ended()
	case <-timeout.C:
		p.stop()
		return nil, fmt.Errorf("%w: waited %s for a line (does it write one for each, and flush it?)%s", ErrTimeout, p.Timeout, r.stderr.quoted())
	case <-ctx.Done():
		p.stop()
		return nil, context.Cause(ctx)
	}
}

// ended waits for a program that closed its output, and says how it ended.
func (p *Program) ended() error {
	r := p.run
	if r.tooLong.Load() {
		p.stop()
		return fmt.Errorf("its line is longer than the %d bytes that are allowed", maxAnswer)
	}
	killed := time.AfterFunc(p.Timeout, func() { kill(r.cmd) })
	err := r.cmd.Wait()
	killed.Stop()
	p.stop()
	how := ""
	if err != nil {
		how = ": " + err.Error()
	}
	return fmt.Errorf("%w%s%s", ErrEnded, how, r.stderr.quoted())
}

// stop ends the process, whatever it is doing.
func (p *Program) stop() {
	r := p.run
	p.run = nil
	kill(r.cmd)
	close(r.done)
	_ = r.stdin.Close()
	_ = r.cmd.Wait() // it was killed
}

// Close ends the program: first by closing its input, then by force.
func (p *Program) Close() {
	if p.run == nil {
		return
	}
	_ = p.run.stdin.Close()
	select {
	case <-p.run.answers: // closed, or an answer that nobody asked for
	case <-time.After(time.Second):
	}
	p.stop()
}

func start(command string) (*running, error) {
	r := &running{
		cmd:     exec.Command("sh", "-c", command),
		answers: make(chan []byte), done: make(chan struct{}), stderr: &tail{},
	}
	ownGroup(r.cmd)
	r.cmd.Stderr = r.stderr
	r.cmd.WaitDelay = time.Second
	var err error
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	go r.listen(stdout)
	return r, nil
}

// listen hands out the lines that the process writes.
func (r *running) listen(stdout io.Reader) {
	defer close(r.answers)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		select {
		case r.answers <- bytes.Clone(lines.Bytes()):
		case <-r.done:
			return
		}
	}
	r.tooLong.Store(errors.Is(lines.Err(), bufio.ErrTooLong))
}

// tail keeps the end of what a program complains.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const maxTail = 500

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - maxTail; over > 0 {
		t.text = t.text[over:]
	}
	return len(b), nil
}

func (t *tail) quoted() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.text) == 0 {
		return ""
	}
	return fmt.Sprintf("; it complained: %q", strings.TrimSpace(strings.ToValidUTF8(string(t.text), "")))
}

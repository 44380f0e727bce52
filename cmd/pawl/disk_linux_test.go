package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// On a full disk the count is exact, and going on behind it gives the rest.
func TestDiskIsFull(t *testing.T) {
	disk := t.TempDir()
	err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m")
	require(t, err, "mount a small disk (as root)")
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	for _, used := range []int{0, 1, 100, 4096, 100_000} {
		_ = os.Remove(filepath.Join(disk, "out.jsonl"))
		if err := os.WriteFile(filepath.Join(disk, "other"), make([]byte, used), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(filepath.Join(disk, "out.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		p := start(t, out, "decide", "-p", gate)
		go p.feed(1, 0)
		if code := p.wait(); code != 1 {
			t.Errorf("exit code %d", code)
		}
		shut(t, out)
		got, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		why, answered, next, cut := p.stopped()
		n := answers(t, got, 1)
		if answered != n || next != n+1 || cut != !bytes.HasSuffix(got, []byte("\n")) || !strings.Contains(why, "no space left") {
			t.Errorf("%d answers are there; %q, %d answered, next %d, cut %v", n, why, answered, next, cut)
		}
		complete(t, got, next, n+1000)
	}
}

// Nothing that a command has to say may be lost in silence.
func TestOutputIsFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require(t, err, "open /dev/full")
	defer full.Close()
	one := filepath.Join(t.TempDir(), "one.json")
	if err := os.WriteFile(one, []byte(`{"scores":{"trust":0.95}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"decide", "-p", gate, one},
		{"decide", "-p", gate, one, "-o", "json"},
		{"decide", "-p", gate, one, "--format", "jsonl"},
		{"decide", "-p", gate, one, "--format", "jsonl", "--summary"},
		{"policy", "check", gate},
		{"policy", "check", gate, "-o", "json"},
		{"policy", "check", gate, "-o", "sarif"},
		{"policy", "test", "../../examples/credit/credit.pawl.yaml"},
		{"policy", "test", "../../examples/credit/credit.pawl.yaml", "-o", "json"},
		{"policy", "schema"},
		{"version"},
	} {
		p := start(t, full, args...)
		shut(t, p.stdin)
		if code := p.wait(); code != exitFailure || !strings.Contains(p.stderr.String(), "no space left") {
			t.Errorf("%v: exit code %d, %q", args, code, p.stderr.String())
		}
	}
}

// Memory doesn't grow with the stream, also if it is nothing but blank lines,
// whose answers are many times as long.
func TestMemoryIsConstant(t *testing.T) {
	if testing.Short() {
		t.Skip("decides 300 MB; run without -short")
	}
	pawl := filepath.Join(t.TempDir(), "pawl")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", pawl, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	line := fmt.Sprintf(`{"id":"17","signals":{"scores":{"trust":0.95},"meta":{"note":%q}}}`+"\n", strings.Repeat("text ", 40))
	for _, tt := range []struct {
		name  string
		chunk []byte
		total int
		most  int // KiB at the peak
		args  []string
	}{
		{"JSONL", bytes.Repeat([]byte(line), 1000), 300 << 20, 100_000, nil},
		{"CSV", bytes.Repeat([]byte("17,0.95,\"some text\nand more\",20\n"), 10_000), 40 << 20, 100_000, []string{"--format", "csv", "--without", "blocked"}},
		{"one long line", bytes.Repeat([]byte("x"), 1<<20), 300 << 20, 100_000, nil},
		// The answers are hundreds of times as long, in all far more than this.
		{"blank lines", bytes.Repeat([]byte("\n"), 1<<18), 1 << 19, 150_000, nil},
		{"blank lines, explained", bytes.Repeat([]byte("\n"), 1<<16), 1 << 17, 150_000, []string{"--explain"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, w := pipe(t)
			cmd := exec.CommandContext(t.Context(), pawl, append([]string{"decide", "-p", gate}, tt.args...)...)
			cmd.Stdout = w
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			shut(t, w)
			read := make(chan error)
			go func() {
				_, err := io.Copy(io.Discard, r)
				read <- err
			}()
			if tt.name == "CSV" {
				_, _ = io.WriteString(stdin, "id,trust,note,amount\n")
			}
			for written := 0; written < tt.total; written += len(tt.chunk) {
				if _, err := stdin.Write(tt.chunk); err != nil {
					t.Fatal(err)
				}
			}
			// All but what stands in the pipe was read by now. ProcessState knows
			// the peak, too, but counts this test's own memory before the exec.
			if peak := peakKiB(t, cmd.Process.Pid); peak > tt.most {
				t.Errorf("%d KiB at the peak, want less than %d", peak, tt.most)
			} else {
				t.Logf("%d KiB at the peak", peak)
			}
			shut(t, stdin)
			if err := <-read; err != nil {
				t.Error(err)
			}
			_ = cmd.Wait() // malformed lines are meant
		})
	}
}

var peakLine = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

func peakKiB(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := peakLine.FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmHWM in %s", status)
	}
	kib, _ := strconv.Atoi(string(m[1]))
	return kib
}

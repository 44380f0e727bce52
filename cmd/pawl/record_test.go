package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A stream that is killed and run again whole keeps every line once, and gives
// the lines that were answered the same items.
func TestKilledRecordingKeepsNoLineTwice(t *testing.T) {
	const lines = 3000
	dir := t.TempDir()
	db, input := filepath.Join(dir, "kept.db"), filepath.Join(dir, "in.jsonl")
	var in bytes.Buffer
	for i := 1; i <= lines; i++ {
		fmt.Fprintf(&in, `{"id":"%d","signals":{"scores":{"trust":0.95}}}`+"\n", i)
	}
	if err := os.WriteFile(input, in.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	items := map[int]string{}
	check := func(out []byte) (n int) {
		whole := out[:bytes.LastIndexByte(out, '\n')+1]
		for line := range bytes.Lines(whole) {
			var a struct {
				Line int
				Item string
			}
			if err := json.Unmarshal(line, &a); err != nil || a.Item == "" {
				t.Fatalf("%s: %v", line, err)
			}
			if old := items[a.Line]; old != "" && old != a.Item {
				t.Errorf("line %d is %s and was %s", a.Line, a.Item, old)
			}
			items[a.Line] = a.Item
			n++
		}
		return n
	}
	args := []string{"decide", "-p", gate, "--record", db, "--as", "anna", "--run", "one", input}
	for _, after := range []int{1, 700} {
		r, w := pipe(t)
		p := start(t, w, args...)
		shut(t, w)
		var out []byte
		for buf := make([]byte, 4096); bytes.Count(out, []byte("\n")) < after; {
			n, err := r.Read(buf)
			if err != nil {
				t.Fatalf("it ended by itself: %v\n%s", err, p.stderr.String())
			}
			out = append(out, buf[:n]...)
		}
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.wait()
		check(out)
	}
	out, err := exec.Command("pawl", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := check(out); n != lines {
		t.Errorf("%d answers, want %d", n, lines)
	}
	list, err := exec.Command("pawl", "item", "list", "--db", db, "--limit", "10000", "-o", "json").Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(list, []byte(`"id":`)); n != lines {
		t.Errorf("%d items, want %d", n, lines)
	}
}

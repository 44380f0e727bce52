package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page that the program was written from has an example of every file.
func page(t *testing.T) (keys, export string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(name string) string {
		m := regexp.MustCompile("(?s)```[a-z]+ " + regexp.QuoteMeta(name) + "\n(.*?)```").FindSubmatch(text)
		if m == nil {
			t.Fatalf("docs/ledger.md has no block %s", name)
		}
		return string(m[1])
	}
	return block("keys.txt"), block("example.jsonl")
}

func check(t *testing.T, keys, export string) (string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "keys.txt")
	if err := os.WriteFile(name, []byte(keys), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := run([]string{name}, strings.NewReader(export), &out)
	return out.String(), err
}

func TestVerifiesTheExportOfThePage(t *testing.T) {
	keys, export := page(t)
	got, err := check(t, keys, export)
	if want := "verified 3 entries, root Mrz6LMvgJYDIzNZrdk/DQFM9A1OBon8Nw8EeoPqVLAk=\n"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func TestRefusesWhatWasTamperedWith(t *testing.T) {
	keys, export := page(t)
	lines := strings.SplitAfter(strings.TrimSuffix(export, "\n"), "\n")
	for name, bad := range map[string]string{
		"edit":       strings.Replace(export, `"at":1`, `"at":2`, 1),
		"gap":        strings.Join(append(lines[:1:1], lines[2:]...), ""),
		"cut off":    strings.Join(lines[:len(lines)-1], ""),
		"half line":  export[:len(export)-1],
		"twice":      lines[0] + export,
		"signature":  strings.Replace(export, "MHKPCvfs", "MHKPCvfS", 1),
		"other name": strings.ReplaceAll(export, "example.com", "example.org"),
		"nothing":    "",
	} {
		t.Run(name, func(t *testing.T) {
			if bad == export {
				t.Fatal("nothing was tampered with")
			}
			if got, err := check(t, keys, bad); err == nil {
				t.Errorf("it says %q", got)
			}
		})
	}
}

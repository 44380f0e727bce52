package policy_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/policy"
)

// One file for each kind of mistake, and beside it all that its author is told.
func TestParseTellsEveryMistake(t *testing.T) {
	files := policyFiles(t, "testdata/check/*")
	if len(files) < 50 {
		t.Fatalf("only %d files", len(files))
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := parseFile(t, name)
			if f != nil {
				t.Fatal("accepted")
			}
			problems := problemsOf(t, err)
			golden(t, name, list(problems))
			for _, p := range problems {
				if p.Warning || p.Pos.Line < 1 || p.Pos.Col < 1 {
					t.Errorf("an odd problem: %+v", p)
				}
			}
			if !slices.IsSortedFunc(problems, func(a, b policy.Problem) int {
				return (a.Pos.Line-b.Pos.Line)*1000 + a.Pos.Col - b.Pos.Col
			}) {
				t.Error("the problems aren't in the order of the file")
			}
			// The error's text is a line for each problem, with the file's name.
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(problems) || !strings.HasPrefix(lines[0], name+":"+problems[0].Pos.String()+": ") {
				t.Errorf("the error reads %q", err)
			}
		})
	}
}

func TestParseAccepts(t *testing.T) {
	for _, name := range policyFiles(t, "testdata/valid/*") {
		f, err := policy.Parse(name, readFile(t, name))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if f.Name != name || f.Gate != "refunds" || f.Kind != policy.KindThreshold || f.Threshold == nil || f.Threshold.Gate() == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	f := mustParse(t, head+"description: é\n")
	if f.Description != "é" {
		t.Errorf("description %q", f.Description)
	}
}

// Only the ending .json, in whatever case, makes a file JSON.
func TestParseChoosesTheLanguageByName(t *testing.T) {
	yaml := []byte(head)
	for name, want := range map[string]bool{
		"a.pawl.yaml": true, "a.yml": true, "a": true, "a.json.yaml": true, "": true, "json": true,
		"a.json": false, "a.JSON": false, "dir.yaml/a.Json": false,
	} {
		if _, err := policy.Parse(name, yaml); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestParseRefusesAPolicyOverAMebibyte(t *testing.T) {
	pad := func(n int) []byte {
		return []byte(head + "description: " + strings.Repeat("x", n-len(head)-len("description: \n")) + "\n")
	}
	if _, err := policy.Parse("a.yaml", pad(1<<20)); err != nil {
		t.Errorf("1 MiB: %v", err)
	}
	_, err := policy.Parse("a.yaml", pad(1<<20+1))
	if got := problemsOf(t, err); got[0].Code != "too-large" {
		t.Errorf("%v", got)
	}
}

func TestLint(t *testing.T) {
	for _, name := range policyFiles(t, "testdata/lint/*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := parseFile(t, name)
			if err != nil {
				t.Fatal(err)
			}
			warnings := f.Lint()
			golden(t, name, list(warnings))
			for _, p := range warnings {
				if !p.Warning {
					t.Errorf("%v is no warning", p)
				}
			}
		})
	}
	if got := (&policy.File{}).Lint(); got != nil {
		t.Errorf("a file of another kind: %v", got)
	}
}

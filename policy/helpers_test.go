package policy_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with the file beside name, or rewrites that file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	name += ".golden"
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v (go test ./policy -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// policyFiles returns the policy files of a folder of testdata.
func policyFiles(t testing.TB, pattern string) (names []string) {
	t.Helper()
	all, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if ext := filepath.Ext(name); ext == ".yaml" || ext == ".json" {
			names = append(names, name)
		}
	}
	return names
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// parseFile parses a policy file of testdata, with those beside it.
func parseFile(t testing.TB, name string) (*policy.File, error) {
	t.Helper()
	return policy.ParseFiles(name, readFile(t, name), os.DirFS(filepath.Dir(name)))
}

// list writes problems a line each, as people see them, with their codes.
func list(problems []policy.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "%s: %s: %s\n", p.Pos, p.Code, p.Message)
	}
	return b.String()
}

// reporter is what a test, a fuzz target and a property have in common.
type reporter interface {
	Helper()
	Fatalf(string, ...any)
}

// mustParse reads a YAML policy that has nothing wrong.
func mustParse(t reporter, src string) *policy.File {
	t.Helper()
	f, err := policy.Parse("test.pawl.yaml", []byte(src))
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, src)
	}
	return f
}

// head is how every policy of these tests begins.
const head = "pawl: v1\ngate: test\nkind: threshold\n"

// caseHead is how every case policy of these tests begins.
const caseHead = "pawl: v1\ngate: test\nkind: case\n"

// promotionHead is how every promotion policy of these tests begins.
const promotionHead = "pawl: v1\ngate: test\nkind: promotion\n"

// problemsOf returns what Parse found wrong.
func problemsOf(t testing.TB, err error) []policy.Problem {
	t.Helper()
	var pe *policy.Error
	if !errors.As(err, &pe) || len(pe.Problems) == 0 {
		t.Fatalf("Parse: %v isn't an Error with problems", err)
	}
	return pe.Problems
}

// codes returns the reasons of a decision as "code" or "code:subject".
func codes(d *threshold.Decision) []string {
	list := make([]string, len(d.Reasons))
	for i, r := range d.Reasons {
		list[i] = r.String()
	}
	return list
}

// text is a decision as JSON.
func text(d *threshold.Decision) string { return string(d.AppendJSON(nil)) }

// decide decides one input with a decider of its own.
func decide(gate *policy.Threshold, input string) *threshold.Decision {
	var d threshold.Decision
	gate.NewDecider().DecideJSON(&d, []byte(input))
	return &d
}

// checkDecision wants a verdict and a whole list of codes, separated by spaces.
func checkDecision(t *testing.T, d *threshold.Decision, verdict threshold.Verdict, want string) {
	t.Helper()
	if d.Verdict != verdict {
		t.Errorf("verdict %s, want %s", d.Verdict, verdict)
	}
	if got := strings.Join(codes(d), " "); got != want {
		t.Errorf("codes %q\nwant  %q", got, want)
	}
}

package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pawlgate/pawl/internal/conformance"
	"github.com/pawlgate/pawl/vectors"
)

// three are vectors for programs that answer without looking.
func three(t *testing.T) []conformance.Item {
	t.Helper()
	all := make([]vectors.Vector, 3)
	for i := range all {
		all[i] = vectors.Vector{
			Corpus: vectors.Core, Name: fmt.Sprint("v", i), Signals: json.RawMessage(`{}`), Policy: json.RawMessage(`{}`),
			Expect: vectors.Expect{Verdict: "route_to_human", Codes: []string{"no_bands"}},
		}
	}
	items, err := conformance.Items(all)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// runAll returns a line for each vector: what became of it, and why.
func runAll(t *testing.T, command string, timeout time.Duration) string {
	t.Helper()
	p := &conformance.Program{Command: command, Timeout: timeout}
	defer p.Close()
	var b strings.Builder
	if err := conformance.Run(t.Context(), three(t), p, func(r conformance.Result) {
		fmt.Fprintf(&b, "%s: %s %s\n", strings.TrimPrefix(r.ID, "core/"), r.Outcome, strings.Join(r.Wrong, "; "))
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const right = `{"id":"core/v%d","verdict":"route_to_human","codes":["no_bands"]}\n`

func TestProgramsAreJudged(t *testing.T) {
	script := func(lines ...string) string { return strings.Join(lines, "; ") }
	answer := func(i int) string { return fmt.Sprintf("read x; printf '"+right+"'", i) }
	for _, tt := range []struct{ name, command, want string }{
		{"right", script(answer(0), answer(1), answer(2)), "v0: passed \nv1: passed \nv2: passed \n"},
		{
			"one wrong", script(answer(0), `read x; echo '{"id":"core/v1","verdict":"auto_apply","codes":[]}'`, answer(2)),
			"v0: passed \nv1: failed verdict is auto_apply, want route_to_human; codes are none, want no_bands\nv2: passed \n",
		},
		{
			"an answer to another vector", script(answer(0), answer(0), answer(2)),
			"v0: passed \nv1: failed the answer is to \"core/v0\"\nv2: passed \n",
		},
		{
			"what is no answer", script("read x; echo hello", `read x; echo '{"id":5}'`, `read x; echo '{"codes":{}}'`),
			"v0: broken not a line of JSON: 1:1: invalid character 'h' at start of value\n" +
				"v1: broken id must be a string, not a number\nv2: broken codes must be a list, not an object\n",
		},
		{
			"one that ends is started anew", "read x; printf '" + fmt.Sprintf(right, 0) + "'; echo done >&2; exit 3",
			"v0: passed \nv1: broken it ended without an answer: exit status 3; it complained: \"done\"\nv2: failed the answer is to \"core/v0\"\n",
		},
		{"one that ends at once", "true", strings.ReplaceAll("v0: X\nv1: X\nv2: X\n", "X", "broken it ended without an answer")},
	} {
		if got := runAll(t, tt.command, 20*time.Second); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestProgramsThatHangAreStopped(t *testing.T) {
	const timedOut = "timed out no answer in time: waited 200ms for a line (does it write one for each, and flush it?)"
	pids := t.TempDir() + "/pids"
	for _, command := range []string{
		"sleep 1000",
		"cat >/dev/null",
		"(sleep 1000 & echo $! >>" + pids + "; wait)", // whose child would outlive the shell
		"while :; do printf x; sleep 0.01; done",
	} {
		start := time.Now()
		want := "v0: " + timedOut + "\nv1: " + timedOut + "\nv2: " + timedOut + "\n"
		if got := runAll(t, command, 200*time.Millisecond); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", command, got, want)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: stopped after %s", command, took)
		}
	}
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for pid := range strings.FieldsSeq(string(text)) {
		if alive(pid) {
			t.Errorf("process %s is still running", pid)
		}
	}
}

// alive reports whether a process is there, and is no zombie that nobody has
// waited for.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// silent never answers.
type silent struct{ asked int }

func (s *silent) Ask(context.Context, []byte) ([]byte, error) {
	s.asked++
	return nil, conformance.ErrTimeout
}

func TestProgramsThatNeverAnswerAreGivenUp(t *testing.T) {
	all := append(three(t), three(t)...)
	counts := map[conformance.Outcome]int{}
	s := &silent{}
	if err := conformance.Run(t.Context(), all, s, func(r conformance.Result) { counts[r.Outcome]++ }); err != nil {
		t.Fatal(err)
	}
	if s.asked != conformance.MaxSilent || counts[conformance.TimedOut] != s.asked || counts[conformance.NotRun] != len(all)-s.asked {
		t.Errorf("asked %d times: %v", s.asked, counts)
	}
}

func TestRunCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	p := &conformance.Program{Command: "sleep 1000", Timeout: time.Minute}
	defer p.Close()
	if err := conformance.Run(ctx, three(t), p, func(conformance.Result) { t.Error("a vector was judged") }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Check compares all that a vector names, and nothing else.
func TestCheck(t *testing.T) {
	risk := func(s string) *string { return &s }
	full := vectors.Expect{Verdict: "auto_apply", Bands: map[string]string{"a": "high"}, Codes: []string{"band_high:a"}, Risk: risk("")}
	right := conformance.Answer{ID: "core/v", Verdict: "auto_apply", Bands: map[string]string{"a": "high"}, Codes: []string{"band_high:a"}}
	with := func(change func(*conformance.Answer)) conformance.Answer {
		a := right
		change(&a)
		return a
	}
	for _, tt := range []struct {
		name   string
		expect vectors.Expect
		answer conformance.Answer
		want   string
	}{
		{"right", full, right, ""},
		{"the risk is told", full, with(func(a *conformance.Answer) { a.Risk = risk("") }), ""},
		{"another risk", full, with(func(a *conformance.Answer) { a.Risk = risk("high") }), "risk is high, want none"},
		{"another verdict", full, with(func(a *conformance.Answer) { a.Verdict = "" }), "verdict is none, want auto_apply"},
		{"no bands", full, with(func(a *conformance.Answer) { a.Bands = nil }), "bands are none, want a high"},
		{"another band", full, with(func(a *conformance.Answer) { a.Bands = map[string]string{"a": "low"} }), "bands are a low, want a high"},
		{"a code less", full, with(func(a *conformance.Answer) { a.Codes = nil }), "codes are none, want band_high:a"},
		{"a code more", full, with(func(a *conformance.Answer) { a.Codes = []string{"band_high:a", "x"} }), "codes are band_high:a, x, want band_high:a"},
		{"a code without its subject", full, with(func(a *conformance.Answer) { a.Codes = []string{"band_high"} }), "codes are band_high, want band_high:a"},
		{"another order", vectors.Expect{Verdict: "auto_apply", Codes: []string{"a", "b"}}, with(func(a *conformance.Answer) { a.Codes = []string{"b", "a"} }), "codes are b, a, want a, b"},
		{"what isn't named", vectors.Expect{Verdict: "auto_apply"}, right, ""},
		{"another id", full, with(func(a *conformance.Answer) { a.ID = "cel/v" }), `the answer is to "cel/v"`},
		{"a policy that should be refused", vectors.Expect{Verdict: "auto_apply", PolicyInvalid: true}, right, "the policy is invalid and was not refused"},
	} {
		v := vectors.Vector{Corpus: vectors.Core, Name: "v", Expect: tt.expect}
		if got := strings.Join(conformance.Check(&v, &tt.answer), "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

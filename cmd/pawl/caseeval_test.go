package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/casegate"
)

// evaluated is an evaluation like one that somebody might see: nothing missed,
// a few cases escalated without need, and categories that are often wrong.
func evaluated(t *testing.T, missed int, level float64) *casegate.EvaluationReport {
	t.Helper()
	var e casegate.Evaluation
	count := func(n int, want casegate.Label, got casegate.Output) {
		for i := range n {
			got.Confidence += float64(i%10) / 400
			if err := e.Count(want, &got); err != nil {
				t.Fatal(err)
			}
			got.Confidence -= float64(i%10) / 400
		}
	}
	categories := casegate.DefaultOrder()
	confidence := []float64{0, 0, 0.31, 0.22, 0.41, 0.13}
	for i, c := range categories {
		next := (i + 1) % len(categories)
		want := casegate.Label{Action: casegate.Escalate, Category: c}
		count(13+3*i, want, casegate.Output{Action: casegate.Escalate, Category: c, Confidence: confidence[i]})
		count(4+2*i, want, casegate.Output{Action: casegate.Escalate, Category: categories[next], Confidence: confidence[next]})
	}
	escalate, decide := casegate.Label{Action: casegate.Escalate}, casegate.Label{Action: casegate.Decide}
	count(9, escalate, casegate.Output{Action: casegate.Escalate, Category: casegate.PolicyViolation})
	count(missed, escalate, casegate.Output{Action: casegate.Decide, Confidence: 0.72})
	count(11, decide, casegate.Output{Action: casegate.Escalate, Category: casegate.InsufficientConfidence, Confidence: 0.47})
	count(70, decide, casegate.Output{Action: casegate.Decide, Confidence: 0.61})
	count(210, decide, casegate.Output{Action: casegate.Decide, Confidence: 0.84})
	count(1320, decide, casegate.Output{Action: casegate.Decide, Confidence: 0.95})
	r, err := e.Report(level)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// evalReports are the evaluations of which the output is kept, by name.
func evalReports(t *testing.T) map[string]*caseEvalReport {
	limit := func(f float64) *float64 { return &f }
	name := policyName{"trade.pawl.yaml", "trade-release", "sha256:1f40"}
	empty, err := new(casegate.Evaluation).Report(casegate.DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*caseEvalReport{
		"kept":   newCaseEvalReport("cases.jsonl", name, "pawl", evaluated(t, 0, casegate.DefaultLevel), limit(0.05), limit(0.02)),
		"missed": newCaseEvalReport("<cases>\x1b.jsonl", name, "pawl", evaluated(t, 2, 0.99), limit(0.01), nil),
		"empty":  newCaseEvalReport("none.jsonl", name, "pawl", empty, nil, nil),
	}
}

// goldenFile compares text with a file of testdata; -update writes it.
func goldenFile(t *testing.T, name string, text []byte) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v (go test ./cmd/pawl -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), string(text)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestEvaluationsReadAsTheyDid(t *testing.T) {
	for name, r := range evalReports(t) {
		goldenFile(t, "caseeval."+name+".txt", caseEvalText(r))
		page, err := caseEvalHTML(r)
		if err != nil {
			t.Fatal(err)
		}
		goldenFile(t, "caseeval."+name+".html", page)
	}
}

// The page loads and runs nothing, is well-formed, and shows nothing that isn't
// a number where one belongs.
func TestEvaluationPagesAreSafe(t *testing.T) {
	for name, r := range evalReports(t) {
		page, err := caseEvalHTML(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<script", "<cases>", "\x1b", "NaN", "Inf", "ZgotmplZ", "http:", "https:", "url(", "<nil>", "%!"} {
			if bytes.Contains(page, []byte(bad)) {
				t.Errorf("%s: %q on the page", name, bad)
			}
		}
		if again, _ := caseEvalHTML(r); !bytes.Equal(page, again) {
			t.Errorf("%s: another page each time", name)
		}
		for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAll(page, -1) {
			for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Errorf("%s: %v in %s", name, err, svg)
					break
				}
			}
		}
		for _, m := range regexp.MustCompile(`aria-labelledby="(\w+)"`).FindAllSubmatch(page, -1) {
			if n := bytes.Count(page, []byte(`id="`+string(m[1])+`"`)); n != 1 {
				t.Errorf("%s: the id %s is there %d times", name, m[1], n)
			}
		}
	}
}

func TestEvaluationsAreJSON(t *testing.T) {
	for name, r := range evalReports(t) {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		if exceeded, ok := m["exceeded"].([]any); !ok || (len(exceeded) > 0) != (name == "missed") {
			t.Errorf("%s: exceeded %v", name, m["exceeded"])
		}
		if strings.Contains(string(text), "null") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestCountsStayShort(t *testing.T) {
	for n, want := range map[int]string{
		1: "1", 9_999: "9,999", 10_000: "10k", 999_999: "999k", 1_000_000: "1M", 1_250_000: "1.2M", 98_765_432: "98.7M",
	} {
		if got := compact(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

package casegate_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/casegate"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var updateReports = flag.Bool("update-reports", false, "rewrite testdata/validate/reports.golden")

// reportPolicy is what the outputs of these tests are held to.
func reportPolicy() *casegate.Policy {
	return &casegate.Policy{ConfidenceFloor: 0.8, Applies: []string{"RELEASE", "BOTH", " ", "Escalate"}, Rejects: []string{"REFUSE", "BOTH"}}
}

// outcome sums a report up as outputCase does.
func outcome(r *casegate.Report) string {
	switch {
	case r.Malformed != "":
		return malformed
	case len(r.Schema) > 0:
		return invalid
	case r.Action == casegate.Escalate:
		return escalation
	case len(r.Contradictions) > 0:
		return contradictory
	default:
		return consistent
	}
}

func findings(r *casegate.Report) []casegate.Finding {
	var all []casegate.Finding
	return append(append(append(all, r.Schema...), r.Contradictions...), r.Warnings...)
}

func TestValidateFinds(t *testing.T) {
	seen := map[string]bool{}
	for _, tt := range outputCases {
		t.Run(tt.name, func(t *testing.T) {
			if seen[tt.name] {
				t.Fatal("two cases of that name")
			}
			seen[tt.name] = true
			r := casegate.Validate([]byte(tt.output), reportPolicy())
			var at []string
			for _, f := range findings(r) {
				if f.Pointer == "" {
					f.Pointer = "/"
				}
				at = append(at, f.Pointer)
			}
			if got := outcome(r); got != tt.want || strings.Join(at, " ") != tt.at {
				t.Errorf("is %s at %q, want %s at %q\n%s\n%+v", got, at, tt.want, tt.at, tt.output, r)
			}
			if r.Consistent() != (tt.want == consistent) {
				t.Errorf("Consistent is %t", r.Consistent())
			}
			if written := strings.Contains(tt.output, `:"`+string(r.Action)+`"`); r.Action != "" && (!written || r.Action != casegate.Decide && r.Action != casegate.Escalate) {
				t.Errorf("Action is %q", r.Action)
			}
			switch {
			case tt.want == malformed && (r.Action != "" || len(findings(r)) > 0):
				t.Errorf("malformed, but says more: %+v", r)
			case r.Action == casegate.Decide && len(r.Warnings) > 0, r.Action != casegate.Decide && len(r.Contradictions) > 0:
				t.Errorf("in the wrong list: %+v", r)
			case len(r.Skipped) > 0:
				t.Errorf("skipped %q though there is a policy", r.Skipped)
			}
		})
	}
}

func TestReportsRead(t *testing.T) {
	var b bytes.Buffer
	for _, tt := range outputCases {
		r := casegate.Validate([]byte(tt.output), reportPolicy())
		fmt.Fprintf(&b, "%s (%s)\n", tt.name, tt.want)
		if r.Malformed != "" {
			fmt.Fprintf(&b, "  malformed: %s\n", r.Malformed)
		}
		for _, l := range []struct {
			name string
			fs   []casegate.Finding
		}{{"schema", r.Schema}, {"contradiction", r.Contradictions}, {"warning", r.Warnings}} {
			for _, f := range l.fs {
				fmt.Fprintf(&b, "  %s: %+q: %s\n", l.name, f.Pointer, f.Message)
			}
		}
	}
	const name = "testdata/validate/reports.golden"
	if *updateReports {
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v (go test ./casegate -update-reports writes it)", err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("another report (go test ./casegate -update-reports takes it over):\n%s", diff)
	}
}

func TestReportIsTheSameEveryTime(t *testing.T) {
	for _, tt := range outputCases {
		first := casegate.Validate([]byte(tt.output), reportPolicy())
		for range 20 {
			if diff := cmp.Diff(first, casegate.Validate([]byte(tt.output), reportPolicy())); diff != "" {
				t.Fatalf("%s: %s", tt.name, diff)
			}
		}
	}
}

func TestWithoutPolicyTheReportSaysWhatItSkips(t *testing.T) {
	for _, tt := range []struct {
		name, output string
		skipped      int
		consistent   bool
	}{
		{"a DECIDE", decide, 2, true},
		{"a low confidence", dec("confidence_score", "0"), 2, true},
		{"a decision of any name", dec("decision", `"HOLD"`), 2, true},
		{"no decision", dec("decision", ""), 1, false},
		{"a blank decision", dec("decision", `" "`), 1, false},
		{"a block", dec("policy_violations", `{"a":1}`), 2, false},
		{"an ESCALATE", escalate, 0, false},
		{"not an object", "[]", 0, false},
		{"not JSON", "x", 0, false},
	} {
		r := casegate.Validate([]byte(tt.output), nil)
		if len(r.Skipped) != tt.skipped || r.Consistent() != tt.consistent {
			t.Errorf("%s: skipped %q, consistent %t", tt.name, r.Skipped, r.Consistent())
		}
	}
}

func TestFloorThatIsNoConfidenceLetsNothingThrough(t *testing.T) {
	for _, floor := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1.5, -0.1} {
		p := reportPolicy()
		p.ConfidenceFloor = floor
		if r := casegate.Validate([]byte(dec("confidence_score", "1")), p); r.Consistent() {
			t.Errorf("floor %v: consistent", floor)
		}
	}
}

func TestFloorIsComparedExactly(t *testing.T) {
	for _, tt := range []struct {
		floor      float64
		confidence string
		want       bool
	}{
		{0, "0", true},
		{0, "-0.000", true},
		{math.Copysign(0, -1), "0", true},
		{1e-7, "0.0000001", true},
		{1e-7, "0.00000009999999999999999999", false},
		{math.SmallestNonzeroFloat64, "5e-324", true},
		{math.SmallestNonzeroFloat64, "4.9e-324", false},
		{0.1, "0.1", true},
		{0.1, "1e-1", true},
		{0.1, "0.09999999999999999999999", false},
		{1, "0.99999999999999999999999", false},
		{1, "1.000", true},
		{1, "0.001e3", true},
	} {
		p := reportPolicy()
		p.ConfidenceFloor = tt.floor
		if r := casegate.Validate([]byte(dec("confidence_score", tt.confidence)), p); r.Consistent() != tt.want {
			t.Errorf("%s with the floor %v: %+v", tt.confidence, tt.floor, r)
		}
	}
}

func TestNoReportIsNotConsistent(t *testing.T) {
	var r *casegate.Report
	if r.Consistent() || new(casegate.Report).Consistent() {
		t.Error("consistent")
	}
}

// The keywords in the file are those that the format's publishers gave.
func TestSchemaHasTheKeywordsOfTheFormat(t *testing.T) {
	var got, want any
	text, err := os.ReadFile("testdata/validate/keywords.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(casegate.Schema(), &got); err != nil {
		t.Fatal(err)
	}
	root := got.(map[string]any)
	delete(root, "$id")
	delete(root, "title")
	delete(root, "description")
	for name, p := range root["properties"].(map[string]any) {
		if _, ok := p.(map[string]any)["description"].(string); !ok {
			t.Errorf("%s has no description", name)
		}
		delete(p.(map[string]any), "description")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSchemaCannotBeChangedFromOutside(t *testing.T) {
	clear(casegate.Schema())
	if !json.Valid(casegate.Schema()) || !casegate.Validate([]byte(decide), nil).Consistent() {
		t.Error("it was")
	}
}

// plainSchema is the schema as anybody would use it, without what Validate
// does for it.
func plainSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(casegate.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("output.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("output.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchemaErrorsAreThoseOfTheSchema(t *testing.T) {
	s := plainSchema(t)
	for _, tt := range outputCases {
		if tt.want == malformed || strings.Contains(tt.output, "99999999") && strings.Contains(tt.output, "e") {
			continue // the library can't compute with such an exponent
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(tt.output))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if err := s.Validate(doc); (err != nil) != (tt.want == invalid) {
			t.Errorf("%s is %s, but the schema says %v", tt.name, tt.want, err)
		}
	}
}

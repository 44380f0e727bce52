package casegate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/casegate"
	"pgregory.net/rapid"
)

func ExampleEvaluation() {
	var e casegate.Evaluation
	for range 400 {
		_ = e.Count(casegate.Label{Action: casegate.Escalate}, &casegate.Output{Action: casegate.Escalate, Category: casegate.PolicyViolation})
		_ = e.Count(casegate.Label{Action: casegate.Decide}, &casegate.Output{Action: casegate.Decide, Confidence: 0.9})
	}
	r, _ := e.Report(casegate.DefaultLevel)
	fmt.Println("missed:", r.MissedEscalations.Percent()+", the rate is", r.MissedEscalations.Interval())
	limit := 0.005
	for _, text := range r.Exceeds(&limit, nil) {
		fmt.Println(text)
	}
	// Output:
	// missed: 0 %, the rate is 0 % to 0.918 %
	// missed escalations: 0 of 400 (0 %), but up to 0.918 % by the 95 % interval: over the limit of 0.5 %; it takes 736 or more cases labelled ESCALATE, with none missed
}

func label(text string) casegate.Label {
	action, category, _ := strings.Cut(text, ":")
	return casegate.Label{Action: casegate.Action(action), Category: casegate.Category(category)}
}

func output(text string, confidence float64) *casegate.Output {
	l := label(text)
	return &casegate.Output{Action: l.Action, Category: l.Category, Confidence: confidence}
}

// counted counts lines of label, output and confidence.
func counted(t *testing.T, lines ...string) *casegate.Evaluation {
	t.Helper()
	var e casegate.Evaluation
	for _, line := range lines {
		var want, got string
		var confidence float64
		if _, err := fmt.Sscan(line, &want, &got, &confidence); err != nil {
			t.Fatal(err)
		}
		if err := e.Count(label(want), output(got, confidence)); err != nil {
			t.Fatal(err)
		}
	}
	return &e
}

func report(t testing.TB, e *casegate.Evaluation) *casegate.EvaluationReport {
	t.Helper()
	r, err := e.Report(casegate.DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEvaluationCountsEachKindOfAnswer(t *testing.T) {
	r := report(t, counted(t,
		"ESCALATE:POLICY_VIOLATION ESCALATE:POLICY_VIOLATION 0",
		"ESCALATE:POLICY_VIOLATION ESCALATE:BOUNDARY_CONDITION 0.3",
		"ESCALATE:EXTERNAL_DEPENDENCY DECIDE 0.8", // missed; says nothing of categories
		"ESCALATE ESCALATE:CONFLICTING_SIGNALS 0.1",
		"ESCALATE DECIDE 1",
		"DECIDE DECIDE 0.9",
		"DECIDE DECIDE 1",
		"DECIDE ESCALATE:INSUFFICIENT_CONFIDENCE 0.4",
	))
	type share struct{ count, of int }
	for _, tt := range []struct {
		name string
		got  casegate.Proportion
		want share
	}{
		{"missed escalations", r.MissedEscalations, share{2, 5}},
		{"over-escalations", r.OverEscalations, share{1, 3}},
		{"category accuracy", r.CategoryAccuracy, share{1, 2}},
	} {
		if (share{tt.got.Count, tt.got.Of}) != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, tt.got, tt.want)
		}
	}
	want := [][]int{
		{1, 0, 0, 0, 1, 0, 0},
		{0, 0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0, 1},
		{0, 0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0, 0},
		{0, 0, 1, 0, 0, 0, 1},
		{0, 0, 0, 0, 0, 1, 2},
	}
	var got [][]int
	for _, row := range r.Confusion.Rows {
		got = append(got, row.Counts)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r.Cases != 8 || r.Confusion.Given[6] != "DECIDE" || r.Confusion.Rows[6].Label != "ESCALATE" || r.Confusion.Rows[7].Label != "DECIDE" {
		t.Errorf("%d cases, %v", r.Cases, r.Confusion)
	}
	// (0 + 0.09 + 0.64 + 0.01 + 1 + 0.01 + 0 + 0.36) / 8
	if math.Abs(*r.Brier-2.11/8) > 1e-15 {
		t.Errorf("Brier %v", *r.Brier)
	}

	// By bins: those of 0, 0.1, 0.3, 0.4, 0.8, and three cases in the last one.
	bins := 0 + 0.1 + 0.3 + math.Abs(0.4-1) + 0.8 + 3*math.Abs(2.9/3-2.0/3)
	if math.Abs(*r.CalibrationError-bins/8) > 1e-15 {
		t.Errorf("calibration error %v, want %v", *r.CalibrationError, bins/8)
	}
}

// A bin has its lower bound, however the bound is written in binary; the last
// one has both.
func TestReliabilityBinsHaveTheirLowerBound(t *testing.T) {
	for i := range 11 {
		bound := float64(i) / 10
		var e casegate.Evaluation
		for _, confidence := range []float64{bound, math.Nextafter(bound, 0)} {
			if err := e.Count(label("DECIDE"), output("DECIDE", confidence)); err != nil {
				t.Fatal(err)
			}
		}
		want := map[int]int{min(i, 9): 1}
		want[max(i-1, 0)]++
		for j, bin := range report(t, &e).Reliability {
			if bin.Cases != want[j] {
				t.Errorf("%v and just below: %d in the bin from %v, want %d", bound, bin.Cases, bin.From, want[j])
			}
			if (bin.MeanConfidence == nil) != (bin.Cases == 0) || bin.To <= bin.From {
				t.Errorf("bin %+v", bin)
			}
		}
	}
}

func TestWhatIsNoLabelOrNoOutputIsRefused(t *testing.T) {
	fine := output("DECIDE", 0.5)
	for _, tt := range []struct {
		want casegate.Label
		got  *casegate.Output
		err  string
	}{
		{label("DECIDE:POLICY_VIOLATION"), fine, "DECIDE with the category"},
		{label(""), fine, `label's action is ""`},
		{label("decide"), fine, `label's action is "decide"`},
		{label("ESCALATE:OTHER"), fine, `category is "OTHER"`},
		{label("ESCALATE:DECIDE"), fine, `category is "DECIDE"`},
		{label("DECIDE"), nil, "no output"},
		{label("DECIDE"), output("ESCALATE", 0), "with one of the six"},
		{label("DECIDE"), output("ESCALATE:DECIDE", 0), "with one of the six"},
		{label("DECIDE"), output("DECIDE:POLICY_VIOLATION", 0), "DECIDE without one"},
		{label("DECIDE"), output(" DECIDE", 0), `the output is " DECIDE"`},
		{label("DECIDE"), output("DECIDE", math.NaN()), "confidence is NaN"},
		{label("DECIDE"), output("DECIDE", -0.001), "confidence is -0.001"},
		{label("DECIDE"), output("DECIDE", math.Inf(1)), "confidence is +Inf"},
	} {
		var e casegate.Evaluation
		if err := e.Count(tt.want, tt.got); err == nil || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%v, %v: %v, want %q", tt.want, tt.got, err, tt.err)
		}
		if e != (casegate.Evaluation{}) {
			t.Errorf("%v, %v: refused, but counted", tt.want, tt.got)
		}
	}
}

func TestLevelsAreBetween0And1(t *testing.T) {
	for _, level := range []float64{0, 1, 95, -0.5, math.NaN(), math.Inf(1)} {
		if r, err := new(casegate.Evaluation).Report(level); err == nil {
			t.Errorf("%v: %+v", level, r)
		}
	}
}

// drawCase draws a label and an output.
func drawCase(t *rapid.T) (casegate.Label, *casegate.Output) {
	categories := casegate.DefaultOrder()
	want := rapid.SampledFrom([]casegate.Label{{Action: casegate.Decide}, {Action: casegate.Escalate}, {Action: casegate.Escalate, Category: "?"}}).Draw(t, "label")
	if want.Category != "" {
		want.Category = rapid.SampledFrom(categories).Draw(t, "labelled category")
	}
	got := &casegate.Output{Action: casegate.Decide, Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence")}
	if rapid.Bool().Draw(t, "escalated") {
		got.Action, got.Category = casegate.Escalate, rapid.SampledFrom(categories).Draw(t, "category")
	}
	return want, got
}

// Who counts which case, and in which order, changes nothing, to the last bit.
func TestEvaluationsAddUpInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var forward casegate.Evaluation
		var parts [3]casegate.Evaluation
		for range rapid.IntRange(0, 60).Draw(t, "cases") {
			want, got := drawCase(t)
			for _, e := range []*casegate.Evaluation{&forward, &parts[rapid.IntRange(0, 2).Draw(t, "part")]} {
				if err := e.Count(want, got); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
			var sum casegate.Evaluation
			for _, i := range order {
				sum.Add(&parts[i])
			}
			if sum != forward {
				t.Fatalf("order %v: %+v, want %+v", order, sum, forward)
			}
		}
	})
}

func TestReportsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var e casegate.Evaluation
		cases, brier := rapid.IntRange(0, 40).Draw(t, "cases"), 0.0
		for range cases {
			want, got := drawCase(t)
			if err := e.Count(want, got); err != nil {
				t.Fatal(err)
			}
			d := got.Confidence
			if want.Action == casegate.Decide {
				d = 1 - d
			}
			brier += d * d / float64(cases)
		}
		r, err := e.Report(0.9)
		if err != nil {
			t.Fatal(err)
		}
		inBins, decide, inMatrix := 0, 0, 0
		for _, bin := range r.Reliability {
			inBins += bin.Cases
			decide += bin.Decide.Count
			if m := bin.MeanConfidence; m != nil && !(*m >= bin.From-1e-15 && *m <= bin.To) {
				t.Fatalf("the mean is outside of its bin: %+v", bin)
			}
		}
		for _, row := range r.Confusion.Rows {
			for _, n := range row.Counts {
				inMatrix += n
			}
		}
		if r.Cases != cases || inBins != cases || inMatrix != cases || decide != r.OverEscalations.Of || r.MissedEscalations.Of+r.OverEscalations.Of != cases {
			t.Fatalf("%d cases, %d in bins, %d in the matrix: %+v", cases, inBins, inMatrix, r)
		}
		if cases > 0 && (math.Abs(*r.Brier-brier) > 1e-12 || !(*r.CalibrationError >= 0 && *r.CalibrationError <= 1)) {
			t.Fatalf("Brier %v, want %v; calibration error %v", *r.Brier, brier, *r.CalibrationError)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}

func TestUndefinedNumbersAreLeftOut(t *testing.T) {
	text, err := json.Marshal(report(t, new(casegate.Evaluation)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"brier", "expectedCalibrationError", "share", "meanConfidence", "null", "NaN"} {
		if strings.Contains(string(text), name) {
			t.Errorf("%s in %s", name, text)
		}
	}
	if !strings.HasPrefix(string(text), `{"cases":0,"level":0.95,"missedEscalations":{"count":0,"of":0,"lower":0,"upper":1},`) {
		t.Errorf("%s", text)
	}
}

func TestLimitsAreJudgedByTheUpperEnd(t *testing.T) {
	many := func(n int, want, got string) (lines []string) {
		for range n {
			lines = append(lines, want+" "+got+" 0.5")
		}
		return lines
	}
	const violation = "ESCALATE:POLICY_VIOLATION"
	none := report(t, new(casegate.Evaluation))
	r := report(t, counted(t, append(append(many(100, "ESCALATE", violation), many(99, "DECIDE", "DECIDE")...), "DECIDE "+violation+" 0")...))
	limit := func(f float64) *float64 { return &f }
	for _, tt := range []struct {
		name         string
		r            *casegate.EvaluationReport
		maxFN, maxFP *float64
		want         []string
	}{
		{"no limit", r, nil, nil, nil},
		{"kept", r, limit(0.0363), limit(0.0545), nil},
		{"the very end", r, limit(r.MissedEscalations.Upper), limit(r.OverEscalations.Upper), nil},
		{"none seen, but too few cases", r, limit(0.036), nil, []string{"missed escalations: 0 of 100 (0 %), but up to 3.63 % by the 95 % interval: over the limit of 3.6 %; it takes 101 or more cases labelled ESCALATE, with none missed"}},
		{"the share is kept, the end isn't", r, nil, limit(0.05), []string{"over-escalations: 1 of 100 (1.00 %), but up to 5.45 % by the 95 % interval: over the limit of 5 %"}},
		{"both", r, limit(0.01), limit(0.01), []string{
			"missed escalations: 0 of 100 (0 %), but up to 3.63 % by the 95 % interval: over the limit of 1 %; it takes 368 or more cases labelled ESCALATE, with none missed",
			"over-escalations: 1 of 100 (1.00 %), but up to 5.45 % by the 95 % interval: over the limit of 1 %; it takes 368 or more cases labelled DECIDE, with none escalated",
		}},
		{"a limit of nothing", r, limit(0), nil, []string{"missed escalations: 0 of 100 (0 %), but up to 3.63 % by the 95 % interval: over the limit of 0 %; no number of cases can show that"}},
		{"NaN", r, limit(math.NaN()), nil, []string{"missed escalations: 0 of 100 (0 %), but up to 3.63 % by the 95 % interval: over the limit of NaN %; no number of cases can show that"}},
		{"no case", none, limit(0.2), limit(0.999), []string{
			"missed escalations: no case is labelled ESCALATE, so nothing keeps the limit of 20 %; it takes 17 or more cases labelled ESCALATE, with none missed",
			"over-escalations: no case is labelled DECIDE, so nothing keeps the limit of 99.9 %; it takes 1 or more cases labelled DECIDE, with none escalated",
		}},
		{"no case, and anything goes", none, limit(1), limit(1), nil},
	} {
		if diff := cmp.Diff(tt.want, tt.r.Exceeds(tt.maxFN, tt.maxFP)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

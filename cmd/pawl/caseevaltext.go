package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/casegate"
)

// caseEvalReport is what is shown of an evaluation.
type caseEvalReport struct {
	Engine string     `json:"engine"`
	Data   string     `json:"data"`
	Policy policyName `json:"policy"`
	*casegate.EvaluationReport
	// The limits, if there are any, and what doesn't keep them, in words.
	MaxFNRate *float64 `json:"maxFnRate,omitempty"`
	MaxFPRate *float64 `json:"maxFpRate,omitempty"`
	Exceeded  []string `json:"exceeded"`
}

// newCaseEvalReport judges an evaluation by its limits; nil is no limit.
func newCaseEvalReport(data string, policy policyName, engine string, r *casegate.EvaluationReport, maxFN, maxFP *float64) *caseEvalReport {
	exceeded := r.Exceeds(maxFN, maxFP)
	if exceeded == nil {
		exceeded = []string{}
	}
	return &caseEvalReport{
		Engine: engine, Data: data, Policy: policy, EvaluationReport: r,
		MaxFNRate: maxFN, MaxFPRate: maxFP, Exceeded: exceeded,
	}
}

// caseEvalText writes an evaluation for people.
func caseEvalText(r *caseEvalReport) []byte {
	w := &bytes.Buffer{}
	fmt.Fprintf(w, "policy  %s  gate %s  %s\n", printable(r.Policy.File), r.Policy.Gate, r.Policy.Policy)
	fmt.Fprintf(w, "data    %s: %s\n\n", printable(r.Data), evalCases(r.EvaluationReport))
	w.WriteString(rightAligned(evalRates(r.EvaluationReport)))
	if limits := evalLimits(r); limits != "" {
		fmt.Fprintf(w, "\n%s\n", limits)
		for _, text := range r.Exceeded {
			fmt.Fprintf(w, "  ✗ %s\n", text)
		}
	}
	fmt.Fprint(w, "\nlabel \\ answer\n")
	w.WriteString(rightAligned(confusionTable(r.Confusion)))
	fmt.Fprint(w, "\nconfidence_score, and how many are labelled DECIDE\n")
	w.WriteString(rightAligned(reliabilityTable(r.EvaluationReport)))
	if r.Brier != nil {
		fmt.Fprintf(w, "\nBrier score %s, expected calibration error %s\n", rough(*r.Brier), rough(*r.CalibrationError))
	}
	return w.Bytes()
}

// evalCases says how many cases there are, and of which kind.
func evalCases(r *casegate.EvaluationReport) string {
	return fmt.Sprintf("%s, labelled ESCALATE %s, DECIDE %s",
		plural(r.Cases, "case"), thousands(r.MissedEscalations.Of), thousands(r.OverEscalations.Of))
}

// levelName writes the level: "95 %".
func levelName(r *casegate.EvaluationReport) string {
	return strconv.FormatFloat(100*r.Level, 'g', 10, 64) + " %"
}

// evalRates is the table of the three rates.
func evalRates(r *casegate.EvaluationReport) [][]string {
	rows := [][]string{{"", "cases", "share", levelName(r) + " interval"}}
	for _, row := range []struct {
		name string
		p    casegate.Proportion
	}{
		{"missed escalations", r.MissedEscalations},
		{"over-escalations", r.OverEscalations},
		{"category right", r.CategoryAccuracy},
	} {
		rows = append(rows, []string{
			row.name, fmt.Sprintf("%s of %s", thousands(row.p.Count), thousands(row.p.Of)),
			row.p.Percent(), row.p.Interval(),
		})
	}
	return rows
}

// evalLimits says which limits there are, and whether they are kept; empty
// without any.
func evalLimits(r *caseEvalReport) string {
	var limits []string
	for _, l := range []struct {
		name  string
		limit *float64
	}{{"missed escalations", r.MaxFNRate}, {"over-escalations", r.MaxFPRate}} {
		if l.limit != nil {
			limits = append(limits, fmt.Sprintf("%s up to %s %%", l.name, strconv.FormatFloat(100**l.limit, 'g', 10, 64)))
		}
	}
	if limits == nil {
		return ""
	}
	outcome := "kept"
	if len(r.Exceeded) > 0 {
		outcome = "not kept"
	}
	return fmt.Sprintf("limits (by the interval's upper end): %s: %s", strings.Join(limits, ", "), outcome)
}

// shortLabel is short enough for the head of a column.
func shortLabel(label string) string {
	switch casegate.Category(label) {
	case casegate.PolicyViolation:
		return "PV"
	case casegate.MissingRequiredDocumentation:
		return "MD"
	case casegate.ConflictingSignals:
		return "CS"
	case casegate.ExternalDependency:
		return "ED"
	case casegate.BoundaryCondition:
		return "BC"
	case casegate.InsufficientConfidence:
		return "IC"
	}
	return label
}

// longLabel names a row.
func longLabel(label string) string {
	if label == string(casegate.Escalate) {
		return "ESCALATE, no category"
	}
	return label
}

func confusionTable(c casegate.Confusion) [][]string {
	head := []string{""}
	for _, given := range c.Given {
		head = append(head, shortLabel(given))
	}
	rows := [][]string{head}
	for _, r := range c.Rows {
		name := longLabel(r.Label)
		if s := shortLabel(r.Label); s != r.Label {
			name = s + "  " + name
		}
		row := []string{name}
		for _, n := range r.Counts {
			cell := "·"
			if n > 0 {
				cell = thousands(n)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

func reliabilityTable(r *casegate.EvaluationReport) [][]string {
	rows := [][]string{{"confidence", "cases", "mean", "DECIDE", "share", levelName(r) + " interval"}}
	for _, b := range r.Reliability {
		row := []string{fmt.Sprintf("%.1f to %.1f", b.From, b.To), thousands(b.Cases), "–", "–", "–", "–"}
		if b.MeanConfidence != nil {
			row = append(row[:2], fmt.Sprintf("%.3f", *b.MeanConfidence), thousands(b.Decide.Count), b.Decide.Percent(), b.Decide.Interval())
		}
		rows = append(rows, row)
	}
	return rows
}

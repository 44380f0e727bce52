package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/pawlgate/pawl/casegate"
)

//go:embed caseeval.html.tmpl
var caseEvalPage string

var caseEvalTemplate = template.Must(template.New("caseeval").Funcs(template.FuncMap{
	"thousands": thousands,
	"printable": printable,
	"rough":     rough,
	"short":     shortLabel,
	"long":      longLabel,
	"meaning":   confusionMeaning,
	"cases":     evalCases,
	"together":  strings.NewReplacer(" %", "\u00a0%", " of ", "\u00a0of\u00a0").Replace, // on one line
}).Parse(caseEvalPage))

// caseEvalHTML makes one page of an evaluation: no script, nothing to load.
func caseEvalHTML(r *caseEvalReport) ([]byte, error) {
	var page bytes.Buffer
	err := caseEvalTemplate.Execute(&page, map[string]any{
		"Report": r, "Level": levelName(r.EvaluationReport), "Headline": evalHeadline(r.EvaluationReport),
		"Bad": len(r.Exceeded) > 0 || r.MissedEscalations.Count > 0 || r.MissedEscalations.Of == 0,
		// The texts of these three are those of the command line.
		"Rates": rowsBelow(evalRates(r.EvaluationReport)), "Limits": evalLimits(r),
		"Bins": rowsBelow(reliabilityTable(r.EvaluationReport)),
		"Heat": heat(r.EvaluationReport), "Chart": drawReliability(r.EvaluationReport),
	})
	if err != nil {
		return nil, fmt.Errorf("make the page: %w", err)
	}
	return page.Bytes(), nil
}

// evalHeadline says the one thing that counts.
func evalHeadline(r *casegate.EvaluationReport) string {
	missed := r.MissedEscalations
	if missed.Of == 0 {
		return "No case is labelled ESCALATE: this says nothing about missed escalations"
	}
	_, upper := missed.Ends()
	return fmt.Sprintf("%s of %s missed; the true rate may be up to %s", thousands(missed.Count), plural(missed.Of, "escalation"), upper)
}

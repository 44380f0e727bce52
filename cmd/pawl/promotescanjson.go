package main

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/pawlgate/pawl/promotion"
)

type (
	scanReport struct {
		Artefacts []scanArtefact         `json:"artefacts"`
		Totals    map[promotion.Kind]int `json:"totals"`
		Failed    []unscanned            `json:"failed,omitempty"` // paths at which there was nothing to scan
	}
	scanArtefact struct {
		Name         string        `json:"name"`
		Snapshot     *string       `json:"snapshot"` // null: none, since not all of it could be taken
		Escalate     bool          `json:"escalate"`
		Irreversible []string      `json:"irreversible"`
		LeftOut      []string      `json:"leftOut,omitempty"`
		Reasons      []scanFinding `json:"reasons"`
		Omitted      int           `json:"omitted,omitempty"`
	}
	scanFinding struct {
		Kind    promotion.Kind `json:"kind"`
		Token   string         `json:"token,omitempty"`
		File    string         `json:"file,omitempty"`
		Line    int            `json:"line,omitempty"`
		Col     int            `json:"col,omitempty"`
		Offset  *int           `json:"offset,omitempty"`
		Length  int            `json:"length,omitempty"`
		Via     string         `json:"via,omitempty"`
		Detail  string         `json:"detail"`
		Excerpt string         `json:"excerpt,omitempty"`
	}
)

func scanJSON(all []scanned, failed []unscanned) scanReport {
	report := scanReport{Artefacts: []scanArtefact{}, Totals: map[promotion.Kind]int{}, Failed: failed}
	for _, s := range all {
		t := s.result.Tripwire
		a := scanArtefact{
			Name: s.name, Escalate: t.Raised(), Irreversible: append([]string{}, s.result.Irreversible...),
			LeftOut: s.leftOut, Reasons: []scanFinding{}, Omitted: t.Omitted,
		}
		if s.digest != "" {
			a.Snapshot = &s.digest
		}
		for i, f := range t.Reasons {
			report.Totals[f.Kind]++
			j := scanFinding{
				Kind: f.Kind, Token: f.Token, File: f.File, Line: f.Line, Col: f.Col, Length: f.Length,
				Via: f.Via, Detail: f.Detail, Excerpt: s.excerpts[i],
			}
			if f.Offset >= 0 {
				j.Offset = &f.Offset
			}
			a.Reasons = append(a.Reasons, j)
		}
		report.Artefacts = append(report.Artefacts, a)
	}
	return report
}

// irreversibleRule is the rule for a tool whose effects can't be taken back. It
// is no kind of finding: the guard of the same name stops the promotion.
const irreversibleRule = string(promotion.GuardIrreversible)

// scanSarif is a scan for code review tools: a rule for each kind, a result for
// each reason, and nothing that needs a person without a result. What isn't
// listed, or wasn't scanned, is told as a notification.
func scanSarif(all []scanned, failed []unscanned) sarifLog {
	var results []sarifResult
	run := sarifInvocation{Successful: len(failed) == 0}
	add := func(rule, level, text, name string, line, col int) {
		uri := url.URL{Path: name}
		results = append(results, sarifResult{
			RuleID: rule, Level: level, Message: sarifText{text},
			Locations: []sarifLocation{{sarifPhysical{sarifArtifact{uri.String()}, sarifRegion{max(1, line), max(1, col)}}}},
		})
	}
	for i := range all {
		s := &all[i]
		for _, f := range s.result.Tripwire.Reasons {
			text := f.Detail
			if f.Token != "" {
				text = f.Token + ": " + text
			}
			if f.Via != "" {
				text += " (" + f.Via + ")"
			}
			add(string(f.Kind), scanLevel(f.Kind), text, s.shownName(f.File), f.Line, f.Col)
		}
		for _, tool := range s.result.Irreversible {
			add(irreversibleRule, "warning", tool+": its effects can't be taken back, or can't be told", s.shownName(""), 0, 0)
		}
		if n := s.result.Tripwire.Omitted; n > 0 {
			run.note("warning", fmt.Sprintf("%s: and %s more findings, which are not listed", s.name, thousands(n)))
		}
	}
	for _, f := range failed {
		run.note("error", f.Error)
	}
	log := newSarif(results)
	if len(run.Notes) > 0 {
		log.Runs[0].Invocations = []sarifInvocation{run}
	}
	for i := range log.Runs[0].Tool.Driver.Rules {
		rule := &log.Runs[0].Tool.Driver.Rules[i]
		means := promotion.Kind(rule.ID).Means()
		if rule.ID == irreversibleRule {
			means = "a tool whose effects can't be taken back"
		}
		rule.Description = &sarifText{means}
	}
	return log
}

// scanLevel: what hides, destroys or can't be told is an error, the rest a
// warning. Both need a person.
func scanLevel(k promotion.Kind) string {
	order := promotion.Kinds()
	if slices.Index(order, k) > slices.Index(order, promotion.KindPersistence) && k != promotion.KindHidden {
		return "warning"
	}
	return "error"
}

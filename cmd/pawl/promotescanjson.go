package main

import (
	"net/url"
	"slices"

	"github.com/pawlgate/pawl/promotion"
)

type (
	scanReport struct {
		Artefacts []scanArtefact         `json:"artefacts"`
		Totals    map[promotion.Kind]int `json:"totals"`
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

func scanJSON(all []scanned) scanReport {
	report := scanReport{Artefacts: []scanArtefact{}, Totals: map[promotion.Kind]int{}}
	for _, s := range all {
		t := s.result.Tripwire
		a := scanArtefact{
			Name: s.artefact.Name, Escalate: t.Raised(), Irreversible: append([]string{}, s.result.Irreversible...),
			LeftOut: s.artefact.LeftOut, Reasons: []scanFinding{}, Omitted: t.Omitted,
		}
		if s.digest != "" {
			a.Snapshot = &s.digest
		}
		for _, f := range t.Reasons {
			report.Totals[f.Kind]++
			j := scanFinding{
				Kind: f.Kind, Token: f.Token, File: f.File, Line: f.Line, Col: f.Col, Length: f.Length,
				Via: f.Via, Detail: f.Detail, Excerpt: excerptOf(s.artefact, f),
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

// scanSarif is a scan for code review tools: a rule for each kind.
func scanSarif(all []scanned) sarifLog {
	var results []sarifResult
	for _, s := range all {
		for _, f := range s.result.Tripwire.Reasons {
			text := f.Detail
			if f.Token != "" {
				text = f.Token + ": " + text
			}
			if f.Via != "" {
				text += " (" + f.Via + ")"
			}
			uri := url.URL{Path: shownName(s.artefact, f.File)}
			results = append(results, sarifResult{
				RuleID: string(f.Kind), Level: scanLevel(f.Kind), Message: sarifText{text},
				Locations: []sarifLocation{{sarifPhysical{
					sarifArtifact{uri.String()}, sarifRegion{max(1, f.Line), max(1, f.Col)},
				}}},
			})
		}
	}
	log := newSarif(results)
	for i := range log.Runs[0].Tool.Driver.Rules {
		rule := &log.Runs[0].Tool.Driver.Rules[i]
		rule.Description = &sarifText{promotion.Kind(rule.ID).Means()}
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

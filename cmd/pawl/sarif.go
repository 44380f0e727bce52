package main

import (
	"net/url"
	"path/filepath"
	"slices"

	"github.com/pawlgate/pawl/policy"
)

// The part of SARIF 2.1.0 (OASIS) that code review tools read.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations,omitempty"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	// sarifInvocation says what a run couldn't do.
	sarifInvocation struct {
		Successful bool        `json:"executionSuccessful"`
		Notes      []sarifNote `json:"toolExecutionNotifications"`
	}
	sarifNote struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"semanticVersion"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID          string     `json:"id"`
		Description *sarifText `json:"shortDescription,omitempty"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

func (i *sarifInvocation) note(level, text string) {
	i.Notes = append(i.Notes, sarifNote{level, sarifText{text}})
}

func sarif(files []checked) sarifLog {
	var results []sarifResult
	for _, f := range files {
		uri := url.URL{Path: filepath.ToSlash(f.name)} // escapes what a URI can't hold
		for _, p := range f.problems {
			results = append(results, sarifResult{
				RuleID: p.Code, Level: severity(p), Message: sarifText{p.Message},
				Locations: []sarifLocation{{sarifPhysical{
					sarifArtifact{uri.String()}, sarifRegion{max(1, p.Pos.Line), max(1, p.Pos.Col)},
				}}},
			})
		}
	}
	return newSarif(results)
}

// newSarif makes a log of results, with the rules that they name.
func newSarif(results []sarifResult) sarifLog {
	run := sarifRun{
		ColumnKind: "unicodeCodePoints",
		Tool:       sarifTool{sarifDriver{Name: "pawl", Version: policy.Version, Rules: []sarifRule{}}},
		Results:    append([]sarifResult{}, results...),
	}
	var ids []string
	for _, r := range results {
		ids = append(ids, r.RuleID)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: id})
	}
	return sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	}
}

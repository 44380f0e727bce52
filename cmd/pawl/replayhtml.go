package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"

	"github.com/pawlgate/pawl/policy"
)

//go:embed replay.html.tmpl
var replayPage string

var replayTemplate = template.Must(template.New("replay").Funcs(template.FuncMap{
	"thousands": thousands,
	"percent":   percent,
	"join":      joined,
	"brief":     brief,
	"itemID":    itemID,
	"charts":    charts,
}).Parse(replayPage))

// replayHTML makes one page of a replay: no script, nothing to load.
func replayHTML(r *replayReport) ([]byte, error) {
	var page bytes.Buffer
	err := replayTemplate.Execute(&page, map[string]any{
		"Report": r, "Verdicts": policy.Verdicts, "Rules": rowsBelow(ruleTable(r.Rules)),
		"Cells": cells(r.ReplayReport), "More": r.MoreAutomatic - len(r.List),
	})
	if err != nil {
		return nil, fmt.Errorf("make the page: %w", err)
	}
	return page.Bytes(), nil
}

// rowsBelow returns a table without its head.
func rowsBelow(rows [][]string) [][]string { return rows[1:] }

// verdictRow is a row of the table of verdicts.
type verdictRow struct {
	Old   string
	Cells []verdictCell
}

// verdictCell is one count, and what the change means: same, tighter or looser.
type verdictCell struct {
	Items   int
	Meaning string
}

func cells(r *policy.ReplayReport) []verdictRow {
	var rows []verdictRow
	for i, old := range policy.Verdicts {
		row := verdictRow{Old: string(old)}
		for j, new := range policy.Verdicts {
			meaning := "looser"
			switch {
			case i == j:
				meaning = "same"
			case j == len(policy.Verdicts)-1:
				meaning = "tighter"
			}
			row.Cells = append(row.Cells, verdictCell{r.Verdicts[old][new], meaning})
		}
		rows = append(rows, row)
	}
	return rows
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawlgate/pawl/promotion"
)

// scanText is a scan for people: each artefact, its findings by kind, the most
// severe first, one line each, and the totals.
func scanText(all []scanned, every bool) []byte {
	b := &bytes.Buffer{}
	totals := map[promotion.Kind]int{}
	raised, found := 0, 0
	for i := range all {
		s := &all[i]
		if i > 0 {
			fmt.Fprintln(b)
		}
		n := len(s.result.Tripwire.Reasons) + s.result.Tripwire.Omitted
		found += n
		if s.needsPerson() {
			raised++
			fmt.Fprintf(b, "%s: needs a person", cell(s.name))
			if n > 0 {
				fmt.Fprintf(b, ", %s", plural(n, "finding"))
			}
			fmt.Fprintln(b)
		} else {
			fmt.Fprintf(b, "%s: nothing found\n", cell(s.name))
		}
		if len(s.result.Irreversible) > 0 {
			fmt.Fprintf(b, "  effects can't be taken back, or can't be told: %s\n", cell(strings.Join(s.result.Irreversible, ", ")))
		}
		appendFindings(b, &s.result.Tripwire, s.excerpts, every)
		if len(s.leftOut) > 0 {
			fmt.Fprintf(b, "  left out, and never applied: %s\n", cell(strings.Join(s.leftOut, ", ")))
		}
		for _, f := range s.result.Tripwire.Reasons {
			totals[f.Kind]++
		}
	}
	if len(all) > 1 || found > 0 {
		fmt.Fprintf(b, "\n%s, %d for a person", plural(len(all), "artefact"), raised)
		sep := ": "
		for _, k := range promotion.Kinds() {
			if totals[k] > 0 {
				fmt.Fprintf(b, "%s%s %s", sep, k, thousands(totals[k]))
				sep = ", "
			}
		}
		fmt.Fprintln(b)
	}
	if raised < len(all) {
		fmt.Fprintln(b, "Nothing found is not safe: a scan sees what it looks for, and clears nothing.")
	}
	return b.Bytes()
}

// appendFindings writes the findings of one artefact, with the excerpt of each.
// Unless every place is wanted, those that differ only in their place within a
// file share a line.
func appendFindings(b *bytes.Buffer, t *promotion.TripwireResult, excerpts []string, every bool) {
	byKind := map[promotion.Kind][]int{}
	for i, f := range t.Reasons {
		byKind[f.Kind] = append(byKind[f.Kind], i)
	}
	for _, kind := range promotion.Kinds() {
		group := byKind[kind]
		if len(group) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s: %s\n", kind, kind.Means())
		var rows [][]string
		for _, same := range together(t.Reasons, group, every) {
			rows = append(rows, findingRow(t.Reasons[same[0]], excerpts[same[0]], len(same)-1))
		}
		writeLongTable(b, rows)
	}
	if t.Omitted > 0 {
		fmt.Fprintf(b, "\nand %s more, which are not listed\n", thousands(t.Omitted))
	}
}

// together groups some of the findings that differ only in where in their file
// they stand, in the order of the first of each group.
func together(findings []promotion.Finding, some []int, every bool) (groups [][]int) {
	type key struct{ token, file, via, detail string }
	place := map[key]int{}
	for _, n := range some {
		f := findings[n]
		k := key{f.Token, f.File, f.Via, f.Detail}
		i, ok := place[k]
		if !ok || every {
			i = len(groups)
			place[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], n)
	}
	return groups
}

// findingRow is one line: where, what, and the text around it.
func findingRow(f promotion.Finding, excerpt string, more int) []string {
	at := f.File
	if at == "" {
		at = "(the artefact)"
	}
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", at, f.Line, f.Col)
	}
	if more > 0 {
		at += fmt.Sprintf(" (+%s)", thousands(more))
	}
	what := f.Token
	if f.Via != "" {
		what = strings.TrimSpace(what + " (" + f.Via + ")")
	}
	text := f.Detail
	if f.Kind != promotion.KindFrontMatter && f.Kind != promotion.KindTools {
		text = cmp.Or(excerpt, text)
	}
	return []string{cell(at), cell(what), cell(text)}
}

// maxPadded is how far a long cell pushes those of the other rows.
const maxPadded = 48

// writeLongTable is writeTable for cells that may be as long as a path: one that
// is longer than others may be pushed stands out of line, and alone does.
func writeLongTable(b *bytes.Buffer, rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, text := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			if n := utf8.RuneCountInString(text); n <= maxPadded {
				width[i] = max(width[i], n)
			}
		}
	}
	for _, row := range rows {
		line := ""
		for i, text := range row {
			line += "  " + text + strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(text)))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// findingWidth is how much of a line is shown, in characters, so that a line fits a terminal.
const findingWidth = 60

// excerptsOf returns the excerpt of each finding.
func excerptsOf(a *promotion.Artefact, findings []promotion.Finding) []string {
	texts := make([]string, len(findings))
	for i, f := range findings {
		texts[i] = strings.Clone(excerptOf(a, f)) // not the file that it is cut from
	}
	return texts
}

// excerptOf returns the text around a finding, with secrets cut; empty where
// there is none to show.
func excerptOf(a *promotion.Artefact, f promotion.Finding) string {
	if f.Offset < 0 || f.Line == 0 {
		return ""
	}
	i, ok := slices.BinarySearchFunc(a.Files, f.File, func(file promotion.File, path string) int {
		return strings.Compare(file.Path, path)
	})
	if !ok {
		return ""
	}
	return promotion.Excerpt(a.Files[i].Data, f.Offset, f.Length, findingWidth)
}

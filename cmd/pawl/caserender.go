package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/policy"
)

// appendCase appends a decided case for people, to be read top to bottom: what,
// why, what to do next, every rule, and what it rests on besides. Any text in it
// may come from a case, or from somebody's output.
func appendCase(dst []byte, f *policy.File, id []byte, r *policy.CaseResult) []byte {
	b := bytes.NewBuffer(dst)
	out := &r.Output
	fmt.Fprintf(b, "%s", out.Action)
	if out.Category != "" {
		fmt.Fprintf(b, "  %s", out.Category)
	}
	if id != nil {
		fmt.Fprintf(b, "  %s", cell(string(id)))
	}
	fmt.Fprintf(b, "  (gate %s, verdict %s", f.Gate, r.Verdict)
	if r.Queue != "" {
		fmt.Fprintf(b, ", queue %s", cell(r.Queue))
	}
	fmt.Fprint(b, ")\n")
	if out.Action == casegate.Decide {
		rows := [][]string{{"decision", cell(out.Decision)}}
		if out.SelectedRoute != "" {
			rows = append(rows, []string{"route", cell(out.SelectedRoute)})
		}
		if out.Rationale != "" {
			rows = append(rows, []string{"because", cell(out.Rationale)})
		}
		section(b, "what", rows)
	}
	// The next step, too, is somebody else's if an output from elsewhere counts.
	whose := ""
	if r.Report != nil && len(out.Rules) == 0 && r.Report.Action == casegate.Escalate && len(r.Report.Schema) == 0 {
		whose = " (in the words of the output from elsewhere)"
	}
	found := caseFindings(out)
	if len(found) > 0 {
		fmt.Fprintf(b, "\nwhy%s\n", whose)
		for _, e := range found {
			writeTable(b, [][]string{{cell(e.key), string(e.category), cell(e.why)}})
			writeIndented(b, e.details)
		}
	}
	section(b, "why a person decides", furtherReasons(r, found))
	if out.Action != casegate.Decide {
		section(b, "what to do next"+whose, [][]string{{cell(out.HumanAction)}})
	}
	var rules [][]string
	for _, o := range out.Rules {
		if o.Category == "" {
			rules = append(rules, []string{"✓ " + cell(o.ID), "passed"})
		} else {
			rules = append(rules, []string{"✗ " + cell(o.ID), string(o.Category)})
		}
	}
	section(b, "rules (✓ passed, ✗ fired)", rules)
	section(b, "confidence", [][]string{{decimal(out.Confidence), cell(out.ConfidenceReasoning)}})
	section(b, "the output from elsewhere", reportRows(r.Report))
	section(b, "model_opinion (the model's own words: nobody has checked them)", opinionRows(out.ModelOpinion))
	if len(out.Rules) == 0 || out.ModelOpinion != nil {
		var trail [][]string
		for _, line := range out.AuditTrail {
			trail = append(trail, []string{cell(line)})
		}
		section(b, "audit trail"+whose, trail)
	}
	return b.Bytes()
}

func section(b *bytes.Buffer, title string, rows [][]string) {
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n%s\n", title)
		writeTable(b, rows)
	}
}

// writeIndented writes a table below the line that it belongs to.
func writeIndented(b *bytes.Buffer, rows [][]string) {
	var t bytes.Buffer
	writeTable(&t, rows)
	for line := range strings.Lines(t.String()) {
		b.WriteString("    " + line)
	}
}

// cell makes one cell of a table of a text that may be anybody's.
func cell(s string) string { return printable(oneLine([]byte(s))) }

// furtherReasons are the reasons of the verdict that say more than the findings
// do.
func furtherReasons(r *policy.CaseResult, found []caseFinding) (rows [][]string) {
	for _, reason := range r.Reasons {
		told := func(f caseFinding) bool {
			return f.key == string(reason.Code) || f.why == reason.Message
		}
		if reason.Code == casegate.CodeCaseEscalated && len(found) > 0 || slices.ContainsFunc(found, told) {
			continue
		}
		rows = append(rows, []string{cell(reason.String()), cell(reason.Message)})
	}
	return rows
}

// reportRows say what was found in an output from elsewhere.
func reportRows(r *casegate.Report) (rows [][]string) {
	if r == nil {
		return nil
	}
	if r.Malformed != "" {
		return [][]string{{"can't be read: " + cell(r.Malformed)}}
	}
	for _, list := range []struct {
		what     string
		findings []casegate.Finding
	}{{"schema", r.Schema}, {"contradiction", r.Contradictions}, {"warning", r.Warnings}} {
		for _, f := range list.findings {
			rows = append(rows, []string{list.what, cell(f.String())})
		}
	}
	if rows == nil {
		rows = [][]string{{string(r.Action) + ", and nothing in it speaks against that"}}
	}
	return rows
}

// opinionRows are a model's words.
func opinionRows(opinion map[string]any) (rows [][]string) {
	for _, key := range slices.Sorted(maps.Keys(opinion)) {
		if text, ok := opinion[key].(string); ok {
			if text != "" {
				rows = append(rows, []string{cell(key), cell(text)})
			}
			continue
		}
		rows = append(rows, []string{cell(key), anyValue(opinion[key])})
	}
	return rows
}

// decimal writes a confidence.
func decimal(f float64) string { return fmt.Sprintf("%.4g", f) }

// appendCaseLine appends a decided case of a stream as one line, in columns that
// no id can move: the line, the id or nothing, the verdict, the action, and of
// DECIDE the decision, of ESCALATE the category and the next step, with the fault
// of a malformed one.
func appendCaseLine(dst []byte, line int, in *policy.CaseInput, r *policy.CaseResult) []byte {
	dst = fmt.Appendf(dst, "%d\t%s\t%s\t%s", line, cell(string(in.ID)), r.Verdict, r.Output.Action)
	if r.Output.Action == casegate.Decide {
		dst = fmt.Appendf(dst, "\t%s", cell(r.Output.Decision))
	} else {
		dst = fmt.Appendf(dst, "\t%s\t%s", r.Output.Category, cell(r.Output.HumanAction))
	}
	if in.Err != nil {
		dst = fmt.Appendf(dst, " (%s)", cell(in.Err.Error()))
	}
	return append(dst, '\n')
}

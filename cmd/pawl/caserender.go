package main

import (
	"bytes"
	"fmt"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/policy"
)

// appendCase appends a decided case for people, to be read top to bottom: what,
// why, what to do next, and every rule.
func appendCase(dst []byte, f *policy.File, id []byte, r *policy.CaseResult) []byte {
	b := bytes.NewBuffer(dst)
	out := &r.Output
	fmt.Fprintf(b, "%s", out.Action)
	if out.Category != "" {
		fmt.Fprintf(b, "  %s", out.Category)
	}
	if id != nil {
		fmt.Fprintf(b, "  %s", printable(oneLine(id)))
	}
	fmt.Fprintf(b, "  (gate %s, verdict %s", f.Gate, r.Verdict)
	if r.Queue != "" {
		fmt.Fprintf(b, ", queue %s", printable(r.Queue))
	}
	fmt.Fprint(b, ")\n")
	section := func(title string, rows [][]string) {
		if len(rows) > 0 {
			fmt.Fprintf(b, "\n%s\n", title)
			writeTable(b, rows)
		}
	}
	if out.Action == casegate.Decide {
		rows := [][]string{{"decision", printable(out.Decision)}}
		if out.SelectedRoute != "" {
			rows = append(rows, []string{"route", printable(out.SelectedRoute)})
		}
		section("what", append(rows, []string{"because", printable(out.Rationale)}))
	}
	var why [][]string
	for _, reason := range r.Reasons {
		why = append(why, []string{printable(reason.String()), printable(reason.Message)})
	}
	section("why not by itself", why)
	if out.Action != casegate.Decide {
		section("what to do next", [][]string{{printable(out.HumanAction)}})
	}
	section("confidence", [][]string{{decimal(out.Confidence), printable(out.ConfidenceReasoning)}})
	var rules [][]string
	for _, o := range out.Rules {
		if o.Category == "" {
			rules = append(rules, []string{"✓ " + printable(o.ID)})
		} else {
			rules = append(rules, []string{"✗ " + printable(o.ID), string(o.Category), printable(o.Why)})
		}
	}
	section("rules (✓ passed, ✗ fired)", rules)
	if len(out.Rules) == 0 || out.ModelOpinion != nil {
		var trail [][]string
		for _, line := range out.AuditTrail {
			trail = append(trail, []string{printable(oneLine([]byte(line)))})
		}
		section("audit trail", trail)
	}
	return b.Bytes()
}

// decimal writes a confidence.
func decimal(f float64) string { return fmt.Sprintf("%.4g", f) }

// appendCaseLine appends a decided case of a stream as one line.
func appendCaseLine(dst []byte, line int, id []byte, r *policy.CaseResult) []byte {
	dst = fmt.Appendf(dst, "%d", line)
	if id != nil {
		dst = append(append(dst, '\t'), printable(oneLine(id))...)
	}
	dst = fmt.Appendf(dst, "\t%s\t%s", r.Verdict, r.Output.Action)
	if r.Output.Category != "" {
		dst = fmt.Appendf(dst, "\t%s\t%s", r.Output.Category, printable(oneLine([]byte(r.Output.HumanAction))))
	} else {
		dst = fmt.Appendf(dst, "\t%s", printable(oneLine([]byte(r.Output.Decision))))
	}
	return append(dst, '\n')
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// appendResultJSON appends a result with its explanation, if there is one, and
// a line break.
func appendResultJSON(dst []byte, f *policy.File, line int, id []byte, d *threshold.Decision, e *policy.Explanation) ([]byte, error) {
	dst = f.Threshold.AppendResult(dst, line, id, d)
	if e != nil {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e); err != nil {
			return dst, fmt.Errorf("write the explanation: %w", err)
		}
		dst = append(dst[:len(dst)-1], `,"explain":`...)
		dst = append(append(dst, bytes.TrimSpace(b.Bytes())...), '}')
	}
	return append(dst, '\n'), nil
}

// appendLine appends a decision of a stream as one line of text.
func appendLine(dst []byte, line int, id []byte, d *threshold.Decision) []byte {
	dst = strconv.AppendInt(dst, int64(line), 10)
	if id != nil {
		dst = append(append(dst, '\t'), printable(oneLine(id))...)
	}
	dst = append(append(dst, '\t'), d.Verdict...)
	for i := range d.Reasons {
		sep := byte(' ')
		if i == 0 {
			sep = '\t'
		}
		dst = append(append(dst, sep), printable(d.Reasons[i].String())...)
		if d.Reasons[i].Code == "input_malformed" {
			dst = append(append(append(dst, " ("...), printable(d.Reasons[i].Message)...), ')')
		}
	}
	return append(dst, '\n')
}

func oneLine(id []byte) string {
	return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(string(id))
}

// appendDecision appends a decision for people: the verdict first, then why,
// then, if asked for, everything that was looked at.
func appendDecision(dst []byte, f *policy.File, id []byte, d *threshold.Decision, e *policy.Explanation) []byte {
	b := bytes.NewBuffer(dst)
	fmt.Fprintf(b, "%s", d.Verdict)
	if id != nil {
		fmt.Fprintf(b, "  %s", printable(oneLine(id)))
	}
	fmt.Fprintf(b, "  (gate %s", f.Gate)
	if d.Risk != "" {
		fmt.Fprintf(b, ", risk %s", d.Risk)
	}
	fmt.Fprint(b, ")\n")
	var rows [][]string
	for _, r := range d.Reasons {
		rows = append(rows, []string{printable(r.String()), printable(r.Message)})
	}
	writeTable(b, rows)
	if e != nil {
		explainBands(b, e.Bands)
		explainConditions(b, "rules (✗ fired, ✓ didn't, ? can't be decided)", e.Rules)
		explainConditions(b, "risk (the first that is true)", e.Risk)
	}
	return b.Bytes()
}

func explainBands(b *bytes.Buffer, bands []policy.BandLine) {
	if len(bands) == 0 {
		return
	}
	fmt.Fprint(b, "\nbands\n")
	var rows [][]string
	for _, l := range bands {
		rows = append(rows, []string{l.Score, string(l.Band), printable(l.Value), fmt.Sprintf("high >= %v, review >= %v", l.HighMin, l.ReviewMin)})
	}
	writeTable(b, rows)
}

// marks of outcomes: a rule that fired, one that didn't, one that can't be decided.
var marks = map[policy.Outcome]string{policy.Holds: "✗", policy.HoldsNot: "✓", policy.Unknown: "?"}

func explainConditions(b *bytes.Buffer, title string, lines []policy.RuleLine) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	var rows [][]string
	for _, l := range lines {
		mark := marks[l.Outcome]
		if l.Force == "" { // a risk level that holds is no failure
			mark = "·"
		}
		values := make([]string, len(l.Values))
		for i, v := range l.Values {
			values[i] = v.Name + " = " + v.Value
		}
		rows = append(rows, []string{mark + " " + printable(l.ID), string(l.Outcome), printable(l.When), printable(strings.Join(values, ", "))})
	}
	writeTable(b, rows)
	for _, l := range lines {
		switch {
		case l.Outcome == policy.Holds && l.Force != "":
			fmt.Fprintf(b, "  %s → %s: %s\n", printable(l.ID), l.Force, printable(l.Reason))
		case l.Outcome == policy.Unknown:
			fmt.Fprintf(b, "  %s → %s\n", printable(l.ID), printable(l.Why))
		}
	}
}

// writeTable writes rows of cells in columns, indented, without blanks at the
// ends of lines.
func writeTable(b *bytes.Buffer, rows [][]string) {
	var t bytes.Buffer
	w := tabwriter.NewWriter(&t, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = fmt.Fprintln(w, "  "+strings.Join(row, "\t")) // into a buffer, as said below
	}
	_ = w.Flush() // a bytes.Buffer can't fail
	for line := range strings.Lines(t.String()) {
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
}

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
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, r := range d.Reasons {
		fmt.Fprintf(w, "  %s\t%s\n", printable(r.String()), printable(r.Message))
	}
	_ = w.Flush() // a bytes.Buffer can't fail
	if e != nil {
		explainBands(b, e.Bands)
		explainConditions(b, "rules", e.Rules)
		explainConditions(b, "risk", e.Risk)
	}
	return b.Bytes()
}

func explainBands(b *bytes.Buffer, bands []policy.BandLine) {
	if len(bands) == 0 {
		return
	}
	fmt.Fprint(b, "\nbands\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, l := range bands {
		fmt.Fprintf(w, "  %s\t%s\t%s\thigh >= %v, review >= %v\n", l.Score, l.Band, l.Value, l.HighMin, l.ReviewMin)
	}
	_ = w.Flush()
}

// marks of outcomes: a rule that fired, one that didn't, one that can't be decided.
var marks = map[policy.Outcome]string{policy.Holds: "✗", policy.HoldsNot: "✓", policy.Unknown: "?"}

func explainConditions(b *bytes.Buffer, title string, lines []policy.RuleLine) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, l := range lines {
		mark := marks[l.Outcome]
		if l.Force == "" { // a risk level that holds is no failure
			mark = "·"
		}
		values := make([]string, len(l.Values))
		for i, v := range l.Values {
			values[i] = v.Name + " = " + v.Value
		}
		fmt.Fprintf(w, "  %s %s\t%s\t%s\t%s\n", mark, printable(l.ID), l.Outcome, printable(l.When), printable(strings.Join(values, ", ")))
	}
	_ = w.Flush()
	for _, l := range lines {
		switch {
		case l.Outcome == policy.Holds && l.Force != "":
			fmt.Fprintf(b, "  %s → %s: %s\n", printable(l.ID), l.Force, printable(l.Reason))
		case l.Outcome == policy.Unknown:
			fmt.Fprintf(b, "  %s → %s\n", printable(l.ID), printable(l.Why))
		}
	}
}

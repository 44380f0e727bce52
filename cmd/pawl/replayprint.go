package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// report adds up what the workers counted.
func (r *replayRun) report(items *itemList) *replayReport {
	sum := policy.NewReplay(r.old.Threshold, r.new.Threshold)
	for _, w := range r.workers {
		sum.Add(w.replay)
	}
	out := &replayReport{
		Engine: policy.Engine, Data: r.cmd.Input, Old: nameOf(r.old), New: nameOf(r.new),
		ReplayReport: sum.Report(), List: make([]replayItem, len(items.kept)),
	}
	for i, line := range items.kept {
		_ = json.Unmarshal(line, &out.List[i]) // appendItem wrote it
	}
	return out
}

func (r *replayRun) print(p *program, report *replayReport) error {
	switch r.cmd.Output {
	case "json":
		return p.printJSON(report)
	case "html":
		page, err := replayHTML(report)
		if err != nil {
			return err
		}
		return p.print(page)
	default:
		return p.print(replayText(report))
	}
}

func replayText(r *replayReport) []byte {
	w := &bytes.Buffer{}
	fmt.Fprintf(w, "old  %s  gate %s  %s\nnew  %s  gate %s  %s\n\n", printable(r.Old.File), r.Old.Gate, r.Old.Policy, printable(r.New.File), r.New.Gate, r.New.Policy)
	fmt.Fprintf(w, "%s, malformed %s\n\n", plural(r.Items, "input"), thousands(r.Malformed))
	w.WriteString(rightAligned(verdictTable(r.ReplayReport)))
	fmt.Fprintf(w, "\nmore automatic %s, more supervised %s, same %s\n", thousands(r.MoreAutomatic), thousands(r.MoreSupervised), thousands(r.Same))
	if r.MoreAutomatic > 0 {
		printMoved(w, "reasons that they lose", r.Gone)
		printMoved(w, "reasons that they get", r.Came)
		printItems(w, r)
	}
	if len(r.Rules) > 0 {
		fmt.Fprint(w, "\nrules\n")
		w.WriteString(rightAligned(ruleTable(r.Rules)))
	}
	return w.Bytes()
}

// verdictTable has a row for each old verdict and a column for each new one.
func verdictTable(r *policy.ReplayReport) [][]string {
	head := []string{"old \\ new"}
	for _, v := range policy.Verdicts {
		head = append(head, string(v))
	}
	rows := [][]string{append(head, "all")}
	sums := [4]int{}
	for _, old := range policy.Verdicts {
		row, sum := []string{string(old)}, 0
		for j, new := range policy.Verdicts {
			n := r.Verdicts[old][new]
			row = append(row, thousands(n))
			sum += n
			sums[j] += n
		}
		sums[3] += sum
		rows = append(rows, append(row, thousands(sum)))
	}
	last := []string{"all"}
	for _, n := range sums {
		last = append(last, thousands(n))
	}
	return append(rows, last)
}

func ruleTable(rules []policy.ReplayRule) [][]string {
	rows := [][]string{{"", "fired, old", "new", "change", "unknown, old", "new"}}
	for _, r := range rules {
		rows = append(rows, []string{
			brief(r.ID), uses(r.Old, r.Old.Fired), uses(r.New, r.New.Fired), difference(r),
			uses(r.Old, r.Old.Unknown), uses(r.New, r.New.Unknown),
		})
	}
	return rows
}

// uses shows a count of a rule, or that the policy doesn't have it.
func uses(u policy.RuleUses, n int) string {
	if u.Force == "" {
		return "–"
	}
	return thousands(n)
}

func difference(r policy.ReplayRule) string {
	switch d := r.New.Fired - r.Old.Fired; {
	case r.Old.Force == "":
		return "added"
	case r.New.Force == "":
		return "removed"
	case d > 0:
		return "+" + thousands(d)
	case d < 0:
		return "−" + thousands(-d)
	default:
		return "="
	}
}

func printMoved(w *bytes.Buffer, title string, counts []policy.ReasonCount) {
	fmt.Fprintf(w, "\n%s\n", title)
	if len(counts) == 0 {
		fmt.Fprint(w, "  none\n")
	}
	var rows [][]string
	for _, c := range counts {
		rows = append(rows, []string{fmt.Sprintf("%8s", thousands(c.Items)), brief(c.Reason)})
	}
	writeTable(w, rows)
}

func printItems(w *bytes.Buffer, r *replayReport) {
	fmt.Fprint(w, "\nitems that become more automatic\n")
	var rows [][]string
	for _, item := range r.List {
		rows = append(rows, []string{
			fmt.Sprintf("line %d", item.Line), itemID(item), arrow(item.Old, item.New),
			signed("−", item.Gone), signed("+", item.Came),
		})
	}
	writeTable(w, rows)
	if more := r.MoreAutomatic - len(r.List); more > 0 {
		fmt.Fprintf(w, "  … and %s more (--list N shows more, --items FILE writes all)\n", thousands(more))
	}
}

func signed(sign string, reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return sign + " " + joined(reasons)
}

// joined lists reasons, each of them brief.
func joined(reasons []string) string {
	list := make([]string, len(reasons))
	for i, r := range reasons {
		list[i] = brief(r)
	}
	return strings.Join(list, ", ")
}

func itemID(item replayItem) string {
	if item.ID == nil {
		return ""
	}
	return brief(*item.ID)
}

func arrow(old, new threshold.Verdict) string { return string(old) + " → " + string(new) }

// rightAligned lays rows out in columns, the first one to the left.
func rightAligned(rows [][]string) string {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			blanks := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i == 0 {
				b.WriteString("  " + cell + blanks)
			} else {
				b.WriteString("  " + blanks + cell)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// tally counts decisions.
type tally struct {
	decided, malformed int
	verdicts           map[threshold.Verdict]int
	reasons            map[reasonKey]int
	ids                map[string]bool // of --only, that were found
}

type reasonKey struct {
	code    threshold.Code
	subject string
}

// maxReasonKeys bounds the memory of a tally: subjects may come from the input.
const maxReasonKeys = 1000

func newTally() tally {
	return tally{verdicts: map[threshold.Verdict]int{}, reasons: map[reasonKey]int{}, ids: map[string]bool{}}
}

func (t *tally) count(d *threshold.Decision) {
	t.decided++
	t.verdicts[d.Verdict]++
	for i := range d.Reasons {
		r := &d.Reasons[i]
		if r.Code == "input_malformed" {
			t.malformed++
		}
		key := reasonKey{r.Code, r.Subject}
		if n, ok := t.reasons[key]; ok || len(t.reasons) < maxReasonKeys {
			t.reasons[key] = n + 1
		}
	}
}

func (t *tally) add(o *tally) {
	t.decided += o.decided
	t.malformed += o.malformed
	for v, n := range o.verdicts {
		t.verdicts[v] += n
	}
	for r, n := range o.reasons {
		t.reasons[r] += n
	}
	maps.Copy(t.ids, o.ids)
}

func (t *tally) missing(ids []string) []string {
	var missing []string
	for _, id := range ids {
		if !t.ids[id] {
			missing = append(missing, strconv.Quote(id))
		}
	}
	return missing
}

var verdictOrder = []threshold.Verdict{threshold.AutoApply, threshold.AutoReject, threshold.RouteToHuman}

// line is the summary that stands on stderr after every stream.
func (t *tally) line(took time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s decided in %s:", thousands(t.decided), took.Round(time.Millisecond))
	for _, v := range verdictOrder {
		fmt.Fprintf(&b, " %s %s,", v, thousands(t.verdicts[v]))
	}
	fmt.Fprintf(&b, " malformed %s", thousands(t.malformed))
	return b.String()
}

// report is the table that --summary prints.
func (t *tally) report(f *policy.File) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "gate %s, %s decided\n\n", f.Gate, thousands(t.decided))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, v := range verdictOrder {
		fmt.Fprintf(w, "%s\t%s\t%s\t\n", v, thousands(t.verdicts[v]), percent(t.verdicts[v], t.decided))
	}
	_ = w.Flush() // a bytes.Buffer can't fail
	fmt.Fprintf(&b, "\nreasons, most frequent first (a decision has several)\n\n")
	keys := slices.SortedFunc(maps.Keys(t.reasons), func(a, b reasonKey) int {
		return cmp.Or(cmp.Compare(t.reasons[b], t.reasons[a]), cmp.Compare(a.code, b.code), cmp.Compare(a.subject, b.subject))
	})
	var rows [][]string
	for _, k := range keys {
		rows = append(rows, []string{fmt.Sprintf("%8s", thousands(t.reasons[k])), string(k.code), printable(k.subject)})
	}
	writeTable(&b, rows)
	return b.Bytes()
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// thousands writes 1234567 as 1,234,567.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

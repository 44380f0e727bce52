package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// tally counts decisions.
type tally struct {
	decided, malformed int
	verdicts           [3]int            // by supervision
	reasons            map[reasonKey]int // nil: not counted, which is quicker
	ids                map[string]bool   // of --only, that were found
}

type reasonKey struct {
	code    threshold.Code
	subject string
}

// maxReasonKeys bounds the memory of a tally: subjects may come from the input.
const maxReasonKeys = 1000

func newTally(reasons bool) tally {
	t := tally{ids: map[string]bool{}}
	if reasons {
		t.reasons = map[reasonKey]int{}
	}
	return t
}

func (t *tally) count(d *threshold.Decision) {
	t.decided++
	t.verdicts[d.Verdict.Supervision()]++
	if d.Malformed() {
		t.malformed++
	}
	if t.reasons == nil {
		return
	}
	for i := range d.Reasons {
		r := &d.Reasons[i]
		key := reasonKey{r.Code, r.Subject}
		if n, ok := t.reasons[key]; ok || len(t.reasons) < maxReasonKeys {
			t.reasons[key] = n + 1
		}
	}
}

func (t *tally) add(o *tally) {
	t.decided += o.decided
	t.malformed += o.malformed
	for i, n := range o.verdicts {
		t.verdicts[i] += n
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
		fmt.Fprintf(&b, " %s %s,", v, thousands(t.verdicts[v.Supervision()]))
	}
	fmt.Fprintf(&b, " malformed %s", thousands(t.malformed))
	return b.String()
}

// report is the table that --summary prints.
func (t *tally) report(f *policy.File) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "gate %s, %s decided\n\n", f.Gate, thousands(t.decided))
	for _, v := range verdictOrder {
		fmt.Fprintf(&b, "%16s  %*s  %7s\n", v, len(thousands(t.decided)), thousands(t.verdicts[v.Supervision()]), percent(t.verdicts[v.Supervision()], t.decided))
	}
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

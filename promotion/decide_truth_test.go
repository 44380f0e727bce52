package promotion_test

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawlgate/pawl/promotion"
)

//go:embed testdata/truth.txt
var truth string

// column is a column of the truth table: its values that pass, and all.
type column struct{ ok, all []string }

// truthRow is what a combination must fit, in the order of truthColumns.
type truthRow struct {
	patterns        []string
	terminal, guard string
	fits            int
}

// truthColumns is the order in a row; truthGuards are the guards of all but
// advisory.
var (
	truthColumns = []string{"tripwire", "advisory", "irreversible", "statistics", "kinds", "oracle", "gate2", "gate4"}
	truthGuards  = []promotion.Guard{
		promotion.GuardTripwire, "", promotion.GuardIrreversible, promotion.GuardStatistics,
		promotion.GuardConcurrence, promotion.GuardOracle, promotion.GuardGate2, promotion.GuardGate4,
	}
)

func readTruth(t *testing.T) (map[string]column, []truthRow) {
	t.Helper()
	columns, rows := map[string]column{}, []truthRow(nil)
	for line := range strings.Lines(truth) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
		case fields[0] == "value":
			bar := slices.Index(fields, "|")
			columns[fields[1]] = column{ok: fields[2:bar], all: slices.Concat(fields[2:bar], fields[bar+1:])}
		case fields[0] == "row" && len(fields) == 3+len(truthColumns):
			rows = append(rows, truthRow{patterns: fields[1 : 1+len(truthColumns)], terminal: fields[9], guard: fields[10]})
		default:
			t.Fatalf("the truth table has the line %q", line)
		}
	}
	return columns, rows
}

func (c column) fits(pattern, value string) bool {
	switch pattern {
	case "*":
		return true
	case "ok":
		return slices.Contains(c.ok, value)
	case "no":
		return !slices.Contains(c.ok, value)
	default:
		return slices.Contains(strings.Split(pattern, "/"), value)
	}
}

// Every combination fits one row of the table, and the gate answers what stands
// there, whether it gets Go values or JSON; its list of guards has all that the
// table's values stop at, in order.
func TestDecideFollowsTheTruthTable(t *testing.T) {
	columns, rows := readTruth(t)
	tried := 0
	combinations(columns, nil, func(values []string) {
		tried++
		row := -1
		for i := range rows {
			if fitsRow(columns, rows[i].patterns, values) {
				if row >= 0 {
					t.Fatalf("%v fits the rows %d and %d", values, row, i)
				}
				row = i
			}
		}
		if row < 0 {
			t.Fatalf("%v fits no row", values)
		}
		rows[row].fits++
		in, text := inputsOf(values)
		opt := promotion.Options{Advisory: values[1] == "on"}
		d := promotion.Decide(in, opt)
		first := "-"
		if len(d.Stops) > 0 {
			first = string(d.Stops[0].Guard)
		}
		if string(d.Terminal) != rows[row].terminal || first != rows[row].guard {
			t.Errorf("%v: %s by %s, want %s by %s", values, d.Terminal, first, rows[row].terminal, rows[row].guard)
		}
		var guards []promotion.Guard
		for i, name := range truthColumns {
			waived := name == "tripwire" && values[i] == "missing" && opt.Advisory
			if truthGuards[i] != "" && !slices.Contains(columns[name].ok, values[i]) && !waived {
				guards = append(guards, truthGuards[i])
			}
		}
		if got := guardsOf(d); !slices.Equal(got, guards) {
			t.Errorf("%v: stopped by %v, want %v", values, got, guards)
		}
		read, err := promotion.ParseInputs([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(d, promotion.Decide(read, opt)); diff != "" {
			t.Errorf("from JSON %s:\n%s", text, diff)
		}
	})
	if want := 5 * 2 * 3 * 3 * 5 * 6 * 4 * 3; tried != want {
		t.Errorf("%d combinations, want %d", tried, want)
	}
	for i, row := range rows {
		if row.fits == 0 {
			t.Errorf("nothing fits row %d: %v", i, row.patterns)
		}
	}
}

func combinations(columns map[string]column, chosen []string, visit func([]string)) {
	if len(chosen) == len(truthColumns) {
		visit(chosen)
		return
	}
	for _, value := range columns[truthColumns[len(chosen)]].all {
		combinations(columns, append(slices.Clone(chosen), value), visit)
	}
}

func fitsRow(columns map[string]column, patterns, values []string) bool {
	for i, name := range truthColumns {
		if !columns[name].fits(patterns[i], values[i]) {
			return false
		}
	}
	return true
}

func guardsOf(d promotion.Decision) []promotion.Guard {
	var guards []promotion.Guard
	for _, s := range d.Stops {
		guards = append(guards, s.Guard)
	}
	return guards
}

// inputsOf makes inputs of a combination, as a value and as JSON.
func inputsOf(values []string) (promotion.Inputs, string) {
	var in promotion.Inputs
	var members []string
	say := func(name, value string) { members = append(members, fmt.Sprintf("%q:%s", name, value)) }
	finding := promotion.Finding{Kind: promotion.KindEgress, Token: "curl", Offset: -1, Detail: "fetches"}
	switch values[0] {
	case "clear":
		in.Tripwire = &promotion.TripwireResult{}
		say("tripwire", `{"escalate":false,"reasons":[]}`)
	case "escalate":
		in.Tripwire = &promotion.TripwireResult{Escalate: true}
		say("tripwire", `{"escalate":true,"reasons":[]}`)
	case "reasons":
		in.Tripwire = &promotion.TripwireResult{Reasons: []promotion.Finding{finding}}
		say("tripwire", `{"escalate":false,"reasons":["curl"]}`)
	case "omitted":
		in.Tripwire = &promotion.TripwireResult{Omitted: 1}
		say("tripwire", `{"escalate":false,"reasons":[],"omitted":1}`)
	}
	tri := func(name, value string) promotion.Tri {
		switch value {
		case "yes":
			say(name, "true")
			return promotion.Yes
		case "no":
			say(name, "false")
			return promotion.No
		}
		return promotion.Unknown
	}
	in.TouchesIrreversibleTool = tri("touchesIrreversibleTool", values[2])
	in.StatisticsPresent = tri("statisticsPresent", values[3])
	in.Gate4Armed = tri("gate4Armed", values[7])
	in.ConcurringSignals = map[string][]string{
		"one": {"canary"}, "one_twice": {"canary", " CANARY"}, "two": {"canary", "replay"}, "three": {"replay", "canary", "unit_tests"},
	}[values[4]]
	say("concurringSignals", "["+quotedList(in.ConcurringSignals)+"]")
	if values[5] != "missing" {
		in.Oracle = map[string]promotion.Oracle{
			"isolated": "out_of_process_isolated", "in_process": "in_process_probe_only", "not_isolated": "not_isolated",
			"unknown": "unknown", "odd": "Out_Of_Process_Isolated",
		}[values[5]]
		say("oracle", fmt.Sprintf("%q", in.Oracle))
	}
	if values[6] != "missing" {
		in.Gate2 = map[string]promotion.Gate2{"positive": "present_positive", "absent": "absent_or_ungated", "odd": "present"}[values[6]]
		say("record", fmt.Sprintf(`{"gate2Verdict":%q}`, in.Gate2))
	}
	return in, "{" + strings.Join(members, ",") + "}"
}

func quotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(quoted, ",")
}

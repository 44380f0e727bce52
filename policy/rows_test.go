package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

const rowPolicy = head + `
signals:
  score:   {type: score, range: [0, 1]}
  amount:  {type: number, range: [0, 1000]}
  days:    {type: integer}
  country: {type: string}
  ok:      {type: boolean}
  vip:     {type: flag}
bands:
  score: {highMin: 0.9, reviewMin: 0.5}
rules:
  - {id: vip, when: {flag: vip}, force: route_to_human, reason: x}
enableAutoApply: true
enableAutoReject: true
`

func cells(row string) [][]byte {
	var list [][]byte
	for _, cell := range strings.Split(row, ",") {
		list = append(list, []byte(cell))
	}
	return list
}

// Two gates read the same rows: one from slots, one from whole signals that it
// asks for details.
func TestDecideRow(t *testing.T) {
	const asks = "  - {id: cel, when: '(has(meta.amount) && meta.amount > 500) || (has(meta.country) && meta.country == \"XX\") || (has(meta.ok) && !meta.ok)', force: route_to_human, reason: x}\n"
	slots := mustParse(t, rowPolicy).Threshold
	signals := mustParse(t, strings.Replace(rowPolicy, "enableAutoApply", asks+"enableAutoApply", 1)).Threshold
	const header = "id,score,amount,days,country,ok,vip,other"
	for _, c := range []struct {
		row     string
		verdict threshold.Verdict
		codes   string
		id      string
	}{
		{"a,0.95,20,7,DE,true,0,x", apply, "band_high:score", "a"},
		{",0.95,20,7,DE,true,0,x", apply, "band_high:score", ""},
		{"a,0.95,,,,,,", apply, "band_high:score", "a"},
		{"é,1,2.5e1,-7,DE,true,false,x", apply, "band_high:score", "é"},
		{"a,,20,7,DE,true,0,x", human, "band_review:score score_missing:score", "a"},
		{"a,0.4,20,7,DE,true,0,x", reject, "band_low:score", "a"},
		{"a,1.5,20,7,DE,true,0,x", human, "band_review:score score_out_of_range:score", "a"},

		{"a,0.95,20,7,DE,true,1,x", human, "band_high:score rule_route_to_human:vip", "a"},
		{"a,0.95,20,7,DE,true,true,x", human, "band_high:score rule_route_to_human:vip", "a"},
		{"a,0.95,20,7,DE,true,yes,x", human, "band_high:score signal_type:vip", "a"},
		{"a,0.95,20,7,DE,true,TRUE,x", human, "band_high:score signal_type:vip", "a"},
		{"a,0.95,20,7,DE,true,2,x", human, "band_high:score signal_type:vip", "a"},
		{"a,0.95,20,7,DE,true, ,x", human, "band_high:score signal_type:vip", "a"},

		{"a,high,20,7,DE,true,0,x", human, "band_review:score score_not_number:score", "a"},
		{"a,\"0.95\",20,7,DE,true,0,x", human, "band_review:score score_not_number:score", "a"},
		{"a, 0.95,20,7,DE,true,0,x", human, "band_review:score score_not_number:score", "a"},
		{"a,NaN,20,7,DE,true,0,x", human, "band_review:score score_not_number:score", "a"},
		{"a,.95,20,7,DE,true,0,x", human, "band_review:score score_not_number:score", "a"},
		{"a,0x1p-1,20,7,DE,true,0,x", human, "band_review:score score_not_number:score", "a"},
		{"a,1e400,20,7,DE,true,0,x", human, "band_review:score number_inexact:score", "a"},
		{"a,9007199254740993,20,7,DE,true,0,x", human, "band_review:score number_inexact:score", "a"},

		{"a,0.95,1001,7,DE,true,0,x", human, "band_high:score signal_type:amount", "a"},
		{"a,0.95,20 EUR,7,DE,true,0,x", human, "band_high:score signal_type:amount", "a"},
		{"a,0.95,1e400,7,DE,true,0,x", human, "band_high:score number_inexact:amount", "a"},
		{"a,0.95,9007199254740993,7,DE,true,0,x", human, "band_high:score number_inexact:amount", "a"},
		{"a,0.95,20,7.0,DE,true,0,x", human, "band_high:score signal_type:days", "a"},
		{"a,0.95,20,9223372036854775808,DE,true,0,x", human, "band_high:score number_inexact:days", "a"},
		{"a,0.95,20,7,5,true,0,x", apply, "band_high:score", "a"}, // a string may look like a number
		{"a,0.95,20,7,DE,1,0,x", human, "band_high:score signal_type:ok", "a"},
		{"a,0.95,20,7,DE,True,0,x", human, "band_high:score signal_type:ok", "a"},

		{"a,0.95,20,7,DE,true,0", human, "band_review:score input_malformed score_missing:score", ""},
		{"a,0.95,20,7,DE,true,0,x,y", human, "band_review:score input_malformed score_missing:score", ""},
		{"", human, "band_review:score input_malformed score_missing:score", ""},
		{"a,0.95,20,7,\xff,true,0,x", human, "band_review:score input_malformed score_missing:score", "a"},
		{"a,0.95,20,7,DE,true,0,\xff", human, "band_review:score input_malformed score_missing:score", "a"},
		{"\xff,0.95,20,7,DE,true,0,x", human, "band_review:score input_malformed score_missing:score", ""},
	} {
		t.Run(c.row, func(t *testing.T) {
			for _, gate := range []*policy.Threshold{slots, signals} {
				columns, err := gate.Columns(strings.Split(header, ","))
				if err != nil {
					t.Fatal(err)
				}
				d := gate.NewDecider()
				var got threshold.Decision
				// What came before leaves nothing behind.
				d.DecideRow(&got, columns, cells("z,0.1,999,1,XX,false,1,x"))
				env := d.DecideRow(&got, columns, cells(c.row))
				want := c.codes
				if gate == signals && (strings.Contains(want, "input_malformed") || strings.Contains(want, "signal_type:amount")) {
					// The CEL rule may decide on what is there or not.
					if got.Verdict != human {
						t.Errorf("verdict %s", got.Verdict)
					}
				} else if gate == signals && (strings.Contains(want, "signal_type:ok") || strings.Contains(want, "number_inexact:amount")) {
					checkDecision(t, &got, human, want+" rule_error:cel")
				} else {
					checkDecision(t, &got, c.verdict, want)
				}
				if string(env.ID) != c.id {
					t.Errorf("id %q, want %q", env.ID, c.id)
				}
				// Reading the row whole decides the same.
				whole := gate.Gate().Decide(gate.RowSignals(columns, cells(c.row)))
				if diff := cmp.Diff(text(&got), text(&whole)); diff != "" {
					t.Errorf("RowSignals (-DecideRow):\n%s", diff)
				}
			}
		})
	}
}

func TestColumns(t *testing.T) {
	gate := mustParse(t, rowPolicy).Threshold
	c, err := gate.Columns([]string{"x", "vip", "id", "x", "Score", ""})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"x", "x", "Score", ""}, c.Ignored); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"score"}, c.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	for header, want := range map[string]string{
		"id,score,id":        `column "id" stands in the header twice`,
		"score,amount,score": `column "score" stands in the header twice`,
		"vip,vip":            `column "vip" stands in the header twice`,
	} {
		if _, err := gate.Columns(strings.Split(header, ",")); err == nil || err.Error() != want {
			t.Errorf("%s: %v", header, err)
		}
	}
	if _, err := mustParse(t, slotPolicy).Threshold.Columns([]string{"score"}); err == nil || !strings.Contains(err.Error(), "declares its signals") {
		t.Errorf("without declared signals: %v", err)
	}
	if _, err := mustParse(t, head+"signals: {}\n").Threshold.Columns([]string{"score"}); err != nil {
		t.Errorf("with none of them: %v", err)
	}
}

// A signal may be called id; then the column feeds it, and nothing names the row.
func TestAColumnOfTheNameID(t *testing.T) {
	gate := mustParse(t, head+"signals: {id: {type: score}}\nbands: {id: {highMin: 0.9, reviewMin: 0.5}}\nenableAutoApply: true\n").Threshold
	columns, err := gate.Columns([]string{"id"})
	if err != nil {
		t.Fatal(err)
	}
	var d threshold.Decision
	if env := gate.NewDecider().DecideRow(&d, columns, cells("0.95")); env.ID != nil {
		t.Errorf("id %q", env.ID)
	}
	checkDecision(t, &d, apply, "band_high:id")
}

package policy_test

import (
	"testing"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

func TestRowAsJSONIsDecidedAsTheRow(t *testing.T) {
	f, err := policy.Parse("rows.pawl.yaml", []byte(`
pawl: v1
gate: rows
kind: threshold
signals:
  trust: {type: score, range: [0, 1]}
  vip:   {type: flag}
  n:     {type: integer, range: [0, 10]}
  kind:  {type: string}
  sure:  {type: boolean}
bands:
  trust: {highMin: 0.9, reviewMin: 0.5}
rules:
  - {id: vip, when: {flag: vip}, force: route_to_human, reason: important}
  - {id: many, when: meta.n > 5, force: route_to_human, reason: many}
  - {id: odd, when: 'meta.kind == "odd" && meta.sure', force: route_to_human, reason: odd}
enableAutoApply: true
`))
	if err != nil {
		t.Fatal(err)
	}
	columns, err := f.Threshold.Columns([]string{"id", "trust", "vip", "n", "kind", "sure", "other"})
	if err != nil {
		t.Fatal(err)
	}
	decider := f.Threshold.NewDecider()
	for _, row := range [][]string{
		{"a", "0.95", "0", "3", "plain", "true", "x"},
		{"a\"\\", "0.95", "1", "6", "odd", "true", ""},
		{"", "", "", "", "", "", ""},
		{"c", "high", "", "3", "odd", "no", ""},
		{"d", "0.95", "false", "3.5", "true", "false", ""},
		{"e", "0.950000000000000000000000001", "true", "12345678901234567890", "7", "1", ""},
		{"f", "1e400", "true", "x", "\u00e9", "true", ""},
	} {
		cells := make([][]byte, len(row))
		for i := range row {
			cells[i] = []byte(row[i])
		}
		var want, got threshold.Decision
		wantID := string(decider.DecideRow(&want, columns, cells).ID)
		raw, err := f.Threshold.AppendJSON(nil, columns, cells)
		if err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		gotID := string(decider.DecideJSON(&got, raw).ID)
		a := string(f.Threshold.AppendResult(nil, 0, []byte(wantID), &want))
		b := string(f.Threshold.AppendResult(nil, 0, []byte(gotID), &got))
		if a != b {
			t.Errorf("%q as %s:\n%s, want\n%s", row, raw, b, a)
		}
	}
	for _, bad := range [][]string{{"a"}, {"a", "1", "maybe", "", "", "", ""}, {"\xff", "", "", "", "", "", ""}} {
		cells := make([][]byte, len(bad))
		for i := range bad {
			cells[i] = []byte(bad[i])
		}
		if raw, err := f.Threshold.AppendJSON(nil, columns, cells); err == nil {
			t.Errorf("%q is %s", bad, raw)
		}
	}
}

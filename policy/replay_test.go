package policy_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

const replayOld = head + `
bands: {score: {highMin: 0.9, reviewMin: 0.5}}
rules:
  - {id: large, when: {metaNumberLessThan: {key: small, value: 1}}, force: route_to_human, reason: large}
  - {id: gone, when: {flag: f}, force: auto_reject, reason: f}
enableAutoApply: true
`

const replayNew = head + `
bands: {score: {highMin: 0.8, reviewMin: 0.5}, other: {highMin: 1, reviewMin: 0}}
combine: unanimous
rules:
  - {id: added, when: {flag: g}, force: route_to_human, reason: g}
  - {id: large, when: {metaNumberLessThan: {key: small, value: 0}}, force: route_to_human, reason: large}
enableAutoApply: true
enableAutoReject: true
`

func TestReplayCountsWhatChanges(t *testing.T) {
	r := policy.NewReplay(mustParse(t, replayOld).Threshold, mustParse(t, replayNew).Threshold)
	for _, tt := range []struct {
		input      string
		looser     bool
		gone, came []string
	}{
		{`{"score": 0.95, "scores": {"other": 1}, "meta": {"small": 1}}`, false, []string{}, []string{"band_high:other"}},
		{`{"id": "b", "signals": {"score": 0.85, "scores": {"other": 1}, "meta": {"small": 1}}}`, true, []string{"band_review:score"}, []string{"band_high:other", "band_high:score"}},
		{`{"score": 0.95, "scores": {"other": 1}, "meta": {"small": 0}}`, true, []string{"rule_route_to_human:large"}, []string{"band_high:other"}},
		{`{"score": 0.95, "meta": {"small": 1}}`, false, []string{}, []string{"band_review:other", "score_missing:other"}},
		{`{"score": 0.1, "scores": {"other": -1}, "flags": ["f"], "meta": {"small": 1}}`, true, []string{"rule_auto_reject:gone", "auto_reject_disabled"}, []string{"band_low:other"}},
		{`{"score": "x", "scores": {"who": "knows", "other": 1}}`, false, []string{}, []string{"band_high:other"}},
		{`{`, false, []string{}, []string{"band_review:other", "score_missing:other"}},
	} {
		c := r.JSON([]byte(tt.input))
		if c.Looser() != tt.looser {
			t.Errorf("%s: %s to %s, looser %v", tt.input, c.Old.Verdict, c.New.Verdict, c.Looser())
		}
		if diff := cmp.Diff([][]string{tt.gone, tt.came}, [][]string{c.Gone(), c.Came()}); diff != "" {
			t.Errorf("%s: reasons gone and come (-want +got):\n%s", tt.input, diff)
		}
	}
	got, err := json.MarshalIndent(r.Report(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/replay", string(got)+"\n")
}

// Whoever sees which input, and in which order: the report is the same.
func TestReplaysAddUp(t *testing.T) {
	old, new := mustParse(t, replayOld).Threshold, mustParse(t, replayNew).Threshold
	rapid.Check(t, func(t *rapid.T) {
		inputs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			if rapid.IntRange(0, 9).Draw(t, "number") > 0 {
				return fmt.Sprintf(`{"score": %v, "scores": {"other": %v}}`, anyScore(t), anyScore(t))
			}
			return genInput(t)
		}), 0, 400).Draw(t, "inputs")
		whole := policy.NewReplay(old, new)
		parts := []*policy.Replay{policy.NewReplay(old, new), policy.NewReplay(old, new), policy.NewReplay(old, new)}
		for _, input := range inputs {
			whole.JSON([]byte(input))
		}
		for i := len(inputs) - 1; i >= 0; i-- {
			parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")].JSON([]byte(inputs[i]))
		}
		sum := policy.NewReplay(old, new)
		for _, p := range parts {
			sum.Add(p)
		}
		if diff := cmp.Diff(whole.Report(), sum.Report()); diff != "" {
			t.Fatalf("together (-) and in parts (+) differ:\n%s", diff)
		}
		checkReport(t, whole.Report(), len(inputs))
	})
}

// anyScore makes scores of all sizes, so that bins have to be joined.
func anyScore(t *rapid.T) float64 {
	v := rapid.Float64Range(-1, 1).Draw(t, "score")
	switch rapid.IntRange(0, 9).Draw(t, "size") {
	case 0:
		return v * math.MaxFloat64
	case 1:
		return v * 1e-300
	default:
		return v
	}
}

func checkReport(t *rapid.T, r *policy.ReplayReport, items int) {
	all := 0
	for old, row := range r.Verdicts {
		for new, n := range row {
			all += n
			if n > 0 && old != new && verdict.Looser(old, new) && r.MoreAutomatic == 0 {
				t.Fatalf("%d from %s to %s, but nothing more automatic", n, old, new)
			}
		}
	}
	if all != items || r.Items != items || r.Same+r.MoreAutomatic+r.MoreSupervised != items {
		t.Fatalf("%d items, counted %d, %d and %d", items, all, r.Items, r.Same+r.MoreAutomatic+r.MoreSupervised)
	}
	for _, s := range r.Scores {
		n := s.NoValue
		if len(s.Bins) > 128 {
			t.Fatalf("%d bins", len(s.Bins))
		}
		for i, b := range s.Bins {
			n += b.Items
			if b.New.Low+b.New.Review+b.New.High != b.Items {
				t.Fatalf("%s: a bin of %d items has bands %v", s.Score, b.Items, b.New)
			}
			if i > 0 && (b.From < s.Bins[i-1].To || b.To <= b.From) {
				t.Fatalf("%s: bin from %v to %v after one to %v", s.Score, b.From, b.To, s.Bins[i-1].To)
			}
		}
		if n != items {
			t.Fatalf("%s: %d of %d items", s.Score, n, items)
		}
	}
}

// The values in the bins are those that the decision relied on, whether a gate
// has closures or not, and from rows as from JSON.
func TestReplaySeesTheScoresThatCount(t *testing.T) {
	const declared = `signals: {score: {type: score, range: [0, 1]}, small: {type: number}}
bands: {score: {highMin: 0.5, reviewMin: 0.5}}
`
	for name, rules := range map[string]string{
		"no closure": "",
		"a closure":  "rules: [{id: r, when: meta.small > 5, force: route_to_human, reason: r}]\n",
	} {
		p := mustParse(t, head+declared+rules).Threshold
		r := policy.NewReplay(p, p)
		for _, input := range []string{
			`{"score": 0.75}`, `{"scores": {"score": 0.75}}`, `{"score": 0.75, "scores": {"score": 0.75}}`,
			`{"score": 0.75, "scores": {"score": 0.7}}`, `{"score": 1.5}`, `{"score": null}`, `{"score": "0.75"}`, `{"score": 1e999}`, `{`,
		} {
			r.JSON([]byte(input))
		}
		columns, err := policy.ReplayColumns(p, p, []string{"score"})
		if err != nil {
			t.Fatal(err)
		}
		r.Row(columns, [][]byte{[]byte("0.75")})
		r.Malformed("1:1: no line")
		s := r.Report().Scores[0]
		if len(s.Bins) != 1 || s.Bins[0].Items != 4 || s.Bins[0].From != 0.75 || s.NoValue != 7 || s.Bins[0].Old.High != 4 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestReplayColumns(t *testing.T) {
	with := mustParse(t, head+"signals: {f: {type: flag}, s: {type: score}}\n").Threshold
	without := mustParse(t, head+"signals: {s: {type: score}}\n").Threshold
	none := mustParse(t, head).Threshold
	for _, tt := range []struct {
		old, new *policy.Threshold
		neverSet []string
		want     string
	}{
		{with, without, []string{"f"}, ""},
		{without, with, []string{"f"}, ""},
		{with, with, nil, "the old policy: no column for the flag f"},
		{without, with, nil, "the new policy: no column for the flag f"},
		{with, without, []string{"f", "s"}, `the old policy: "s" is not a flag`},
		{without, none, nil, "the new policy: a table needs a policy that declares its signals"},
	} {
		_, err := policy.ReplayColumns(tt.old, tt.new, []string{"s"}, tt.neverSet...)
		if got := fmt.Sprint(err); tt.want == "" && err != nil || tt.want != "" && !strings.HasPrefix(got, tt.want) {
			t.Errorf("without %v: %v, want %s", tt.neverSet, err, tt.want)
		}
	}
}

// What moved an item is told by code and subject, in the order of the reasons.
func TestGoneAndCameHaveNoReasonOfBoth(t *testing.T) {
	old, new := mustParse(t, replayOld).Threshold, mustParse(t, replayNew).Threshold
	rapid.Check(t, func(t *rapid.T) {
		c := policy.NewReplay(old, new).JSON([]byte(genInput(t)))
		has := func(d *threshold.Decision, reason string) bool {
			return slices.ContainsFunc(d.Reasons, func(r threshold.Reason) bool { return r.String() == reason })
		}
		for _, reason := range c.Gone() {
			if has(c.New, reason) || !has(c.Old, reason) {
				t.Fatalf("%s is said to be gone", reason)
			}
		}
		for _, reason := range c.Came() {
			if has(c.Old, reason) || !has(c.New, reason) {
				t.Fatalf("%s is said to have come", reason)
			}
		}
	})
}

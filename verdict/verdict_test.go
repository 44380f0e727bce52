package verdict_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/verdict"
)

func TestMoreSupervised(t *testing.T) {
	const apply, reject, human = verdict.AutoApply, verdict.AutoReject, verdict.RouteToHuman
	for _, c := range []struct{ a, b, want verdict.Verdict }{
		{apply, apply, apply},
		{apply, reject, reject},
		{apply, human, human},
		{reject, reject, reject},
		{reject, human, human},
		{human, human, human},
		{"", apply, human},
		{"", "", human},
		{"approve", reject, human},
		{"AUTO_APPLY", apply, human},
		{"auto_apply ", "auto_apply", human},
	} {
		for _, pair := range [][2]verdict.Verdict{{c.a, c.b}, {c.b, c.a}} {
			if got := verdict.MoreSupervised(pair[0], pair[1]); got != c.want {
				t.Errorf("MoreSupervised(%q, %q) = %q, want %q", pair[0], pair[1], got, c.want)
			}
		}
	}
}

func TestLooser(t *testing.T) {
	const apply, reject, human = verdict.AutoApply, verdict.AutoReject, verdict.RouteToHuman
	for _, c := range []struct {
		old, new verdict.Verdict
		want     bool
	}{
		{apply, apply, false},
		{reject, reject, false},
		{human, human, false},
		{apply, human, false},
		{reject, human, false},
		{human, apply, true},
		{human, reject, true},
		{apply, reject, true},
		{reject, apply, true},
		{"", apply, true},
		{"Auto_apply", apply, true},
		{"auto_reject ", reject, true},
		{apply, "", false},
		{human, "Auto_apply", false},
		{"", "approve", false},
	} {
		if got := verdict.Looser(c.old, c.new); got != c.want {
			t.Errorf("Looser(%q, %q) = %v", c.old, c.new, got)
		}
	}
}

// Steps that aren't looser make a way that isn't.
func TestNeverLooserIsTransitive(t *testing.T) {
	all := []verdict.Verdict{verdict.AutoApply, verdict.AutoReject, verdict.RouteToHuman, "", "approve"}
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				if !verdict.Looser(a, b) && !verdict.Looser(b, c) && verdict.Looser(a, c) {
					t.Errorf("%q to %q to %q", a, b, c)
				}
			}
		}
	}
}

func TestSupervisionAndValid(t *testing.T) {
	for _, c := range []struct {
		v     verdict.Verdict
		rank  int
		valid bool
	}{
		{"auto_apply", 0, true},
		{"auto_reject", 1, true},
		{"route_to_human", 2, true},
		{"", 2, false},
		{"Auto_apply", 2, false},
		{"auto_apply\n", 2, false},
	} {
		if got := c.v.Supervision(); got != c.rank {
			t.Errorf("%q.Supervision() = %d, want %d", c.v, got, c.rank)
		}
		if got := c.v.Valid(); got != c.valid {
			t.Errorf("%q.Valid() = %v", c.v, got)
		}
	}
}

func TestReasonString(t *testing.T) {
	for want, r := range map[string]verdict.Reason{
		"no_bands":         {Code: "no_bands", Message: "m", Source: verdict.SourceSafety},
		"band_high:score":  {Code: "band_high", Subject: "score"},
		"rule_error:a:b c": {Code: "rule_error", Subject: "a:b c"},
	} {
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFaultAsReason(t *testing.T) {
	for _, c := range []struct {
		f    verdict.Fault
		want verdict.Reason
	}{
		{
			verdict.Fault{Code: verdict.SignalType, Subject: "n", Detail: "a string"},
			verdict.Reason{Code: "signal_type", Message: "a string", Source: "safety", Subject: "n"},
		},
		{
			verdict.Fault{Code: verdict.CombineInvalid},
			verdict.Reason{Code: "combine_invalid", Message: "combine_invalid", Source: "safety"},
		},
	} {
		if diff := cmp.Diff(c.want, c.f.Reason()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// sorted holds one fault of every code in the contract's order, two subjects
// each, and codes that the contract doesn't know.
func sorted() (faults []verdict.Fault) {
	for _, code := range []verdict.Code{
		"input_malformed", "score_missing", "score_not_number", "score_not_finite", "score_out_of_range", "score_conflict",
		"number_inexact", "signal_type", "rule_error", "combine_invalid", "policy_invalid", "gate_supervised",
		"", "Unknown", "aaa", "zzz",
	} {
		faults = append(faults, verdict.Fault{Code: code}, verdict.Fault{Code: code, Subject: "A"},
			verdict.Fault{Code: code, Subject: "a"}, verdict.Fault{Code: code, Subject: "ab"})
	}
	return faults
}

func TestSortFaults(t *testing.T) {
	want := sorted()
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		got := append(sorted(), sorted()...)
		r.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		if diff := cmp.Diff(want, verdict.SortFaults(got)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

func TestSortFaultsKeepsTheFirstOfEachCodeAndSubject(t *testing.T) {
	for _, c := range []struct{ in, want []verdict.Fault }{
		{nil, nil},
		{[]verdict.Fault{{Code: "x", Detail: "only"}}, []verdict.Fault{{Code: "x", Detail: "only"}}},
		{
			[]verdict.Fault{
				{Code: "rule_error", Subject: "b", Detail: "1"},
				{Code: "score_missing", Subject: "b", Detail: "2"},
				{Code: "rule_error", Subject: "b", Detail: "3"},
				{Code: "rule_error", Subject: "a", Detail: "4"},
				{Code: "score_missing", Subject: "b", Detail: "0"},
			},
			[]verdict.Fault{
				{Code: "score_missing", Subject: "b", Detail: "2"},
				{Code: "rule_error", Subject: "a", Detail: "4"},
				{Code: "rule_error", Subject: "b", Detail: "1"},
			},
		},
		{
			[]verdict.Fault{{Code: "a", Subject: "x"}, {Code: "b", Subject: "x"}},
			[]verdict.Fault{{Code: "a", Subject: "x"}, {Code: "b", Subject: "x"}},
		},
	} {
		if diff := cmp.Diff(c.want, verdict.SortFaults(slices.Clone(c.in))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Also among many, where sorting goes another way than among few.
func TestSortFaultsIsStable(t *testing.T) {
	var in []verdict.Fault
	for i := range 200 {
		in = append(in, verdict.Fault{
			Code: verdict.RuleError, Subject: string(rune('a' + i*7%5)), Detail: strconv.Itoa(i),
		})
	}
	want := []verdict.Fault{
		{Code: verdict.RuleError, Subject: "a", Detail: "0"},
		{Code: verdict.RuleError, Subject: "b", Detail: "3"},
		{Code: verdict.RuleError, Subject: "c", Detail: "1"},
		{Code: verdict.RuleError, Subject: "d", Detail: "4"},
		{Code: verdict.RuleError, Subject: "e", Detail: "2"},
	}
	if diff := cmp.Diff(want, verdict.SortFaults(in)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

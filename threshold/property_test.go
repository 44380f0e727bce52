package threshold_test

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/threshold"
	"pgregory.net/rapid"
)

// isStruct lets cmp look into the structs that signals may hold in Meta.
func isStruct(reflect.Type) bool { return true }

// drawn makes choices by rapid, which shrinks them.
type drawn struct{ t *rapid.T }

func (d drawn) pick(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "pick") }
func (d drawn) bits() uint64   { return rapid.Uint64().Draw(d.t, "bits") }

// A reporter is what *testing.T and *rapid.T have in common.
type reporter interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// checkInvariants checks invariant 2 and what a decision must always look
// like, without asking the gate's reasons where the input itself can tell.
func checkInvariants(t reporter, p threshold.Policy, s threshold.Signals, d threshold.Decision) {
	t.Helper()
	if !d.Verdict.Valid() {
		t.Errorf("%q isn't a verdict", d.Verdict)
	}
	if len(d.Bands) != len(p.Bands) || !slices.IsSortedFunc(d.Bands, func(a, b threshold.ScoreBand) int {
		return strings.Compare(a.Score, b.Score)
	}) {
		t.Errorf("bands %v aren't those of the policy, sorted", d.Bands)
	}
	if d.Verdict == threshold.RouteToHuman {
		return
	}
	if len(s.Faults) > 0 {
		t.Errorf("%s in spite of faults %v", d.Verdict, s.Faults)
	}
	for _, r := range d.Reasons {
		if r.Source == "safety" && r.Code != "no_bands" || r.Code == "rule_route_to_human" {
			t.Errorf("%s in spite of %s", d.Verdict, r)
		}
	}
	if d.Verdict == threshold.AutoReject {
		if !p.EnableAutoReject {
			t.Error("auto_reject without enableAutoReject")
		}
		return
	}
	if !p.EnableAutoApply || len(p.Bands) == 0 || len(d.Reasons) != len(p.Bands) {
		t.Errorf("auto_apply with enableAutoApply %v, %d bands, reasons %v", p.EnableAutoApply, len(p.Bands), codes(d))
	}
	for name, b := range p.Bands {
		values := []float64{}
		if v, ok := s.Scores[name]; ok {
			values = append(values, v)
		}
		if name == "score" && s.Score != nil {
			values = append(values, *s.Score)
		}
		if len(values) == 0 {
			t.Errorf("auto_apply without a score %s", name)
		}
		for _, v := range values {
			if !(v >= b.HighMin) || math.IsInf(v, 0) {
				t.Errorf("auto_apply with score %s = %v, highMin %v", name, v, b.HighMin)
			}
		}
		if band, _ := d.Bands.Get(name); band != threshold.High {
			t.Errorf("auto_apply with band %s of %s", band, name)
		}
	}
	for _, r := range p.Rules {
		if holds, err := safely(r.When, s); holds || err != nil {
			t.Errorf("auto_apply though rule %s says %v, %v", r.ID, holds, err)
		}
	}
}

func safely(c threshold.Condition, s threshold.Signals) (holds bool, err error) {
	defer func() {
		if recover() != nil {
			err = errTest
		}
	}()
	return c.Holds(s)
}

// Invariants 1, 2, 4 and 6, and the gate against the reference.
func TestPropertyGateIsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn{t}
		p := genPolicy(c, c.pick(2) == 1)
		for range 3 { // one gate's slots are used again
			checkCase(t, p, genSignals(c))
		}
	})
}

// Invariant 3.
func TestPropertyEmptyPolicyRoutesToHuman(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := genSignals(drawn{t})
		for _, p := range []threshold.Policy{{}, {EnableAutoApply: true, EnableAutoReject: true}} {
			if d := threshold.Decide(s, p); d.Verdict != threshold.RouteToHuman || codes(d)[0] != "no_bands" {
				t.Errorf("%s %v", d.Verdict, codes(d))
			}
		}
	})
}

// Invariants 1 and 5: a rule more never makes a verdict more automatic, and so
// never makes auto_apply. The one exception is the letter of step 4: a rule
// that fires auto_reject makes a rejection of whatever would have gone to a
// person without a fault and without a rule's saying so, if enableAutoReject.
func TestPropertyOneMoreRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn{t}
		p, s := genPolicy(c, true), genSignals(c)
		p.Signals = nil // a new rule may read anything
		more := clonePolicy(p)
		rule := genRule(c, "new", true)
		more.Rules = slices.Insert(more.Rules, c.pick(len(p.Rules)+1), rule)
		before, after := threshold.Decide(s, p), threshold.Decide(s, more)
		if after.Verdict.Supervision() >= before.Verdict.Supervision() {
			return
		}
		blocks := func(d threshold.Decision) bool {
			return slices.ContainsFunc(d.Reasons, func(r threshold.Reason) bool {
				return r.Code == "rule_route_to_human" || r.Source == "safety" &&
					r.Code != "no_bands" && r.Code != "not_all_high" && r.Code != "auto_apply_disabled"
			})
		}
		letter4 := before.Verdict == threshold.RouteToHuman && after.Verdict == threshold.AutoReject &&
			rule.Force == threshold.AutoReject && p.EnableAutoReject &&
			slices.Contains(codes(after), "rule_auto_reject:new") && !blocks(before) && !blocks(after)
		if !letter4 {
			t.Errorf("from %s %v\nto %s %v", before.Verdict, codes(before), after.Verdict, codes(after))
		}
	})
}

// Invariant 5: a fault more ends with a person, whatever it is.
func TestPropertyOneMoreFault(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn{t}
		p, s := genPolicy(c, true), genSignals(c)
		s.Faults = slices.Insert(s.Faults, c.pick(len(s.Faults)+1), genFault(c))
		if d := threshold.Decide(s, p); d.Verdict != threshold.RouteToHuman {
			t.Errorf("%s %v", d.Verdict, codes(d))
		}
	})
}

// Invariant 5: a banded score without any source ends with a person.
func TestPropertyOneScoreLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn{t}
		p, s := genPolicy(c, true), genSignals(c)
		for name := range p.Bands {
			less := s
			less.Scores = maps.Clone(s.Scores)
			delete(less.Scores, name)
			if name == "score" {
				less.Score = nil
			}
			d := threshold.Decide(less, p)
			if band, _ := d.Bands.Get(name); band != threshold.Review || d.Verdict != threshold.RouteToHuman {
				t.Errorf("without %s: band %s, %s", name, band, d.Verdict)
			}
		}
	})
}

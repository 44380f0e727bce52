package threshold_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pawlgate/pawl/threshold"
)

func mustCompile(t reporter, p threshold.Policy) *threshold.Gate {
	t.Helper()
	g, err := threshold.Compile(p)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return g
}

// codes returns the reasons of a decision as "code" or "code:subject".
func codes(d threshold.Decision) []string { return answerOf(d).Codes }

// wantDecision checks the verdict and the whole list of codes, in order.
func wantDecision(t *testing.T, d threshold.Decision, v threshold.Verdict, want ...string) {
	t.Helper()
	if d.Verdict != v {
		t.Errorf("verdict = %s, want %s", d.Verdict, v)
	}
	if diff := cmp.Diff(want, codes(d), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}

// sameBits compares floats by their bits, so that NaN equals itself and -0
// doesn't equal 0.
var sameBits = cmp.Options{
	cmp.Comparer(func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }),
	cmp.Comparer(func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }),
}

// diffDecision compares whole decisions, messages included.
func diffDecision(want, got threshold.Decision) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// cloneSignals copies the signals and everything in them that genSignals makes
// and a gate could change.
func cloneSignals(s threshold.Signals) threshold.Signals {
	if s.Score != nil {
		s.Score = new(*s.Score)
	}
	s.Scores = maps.Clone(s.Scores)
	s.Flags = slices.Clone(s.Flags)
	s.Meta = maps.Clone(s.Meta)
	s.Faults = slices.Clone(s.Faults)
	return s
}

// clonePolicy copies the policy; conditions and functions are shared.
func clonePolicy(p threshold.Policy) threshold.Policy {
	p.Bands = maps.Clone(p.Bands)
	p.Rules = slices.Clone(p.Rules)
	p.Risk = slices.Clone(p.Risk)
	p.Signals = maps.Clone(p.Signals)
	for name, s := range p.Signals {
		if s.Range != nil {
			s.Range = new(*s.Range)
			p.Signals[name] = s
		}
	}
	return p
}

// diffPolicy compares the policies but for what their closures do.
func diffPolicy(want, got threshold.Policy) string {
	return cmp.Diff(want, got, sameBits, cmp.FilterPath(func(p cmp.Path) bool {
		last := p.Last().String()
		return last == ".Combine" || last == ".When"
	}, cmp.Ignore()))
}

// fillSlots lays out the signals as a decoder does.
func fillSlots(slots *threshold.Slots, s threshold.Signals) {
	for _, f := range s.Faults {
		slots.AddFault(f)
	}
	if s.Score != nil {
		slots.SetScore(*s.Score)
	}
	for name, v := range s.Scores {
		slots.SetNamedScore([]byte(name), v)
	}
	for _, f := range s.Flags {
		slots.SetFlag([]byte(f))
	}
	for key, v := range s.Meta {
		if slot, ok := slots.MetaSlot([]byte(key)); ok {
			slots.SetMeta(slot, threshold.FieldOf(v))
		}
	}
}

func mustJSON(t reporter, d threshold.Decision) string {
	t.Helper()
	b := d.AppendJSON(nil)
	if !json.Valid(b) {
		t.Fatalf("not JSON: %s", b)
	}
	return string(b)
}

// nothing is what panic(nil) is called with.
var nothing any

package threshold_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pawlgate/pawl/threshold"
)

// FuzzDecide reads a policy and signals out of bytes, compares the gate with
// the reference and checks the contract's invariants.
func FuzzDecide(f *testing.F) {
	for _, seed := range seedCorpus() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, s := readCase(data)
		checkCase(t, p, s)
	})
}

func readCase(data []byte) (threshold.Policy, threshold.Signals) {
	c := &bytesChooser{data}
	p := genPolicy(c, c.pick(2) == 1)
	return p, genSignals(c)
}

// seedCorpus holds a few plain patterns and bytes from a fixed generator.
// TestSeedCorpus proves that they reach everything there is to reach.
func seedCorpus() (seeds [][]byte) {
	seeds = append(seeds, nil)
	for _, b := range []byte{0, 1, 2, 3, 4, 7, 0x7f, 0xff} {
		seeds = append(seeds, bytes.Repeat([]byte{b}, 120))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		seed := make([]byte, 20+i%200)
		for j := range seed {
			seed[j] = byte(r.Uint32())
		}
		seeds = append(seeds, seed)
	}
	return seeds
}

// What fuzzing does with luck, a plain test run does a little of, always the
// same.
func TestGateIsReferenceOnRandomBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		data := make([]byte, 200)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if p, s := readCase(data); !t.Failed() {
			checkCase(t, p, s)
		}
	}
}

// A generator that never reaches a code proves nothing about it.
func TestSeedCorpusReachesEveryCode(t *testing.T) {
	seen := map[string]bool{}
	for _, seed := range seedCorpus() {
		p, s := readCase(seed)
		foreign := map[string]bool{}
		for _, f := range s.Faults {
			foreign[string(f.Code)] = true
		}
		d := mustCompile(t, p).Decide(s)
		seen["verdict "+string(d.Verdict)] = true
		seen["risk "+string(d.Risk)] = true
		for _, code := range codes(d) {
			code, _, _ = strings.Cut(code, ":")
			if !foreign[code] {
				seen[code] = true
			}
		}
	}
	for _, want := range strings.Fields(`band_high band_review band_low rule_route_to_human rule_auto_reject
		no_bands not_all_high auto_apply_disabled auto_reject_disabled score_missing score_not_finite
		score_out_of_range score_conflict number_inexact signal_type rule_error combine_invalid`) {
		if !seen[want] {
			t.Errorf("no seed leads the gate to %s", want)
		}
	}
	for _, want := range []string{
		"verdict auto_apply", "verdict auto_reject", "verdict route_to_human",
		"risk ", "risk low", "risk medium", "risk high", "risk critical",
	} {
		if !seen[want] {
			t.Errorf("no seed leads to %s", want)
		}
	}
}

// checkCase holds one policy and one set of signals against the reference and
// every invariant that needs no more than these two.
func checkCase(t reporter, p threshold.Policy, s threshold.Signals) {
	t.Helper()
	before, policyBefore := cloneSignals(s), clonePolicy(p)
	gate := mustCompile(t, p)
	d := gate.Decide(s)
	if diff := cmp.Diff(before, s, sameBits, cmp.Exporter(isStruct)); diff != "" {
		t.Errorf("Decide changed the signals (-before +after):\n%s", diff)
	}
	if diff := diffPolicy(policyBefore, p); diff != "" {
		t.Errorf("Decide changed the policy (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(referenceDecide(s, p), answerOf(d), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("gate and reference differ (-reference +gate):\n%s\npolicy %+v\nsignals %+v", diff, p, s)
	}
	checkInvariants(t, p, s, d)

	text := mustJSON(t, d)
	if again := mustJSON(t, gate.Decide(s)); again != text {
		t.Errorf("the same signals again:\n%s\n%s", text, again)
	}
	if fresh := mustJSON(t, threshold.Decide(s, p)); fresh != text {
		t.Errorf("the same policy compiled again:\n%s\n%s", text, fresh)
	}
	reused := usedDecision()
	gate.DecideInto(&reused, s)
	if diff := diffDecision(d, reused); diff != "" {
		t.Errorf("a reused decision differs (-fresh +reused):\n%s", diff)
	}
	nothing := mustCompile(t, p).Decide(threshold.Signals{})
	if diff := diffDecision(nothing, gate.Decide(threshold.Signals{})); diff != "" {
		t.Errorf("the gate remembers signals (-fresh +used):\n%s", diff)
	}
	if gate.NeedsSignals() {
		return
	}
	slots := gate.NewSlots()
	for range 2 { // the second time after a Reset
		fillSlots(slots, s)
		var bySlots threshold.Decision
		gate.DecideSlots(&bySlots, slots)
		if diff := diffDecision(d, bySlots); diff != "" {
			t.Errorf("DecideSlots differs (-Decide +DecideSlots):\n%s\nsignals %+v", diff, s)
		}
		slots.Reset()
	}
	var empty threshold.Decision
	gate.DecideSlots(&empty, slots)
	if diff := diffDecision(nothing, empty); diff != "" {
		t.Errorf("slots after Reset aren't empty (-want +got):\n%s", diff)
	}
}

// usedDecision is a decision with more of everything than most have.
func usedDecision() (d threshold.Decision) {
	d.Verdict, d.Risk = threshold.AutoApply, threshold.RiskLow
	for range 30 {
		d.Reasons = append(d.Reasons, threshold.Reason{Code: "old", Message: "old", Source: "old", Subject: "old"})
		d.Bands = append(d.Bands, threshold.ScoreBand{Score: "old", Band: threshold.High})
	}
	return d
}

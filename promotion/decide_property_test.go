package promotion_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/promotion"
)

// supervision orders the terminals.
var supervision = []promotion.Terminal{promotion.AutoPromote, promotion.CandidateOnly, promotion.NeedsHuman}

var (
	anyTri    = rapid.SampledFrom([]promotion.Tri{promotion.Unknown, promotion.No, promotion.Yes, 7})
	anyOracle = rapid.SampledFrom([]promotion.Oracle{"", promotion.OracleInProcess, promotion.OracleInProcess, promotion.OracleInProcess, promotion.OracleNotIsolated, promotion.OracleUnknown, "isolated"})
	anyGate2  = rapid.SampledFrom([]promotion.Gate2{"", promotion.Gate2Positive, promotion.Gate2Absent, "positive"})
	anyKind   = rapid.SampledFrom([]string{"canary", "Canary ", "replay", "unit_tests", "", " ", "a\u200bb", "x"})
	anyKinds  = rapid.SliceOfN(anyKind, 0, 5)
	anyTrip   = rapid.Custom(func(t *rapid.T) *promotion.TripwireResult {
		if rapid.Bool().Draw(t, "down") {
			return nil
		}
		r := &promotion.TripwireResult{Escalate: rapid.Bool().Draw(t, "escalate"), Omitted: rapid.IntRange(0, 1).Draw(t, "omitted")}
		if rapid.Bool().Draw(t, "reason") {
			r.Reasons = []promotion.Finding{{Kind: promotion.KindExec, Offset: -1}}
		}
		return r
	})
	anyOptions = rapid.Custom(func(t *rapid.T) promotion.Options {
		o := promotion.Options{Advisory: rapid.Bool().Draw(t, "advisory")}
		if rapid.Bool().Draw(t, "only some kinds") {
			o.Kinds = append([]string{}, anyKinds.Draw(t, "kinds")...)
		}
		return o
	})
	// likely draws inputs of which many pass.
	likely = rapid.Custom(func(t *rapid.T) promotion.Inputs {
		in := passing()
		for _, spoil := range []func(){
			func() { in.Oracle = anyOracle.Draw(t, "oracle") },
			func() { in.Gate2 = anyGate2.Draw(t, "gate2") },
			func() { in.Gate4Armed = anyTri.Draw(t, "gate4") },
			func() { in.TouchesIrreversibleTool = anyTri.Draw(t, "irreversible") },
			func() { in.StatisticsPresent = anyTri.Draw(t, "statistics") },
			func() { in.ConcurringSignals = anyKinds.Draw(t, "signals") },
			func() { in.Tripwire = anyTrip.Draw(t, "tripwire") },
		} {
			if rapid.IntRange(0, 4).Draw(t, "spoil") == 0 {
				spoil()
			}
		}
		return in
	})
)

// passing is the one combination that needs nobody.
func passing() promotion.Inputs {
	return promotion.Inputs{
		Oracle: promotion.OracleIsolated, Gate2: promotion.Gate2Positive, Gate4Armed: promotion.Yes,
		TouchesIrreversibleTool: promotion.No, StatisticsPresent: promotion.Yes,
		ConcurringSignals: []string{"canary", "replay"}, Tripwire: &promotion.TripwireResult{},
	}
}

// worse are ways to take something away from inputs, or to make it worse.
var worse = map[string]func(*promotion.Inputs){
	"no oracle":             func(in *promotion.Inputs) { in.Oracle = "" },
	"an oracle in process":  func(in *promotion.Inputs) { in.Oracle = inProcess(in.Oracle) },
	"an unknown oracle":     func(in *promotion.Inputs) { in.Oracle = promotion.OracleUnknown },
	"no gate 2":             func(in *promotion.Inputs) { in.Gate2 = "" },
	"an odd gate 2":         func(in *promotion.Inputs) { in.Gate2 = "PRESENT_POSITIVE" },
	"no gate 4":             func(in *promotion.Inputs) { in.Gate4Armed = promotion.Unknown },
	"gate 4 off":            func(in *promotion.Inputs) { in.Gate4Armed = promotion.No },
	"maybe irreversible":    func(in *promotion.Inputs) { in.TouchesIrreversibleTool = promotion.Unknown },
	"irreversible":          func(in *promotion.Inputs) { in.TouchesIrreversibleTool = promotion.Yes },
	"an odd irreversible":   func(in *promotion.Inputs) { in.TouchesIrreversibleTool = 9 },
	"no word on statistics": func(in *promotion.Inputs) { in.StatisticsPresent = promotion.Unknown },
	"no statistics":         func(in *promotion.Inputs) { in.StatisticsPresent = promotion.No },
	"no signals":            func(in *promotion.Inputs) { in.ConcurringSignals = nil },
	"a signal less": func(in *promotion.Inputs) {
		in.ConcurringSignals = in.ConcurringSignals[:max(0, len(in.ConcurringSignals)-1)]
	},
	"the first signal twice": func(in *promotion.Inputs) { in.ConcurringSignals = repeatFirst(in.ConcurringSignals) },
	"a reason": func(in *promotion.Inputs) {
		in.Tripwire = raised(in.Tripwire, promotion.TripwireResult{Reasons: make([]promotion.Finding, 1)})
	},
	"an escalation": func(in *promotion.Inputs) {
		in.Tripwire = raised(in.Tripwire, promotion.TripwireResult{Escalate: true})
	},
	"reasons that were cut": func(in *promotion.Inputs) { in.Tripwire = raised(in.Tripwire, promotion.TripwireResult{Omitted: 1}) },
	"nothing that is told":  func(in *promotion.Inputs) { *in = promotion.Inputs{Tripwire: in.Tripwire} },
	"nothing at all but kind": func(in *promotion.Inputs) {
		*in = promotion.Inputs{Tripwire: in.Tripwire, ConcurringSignals: in.ConcurringSignals}
	},
}

// inProcess makes an oracle run in process that didn't.
func inProcess(o promotion.Oracle) promotion.Oracle {
	if o == promotion.OracleIsolated {
		return promotion.OracleInProcess
	}
	return o
}

func raised(old *promotion.TripwireResult, with promotion.TripwireResult) *promotion.TripwireResult {
	if old != nil {
		with.Escalate = with.Escalate || old.Escalate
		with.Omitted += old.Omitted
		with.Reasons = append(with.Reasons, old.Reasons...)
	}
	return &with
}

func repeatFirst(signals []string) []string {
	repeated := slices.Clone(signals)
	for i := range repeated {
		repeated[i] = repeated[0]
	}
	return repeated
}

// Taking anything away, or making it worse, never makes a promotion less
// supervised, and takes no guard off the list.
func TestWorseInputsAreNeverLessSupervised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, opt := likely.Draw(t, "inputs"), anyOptions.Draw(t, "options")
		before := promotion.Decide(in, opt)
		for name, spoil := range worse {
			spoilt := in
			spoil(&spoilt)
			after := promotion.Decide(spoilt, opt)
			if slices.Index(supervision, after.Terminal) < slices.Index(supervision, before.Terminal) {
				t.Fatalf("%s: %s became %s", name, before.Terminal, after.Terminal)
			}
			for _, g := range guardsOf(before) {
				if !slices.Contains(guardsOf(after), g) {
					t.Fatalf("%s: the guard %s no longer stops", name, g)
				}
			}
		}
		strict := opt
		strict.Advisory = false
		if s := promotion.Decide(in, strict); slices.Index(supervision, s.Terminal) < slices.Index(supervision, before.Terminal) {
			t.Fatalf("with a tripwire that must run, %s became %s", before.Terminal, s.Terminal)
		}
		none := opt
		none.Kinds = []string{}
		if n := promotion.Decide(in, none); n.Terminal != promotion.NeedsHuman {
			t.Fatalf("no kind counts, and it is %s", n.Terminal)
		}
	})
}

// What no table can be wrong about: who is skipped, and when.
func TestTerminalsMeanWhatTheySay(t *testing.T) {
	seen := map[promotion.Terminal]int{}
	rapid.Check(t, func(t *rapid.T) {
		in, opt := likely.Draw(t, "inputs"), anyOptions.Draw(t, "options")
		d := promotion.Decide(in, opt)
		seen[d.Terminal]++
		allButOracle := in.Gate2 == promotion.Gate2Positive && in.Gate4Armed == promotion.Yes &&
			in.TouchesIrreversibleTool == promotion.No && in.StatisticsPresent == promotion.Yes &&
			len(promotion.DistinctKinds(in.ConcurringSignals, opt.Kinds)) >= 2 && (!in.Tripwire.Raised() || in.Tripwire == nil && opt.Advisory)
		want := promotion.NeedsHuman
		switch {
		case allButOracle && in.Oracle == promotion.OracleIsolated:
			want = promotion.AutoPromote
		case allButOracle && in.Oracle == promotion.OracleInProcess:
			want = promotion.CandidateOnly
		}
		if d.Terminal != want {
			t.Fatalf("%s, want %s", d.Terminal, want)
		}
		if (d.Terminal == promotion.AutoPromote) != (len(d.Stops) == 0) {
			t.Fatalf("%s with %d stops", d.Terminal, len(d.Stops))
		}
		if d.Terminal == promotion.CandidateOnly && (len(d.Stops) != 1 || d.Stops[0].Guard != promotion.GuardOracle) {
			t.Fatalf("candidate_only with %v", d.Stops)
		}
		if d.TripwireDown != (in.Tripwire == nil) {
			t.Fatalf("TripwireDown is %t", d.TripwireDown)
		}
		for _, s := range d.Stops {
			if s.Message == "" {
				t.Fatalf("%s stops without a word", s.Guard)
			}
		}
	})
	for _, terminal := range []promotion.Terminal{promotion.AutoPromote, promotion.NeedsHuman} {
		if seen[terminal] == 0 {
			t.Errorf("no drawn inputs led to %s: the test is blind", terminal)
		}
	}
}

func TestTheOrderOfKindsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, opt := likely.Draw(t, "inputs"), anyOptions.Draw(t, "options")
		shuffled := in
		shuffled.ConcurringSignals = rapid.Permutation(in.ConcurringSignals).Draw(t, "shuffled")
		if diff := cmp.Diff(promotion.Decide(in, opt), promotion.Decide(shuffled, opt)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestNothingNeedsAPersonUnderEveryOption(t *testing.T) {
	for _, advisory := range []bool{false, true} {
		for _, kinds := range [][]string{nil, {}, {"canary", "replay"}} {
			d := promotion.Decide(promotion.Inputs{}, promotion.Options{Advisory: advisory, Kinds: kinds})
			if d.Terminal != promotion.NeedsHuman {
				t.Errorf("advisory %t, kinds %v: %s", advisory, kinds, d.Terminal)
			}
		}
	}
	if !(*promotion.TripwireResult)(nil).Raised() {
		t.Error("a tripwire that didn't run is not raised")
	}
}

// A guard's message tells a person what is missing.
func TestStopsSayWhy(t *testing.T) {
	in := passing()
	in.Oracle, in.Gate2, in.ConcurringSignals = "odd", "odd", []string{"canary", "Canary"}
	in.Tripwire = &promotion.TripwireResult{Reasons: make([]promotion.Finding, 2), Omitted: 3}
	var said []string
	for _, s := range promotion.Decide(in, promotion.Options{}).Stops {
		said = append(said, string(s.Guard)+": "+s.Message)
	}
	if diff := cmp.Diff([]string{
		"tripwire: the tripwire was raised for 5 reasons",
		"concurrence: 1 of at least 2 distinct kinds of signals concur",
		"oracle: the oracle is unknown, not out_of_process_isolated",
		"gate2: gate 2 is absent_or_ungated, not present_positive",
	}, said); diff != "" {
		t.Error(diff)
	}
}

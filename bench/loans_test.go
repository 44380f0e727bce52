package bench

import (
	"encoding/json"
	"runtime"
	"slices"
	"testing"

	"github.com/pawlgate/pawl/casegate"
)

// granted is the policy of examples/credit-case by hand.
func (l *loan) granted() bool {
	f, s := l.Case.Facts, l.Case.Sources
	return f.Savings != "" && f.Label == "Good" && f.Amount < 9000 && f.Duration < 30 &&
		!slices.Contains(f.Reasons, "age") && !slices.Contains(f.Reasons, "foreign_worker") &&
		len(s) == 2 && *s[0].Values.Creditworthy == *s[1].Values.Creditworthy &&
		l.Case.Checks[0].Status != "pending" && l.Case.Signals.Confidence >= 0.85
}

// The gate answers each loan as the hand-written if does, and its outputs pass
// the yardstick's schema.
func TestLoans(t *testing.T) {
	gate, err := loanGate()
	if err != nil {
		t.Fatal(err)
	}
	granted := 0
	for i, line := range Loans() {
		var l loan
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		in := gate.Read(line, i+1)
		r := gate.Decide(in, nil)
		if in.Err != nil || (r.Output.Action == casegate.Decide) != l.granted() {
			t.Errorf("%s: %v, %s", line, in.Err, r.Output.AppendJSON(nil))
		}
		if l.granted() {
			granted++
		}
	}
	if n := len(Loans()); n != 100 || granted < 10 || granted > 30 {
		t.Errorf("%d of %d granted: not the cases that README.md describes", granted, n)
	}
	steps, err := CaseSteps()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		for i := range Loans() {
			if err := s.Do(i); err != nil {
				t.Errorf("%s, case %d: %v", s.Name, i, err)
			}
		}
	}
}

// BenchmarkCase takes the cases in turn, on one core: the garbage collector has
// no other to work on.
func BenchmarkCase(b *testing.B) {
	steps, err := CaseSteps()
	if err != nil {
		b.Fatal(err)
	}
	n := len(Loans())
	for _, s := range steps {
		b.Run(s.Name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := s.Do(i); err != nil {
					b.Fatal(err)
				}
				if i++; i == n {
					i = 0
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cases/s")
		})
	}
}

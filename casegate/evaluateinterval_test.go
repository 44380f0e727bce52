package casegate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

// near tells whether two numbers agree to a share of the second.
func near(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// The wanted ends were computed by other means, with 30 to 40 digits: bisection
// of the incomplete beta function, or of the binomial tail summed term by term.
func TestIntervalsAreThoseOfClopperAndPearson(t *testing.T) {
	for _, tt := range []struct {
		count, of    int
		level        float64
		lower, upper float64
	}{
		{0, 10, 0.95, 0, 0.30849710781876082},
		{10, 10, 0.95, 0.69150289218123918, 1},
		{5, 10, 0.95, 0.18708602844739853, 0.81291397155260147},
		{5, 10, 0.99, 0.12831055393508325, 0.87168944606491675},
		{3, 7, 0.95, 0.098988278442507865, 0.81594843235991699},
		{0, 1, 0.95, 0, 0.975},
		{1, 1, 0.95, 0.025, 1},
		{1, 100, 0.95, 0.00025314603297742063, 0.054459385392080657},
		{1, 100, 0.99, 5.0124161977656418e-5, 0.071957682401636306},
		{12, 345, 0.95, 0.01809944038998979, 0.059969532651539676},
		{12, 345, 0.99, 0.014455530336240776, 0.068757756860894294},
		{0, 1000, 0.95, 0, 0.0036820838968656721},
		{0, 1000, 0.99, 0, 0.0052843060394974434},
		{7, 1000, 0.95, 0.0028188587596205257, 0.014369194978918633},
		{17, 100_000, 0.95, 9.9034283796885615e-5, 0.00027217256119332805},
		{1, 1_000_000, 0.95, 2.5317807663794178e-8, 5.5716306551722443e-6},
		{400_000, 1_000_000, 0.95, -1, 0.40096097082778},
		{0, 10_000_000, 0.95, 0, 3.6888787737223e-7},
		{1, 10_000_000, 0.95, -1, 5.5716421173609e-7},
		{100, 10_000_000, 0.95, -1, 1.2162666227232e-5},
		{5_000_000, 10_000_000, 0.95, 1 - 0.50030994747863, 0.50030994747863},
		{10_000_000, 10_000_000, 0.95, 1 - 3.6888787737223e-7, 1},
	} {
		p := proportion(tt.count, tt.of, tt.level)
		// The library's inverse loses a few digits among millions.
		share := 1e-12
		if tt.of > 10_000 {
			share = 1e-8
		}
		if tt.lower >= 0 && !near(p.Lower, tt.lower, share) || !near(p.Upper, tt.upper, share) {
			t.Errorf("%d of %d at %v: %v to %v, want %v to %v", tt.count, tt.of, tt.level, p.Lower, p.Upper, tt.lower, tt.upper)
		}
	}
}

func TestNothingIsKnownOfNoCase(t *testing.T) {
	if p := proportion(0, 0, 0.95); p != (Proportion{Upper: 1}) || p.Percent() != "–" || p.Interval() != "0 % to 100 %" {
		t.Errorf("got %+v", p)
	}
}

// The interval misses the true rate no more often than it says, on either side,
// whatever the rate is: the probabilities of all outcomes are added up.
func TestIntervalsCoverTheTrueRate(t *testing.T) {
	for _, level := range []float64{0.5, 0.9, 0.95, 0.999} {
		for _, of := range []int{1, 2, 5, 10, 30, 100} {
			all := make([]Proportion, of+1)
			for k := range all {
				all[k] = proportion(k, of, level)
			}
			for step := 1; step < 200; step++ {
				rate := float64(step) / 200
				low, high := 0.0, 0.0
				for k, p := range all {
					n, x := float64(of), float64(k)
					a, _ := math.Lgamma(n + 1)
					b, _ := math.Lgamma(x + 1)
					c, _ := math.Lgamma(n - x + 1)
					probability := math.Exp(a - b - c + x*math.Log(rate) + (n-x)*math.Log1p(-rate))
					switch {
					case p.Upper < rate:
						low += probability
					case p.Lower > rate:
						high += probability
					}
				}
				if tail := (1-level)/2 + 1e-9; low > tail || high > tail {
					t.Errorf("level %v, %d cases, rate %v: beyond the ends with %v and %v", level, of, rate, low, high)
				}
			}
		}
	}
}

func TestIntervalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, rapid.SampledFrom([]int{20, 1000, 10_000_000}).Draw(t, "size")).Draw(t, "of")
		count := rapid.IntRange(0, of).Draw(t, "count")
		level := rapid.Float64Range(0.5, 0.9999).Draw(t, "level")
		p := proportion(count, of, level)
		if !(p.Lower >= 0 && p.Lower <= *p.Share && *p.Share <= p.Upper && p.Upper <= 1) {
			t.Fatalf("out of order: %+v", p)
		}
		if count > 0 && count < of && (p.Lower == 0 || p.Upper == 1) {
			t.Fatalf("the library failed: %+v", p)
		}
		// Counting the other cases turns the interval round.
		q := proportion(of-count, of, level)
		if math.Abs(p.Lower-(1-q.Upper)) > 1e-9 || math.Abs(p.Upper-(1-q.Lower)) > 1e-9 {
			t.Fatalf("not symmetric: %+v and %+v", p, q)
		}
		if count < of {
			if more := proportion(count+1, of, level); more.Upper < p.Upper || more.Lower < p.Lower {
				t.Fatalf("one more, but lower: %+v and %+v", p, more)
			}
			tail := mathext.RegIncBeta(float64(count+1), float64(of-count), p.Upper)
			if !near(1-tail, (1-level)/2, 1e-4) {
				t.Fatalf("beyond the upper end lies %v", 1-tail)
			}
		}
		if wider := proportion(count, of, level+(1-level)/2); wider.Upper < p.Upper || wider.Lower > p.Lower {
			t.Fatalf("a higher level, but narrower: %+v and %+v", p, wider)
		}
	})
}

func TestCasesForIsTheSmallestNumber(t *testing.T) {
	for _, tt := range []struct{ limit, want float64 }{
		{0.01, 368}, {0.5, 6}, {0.99, 1}, {1, 0}, {0, math.Inf(1)}, {-1, math.Inf(1)}, {math.NaN(), math.Inf(1)},
	} {
		if got := casesFor(tt.limit, 0.95); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.limit, got, tt.want)
		}
	}
	for _, limit := range []float64{0.3, 0.02, 0.01, 0.001} {
		n := int(casesFor(limit, 0.95))
		if proportion(0, n, 0.95).Upper > limit || proportion(0, n-1, 0.95).Upper <= limit {
			t.Errorf("%v: %d is not the smallest", limit, n)
		}
	}
}

func TestPercentagesAreRoundedOutward(t *testing.T) {
	for _, tt := range []struct {
		share          float64
		down, even, up string
	}{
		{0, "0 %", "0 %", "0 %"},
		{1, "100 %", "100 %", "100 %"},
		{0.5, "50.0 %", "50.0 %", "50.0 %"},
		{0.025, "2.50 %", "2.50 %", "2.50 %"},
		{0.07, "7.00 %", "7.00 %", "7.00 %"},
		{1.0 / 3, "33.3 %", "33.3 %", "33.4 %"},
		{2.0 / 3, "66.6 %", "66.7 %", "66.7 %"},
		{0.0100004, "1.00 %", "1.00 %", "1.01 %"},
		{3.68887e-7, "0.0000368 %", "0.0000369 %", "0.0000369 %"},
		{0.99998, "99.99800 %", "99.99800 %", "99.99800 %"},
		{1 - 3.68887e-7, "99.9999631 %", "99.9999631 %", "99.9999632 %"},
	} {
		if d, e, u := percent(tt.share, roundDown), percent(tt.share, math.RoundToEven), percent(tt.share, roundUp); d != tt.down || e != tt.even || u != tt.up {
			t.Errorf("%v: %s, %s, %s; want %s, %s, %s", tt.share, d, e, u, tt.down, tt.even, tt.up)
		}
	}
}

package main

import (
	"math"
	"strconv"
	"testing"

	"github.com/pawlgate/pawl/policy"
)

// Whatever the values and bounds are, a chart is drawn within its frame.
func FuzzCharts(f *testing.F) {
	f.Add(0.9, 0.5, 0.9, 0.3, 1e18, 500, 1)
	f.Add(1.7e308, -1.7e308, 1.0, 0.0, 1.0, 1, 1)
	f.Add(-1.7e308, -1.79e308, -1.0, -1.7e308, -1.7e308, 3, 3)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 1, 0)
	f.Add(5e-324, 0.0, 5e-324, 0.0, 1e-310, 1, 1)
	f.Add(5000000.0, 4999999.0, 5000000.5, 4999999.5, 5000001.0, 1, 1)
	f.Fuzz(func(t *testing.T, high, review, newHigh, a, b float64, n, m int) {
		for _, v := range []float64{high, review, newHigh, a, b} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return
			}
		}
		n, m = n&0xffff, m&0xffff
		s := &policy.ReplayScore{
			Score: "s", Old: &policy.BandBounds{HighMin: max(high, review), ReviewMin: min(high, review)},
			New: &policy.BandBounds{HighMin: max(newHigh, review), ReviewMin: min(newHigh, review)},
		}
		for i, from := range []float64{min(a, b), max(a, b)} {
			items := []int{n, m}[i]
			if items == 0 || i == 1 && a == b {
				continue
			}
			s.Bins = append(s.Bins, policy.Bin{
				From: from, To: math.Nextafter(from, math.Inf(1)), Items: items,
				Old: policy.BandCounts{High: items}, New: policy.BandCounts{Low: items},
			})
		}
		for _, c := range charts(s) {
			for _, bar := range c.Bars {
				for _, at := range []string{bar.X, bar.Y, bar.Width, bar.Height} {
					if v, err := strconv.ParseFloat(at, 64); err != nil || !(v >= 0 && v <= chartWidth) {
						t.Fatalf("%+v: %s", s, at)
					}
				}
			}
			for _, bound := range c.Bounds {
				if v, err := strconv.ParseFloat(bound.X, 64); err != nil || !(v >= plotLeft && v <= plotRight) {
					t.Fatalf("%+v: bound at %s", s, bound.X)
				}
			}
		}
	})
}

package casegate

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mathext"
)

// Proportion is a share of cases, and the interval in which the true rate lies.
//
// The interval is the exact one of Clopper and Pearson, two-sided: at a level of
// 95 % at most 2.5 % lie beyond each of its ends, whatever the true rate is. Of no
// case nothing is known, and the interval is 0 to 1.
type Proportion struct {
	Count int      `json:"count"`
	Of    int      `json:"of"`
	Share *float64 `json:"share,omitempty"` // nil if it is of none
	Lower float64  `json:"lower"`
	Upper float64  `json:"upper"`
}

// Percent writes the share for people: "61.3 %", or "–" if it is of none.
func (p Proportion) Percent() string {
	if p.Share == nil {
		return "–"
	}
	return percent(*p.Share, math.RoundToEven)
}

// Interval writes the interval for people: "0 % to 3.03 %".
func (p Proportion) Interval() string {
	lower, upper := p.Ends()
	return lower + " to " + upper
}

// Ends writes the ends of the interval for people, rounded outward.
func (p Proportion) Ends() (lower, upper string) {
	return percent(p.Lower, roundDown), percent(p.Upper, roundUp)
}

// proportion computes the interval of count of so many.
func proportion(count, of int, level float64) Proportion {
	p := Proportion{Count: count, Of: of, Upper: 1}
	if of == 0 {
		return p
	}
	k, n := float64(count), float64(of)
	share, tail := k/n, (1-level)/2
	p.Share = &share
	// The ends solve P(X ≥ k) = tail and P(X ≤ k) = tail: quantiles of beta
	// distributions, and roots where one of the parameters is 1.
	switch {
	case count == of:
		p.Lower = math.Exp(math.Log(tail) / n)
	case count > 0:
		p.Lower = mathext.InvRegIncBeta(k, n-k+1, tail)
	}
	switch {
	case count == 0:
		p.Upper = -math.Expm1(math.Log(tail) / n)
	case count < of:
		p.Upper = mathext.InvRegIncBeta(k+1, n-k, 1-tail)
	}
	// Should the library ever fail, nothing is known.
	if !(p.Lower >= 0 && p.Lower <= share) {
		p.Lower = 0
	}
	if !(p.Upper >= share && p.Upper <= 1) {
		p.Upper = 1
	}
	return p
}

// casesFor tells how many cases it takes, none of them counted, for the
// interval's upper end to be no more than limit; +Inf: there are never enough.
func casesFor(limit, level float64) float64 {
	if !(limit > 0) {
		return math.Inf(1)
	}
	return math.Ceil(math.Log((1-level)/2) / math.Log1p(-limit))
}

// percent writes a share with three digits that count, seen from the nearer one
// of 0 and 1: 0.0253 %, 5.45 %, 61.3 %, 99.9975 %. Only 0 and 1 themselves are
// written as 0 % and 100 %.
func percent(share float64, round func(float64) float64) string {
	if share <= 0 || share >= 1 {
		return strconv.FormatFloat(100*share, 'f', 0, 64) + " %"
	}
	decimals := 0
	if near := 100 * min(share, 1-share); near < 100 {
		decimals = min(15, 2-int(math.Floor(math.Log10(near))))
	}
	scale := math.Pow10(decimals)
	return strconv.FormatFloat(round(100*share*scale)/scale, 'f', decimals, 64) + " %"
}

// What is a whole number but for the errors of arithmetic stays as it is.
const roundSlack = 1e-6

func roundDown(f float64) float64 { return math.Floor(f + roundSlack) }
func roundUp(f float64) float64   { return math.Ceil(f - roundSlack) }

package main

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// bounds walks over both bounds of a band: the bound itself and the float64 on
// either side of it.
func bounds() []vector {
	var out []vector
	for _, b := range []struct{ high, review float64 }{
		{0.9, 0.5},
		{0.3, 0.1}, // 0.1 + 0.2 is above 0.3
		{0.5, 0.5},
		{1, 0},
		{0, -0.25},
		{0, 0},
		{-0.1, -0.9},
		{1e-300, 1e-301},
		{5e-324, 0},
		{2.2250738585072014e-308, 5e-324},
		{1e300, 1e22},
		{1 << 53, -(1 << 53)},
		{math.MaxFloat64, -math.MaxFloat64},
	} {
		for _, at := range []struct {
			name  string
			bound float64
		}{{"highMin", b.high}, {"reviewMin", b.review}} {
			if at.name == "reviewMin" && b.high == b.review {
				continue
			}
			for _, beside := range []struct {
				name  string
				score float64
			}{
				{"equal to", at.bound},
				{"one ulp above", math.Nextafter(at.bound, math.Inf(1))},
				{"one ulp below", math.Nextafter(at.bound, math.Inf(-1))},
			} {
				if math.IsInf(beside.score, 0) {
					continue
				}
				name := fmt.Sprintf("bounds %s and %s: %s %s", number(b.high), number(b.review), beside.name, at.name)
				out = append(out, bounded(name, number(beside.score), b.high, b.review, beside.score))
			}
		}
	}
	return append(out, midpoints()...)
}

// midpoints are long decimals around the middle between a bound and the float64
// below it. Whoever doesn't round to nearest, ties to even, is off by one ulp.
func midpoints() []vector {
	var out []vector
	for _, bound := range []float64{0.9, 0.3, 0.82, 1, 123456789.125} {
		below := math.Nextafter(bound, 0)
		middle := new(big.Float).SetPrec(200).SetFloat64(bound)
		middle.Add(middle, new(big.Float).SetFloat64(below))
		middle.Quo(middle, big.NewFloat(2))
		text := middle.Text('f', 80) // 80 digits hold it exactly
		even := below
		if math.Float64bits(bound)%2 == 0 {
			even = bound
		}
		for _, d := range []struct {
			name, text string
			score      float64
		}{
			{"a decimal in the middle between", text, even},
			{"a decimal just above the middle between", text + "1", bound},
			{"a decimal just below the middle between", justBelow(middle), below},
		} {
			name := fmt.Sprintf("bounds: %s %s and the float64 below it", d.name, number(bound))
			v := bounded(name, d.text, bound, 0, d.score)
			v.asText = true
			out = append(out, v)
		}
	}
	return out
}

// justBelow is a number a little smaller than f, which has fewer than 80
// decimal places.
func justBelow(f *big.Float) string {
	tiny, _, _ := big.ParseFloat("1e-80", 10, 600, big.ToNearestEven)
	return new(big.Float).SetPrec(600).Sub(f, tiny).Text('f', 81)
}

func bounded(name, text string, highMin, reviewMin, score float64) vector {
	s := situation{bands: []band{{"score", levelOf(score, highMin, reviewMin)}}, apply: true, reject: true}
	return vector{
		name:   name,
		input:  object(member("score", text)),
		asText: math.Abs(score) > 1<<53, // not everyone writes these as a fraction again
		policy: automatic(member("score", object(member("highMin", number(highMin)), member("reviewMin", number(reviewMin))))),
		expect: s.decide(),
	}
}

// number writes a float64 so that it is read as that float64 again, and no
// large one as an integer.
func number(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

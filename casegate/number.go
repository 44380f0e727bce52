package casegate

import (
	"math/big"
	"strconv"
)

// decimal is a number as people write it: the shortest decimal that a float64
// stands for, exactly. 0.8 - 0.1 is 0.7 then.
func decimal(f float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// addDecimal adds as people do on paper.
func addDecimal(a, b float64) float64 {
	sum, _ := new(big.Rat).Add(decimal(a), decimal(b)).Float64()
	return sum
}

// asNumber takes a value of a case as a number: an int64 or a finite float64.
func asNumber(v any) (any, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case float64:
		return v, finite(v)
	default:
		return nil, false
	}
}

// exact is the number without any rounding.
func exact(v any) *big.Rat {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v)
	case float64:
		return decimal(v)
	default:
		return new(big.Rat)
	}
}

// held is up to where every integer is a float64.
const held = 1 << 53

// compareNumber compares a number of a case with a bound, without rounding.
func compareNumber(v any, bound float64) int {
	switch v := v.(type) {
	case float64:
		return compareFloat(v, bound)
	case int64:
		if -held <= v && v <= held {
			return compareFloat(float64(v), bound)
		}
	}
	return exact(v).Cmp(decimal(bound))
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// distance is how far a number is from a bound.
func distance(v any, bound float64) float64 {
	d := new(big.Rat).Sub(exact(v), decimal(bound))
	f, _ := d.Abs(d).Float64()
	return f
}

// marginStart is where a margin begins: worked out in decimals, which a float64 may
// only be near to.
type marginStart struct {
	exact   *big.Rat
	nearest float64
}

func startOfMargin(r *big.Rat) *marginStart {
	f, _ := r.Float64()
	return &marginStart{r, f}
}

// compare compares a number of a case with it, without rounding: a float64 that
// isn't the nearest one lies on the same side of both.
func (n *marginStart) compare(v any) int {
	f, ok := v.(float64)
	if i, whole := v.(int64); whole && -held <= i && i <= held {
		f, ok = float64(i), true
	}
	if ok && f != n.nearest {
		return compareFloat(f, n.nearest)
	}
	return exact(v).Cmp(n.exact)
}

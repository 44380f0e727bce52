package expr

import (
	"math"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// maxExact is the largest n for which a float64 holds every integer up to n.
const maxExact = 1 << 53

// arithmetic makes an operator that mixes integers and doubles, and has no
// value where the result isn't a finite number or an integer can't be held by
// a double.
func arithmetic(op string) func(l, r ref.Val, _ bool) ref.Val {
	apply := apply(op)
	return func(l, r ref.Val, _ bool) ref.Val {
		cl, cr := classOf(l), classOf(r)
		switch {
		case cl == classNull || cr == classNull:
			return unknown("a null can't be calculated with")
		case notFinite(l) || notFinite(r):
			return unknown("a NaN or an infinity can't be calculated with")
		case cl == classNumber && cr == classNumber:
			var err ref.Val
			if l, r, err = oneType(l, r); err != nil {
				return err
			}
		case cl != cr && cl != classTime && cl != classDuration:
			return unknown("%s can't be calculated with %s", cl, cr)
		}
		res := apply(l, r)
		if notFinite(res) {
			return unknown("the result isn't a finite number")
		}
		return res
	}
}

func apply(op string) func(l, r ref.Val) ref.Val {
	missing := func(l ref.Val) ref.Val {
		return unknown("%s can't be calculated with in this way", classOf(l))
	}
	switch op {
	case operators.Add:
		return func(l, r ref.Val) ref.Val {
			if v, ok := l.(traits.Adder); ok {
				return v.Add(r)
			}
			return missing(l)
		}
	case operators.Subtract:
		return func(l, r ref.Val) ref.Val {
			if v, ok := l.(traits.Subtractor); ok {
				return v.Subtract(r)
			}
			return missing(l)
		}
	case operators.Multiply:
		return func(l, r ref.Val) ref.Val {
			if v, ok := l.(traits.Multiplier); ok {
				return v.Multiply(r)
			}
			return missing(l)
		}
	case operators.Divide:
		return func(l, r ref.Val) ref.Val {
			if v, ok := l.(traits.Divider); ok {
				return v.Divide(r)
			}
			return missing(l)
		}
	default:
		return func(l, r ref.Val) ref.Val {
			if v, ok := l.(traits.Modder); ok {
				return v.Modulo(r)
			}
			return missing(l)
		}
	}
}

// oneType brings two numbers to one of CEL's types.
func oneType(l, r ref.Val) (ref.Val, ref.Val, ref.Val) {
	if l.Type() == r.Type() {
		return l, r, nil
	}
	if l.Type() == types.DoubleType || r.Type() == types.DoubleType {
		dl, ok1 := toDouble(l)
		dr, ok2 := toDouble(r)
		if !ok1 || !ok2 {
			return nil, nil, unknown("an integer beyond 2^53 can't be mixed with a fraction")
		}
		return dl, dr, nil
	}
	il, ok1 := toInt(l)
	ir, ok2 := toInt(r)
	if !ok1 || !ok2 {
		return nil, nil, unknown("an unsigned integer is too large to be mixed with a signed one")
	}
	return il, ir, nil
}

func toDouble(v ref.Val) (types.Double, bool) {
	switch v := v.(type) {
	case types.Double:
		return v, true
	case types.Int:
		return types.Double(v), v >= -maxExact && v <= maxExact
	case types.Uint:
		return types.Double(v), v <= maxExact
	default:
		return 0, false
	}
}

func toInt(v ref.Val) (types.Int, bool) {
	switch v := v.(type) {
	case types.Int:
		return v, true
	case types.Uint:
		return types.Int(v), v <= math.MaxInt64
	default:
		return 0, false
	}
}

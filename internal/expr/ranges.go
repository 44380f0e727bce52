package expr

import (
	"maps"
	"math"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
)

// CanBeTrue reports whether the expression can be true at all for values
// within the declared ranges. It answers false only if it can prove that: it
// follows comparisons of a declared number with a constant through !, && and
// ||, and takes everything else for possible.
func (p *Program) CanBeTrue() bool {
	r := ranger{checker: checker{env: p.env}}
	ok, _ := r.may(p.root, true, box{})
	return ok
}

// Range returns the declared range of the one number that the expression reads,
// if it is nothing but that; ok is false if it isn't, or none is declared. An
// end that isn't declared is infinite.
func (p *Program) Range() (lowest, highest float64, ok bool) {
	c := checker{env: p.env}
	k, known := c.knows(p.root)
	return k.Min, k.Max, known && k.Bounded
}

// box is what is still possible for each number.
type box map[Read]interval

type interval struct {
	lo, hi         float64
	loOpen, hiOpen bool
}

func (i interval) empty() bool {
	return i.lo > i.hi || i.lo == i.hi && (i.loOpen || i.hiOpen)
}

type ranger struct{ checker }

// may reports whether e can have the value want inside the box, and what the
// box shrinks to if it has.
func (r *ranger) may(e ast.Expr, want bool, b box) (bool, box) {
	if e.Kind() == ast.LiteralKind {
		v, ok := e.AsLiteral().(types.Bool)
		return !ok || bool(v) == want, b
	}
	if e.Kind() != ast.CallKind {
		return true, b
	}
	call := e.AsCall()
	args := call.Args()
	switch call.FunctionName() {
	case operators.LogicalNot:
		return r.may(args[0], !want, b)
	case operators.LogicalAnd:
		return r.junction(args, want, want, b)
	case operators.LogicalOr:
		return r.junction(args, want, !want, b)
	}
	op, ok := comparisons[call.FunctionName()]
	if !ok {
		return true, b
	}
	if !want {
		op = op.negated()
	}
	if read, ok := r.entry(args[0]); ok {
		if c, ok := constant(args[1]); ok {
			return r.narrow(read, op, c, b)
		}
	}
	if read, ok := r.entry(args[1]); ok {
		if c, ok := constant(args[0]); ok {
			return r.narrow(read, op.mirrored(), c, b)
		}
	}
	return true, b
}

// junction: all terms must have the value, or any one of them.
func (r *ranger) junction(args []ast.Expr, want, all bool, b box) (bool, box) {
	if !all {
		for _, a := range args {
			if ok, _ := r.may(a, want, b); ok {
				return true, b
			}
		}
		return false, b
	}
	for _, a := range args {
		var ok bool
		if ok, b = r.may(a, want, b); !ok {
			return false, b
		}
	}
	return true, b
}

func (r *ranger) narrow(read Read, op comparison, c float64, b box) (bool, box) {
	f, ok := r.env.vars[read.Var].Fields[read.Key]
	if !ok || f.Kind != Number && f.Kind != Integer {
		return true, b
	}
	i, ok := b[read]
	if !ok {
		i = interval{lo: math.Inf(-1), hi: math.Inf(1)}
		if f.Bounded {
			i = interval{lo: f.Min, hi: f.Max}
		}
	}
	switch op {
	case less, lessEqual:
		if c < i.hi || c == i.hi && op == less {
			i.hi, i.hiOpen = c, op == less
		}
	case greater, greaterEqual:
		if c > i.lo || c == i.lo && op == greater {
			i.lo, i.loOpen = c, op == greater
		}
	case equal:
		inside := c > i.lo && c < i.hi || c == i.lo && !i.loOpen || c == i.hi && !i.hiOpen
		if !inside {
			return false, b
		}
		i = interval{lo: c, hi: c}
	case notEqual:
		if i.lo == c && i.hi == c {
			return false, b
		}
	}
	if i.empty() {
		return false, b
	}
	b = maps.Clone(b)
	b[read] = i
	return true, b
}

func constant(e ast.Expr) (float64, bool) {
	if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Negate {
		c, ok := constant(e.AsCall().Args()[0])
		return -c, ok
	}
	if e.Kind() != ast.LiteralKind {
		return 0, false
	}
	switch v := e.AsLiteral().(type) {
	case types.Double:
		return float64(v), true
	case types.Int:
		return float64(v), v >= -maxExact && v <= maxExact
	default:
		return 0, false
	}
}

type comparison uint8

const (
	less comparison = iota
	lessEqual
	greater
	greaterEqual
	equal
	notEqual
)

var comparisons = map[string]comparison{
	operators.Less: less, operators.LessEquals: lessEqual,
	operators.Greater: greater, operators.GreaterEquals: greaterEqual,
	operators.Equals: equal, operators.NotEquals: notEqual,
}

// negated is the comparison that holds where c doesn't.
func (c comparison) negated() comparison {
	return [...]comparison{greaterEqual, greater, lessEqual, less, notEqual, equal}[c]
}

// mirrored is the comparison with its sides exchanged.
func (c comparison) mirrored() comparison {
	return [...]comparison{greater, greaterEqual, less, lessEqual, equal, notEqual}[c]
}

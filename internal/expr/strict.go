package expr

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// strict replaces the comparison, membership and arithmetic nodes of a
// program. It has to override Exec: cel-go calls that one of a V2 node, and an
// overridden Eval alone would be passed over in silence.
func (e *Env) strict(in interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	switch node := in.(type) {
	case interpreter.InterpretableConstructor:
		if node.Type() == types.MapType {
			return &mapLiteral{node}, nil
		}
		return foldConstants(node), nil
	case interpreter.InterpretableCall:
		args := node.Args()
		op, ok := binaryOps[node.Function()]
		if !ok || len(args) != 2 {
			return in, nil
		}
		if e.whole && node.Function() == operators.Divide {
			op = wholeDivision
		}
		return &strictCall{
			InterpretableCall: node, op: op, lhs: args[0], rhs: args[1],
			nulls: isNull(args[0]) || isNull(args[1]),
		}, nil
	}
	return in, nil
}

// foldConstants makes a list of constants one constant, so that the list in
// meta.country in ["XX", "YY"] isn't built for every decision.
func foldConstants(c interpreter.InterpretableConstructor) interpreter.InterpretableV2 {
	if c.Type() != types.ListType {
		return c
	}
	for _, v := range c.InitVals() {
		if _, ok := v.(interpreter.InterpretableConst); !ok {
			return c
		}
	}
	list := c.Eval(interpreter.EmptyActivation())
	if types.IsUnknownOrError(list) {
		return c
	}
	// A constant is of the V2 kind too: cel-go's own are.
	if folded, ok := interpreter.NewConstValue(c.ID(), list).(interpreter.InterpretableV2); ok {
		return folded
	}
	return c
}

func isNull(n interpreter.InterpretableV2) bool {
	c, ok := n.(interpreter.InterpretableConst)
	return ok && c.Value() == types.NullValue
}

// strictCall is a binary operator that knows what it doesn't know.
type strictCall struct {
	interpreter.InterpretableCall
	op       func(l, r ref.Val, nulls bool) ref.Val
	lhs, rhs interpreter.InterpretableV2
	nulls    bool // one side is a literal null
}

// Exec implements interpreter.InterpretableV2.
func (s *strictCall) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	l := s.lhs.Exec(frame)
	if types.IsUnknownOrError(l) {
		return l
	}
	r := s.rhs.Exec(frame)
	if types.IsUnknownOrError(r) {
		return r
	}
	res := s.op(l, r, s.nulls)
	if costs := frame.CostTracker(); costs != nil {
		costs.EvalBinary(frame, s.ID(), s, l, r, res)
	}
	return res
}

// Eval implements interpreter.Interpretable.
func (s *strictCall) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, s.Exec)
}

var binaryOps = map[string]func(l, r ref.Val, nulls bool) ref.Val{
	operators.Equals:        equals,
	operators.NotEquals:     func(l, r ref.Val, nulls bool) ref.Val { return not(equals(l, r, nulls)) },
	operators.Less:          ordering(func(c int) bool { return c < 0 }),
	operators.LessEquals:    ordering(func(c int) bool { return c <= 0 }),
	operators.Greater:       ordering(func(c int) bool { return c > 0 }),
	operators.GreaterEquals: ordering(func(c int) bool { return c >= 0 }),
	operators.In:            in,
	operators.OldIn:         in,
	operators.Add:           arithmetic(operators.Add),
	operators.Subtract:      arithmetic(operators.Subtract),
	operators.Multiply:      arithmetic(operators.Multiply),
	operators.Divide:        arithmetic(operators.Divide),
	operators.Modulo:        arithmetic(operators.Modulo),
}

// wholeDivision is division that is unknown if two integers leave a remainder.
func wholeDivision(l, r ref.Val, nulls bool) ref.Val {
	a, ok1 := toInt(l)
	b, ok2 := toInt(r)
	if ok1 && ok2 && b != 0 && b != -1 && a%b != 0 {
		return unknown("an integer divided by an integer leaves a remainder: write one of them as a fraction, or declare it as a number")
	}
	return arithmetic(operators.Divide)(l, r, nulls)
}

func not(v ref.Val) ref.Val {
	if b, ok := v.(types.Bool); ok {
		return !b
	}
	return v
}

// class is what must be the same on both sides of a comparison.
type class uint8

const (
	classNumber class = iota
	classString
	classBool
	classBytes
	classTime
	classDuration
	classList
	classMap
	classType
	classNull
	classOther
)

func (c class) String() string {
	return [...]string{"a number", "a string", "a boolean", "bytes", "a timestamp", "a duration", "a list", "a map", "a type", "null", "something else"}[c]
}

func classOf(v ref.Val) class {
	switch v.(type) {
	case types.Double, types.Int, types.Uint:
		return classNumber
	case types.String:
		return classString
	case types.Bool:
		return classBool
	case types.Null:
		return classNull
	case types.Bytes:
		return classBytes
	case types.Timestamp:
		return classTime
	case types.Duration:
		return classDuration
	case *types.Type:
		return classType
	case traits.Lister:
		return classList
	case traits.Mapper:
		return classMap
	default:
		return classOther
	}
}

// uncomparable says why two values can't be compared, or returns nil. The
// messages name kinds, never values.
func uncomparable(l, r ref.Val) (class, ref.Val) {
	cl, cr := classOf(l), classOf(r)
	switch {
	case cl == classNull || cr == classNull:
		return cl, unknown("a null can't be compared (only with a literal null)")
	case cl != cr:
		return cl, unknown("%s can't be compared with %s", cl, cr)
	case notFinite(l) || notFinite(r):
		return cl, unknown("a NaN or an infinity can't be compared")
	case cl == classOther:
		return cl, unknown("values of this kind can't be compared")
	}
	return cl, nil
}

func notFinite(v ref.Val) bool {
	d, ok := v.(types.Double)
	return ok && (math.IsNaN(float64(d)) || math.IsInf(float64(d), 0))
}

// maxCompared bounds the lists and maps that == compares: their cost isn't
// known to the cost limit.
const maxCompared = 1000

func tooLong(l, r traits.Sizer) bool {
	ls, ok1 := l.Size().(types.Int)
	rs, ok2 := r.Size().(types.Int)
	return !ok1 || !ok2 || ls > maxCompared && rs > maxCompared
}

func equals(l, r ref.Val, nulls bool) ref.Val {
	if nulls {
		return types.Bool(classOf(l) == classOf(r))
	}
	c, err := uncomparable(l, r)
	if err != nil {
		return err
	}
	switch c {
	case classNumber:
		return types.Bool(compareNumbers(l, r) == 0)
	case classList:
		return equalLists(l.(traits.Lister), r.(traits.Lister))
	case classMap:
		return equalMaps(l.(traits.Mapper), r.(traits.Mapper))
	default:
		return l.Equal(r)
	}
}

// equalLists is true if all elements are equal, and has no value if one pair
// of them has none.
func equalLists(l, r traits.Lister) ref.Val {
	if tooLong(l, r) {
		return unknown("lists of more than %d entries can't be compared", maxCompared)
	}
	if l.Size().Equal(r.Size()) != types.True {
		return types.False
	}
	all := types.True
	for i, j := l.Iterator(), r.Iterator(); i.HasNext() == types.True; {
		switch eq := equals(i.Next(), j.Next(), false); eq {
		case types.True:
		case types.False:
			all = types.False
		default:
			return eq
		}
	}
	return all
}

func equalMaps(l, r traits.Mapper) ref.Val {
	if tooLong(l, r) {
		return unknown("maps of more than %d entries can't be compared", maxCompared)
	}
	if l.Size().Equal(r.Size()) != types.True {
		return types.False
	}
	all := types.True
	for i := l.Iterator(); i.HasNext() == types.True; {
		key := i.Next()
		other, ok := lookup(r, key)
		if !ok {
			all = types.False
			continue
		}
		switch eq := equals(l.Get(key), other, false); eq {
		case types.True:
		case types.False:
			all = types.False
		default:
			return eq
		}
	}
	return all
}

// lookup finds an entry of a map by its key. All numbers are one kind: 20 finds
// what stands under 20.0.
func lookup(m traits.Mapper, key ref.Val) (ref.Val, bool) {
	if v, ok := m.Find(key); ok || classOf(key) != classNumber {
		return v, ok
	}
	for keys := m.Iterator(); keys.HasNext() == types.True; {
		if k := keys.Next(); classOf(k) == classNumber && compareNumbers(k, key) == 0 {
			return m.Find(k)
		}
	}
	return nil, false
}

func ordering(holds func(int) bool) func(l, r ref.Val, nulls bool) ref.Val {
	return func(l, r ref.Val, _ bool) ref.Val {
		c, err := uncomparable(l, r)
		if err != nil {
			return err
		}
		if c == classNumber {
			return types.Bool(holds(compareNumbers(l, r)))
		}
		comparer, ok := l.(traits.Comparer)
		if !ok {
			return unknown("%s has no order", c)
		}
		res, ok := comparer.Compare(r).(types.Int)
		if !ok {
			return unknown("%s has no order", c)
		}
		return types.Bool(holds(int(res)))
	}
}

// in is membership in a list or among the keys of a map. As soon as one
// element can't be compared the whole has no value, even if another one is
// equal: a list of mixed kinds is a mistake that somebody should see.
func in(l, r ref.Val, nulls bool) ref.Val {
	nulls = nulls && classOf(l) == classNull
	switch r := r.(type) {
	case traits.Lister:
		if texts, ok := r.(*Strings); ok {
			if l, ok := l.(types.String); ok {
				return types.Bool(slices.Contains(texts.List, string(l)))
			}
		}
		found := types.False
		for i := r.Iterator(); i.HasNext() == types.True; {
			switch eq := equals(l, i.Next(), nulls); eq {
			case types.True:
				found = types.True
			case types.False:
			default:
				return eq
			}
		}
		if found == types.False && !nulls && (classOf(l) == classNull || notFinite(l)) {
			return unknown("a null or NaN can't be looked for")
		}
		return found
	case traits.Mapper:
		if m, ok := r.(*sortedMap); !ok || !m.texts || classOf(l) != classString {
			for keys := r.Iterator(); keys.HasNext() == types.True; {
				if _, err := uncomparable(l, keys.Next()); err != nil {
					return err
				}
			}
		}
		if classOf(l) == classNull || notFinite(l) {
			return unknown("a null or NaN can't be looked for")
		}
		_, ok := lookup(r, l)
		return types.Bool(ok)
	default:
		return unknown("%s has no members", classOf(r))
	}
}

// compareNumbers compares any two numbers that aren't NaN, without rounding.
func compareNumbers(l, r ref.Val) int {
	switch l := l.(type) {
	case types.Double:
		if r, ok := r.(types.Double); ok {
			return cmp.Compare(l, r)
		}
		if r, ok := r.(types.Int); ok {
			return -compareIntFloat(int64(r), float64(l))
		}
	case types.Int:
		if r, ok := r.(types.Int); ok {
			return cmp.Compare(l, r)
		}
		if r, ok := r.(types.Double); ok {
			return compareIntFloat(int64(l), float64(r))
		}
	}
	return bigFloat(l).Cmp(bigFloat(r)) // a uint is rare
}

// compareIntFloat compares without rounding the integer to a float64.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(whole, f)
}

func bigFloat(v ref.Val) *big.Float {
	switch v := v.(type) {
	case types.Int:
		return new(big.Float).SetInt64(int64(v))
	case types.Uint:
		return new(big.Float).SetUint64(uint64(v))
	case types.Double:
		return new(big.Float).SetFloat64(float64(v))
	default:
		return new(big.Float)
	}
}

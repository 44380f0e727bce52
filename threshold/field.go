package threshold

import "math"

// Kind is what a value in Meta is, as far as the gate looks at it.
type Kind uint8

// The kinds. Everything that JSON doesn't know is KindOther.
const (
	KindAbsent Kind = iota
	KindNull
	KindBool
	KindInt
	KindFloat
	KindString
	KindList
	KindObject
	KindNotFinite // NaN or an infinity
	KindInexact   // a number that neither int64 nor float64 can hold
	KindOther
)

// String returns the kind as it stands in messages: "a string".
func (k Kind) String() string {
	switch k {
	case KindAbsent:
		return "absent"
	case KindNull:
		return "null"
	case KindBool:
		return "a boolean"
	case KindInt:
		return "an integer"
	case KindFloat:
		return "a number"
	case KindString:
		return "a string"
	case KindList:
		return "a list"
	case KindObject:
		return "an object"
	case KindNotFinite:
		return "not a finite number"
	case KindInexact:
		return "a number that can't be held exactly"
	default:
		return "of an unknown kind"
	}
}

// Inexact stands in Meta for a number that a decoder couldn't hold: a condition
// that reads it is unknown.
type Inexact struct{}

// Field is the gate's own view of one value in Meta: its kind and, for a
// number, its value.
type Field struct {
	Kind  Kind
	Int   int64   // KindInt
	Float float64 // KindFloat
}

// FieldOf looks at a Go value. Integer types that fit are KindInt, whatever
// their width; strings are never numbers.
func FieldOf(v any) Field {
	switch v := v.(type) {
	case nil:
		return Field{Kind: KindNull}
	case float64:
		return floatField(v)
	case int64:
		return Field{Kind: KindInt, Int: v}
	case int:
		return Field{Kind: KindInt, Int: int64(v)}
	case string:
		return Field{Kind: KindString}
	case bool:
		return Field{Kind: KindBool}
	case float32:
		return floatField(float64(v))
	case int32:
		return Field{Kind: KindInt, Int: int64(v)}
	case int16:
		return Field{Kind: KindInt, Int: int64(v)}
	case int8:
		return Field{Kind: KindInt, Int: int64(v)}
	case uint:
		return uintField(uint64(v))
	case uint64:
		return uintField(v)
	case uint32:
		return uintField(uint64(v))
	case uint16:
		return uintField(uint64(v))
	case uint8:
		return uintField(uint64(v))
	case Inexact:
		return Field{Kind: KindInexact}
	case []any, []string:
		return Field{Kind: KindList}
	case map[string]any:
		return Field{Kind: KindObject}
	default:
		return Field{Kind: KindOther}
	}
}

func floatField(f float64) Field {
	if !finite(f) {
		return Field{Kind: KindNotFinite}
	}
	return Field{Kind: KindFloat, Float: f}
}

func uintField(u uint64) Field {
	if u > math.MaxInt64 {
		return Field{Kind: KindInexact}
	}
	return Field{Kind: KindInt, Int: int64(u)}
}

// is reports whether the field is what a declaration of that type asks for.
func (f Field) is(t SignalType) bool {
	switch t {
	case TypeNumber:
		// Read as a float64, so an integer beyond 2^53 can't be held.
		return f.Kind == KindFloat || f.Kind == KindInt
	case TypeInteger:
		return f.Kind == KindInt
	case TypeString:
		return f.Kind == KindString
	case TypeBoolean:
		return f.Kind == KindBool
	default:
		return false
	}
}

// within reports whether a number lies in r. An integer is compared exactly.
func (f Field) within(r Range) bool {
	if f.Kind == KindInt {
		return !intBelow(f.Int, r.Min) && !intAbove(f.Int, r.Max)
	}
	return f.Float >= r.Min && f.Float <= r.Max
}

// intAbove reports i > f without rounding i to a float64.
func intAbove(i int64, f float64) bool {
	switch {
	case f >= 1<<63:
		return false
	case f < -1<<63:
		return true
	default:
		return i > int64(math.Floor(f))
	}
}

// maxExact is the largest n for which every integer in [-n, n] is a float64.
const maxExact = 1 << 53

// Exact reports whether a float64 holds the integer, and all its neighbours,
// exactly.
func Exact(i int64) bool { return i >= -maxExact && i <= maxExact }

package expr

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"
)

// adapter turns Go values into CEL's. It differs from cel-go's own in two
// things: a walk over a map goes by the order of its keys, not by chance, and
// Go values of kinds that JSON doesn't have are errors instead of something
// that equals nothing.
type adapter struct{ types.Adapter }

// NativeToValue implements types.Adapter.
func (a adapter) NativeToValue(v any) ref.Val {
	switch v := v.(type) {
	case nil, bool, string, float64, int64, int, ref.Type:
		return a.Adapter.NativeToValue(v)
	case *sortedMap:
		return v
	case map[string]any:
		return &sortedMap{Mapper: types.NewStringInterfaceMap(a, v), texts: true}
	case map[ref.Val]ref.Val:
		return &sortedMap{Mapper: types.NewRefValMap(a, v)}
	case traits.Mapper:
		return &sortedMap{Mapper: v}
	case ref.Val:
		return v
	case []any:
		return types.NewDynamicList(a, v)
	case []string:
		return types.NewStringList(a, v)
	case []ref.Val:
		return types.NewRefValList(a, v)
	case float32, int8, int16, int32, uint, uint8, uint16, uint32, uint64, []byte, time.Time, time.Duration:
		return a.Adapter.NativeToValue(v)
	}
	switch t := reflect.TypeOf(v); t.Kind() {
	case reflect.Map:
		return &sortedMap{Mapper: types.NewDynamicMap(a, v), texts: t.Key() == reflect.TypeFor[string]()}
	case reflect.Slice, reflect.Array:
		return types.NewDynamicList(a, v)
	}
	return unknown("it reads a value that can't be held, or is of a kind that JSON doesn't have")
}

// sortedMap is a map whose keys come in order. It is no traits.Foldable, on
// purpose: that would go by Go's own, random order.
type sortedMap struct {
	traits.Mapper
	texts bool // all keys are strings
}

// Iterator implements traits.Iterable.
func (m *sortedMap) Iterator() traits.Iterator {
	var keys []ref.Val
	for i := m.Mapper.Iterator(); i.HasNext() == types.True; {
		keys = append(keys, i.Next())
	}
	slices.SortFunc(keys, compareKeys)
	return types.NewRefValList(types.DefaultTypeAdapter, keys).Iterator()
}

// mapLiteral makes the map that an expression writes down a sorted one, too.
type mapLiteral struct {
	interpreter.InterpretableConstructor
}

// Exec implements interpreter.InterpretableV2.
func (m *mapLiteral) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := m.InterpretableConstructor.Exec(frame)
	if mapper, ok := v.(traits.Mapper); ok {
		return &sortedMap{Mapper: mapper}
	}
	return v
}

// Eval implements interpreter.Interpretable.
func (m *mapLiteral) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, m.Exec)
}

// compareKeys orders keys: by class, then by value.
func compareKeys(a, b ref.Val) int {
	if c := cmp.Compare(classOf(a), classOf(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case types.String:
		return cmp.Compare(a, b.(types.String))
	case types.Bool:
		return cmp.Compare(boolRank(a), boolRank(b.(types.Bool)))
	}
	if classOf(a) == classNumber {
		return compareNumbers(a, b)
	}
	return 0
}

func boolRank(b types.Bool) int {
	if b {
		return 1
	}
	return 0
}

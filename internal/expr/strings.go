package expr

import (
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Strings is a list of strings as the value of a variable. Whoever evaluates
// often keeps one and passes a pointer to it: a plain []string would be wrapped
// anew each time. It must not change during an evaluation.
type Strings struct{ List []string }

var _ traits.Lister = (*Strings)(nil)

// asList is CEL's own list of the same strings, for what is rarely asked.
func (s *Strings) asList() traits.Lister {
	return types.NewStringList(types.DefaultTypeAdapter, s.List)
}

// Add implements traits.Adder.
func (s *Strings) Add(other ref.Val) ref.Val {
	if o, ok := other.(*Strings); ok {
		other = o.asList()
	}
	return s.asList().Add(other)
}

// Contains implements traits.Container.
func (s *Strings) Contains(v ref.Val) ref.Val { return s.asList().Contains(v) }

// Get implements traits.Indexer.
func (s *Strings) Get(i ref.Val) ref.Val { return s.asList().Get(i) }

// Iterator implements traits.Iterable.
func (s *Strings) Iterator() traits.Iterator { return s.asList().Iterator() }

// Size implements traits.Sizer.
func (s *Strings) Size() ref.Val { return types.Int(len(s.List)) }

// ConvertToNative implements ref.Val.
func (s *Strings) ConvertToNative(t reflect.Type) (any, error) { return s.asList().ConvertToNative(t) }

// ConvertToType implements ref.Val.
func (s *Strings) ConvertToType(t ref.Type) ref.Val { return s.asList().ConvertToType(t) }

// Equal implements ref.Val.
func (s *Strings) Equal(other ref.Val) ref.Val {
	if o, ok := other.(*Strings); ok {
		other = o.asList()
	}
	return s.asList().Equal(other)
}

// Type implements ref.Val.
func (s *Strings) Type() ref.Type { return types.ListType }

// Value implements ref.Val.
func (s *Strings) Value() any { return s.List }

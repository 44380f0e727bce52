package policy

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/pawlgate/pawl/internal/expr"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// shape is what a schema says of a value, as far as rules need it. A nil one
// says nothing.
type shape struct {
	types    []string // nil: any
	bounded  bool     // only numbers in [min, max]
	min, max float64
	names    []string          // if every value is one of these texts
	members  map[string]*shape // of an object: its names; nil: any
	items    *shape            // of a list
}

// How far a schema is followed: recursive ones have no end.
const (
	maxShapeDepth = 16
	maxShapes     = 20_000
)

func shapeOf(s *jsonschema.Schema) *shape {
	r := shaper{left: maxShapes}
	return r.shape([]*jsonschema.Schema{s}, 0)
}

type shaper struct{ left int }

// view is what a schema and those that it is made of say of one value: all of
// the firm ones must hold, the others may.
type view struct {
	firm, loose []*jsonschema.Schema
	seen        map[*jsonschema.Schema]bool
}

func (v *view) add(s *jsonschema.Schema, firm bool) {
	if s == nil || v.seen[s] {
		return
	}
	v.seen[s] = true
	if firm {
		v.firm = append(v.firm, s)
	} else {
		v.loose = append(v.loose, s)
	}
	v.add(s.Ref, firm)
	v.add(s.RecursiveRef, false)
	if s.DynamicRef != nil {
		v.add(s.DynamicRef.Ref, false)
	}
	for _, part := range s.AllOf {
		v.add(part, firm)
	}
	for _, parts := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf, {s.If, s.Then, s.Else}} {
		for _, part := range parts {
			v.add(part, false)
		}
	}
	for _, part := range s.DependentSchemas {
		v.add(part, false)
	}
}

// shape puts together what schemas, all of which hold, say of a value.
func (r *shaper) shape(firm []*jsonschema.Schema, depth int) *shape {
	if r.left--; r.left < 0 || depth > maxShapeDepth {
		return nil
	}
	v := view{seen: map[*jsonschema.Schema]bool{}}
	for _, s := range firm {
		v.add(s, true)
	}
	out := &shape{min: math.Inf(-1), max: math.Inf(1)}
	for _, s := range v.firm {
		if s.Types != nil && out.types == nil {
			out.types = s.Types.ToStrings()
		}
		if out.names == nil {
			out.names = textsOf(s)
		}
		for _, bound := range []*float64{float(s.Minimum), float(s.ExclusiveMinimum)} {
			if bound != nil {
				out.bounded, out.min = true, max(out.min, *bound)
			}
		}
		for _, bound := range []*float64{float(s.Maximum), float(s.ExclusiveMaximum)} {
			if bound != nil {
				out.bounded, out.max = true, min(out.max, *bound)
			}
		}
		if items := itemsOf(s); items != nil && out.items == nil {
			out.items = r.shape([]*jsonschema.Schema{items}, depth+1)
		}
	}
	out.members = r.members(&v, depth)
	return out
}

// members returns the names that an object can have, nil if it can have any.
// One whose names are listed is taken to have no others.
func (r *shaper) members(v *view, depth int) map[string]*shape {
	var closed, open bool
	firm, names := map[string][]*jsonschema.Schema{}, map[string]bool{}
	for i, s := range slices.Concat(v.firm, v.loose) {
		for name, property := range s.Properties {
			names[name] = true
			if i < len(v.firm) {
				firm[name] = append(firm[name], property)
			}
		}
		switch additional := s.AdditionalProperties.(type) {
		case bool:
			closed = closed || !additional
		case *jsonschema.Schema:
			open = true
		}
		if u := s.UnevaluatedProperties; u != nil {
			closed = closed || u.Bool != nil && !*u.Bool
			open = open || u.Bool == nil
		}
		open = open || len(s.PatternProperties) > 0
	}
	if open || !closed && len(names) == 0 {
		return nil
	}
	members := make(map[string]*shape, len(names))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		members[name] = r.shape(firm[name], depth+1)
	}
	return members
}

func itemsOf(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Items2020 != nil && len(s.PrefixItems) == 0 {
		return s.Items2020
	}
	items, _ := s.Items.(*jsonschema.Schema)
	return items
}

// textsOf returns the values of an enum or const of texts.
func textsOf(s *jsonschema.Schema) []string {
	var values []any
	switch {
	case s.Enum != nil:
		values = s.Enum.Values
	case s.Const != nil:
		values = []any{*s.Const}
	}
	var texts []string
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			return nil
		}
		texts = append(texts, text)
	}
	return texts
}

func float(r *big.Rat) *float64 {
	if r == nil {
		return nil
	}
	f, _ := r.Float64()
	return &f
}

// member returns what is known of a member of an object. Known is false if the
// object can't have it.
func (s *shape) member(name string) (m *shape, known bool) {
	if s == nil || s.members == nil {
		return nil, true
	}
	m, known = s.members[name]
	return m, known
}

// entries returns what is known of the entries of a list.
func (s *shape) entries() *shape {
	if s == nil {
		return nil
	}
	return s.items
}

// listed returns the texts that a value can be, nil if it can be others.
func (s *shape) listed() []string {
	if s == nil {
		return nil
	}
	return s.names
}

// field is the shape as expressions need it.
func (s *shape) field() expr.Field {
	if s == nil {
		return expr.Field{}
	}
	f := expr.Field{Bounded: s.bounded, Min: s.min, Max: s.max}
	if len(s.types) == 1 {
		f.Kind = kinds[s.types[0]]
	}
	if s.members != nil && (f.Kind == expr.Dyn || f.Kind == expr.Other) {
		f.Fields = s.fields()
	}
	if s.items != nil {
		items := s.items.field()
		f.Items = &items
	}
	return f
}

func (s *shape) fields() map[string]expr.Field {
	if s == nil || s.members == nil {
		return nil
	}
	fields := make(map[string]expr.Field, len(s.members))
	for name, m := range s.members {
		fields[name] = m.field()
	}
	return fields
}

var kinds = map[string]expr.Kind{
	"boolean": expr.Boolean, "number": expr.Number, "integer": expr.Integer, "string": expr.Text,
	"null": expr.Null, "array": expr.Other, "object": expr.Other,
}

// caseMembers are the members of a case, and what they are in JSON.
var caseMembers = map[string]string{
	"case_id": "string", "domain": "string", "as_of": "string", "facts": "object", "signals": "object",
	"documents": "array", "sources": "array", "checks": "array",
}

// caseMemberNames are their names, in order.
var caseMemberNames = sortedKeys(caseMembers)

// misfits says where a schema can't be one of a case at all.
func (s *caseSchema) misfits() (why []string) {
	if s.shape == nil {
		return nil
	}
	if len(s.shape.types) > 0 && !slices.Contains(s.shape.types, "object") {
		why = append(why, "a case is an object")
	}
	var unknown []string
	for _, name := range sortedKeys(s.shape.members) {
		want, ok := caseMembers[name]
		m := s.shape.members[name]
		switch {
		case !ok:
			unknown = append(unknown, name)
		case m != nil && len(m.types) > 0 && !slices.Contains(m.types, want):
			why = append(why, fmt.Sprintf("%s of a case is of type %s, not %s", name, want, join(m.types)))
		}
	}
	if len(unknown) > 0 {
		why = append(why, fmt.Sprintf("a case has only %s, not %s", join(caseMemberNames), join(unknown)))
	}
	return why
}

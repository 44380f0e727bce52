package policy

import (
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxApplied bounds how many schemas a schema has when every reference in
// it is written out.
const maxApplied = 20_000

// tooMuch says why a value can't be held to a schema in bounded time, nothing if
// it can. A schema that comes back to itself in two ways, and references that are
// doubled at every step, take a time that grows with the power of the depth of a
// value or of the schema: whoever writes the value could stop the gate.
func tooMuch(s *jsonschema.Schema) string {
	c := counter{seen: map[*jsonschema.Schema]*visit{}}
	c.visit(s)
	for schema, v := range c.seen {
		inside := 0
		for _, sub := range subschemas(schema) {
			if sub != nil && c.seen[sub].circle == v.circle && (sub != schema || v.loop) {
				inside++
			}
		}
		if inside > 1 {
			return "a schema in it comes back to itself in more than one way: a value could take any time to be held to it"
		}
	}
	if c.seen[s].size > maxApplied {
		return fmt.Sprintf("with every reference written out it has more than %d schemas", maxApplied)
	}
	return ""
}

// counter finds the circles of a schema, by Tarjan's algorithm for strongly
// connected components (SIAM J. Comput. 1, 1972), and counts what stands in it.
type counter struct {
	seen  map[*jsonschema.Schema]*visit
	stack []*jsonschema.Schema
	count int
}

type visit struct {
	index, low int
	open       bool
	loop       bool // it leads to itself at once
	circle     int  // the number of its component
	size       int  // of it and all below it, up to a bit above maxApplied
}

func (c *counter) visit(s *jsonschema.Schema) *visit {
	c.count++
	v := &visit{index: c.count, low: c.count, open: true, size: 1}
	c.seen[s] = v
	c.stack = append(c.stack, s)
	for _, sub := range subschemas(s) {
		if sub == nil {
			continue
		}
		w, known := c.seen[sub]
		switch {
		case !known:
			w = c.visit(sub)
			v.low = min(v.low, w.low)
		case w.open:
			v.low = min(v.low, w.index)
			v.loop = v.loop || sub == s
		}
		if !w.open {
			v.size = min(v.size+w.size, maxApplied+1)
		}
	}
	if v.low < v.index {
		return v
	}
	size := 0
	for done := false; !done; {
		last := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		w := c.seen[last]
		w.open, w.circle = false, v.index
		size = min(size+w.size, maxApplied+1)
		done = last == s
	}
	v.size = size
	return v
}

// subschemas returns every schema that holding a value to s may apply.
func subschemas(s *jsonschema.Schema) []*jsonschema.Schema {
	subs := []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema,
	}
	if s.DynamicRef != nil {
		subs = append(subs, s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		subs = append(subs, list...)
	}
	for _, sub := range s.Properties {
		subs = append(subs, sub)
	}
	for _, sub := range s.PatternProperties {
		subs = append(subs, sub)
	}
	for _, sub := range s.DependentSchemas {
		subs = append(subs, sub)
	}
	for _, one := range s.Dependencies {
		subs = append(subs, either(one)...)
	}
	for _, one := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		subs = append(subs, either(one)...)
	}
	return subs
}

// either takes schemas out of what may be one, several or something else.
func either(v any) []*jsonschema.Schema {
	switch v := v.(type) {
	case *jsonschema.Schema:
		return []*jsonschema.Schema{v}
	case []*jsonschema.Schema:
		return v
	default:
		return nil
	}
}

package policy

import (
	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/internal/source"
)

const notInSchema = "isn't in the case schema"

// documentMembers are all that a document can have.
var documentMembers = []string{"type", "id", "issued", "expires"}

// vars are the variables of expressions over a case.
func (s *caseSchema) vars() []expr.Var {
	var root *shape
	if s != nil {
		root = s.shape
	}
	var vars []expr.Var
	add := func(v expr.Var, describe func(v *expr.Var, m *shape)) {
		v.Unknown = notInSchema
		m, known := root.member(v.Name)
		if !known {
			v.Fields = map[string]expr.Field{}
		} else if describe != nil {
			describe(&v, m)
		}
		vars = append(vars, v)
	}
	for _, name := range []string{"facts", "signals"} {
		add(expr.Var{Name: name, Shape: expr.MapVar}, func(v *expr.Var, m *shape) { v.Fields = m.fields() })
	}
	add(expr.Var{Name: "documents", Shape: expr.ListVar, Elem: expr.Text}, func(v *expr.Var, m *shape) {
		items := &expr.Field{Kind: expr.Other, Fields: map[string]expr.Field{}}
		for _, name := range documentMembers {
			if _, known := m.entries().member(name); known {
				items.Fields[name] = expr.Field{Kind: expr.Text}
			}
		}
		v.Items = items
		if m == nil {
			v.Unknown = "isn't something that a document has: type, id, issued, expires"
		}
	})
	add(expr.Var{Name: "sources", Shape: expr.MapVar, Elem: expr.Other}, func(v *expr.Var, m *shape) {
		values, _ := m.entries().member("values")
		source := expr.Field{Kind: expr.Other, Fields: values.fields()}
		v.Items, v.Fields = &source, named(m, source)
	})
	add(expr.Var{Name: "checks", Shape: expr.MapVar, Elem: expr.Text}, func(v *expr.Var, m *shape) {
		v.Fields = named(m, expr.Field{Kind: expr.Text})
	})
	for _, name := range []string{"case_id", "domain", "as_of"} {
		add(expr.Var{Name: name, Shape: expr.TextVar}, nil)
	}
	return vars
}

// named are the fields of a map that is made of a list of named entries, nil
// if the schema doesn't list the names.
func named(list *shape, f expr.Field) map[string]expr.Field {
	name, _ := list.entries().member("name")
	if name.listed() == nil {
		return nil
	}
	fields := map[string]expr.Field{}
	for _, name := range name.listed() {
		fields[name] = f
	}
	return fields
}

// caseValues gives expressions the values of a case.
type caseValues struct{ c *casegate.Case }

// Lookup implements expr.Vars.
func (v caseValues) Lookup(name string) (any, bool) {
	switch name {
	case "facts":
		return orEmpty(v.c.Facts), true
	case "signals":
		return orEmpty(v.c.Signals), true
	case "documents":
		return v.documents(), true
	case "sources":
		return byName(v.c.Sources, func(s casegate.Source) (string, any) { return s.Name, orEmpty(s.Values) }), true
	case "checks":
		return byName(v.c.Checks, func(c casegate.Check) (string, any) { return c.Name, c.Status }), true
	case "case_id":
		return v.c.ID, v.c.ID != ""
	case "domain":
		return v.c.Domain, v.c.Domain != ""
	case "as_of":
		return string(v.c.AsOf), v.c.AsOf != ""
	}
	return nil, false
}

// byName makes a map of a list of named things. A name that stands there twice
// is left out: nobody knows which of them counts.
func byName[E any](list []E, entry func(E) (string, any)) map[string]any {
	m, seen := make(map[string]any, len(list)), make(map[string]bool, len(list))
	for _, e := range list {
		name, value := entry(e)
		if m[name] = value; seen[name] {
			delete(m, name)
		}
		seen[name] = true
	}
	return m
}

func (v caseValues) documents() []any {
	list := make([]any, len(v.c.Documents))
	for i, d := range v.c.Documents {
		m := map[string]any{"type": d.Type}
		for name, text := range map[string]string{"id": d.ID, "issued": string(d.Issued), "expires": string(d.Expires)} {
			if text != "" {
				m[name] = text
			}
		}
		list[i] = m
	}
	return list
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return emptyMeta
	}
	return m
}

// condition compiles a condition of a rule. On a problem it returns one that
// is always unknown, so that the rest of the file can still be checked.
func (r *caseReader) condition(n *source.Node, what string) (casegate.Condition, *expr.Program) {
	if n.Kind == source.Bool {
		r.problem(n.Pos, "type", "%s must be an expression: quote it (\"%v\")", what, n.Bool)
	} else if r.is(n, source.String, what) {
		if prog := r.compile(r.env, n, expr.Boolean); prog != nil {
			return func(c casegate.Case) (bool, error) { return prog.Bool(caseValues{&c}) }, prog
		}
	}
	return func(casegate.Case) (bool, error) { return false, errBroken }, nil
}

// value compiles the number that a limit looks at.
func (r *caseReader) value(n *source.Node) (casegate.Number, *expr.Program) {
	if n.Kind == source.Number {
		r.problem(n.Pos, "type", "value must be an expression that reads the case: a number written down is always the same")
	} else if r.is(n, source.String, "value") {
		if prog := r.compile(r.env, n, expr.Number); prog != nil {
			return func(c casegate.Case) (any, error) { return prog.Number(caseValues{&c}) }, prog
		}
	}
	return func(casegate.Case) (any, error) { return nil, errBroken }, nil
}

package expr

import (
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// knowledge is what was declared of a value somewhere below a variable.
type knowledge struct {
	Field
	name    string // as it stands in messages
	unknown string // what is said of names that aren't among the fields
}

// knows returns what was declared of the value of e, if it leads from a
// variable through names and indexes only.
func (c *checker) knows(e ast.Expr) (knowledge, bool) {
	if r, ok := c.entry(e); ok {
		v := c.env.vars[r.Var]
		f, ok := v.Fields[r.Key]
		if v.Fields == nil && v.Items != nil {
			f, ok = *v.Items, true
		}
		return knowledge{f, r.String(), v.Unknown}, ok
	}
	switch e.Kind() {
	case ast.IdentKind:
		name := e.AsIdent()
		for i := len(c.locals) - 1; i >= 0; i-- {
			if l := c.locals[i]; l.name == name {
				if l.known == nil {
					return knowledge{}, false
				}
				return *l.known, true
			}
		}
		if name, ok := c.isVar(e); ok && c.env.vars[name].Shape == ListVar {
			v := c.env.vars[name]
			return knowledge{Field{Kind: Other, Items: v.Items}, name, v.Unknown}, true
		}
	case ast.SelectKind:
		return c.below(e.AsSelect().Operand(), e.AsSelect().FieldName())
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() != operators.Index {
			break
		}
		if key, ok := textLiteral(call.Args()[1]); ok {
			return c.below(call.Args()[0], key)
		}
		if list, ok := c.knows(call.Args()[0]); ok && list.Items != nil {
			return knowledge{*list.Items, list.name + "[…]", list.unknown}, true
		}
	}
	return knowledge{}, false
}

func (c *checker) below(object ast.Expr, key string) (knowledge, bool) {
	o, ok := c.knows(object)
	if !ok || o.Fields == nil {
		return knowledge{}, false
	}
	f, ok := o.Fields[key]
	return knowledge{f, o.name + "." + key, o.unknown}, ok
}

// member complains about a name that an object is known not to have, and
// returns the kind of the others.
func (c *checker) member(id int64, object ast.Expr, key string) Kind {
	o, ok := c.knows(object)
	if !ok || o.Fields == nil {
		return Dyn
	}
	f, ok := o.Fields[key]
	if !ok {
		c.issue(id, "%s.%s %s", o.name, key, o.unknown)
		return Dyn
	}
	return f.Kind
}

// Outcomes returns the texts that the expression can give, as far as they are
// written down as its value or as a branch of ?:. All says that it gives no
// others.
func (p *Program) Outcomes() (texts []string, all bool) {
	all = true
	var walk func(e ast.Expr)
	walk = func(e ast.Expr) {
		if text, ok := textLiteral(e); ok {
			texts = append(texts, text)
			return
		}
		if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Conditional {
			walk(e.AsCall().Args()[1])
			walk(e.AsCall().Args()[2])
			return
		}
		all = false
	}
	walk(p.root)
	return texts, all
}

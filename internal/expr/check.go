package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// Read is one thing that an expression looks at.
type Read struct {
	Var string
	Key string // the key of a map, the string in a list; empty if Whole
	// Whole says that the variable is read as a whole, so that any of its
	// entries may be looked at. A scalar is always read whole.
	Whole bool
}

// String returns the read as it stands in an expression.
func (r Read) String() string {
	switch {
	case r.Whole:
		return r.Var
	case r.Var == "flags":
		return fmt.Sprintf("%q in flags", r.Key)
	default:
		return r.Var + "." + r.Key
	}
}

// Reads returns what the expression looks at, each once, in the order of the
// text. The slice belongs to the program.
func (p *Program) Reads() []Read { return p.reads }

// Texts returns the strings that the expression writes down, except for names
// of entries (meta["x"]). The slice belongs to the program.
func (p *Program) Texts() []string { return p.texts }

// checker walks an expression once, finds out what it reads and complains
// about what can never be decided.
type checker struct {
	env    *Env
	info   *ast.SourceInfo
	reads  []Read
	texts  []string // the strings that are written down
	issues []Issue
	locals []local // variables that macros bind
}

// local is a variable that a macro binds, and what is known of it.
type local struct {
	name  string
	known *knowledge
}

func (c *checker) issue(id int64, format string, args ...any) {
	loc := c.info.GetStartLocation(id)
	c.issues = append(c.issues, Issue{loc.Line(), loc.Column() + 1, fmt.Sprintf(format, args...)})
}

func (c *checker) read(id int64, r Read) Kind {
	if !slices.Contains(c.reads, r) {
		c.reads = append(c.reads, r)
	}
	v := c.env.vars[r.Var]
	if r.Whole {
		_, ok := v.Fields[r.Var]
		named := v.Shape == MapVar || v.Shape == StringsVar
		switch {
		case named && v.Fields != nil && !v.Walkable:
			c.issue(id, "%s can't be read as a whole, since its entries are declared: name the one that counts", r.Var)
		case !named && v.Fields != nil && !ok:
			c.issue(id, "%s %s", r.Var, v.Unknown)
		}
		switch v.Shape {
		case NumberVar:
			return Number
		case TextVar:
			return Text
		default:
			return Other
		}
	}
	if v.Fields != nil {
		f, ok := v.Fields[r.Key]
		if !ok {
			c.issue(id, "%s %s", r.name(), v.Unknown)
			return Dyn
		}
		if v.Shape == StringsVar {
			return Boolean
		}
		return f.Kind
	}
	return v.Elem
}

func (r Read) name() string {
	if r.Var == "flags" {
		return fmt.Sprintf("flag %q", r.Key)
	}
	return r.String()
}

// isVar reports whether e is one of the scope's variables.
func (c *checker) isVar(e ast.Expr) (string, bool) {
	if e.Kind() != ast.IdentKind {
		return "", false
	}
	name := strings.TrimPrefix(e.AsIdent(), ".")
	_, ok := c.env.vars[name]
	return name, ok && !slices.ContainsFunc(c.locals, func(l local) bool { return l.name == name })
}

// entry recognises meta.x and meta["x"].
func (c *checker) entry(e ast.Expr) (Read, bool) {
	switch e.Kind() {
	case ast.SelectKind:
		if name, ok := c.isVar(e.AsSelect().Operand()); ok {
			return Read{Var: name, Key: e.AsSelect().FieldName()}, true
		}
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() == operators.Index {
			name, ok := c.isVar(call.Args()[0])
			if key, isText := textLiteral(call.Args()[1]); ok && isText && c.env.vars[name].Shape == MapVar {
				return Read{Var: name, Key: key}, true
			}
		}
	}
	return Read{}, false
}

func textLiteral(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}

// kind returns what is known of the value of e, and looks at all below it.
func (c *checker) kind(e ast.Expr) Kind {
	if r, ok := c.entry(e); ok {
		k := c.read(e.ID(), r)
		if e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() {
			return Boolean // has(meta.x)
		}
		return k
	}
	switch e.Kind() {
	case ast.LiteralKind:
		switch classOf(e.AsLiteral()) {
		case classNumber:
			return Number
		case classString:
			text, _ := textLiteral(e)
			c.texts = append(c.texts, text)
			return Text
		case classBool:
			return Boolean
		case classNull:
			return Null
		}
		return Other
	case ast.IdentKind:
		if name, ok := c.isVar(e); ok {
			return c.read(e.ID(), Read{Var: name, Whole: true})
		}
		if k, ok := c.knows(e); ok {
			return k.Kind
		}
		return Dyn
	case ast.SelectKind:
		c.kind(e.AsSelect().Operand())
		kind := c.member(e.ID(), e.AsSelect().Operand(), e.AsSelect().FieldName())
		if e.AsSelect().IsTestOnly() {
			return Boolean
		}
		return kind
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			c.kind(item)
		}
		return Other
	case ast.MapKind:
		var keys []ref.Val
		for _, entry := range e.AsMap().Entries() {
			key := entry.AsMapEntry().Key()
			c.kind(key)
			c.kind(entry.AsMapEntry().Value())
			if key.Kind() == ast.LiteralKind {
				if slices.ContainsFunc(keys, func(k ref.Val) bool { return equals(k, key.AsLiteral(), false) == types.True }) {
					c.issue(key.ID(), "the key stands in the map twice")
				}
				keys = append(keys, key.AsLiteral())
			}
		}
		return Other
	case ast.ComprehensionKind:
		return c.comprehension(e.AsComprehension())
	case ast.CallKind:
		return c.call(e)
	default: // a message, or what a later CEL brings
		c.issue(e.ID(), "only lists, maps, calls and the signals' values are allowed here")
		return Dyn
	}
}

func (c *checker) comprehension(m ast.ComprehensionExpr) Kind {
	c.kind(m.IterRange())
	c.kind(m.AccuInit())
	before := len(c.locals)
	entry := local{name: m.IterVar()}
	if list, ok := c.knows(m.IterRange()); ok && list.Items != nil && !m.HasIterVar2() {
		entry.known = &knowledge{*list.Items, m.IterVar(), list.unknown}
	}
	c.locals = append(c.locals, entry, local{name: m.AccuVar()})
	if m.HasIterVar2() {
		c.locals = append(c.locals, local{name: m.IterVar2()})
	}
	for _, l := range c.locals[before:] {
		if _, taken := c.env.vars[l.name]; taken {
			c.issue(m.IterRange().ID(), "a macro's variable can't be called %s, as a signal's variable is", l.name)
		}
	}
	c.kind(m.LoopCondition())
	c.kind(m.LoopStep())
	c.kind(m.Result())
	c.locals = c.locals[:before]
	return Dyn
}

func (c *checker) call(e ast.Expr) Kind {
	call := e.AsCall()
	name, args := call.FunctionName(), call.Args()
	if name == operators.In || name == operators.OldIn {
		return c.membership(e, args)
	}
	if call.IsMemberFunction() {
		c.kind(call.Target())
	}
	kinds := make([]Kind, len(args))
	for i, a := range args {
		kinds[i] = c.kind(a)
	}
	if zoned[name] && len(args) == 1 {
		c.offset(args[0])
	}
	switch name {
	case operators.Index:
		if key, ok := textLiteral(args[1]); ok {
			return c.member(e.ID(), args[0], key)
		}
		if k, ok := c.knows(e); ok {
			return k.Kind
		}
	case operators.Equals, operators.NotEquals:
		if kinds[0] != Null && kinds[1] != Null {
			c.sameKind(e, "compared", kinds[0], kinds[1])
		}
		return Boolean
	case operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		c.sameKind(e, "compared", kinds[0], kinds[1])
		return Boolean
	case operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo:
		c.sameKind(e, "calculated", kinds[0], kinds[1])
		if known(kinds[0]) != Dyn {
			return known(kinds[0])
		}
		return known(kinds[1])
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot:
		for i, k := range kinds {
			if k != Dyn && k != Boolean {
				c.issue(args[i].ID(), "%s stands where a boolean is needed", k)
			}
		}
		return Boolean
	case operators.Conditional:
		if kinds[1] == kinds[2] {
			return kinds[1]
		}
	}
	return Dyn
}

// zoned are the functions that take a time zone.
var zoned = map[string]bool{
	"getFullYear": true, "getMonth": true, "getDate": true, "getDayOfMonth": true, "getDayOfWeek": true, "getDayOfYear": true,
	"getHours": true, "getMinutes": true, "getSeconds": true, "getMilliseconds": true,
}

var offsetPattern = regexp.MustCompile(`^([+-]?(0[0-9]|1[0-4]):[0-5][0-9]|UTC)$`)

// offset wants a time zone that is the same on every machine: the name of one
// would be looked up in files, whose place the environment may change.
func (c *checker) offset(e ast.Expr) {
	if zone, ok := textLiteral(e); !ok || !offsetPattern.MatchString(zone) {
		c.issue(e.ID(), `a time zone must be written as an offset such as "+01:00", or "UTC": what a name means depends on the machine`)
	}
}

// known folds the kinds of numbers, and drops those of which too little is
// known to complain.
func known(k Kind) Kind {
	switch k {
	case Integer:
		return Number
	case Other:
		return Dyn
	}
	return k
}

func (c *checker) sameKind(e ast.Expr, verb string, l, r Kind) {
	l, r = known(l), known(r)
	if l != Dyn && r != Dyn && l != r {
		c.issue(e.ID(), "%s is %s with %s, which is never decided", l, verb, r)
	}
}

func (c *checker) membership(e ast.Expr, args []ast.Expr) Kind {
	key, isText := textLiteral(args[0])
	if name, ok := c.isVar(args[1]); ok && isText {
		if shape := c.env.vars[name].Shape; shape == MapVar || shape == StringsVar {
			c.read(e.ID(), Read{Var: name, Key: key})
			return Boolean
		}
	}
	left := c.kind(args[0])
	c.kind(args[1])
	if isText {
		c.member(e.ID(), args[1], key)
	}
	if args[1].Kind() == ast.ListKind && left != Null {
		for _, item := range args[1].AsList().Elements() {
			if k := known(c.literalKind(item)); k != Dyn && known(left) != Dyn && k != known(left) {
				c.sameKind(e, "compared", left, k)
				break
			}
		}
	}
	return Boolean
}

func (c *checker) literalKind(e ast.Expr) Kind {
	if e.Kind() != ast.LiteralKind {
		return Dyn
	}
	return c.kind(e)
}

package expr

import (
	"errors"
	"fmt"
	"slices"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// CostLimit bounds what one evaluation may cost, in CEL's units: about the
// number of values touched. A comparison costs 1, a walk over a list its
// length. An evaluation beyond it is unknown.
const CostLimit = 1_000_000

// Limits on the text of an expression.
const (
	maxChars     = 20_000
	maxNesting   = 100
	maxRecursion = 100
)

// Env compiles the expressions of one scope. It is safe for concurrent use.
type Env struct {
	cel   *cel.Env
	vars  map[string]Var
	whole bool
}

// WholeDivision returns the environment in which an integer divided by one is
// unknown unless it leaves no remainder: 21 / 2 is neither 10 nor 10.5.
func (e *Env) WholeDivision() *Env {
	other := *e
	other.whole = true
	return &other
}

// Issue is something wrong with an expression: line and column (from 1) in its
// text, both 0 if unknown.
type Issue struct {
	Line, Col int
	Message   string
}

// NewEnv makes an environment in which the variables can be read.
func NewEnv(vars ...Var) (*Env, error) {
	e := &Env{vars: map[string]Var{}}
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, fmt.Errorf("make the CEL environment: %w", err)
	}
	opts := []cel.EnvOption{
		cel.CustomTypeProvider(registry), cel.CustomTypeAdapter(adapter{registry}),
		cel.EnableErrorOnBadPresenceTest(true), // has(meta.x.y) of a text isn't false
		cel.CrossTypeNumericComparisons(true),
		cel.DefaultUTCTimeZone(true),
		cel.ParserExpressionSizeLimit(maxChars),
		cel.ParserRecursionLimit(maxRecursion),
		cel.ExpressionNestingDepthLimit(maxNesting),
		cel.ParserErrorRecoveryLimit(1),
		cel.ASTValidators(
			cel.ValidateRegexLiterals(), cel.ValidateDurationLiterals(),
			cel.ValidateTimestampLiterals(), cel.ValidateComprehensionNestingLimit(2),
		),
	}
	opts = append(opts, mixedArithmetic()...)
	for _, v := range vars {
		t := cel.DynType // a number; as a double it couldn't be compared with 1
		switch v.Shape {
		case StringsVar:
			t = cel.ListType(cel.StringType)
		case MapVar:
			t = cel.MapType(cel.StringType, elemType(v.Elem))
		case TextVar:
			t = cel.StringType
		case ListVar:
			t = cel.ListType(cel.MapType(cel.StringType, elemType(v.Elem)))
		}
		opts = append(opts, cel.Variable(v.Name, t))
		e.vars[v.Name] = v
	}
	if e.cel, err = cel.NewEnv(opts...); err != nil {
		return nil, fmt.Errorf("make the CEL environment: %w", err)
	}
	return e, nil
}

func elemType(k Kind) *cel.Type {
	if k == Text {
		return cel.StringType
	}
	return cel.DynType // and known to the checker of this package
}

// mixedArithmetic lets the type checker accept integers and doubles in one
// calculation; what happens then is up to the strict nodes.
func mixedArithmetic() []cel.EnvOption {
	var opts []cel.EnvOption
	for op, name := range map[string]string{"_+_": "add", "_-_": "subtract", "_*_": "multiply", "_/_": "divide"} {
		opts = append(opts, cel.Function(op,
			cel.Overload(name+"_int64_double", []*cel.Type{cel.IntType, cel.DoubleType}, cel.DoubleType),
			cel.Overload(name+"_double_int64", []*cel.Type{cel.DoubleType, cel.IntType}, cel.DoubleType),
		))
	}
	return opts
}

// Program is a compiled expression. It is safe for concurrent use.
type Program struct {
	text    string
	program cel.Program
	root    ast.Expr
	env     *Env
	reads   []Read
	texts   []string
}

// String returns the expression's text.
func (p *Program) String() string { return p.text }

// Compile compiles an expression whose value must be of the kind want: Boolean,
// Text or Number. With any issue the program is nil.
func (e *Env) Compile(text string, want Kind) (*Program, []Issue) {
	if issues := invisible(text); issues != nil {
		return nil, issues
	}
	checked, iss := e.cel.Compile(text)
	if iss.Err() != nil {
		var out []Issue
		for _, x := range iss.Errors() {
			out = append(out, Issue{x.Location.Line(), x.Location.Column() + 1, x.Message})
		}
		return nil, out
	}
	rep := checked.NativeRep()
	p := &Program{text: text, root: rep.Expr(), env: e}
	c := checker{env: e, info: rep.SourceInfo()}
	got := c.kind(p.root)
	if out := checked.OutputType(); !out.IsExactType(cel.DynType) {
		if !slices.ContainsFunc(wanted[want], out.IsExactType) {
			c.issue(p.root.ID(), "the expression is %s, not %s", out, want)
		}
	} else if got != Dyn && got != want && (want != Number || got != Integer) {
		c.issue(p.root.ID(), "the expression is %s, not %s", got, want)
	}
	if len(c.issues) > 0 {
		return nil, c.issues
	}
	p.reads, p.texts = c.reads, c.texts
	program, err := e.cel.Program(checked,
		cel.CostLimit(CostLimit),
		cel.OptimizeRegex(interpreter.MatchesRegexOptimization),
		cel.CustomDecoratorV2(e.strict),
	)
	if err != nil {
		return nil, []Issue{{Message: err.Error()}}
	}
	p.program = program
	return p, nil
}

// wanted are CEL's types of the kinds that a value may be wanted of.
var wanted = map[Kind][]*cel.Type{
	Boolean: {cel.BoolType}, Text: {cel.StringType}, Number: {cel.DoubleType, cel.IntType, cel.UintType},
}

var errWrongKind = errors.New("the expression's value is of another kind than it should be")

// Bool evaluates the expression. An error means that it is unknown.
func (p *Program) Bool(vars Vars) (bool, error) {
	v, err := p.eval(vars)
	if err != nil {
		return false, err
	}
	b, ok := v.(types.Bool)
	if !ok {
		return false, errWrongKind
	}
	return bool(b), nil
}

// Text evaluates the expression. An error means that it is unknown.
func (p *Program) Text(vars Vars) (string, error) {
	v, err := p.eval(vars)
	if err != nil {
		return "", err
	}
	s, ok := v.(types.String)
	if !ok {
		return "", errWrongKind
	}
	return string(s), nil
}

// Number evaluates the expression; the value is an int64 or a finite float64.
// An error means that it is unknown.
func (p *Program) Number(vars Vars) (any, error) {
	v, err := p.eval(vars)
	if err != nil {
		return nil, err
	}
	switch n := v.(type) {
	case types.Int:
		return int64(n), nil
	case types.Uint:
		if i, ok := toInt(n); ok {
			return int64(i), nil
		}
	case types.Double:
		if !notFinite(n) {
			return float64(n), nil
		}
	}
	return nil, errWrongKind
}

func (p *Program) eval(vars Vars) (ref.Val, error) {
	a, ok := vars.(*Activation)
	if !ok {
		a = &Activation{vars}
	}
	v, _, err := p.program.Eval(a)
	if err != nil {
		return nil, p.explain(err)
	}
	return v, nil
}

// Activation is Vars in the form that an evaluation needs. Whoever evaluates
// often keeps one and passes it as the Vars, to save making it each time.
type Activation struct{ Vars }

// ResolveName implements interpreter.Activation.
func (a *Activation) ResolveName(name string) (any, bool) { return a.Lookup(name) }

// Parent implements interpreter.Activation.
func (a *Activation) Parent() interpreter.Activation { return nil }

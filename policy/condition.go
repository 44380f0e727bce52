package policy

import (
	"fmt"
	"slices"

	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
)

// conditionReader makes conditions out of CEL expressions and of the three
// declarative forms.
type conditionReader struct {
	*reader
	policy  *threshold.Policy
	rules   *expr.Env // sees the signals
	risk    *expr.Env // sees the bands too
	bands   *expr.Env // combine: sees the bands alone
	numbers []string  // declared numbers, which are read as doubles
	reads   metaReads
}

func newConditionReader(r *reader, p *threshold.Policy) *conditionReader {
	c := &conditionReader{reader: r, policy: p, reads: metaReads{keys: map[string]bool{}, cel: map[string]bool{}}}
	signals := signalVars(p.Signals)
	bands := bandsVar(p.Bands)
	for env, vars := range map[**expr.Env][]expr.Var{
		&c.rules: signals,
		&c.risk:  append(slices.Clone(signals), bands),
		&c.bands: {bands},
	} {
		var err error
		if *env, err = expr.NewEnv(vars...); err != nil {
			r.problem(r.root.Pos, "internal", "%v", err)
		}
	}
	for name, s := range p.Signals {
		switch s.Type {
		case threshold.TypeNumber:
			c.numbers = append(c.numbers, name)
			fallthrough
		case threshold.TypeInteger, threshold.TypeString, threshold.TypeBoolean:
			c.reads.keys[name] = true
		}
	}
	return c
}

const undeclared = "isn't declared in signals"

func signalVars(declared map[string]threshold.Signal) []expr.Var {
	score := expr.Var{Name: "score", Shape: expr.NumberVar, Unknown: undeclared}
	scores := expr.Var{Name: "scores", Shape: expr.MapVar, Elem: expr.Number, Unknown: undeclared}
	flags := expr.Var{Name: "flags", Shape: expr.StringsVar, Unknown: undeclared}
	meta := expr.Var{Name: "meta", Shape: expr.MapVar, Unknown: undeclared}
	if declared != nil {
		scores.Fields, flags.Fields, meta.Fields = map[string]expr.Field{}, map[string]expr.Field{}, map[string]expr.Field{}
		score.Fields = scores.Fields
	}
	for name, s := range declared {
		f := expr.Field{}
		if s.Range != nil {
			f.Bounded, f.Min, f.Max = true, s.Range.Min, s.Range.Max
		}
		switch s.Type {
		case threshold.TypeScore:
			f.Kind = expr.Number
			scores.Fields[name] = f
		case threshold.TypeFlag:
			flags.Fields[name] = f
		case threshold.TypeNumber:
			f.Kind = expr.Number
			meta.Fields[name] = f
		case threshold.TypeInteger:
			f.Kind = expr.Integer
			meta.Fields[name] = f
		case threshold.TypeString:
			f.Kind = expr.Text
			meta.Fields[name] = f
		case threshold.TypeBoolean:
			f.Kind = expr.Boolean
			meta.Fields[name] = f
		}
	}
	return []expr.Var{score, scores, flags, meta}
}

func bandsVar(bands map[string]threshold.BandConfig) expr.Var {
	v := expr.Var{Name: "bands", Shape: expr.MapVar, Elem: expr.Text, Walkable: true, Unknown: "isn't among the policy's bands", Fields: map[string]expr.Field{}}
	for name := range bands {
		v.Fields[name] = expr.Field{Kind: expr.Text}
	}
	return v
}

// condition reads the value of when. On a problem it returns one that is
// always unknown, so that the rest of the file can still be checked.
func (c *conditionReader) condition(n *source.Node, risk bool) (threshold.Condition, ruleSource) {
	broken := threshold.Func(func(threshold.Signals) (bool, error) { return false, errBroken })
	switch n.Kind {
	case source.String:
		env := c.rules
		if risk {
			env = c.risk
		}
		prog := c.compile(env, n, expr.Boolean)
		from := ruleSource{node: n, text: n.Text, prog: prog}
		if prog == nil {
			return broken, from
		}
		cond := celCondition{c, prog}
		if risk {
			return celRisk{cond}, from
		}
		return cond, from
	case source.Object:
		return c.fixture(n)
	case source.Bool:
		c.problem(n.Pos, "type", "when must be an expression: quote it (%q)", fmt.Sprint(n.Bool))
	default:
		c.problem(n.Pos, "type", "when must be a CEL expression or one of {flag}, {metaNumberLessThan}, {scoreBelow}, not %s", n.Kind)
	}
	return broken, ruleSource{node: n}
}

// celCondition is a rule's condition in CEL.
type celCondition struct {
	c    *conditionReader
	prog *expr.Program
}

// Holds implements threshold.Condition.
func (c celCondition) Holds(s threshold.Signals) (bool, error) { return c.c.evalBool(c.prog, s, nil) }

// ReadsScore tells the gate whether two values of "score" must agree.
func (c celCondition) ReadsScore() bool {
	return slices.ContainsFunc(c.prog.Reads(), func(r expr.Read) bool {
		return r.Var == "score" || r.Var == "scores" && (r.Whole || r.Key == "score")
	})
}

// celRisk is a risk level's condition in CEL, which sees the bands.
type celRisk struct{ celCondition }

// HoldsWith is Holds with the bands.
func (c celRisk) HoldsWith(s threshold.Signals, b threshold.Bands) (bool, error) {
	return c.c.evalBool(c.prog, s, b)
}

var errBroken = fmt.Errorf("the condition wasn't readable")

// fixture reads one of the three declarative forms.
func (c *conditionReader) fixture(n *source.Node) (threshold.Condition, ruleSource) {
	from := ruleSource{node: n}
	if len(n.Members) != 1 {
		c.problem(n.Pos, "condition", "a condition has exactly one of flag, metaNumberLessThan, scoreBelow; this one has %d keys", len(n.Members))
		return threshold.Func(func(threshold.Signals) (bool, error) { return false, errBroken }), from
	}
	m := n.Members[0]
	switch m.Key {
	case "flag":
		if !c.is(m.Value, source.String, "flag") {
			break
		}
		from.text = fmt.Sprintf("%q in flags", m.Value.Text)
		return threshold.Flag(m.Value.Text), from
	case "metaNumberLessThan":
		key, value, ok := c.nameAndValue(m.Value, m.Key, "key")
		if !ok {
			break
		}
		c.reads.keys[key] = true
		from.text = fmt.Sprintf("meta.%s < %v", key, value)
		return threshold.MetaNumberLessThan{Key: key, Value: value}, from
	case "scoreBelow":
		name, value, ok := c.nameAndValue(m.Value, m.Key, "name")
		if !ok {
			break
		}
		from.text = fmt.Sprintf("scores.%s < %v", name, value)
		return threshold.ScoreBelow{Name: name, Value: value}, from
	default:
		c.known(n, "a condition", "flag", "metaNumberLessThan", "scoreBelow")
	}
	return threshold.Func(func(threshold.Signals) (bool, error) { return false, errBroken }), from
}

func (c *conditionReader) nameAndValue(n *source.Node, what, nameKey string) (name string, value float64, ok bool) {
	if !c.is(n, source.Object, what) {
		return "", 0, false
	}
	c.known(n, what, nameKey, "value")
	c.required(n, nameKey, "value")
	k, v := n.Get(nameKey), n.Get("value")
	if k == nil || v == nil || !c.is(k, source.String, nameKey) {
		return "", 0, false
	}
	value, ok = c.number(v, "value")
	return k.Text, value, ok
}

// compile is the reader's, and notes what the expression reads of meta.
func (c *conditionReader) compile(env *expr.Env, n *source.Node, want expr.Kind) *expr.Program {
	prog := c.reader.compile(env, n, want)
	if prog == nil {
		return nil
	}
	for _, read := range prog.Reads() {
		if read.Var == "meta" {
			if read.Whole {
				c.reads.whole = true
			} else {
				c.reads.keys[read.Key], c.reads.cel[read.Key] = true, true
			}
		}
	}
	return prog
}

// combine reads the name of a combine, or a CEL expression over bands whose
// value is a verdict.
func (c *conditionReader) combine(n *source.Node) (threshold.Combine, *expr.Program) {
	if combine, ok := threshold.CombineByName(n.Text); ok {
		return combine, nil
	}
	prog := c.compile(c.bands, n, expr.Text)
	if prog == nil {
		return nil, nil
	}
	return func(b threshold.Bands) (threshold.Verdict, error) {
		v, err := c.evalText(prog, b)
		return threshold.Verdict(v), err
	}, prog
}

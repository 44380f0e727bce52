package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/internal/source"
)

// Case is the gate of a policy file of kind case. It is immutable and safe for
// concurrent use.
type Case struct {
	policy   casegate.Policy
	gate     *casegate.Gate
	schema   *caseSchema
	rules    []caseRule
	decision *expr.Program
	route    *expr.Program // nil: none
	model    string
	tests    []caseTest
	prefix   []byte // of an output line, from the gate's name on
}

// Gate returns the compiled gate: the rules alone, without the model.
func (c *Case) Gate() *casegate.Gate { return c.gate }

// Policy returns the policy that the gate was made of. It is not to be changed.
func (c *Case) Policy() casegate.Policy { return c.policy }

// Model returns the name of the model that the policy wants a second opinion
// of, empty if it wants none.
func (c *Case) Model() string { return c.model }

var caseKeys = append(slices.Clone(commonKeys),
	"case_schema", "order", "rules", "signals", "confidence", "confidence_floor", "decision", "route",
	"applies", "rejects", "enableAutoApply", "enableAutoReject", "queues", "paths", "model")

// caseReader reads a policy file of kind case.
type caseReader struct {
	*reader
	schema *caseSchema
	env    *expr.Env
}

func readCase(r *reader) *Case {
	r.known(r.root, "a case policy", caseKeys...)
	c := &Case{schema: readCaseSchema(r, r.root.Get("case_schema"))}
	cr := &caseReader{reader: r, schema: c.schema}
	var err error
	if cr.env, err = expr.NewEnv(c.schema.vars()...); err != nil {
		r.problem(r.root.Pos, "internal", "%v", err)
	} else {
		cr.env = cr.env.WholeDivision()
	}
	p := &c.policy
	if order, ok := cr.texts(r.root.Get("order"), "order", "a category"); ok {
		p.Order = make([]casegate.Category, len(order))
		for i, category := range order {
			p.Order[i] = casegate.Category(category)
		}
	}
	p.Signals = cr.signals(r.root.Get("signals"))
	p.Rules, c.rules = cr.rules(r.root.Get("rules"))
	if n := r.root.Get("confidence"); n != nil && r.is(n, source.String, "confidence") {
		if p.WithoutConfidence = n.Text == "none"; !p.WithoutConfidence {
			r.problem(n.Pos, "confidence", "confidence can only be none, which says that no signal is needed; what is needed of a signal stands in a rule")
		}
	}
	if n := r.root.Get("confidence_floor"); n != nil {
		p.ConfidenceFloor, _ = r.number(n, "confidence_floor")
	}
	p.Decision, c.decision = cr.outcome("decision")
	p.Route, c.route = cr.outcome("route")
	p.Applies, _ = cr.texts(r.root.Get("applies"), "applies", "a decision")
	p.Rejects, _ = cr.texts(r.root.Get("rejects"), "rejects", "a decision")
	p.EnableAutoApply = r.bool(r.root.Get("enableAutoApply"), "enableAutoApply")
	p.EnableAutoReject = r.bool(r.root.Get("enableAutoReject"), "enableAutoReject")
	p.DefaultQueue, p.Queues = cr.queues(r.root.Get("queues"))
	paths, _ := cr.texts(r.root.Get("paths"), "paths", "a queue")
	for i, path := range paths {
		if strings.TrimSpace(path) != "" {
			r.nameable(r.root.Get("paths").Items[i], "a queue")
		}
	}
	p.Paths = paths
	if n := r.root.Get("model"); n != nil && r.is(n, source.String, "model") {
		if c.model = n.Text; !gatePattern.MatchString(n.Text) {
			r.problem(n.Pos, "name", "%q isn't a model's name (letters, digits, _ and -, at most 128)", n.Text)
		}
	}
	c.tests = cr.tests(r.root.Get("tests"))

	gate, err := casegate.Compile(*p)
	if err != nil {
		r.compileProblems(err)
		return nil
	}
	c.gate = gate
	if len(r.problems) == 0 {
		c.checkTests(r)
	}
	return c
}

// signals reads which numbers say how sure somebody is.
func (r *caseReader) signals(n *source.Node) map[string]casegate.Direction {
	if n == nil || !r.is(n, source.Object, "signals") {
		return nil
	}
	signals := make(map[string]casegate.Direction, len(n.Members))
	for _, m := range n.Members {
		signals[m.Key] = casegate.HigherIsSafer
		if !r.is(m.Value, source.Object, "a signal's declaration") {
			continue
		}
		r.known(m.Value, "a signal", "direction")
		r.required(m.Value, "direction")
		if d := m.Value.Get("direction"); d != nil && r.is(d, source.String, "direction") {
			signals[m.Key] = casegate.Direction(d.Text)
		}
		r.inCase(m.Pos, m.Key, "signals")
	}
	return signals
}

// outcome reads the expression that gives the decision or the route.
func (r *caseReader) outcome(key string) (casegate.Text, *expr.Program) {
	n := r.root.Get(key)
	if n == nil || !r.is(n, source.String, key) {
		return nil, nil
	}
	prog := r.compile(r.env, n, expr.Text)
	if prog == nil {
		return func(casegate.Case) (string, error) { return "", errBroken }, nil
	}
	return func(c casegate.Case) (string, error) { return prog.Text(caseValues{&c}) }, prog
}

// queues reads which queue is for which category.
func (r *caseReader) queues(n *source.Node) (other string, queues map[casegate.Category]string) {
	if n == nil || !r.is(n, source.Object, "queues") {
		return "", nil
	}
	queues = make(map[casegate.Category]string, len(n.Members))
	for _, m := range n.Members {
		if !r.is(m.Value, source.String, "a queue") {
			continue
		}
		if strings.TrimSpace(m.Value.Text) != "" {
			r.nameable(m.Value, "a queue")
		}
		if m.Key != "default" {
			queues[casegate.Category(m.Key)] = m.Value.Text
			continue
		}
		if other = m.Value.Text; strings.TrimSpace(other) == "" {
			r.problem(m.Value.Pos, "policy", "the name of the queue is missing")
		}
	}
	return other, queues
}

// inCase complains about a name that the case schema doesn't know, at the end
// of a way through the members of a case.
func (r *caseReader) inCase(pos Pos, name string, way ...string) {
	if r.schema == nil {
		return
	}
	at, known := r.schema.at(way...)
	if known {
		_, known = at.member(name)
	}
	if !known {
		r.problem(pos, "case-schema", "%s.%s isn't in the case schema", strings.Join(way, "."), name)
	}
}

// among complains about a text that the case schema doesn't list.
func (r *caseReader) among(n *source.Node, text, what string, way ...string) {
	if r.schema == nil || text == "" {
		return
	}
	at, known := r.schema.at(way...)
	names := at.listed()
	if known && (names == nil || slices.Contains(names, text)) {
		return
	}
	hint := ""
	if k := nearest(text, names); k != "" {
		hint = fmt.Sprintf(": did you mean %s?", k)
	}
	r.problem(n.Pos, "case-schema", "the case schema knows no %s %q%s", what, text, hint)
}

// at returns what the schema says at the end of a way through the members of a
// case; a list stands for its entries. Known is false if there is no such way.
func (s *caseSchema) at(way ...string) (at *shape, known bool) {
	if s == nil {
		return nil, true
	}
	at = s.shape
	for _, name := range way {
		if at, known = at.member(name); !known {
			return nil, false
		}
		if items := at.entries(); items != nil {
			at = items
		}
	}
	return at, true
}

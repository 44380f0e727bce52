package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// CaseInput is what stands in one input.
type CaseInput struct {
	ID []byte // the envelope's, else the case's; nil: none
	// Case is the case, with the fault if the input is malformed.
	Case    casegate.Case
	HasCase bool
	Output  []byte // an output from elsewhere as JSON, nil if there is none
	Err     error  // why the input is malformed

	node *source.Node // of the case
}

// CaseJSON returns the case as JSON, nil if there is none that can be read.
func (in *CaseInput) CaseJSON() []byte {
	if in.node == nil {
		return nil
	}
	return in.node.AppendJSON(nil)
}

// envelopeKeys are the members of an input in which a case or an output stands
// beside other things.
var envelopeKeys = []string{"id", "subject", "case", "action", "output"}

// Read reads one input, on a line of a file (0: none): a bare case, an envelope
// {"id", "subject"?, "case", "action"?}, or an output from elsewhere {"id"?,
// "output", "case"?}. What isn't exactly one of them is the fault
// input_malformed and leaves no more than the id.
func (c *Case) Read(raw []byte, line int) *CaseInput {
	in := &CaseInput{}
	root, err := source.ReadJSON(raw)
	if err != nil {
		in.Err = err
	} else {
		d := caseDecoder{schema: c.schema, in: in}
		d.input(root)
		in.Err = d.err
	}
	if in.ID == nil && in.Case.ID != "" {
		in.ID = []byte(in.Case.ID)
	}
	if in.Err == nil {
		return in
	}
	var se *source.SyntaxError
	if errors.As(in.Err, &se) {
		se.Pos.Line += max(0, line-1)
	}
	fault := verdict.Fault{Code: verdict.InputMalformed, Detail: in.Err.Error()}
	return &CaseInput{ID: in.ID, HasCase: in.HasCase, Err: in.Err, Case: casegate.Case{ID: in.Case.ID, Faults: []verdict.Fault{fault}}}
}

// caseDecoder takes a case out of a tree. It keeps the first thing that is
// wrong: what stands behind it is noise then.
type caseDecoder struct {
	schema *caseSchema
	in     *CaseInput
	err    error
}

func (d *caseDecoder) fail(pos Pos, code, format string, args ...any) {
	if d.err == nil {
		d.err = &source.SyntaxError{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...)}
	}
}

func (d *caseDecoder) is(n *source.Node, k source.Kind, what string) bool {
	if n.Kind != k {
		d.fail(n.Pos, "type", "%s must be %s, not %s", what, k, n.Kind)
	}
	return n.Kind == k
}

// known complains about members that an object can't have.
func (d *caseDecoder) known(n *source.Node, what string, keys ...string) {
	for _, m := range n.Members {
		if d.err != nil || slices.Contains(keys, m.Key) {
			continue
		}
		hint := ""
		if k := nearest(m.Key, keys); k != "" {
			hint = fmt.Sprintf(": did you mean %s?", k)
		}
		d.fail(m.Pos, "unknown-member", "%s has no member %.64q%s", what, m.Key, hint)
	}
}

func (d *caseDecoder) input(root *source.Node) {
	if !d.is(root, source.Object, "the input") {
		return
	}
	if !slices.ContainsFunc(root.Members, func(m source.Member) bool { return slices.Contains(envelopeKeys, m.Key) }) {
		d.theCase(root)
		return
	}
	if n := root.Get("id"); n != nil && d.is(n, source.String, "id") {
		d.in.ID = []byte(n.Text)
	}
	if slices.ContainsFunc(root.Members, func(m source.Member) bool { _, ok := caseMembers[m.Key]; return ok }) {
		d.fail(root.Pos, "mixed", "the members of a case belong into case when there is an id, subject, action, case or output")
	}
	d.known(root, "an input", envelopeKeys...)
	if n := root.Get("subject"); n != nil {
		d.is(n, source.String, "subject")
	}
	if n := root.Get("case"); n != nil {
		d.theCase(n)
	}
	if n := root.Get("output"); n != nil {
		d.in.Output = n.AppendJSON(nil)
	} else if !d.in.HasCase {
		d.fail(root.Pos, "missing", "an input with an id, subject or action needs a case or an output")
	}
}

func (d *caseDecoder) theCase(n *source.Node) {
	d.in.HasCase, d.in.Case, d.in.node = true, d.oneCase(n), n
}

func (d *caseDecoder) oneCase(n *source.Node) (c casegate.Case) {
	if !d.is(n, source.Object, "case") {
		return c
	}
	d.known(n, "a case", caseMemberNames...)
	if id := n.Get("case_id"); id == nil {
		d.fail(n.Pos, "missing", "case_id is missing")
	} else if d.is(id, source.String, "case_id") {
		if c.ID = id.Text; strings.TrimSpace(id.Text) == "" {
			d.fail(id.Pos, "empty", "case_id is empty")
		}
	}
	c.Domain, c.AsOf = d.text(n, "domain"), d.date(n, "as_of")
	var doc map[string]any // what the schema looks at, which the case shares
	if d.schema != nil {
		doc, _ = n.Value(d.number).(map[string]any)
	}
	c.Facts, c.Signals = d.part(doc, n, "facts"), d.part(doc, n, "signals")
	for _, item := range d.list(n, "documents") {
		if !d.is(item, source.Object, "a document") {
			break
		}
		d.known(item, "a document", documentMembers...)
		c.Documents = append(c.Documents, casegate.Document{
			Type: d.name(item, "a document", "type"), ID: d.text(item, "id"),
			Issued: d.date(item, "issued"), Expires: d.date(item, "expires"),
		})
	}
	sources, _ := doc["sources"].([]any)
	for i, item := range d.list(n, "sources") {
		if !d.is(item, source.Object, "a source") {
			break
		}
		d.known(item, "a source", "name", "values")
		var source map[string]any
		if i < len(sources) {
			source, _ = sources[i].(map[string]any)
		}
		s := casegate.Source{Name: d.name(item, "a source", "name"), Values: d.part(source, item, "values")}
		if item.Get("values") == nil {
			d.fail(item.Pos, "missing", "values of a source is missing")
		}
		if strings.TrimSpace(s.Name) != s.Name || strings.ContainsFunc(s.Name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			d.fail(item.Pos, "name", "the name of a source has outer blanks, or a character that nobody sees")
		}
		d.once(item, "source", slices.ContainsFunc(c.Sources, func(o casegate.Source) bool { return o.Name == s.Name }))
		c.Sources = append(c.Sources, s)
	}
	for _, item := range d.list(n, "checks") {
		if !d.is(item, source.Object, "a check") {
			break
		}
		d.known(item, "a check", "name", "status")
		k := casegate.Check{Name: d.name(item, "a check", "name"), Status: d.name(item, "a check", "status")}
		d.once(item, "check", slices.ContainsFunc(c.Checks, func(o casegate.Check) bool { return o.Name == k.Name }))
		c.Checks = append(c.Checks, k)
	}
	if d.err == nil {
		d.hold(n, doc, &c)
	}
	return c
}

// once wants every name to stand in a list once.
func (d *caseDecoder) once(item *source.Node, what string, seen bool) {
	if seen {
		d.fail(item.Pos, "duplicate", "another %s has the same name", what)
	}
}

// hold holds a case to the schema, and makes fractions of the numbers that it
// declares to be any.
func (d *caseDecoder) hold(n *source.Node, doc map[string]any, c *casegate.Case) {
	if d.schema == nil {
		return
	}
	if why := d.schema.validate(doc); why != "" {
		d.fail(n.Pos, "case-schema", "the case isn't what the case schema says: %s", why)
		return
	}
	held := true
	facts, _ := d.schema.at("facts")
	fractions(c.Facts, facts, &held)
	signals, _ := d.schema.at("signals")
	fractions(c.Signals, signals, &held)
	values, _ := d.schema.at("sources", "values")
	for i := range c.Sources {
		fractions(c.Sources[i].Values, values, &held)
	}
	if !held {
		d.fail(n.Pos, "number", "an integer can't be held as the number that the case schema says it is")
	}
}

// fractions makes a float64 of every integer that the schema declares to be a
// number, so that it is divided as one. Held becomes false if one can't be held
// as such. Lists and objects are changed in place.
func fractions(v any, s *shape, held *bool) any {
	if s == nil {
		return v
	}
	switch v := v.(type) {
	case int64:
		if slices.Contains(s.types, "number") {
			*held = *held && threshold.Exact(v)
			return float64(v)
		}
	case []any:
		for i := range v {
			v[i] = fractions(v[i], s.items, held)
		}
	case map[string]any:
		for name, x := range v {
			switch x.(type) {
			case int64, []any, map[string]any:
				v[name] = fractions(x, s.members[name], held)
			}
		}
	}
	return v
}

// number takes a number as it is, one that can't be held excepted.
func (d *caseDecoder) number(n *source.Node) any {
	num := source.ParseNumber([]byte(n.Text))
	switch {
	case num.Inexact:
		d.fail(n.Pos, "number", "a number can't be held")
		return nil
	case num.IsInt:
		return num.Int
	default:
		return num.Float
	}
}

func (d *caseDecoder) object(n *source.Node, key string) map[string]any {
	m := n.Get(key)
	if m == nil || !d.is(m, source.Object, key) {
		return nil
	}
	object, _ := m.Value(d.number).(map[string]any)
	return object
}

// part is object for a member whose value was made already, as part of whole.
func (d *caseDecoder) part(whole map[string]any, n *source.Node, key string) map[string]any {
	if whole == nil {
		return d.object(n, key)
	}
	m := n.Get(key)
	if m == nil || !d.is(m, source.Object, key) {
		return nil
	}
	object, _ := whole[key].(map[string]any)
	return object
}

func (d *caseDecoder) list(n *source.Node, key string) []*source.Node {
	m := n.Get(key)
	if m == nil || !d.is(m, source.List, key) {
		return nil
	}
	return m.Items
}

func (d *caseDecoder) text(n *source.Node, key string) string {
	m := n.Get(key)
	if m == nil || !d.is(m, source.String, key) {
		return ""
	}
	return m.Text
}

// name reads a text that must be there and not be empty.
func (d *caseDecoder) name(n *source.Node, what, key string) string {
	text := d.text(n, key)
	if text == "" {
		d.fail(n.Pos, "missing", "%s of %s is missing or empty", key, what)
	}
	return text
}

// date reads a day as RFC 3339 writes it.
func (d *caseDecoder) date(n *source.Node, key string) casegate.Date {
	m := n.Get(key)
	if m == nil || !d.is(m, source.String, key) {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, m.Text); err != nil {
		d.fail(m.Pos, "date", "%s must be a day such as 2026-11-30", key)
		return ""
	}
	return casegate.Date(m.Text)
}

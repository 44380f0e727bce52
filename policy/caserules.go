package policy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/internal/source"
)

// caseRule is what the file says of a rule.
type caseRule struct {
	kind string        // require, forbid …
	prog *expr.Program // of its expression, nil if it has none
}

// ruleKinds are the keys of which a rule has exactly one.
var ruleKinds = []string{"require", "forbid", "limit", "confidence", "agree", "await"}

var caseRuleKeys = append([]string{
	"id", "next_step", "policy", "regulation", "severity", "restriction", "consequence", "required_by", "owner",
}, ruleKinds...)

func (r *caseReader) rules(n *source.Node) (rules []casegate.Rule, from []caseRule) {
	if n == nil || !r.is(n, source.List, "rules") {
		return nil, nil
	}
	for _, item := range n.Items {
		rule, f := casegate.Rule{Kind: unreadable}, caseRule{}
		if r.is(item, source.Object, "a rule") {
			r.known(item, "a rule", caseRuleKeys...)
			rule = casegate.Rule{
				ID: r.text(item, "id"), NextStep: r.text(item, "next_step"),
				Policy: r.said(item, "policy"), Regulation: r.said(item, "regulation"), Severity: r.said(item, "severity"),
				Restriction: r.said(item, "restriction"), Consequence: r.said(item, "consequence"),
				RequiredBy: r.said(item, "required_by"), Owner: r.said(item, "owner"),
			}
			rule.Kind, f = r.ruleKind(item)
		}
		rules, from = append(rules, rule), append(from, f)
	}
	return rules, from
}

// unreadable stands for a rule of which it was said already what is wrong.
var unreadable = casegate.Forbid{Condition: func(casegate.Case) (bool, error) { return false, errBroken }}

// said reads a text that may be left out, but not empty.
func (r *caseReader) said(n *source.Node, key string) string {
	text := r.text(n, key)
	if m := n.Get(key); m != nil && m.Kind == source.String && strings.TrimSpace(text) == "" {
		r.problem(m.Pos, "empty", "%s is empty: leave it out, or say what it is", key)
	}
	return text
}

// ruleKind reads what a rule looks at.
func (r *caseReader) ruleKind(rule *source.Node) (casegate.Kind, caseRule) {
	var found []string
	for _, m := range rule.Members {
		if slices.Contains(ruleKinds, m.Key) {
			found = append(found, m.Key)
		}
	}
	switch len(found) {
	case 0:
		return nil, caseRule{} // the compiler says what is missing
	case 1:
	default:
		r.problem(rule.Pos, "rule", "a rule has exactly one of %s; this one has %s", join(ruleKinds), join(found))
	}
	f := caseRule{kind: found[0]}
	n := rule.Get(f.kind)
	if f.kind == "forbid" {
		var k casegate.Forbid
		k.Condition, f.prog = r.condition(n, "forbid")
		k.Text = n.Text
		return k, f
	}
	if !r.is(n, source.Object, f.kind) {
		return unreadable, f
	}
	var kind casegate.Kind
	ok := true
	switch f.kind {
	case "require":
		kind, ok = r.require(n, &f)
	case "limit":
		kind, ok = r.limit(n, &f)
	case "confidence":
		kind, ok = r.confidence(n)
	case "agree":
		kind, ok = r.agree(n)
	case "await":
		kind, ok = r.await(n)
	}
	if !ok {
		return unreadable, f
	}
	return kind, f
}

// list reads a list of texts that may be left out.
func (r *caseReader) list(n *source.Node, key, one string, ok *bool) []string {
	m := n.Get(key)
	if m == nil {
		return nil
	}
	texts, read := r.texts(m, key, one)
	*ok = *ok && read
	return texts
}

// float reads a number that may be left out.
func (r *caseReader) float(n *source.Node, key string, ok *bool) *float64 {
	m := n.Get(key)
	if m == nil {
		return nil
	}
	f, read := r.number(m, key)
	*ok = *ok && read
	return &f
}

func (r *caseReader) require(n *source.Node, f *caseRule) (k casegate.Require, ok bool) {
	ok = true
	r.known(n, "require", "documents", "facts", "condition")
	k.Documents = r.list(n, "documents", "a document's type", &ok)
	k.Facts = r.list(n, "facts", "a fact's name", &ok)
	for i, typ := range k.Documents {
		r.among(n.Get("documents").Items[i], typ, "document", "documents", "type")
	}
	for i, name := range k.Facts {
		r.inCase(n.Get("facts").Items[i].Pos, name, "facts")
	}
	if m := n.Get("condition"); m != nil {
		k.Condition, f.prog = r.condition(m, "condition")
		k.Text = m.Text
	}
	return k, ok
}

func (r *caseReader) limit(n *source.Node, f *caseRule) (k casegate.Limit, ok bool) {
	ok = true
	r.known(n, "limit", "value", "max", "min", "margin")
	if m := n.Get("value"); m != nil {
		k.Value, f.prog = r.value(m)
		k.Text = m.Text
	}
	k.Max, k.Min, k.Margin = r.float(n, "max", &ok), r.float(n, "min", &ok), r.float(n, "margin", &ok)
	return k, ok
}

func (r *caseReader) confidence(n *source.Node) (k casegate.Confidence, ok bool) {
	ok = true
	r.known(n, "confidence", "signal", "min")
	r.required(n, "signal", "min")
	k.Signal = r.text(n, "signal")
	least := r.float(n, "min", &ok)
	if m := n.Get("signal"); least == nil || m == nil || m.Kind != source.String {
		return k, false
	}
	k.Min = *least
	return k, ok
}

func (r *caseReader) agree(n *source.Node) (k casegate.Agree, ok bool) {
	ok = true
	r.known(n, "agree", "field", "sources", "tolerance", "min_sources")
	k.Field = r.text(n, "field")
	k.Sources = r.list(n, "sources", "a source's name", &ok)
	if m := n.Get("tolerance"); m != nil {
		var read bool
		k.Tolerance, k.Relative, read = r.tolerance(m)
		ok = ok && read
	}
	if least := r.float(n, "min_sources", &ok); least != nil && ok {
		if k.MinSources = int(*least); float64(k.MinSources) != *least || k.MinSources < 2 {
			r.problem(n.Get("min_sources").Pos, "number", "min_sources must be an integer of at least 2: one source always agrees with itself")
			ok = false
		}
	}
	if m := n.Get("field"); m != nil && k.Field != "" {
		r.inCase(m.Pos, k.Field, "sources", "values")
	}
	for i, name := range k.Sources {
		r.among(n.Get("sources").Items[i], name, "source", "sources", "name")
	}
	return k, ok
}

// tolerance reads a distance, or a share such as "2%".
func (r *caseReader) tolerance(n *source.Node) (t float64, relative, ok bool) {
	if n.Kind != source.String {
		if n.Kind != source.Number {
			r.problem(n.Pos, "type", "tolerance must be a number or a share such as 2%%, not %s", n.Kind)
			return 0, false, false
		}
		t, ok = r.number(n, "tolerance")
		return t, false, ok
	}
	digits, percent := strings.CutSuffix(n.Text, "%")
	t, err := strconv.ParseFloat(digits+"e-2", 64) // and not / 100, which would round twice
	if !percent || !source.IsNumber(digits) || strings.ContainsAny(digits, "eE") || err != nil {
		r.problem(n.Pos, "tolerance", "%q isn't a tolerance: use a number, or a share such as 2%%", n.Text)
		return 0, false, false
	}
	return t, true, true
}

func (r *caseReader) await(n *source.Node) (k casegate.Await, ok bool) {
	ok = true
	r.known(n, "await", "check", "accepted")
	k.Check = r.text(n, "check")
	k.Accepted = r.list(n, "accepted", "a status", &ok)
	if m := n.Get("check"); m != nil {
		r.among(m, k.Check, "check", "checks", "name")
	}
	for i, status := range k.Accepted {
		r.among(n.Get("accepted").Items[i], status, "status", "checks", "status")
	}
	return k, ok
}

func join(names []string) string { return strings.Join(names, ", ") }

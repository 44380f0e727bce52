package promotion

import (
	"errors"
	"fmt"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
)

// ParseInputs reads inputs from JSON, strictly: an unknown or repeated member,
// a wrong type, a kind of signal that names none, or anything but one object is
// an error, and with an error come the zero Inputs, which need a person. The
// error is a *source.SyntaxError, with line and column.
//
// A null counts as missing. An oracle or a gate 2 verdict that isn't one of the
// known texts is no error, but counts as failing. A tripwire that is there and
// doesn't say "escalate": false is raised; so is one that has reasons.
func ParseInputs(raw []byte) (Inputs, error) {
	root, err := source.ReadJSON(raw)
	if err != nil {
		return Inputs{}, err
	}
	return InputsOf(root)
}

// InputsOf reads inputs from a tree, as [ParseInputs] does from text.
func InputsOf(root *source.Node) (Inputs, error) {
	if root == nil {
		return Inputs{}, errors.New("there are no inputs")
	}
	var in Inputs
	r := inputsReader{}
	r.object("", root, "the inputs", map[string]func(string, *source.Node){
		"oracle":                  func(at string, n *source.Node) { in.Oracle = Oracle(r.text(at, n)).known() },
		"record":                  func(at string, n *source.Node) { in.Gate2 = r.record(at, n) },
		"gate4Armed":              func(at string, n *source.Node) { in.Gate4Armed = r.statement(at, n) },
		"touchesIrreversibleTool": func(at string, n *source.Node) { in.TouchesIrreversibleTool = r.statement(at, n) },
		"statisticsPresent":       func(at string, n *source.Node) { in.StatisticsPresent = r.statement(at, n) },
		"concurringSignals":       func(at string, n *source.Node) { in.ConcurringSignals = r.signals(at, n) },
		"tripwire":                func(at string, n *source.Node) { in.Tripwire = r.tripwire(at, n) },
	})
	if r.err != nil {
		return Inputs{}, r.err
	}
	return in, nil
}

// inputsReader keeps the first thing that is wrong.
type inputsReader struct{ err error }

func (r *inputsReader) fail(at string, pos source.Pos, code, format string, args ...any) {
	if r.err == nil {
		r.err = &source.SyntaxError{Pos: pos, Pointer: at, Code: code, Message: fmt.Sprintf(format, args...)}
	}
}

func (r *inputsReader) wrongType(at string, n *source.Node, want string) {
	r.fail(at, n.Pos, "wrong-type", "must be %s, not %s", want, n.Kind)
}

// object hands each member that isn't null to its reader.
func (r *inputsReader) object(at string, n *source.Node, what string, readers map[string]func(at string, n *source.Node)) {
	if n.Kind != source.Object {
		r.fail(at, n.Pos, "wrong-type", "%s must be an object, not %s", what, n.Kind)
		return
	}
	for i, m := range n.Members {
		here := at + "/" + verdict.PointerToken(m.Key)
		read := readers[m.Key]
		switch {
		case read == nil:
			r.fail(here, m.Pos, "unknown-member", "%s: there is no member %.64q", what, m.Key)
		case n.Get(m.Key) != n.Members[i].Value: // a tree made by hand: no text has a member twice
			r.fail(here, m.Pos, "duplicate-member", "%s: the member %.64q is there twice", what, m.Key)
		case m.Value.Kind != source.Null:
			read(here, m.Value)
		}
		if r.err != nil {
			return
		}
	}
}

func (r *inputsReader) text(at string, n *source.Node) string {
	if n.Kind != source.String {
		r.wrongType(at, n, "a string")
		return ""
	}
	return n.Text
}

func (r *inputsReader) statement(at string, n *source.Node) Tri {
	if n.Kind != source.Bool {
		r.wrongType(at, n, "a boolean")
		return Unknown
	}
	return TriOf(n.Bool)
}

// count reads an integer of at least least, and below 2^31.
func (r *inputsReader) count(at string, n *source.Node, least int64) int {
	if n.Kind == source.Number {
		if num := source.ParseNumber([]byte(n.Text)); num.IsInt && !num.Inexact && num.Int >= least && num.Int <= 1<<31-1 {
			return int(num.Int)
		}
	}
	r.fail(at, n.Pos, "wrong-type", "must be an integer of at least %d", least)
	return 0
}

func (r *inputsReader) record(at string, n *source.Node) Gate2 {
	var gate2 Gate2
	r.object(at, n, "the record", map[string]func(string, *source.Node){
		"gate2Verdict": func(at string, n *source.Node) {
			gate2 = Gate2Absent
			if Gate2(r.text(at, n)) == Gate2Positive {
				gate2 = Gate2Positive
			}
		},
	})
	return gate2
}

func (r *inputsReader) signals(at string, n *source.Node) []string {
	return eachOf(r, at, n, func(at string, n *source.Node) string {
		kind := r.text(at, n)
		if NormalKind(kind) == "" {
			r.fail(at, n.Pos, "no-kind", "names no kind of signal: it is empty, or holds a character that can't be seen")
		}
		return kind
	})
}

// eachOf reads a list.
func eachOf[E any](r *inputsReader, at string, n *source.Node, read func(at string, n *source.Node) E) []E {
	if n.Kind != source.List {
		r.wrongType(at, n, "a list")
		return nil
	}
	all := make([]E, 0, len(n.Items))
	for i, item := range n.Items {
		all = append(all, read(fmt.Sprintf("%s/%d", at, i), item))
	}
	return all
}

func (r *inputsReader) tripwire(at string, n *source.Node) *TripwireResult {
	t := &TripwireResult{Escalate: true} // unless it says otherwise
	r.object(at, n, "the tripwire", map[string]func(string, *source.Node){
		"escalate": func(at string, n *source.Node) { t.Escalate = r.statement(at, n) != No },
		"reasons":  func(at string, n *source.Node) { t.Reasons = eachOf(r, at, n, r.reason) },
		"omitted":  func(at string, n *source.Node) { t.Omitted = r.count(at, n, 0) },
	})
	t.Escalate = t.Raised()
	return t
}

// reason reads a reason: a text, or a finding as it is written.
func (r *inputsReader) reason(at string, n *source.Node) Finding {
	f := Finding{Offset: -1}
	if n.Kind == source.String {
		f.Detail = n.Text
		return f
	}
	text := func(into *string) func(string, *source.Node) {
		return func(at string, n *source.Node) { *into = r.text(at, n) }
	}
	count := func(into *int, least int64) func(string, *source.Node) {
		return func(at string, n *source.Node) { *into = r.count(at, n, least) }
	}
	r.object(at, n, "a reason that isn't a string", map[string]func(string, *source.Node){
		"kind":   func(at string, n *source.Node) { f.Kind = Kind(r.text(at, n)) },
		"token":  text(&f.Token),
		"file":   text(&f.File),
		"line":   count(&f.Line, 1),
		"col":    count(&f.Col, 1),
		"offset": count(&f.Offset, 0),
		"length": count(&f.Length, 0),
		"via":    text(&f.Via),
		"detail": text(&f.Detail),
	})
	if f.Kind == "" {
		r.fail(at, n.Pos, "missing-member", "a reason needs a kind")
	}
	return f
}

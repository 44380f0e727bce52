package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Gate answers questions with the gate of this module. It keeps the last
// policy: questions about one policy should stand together. It is for one
// goroutine at a time. The zero Gate is ready for use.
type Gate struct {
	text    []byte            // of the last policy
	policy  *policy.Threshold // nil if it is invalid
	decider *policy.Decider
}

// errDisagree says that the two ways into the gate, from bytes and from Go
// values, decided differently: a bug, whichever is right.
var errDisagree = errors.New("deciding from bytes and from values gives different answers")

// Answer decides. The error means that the gate contradicts itself.
func (g *Gate) Answer(q Question) (Answer, error) {
	g.load(q.Policy)
	var d threshold.Decision
	switch {
	case g.policy == nil:
		d = threshold.Decide(supervise(threshold.Signals{}, q), invalid)
	default:
		d = g.policy.Gate().Decide(supervise(g.signals(q.Input), q))
	}
	a := answer(q.ID, &d)
	if g.policy == nil || q.Supervised || bytes.Contains(q.Input, numberForm) {
		return a, nil
	}
	var fromBytes threshold.Decision
	g.decider.DecideJSON(&fromBytes, q.Input)
	if b := answer(q.ID, &fromBytes); !bytes.Equal(a.AppendJSON(nil), b.AppendJSON(nil)) {
		return a, fmt.Errorf("%w: %s and %s", errDisagree, b.AppendJSON(nil), a.AppendJSON(nil))
	}
	return a, nil
}

// invalid stands for every policy that isn't one.
var invalid = threshold.Policy{Rules: []threshold.Rule{{}}}

func supervise(s threshold.Signals, q Question) threshold.Signals {
	if q.Supervised {
		s.Faults = append(s.Faults, threshold.Fault{Code: verdict.GateSupervised, Detail: "the gate is supervised"})
	}
	return s
}

// header is what a policy file has and the contract's Policy hasn't.
const header = `{"pawl":"v1","gate":"vector","kind":"threshold"`

// load compiles a policy, unless it is the one of the question before.
func (g *Gate) load(n *source.Node) {
	text := n.AppendJSON(nil)
	if g.text != nil && bytes.Equal(text, g.text) {
		return
	}
	*g = Gate{text: text}
	file, ok := withHeader(header, n)
	if !ok {
		return
	}
	f, err := policy.Parse("vector.json", file)
	if err != nil {
		return
	}
	g.policy = f.Threshold
	g.decider = g.policy.NewDecider()
}

// numberForm is in a text that has numbers which JSON can't write.
var numberForm = []byte(`"$number"`)

var numbers = map[string]float64{
	"NaN": math.NaN(), "Inf": math.Inf(1), "-Inf": math.Inf(-1), "-0": math.Copysign(0, -1),
}

// signals decodes an input. Numbers in the form {"$number": …} are taken out
// of the text and put into the decoded signals.
func (g *Gate) signals(input []byte) threshold.Signals {
	var set []func(*threshold.Signals)
	if bytes.Contains(input, numberForm) {
		if root, err := source.ReadJSON(input); err == nil {
			set = takeNumbers(root)
			input = root.AppendJSON(nil)
		}
	}
	s, _, err := g.policy.Signals(input) // what is wrong travels as a fault
	if err != nil {
		return s // nothing of a malformed input counts
	}
	for _, f := range set {
		f(&s)
	}
	return s
}

// takeNumbers puts null in the place of the odd numbers among scores and the
// entries of meta, and returns what sets them.
func takeNumbers(root *source.Node) (set []func(*threshold.Signals)) {
	for i, m := range root.Members {
		switch m.Key {
		case "score":
			if f, ok := number(m.Value); ok {
				root.Members[i].Value = &source.Node{}
				set = append(set, func(s *threshold.Signals) { s.Score = &f })
			}
		case "scores", "meta":
			for j, entry := range m.Value.Members {
				f, ok := number(entry.Value)
				if !ok {
					continue
				}
				m.Value.Members[j].Value = &source.Node{}
				if m.Key == "scores" {
					set = append(set, func(s *threshold.Signals) { s.Scores[entry.Key] = f })
				} else {
					set = append(set, func(s *threshold.Signals) { s.Meta[entry.Key] = f })
				}
			}
		}
	}
	return set
}

func number(n *source.Node) (float64, bool) {
	form := n.Get("$number")
	if n.Kind != source.Object || len(n.Members) != 1 || form == nil {
		return 0, false
	}
	f, ok := numbers[form.Text]
	return f, ok
}

func answer(id string, d *threshold.Decision) Answer {
	risk := string(d.Risk)
	a := Answer{ID: id, Verdict: string(d.Verdict), Bands: map[string]string{}, Codes: []string{}, Risk: &risk}
	for _, b := range d.Bands {
		a.Bands[b.Score] = string(b.Band)
	}
	for _, r := range d.Reasons {
		a.Codes = append(a.Codes, r.String())
	}
	return a
}

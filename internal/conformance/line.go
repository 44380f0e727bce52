package conformance

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/vectors"
	"github.com/pawlgate/pawl/verdict"
)

// Question is one line in: an input and a policy.
type Question struct {
	ID         string
	Input      []byte       // the text of the input
	Policy     *source.Node // the contract's Policy
	Supervised bool
}

// Answer is one line out: the decision, without its messages.
type Answer struct {
	ID      string
	Verdict string
	Bands   map[string]string
	Codes   []string
	Risk    *string // nil: not told
}

// line is a Question as it stands in the protocol.
type line struct {
	ID            string          `json:"id"`
	SignalsText   *string         `json:"signalsText,omitempty"`
	SignalsBase64 *[]byte         `json:"signalsBase64,omitempty"`
	Policy        json.RawMessage `json:"policy"`
	Supervised    bool            `json:"supervised"`
}

// Line returns the line, with its line break, that asks for a vector's
// decision.
func Line(v *vectors.Vector) ([]byte, error) {
	l := line{ID: v.ID(), SignalsText: v.SignalsText, Policy: v.Policy, Supervised: v.Supervised}
	switch {
	case v.SignalsBase64 != nil:
		l.SignalsBase64 = &v.SignalsBase64
	case v.Signals != nil:
		text := string(v.Signals)
		l.SignalsText = &text
	}
	b, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("vector %s: %w", v.ID(), err)
	}
	return append(b, '\n'), nil
}

// ParseQuestion reads a line in. It is as strict as any other decoder of what
// comes from outside.
func ParseQuestion(raw []byte) (Question, error) {
	root, err := parseObject(raw)
	if err != nil {
		return Question{}, err
	}
	return questionOf(root)
}

func questionOf(root *source.Node) (q Question, err error) {
	inputs := 0
	for _, m := range root.Members {
		switch m.Key {
		case "id":
			q.ID, err = text(m)
		case "signalsText":
			inputs++
			var s string
			s, err = text(m)
			q.Input = []byte(s)
		case "signalsBase64":
			inputs++
			var s string
			if s, err = text(m); err == nil {
				q.Input, err = base64.StdEncoding.DecodeString(s)
			}
		case "policy":
			q.Policy = m.Value
		case "supervised":
			if m.Value.Kind != source.Bool {
				err = fmt.Errorf("supervised must be a boolean, not %s", m.Value.Kind)
			}
			q.Supervised = m.Value.Bool
		default:
			err = fmt.Errorf("unknown member %.64q", m.Key)
		}
		if err != nil {
			return q, err
		}
	}
	if inputs != 1 || q.Policy == nil {
		return q, fmt.Errorf("a line needs policy and one of signalsText, signalsBase64")
	}
	return q, nil
}

// ParseAnswer reads what an implementation said.
func ParseAnswer(raw []byte) (Answer, error) {
	var a Answer
	root, err := parseObject(raw)
	if err != nil {
		return a, err
	}
	for _, m := range root.Members {
		switch m.Key {
		case "id":
			a.ID, err = text(m)
		case "verdict":
			a.Verdict, err = text(m)
		case "bands":
			a.Bands, err = bands(m.Value)
		case "codes":
			a.Codes, err = codes(m.Value)
		case "risk":
			if m.Value.Kind != source.Null {
				var risk string
				risk, err = text(m)
				a.Risk = &risk
			}
		default: // an implementation may tell more
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

func parseObject(raw []byte) (*source.Node, error) {
	root, err := source.ReadJSON(raw)
	switch {
	case err != nil:
		return nil, fmt.Errorf("not a line of JSON: %w", err)
	case root.Kind != source.Object:
		return nil, fmt.Errorf("a line must be an object, not %s", root.Kind)
	}
	return root, nil
}

func text(m source.Member) (string, error) {
	if m.Value.Kind != source.String {
		return "", fmt.Errorf("%s must be a string, not %s", m.Key, m.Value.Kind)
	}
	return m.Value.Text, nil
}

func bands(n *source.Node) (map[string]string, error) {
	switch n.Kind {
	case source.Null:
		return nil, nil
	case source.Object:
	default:
		return nil, fmt.Errorf("bands must be an object, not %s", n.Kind)
	}
	all := make(map[string]string, len(n.Members))
	for _, m := range n.Members {
		var err error
		if all[m.Key], err = text(m); err != nil {
			return nil, fmt.Errorf("bands: %w", err)
		}
	}
	return all, nil
}

func codes(n *source.Node) ([]string, error) {
	if n.Kind != source.List {
		return nil, fmt.Errorf("codes must be a list, not %s", n.Kind)
	}
	all := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if item.Kind != source.String {
			return nil, fmt.Errorf("codes must be a list of strings; one entry is %s", item.Kind)
		}
		all = append(all, item.Text)
	}
	return all, nil
}

// AppendJSON appends the answer as a line, without its line break.
func (a *Answer) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"id":`...)
	dst = verdict.AppendString(dst, a.ID)
	dst = append(dst, `,"verdict":`...)
	dst = verdict.AppendString(dst, a.Verdict)
	dst = append(dst, `,"bands":{`...)
	for i, name := range slices.Sorted(maps.Keys(a.Bands)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(verdict.AppendString(dst, name), ':')
		dst = verdict.AppendString(dst, a.Bands[name])
	}
	dst = append(dst, `},"codes":`...)
	dst = verdict.AppendStrings(dst, a.Codes)
	if a.Risk != nil {
		dst = append(dst, `,"risk":`...)
		dst = verdict.AppendString(dst, *a.Risk)
	}
	return append(dst, '}')
}

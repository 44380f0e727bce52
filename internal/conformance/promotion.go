package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/vectors"
)

// promotionAnswer is the line out for inputs of a promotion.
type promotionAnswer struct {
	ID        string   `json:"id"`
	Terminal  string   `json:"terminal"`
	Guard     *string  `json:"guard"`
	Others    []string `json:"others"`
	Kinds     []string `json:"kinds"`
	Tripwire  *string  `json:"tripwire,omitempty"`
	Malformed bool     `json:"malformed,omitempty"`
}

// PromotionItems makes items of the vectors of the promotion gate's decision.
func PromotionItems(all []vectors.PromotionVector) ([]Item, error) {
	var items []Item
	for i := range all {
		v := &all[i]
		question := map[string]any{"inputsText": string(v.Inputs)}
		if v.InputsText != nil {
			question["inputsText"] = *v.InputsText
		}
		if v.Options != nil {
			question["options"] = v.Options
		}
		item, err := newItem(v.ID(), v.File, "promotion", question, func(a *promotionAnswer) []string { return checkPromotion(v, a) })
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// newItem makes an item whose line is {"id": …, NAME: question}.
func newItem[A any](id, file, name string, question any, check func(*A) []string) (Item, error) {
	line, err := json.Marshal(map[string]any{"id": id, name: question})
	if err != nil {
		return Item{}, fmt.Errorf("vector %s: %w", id, err)
	}
	return Item{ID: id, File: file, Line: append(line, '\n'), Check: func(said []byte) ([]string, error) {
		a, err := parseSaid[A](said)
		if err != nil {
			return nil, err
		}
		return check(a), nil
	}}, nil
}

func checkPromotion(v *vectors.PromotionVector, a *promotionAnswer) []string {
	var d differences
	if d.compare("the answer's id", a.ID, v.ID()); len(d) > 0 {
		return d
	}
	d.compare("terminal", a.Terminal, v.Expect.Terminal)
	d.compare("guard", deref(a.Guard), deref(v.Expect.Guard))
	d.compare("others", strings.Join(a.Others, ", "), strings.Join(v.Expect.Others, ", "))
	if v.Expect.Kinds != nil {
		d.compare("kinds", fmt.Sprintf("%q", a.Kinds), fmt.Sprintf("%q", v.Expect.Kinds))
	}
	given(&d, "tripwire", a.Tripwire, v.Expect.Tripwire)
	d.compare("malformed", a.Malformed, v.Expect.Malformed)
	return d
}

// answerPromotion answers {"id", "promotion": {"inputsText", "options"?}}.
func answerPromotion(root *source.Node) ([]byte, error) {
	id, n, err := theOne(root, "promotion")
	if err != nil {
		return nil, err
	}
	var inputs string
	var opt promotion.Options
	for _, m := range n.Members {
		switch m.Key {
		case "inputsText":
			inputs, err = text(m)
		case "options":
			opt, err = promotionOptions(m.Value)
		default:
			err = fmt.Errorf("unknown member %.64q", m.Key)
		}
		if err != nil {
			return nil, fmt.Errorf("promotion: %w", err)
		}
	}
	if n.Get("inputsText") == nil {
		return nil, errors.New("promotion: inputsText is missing")
	}
	in, err := promotion.ParseInputs([]byte(inputs))
	d := promotion.Decide(in, opt)
	a := promotionAnswer{ID: id, Terminal: string(d.Terminal), Others: []string{}, Kinds: append([]string{}, d.Kinds...), Malformed: err != nil}
	for i, s := range d.Stops {
		if i == 0 {
			a.Guard = new(string(s.Guard))
		} else {
			a.Others = append(a.Others, string(s.Guard))
		}
	}
	var told struct{ Tripwire string }
	if err := json.Unmarshal(d.AppendJSON(nil), &told); err != nil {
		return nil, fmt.Errorf("the decision isn't JSON: %w", err)
	}
	a.Tripwire = &told.Tripwire
	return appendSaid(a)
}

// theOne reads {"id", NAME: {…}}.
func theOne(root *source.Node, name string) (id string, n *source.Node, err error) {
	for _, m := range root.Members {
		switch m.Key {
		case "id":
			id, err = text(m)
		case name:
			if n = m.Value; n.Kind != source.Object {
				err = fmt.Errorf("%s must be an object, not %s", name, n.Kind)
			}
		default:
			err = fmt.Errorf("a line about %s has nothing else but an id: %.64q is unknown", name, m.Key)
		}
		if err != nil {
			return "", nil, err
		}
	}
	return id, n, nil
}

func promotionOptions(n *source.Node) (o promotion.Options, err error) {
	if n.Kind != source.Object {
		return o, fmt.Errorf("options must be an object, not %s", n.Kind)
	}
	for _, m := range n.Members {
		switch {
		case m.Key == "advisory" && m.Value.Kind == source.Bool:
			o.Advisory = m.Value.Bool
		case m.Key == "kinds":
			o.Kinds, err = stringList(m)
		default:
			err = fmt.Errorf("options are advisory and kinds: %.64q is neither, or of the wrong type", m.Key)
		}
		if err != nil {
			return promotion.Options{}, err
		}
	}
	return o, nil
}

// stringList reads a list of strings. An empty list is not nil.
func stringList(m source.Member) ([]string, error) {
	if m.Value.Kind != source.List || slices.ContainsFunc(m.Value.Items, func(n *source.Node) bool { return n.Kind != source.String }) {
		return nil, fmt.Errorf("%s must be a list of strings", m.Key)
	}
	list := make([]string, 0, len(m.Value.Items))
	for _, item := range m.Value.Items {
		list = append(list, item.Text)
	}
	return list, nil
}

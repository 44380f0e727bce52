package review

import (
	"fmt"
	"time"

	"github.com/pawlgate/pawl/internal/source"
)

// ParseAct reads an act from JSON, strictly:
//
//	{"act": "approve", "token": 7, "note": "looks right"}
//
// with the members act, key, token, version, digest, reason, note, action,
// queue, person, until (RFC 3339) and item. Who acts isn't among them: that is
// for the caller to know; and for an overturn the caller makes Item and Salt
// itself. The error is an [*InvalidError].
func ParseAct(raw []byte) (Act, error) {
	n, err := source.ReadJSON(raw)
	if err != nil {
		return Act{}, unreadable("act", err)
	}
	if n.Kind != source.Object {
		return Act{}, invalid("act", "an object is needed, not a %s", n.Kind)
	}
	var a Act
	for i := range n.Members {
		if err := a.set(n.Members[i].Key, n.Members[i].Value); err != nil {
			return Act{}, err
		}
	}
	if _, ok := acts[a.Kind]; !ok {
		return Act{}, invalid("act", "there is no act %.40q", string(a.Kind))
	}
	return a, nil
}

func (a *Act) set(name string, v *source.Node) error {
	texts := map[string]*string{
		"act": (*string)(&a.Kind), "key": &a.Key, "reason": &a.Reason, "note": &a.Note,
		"queue": &a.Queue, "person": &a.Person, "item": &a.Item,
	}
	numbers := map[string]*int64{"token": &a.Token, "version": &a.Version}
	switch {
	case texts[name] != nil:
		if v.Kind != source.String {
			return invalid(name, "a string is needed, not a %s", v.Kind)
		}
		*texts[name] = v.Text
	case numbers[name] != nil:
		num := source.ParseNumber([]byte(v.Text))
		if v.Kind != source.Number || !num.IsInt || num.Inexact || num.Int < 1 || num.Int > maxExact {
			return invalid(name, "a positive integer is needed")
		}
		*numbers[name] = num.Int
	case name == "action":
		a.Action = v.AppendJSON(nil)
	case name == "digest":
		d, err := ParseDigest(v.Text)
		if v.Kind != source.String || err != nil || d == (Digest{}) {
			return invalid(name, `"sha256:" and 64 hexadecimal digits are needed`)
		}
		a.Digest = d
	case name == "until":
		t, err := time.Parse(time.RFC3339Nano, v.Text)
		if v.Kind != source.String || err != nil || t.IsZero() {
			return invalid(name, "a time is needed, as 2026-01-31T12:00:00Z")
		}
		a.Until = t
	default:
		return &InvalidError{Field: "act", Message: fmt.Sprintf("there is no member %.40q", name), Allowed: []string{"act", "key", "token", "version", "digest", "reason", "note", "action", "queue", "person", "until", "item"}}
	}
	return nil
}

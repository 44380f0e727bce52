package policy

import (
	"fmt"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// input reads the whole text.
func (d *Decider) input() error {
	if err := d.open("the input"); err != nil {
		return err
	}
	var bare, envelope, signals bool
	for {
		more, err := d.scan.More()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		name, err := d.scan.Name()
		if err != nil {
			return err
		}
		switch string(name) {
		case "id":
			envelope = true
			err = d.readID()
		case "subject":
			envelope = true
			_, err = d.text("subject")
		case "action":
			envelope = true
			err = d.scan.Skip()
		case "signals":
			envelope, signals = true, true
			err = d.nested()
		default:
			bare = true
			var ok bool
			if ok, err = d.member(name); !ok {
				return d.unknown(name)
			}
		}
		if err != nil {
			return err
		}
	}
	switch {
	case bare && envelope:
		return d.scan.Fail("mixed", "score, scores, flags and meta belong into signals when there is an id, subject, action or signals")
	case envelope && !signals:
		return d.scan.Fail("missing", "an input with an id, subject or action needs signals")
	}
	return d.scan.End()
}

// open reads the "{" of an object.
func (d *Decider) open(what string) error {
	k, err := d.scan.Enter()
	if err == nil && k != source.Object {
		err = d.scan.Fail("type", "%s must be an object, not %s", what, k)
	}
	return err
}

func (d *Decider) nested() error {
	if err := d.open("signals"); err != nil {
		return err
	}
	return d.members(d.signalsMember)
}

func (d *Decider) signalsMember(name []byte) error {
	ok, err := d.member(name)
	if !ok {
		return d.unknown(name)
	}
	return err
}

// members reads the open object to its end.
func (d *Decider) members(member func(name []byte) error) error {
	for {
		more, err := d.scan.More()
		if err != nil || !more {
			return err
		}
		name, err := d.scan.Name()
		if err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
}

func (d *Decider) unknown(name []byte) error {
	hint := ""
	if k := nearest(string(name), []string{"score", "scores", "flags", "meta", "signals"}); k != "" {
		hint = fmt.Sprintf(": did you mean %s?", k)
	}
	return d.scan.Fail("unknown-member", "unknown member %.64q%s", name, hint)
}

func (d *Decider) readID() error {
	id, err := d.text("id")
	if err != nil {
		return err
	}
	d.idRoom = append(d.idRoom[:0], id...)
	if d.id = d.idRoom; d.id == nil {
		d.id = []byte{} // an empty id is one, too
	}
	return nil
}

// text reads a member that must be a string.
func (d *Decider) text(what string) ([]byte, error) {
	v, k, err := d.scan.Next()
	switch {
	case err != nil:
		return nil, err
	case k != source.String:
		return nil, d.scan.Fail("type", "%s must be a string, not %s", what, k)
	}
	return d.scan.Unquote(v)
}

// member reads one of the four members of signals; ok is false if it isn't one.
func (d *Decider) member(name []byte) (ok bool, err error) {
	switch string(name) {
	case "score":
		return true, d.readScore(nil)
	case "scores":
		return true, d.object("scores", d.readNamedScore)
	case "flags":
		return true, d.readFlags()
	case "meta":
		return true, d.object("meta", d.readMeta)
	}
	return false, nil
}

// object reads an object member by member; null is an empty one.
func (d *Decider) object(what string, member func(name []byte) error) error {
	k, err := d.scan.Enter()
	switch {
	case err != nil || k == source.Null:
		return err
	case k != source.Object:
		return d.scan.Fail("type", "%s must be an object, not %s", what, k)
	}
	return d.members(member)
}

func (d *Decider) readNamedScore(name []byte) error { return d.readScore(name) }

// readScore reads the value of score, or of an entry of scores. What isn't a
// number is a fault of that score; the rest of the input can still be read.
func (d *Decider) readScore(name []byte) error {
	lit, k, err := d.scan.Next()
	if err != nil || k == source.Null {
		return err
	}
	if k != source.Number {
		subject := subjectOf(name)
		d.fault(verdict.ScoreNotNumber, subject, "score "+subject+" is "+k.String()+", not a number")
		return nil
	}
	n := source.ParseNumber(lit)
	if n.Inexact || n.IsInt && !threshold.Exact(n.Int) {
		subject := subjectOf(name)
		d.fault(verdict.NumberInexact, subject, "score "+subject+" can't be held exactly")
		return nil
	}
	switch {
	case d.slots != nil && name == nil:
		d.slots.SetScore(n.Float)
	case d.slots != nil:
		d.slots.SetNamedScore(name, n.Float)
	case name == nil:
		d.score = n.Float
		d.signals.Score = &d.score
	default:
		d.signals.Scores[d.remember(name)] = n.Float
	}
	return nil
}

// maxSubject bounds how much of a name that the policy doesn't know stands in a
// reason.
const maxSubject = 200

func subjectOf(name []byte) string {
	switch {
	case name == nil:
		return "score"
	case len(name) > maxSubject:
		return strings.ToValidUTF8(string(name[:maxSubject]), "") + "…"
	default:
		return string(name)
	}
}

func (d *Decider) readFlags() error {
	k, err := d.scan.Enter()
	switch {
	case err != nil || k == source.Null:
		return err
	case k != source.List:
		return d.scan.Fail("type", "flags must be a list of strings, not %s", k)
	}
	for {
		more, err := d.scan.More()
		if err != nil || !more {
			return err
		}
		v, k, err := d.scan.Next()
		if err != nil {
			return err
		}
		if k != source.String {
			return d.scan.Fail("type", "flags must be a list of strings; one entry is %s", k)
		}
		flag, err := d.scan.Unquote(v)
		if err != nil {
			return err
		}
		d.setFlag(flag)
	}
}

func (d *Decider) setFlag(flag []byte) {
	if d.slots != nil {
		d.slots.SetFlag(flag)
	} else {
		d.signals.Flags = append(d.signals.Flags, d.remember(flag))
	}
}

// readMeta reads an entry of meta if the gate looks at it, and skips it
// otherwise.
func (d *Decider) readMeta(key []byte) error {
	if d.slots == nil {
		if !d.whole && !d.t.reads.keys[string(key)] {
			return d.scan.Skip()
		}
		return d.readMetaValue(d.remember(key))
	}
	slot, ok := d.slots.MetaSlot(key)
	if !ok {
		return d.scan.Skip()
	}
	lit, k, err := d.scan.Next()
	switch {
	case err != nil:
		return err
	case k == source.Number:
		d.slots.SetMeta(slot, numberField(lit))
	default:
		d.slots.SetMeta(slot, threshold.Field{Kind: fieldKinds[k]})
	}
	return nil
}

var fieldKinds = [...]threshold.Kind{
	source.Null: threshold.KindNull, source.Bool: threshold.KindBool, source.String: threshold.KindString,
	source.List: threshold.KindList, source.Object: threshold.KindObject,
}

func numberField(lit []byte) threshold.Field {
	n := source.ParseNumber(lit)
	switch {
	case n.Inexact:
		return threshold.Field{Kind: threshold.KindInexact}
	case n.IsInt:
		return threshold.Field{Kind: threshold.KindInt, Int: n.Int}
	default:
		return threshold.Field{Kind: threshold.KindFloat, Float: n.Float}
	}
}

func (d *Decider) readMetaValue(key string) error {
	v, inexact, err := d.scan.Value()
	switch {
	case err != nil:
		return err
	case inexact && d.t.reads.inexact(key, v):
		d.signals.Meta[key] = threshold.Inexact{}
		d.metaFault(verdict.NumberInexact, key, "meta."+key+" is "+threshold.KindInexact.String())
	case inexact && !isCollection(v):
		// Nothing reads it.
	default:
		d.setMeta(key, v)
	}
	return nil
}

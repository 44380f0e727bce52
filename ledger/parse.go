package ledger

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
)

// Parse reads a leaf, strictly: it accepts exactly the bytes that
// [Entry.Encode] writes. Another order, a blank, an escape that isn't needed, a
// member twice, unknown or empty, or another version is an error, since there
// must be one way only to read what was hashed.
func Parse(leaf []byte) (Entry, error) {
	if len(leaf) > MaxLeaf {
		return Entry{}, fmt.Errorf("ledger entry: %d bytes, the most is %d", len(leaf), MaxLeaf)
	}
	root, err := source.ReadJSON(leaf)
	if err != nil {
		return Entry{}, fmt.Errorf("ledger entry: %w", err)
	}
	var e Entry
	var r reader
	r.object("", root, func(name string, n *source.Node) {
		switch name {
		case "act":
			e.Act = r.text(name, n)
		case "at":
			e.At = r.integer(name, n)
		case "commitments":
			e.Commitments = readObject(&r, name, n, r.commitment)
		case "digests":
			e.Digests = readObject(&r, name, n, r.text)
		case "gate":
			e.Gate = r.text(name, n)
		case "ids":
			e.IDs = readObject(&r, name, n, r.text)
		case "kind":
			e.Kind = Kind(r.text(name, n))
		case "known":
			e.Known = Known(r.text(name, n))
		case "numbers":
			e.Numbers = readObject(&r, name, n, r.integer)
		case "person":
			e.Person = r.text(name, n)
		case "statement":
			e.Statement = r.text(name, n)
		case "v":
			if v := r.integer(name, n); v != entryVersion {
				r.fail(name, "version %d, but this program reads version %d", v, entryVersion)
			}
		case "verdict":
			e.Verdict = verdict.Verdict(r.text(name, n))
		case "versions":
			e.Versions = readObject(&r, name, n, r.text)
		default:
			r.fail(name, "there is no such member")
		}
	})
	if err := r.err(); err != nil {
		return Entry{}, err
	}
	again, err := e.Encode()
	if err != nil {
		return Entry{}, err
	}
	if !bytes.Equal(again, leaf) {
		return Entry{}, errors.New("ledger entry: not in canonical form: written anew it differs")
	}
	return e, nil
}

// reader turns nodes into values and collects what is wrong.
type reader struct{ checker }

func (r *reader) object(field string, n *source.Node, member func(name string, n *source.Node)) {
	if n.Kind != source.Object {
		if field == "" {
			field = "the leaf"
		}
		r.fail(field, "must be an object, not %s", n.Kind)
		return
	}
	for _, m := range n.Members {
		member(m.Key, m.Value)
	}
}

func (r *reader) text(field string, n *source.Node) string {
	if n.Kind != source.String {
		r.fail(field, "must be a string, not %s", n.Kind)
		return ""
	}
	return n.Text
}

func (r *reader) integer(field string, n *source.Node) int64 {
	if n.Kind == source.Number {
		if num := source.ParseNumber([]byte(n.Text)); num.IsInt && !num.Inexact {
			return num.Int
		}
	}
	r.fail(field, "must be an integer")
	return 0
}

func (r *reader) commitment(field string, n *source.Node) Commitment {
	c, err := ParseCommitment(r.text(field, n))
	if err != nil {
		r.fail(field, "must be 64 small hexadecimal digits")
	}
	return c
}

func readObject[V any](r *reader, field string, n *source.Node, value func(field string, n *source.Node) V) map[string]V {
	m := map[string]V{}
	r.object(field, n, func(name string, n *source.Node) { m[name] = value(field+"."+name, n) })
	return m
}

// ParseCommitment reads what [Commitment.String] writes.
func ParseCommitment(s string) (Commitment, error) {
	var c Commitment
	if len(s) != hex.EncodedLen(len(c)) || !validHex(s) {
		return Commitment{}, errors.New("a commitment is 64 small hexadecimal digits")
	}
	if _, err := hex.Decode(c[:], []byte(s)); err != nil {
		return Commitment{}, err
	}
	return c, nil
}

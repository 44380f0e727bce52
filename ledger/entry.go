package ledger

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/pawlgate/pawl/verdict"
)

const (
	// MaxLeaf is the longest leaf in bytes. What is longer belongs into a body
	// that the leaf commits to.
	MaxLeaf = 2048

	// System is the person of an act that no person did.
	System = "pawl"

	entryVersion  = 1
	maxText       = 256  // bytes of an id, a name, a version
	maxStatement  = 1536 // bytes of a statement
	maxName       = 32   // bytes of a member's name
	maxMembers    = 16   // of one object
	maxExact      = 1<<53 - 1
	digestPrefix  = "sha256:"
	digestHexSize = 64
)

// Entry is one leaf of the log: who did what to which thing when, and
// commitments to what was in front of them. It holds nothing that may have to
// be erased. Its place in the log isn't part of it, since a leaf is written in
// the transaction that it describes, before its place is known.
type Entry struct {
	Kind Kind
	// At is the time in microseconds since 1970-01-01T00:00:00Z; above 0.
	At int64
	// Gate is the name of the gate that it is about.
	Gate string
	// IDs name what it is about: "item", "permit", "event" and so on.
	IDs map[string]string
	// Verdict is what a gate answered; empty if none did.
	Verdict verdict.Verdict
	// Act is what was done: "approve", "supervised", "activate". Its words are
	// those of the kind.
	Act string
	// Person is the id of the one who did it, or System; Known says how a
	// person was known, and is there if and only if a person is.
	Person string
	Known  Known
	// Versions are versions as texts: "engine", "policy".
	Versions map[string]string
	// Digests are SHA-256 digests of what isn't secret, as "sha256:" and 64
	// hexadecimal digits: "policy", "action", "config".
	Digests map[string]string
	// Numbers are integers of at most 2^53-1 either way, which is what
	// canonical JSON can hold: "version", "seq", "expires".
	Numbers map[string]int64
	// Commitments bind bodies that are kept elsewhere, or erased: "signals",
	// "case", "action", "decision", "note".
	Commitments map[string]Commitment
	// Statement is a text that has to stay for good, such as a [Rotation]. It
	// can't be erased, so nothing about a person belongs into it.
	Statement string
}

// FieldError says why an entry can't be held. Field is the name in the JSON
// form: "person", "ids.item".
type FieldError struct {
	Field   string
	Message string
}

// Error returns "ledger entry: field: message".
func (e *FieldError) Error() string { return "ledger entry: " + e.Field + ": " + e.Message }

// Encode returns the leaf: RFC 8785 canonical JSON, on one line, at most
// [MaxLeaf] bytes. These are the bytes to hash and to keep. Empty texts and
// maps are left out. An entry that can't be held exactly is refused, with a
// *[FieldError] for everything that is wrong, joined.
func (e *Entry) Encode() ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	b := make([]byte, 0, 512)
	// The names are in the order of RFC 8785, section 3.2.3.
	b = appendText(b, "act", e.Act)
	b = appendName(b, "at")
	b = strconv.AppendInt(b, e.At, 10)
	b = appendObject(b, "commitments", e.Commitments, appendCommitment)
	b = appendObject(b, "digests", e.Digests, verdict.AppendString)
	b = appendText(b, "gate", e.Gate)
	b = appendObject(b, "ids", e.IDs, verdict.AppendString)
	b = appendText(b, "kind", string(e.Kind))
	b = appendText(b, "known", string(e.Known))
	b = appendObject(b, "numbers", e.Numbers, appendNumber)
	b = appendText(b, "person", e.Person)
	b = appendText(b, "statement", e.Statement)
	b = appendName(b, "v")
	b = strconv.AppendInt(b, entryVersion, 10)
	b = appendText(b, "verdict", string(e.Verdict))
	b = appendObject(b, "versions", e.Versions, verdict.AppendString)
	b = append(b, '}')
	if len(b) > MaxLeaf {
		field, size := e.longest()
		return nil, &FieldError{field, fmt.Sprintf("the leaf has %d bytes, the most is %d; %d of them are here: keep a body elsewhere and commit to it", len(b), MaxLeaf, size)}
	}
	return b, nil
}

func appendName(b []byte, name string) []byte {
	sep := byte(',')
	if len(b) == 0 {
		sep = '{'
	}
	return append(verdict.AppendString(append(b, sep), name), ':')
}

func appendText(b []byte, name, s string) []byte {
	if s == "" {
		return b
	}
	return verdict.AppendString(appendName(b, name), s)
}

func appendObject[V any](b []byte, name string, m map[string]V, value func([]byte, V) []byte) []byte {
	if len(m) == 0 {
		return b
	}
	b = appendName(b, name)
	var room [maxMembers]string
	keys := room[:0]
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys) // ASCII, so bytes sort as UTF-16 does
	sep := byte('{')
	for _, k := range keys {
		b = append(verdict.AppendString(append(b, sep), k), ':')
		b = value(b, m[k])
		sep = ','
	}
	return append(b, '}')
}

// longest names the member that takes most of the leaf.
func (e *Entry) longest() (field string, size int) {
	for _, m := range []struct {
		field string
		b     []byte
	}{
		{"act", appendText(nil, "act", e.Act)},
		{"commitments", appendObject(nil, "commitments", e.Commitments, appendCommitment)},
		{"digests", appendObject(nil, "digests", e.Digests, verdict.AppendString)},
		{"gate", appendText(nil, "gate", e.Gate)},
		{"ids", appendObject(nil, "ids", e.IDs, verdict.AppendString)},
		{"numbers", appendObject(nil, "numbers", e.Numbers, appendNumber)},
		{"person", appendText(nil, "person", e.Person)},
		{"statement", appendText(nil, "statement", e.Statement)},
		{"versions", appendObject(nil, "versions", e.Versions, verdict.AppendString)},
	} {
		if len(m.b) > size {
			field, size = m.field, len(m.b)
		}
	}
	return field, size
}

func appendNumber(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

func appendCommitment(b []byte, c Commitment) []byte {
	return append(hex.AppendEncode(append(b, '"'), c[:]), '"')
}

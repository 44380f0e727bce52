package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

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
	b = appendObject(b, "commitments", e.Commitments, func(b []byte, c Commitment) []byte { return verdict.AppendString(b, c.String()) })
	b = appendObject(b, "digests", e.Digests, verdict.AppendString)
	b = appendText(b, "gate", e.Gate)
	b = appendObject(b, "ids", e.IDs, verdict.AppendString)
	b = appendText(b, "kind", string(e.Kind))
	b = appendText(b, "known", string(e.Known))
	b = appendObject(b, "numbers", e.Numbers, func(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) })
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
	sep := byte('{')
	for _, k := range slices.Sorted(maps.Keys(m)) { // ASCII, so bytes sort as UTF-16 does
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
		{"commitments", appendObject(nil, "commitments", e.Commitments, func(b []byte, c Commitment) []byte { return verdict.AppendString(b, c.String()) })},
		{"digests", appendObject(nil, "digests", e.Digests, verdict.AppendString)},
		{"gate", appendText(nil, "gate", e.Gate)},
		{"ids", appendObject(nil, "ids", e.IDs, verdict.AppendString)},
		{"numbers", appendObject(nil, "numbers", e.Numbers, func(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) })},
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

// checker collects what is wrong.
type checker struct{ errs []error }

func (c *checker) fail(field, format string, args ...any) {
	c.errs = append(c.errs, &FieldError{field, fmt.Sprintf(format, args...)})
}

func (c *checker) text(field, s string, limit int) {
	switch {
	case len(s) > limit:
		c.fail(field, "%d bytes, the most is %d", len(s), limit)
	case !utf8.ValidString(s):
		c.fail(field, "isn't UTF-8, so JSON can't hold it")
	}
}

func checkObject[V any](c *checker, field string, m map[string]V, value func(field string, v V)) {
	if len(m) > maxMembers {
		c.fail(field, "%d members, the most is %d", len(m), maxMembers)
		return
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !validName(k) {
			c.fail(field, "%.64q is no name: at most %d letters, digits and _ of ASCII, the first one a small letter", k, maxName)
			continue
		}
		value(field+"."+k, m[k])
	}
}

func validName(s string) bool {
	if s == "" || len(s) > maxName || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

func (e *Entry) check() error {
	var c checker
	if !e.Kind.Valid() {
		c.fail("kind", "%.64q is no kind of entry", string(e.Kind))
	}
	if e.At <= 0 || e.At > maxExact {
		c.fail("at", "%d isn't a time in microseconds since 1970 that JSON can hold exactly", e.At)
	}
	if e.Verdict != "" && !e.Verdict.Valid() {
		c.fail("verdict", "%.64q is no verdict", string(e.Verdict))
	}
	c.text("gate", e.Gate, maxText)
	c.text("person", e.Person, maxText)
	c.text("statement", e.Statement, maxStatement)
	if e.Act != "" && !validName(e.Act) {
		c.fail("act", "%.64q is no act: at most %d letters, digits and _ of ASCII, the first one a small letter", e.Act, maxName)
	}
	switch person := e.Person != "" && e.Person != System; {
	case e.Known != "" && !e.Known.Valid():
		c.fail("known", "%.64q is no way to know a person: oidc, password, key or asserted", string(e.Known))
	case person && e.Known == "":
		c.fail("known", "missing: say how the person was known")
	case !person && e.Known != "":
		c.fail("known", "there is no person to know")
	}
	text := func(field, s string) {
		if c.text(field, s, maxText); s == "" {
			c.fail(field, "empty: leave it out")
		}
	}
	checkObject(&c, "ids", e.IDs, text)
	checkObject(&c, "versions", e.Versions, text)
	checkObject(&c, "digests", e.Digests, func(field, s string) {
		if !validDigest(s) {
			c.fail(field, "%.80q is no digest: sha256: and 64 small hexadecimal digits", s)
		}
	})
	checkObject(&c, "numbers", e.Numbers, func(field string, n int64) {
		if n > maxExact || n < -maxExact {
			c.fail(field, "%d is beyond 2^53-1, so canonical JSON can't hold it: make it an id", n)
		}
	})
	checkObject(&c, "commitments", e.Commitments, func(field string, v Commitment) {
		if v == (Commitment{}) {
			c.fail(field, "is zero: Commit makes one")
		}
	})
	for _, field := range needs[e.Kind] {
		if !e.has(field) {
			c.fail(field, "missing: an entry of kind %s needs it", e.Kind)
		}
	}
	return errors.Join(c.errs...)
}

func (e *Entry) has(field string) bool {
	switch field {
	case "act":
		return e.Act != ""
	case "gate":
		return e.Gate != ""
	case "person":
		return e.Person != ""
	case "statement":
		return e.Statement != ""
	case "verdict":
		return e.Verdict != ""
	case "ids.item":
		return e.IDs["item"] != ""
	case "ids.permit":
		return e.IDs["permit"] != ""
	case "digests.policy":
		return e.Digests["policy"] != ""
	case "digests.config":
		return e.Digests["config"] != ""
	case "versions.engine":
		return e.Versions["engine"] != ""
	}
	return false
}

func validDigest(s string) bool {
	return len(s) == len(digestPrefix)+digestHexSize && s[:len(digestPrefix)] == digestPrefix && validHex(s[len(digestPrefix):])
}

func validHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

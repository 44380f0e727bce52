package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

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
	checkObject(&c, "ids", e.IDs, wrongMember)
	checkObject(&c, "versions", e.Versions, wrongMember)
	checkObject(&c, "digests", e.Digests, wrongDigest)
	checkObject(&c, "numbers", e.Numbers, wrongNumber)
	checkObject(&c, "commitments", e.Commitments, wrongCommitment)
	for _, field := range needs[e.Kind] {
		if !e.has(field) {
			c.fail(field, "missing: an entry of kind %s needs it", e.Kind)
		}
	}
	return c.err()
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

// checker collects what is wrong.
type checker struct{ errs []*FieldError }

func (c *checker) fail(field, format string, args ...any) {
	c.errs = append(c.errs, &FieldError{field, fmt.Sprintf(format, args...)})
}

// err returns everything by field, since maps come in any order.
func (c *checker) err() error {
	if len(c.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(c.errs, func(a, b *FieldError) int { return strings.Compare(a.Field, b.Field) })
	all := make([]error, len(c.errs))
	for i, e := range c.errs {
		all[i] = e
	}
	return errors.Join(all...)
}

func (c *checker) text(field, s string, limit int) {
	if wrong := wrongText(s, limit); wrong != "" {
		c.fail(field, "%s", wrong)
	}
}

// checkObject says what is wrong with a map; wrong does with a value of it.
func checkObject[V any](c *checker, field string, m map[string]V, wrong func(V) string) {
	if len(m) > maxMembers {
		c.fail(field, "%d members, the most is %d", len(m), maxMembers)
		return
	}
	for k, v := range m {
		if !validName(k) {
			c.fail(field, "%.64q is no name: at most %d letters, digits and _ of ASCII, the first one a small letter", k, maxName)
		} else if w := wrong(v); w != "" {
			c.fail(field+"."+k, "%s", w)
		}
	}
}

func wrongText(s string, limit int) string {
	switch {
	case len(s) > limit:
		return fmt.Sprintf("%d bytes, the most is %d", len(s), limit)
	case !utf8.ValidString(s):
		return "isn't UTF-8, so JSON can't hold it"
	}
	return ""
}

func wrongMember(s string) string {
	if s == "" {
		return "empty: leave it out"
	}
	return wrongText(s, maxText)
}

func wrongDigest(s string) string {
	if len(s) != len(digestPrefix)+digestHexSize || s[:len(digestPrefix)] != digestPrefix || !validHex(s[len(digestPrefix):]) {
		return fmt.Sprintf("%.80q is no digest: sha256: and 64 small hexadecimal digits", s)
	}
	return ""
}

func wrongNumber(n int64) string {
	if n > maxExact || n < -maxExact {
		return fmt.Sprintf("%d is beyond 2^53-1, so canonical JSON can't hold it: make it an id", n)
	}
	return ""
}

func wrongCommitment(c Commitment) string {
	if c == (Commitment{}) {
		return "is zero: Commit makes one"
	}
	return ""
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

func validHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

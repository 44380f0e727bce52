package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pawl is the actor of what happens without a person. No person has this id.
const Pawl = "pawl"

// Known says how it is known who acts.
type Known string

// The ways to know a person.
const (
	KnownOIDC     Known = "oidc"
	KnownPassword Known = "password"
	KnownKey      Known = "key"      // a key, which belongs to a person
	KnownAsserted Known = "asserted" // a name that was given, and that nobody checked
)

// Person is who did something, and how that is known. Of Pawl itself there is
// the ID only.
type Person struct {
	ID    string
	Known Known
}

// byPawl is the actor of automatic acts.
var byPawl = Person{ID: Pawl}

// Actor is a person with what the caller knows about their account. The zero
// value may do nothing.
type Actor struct {
	Person
	// Queues are the queues that the person may see; "*" is all of them.
	Queues []string
	// Supervisor says that the person may assign items and supersede others'.
	Supervisor bool
	// MayLoosen says that the person may take part in loosening a gate.
	MayLoosen bool
	// MadeBy are the people who made the account or gave it the role that it
	// acts in.
	MadeBy []string
}

// Sees reports whether the actor may see a queue.
func (a *Actor) Sees(queue string) bool {
	return slices.Contains(a.Queues, queue) || slices.Contains(a.Queues, "*")
}

const maxName = 256 // bytes of an id, a name, a code or a key

// Check tells what keeps p from being a person who can act; the error is a
// *DeniedError. Apply checks it, too.
func (p Person) Check(kind Kind) error {
	deny := func(format string, args ...any) error {
		return &DeniedError{Person: p.ID, Act: kind, Code: DeniedNoPerson, Message: fmt.Sprintf(format, args...)}
	}
	switch {
	case p.ID == "":
		return deny("%s needs a person: who acts is missing", kind)
	case strings.EqualFold(strings.TrimSpace(p.ID), Pawl):
		return deny("%s needs a person: %q is the name of automatic decisions", kind, p.ID)
	case badName(p.ID):
		return deny("%s needs a person: an id has at most %d bytes of UTF-8, no control characters and no blanks around it, which %.40q has not", kind, maxName, p.ID)
	}
	switch p.Known {
	case KnownOIDC, KnownPassword, KnownKey, KnownAsserted:
		return nil
	}
	return deny("%s needs a person of whom is said how they are known: oidc, password, key or asserted, not %.40q", kind, string(p.Known))
}

// badName reports whether s can't be an id, a name or a code.
func badName(s string) bool {
	return len(s) > maxName || !utf8.ValidString(s) || strings.TrimSpace(s) != s || strings.ContainsFunc(s, unicode.IsControl)
}

// same reports whether two ids may be one person. What differs in case only
// counts as one: that can only keep somebody from approving.
func same(a, b string) bool { return strings.EqualFold(a, b) }

func among(people []string, id string) bool {
	return slices.ContainsFunc(people, func(p string) bool { return same(p, id) })
}

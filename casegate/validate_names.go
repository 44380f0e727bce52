package casegate

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pawlgate/pawl/internal/source"
)

// invisible reports whether a text shows nothing: no letter, digit,
// punctuation or symbol that has a shape. White space, controls, joiners,
// fillers and marks on nothing have none.
func invisible(text string) bool {
	return !strings.ContainsFunc(text, hasShape)
}

// hidden reports whether a name has a character that nobody sees.
func hidden(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return r != ' ' && !unicode.IsMark(r) && !hasShape(r) || ignorable(r) })
}

func hasShape(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !ignorable(r)
}

// ignorable reports characters that are letters or symbols by their category,
// but show nothing: fillers of Hangul, the blank pattern of Braille, and marks
// that only choose a variant.
func ignorable(r rune) bool {
	return r == '\u2800' || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// anyLetter stands in a skeleton for a character outside ASCII.
const anyLetter = '?'

// skeleton reduces a text to what a hasty reader sees: small letters and
// digits, without what separates them; characters that look alike are one. A
// letter, digit or symbol outside ASCII could look like any: there are too
// many lookalikes to list.
func skeleton(text string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r > unicode.MaxASCII:
			if !hasShape(r) || unicode.IsPunct(r) {
				return -1
			}
			return anyLetter
		}
		switch {
		case r == 'i' || r == '1' || r == '|':
			return 'l'
		case r == '0':
			return 'o'
		case r >= 'a' && r <= 'z' || r >= '2' && r <= '9':
			return r
		default:
			return -1
		}
	}, text)
	return pairs.Replace(s)
}

// pairs are two letters that look like one.
var pairs = strings.NewReplacer("rn", "m", "vv", "w")

var (
	memberSkeletons     = skeletons(schemaMembers...)
	escalationSkeletons = skeletons(append([]string{string(Escalate), "ESCALATED", "ESCALATION"}, categoryNames()...)...)
)

func categoryNames() (names []string) {
	for _, c := range DefaultOrder() {
		names = append(names, string(c))
	}
	return names
}

func skeletons(names ...string) []string {
	s := make([]string, len(names))
	for i, n := range names {
		s[i] = skeleton(n)
	}
	return s
}

// likeMember returns the member of the schema that a name could be taken for.
func likeMember(name string) string {
	s := skeleton(name)
	for i, known := range memberSkeletons {
		if alike(s, known, len(known)) {
			return schemaMembers[i]
		}
	}
	return ""
}

// alike reports whether two skeletons are the same, where at most so many
// characters of the first could be any.
func alike(s, known string, unsure int) bool {
	if len(s) != len(known) {
		return false
	}
	for i := range len(s) {
		if s[i] == known[i] {
			continue
		}
		if unsure--; s[i] != anyLetter || unsure < 0 {
			return false
		}
	}
	return true
}

// speaksOfEscalation reports whether a name has the word in it.
func speaksOfEscalation(name string) bool {
	const word = "escalat"
	s := skeleton(name)
	for i := range max(0, len(s)-len(word)+1) {
		if alike(s[i:i+len(word)], word, len(word)/2) {
			return true
		}
	}
	return false
}

// says reports whether a value says anything: not null, false, or empty.
func says(n *source.Node) bool {
	switch n.Kind {
	case source.Null:
		return false
	case source.Bool:
		return n.Bool
	case source.String:
		return !invisible(n.Text)
	case source.List, source.Object:
		return len(n.Items)+len(n.Members) > 0
	default:
		return true
	}
}

// namesEscalation reports whether a text somewhere in the value is ESCALATE or
// a category, however it is spelled.
func namesEscalation(n *source.Node) bool {
	if n.Kind == source.String {
		s := skeleton(n.Text)
		return slices.ContainsFunc(escalationSkeletons, func(known string) bool { return alike(s, known, len(known)/2) })
	}
	for _, m := range n.Members {
		if namesEscalation(m.Value) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, namesEscalation)
}

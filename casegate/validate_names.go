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

// What stands in a skeleton for a character outside ASCII: there are too many
// lookalikes to list. A letter of another script could be any, but is more
// likely what it is; Latin letters with marks, letters of mathematics, letters
// in circles and the like are variants of some letter of ASCII.
const (
	anyLetter = '?'
	aVariant  = '*'
)

// lookalikes are letters of Cyrillic and Greek, each before the letter that it
// can be taken for.
var lookalikes = lettersOf(
	"\u0430a\u0432b\u0441c\u0501d\u0435e\u04bbh\u0456i\u0457i\u0458j\u043ak\u04cfl\u043cm\u043fn\u043eo\u0440p\u051bq\u0433r\u0455s\u0442t\u0438u\u0475v\u0461w\u0445x\u0443y" +
		"\u03b1a\u03b2b\u03b5e\u03b7n\u03b9i\u03bak\u03bdv\u03bfo\u03c1p\u03c3o\u03c4t\u03c5u\u03c7x\u03b3y\u03c9w")

func lettersOf(pairs string) map[rune]rune {
	m, letter := map[rune]rune{}, rune(0)
	for _, r := range pairs {
		if r > unicode.MaxASCII {
			letter = r
		} else {
			m[letter] = r
		}
	}
	return m
}

// skeleton reduces a text to what a hasty reader sees: small letters and
// digits, without what separates them; characters that look alike are one.
func skeleton(text string) string {
	s := strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if like, ok := lookalikes[r]; ok {
			r = like
		}
		switch {
		case r > unicode.MaxASCII && (!hasShape(r) || unicode.IsPunct(r)):
			return -1
		case r > unicode.MaxASCII && unicode.In(r, unicode.Latin, unicode.Common):
			return aVariant
		case r > unicode.MaxASCII:
			return anyLetter
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
	return lookalikePairs.Replace(s)
}

// lookalikePairs are two letters that look like one.
var lookalikePairs = strings.NewReplacer("rn", "m", "vv", "w")

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
		if alike(s, known) {
			return schemaMembers[i]
		}
	}
	return ""
}

// alike reports whether a skeleton can be taken for a known one: at most half
// of it may be letters that could be any.
func alike(s, known string) bool {
	if len(s) != len(known) {
		return false
	}
	unsure := 0
	for i := range len(s) {
		switch s[i] {
		case known[i], aVariant:
		case anyLetter:
			unsure++
		default:
			return false
		}
	}
	return unsure <= len(known)/2
}

// speaksOfEscalation reports whether a name has the word in it.
func speaksOfEscalation(name string) bool {
	const word = "escalat"
	s := skeleton(name)
	for i := range max(0, len(s)-len(word)+1) {
		if alike(s[i:i+len(word)], word) {
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
		return slices.ContainsFunc(escalationSkeletons, func(known string) bool { return alike(s, known) })
	}
	for _, m := range n.Members {
		if namesEscalation(m.Value) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, namesEscalation)
}

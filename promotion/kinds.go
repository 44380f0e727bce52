package promotion

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// DistinctKinds returns the distinct kinds among the labels, sorted. A label is
// trimmed, brought into Unicode form NFC and case-folded first. One that is
// empty, isn't UTF-8 or holds a character that can't be seen names no kind: two
// that look the same must not count as two. With allowed not nil, only labels
// that are in it count.
func DistinctKinds(labels, allowed []string) []string {
	var kinds []string
	for _, label := range labels {
		kind := NormalKind(label)
		if kind == "" || slices.Contains(kinds, kind) {
			continue
		}
		if allowed != nil && !slices.ContainsFunc(allowed, func(a string) bool { return NormalKind(a) == kind }) {
			continue
		}
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return kinds
}

// NormalKind returns a label as kinds are compared, empty if it names none.
func NormalKind(label string) string {
	kind := strings.TrimSpace(label)
	if kind == "" || strings.ContainsFunc(kind, unseen) {
		return ""
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(kind)))
}

// unseen tells of characters that don't show. U+FFFD stands for what isn't
// UTF-8.
func unseen(r rune) bool {
	return r == unicode.ReplacementChar || (!unicode.IsGraphic(r)) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

package promotion

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// DistinctKinds returns the distinct kinds among the labels, as [NormalKind]
// writes them, sorted. With allowed not nil, only labels that are in it count.
func DistinctKinds(labels, allowed []string) []string {
	counts := map[string]bool{}
	for _, a := range allowed {
		counts[NormalKind(a)] = true
	}
	var kinds []string
	for _, label := range labels {
		if kind := NormalKind(label); kind != "" && (allowed == nil || counts[kind]) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// NormalKind returns a label as kinds are compared: trimmed, in Unicode form
// NFC, case-folded. It is empty for a label that names no kind: one that is
// blank, isn't UTF-8, or holds a character that doesn't show or a blank other
// than the space. Two labels that look the same must not count as two.
func NormalKind(label string) string {
	kind := strings.TrimSpace(label)
	if kind == "" || hasUnseen(kind) {
		return ""
	}
	return norm.NFC.String(strings.Map(foldCherokee, cases.Fold().String(norm.NFC.String(kind))))
}

// foldCherokee folds the letters of Cherokee, which alone fold to their capitals
// (CaseFolding.txt). [cases.Fold] makes small ones of capitals and capitals of
// small ones, so that the two would stay two.
func foldCherokee(r rune) rune {
	if unicode.Is(unicode.Cherokee, r) {
		return unicode.ToUpper(r)
	}
	return r
}

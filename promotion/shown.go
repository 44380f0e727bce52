package promotion

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unseen tells of characters that don't show, or that show as something else:
// two texts that look the same must not pass for two. U+FFFD stands for what
// isn't UTF-8.
func unseen(r rune) bool {
	switch {
	case r == ' ':
		return false
	case r == unicode.ReplacementChar, r == '\u2800': // the empty Braille pattern
		return true
	default:
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) ||
			unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
	}
}

// hasUnseen reports whether a text has characters that don't show, or isn't
// UTF-8.
func hasUnseen(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return strings.ContainsFunc(s, unseen)
		case c < ' ' || c == 0x7f:
			return true
		}
	}
	return false
}

// shown returns a path, or other text from outside, for a finding: itself if it
// is fit to be shown, escaped otherwise, and never long.
func shown(s string) string {
	const most = 256
	switch {
	case len(s) > most:
		return escaped(s[:most]) + "..."
	case hasUnseen(s):
		return escaped(s)
	default:
		return s
	}
}

func escaped(s string) string {
	q := strconv.QuoteToASCII(s)
	return q[1 : len(q)-1]
}

// shownEntry is an entry of allowed-tools as it may stand in a message and as a
// finding's token: short, and on one line.
func shownEntry(entry string) string {
	const most = 60
	if utf8.RuneCountInString(entry) > most {
		entry = string([]rune(entry)[:most]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return unicode.ReplacementChar
		}
		return r
	}, entry)
}

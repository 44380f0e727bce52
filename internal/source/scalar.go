package source

import "strings"

// misleading reports whether a plain scalar holds what ends or begins something
// else to a strict reader.
func misleading(s string) bool {
	return strings.Contains(s, ": ") || strings.HasSuffix(s, ":") || strings.Contains(s, " #") || strings.ContainsAny(s[:1], ",[]{}#&*!|>'\"%@`") ||
		strings.HasPrefix(s, "? ") || strings.HasPrefix(s, "- ") || strings.ContainsRune(s, '\t')
}

// ambiguous reports whether a plain scalar is a number, boolean or null to
// some reader of YAML 1.1 or 1.2, though not in JSON: 010, 1_000, 0x1F, .5,
// +1, 1., yes, No, TRUE, ~, .nan, 12:30:45, 2020-01-01.
func ambiguous(s string) bool {
	switch strings.ToLower(s) {
	case "", "~", "null", "true", "false", "yes", "no", "on", "off", ".nan", ".inf", "+.inf", "-.inf", "nan", "inf", "+inf", "-inf", "infinity", "-infinity":
		return true
	}
	t := strings.TrimLeft(s, "+-")
	if t == "" || len(s)-len(t) > 1 {
		return false
	}
	if t[0] == '.' {
		t = t[1:]
	}
	if t == "" || t[0] < '0' || t[0] > '9' {
		return false
	}
	return strings.Trim(t, "0123456789_.:,eE+-xXoObBaAcCdDfFtTzZ ") == "" && looksNumeric(t)
}

// looksNumeric is careful with words that merely start with a digit (4eyes,
// 3d): only digits and the punctuation of numbers, dates and sexagesimals, or
// a 0x, 0o, 0b prefix.
func looksNumeric(t string) bool {
	if len(t) > 2 && t[0] == '0' && strings.ContainsRune("xXoObB", rune(t[1])) {
		return true
	}
	rest := strings.Trim(t, "0123456789_.:,+-")
	switch strings.ToLower(rest) {
	case "", "e", "t", "z":
		return true
	}
	// An exponent or a timestamp between digits.
	return strings.Trim(t, "0123456789_.:,+-eEtTzZ ") == ""
}

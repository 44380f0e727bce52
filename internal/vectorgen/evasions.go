package main

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// evasion is a way to hide a token from whoever looks for its bytes.
type evasion struct {
	name string
	hide func(token string) string
	via  string // how the scan says it, "" if that isn't looked at
	// hidden says that the text holds characters whose presence alone is a
	// reason.
	hidden bool
}

// evaded are the tokens that are hidden, one of each kind.
var evaded = []string{"rm -rf", ".git-credentials", "authorized_keys", "child_process", "curl"}

// evasions hides each token in each way.
func evasions() []scanned {
	var out []scanned
	for _, e := range evasionList() {
		for _, text := range evaded {
			t := known(text)
			const before = "Note: "
			r := reason{kind: t.kind, token: t.text, file: "notes.md", offset: len(before)}
			if e.via != "" {
				r.via = &e.via
			}
			v := scanned{
				name:    fmt.Sprintf("evasion: %s: %q", e.name, text),
				files:   []artefactFile{skill, {path: "notes.md", text: before + e.hide(text) + "\n"}},
				reasons: []reason{r},
			}
			if e.hidden {
				v.reasons = append(v.reasons, reason{kind: "hidden_text", file: "notes.md", offset: -1})
			}
			out = append(out, v)
		}
	}
	return out
}

func evasionList() []evasion {
	list := []evasion{
		{name: "full-width letters", hide: each(fullWidth), via: "normalised"},
		{name: "mathematical bold letters", hide: each(letter('\U0001d41a')), via: "normalised"},
		{name: "mathematical monospace letters", hide: each(letter('\U0001d68a')), via: "normalised"},
		{name: "circled letters", hide: each(letter('\u24d0')), via: "normalised"},
		{name: "one circled letter", hide: func(s string) string { return one(s, letter('\u24d0')) }, via: "normalised"},
		{name: "full-width capitals", hide: func(s string) string { return each(fullWidth)(strings.ToUpper(s)) }, via: "normalised"},
		{name: "a back-slash at the end of the line", hide: split("\\\n"), via: "joined"},
		{name: "a back-slash at the end of the line, CRLF", hide: split("\\\r\n"), via: "joined"},
		{name: "a back-slash after each character", hide: between("\\\n"), via: "joined"},
		{name: "zero-width spaces and a back-slash", hide: func(s string) string { return splitRunes(between("\u200b")(s), "\\\n") }},
		{name: "full-width letters on two lines", hide: func(s string) string { return splitRunes(each(fullWidth)(s), "\\\n") }},
		{name: "base64 of full-width letters", hide: encode(base64.StdEncoding, each(fullWidth))},
		{name: "base64 of zero-width spaces", hide: encode(base64.StdEncoding, between("\u200b"))},
		{name: "base64 with zero-width spaces in it", hide: func(s string) string { return split("\u200b")(encode(base64.StdEncoding)(s)) }},
		{name: "base64 in full-width letters", hide: func(s string) string { return each(fullWidth)(encode(base64.StdEncoding)(s)) }},
		{name: "base64 on two lines", hide: func(s string) string { return split("\\\n")(encode(base64.StdEncoding)(s)) }},
		{name: "base64", hide: encode(base64.StdEncoding), via: "base64"},
		{name: "base64 without padding", hide: encode(base64.RawStdEncoding), via: "base64"},
		{name: "base64 for URLs", hide: func(s string) string {
			return base64.RawURLEncoding.EncodeToString([]byte("\xfb\xef\xbe " + payload(s)))
		}, via: "base64"},
		{name: "base64 that begins with another text", hide: func(s string) string { return base64.StdEncoding.EncodeToString([]byte("To do: " + payload(s))) }, via: "base64"},
		{name: "base64 of capitals", hide: encode(base64.StdEncoding, strings.ToUpper), via: "base64"},
		{name: "hex", hide: func(s string) string { return hex.EncodeToString([]byte(payload(s))) }, via: "hex"},
		{name: "hex in capitals", hide: func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(payload(s)))) }, via: "hex"},
		{name: "percent", hide: func(s string) string { return percent(payload(s)) }, via: "percent"},
		{name: "percent in small letters", hide: func(s string) string { return strings.ToLower(percent(payload(s))) }, via: "percent"},
		{name: "base64 in base64", hide: twice(b64, b64), via: "base64+base64"},
		{name: "hex in base64", hide: twice(hexed, b64), via: "base64+hex"},
		{name: "base64 in hex", hide: twice(b64, hexed), via: "hex+base64"},
		{name: "hex in hex", hide: twice(hexed, hexed), via: "hex+hex"},
		{name: "percent in base64", hide: twice(percent, b64), via: "base64+percent"},
		{name: "base64 in percent", hide: twice(b64, percent), via: "percent+base64"},
		{name: "percent in percent", hide: twice(percent, percent), via: "percent+percent"},
	}
	// What the contract doesn't name, and the gate looks behind all the same.
	list = append(list,
		evasion{name: "base64 on lines of 16", hide: func(s string) string { return lines(b64(payload(s)), 16) }, via: "base64"},
		evasion{name: "HTML references", hide: codes("&#%d;"), via: "html"},
		evasion{name: "HTML references in hex", hide: codes("&#x%x;"), via: "html"},
		evasion{name: "back-slash x escapes", hide: codes(`\x%02x`), via: "hex"},
		evasion{name: "back-slash u escapes", hide: codes(`\u%04x`), via: "escape"},
		evasion{name: "octal escapes", hide: codes(`\%03o`), via: "escape"},
	)
	for _, c := range []struct {
		name, char string
		hidden     bool
	}{
		{"a zero-width space", "\u200b", false},
		{"a zero-width non-joiner", "\u200c", false},
		{"a zero-width joiner", "\u200d", false},
		{"a word joiner", "\u2060", false},
		{"a byte order mark", "\ufeff", false},
		{"a left-to-right mark", "\u200e", false},
		{"a right-to-left mark", "\u200f", false},
		{"an Arabic letter mark", "\u061c", false},
		{"a left-to-right embedding", "\u202a", false},
		{"a right-to-left embedding", "\u202b", false},
		{"a pop of a direction", "\u202c", false},
		{"a left-to-right override", "\u202d", true},
		{"a right-to-left override", "\u202e", true},
		{"a left-to-right isolate", "\u2066", false},
		{"a right-to-left isolate", "\u2067", false},
		{"a first strong isolate", "\u2068", false},
		{"a pop of an isolate", "\u2069", false},
		{"a tag character", "\U000e0061", true},
		{"a language tag", "\U000e0001", true},
		{"three zero-width spaces", "\u200b\u200b\u200b", true},
	} {
		list = append(list,
			evasion{name: c.name + " in the middle", hide: split(c.char), via: "normalised", hidden: c.hidden},
			evasion{name: c.name + " after each character", hide: between(c.char), via: "normalised", hidden: c.hidden},
		)
	}
	return list
}

// payload is a text with the token that is long enough to be decoded.
func payload(token string) string { return token + " and so on, for all of it" }

func b64(s string) string   { return base64.StdEncoding.EncodeToString([]byte(s)) }
func hexed(s string) string { return hex.EncodeToString([]byte(s)) }

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

// codes writes each character by its number.
func codes(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, r := range s {
			fmt.Fprintf(&b, format, r)
		}
		return b.String()
	}
}

// lines breaks a text into lines.
func lines(s string, length int) string {
	var b strings.Builder
	for ; len(s) > length; s = s[length:] {
		b.WriteString(s[:length] + "\n")
	}
	return b.String() + s
}

func twice(inner, outer func(string) string) func(string) string {
	return func(token string) string { return outer(inner(payload(token))) }
}

// encode hides a text in base64, after it was changed in other ways.
func encode(e *base64.Encoding, before ...func(string) string) func(string) string {
	return func(token string) string {
		for _, f := range before {
			token = f(token)
		}
		return e.EncodeToString([]byte(payload(token)))
	}
}

// each puts another character for each.
func each(f func(rune) rune) func(string) string {
	return func(s string) string { return strings.Map(f, s) }
}

// one puts another character for the last letter.
func one(s string, f func(rune) rune) string {
	i := strings.LastIndexFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' })
	return s[:i] + string(f(rune(s[i]))) + s[i+1:]
}

func fullWidth(r rune) rune {
	switch {
	case r == ' ':
		return '\u3000'
	case '!' <= r && r <= '~':
		return r - '!' + '\uff01'
	}
	return r
}

// letter puts a letter of an alphabet that begins with first.
func letter(first rune) func(rune) rune {
	return func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + first
		}
		return r
	}
}

// split puts something into the middle.
func split(with string) func(string) string {
	return func(s string) string { return s[:len(s)/2] + with + s[len(s)/2:] }
}

func splitRunes(s, with string) string {
	r := []rune(s)
	return string(r[:len(r)/2]) + with + string(r[len(r)/2:])
}

// between puts something between all characters.
func between(with string) func(string) string {
	return func(s string) string { return strings.Join(strings.Split(s, ""), with) }
}

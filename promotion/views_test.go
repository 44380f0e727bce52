package promotion

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// found lists token, offset, length and via of what a scan finds of the
// denylist.
func found(t *testing.T, data []byte, extra ...string) []Finding {
	t.Helper()
	s, err := NewScanner(ScanOptions{ExtraTokens: extra})
	if err != nil {
		t.Fatal(err)
	}
	var got []Finding
	for _, f := range s.Scan(&Artefact{Files: []File{{Path: "a.md", Data: data}}}).Tripwire.Reasons {
		if f.Kind == KindScanFailed {
			t.Fatal(f.Detail)
		}
		if f.Token != "" && f.Kind != KindDrift && f.Kind != KindTools {
			got = append(got, f)
		}
	}
	return got
}

// between puts a text between all characters of a token.
func between(token, s string) string { return strings.Join(strings.Split(token, ""), s) }

func each(token string, f func(rune) string) string {
	var b strings.Builder
	for _, r := range token {
		b.WriteString(f(r))
	}
	return b.String()
}

func fullwidth(token string) string {
	return each(token, func(r rune) string {
		if r == ' ' {
			return "\u3000"
		}
		return string(r - '!' + 0xff01)
	})
}

func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func wrap(s, newline string, width int) string {
	var b strings.Builder
	for len(s) > width {
		b.WriteString(s[:width] + newline)
		s = s[width:]
	}
	return b.String() + s
}

// separatedHex writes each byte in a format, with something between them.
func separatedHex(s, format, between string) string {
	parts := make([]string, len(s))
	for i := range len(s) {
		parts[i] = fmt.Sprintf(format, s[i])
	}
	return strings.Join(parts, between)
}

func percentOf(s string) string {
	return each(s, func(r rune) string { return fmt.Sprintf("%%%02x", r) })
}

// long makes a text long enough for an encoded run.
func long(token string) string { return "run this: " + token + " # it is fine" }

// Each way of hiding a token, and what the finding says it was hidden behind.
var evasions = []struct {
	name string
	hide func(token string) string
	via  string
}{
	{"plain", func(s string) string { return s }, ""},
	{"upper case", strings.ToUpper, ""},
	{"mixed case", func(s string) string { return strings.ToUpper(s[:1]) + s[1:2] + strings.ToUpper(s[2:]) }, ""},
	{"in a comment", func(s string) string { return "<!-- " + s + " -->" }, ""},
	{"in a fence", func(s string) string { return "```sh\n" + s + "\n```" }, ""},
	{"zero width", func(s string) string { return between(s, "\u200b") }, "normalised"},
	{"joiner", func(s string) string { return s[:1] + "\u200d" + s[1:] }, "normalised"},
	{"word joiner and mark", func(s string) string { return s[:2] + "\u2060\ufeff" + s[2:] }, "normalised"},
	{"bidi", func(s string) string { return s[:1] + "\u202e\u2066" + s[1:] }, "normalised"},
	{"soft hyphen", func(s string) string { return between(s, "\u00ad") }, "normalised"},
	{"variation selector", func(s string) string { return between(s, "\ufe0f") }, "normalised"},
	{"grapheme joiner", func(s string) string { return between(s, "\u034f") }, "normalised"},
	{"tags between", func(s string) string { return between(s, "\U000e0041") }, "normalised"},
	{"tags instead", func(s string) string { return each(s, func(r rune) string { return string(r + 0xe0000) }) }, "normalised"},
	{"full width", fullwidth, "normalised"},
	{"mathematical", func(s string) string {
		return each(s, func(r rune) string {
			if 'a' <= r && r <= 'z' {
				return string(r - 'a' + 0x1d41a)
			}
			return string(r)
		})
	}, "normalised"},
	{"continued line", func(s string) string { return s[:2] + "\\\n" + s[2:] }, "joined"},
	{"continued line, CRLF", func(s string) string { return s[:2] + "\\\r\n" + s[2:] }, "joined"},
	{"continued everywhere", func(s string) string { return between(s, "\\\n") }, "joined"},
	{"continued, with zero width", func(s string) string { return s[:2] + "\\\u200b\n" + s[2:] }, "normalised+joined"},
	{"continued by full width", func(s string) string { return s[:2] + "\uff3c\n" + s[2:] }, "normalised+joined"},
	{"base64", func(s string) string { return b64(long(s)) }, "base64"},
	{"base64, no padding", func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(long(s))) }, "base64"},
	{"base64, for URLs", func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s + " ~~~???>>>" + s)) }, "base64"},
	{"base64, wrapped", func(s string) string { return wrap(b64(long(s)), "\n", 9) }, "base64"},
	{"base64, wrapped with CRLF", func(s string) string { return wrap(b64(long(s)), "\r\n", 10) }, "base64"},
	{"base64, indented", func(s string) string { return wrap(b64(long(s)), "\n      ", 8) }, "base64"},
	{"base64, quoted", func(s string) string { return wrap(b64(long(s)), "  \n> ", 5) }, "base64"},
	{"base64, a text to a line", func(s string) string { return `"` + wrap(b64(long(s)), "\"\n  \"", 11) + `"` }, "base64"},
	{"base64, a list of texts", func(s string) string { return `['` + wrap(b64(long(s)), "',\r\n\t'", 11) + `']` }, "base64"},
	{"base64, texts on continued lines", func(s string) string { return `"` + wrap(b64(long(s)), "\" \\\n  \"", 11) + `"` }, "base64"},
	{"base64, 1 before", func(s string) string { return "x" + b64(long(s)) }, "base64"},
	{"base64, 2 before", func(s string) string { return "/x" + b64(long(s)) }, "base64"},
	{"base64, 3 before", func(s string) string { return "a/x" + b64(long(s)) }, "base64"},
	{"base64, after =", func(s string) string { return "key=" + b64(long(s)) }, "base64"},
	{"base64 twice", func(s string) string { return b64(b64(long(s))) }, "base64+base64"},
	{"base64 of UTF-16", func(s string) string { return b64(utf16le(long(s))) }, "base64+utf16"},
	{"hex", func(s string) string { return hex.EncodeToString([]byte(long(s))) }, "hex"},
	{"hex, upper case", func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(long(s)))) }, "hex"},
	{"hex, 1 before", func(s string) string { return "a" + hex.EncodeToString([]byte(long(s))) }, "hex"},
	{"hex, wrapped", func(s string) string { return wrap(hex.EncodeToString([]byte(long(s))), "\n", 7) }, "hex"},
	{"hex, spread", func(s string) string { return separatedHex(long(s), "%02x", " ") }, "hex"},
	{"hex, short and spread", func(s string) string { return separatedHex(s+"  ", "%02X", ":") }, "hex"},
	{"hex, as numbers", func(s string) string { return "[" + separatedHex(s, "0x%02x", ",") + "]" }, "hex"},
	{"hex, as numbers of any length", func(s string) string { return separatedHex("\n\n"+s, "0X%x", ", ") }, "hex"},
	{"hex, as texts", func(s string) string { return separatedHex(s, `"%02x"`, ",\n  ") }, "hex"},
	{"hex, spread behind an odd digit", func(s string) string { return "1, 2: 345 " + separatedHex(long(s), "%02x", " ") }, "hex"},
	{"hex, spread and in base64", func(s string) string { return b64(separatedHex(s+s, "%02x", " ")) }, "base64+hex"},
	{"hex, spread by full width", func(s string) string { return fullwidth(separatedHex(s+s, "%02x", " ")) }, "normalised+hex"},
	{`hex, \x`, func(s string) string { return each(s, func(r rune) string { return fmt.Sprintf(`\x%02X`, r) }) }, "hex"},
	{`escape, \u`, func(s string) string { return each(s, func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }) }, "escape"},
	{`escape, \u{}`, func(s string) string { return each(s, func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }) }, "escape"},
	{"escape, octal", func(s string) string { return each(s, func(r rune) string { return fmt.Sprintf(`\%03o`, r) }) }, "escape"},
	{"percent", percentOf, "percent"},
	{"percent, upper case", func(s string) string { return strings.ToUpper(percentOf(s)) }, "percent"},
	{"percent, one", func(s string) string { return s[:1] + percentOf(s[1:2]) + s[2:] }, "percent"},
	{"percent twice", func(s string) string { return strings.ReplaceAll(percentOf(s), "%", "%25") }, "percent+percent"},
	{"HTML, decimal", func(s string) string { return each(s, func(r rune) string { return fmt.Sprintf("&#%d;", r) }) }, "html"},
	{"HTML, hex, one", func(s string) string { return fmt.Sprintf("&#x0%x;", s[0]) + s[1:] }, "html"},
	{"HTML, soft hyphen", func(s string) string { return between(s, "&shy;") }, "html+normalised"},
	{"HTML, zero width", func(s string) string { return between(s, "&#8203;") }, "html+normalised"},
	{"base64 of hex", func(s string) string { return b64(hex.EncodeToString([]byte(long(s)))) }, "base64+hex"},
	{"hex of base64", func(s string) string { return hex.EncodeToString([]byte(b64(long(s)))) }, "hex+base64"},
	{"base64 of percent", func(s string) string { return b64(percentOf(s) + percentOf(s)) }, "base64+percent"},
	{"percent of base64", func(s string) string { return percentOf(b64(long(s))) }, "percent+base64"},
	{"zero width in base64", func(s string) string { return between(b64(long(s)), "\u200b") }, "normalised+base64"},
	{"base64 of zero width", func(s string) string { return b64(long(between(s, "\u200b"))) }, "base64+normalised"},
	{"base64 with continued lines", func(s string) string { return wrap(b64(long(s)), "\\\n", 11) }, "base64"},
	{"full width and continued", func(s string) string { return fullwidth(s[:2]) + "\\\n" + fullwidth(s[2:]) }, "normalised+joined"},
	{"full width percent", func(s string) string { return strings.ReplaceAll(percentOf(s), "%", "\uff05") }, "normalised+percent"},
	{"zero width in an entity", func(s string) string {
		return each(s, func(r rune) string { return fmt.Sprintf("&#\u200b%d;", r) })
	}, "normalised+html"},
}

// A shell takes the blanks around a joined line end for one.
func TestIndentationOfContinuedLinesIsLeftOut(t *testing.T) {
	for _, text := range []string{"rm \\\n    -rf x", "rm\\\n\t-rf x", "rm \\\r\n  -rf x", "rm \uff3c\n  -rf", "r\u200bm \\\n  -r\u200bf", "rm \\\n  \\\n  -rf", "rm\\\n -rf x"} {
		tokens := 0
		for _, f := range found(t, []byte("# a\n"+text+"\n")) {
			if f.Token == "rm -rf" && strings.Contains(f.Via, "joined") && f.Line == 2 {
				tokens++
			}
		}
		if tokens != 1 {
			t.Errorf("%q: %d found", text, tokens)
		}
	}
	for _, text := range []string{"rm\\\n-rf x", "rm \\ \n -rf x", "rm \n -rf x"} {
		if f := found(t, []byte(text)); len(f) > 0 {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

func TestEvasions(t *testing.T) {
	tokens := []string{"curl", "rm -rf", "crontab", ".ssh/"}
	floor := map[string]bool{}
	for _, f := range Floor() {
		floor[f.Text] = true
	}
	for _, token := range tokens {
		if !floor[token] {
			t.Errorf("%q isn't of the floor", token)
		}
	}
	for _, e := range evasions {
		t.Run(e.name, func(t *testing.T) {
			for _, token := range tokens {
				before := "Some prose — with … before it.\n\n"
				hidden := e.hide(token)
				data := before + hidden + "\n\n(And after.)\n"
				ok := false
				var all []string
				for _, f := range found(t, []byte(data)) {
					all = append(all, fmt.Sprintf("%q via %q at %d+%d", f.Token, f.Via, f.Offset, f.Length))
					if f.Token == token && f.Via == e.via && f.Offset >= len(before) && f.Offset+f.Length <= len(before)+len(hidden) && f.Line >= 3 {
						ok = true
					}
				}
				if !ok {
					t.Errorf("%q isn't found in %q, but %s", token, data, strings.Join(all, ", "))
				}
			}
		})
	}
}

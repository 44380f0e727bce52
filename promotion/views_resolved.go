package promotion

import (
	"html"
	"unicode/utf8"
)

// resolve looks at a piece with its references replaced by what they stand for:
// %63 of URLs, \x63, \u0063, \u{63} and \143 of programs and shells, &#99;,
// &#x63; and &nbsp; of HTML.
func (v *views) resolve(p *piece) {
	e := v.newEditor(p, p.depth+1, false)
	data := p.data
	begins := rareBytes{data: data, bytes: `%&\`}
	for i := begins.next(0); i < len(data); i = begins.next(i) {
		start := i
		text, size, w := reference(data[i:])
		if size == 0 {
			for b := data[i]; i < len(data) && data[i] == b; { // none begins with two of them
				i++
			}
			i = max(i-1, start+1)
			continue
		}
		e.replace(i, i+size, text, w)
		i += size
	}
	e.close()
}

// reference reads one at the beginning of data. Its size is 0 if there is none.
func reference(data []byte) (text string, size int, w ways) {
	switch data[0] {
	case '%':
		if c, n := number(data, 1, 2, 16); n == 2 {
			return bytesOf[c], 3, wayPercent
		}
	case '&':
		return entity(data)
	case '\\':
		return escape(data)
	}
	return "", 0, 0
}

// bytesOf has every byte as a string, which spares making one.
var bytesOf = func() (t [256]string) {
	for i := range t {
		t[i] = string([]byte{byte(i)})
	}
	return t
}()

// textOf returns a character as UTF-8.
func textOf(r uint32) string {
	if r < 0x80 {
		return bytesOf[r]
	}
	if r > utf8.MaxRune {
		r = utf8.RuneError
	}
	return string(rune(r))
}

// number reads up to most digits at data[at:], and says how many they were.
func number(data []byte, at, most int, base uint32) (value uint32, digits int) {
	for digits < most && at+digits < len(data) {
		d := uint32(digitOf[data[at+digits]])
		if d >= base {
			break
		}
		value = value*base + d
		digits++
	}
	return value, digits
}

// digitOf is the value of a hexadecimal digit, 255 if it is none.
var digitOf = func() (t [256]byte) {
	for i := range t {
		switch b := byte(i); {
		case '0' <= b && b <= '9':
			t[i] = b - '0'
		case 'a' <= b|0x20 && b|0x20 <= 'f':
			t[i] = b | 0x20 - 'a' + 10
		default:
			t[i] = 255
		}
	}
	return t
}()

func escape(data []byte) (string, int, ways) {
	if len(data) < 4 {
		return "", 0, 0
	}
	switch data[1] {
	case 'x', 'X':
		if c, n := number(data, 2, 2, 16); n == 2 {
			return bytesOf[c], 4, wayHex
		}
		if data[2] == '{' {
			return braced(data)
		}
	case 'u':
		if r, n := number(data, 2, 4, 16); n == 4 {
			return textOf(r), 6, wayEscape
		}
		if data[2] == '{' {
			return braced(data)
		}
	case 'U':
		if r, n := number(data, 2, 8, 16); n == 8 {
			return textOf(r), 10, wayEscape
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		c, n := number(data, 1, 3, 8)
		if data[1] == '0' { // \0143, as printf %b has it
			if c4, n4 := number(data, 1, 4, 8); n4 == 4 && c4 < 256 {
				c, n = c4, n4
			}
		}
		if n >= 3 && c < 256 {
			return bytesOf[c], 1 + n, wayEscape
		}
	}
	return "", 0, 0
}

// braced reads \u{63} and \x{63}.
func braced(data []byte) (string, int, ways) {
	r, n := number(data, 3, 8, 16)
	if n == 0 || 3+n >= len(data) || data[3+n] != '}' {
		return "", 0, 0
	}
	return textOf(r), 4 + n, wayEscape
}

// Names and numbers of HTML's references are shorter than these.
const (
	maxName   = 34
	maxDigits = 64 // zeros may precede it
)

// entity reads a reference of HTML. A number needs no semicolon, as in HTML; a
// name does.
func entity(data []byte) (string, int, ways) {
	if len(data) < 3 {
		return "", 0, 0
	}
	if data[1] != '#' {
		for i, b := range data[1:min(len(data), maxName)] {
			switch {
			case b == ';':
				name := string(data[:i+2])
				if text := html.UnescapeString(name); text != name {
					return text, len(name), wayHTML
				}
				return "", 0, 0
			case b < '0' || '9' < b && b < 'A' || 'Z' < b && b < 'a' || 'z' < b:
				return "", 0, 0
			}
		}
		return "", 0, 0
	}
	at, base := 2, uint32(10)
	if data[2]|0x20 == 'x' {
		at, base = 3, 16
	}
	zeros := 0
	for at+zeros < len(data) && data[at+zeros] == '0' && zeros < maxDigits {
		zeros++
	}
	r, n := number(data, at+zeros, 8, base)
	if n == 0 {
		return "", 0, 0
	}
	size := at + zeros + n
	if size < len(data) && data[size] == ';' {
		size++
	}
	return textOf(r), size, wayHTML
}

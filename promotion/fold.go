package promotion

import "strings"

// folded is ASCII's lower case of every byte.
var folded = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			t[i] |= 0x20
		}
	}
	return t
}()

// appendFolded appends text with ASCII letters in lower case and all other
// bytes as they are.
func appendFolded(dst, text []byte) []byte {
	n := len(dst)
	dst = append(dst, text...)
	for i, b := range dst[n:] {
		dst[n+i] = folded[b]
	}
	return dst
}

func foldString(s string) string {
	return string(appendFolded(nil, []byte(s)))
}

// visible returns s without the characters that don't show.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, s)
}

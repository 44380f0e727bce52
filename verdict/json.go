package verdict

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string in its shortest form (RFC 8785,
// section 3.2.2.2). Bytes that aren't UTF-8 become U+FFFD, so that what is
// appended is always valid JSON.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		n := plainPrefix(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"')
		}
		s = s[n:]
		c := s[0]
		if c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
			s = s[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		dst = utf8.AppendRune(dst, r)
		s = s[size:]
	}
}

// plainPrefix returns how many bytes at the start of s stand for themselves
// in a JSON string: ASCII without controls, quote and backslash. It looks at
// eight bytes at a time, since a stream of decisions is mostly such text.
func plainPrefix(s string) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		special := (w - ones*0x20) | (quote - ones) | (slash - ones) | w
		if special&highs != 0 {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
	}
}

// AppendStrings appends a JSON list of strings.
func AppendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

package stream

import "bytes"

// rowEnd returns the length of the CSV row at the start of b, with its line
// break, or 0 if b is too short to tell. A row goes on over line breaks that
// stand between quotes. One that isn't well-formed (a quote in the middle of a
// field, text behind a closing quote) ends with its first line, so that a
// quote that is missing doesn't swallow the lines up to the next one.
func rowEnd(b []byte) int {
	first := bytes.IndexByte(b, '\n') + 1
	if bytes.IndexByte(b[:first], '"') < 0 {
		return first
	}
	for i := 0; ; i++ { // at the start of a field
		if i < len(b) && b[i] == '"' {
			n := closeQuote(b[i+1:])
			if n < 0 {
				return 0
			}
			i += 1 + n
		} else {
			n := bytes.IndexAny(b[i:], ",\n\"")
			if n < 0 {
				return 0
			}
			i += n
		}
		switch rest := b[i:]; {
		case len(rest) == 0, len(rest) == 1 && rest[0] == '\r':
			return 0
		case rest[0] == ',':
		case rest[0] == '\n':
			return i + 1
		case rest[0] == '\r' && rest[1] == '\n':
			return i + 2
		default:
			return first
		}
	}
}

// quotedLines takes the lines in buf that may stand inside of a quoted field
// that is too long or never closed, nil if there is none. They are no rows: who
// writes a long text into a field must not thereby write rows. The field ends
// at a quote that may close it. A quote that may not shows that there is no such
// field, but a quote is missing, so that its line is a row again.
func (s *splitter) quotedLines() *block {
	var ends []int
	for end := 0; s.quoted && len(ends) < s.limit; {
		n := bytes.IndexByte(s.buf[end:], '\n') + 1
		if n == 0 || n > s.window() {
			break
		}
		line := s.buf[end : end+n]
		if i := closeQuote(line); i >= 0 {
			behind := line[i:]
			if behind[0] != ',' && len(trimLineBreak(behind)) > 0 {
				s.quoted = false
				break
			}
			s.quoted = bytes.Count(line, []byte{'"'})%2 == 0 // another one is open
		}
		end += n
		ends = append(ends, end)
	}
	if len(ends) == 0 {
		return nil
	}
	return s.take(ends[len(ends)-1], ends, InQuote)
}

// closeQuote returns the length of the rest of a quoted field, with the quote
// that ends it, or -1 if it doesn't end in b.
func closeQuote(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		if i == len(b) || b[i] != '"' {
			return i
		}
		i++ // a doubled quote stands for one
	}
}

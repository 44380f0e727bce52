package promotion

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plainMode says how the plain view is made.
type plainMode struct {
	joined   bool // leave out line ends after a backslash
	tags     bool // read tag characters as the ASCII that they stand for, instead of leaving them out
	indented bool // leave out the indentation of joined lines, too, as a shell does
	composed bool // compose marks with what they stand on: for tokens beyond ASCII
}

// plainViews looks at a piece as it reads when what doesn't show is left out:
// in Unicode form NFKC, without characters that are ignored when shown, without
// NUL (UTF-16 is ASCII with it), with continued lines joined.
func (v *views) plainViews(p *piece) {
	saw := v.plainView(p, plainMode{joined: true})
	if saw.tags {
		v.plainView(p, plainMode{joined: true, tags: true})
	}
	if saw.indented {
		v.plainView(p, plainMode{joined: true, indented: true, tags: saw.tags})
	}
	// Composing hides the ASCII letter below the mark, and joining the
	// backslash: these views are made beside the first, for tokens that need
	// them.
	if saw.composed && v.m.beyondASCII {
		v.plainView(p, plainMode{joined: true, composed: true})
	}
	if saw.joined && v.m.backslash {
		v.plainView(p, plainMode{})
	}
}

// plainView looks at one of them and says which of the modes would make a
// difference.
func (v *views) plainView(p *piece, mode plainMode) (saw plainMode) {
	e := v.newEditor(p, p.depth, true)
	data := p.data
	others := rareBytes{data: data, bytes: "\x00\\"}
	for i := nextPlain(data, 0, &others); i < len(data); i = nextPlain(data, i, &others) {
		switch b := data[i]; {
		case b == 0:
			end := i + 1
			for end < len(data) && data[end] == 0 {
				end++
			}
			e.replace(i, end, "", wayUTF16)
			i = end
		case b == '\\':
			for i+1 < len(data) && data[i+1] == '\\' {
				i++
			}
			end, w := continued(data, i+1)
			if end == 0 {
				i++
				continue
			}
			saw.joined = true
			if !mode.joined {
				i++
				continue
			}
			text, end := saw.join(data, i, end, mode)
			e.replace(i, end, text, w)
			i = end
		case b < 0xc2 || i+1 == len(data) || data[i+1]&0xc0 != 0x80: // much of what isn't UTF-8
			i++
		default:
			r, size := rune(b&0x1f)<<6|rune(data[i+1]&0x3f), 2
			if b >= 0xe0 {
				r, size = utf8.DecodeRune(data[i:])
			}
			if r == utf8.RuneError && size <= 1 {
				i++
				continue
			}
			end := i + size
			text, is := plainOf(r)
			saw.composed = saw.composed || is == runeMark
			if mode.composed {
				if from, to := marked(data, i, end, e.at); to > 0 {
					e.replace(from, to, visible(norm.NFKC.String(visible(string(data[from:to])))), wayNormalised)
					i = to
					continue
				}
			}
			if is == runeHidden && 0xe0000 <= r && r <= 0xe007f {
				saw.tags = true
				if mode.tags && r >= 0xe0020 {
					text = string(r - 0xe0000)
				}
			}
			switch {
			case is == runeSame || is == runeMark:
				i = end
				continue
			case text == `\`:
				if to, w := continued(data, end); to > 0 {
					saw.joined = true
					if mode.joined {
						text, to := saw.join(data, i, to, mode)
						e.replace(i, to, text, w|wayNormalised)
						i = to
						continue
					}
				}
			}
			e.replace(i, end, text, wayNormalised)
			i = end
		}
	}
	e.close()
	return saw
}

// join returns what stands for the joined line end data[from:to], and where what
// it stands for ends: with indentation that is left out, behind that.
func (saw *plainMode) join(data []byte, from, to int, mode plainMode) (text string, end int) {
	n := leadingBlanks(data[to:])
	if n == 0 {
		return "", to
	}
	if saw.indented = true; !mode.indented {
		return "", to
	}
	if from == 0 || leadingBlanks(data[from-1:from]) == 0 {
		text = " "
	}
	return text, to + n
}

// nextPlain returns the first place, from i on, that may read otherwise in the
// plain view: a character beyond ASCII, or one of the bytes. Most bytes that
// aren't UTF-8 it passes over, which what was decoded in vain is full of.
func nextPlain(data []byte, i int, others *rareBytes) int {
	if i+1 < len(data) && data[i] >= 0xc2 && data[i+1]&0xc0 == 0x80 {
		return i // such characters come in rows
	}
	limit := others.next(i)
	i = skipASCII(data[:limit], i)
	for ; i+8 <= limit; i += 8 {
		w := binary.LittleEndian.Uint64(data[i : i+8])
		// Bytes that begin a character, 11…, or a long one, 111…, and bytes that
		// go on, 10…. What comes after the last of the word isn't known.
		begins, goesOn := w&(w<<1)&tops, w&^(w<<1)&tops
		long := begins & (w << 2)
		if found := begins & (goesOn>>8 | 1<<63) & (^long | goesOn>>16 | 0x8080<<48); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < limit; i++ {
		if data[i] >= 0xc2 {
			break
		}
	}
	return i
}

// skipASCII returns how far from i on there is nothing but ASCII, or a little
// less.
func skipASCII(data []byte, i int) int {
	for ; i+32 <= len(data); i += 32 {
		b := data[i : i+32]
		w := binary.LittleEndian.Uint64(b) | binary.LittleEndian.Uint64(b[8:]) |
			binary.LittleEndian.Uint64(b[16:]) | binary.LittleEndian.Uint64(b[24:])
		if w&tops != 0 {
			break
		}
	}
	return i
}

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// continued returns where the next line begins if the line ends at i, but for
// what doesn't show, and how it is left out; 0 if it doesn't end.
func continued(data []byte, i int) (int, ways) {
	w := wayJoined
	for i < len(data) {
		switch b := data[i]; {
		case b == '\n':
			return i + 1, w
		case b == '\r' && i+1 < len(data):
			i++
		case b == 0:
			i++
			w |= wayUTF16
		case b >= 0x80:
			r, size := utf8.DecodeRune(data[i:])
			if _, is := plainOf(r); is != runeHidden {
				return 0, 0
			}
			i += size
			w |= wayNormalised
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// maxMarked is how long a text with its marks may be for composing it.
const maxMarked = 256

// marked returns the text around data[i:end], a character beyond ASCII, if marks
// belong to it, and 0, 0 otherwise. It begins at least at from.
func marked(data []byte, i, end, from int) (int, int) {
	r, _ := utf8.DecodeRune(data[i:end])
	_, is := plainOf(r)
	mark := is == runeMark
	to := end
	for at := end; at < len(data) && data[at] >= 0x80 && at-i < maxMarked; {
		r, size := utf8.DecodeRune(data[at:])
		_, next := plainOf(r)
		if next != runeMark && next != runeHidden {
			break
		}
		at += size
		if next == runeMark {
			mark, to = true, at
		}
	}
	if !mark {
		return 0, 0
	}
	if is != runeSame && i > from && data[i-1] < 0x80 {
		i--
	}
	return i, to
}

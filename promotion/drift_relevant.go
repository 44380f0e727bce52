package promotion

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// placeFinder goes through a text from one place to the next at which a tool's
// name could stand: a word that begins one, or what some language reads over.
// Few lines have such a place, and no other needs a closer look.
type placeFinder struct {
	text     []byte
	cat      *Catalogue
	from, to int  // there is no place in between
	found    bool // one is at to
}

// next returns the first place in a stretch of the text, its end if there is
// none. Asked for one after the other it looks at no byte twice.
func (p *placeFinder) next(from, end int) int {
	if from < p.from || from > p.to {
		p.from, p.to, p.found = from, from, false
	}
	if !p.found && p.to < end {
		p.to, p.found = p.cat.place(p.text, p.to, end)
	}
	if p.found {
		return min(p.to, end)
	}
	return end
}

// placeBlock is how many bytes are looked at in one step. A word that begins
// there is loaded with up to seven more.
const placeBlock = 64

// place returns the first place from a byte on, or a byte behind the end before
// which there is none.
func (c *Catalogue) place(text []byte, at, end int) (place int, found bool) {
	inWord := uint64(0) // 1 if the byte before is of a word
	if at > 0 && wordByte(text[at-1]) {
		inWord = 1
	}
	for ; at < end && at+placeBlock+8 <= len(text); at += placeBlock {
		var words, others uint64
		for i := 0; i < placeBlock; i += 8 {
			classes := placeClasses((*[8]byte)(text[at+i:]))
			words |= uint64(classes&0xff) << i
			others |= uint64(classes>>8) << i
		}
		first := placeBlock
		begins := words &^ (words<<1 | inWord)
		inWord = words >> (placeBlock - 1)
		for ; begins != 0; begins &= begins - 1 {
			i := bits.TrailingZeros64(begins)
			if !c.two.has(binary.LittleEndian.Uint16(text[at+i:])) {
				continue
			}
			n := bits.TrailingZeros64(^(words >> i))
			if i+n == placeBlock {
				n += wordLength(text[at+placeBlock:])
			}
			if c.first.has(binary.LittleEndian.Uint64(text[at+i:]), n) && c.begins(text[at+i:], n) {
				first = i
				break
			}
		}
		for ; others != 0; others &= others - 1 {
			i := bits.TrailingZeros64(others)
			if i > first {
				break
			}
			if c.placeOtherwise(text, at+i) {
				return at + i, true
			}
		}
		if first < placeBlock {
			return at + first, true
		}
	}
	for ; at < end; at++ {
		class := placeClass[text[at]]
		if class == placeWord && inWord == 0 && c.begins(text[at:], wordLength(text[at:])) || class == placeOther && c.placeOtherwise(text, at) {
			return at, true
		}
		inWord = uint64(class & placeWord)
	}
	return at, false
}

// wordLength is how many bytes of a word a text begins with.
func wordLength(text []byte) int {
	n := 0
	for n < len(text) && wordByte(text[n]) {
		n++
	}
	return n
}

// begins reports whether a name begins with the first n bytes of a text, and may
// go on as the text does.
func (c *Catalogue) begins(text []byte, n int) bool {
	whole, ok := c.heads[string(text[:n])]
	return ok && (whole || n == len(text) || text[n] >= utf8.RuneSelf || strings.IndexByte(namePunctuation+shellRemoves, text[n]) >= 0)
}

// shellRemoves are the bytes that a shell removes from a word.
const shellRemoves = `\"'`

// placeOtherwise reports whether a name could be written otherwise than as a
// word here: with characters that become ASCII by NFKC, with an escape (\u0042),
// with quotes and backslashes that a shell removes from a word, or with a
// backslash at the end of the line, on the next.
func (c *Catalogue) placeOtherwise(text []byte, at int) bool {
	if text[at] >= utf8.RuneSelf {
		r, _ := utf8.DecodeRune(text[at:])
		s, class := plainOf(r)
		return class == runeMapped && strings.IndexFunc(s, func(r rune) bool { return r < utf8.RuneSelf && wordByte(byte(r)) }) >= 0
	}
	if text[at] == '\\' {
		if at+1 == len(text) || text[at+1] == 'u' || text[at+1] == '\n' || text[at+1] == '\r' {
			return true
		}
		if c.joins(text, at, `\`) { // quotes end a name in code
			return true
		}
	}
	return c.joins(text, at, shellRemoves)
}

// joins reports whether a name begins with the word that the one before a byte
// is part of, if some bytes are removed, of which that at the byte is the first.
func (c *Catalogue) joins(text []byte, at int, removed string) bool {
	if at == 0 || !wordByte(text[at-1]) {
		return false
	}
	after := at + 1
	for after < len(text) && strings.IndexByte(removed, text[after]) >= 0 {
		after++
	}
	if after == len(text) || !wordByte(text[after]) {
		return false // nothing is joined: the word before is a place itself if a name begins with it
	}
	begin := at - 1
	for begin > 0 && wordByte(text[begin-1]) {
		begin--
	}
	if at-begin > c.longer {
		return false
	}
	before := begin
	for before > 0 && strings.IndexByte(removed, text[before-1]) >= 0 {
		before--
	}
	if before < begin && before > 0 && wordByte(text[before-1]) {
		return false // it isn't the first
	}
	var word [maxToolName]byte
	n := 0
	for _, b := range text[begin:] {
		if wordByte(b) {
			if n == len(word) {
				return false
			}
			word[n] = b
			n++
		} else if strings.IndexByte(removed, b) < 0 {
			break
		}
	}
	if !c.first.has(binary.LittleEndian.Uint64(word[:]), n) {
		return false
	}
	_, ok := c.heads[string(word[:n])]
	return ok
}

const (
	placeWord  = 1      // of a word
	placeOther = 1 << 8 // for placeOtherwise to look at
)

var placeClass = func() (class [256]uint16) {
	for i := range class {
		switch c := byte(i); {
		case wordByte(c):
			class[i] = placeWord
		case c == '\\', c == '"', c == '\'', c >= 0xc0: // which begins a character
			class[i] = placeOther
		}
	}
	return class
}()

// placeClasses returns the classes of eight bytes: the words' in the low byte,
// the others' in the high one, the first in the lowest bit.
func placeClasses(b *[8]byte) uint16 {
	t := &placeClass
	return t[b[0]] | t[b[1]]<<1 | t[b[2]]<<2 | t[b[3]]<<3 | t[b[4]]<<4 | t[b[5]]<<5 | t[b[6]]<<6 | t[b[7]]<<7
}

// pairSet has the first two bytes of words, in the order of their bits.
type pairSet [1 << 10]uint64

func (s *pairSet) add(word string) {
	if len(word) > 1 {
		pair := binary.LittleEndian.Uint16([]byte(word))
		s[pair>>6] |= 1 << (pair & 63)
		return
	}
	for c := range 256 { // whatever stands behind it
		s.add(word + bytesOf[c])
	}
}

func (s *pairSet) has(pair uint16) bool { return s[pair>>6]>>(pair&63)&1 == 1 }

// headSet tells of most words that no name begins with them, by their first
// eight bytes and their length.
type headSet [1 << (headBits - 6)]uint64

const headBits = 14

// headHash takes a word's first eight bytes and its length, not 0.
func headHash(first uint64, n int) uint64 {
	first <<= (64 - 8*min(n, 8)) & 63 // without what follows
	return (first + uint64(n)) * 0x9e3779b97f4a7c15 >> (64 - headBits)
}

func (s *headSet) add(head string) {
	var b [8]byte
	copy(b[:], head)
	h := headHash(binary.LittleEndian.Uint64(b[:]), len(head))
	s[h>>6] |= 1 << (h & 63)
}

// has reports whether a name could begin with a word.
func (s *headSet) has(first uint64, n int) bool {
	h := headHash(first, n)
	return s[h>>6]>>(h&63)&1 == 1
}

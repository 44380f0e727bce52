package promotion

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
)

// telling tells of encoded text whether decoding it can show anything. Much of
// ordinary text could be base64, paths and long words above all, and hardly any
// of it is.
//
// What is decoded shows something only if a token stands in it, or a character
// that a view reads otherwise, or a reference, or another encoded run. Each of
// these makes some three sextets in a row what they are, and telling has all
// such threes. It errs to one side only: it may ask for decoding in vain
// (TestWhatIsNotDecodedShowsNothing).
//
// A three is looked up by its bits. What is found there is a set: bit (4-k)%4 if
// it tells of something where its first sextet is the k-th of the four that make
// three bytes, and readable if such bytes may be part of an encoded run, where
// it is the first.
type telling [1 << threeBits]uint8

const (
	threeBits = 18 // of three sextets
	anyThree  = 1<<threeBits - 1
	readable  = 4 // the number of the bit
)

// alignments returns a set of those, of the four ways to read sextets as bytes,
// that may show something.
func (t *telling) alignments(code []byte) uint8 {
	const all = 0b1111
	if t == nil || len(code) < 3 {
		return all
	}
	var found, row1, row2, row3 uint32
	three := uint32(code[0])<<6 | uint32(code[1])
	for i := 2; i < len(code)+2; i += 4 {
		// The last threes go two sextets beyond the end. What stands there
		// doesn't matter, as long as it shows nothing by itself.
		next := uint32(0x3f3f3f3f)
		if i+4 <= len(code) {
			next = binary.BigEndian.Uint32(code[i:])
		} else {
			for k := i; k < len(code); k++ {
				next ^= uint32(0x3f^code[k]) << (24 - 8*(k-i))
			}
		}
		three = three<<6 | next>>24
		f0 := uint32(t[three&anyThree])
		three = three<<6 | next>>16&0xff
		f1 := uint32(t[three&anyThree])
		three = three<<6 | next>>8&0xff
		f2 := uint32(t[three&anyThree])
		three = three<<6 | next&0xff
		f3 := uint32(t[three&anyThree])
		found |= f0&all | f1&all<<1 | f2&all<<2 | f3&all<<3
		row := f0>>readable | f1>>readable<<1 | f2>>readable<<2 | f3>>readable<<3
		found |= row & row3 // in minRun bytes there are at least four whole threes
		row1, row2, row3 = row, row&row1, row&row2
	}
	return uint8(found|found>>4) & all
}

// whateverTokens tells of what may show something whatever the tokens are.
var whateverTokens = sync.OnceValue(func() *telling {
	t := &telling{}
	const digits, letters = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	const hexDigits = digits + "ABCDEFabcdef"
	t.add("\x00")
	t.add(`\`, "\r\n")
	t.add(`\`, "xXuU01234567")
	t.add("%", hexDigits, hexDigits)
	t.add("&", "#", digits+"xX")
	t.add("&", digits+letters, digits+letters+";")
	for first, seconds := range changing {
		for _, second := range []byte(seconds) {
			if first < 0xe0 {
				t.add(bytesOf[first], bytesOf[second])
			} else {
				t.add(bytesOf[first], bytesOf[second], goesOn)
			}
		}
	}
	var run []byte
	for b := range 256 {
		if classOf[b] != classOther || sepClass[b] != 0 {
			run = append(run, byte(b))
		}
	}
	for _, three := range threes([]string{string(run), string(run), string(run)}, 0, 0, 1<<threeBits) {
		t[three] |= 1 << readable
	}
	return t
})

func byteRange(first, last byte) string {
	var b strings.Builder
	for c := int(first); c <= int(last); c++ {
		b.WriteByte(byte(c))
	}
	return b.String()
}

// newTelling returns what tells of patterns, nil if some are too short.
func newTelling(patterns []string, beyondASCII bool) *telling {
	t := *whateverTokens()
	for _, p := range patterns {
		if len(p) < 3 {
			return nil
		}
		var text []string
		for _, b := range []byte(p[:min(len(p), 8)]) {
			either := bytesOf[b]
			if 'a' <= b && b <= 'z' {
				either += bytesOf[b^0x20]
			}
			text = append(text, either)
		}
		t.add(text...)
	}
	if beyondASCII { // marks are looked at, too
		t.add(byteRange(0xc2, 0xf4), goesOn)
	}
	return &t
}

// add adds the threes that a text has to have, of which each byte is one of
// several, wherever it begins among the three bytes that four sextets make.
func (t *telling) add(text ...string) {
	for phase := range 3 {
		var best []uint32
		bit, least := uint8(0), 0
		for most := 1 << 6; best == nil; most <<= 6 {
			for first := 0; first*6 < 8*(phase+len(text)); first++ {
				list := threes(text, phase, first, most)
				if w := weightOf(list); w > 0 && (least == 0 || w < least) {
					best, bit, least = list, 1<<((4-first%4)%4), w
				}
			}
		}
		for _, three := range best {
			t[three] |= bit
		}
	}
}

// weightOf says how often one of some threes may come: small letters are
// frequent, and so are rules and underlines, which repeat one character.
func weightOf(threes []uint32) (weight int) {
	for _, three := range threes {
		w := 1
		if three == three&63*0o010101 {
			w = 64
		}
		for range 3 {
			if s := three & 63; s >= 26 && s < 52 || s >= 62 {
				w *= 8
			}
			three >>= 6
		}
		weight += w
	}
	return weight
}

// threes returns all threes, beginning with a sextet, that a text may make which
// begins with the phase-th byte; none if they are more than so many.
func threes(text []string, phase, first, most int) (list []uint32) {
	var of [3][]uint32
	n := 1
	for i := range of {
		of[i] = parts(text, phase, first, i)
		if n *= len(of[i]); n > most {
			return nil
		}
	}
	list = make([]uint32, 0, n)
	for _, a := range of[0] {
		for _, b := range of[1] {
			for _, c := range of[2] {
				list = append(list, a|b|c)
			}
		}
	}
	return list
}

// parts returns what the i-th of the three bytes may be that a three is part of,
// as far as the three has its bits.
func parts(text []string, phase, first, i int) (list []uint32) {
	at := first*6/8 + i // of all bytes
	up := first*6 + threeBits - 8*(at+1)
	n := at - phase
	if n < 0 || n >= len(text) {
		return anyByte[up+8]
	}
	for _, b := range []byte(text[n]) {
		part := uint32(b) << max(0, up) >> max(0, -up) & anyThree
		if !slices.Contains(list, part) {
			list = append(list, part)
		}
	}
	return list
}

// anyByte has, by how far up the lowest bit of a byte is in a three, and 8, what
// it may be.
var anyByte = func() (lists [8 + threeBits][]uint32) {
	for i := range lists {
		up := i - 8
		for b := range uint32(256 >> max(0, -up, up+8-threeBits)) {
			lists[i] = append(lists[i], b<<max(0, up))
		}
	}
	return lists
}()

// goesOn has the bytes with which a character goes on.
var goesOn = byteRange(0x80, 0xbf)

// changing has the first two bytes of all characters that are left out of the
// plain view, or read otherwise there (TestChangingHasWhatIsReadOtherwise).
var changing = map[byte]string{
	0xc2: "\xa0\xa8\xaa\xad\xaf\xb2\xb3\xb4\xb5\xb8\xb9\xba\xbc\xbd\xbe",
	0xc4: "\xb2\xb3\xbf",
	0xc5: "\x80\x89\xbf",
	0xc7: "\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\xb1\xb2\xb3",
	0xca: "\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8",
	0xcb: "\x98\x99\x9a\x9b\x9c\x9d\xa0\xa1\xa2\xa3\xa4",
	0xcd: "\x80\x81\x83\x84\x8f\xb4\xba\xbe",
	0xce: "\x84\x85\x87",
	0xcf: "\x90\x91\x92\x93\x94\x95\x96\xb0\xb1\xb2\xb4\xb5\xb9",
	0xd6: "\x87",
	0xd8: "\x80\x81\x82\x83\x84\x85\x9c",
	0xd9: "\xb5\xb6\xb7\xb8",
	0xdb: "\x9d",
	0xdc: "\x8f",
	0xe0: "\xa2\xa3\xa5\xa7\xa8\xa9\xad\xb8\xba\xbb\xbc\xbd\xbe",
	0xe1: "\x83\x85\x9e\xa0\xb4\xb5\xb6\xba\xbd\xbe\xbf",
	0xe2: "\x80\x81\x82\x84\x85\x86\x88\x8c\x91\x92\x93\xa8\xa9\xab\xb1\xb5\xba\xbb\xbc\xbd\xbe\xbf",
	0xe3: "\x80\x82\x83\x84\x85\x86\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f",
	0xea: "\x9a\x9d\x9f\xad",
	0xef: "\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xab\xac\xad\xae\xaf\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf",
	0xf0: "\x90\x91\x93\x9b\x9d\x9e\x9f\xaf",
	0xf3: "\xa0",
}

package promotion

import (
	"sync/atomic"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// runeClass says what becomes of a character in the plain view.
type runeClass uint8

const (
	runeSame   runeClass = iota
	runeHidden           // left out
	runeMapped           // replaced by its form NFKC
	runeMark             // stays, may combine with what stands before it
)

// runePage is what becomes of 256 characters.
type runePage struct {
	class [256]runeClass
	text  [256]string
}

// runePages are filled as they are needed.
var runePages [(unicode.MaxRune + 1) >> 8]atomic.Pointer[runePage]

// samePage is shared by all pages on which nothing changes.
var samePage runePage

// plainOf returns what becomes of a character: its text if it is mapped.
//
// Taking each character for itself finds every ASCII token that NFKC of the
// whole text would show: to compose never makes ASCII characters.
func plainOf(r rune) (string, runeClass) {
	p := runePages[r>>8].Load()
	if p == nil {
		p = newRunePage(r &^ 0xff)
		runePages[r>>8].Store(p)
	}
	return p.text[r&0xff], p.class[r&0xff]
}

func newRunePage(first rune) *runePage {
	p, same := &runePage{}, true
	for i := range rune(256) {
		r := first + i
		s := string(r)
		switch normal := norm.NFKC.String(s); {
		case ignorable(r):
			p.class[i] = runeHidden
		case normal != s:
			p.class[i], p.text[i] = runeMapped, visible(normal)
		case !norm.NFKC.PropertiesString(s).BoundaryBefore():
			p.class[i] = runeMark
		default:
			continue
		}
		same = false
	}
	if same {
		return &samePage
	}
	return p
}

// ignorable tells of characters that aren't shown, or only change how others
// are: format characters, among them tags and bidi controls, variation
// selectors, and whatever else Unicode says to ignore by default.
func ignorable(r rune) bool {
	return r >= 0x80 && (unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Variation_Selector, r) ||
		0xe0000 <= r && r <= 0xe0fff)
}

package promotion

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hiddenClass is a set of the ways in which characters hide.
type hiddenClass uint8

const (
	hiddenBidi hiddenClass = 1 << iota
	hiddenTag
	hiddenZeroWidth
	hiddenSelector
	hiddenOther
)

var hiddenNames = []string{"bidi controls", "tag characters", "zero-width characters", "variation selectors", "characters that aren't drawn"}

// hiddenOf says how a character hides, 0 if it doesn't.
func hiddenOf(r rune) hiddenClass {
	switch {
	case 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return hiddenBidi
	case 0xe0000 <= r && r <= 0xe007f:
		return hiddenTag
	case 0x200b <= r && r <= 0x200d, r == 0x2060, r == 0xfeff:
		return hiddenZeroWidth
	}
	if r < 0x80 || !ignorable(r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return 0
	}
	if unicode.Is(unicode.Variation_Selector, r) {
		return hiddenSelector
	}
	return hiddenOther
}

// hiddenSecond has, for the first byte of each character that hides, a set of
// the lower 6 bits of its second.
var hiddenSecond = func() (t [256]uint64) {
	add := func(first, last, stride rune) {
		for r := first; r <= last; r += stride {
			if hiddenOf(r) != 0 {
				s := string(r)
				t[s[0]] |= 1 << (s[1] & 0x3f)
			}
		}
	}
	for _, table := range []*unicode.RangeTable{unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector} {
		for _, x := range table.R16 {
			add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
		for _, x := range table.R32 {
			add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
	}
	add(0xe0000, 0xe0fff, 1)
	return t
}()

const zeroWidthJoiner = 0x200d

// hiddenIn finds the runs of characters that don't show, and how many more than
// MaxReasons there are. Three pass: a byte order mark at the beginning, one
// zero-width joiner between two emoji, which makes one of them, and one
// variation selector behind a character that may have one. In scripts that need
// joiners they are found, too.
func hiddenIn(f File) (found []Finding, more int) {
	at := position{data: f.Data}
	start := 0
	if bytes.HasPrefix(f.Data, []byte("\ufeff")) {
		start = len("\ufeff")
	}
	for i := nextHidden(f.Data, start); i < len(f.Data); i = nextHidden(f.Data, i) {
		if n := selected(f.Data, i); n > 0 {
			i += n
			continue
		}
		end, classes, text := hiddenRun(f.Data, i)
		if end == 0 {
			i++
			continue
		}
		if !(string(f.Data[i:end]) == string(rune(zeroWidthJoiner)) && betweenEmoji(f.Data, i, end)) {
			if len(found) < MaxReasons {
				line, col := at.of(i)
				found = append(found, Finding{
					Kind: KindHidden, File: f.Path, Line: line, Col: col, Offset: i, Length: end - i,
					Detail: hiddenDetail(classes, utf8.RuneCount(f.Data[i:end]), text),
				})
			} else {
				more++
			}
		}
		i = end
	}
	return found, more
}

// nextHidden returns the first place, from i on, at which a character that
// hides may begin.
func nextHidden(data []byte, i int) int {
	for ; i < len(data); i++ {
		i = skipASCII(data, i)
		for i+8 <= len(data) {
			top := binary.LittleEndian.Uint64(data[i:]) & tops
			if top != 0 {
				i += bits.TrailingZeros64(top) / 8
				break
			}
			i += 8
		}
		if i+1 < len(data) && data[i+1]&0xc0 == 0x80 && hiddenSecond[data[i]]>>(data[i+1]&0x3f)&1 != 0 {
			return i
		}
	}
	return len(data)
}

// maxSpelled is how many characters of what tags spell are shown.
const maxSpelled = 60

// hiddenRun returns where the run that begins at i ends, 0 if none does, and
// what its tag characters spell.
func hiddenRun(data []byte, i int) (end int, classes hiddenClass, text string) {
	var spelled []byte
	for i < len(data) {
		r, size := utf8.DecodeRune(data[i:])
		c := hiddenOf(r)
		if c == 0 {
			break
		}
		if 0xe0020 <= r && r <= 0xe007e && len(spelled) <= maxSpelled {
			spelled = append(spelled, byte(r-0xe0000))
		}
		classes |= c
		i += size
		end = i
	}
	if len(spelled) > maxSpelled {
		return end, classes, string(spelled[:maxSpelled]) + " …"
	}
	return end, classes, string(spelled)
}

func hiddenDetail(classes hiddenClass, n int, spelled string) string {
	var names []string
	for i, name := range hiddenNames {
		if classes&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	detail := fmt.Sprintf("text that doesn't show: %s, %d in a row", strings.Join(names, ", "), n)
	if spelled != "" {
		detail += fmt.Sprintf("; the tags spell %q", spelled)
	}
	return detail
}

// selected returns the length of the variation selector at i, if it is the only
// one there and stands behind a character that may have one: a digit or sign of
// a key, or one beyond ASCII that shows. It is 0 otherwise.
func selected(data []byte, i int) int {
	r, size := utf8.DecodeRune(data[i:])
	if !unicode.Is(unicode.Variation_Selector, r) {
		return 0
	}
	if next, _ := utf8.DecodeRune(data[i+size:]); unicode.Is(unicode.Variation_Selector, next) {
		return 0
	}
	before, _ := utf8.DecodeLastRune(data[:i])
	if before < 0x80 && before != '#' && before != '*' && (before < '0' || before > '9') || before == utf8.RuneError || unicode.IsSpace(before) || hiddenOf(before) != 0 {
		return 0
	}
	return size
}

// betweenEmoji reports whether data[i:end] stands directly between two emoji.
func betweenEmoji(data []byte, i, end int) bool {
	before, size := utf8.DecodeLastRune(data[:i])
	// What says to show a sign as an emoji, or in which colour, belongs to it.
	for n := 0; n < 2 && (before == 0xfe0f || 0x1f3fb <= before && before <= 0x1f3ff); n++ {
		i -= size
		before, size = utf8.DecodeLastRune(data[:i])
	}
	after, _ := utf8.DecodeRune(data[end:])
	return emoji(before) && emoji(after)
}

// emoji tells, roughly, of the blocks that emoji which are joined are in.
func emoji(r rune) bool {
	return 0x1f300 <= r && r <= 0x1faff || 0x2600 <= r && r <= 0x27bf || 0x2b00 <= r && r <= 0x2bff || 0x2190 <= r && r <= 0x21ff
}

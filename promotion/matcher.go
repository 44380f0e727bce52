package promotion

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/coregx/ahocorasick"
	"golang.org/x/text/unicode/norm"
)

// matcher finds all occurrences of the denylist's tokens in bytes, overlapping
// ones included, ASCII letters of either case taken for the same. It is
// immutable.
//
// The automaton does the finding. Before it stands a filter that lets most of
// ordinary text pass without it, and that errs to one side only: it may ask the
// automaton in vain, and never lets a token pass (FuzzMatcherEqualsNaive).
type matcher struct {
	tokens []Token // sorted by kind, the most severe first, then by text
	ranks  []uint8 // of the tokens' kinds
	forms  []int32 // for each pattern of the automaton, whose form it is
	auto   *ahocorasick.Automaton
	maxLen int // of the longest pattern

	// dense is set by a token of fewer than 3 bytes: nothing can be passed over.
	dense bool
	// grams are the hashes of 4 bytes that tell of a pattern: of those that it
	// begins with, and of those one byte on, or one byte before if it is short.
	// So it is enough to look at every other byte.
	grams bitset
	// starts has, by the top of such a hash, where a pattern may begin: one byte
	// before, there, and one byte on; and as bits, how many of its bytes
	// prefixes has, less one.
	starts   [3][1 << topBits]uint8
	prefixes bitset // hashes of up to 8 bytes that patterns begin with
	// patterns has, by the top of such a hash, the patterns themselves; none if
	// they are too many to be compared.
	patterns [1 << topBits][]string
	// beyondASCII is set if a pattern has such characters, backslash if one ends
	// with it: then views that need not be looked at otherwise, must.
	beyondASCII, backslash bool
	// telling tells of what may be decoded to a pattern, or to what another view
	// shows as one; nil: anything may.
	telling *telling
}

// bitset is a set of hashes. It has 32 KiB, as much as the fastest memory that
// every processor has, and is so thinly filled that most of text has none.
type bitset [1 << (hashBits - 6)]uint64

func (b *bitset) add(h uint32)      { b[h>>6] |= 1 << (h & 63) }
func (b *bitset) has(h uint32) bool { return b[h>>6]&(1<<(h&63)) != 0 }

// Hashes are of bytes with 0x20 set, which makes letters of either case the
// same. It makes a few other bytes the same, too; the automaton tells them
// apart.
const (
	hashBits = 18
	topBits  = 12 // of the top of a hash
	belowTop = hashBits - topBits

	lower4 = 0x20202020
	lower8 = 0x2020202020202020
)

// lowered4 returns the first 4 bytes with 0x20 set.
func lowered4(data []byte) uint64 { return uint64(binary.LittleEndian.Uint32(data) | lower4) }

// hash4 is of the lowest 4 bytes, which must have 0x20 set.
func hash4(w uint64) uint32 { return uint32(w) * 0x9e3779b1 >> (32 - hashBits) }

// hash8 is of the lowest n bytes.
func hash8(w uint64, n int) uint32 {
	return uint32(((w|lower8)<<(64-8*n) + uint64(n)) * 0x9e3779b97f4a7c15 >> 47)
}

// newMatcher takes tokens that are valid, see [NewScanner].
func newMatcher(tokens []Token) (*matcher, error) {
	m := &matcher{}
	forms := map[string][]string{}
	for _, t := range tokens {
		text := foldString(t.Text)
		if forms[text] == nil { // the floor's kind and reason stay
			m.tokens = append(m.tokens, Token{text, t.Kind, t.Why})
		}
		forms[text] = append(forms[text], patternForms(t.Text)...)
	}
	slices.SortFunc(m.tokens, func(a, b Token) int {
		return cmp.Or(cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)), strings.Compare(a.Text, b.Text))
	})
	build := ahocorasick.NewBuilder()
	var patterns []string
	for i, t := range m.tokens {
		m.ranks = append(m.ranks, uint8(kindRank(t.Kind)))
		all := forms[t.Text]
		slices.Sort(all)
		for _, form := range slices.Compact(all) {
			build.AddPattern([]byte(form))
			m.forms = append(m.forms, int32(i))
			m.add(form)
			patterns = append(patterns, form)
		}
	}
	m.telling = newTelling(patterns, m.beyondASCII)
	var err error
	if m.auto, err = build.Build(); err != nil {
		return nil, fmt.Errorf("denylist: %w", err)
	}
	return m, nil
}

// patternForms are the texts that are searched for a token: itself, and as it
// reads in the normalised view, where a capital may have become one letter with
// its mark.
func patternForms(token string) []string {
	var forms []string
	folded := foldString(token)
	for _, form := range []string{folded, foldString(visible(norm.NFKC.String(token))), foldString(visible(norm.NFKC.String(folded)))} {
		if form != "" && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// add lets the filter stop at a pattern.
func (m *matcher) add(pattern string) {
	m.maxLen = max(m.maxLen, len(pattern))
	m.beyondASCII = m.beyondASCII || strings.ContainsFunc(pattern, func(r rune) bool { return r >= 0x80 })
	m.backslash = m.backslash || strings.HasSuffix(pattern, `\`)
	if len(pattern) < 3 {
		m.dense = true
		return
	}
	var b [8]byte
	n := copy(b[:], pattern)
	w := binary.LittleEndian.Uint64(b[:])
	m.prefixes.add(hash8(w, n))
	if list := &m.patterns[hash8(w, n)>>belowTop]; len(*list) < tooMany {
		*list = append(*list, pattern)
	}
	gram := func(at int, w uint32) {
		h := hash4(uint64(w | lower4))
		m.grams.add(h)
		m.starts[at][h>>belowTop] |= 1 << (n - 1)
	}
	const on, there, before = 0, 1, 2 // where the gram is, as seen from the pattern
	switch low := uint32(w); {
	case n > 4:
		gram(there, low)
		gram(on, uint32(w>>8))
	case n == 4:
		gram(there, low)
		for c := range uint32(256) { // whatever stands before it
			gram(before, low<<8|c)
		}
	default:
		for c := range uint32(256) {
			gram(before, low<<8|c)
			gram(there, low|c<<24)
		}
	}
}

// begins reports whether data, of at least 8 bytes, may begin with a pattern, if
// it is one whose prefix has one of the lengths.
func (m *matcher) begins(data []byte, lengths uint8) bool {
	w := binary.LittleEndian.Uint64(data)
	for ; lengths != 0; lengths &= lengths - 1 {
		h := hash8(w, bits.TrailingZeros8(lengths)+1)
		if !m.prefixes.has(h) {
			continue
		}
		list := m.patterns[h>>belowTop]
		if len(list) == tooMany {
			return true
		}
		for _, p := range list {
			if hasFoldedPrefix(data, p) {
				return true
			}
		}
	}
	return false
}

// tooMany is how many patterns are too many to be compared one by one.
const tooMany = 8

// hasFoldedPrefix reports whether data begins with a pattern.
func hasFoldedPrefix(data []byte, pattern string) bool {
	if len(data) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if folded[data[i]] != pattern[i] {
			return false
		}
	}
	return true
}

// next returns the first place, from pos on, at which a pattern may begin, and
// len(data) if there is none.
func (m *matcher) next(data []byte, pos int) int {
	if m.dense {
		return pos
	}
	i := pos
	for i = m.nextGram(data, i); i+9 <= len(data); i = m.nextGram(data, i+2) {
		if p := m.start(data, pos, i); p >= 0 {
			return p
		}
	}
	// The last few bytes aren't worth a filter. A pattern that begins before i
	// may have its gram at i.
	if i = max(min(i, len(data)-8)-1, pos); len(data)-i < 3 {
		return len(data)
	}
	return i
}

// nextGram returns the next place, of every other one from i on, that has the
// gram of a pattern, or one of the last 8 bytes.
func (m *matcher) nextGram(data []byte, i int) int {
	for ; i+12 <= len(data); i += 8 {
		b := data[i : i+12]
		low, high := binary.LittleEndian.Uint64(b)|lower8, binary.LittleEndian.Uint64(b[4:])|lower8
		switch {
		case m.grams.has(hash4(low)):
			return i
		case m.grams.has(hash4(low >> 16)):
			return i + 2
		case m.grams.has(hash4(high)):
			return i + 4
		case m.grams.has(hash4(high >> 16)):
			return i + 6
		}
	}
	for i+8 <= len(data) && !m.grams.has(hash4(lowered4(data[i:]))) {
		i += 2
	}
	return i
}

// start returns where, from pos on, the pattern may begin whose gram may be at
// i, -1 if nowhere. There must be 9 bytes.
func (m *matcher) start(data []byte, pos, i int) int {
	h := hash4(lowered4(data[i:])) >> belowTop
	if l := m.starts[0][h]; l != 0 && i > pos && m.begins(data[i-1:], l) {
		return i - 1
	}
	if l := m.starts[1][h]; l != 0 && m.begins(data[i:], l) {
		return i
	}
	if l := m.starts[2][h]; l != 0 && m.begins(data[i+1:], l) {
		return i + 1
	}
	return -1
}

// The automaton is given windows. They grow while one follows the other, as
// they do in text that is made of tokens.
const (
	minWindow = 8
	maxWindow = 32 << 10
)

// each calls found for every occurrence, with the index of the token and the
// first byte and the one after the last. They come in no order. window is
// scratch memory for reuse.
func (m *matcher) each(data []byte, window *[]byte, found func(token, start, end int)) {
	size := minWindow
	for pos := m.next(data, 0); pos < len(data); {
		end := min(pos+size, len(data)) // of where tokens may begin
		*window = appendFolded((*window)[:0], data[pos:min(end+m.maxLen-1, len(data))])
		for _, o := range m.auto.FindAllOverlapping(*window) {
			if pos+o.Start < end {
				found(int(m.forms[o.PatternID]), pos+o.Start, pos+o.End)
			}
		}
		pos = m.next(data, end)
		if pos-end < size {
			size = min(2*size, maxWindow)
		} else {
			size = minWindow
		}
	}
}

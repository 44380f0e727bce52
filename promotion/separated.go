package promotion

import "encoding/binary"

// Hexadecimal with something between the bytes: 63 75 72 6c, 0x63, 0x75,
// 63:75, 6375 726c, a list of quoted ones.

// sepClass says what a byte can be in such a run.
var sepClass = func() (t [256]uint8) {
	for i := range t {
		if digitOf[i] < 16 {
			t[i] = sepDigit
		}
	}
	for _, c := range " \t\r\n,;:.-_|/\\\"'`(){}[]<>#*&$+" {
		t[c] = sepBetween
	}
	t['x'], t['X'] = sepPrefix, sepPrefix
	return t
}()

const (
	sepDigit = iota + 1
	sepBetween
	sepPrefix // x of 0x
)

// nextSeparated returns the next stretch, from pos on, of nothing but hex
// digits and what may stand between and before them; an empty one behind the
// last. Of so many bytes, some 8 are a word that is looked at, with a decimal
// digit in it: every ASCII character has one.
func nextSeparated(data []byte, pos int) (start, end int) {
	for i := pos; i+8 <= len(data); i += 8 {
		for i+32 <= len(data) {
			b := data[i : i+32]
			if otherLetters(binary.LittleEndian.Uint64(b)) == 0 ||
				otherLetters(binary.LittleEndian.Uint64(b[8:])) == 0 ||
				otherLetters(binary.LittleEndian.Uint64(b[16:])) == 0 ||
				otherLetters(binary.LittleEndian.Uint64(b[24:])) == 0 {
				break
			}
			i += 32
		}
		if i+8 > len(data) {
			break
		}
		w := binary.LittleEndian.Uint64(data[i:])
		if otherLetters(w) != 0 || noDecimal(w) || !separatedWord(data[i:i+8]) {
			continue
		}
		start, end = i, i+8
		for start > pos && sepClass[data[start-1]] != 0 {
			start--
		}
		for end < len(data) && sepClass[data[end]] != 0 {
			end++
		}
		if end-start >= minRun {
			return start, end
		}
		pos = end
		i = end - 8
	}
	return len(data), len(data)
}

// otherLetters is 0 if none of 8 bytes is a letter from h to w: text has them
// almost everywhere. It takes no other ASCII for one.
func otherLetters(w uint64) uint64 {
	// 10…: h to o, and 01…: p to w, after a set bit that letters have.
	return (w ^ w<<1) & (w >> 2) & (0x10 * ones)
}

// noDecimal reports that none of 8 bytes is a decimal digit. It takes a few
// signs for one.
func noDecimal(w uint64) bool {
	const high, threes = 0xf0 * ones, 0x30 * ones
	w = w&high ^ threes
	return (w-ones)&^w&tops == 0 // no byte is 0
}

// separatedWord reports whether 8 bytes may be part of such a run: they have
// digits and what stands between them, and nothing else.
func separatedWord(word []byte) bool {
	digits, between := false, false
	for _, b := range word {
		switch sepClass[b] {
		case 0:
			return false
		case sepDigit:
			digits = true
		default:
			between = true
		}
	}
	return digits && between
}

// separated looks at what such runs of a piece decode to.
func (v *views) separated(p *piece) {
	var d *decoder
	for start, end := nextSeparated(p.data, 0); start < end; start, end = nextSeparated(p.data, end) {
		if p.edited() && len(p.touched(start, end)) == 0 {
			continue // its parent has it, too
		}
		if d == nil {
			d = v.newDecoder(p)
		}
		d.separated(start, end)
	}
	if d != nil {
		d.flush()
		v.decoders = append(v.decoders, d)
	}
}

// separated decodes the groups of digits in data[start:end] of the parent, of
// which each must be whole bytes.
func (d *decoder) separated(start, end int) {
	data := d.out.parent.data
	from, to, groups := start, start, 0
	var text []byte
	done := func() {
		// What stands in a row, without anything between, is decoded elsewhere.
		if groups > 1 && to-from >= minRun {
			d.begin(from, to, wayHex)
			d.out.data = append(d.out.data, text...)
			if len(d.out.data) >= chunk {
				d.flush()
			}
		}
	}
	for i := start; i < end; {
		if sepClass[data[i]] != sepDigit {
			i++
			continue
		}
		if groups == 0 {
			from, text = i, text[:0]
		}
		begin := i
		if data[i] == '0' && i+2 < end && sepClass[data[i+1]] == sepPrefix && sepClass[data[i+2]] == sepDigit {
			i += 2
		}
		first := i
		for i < end && sepClass[data[i]] == sepDigit {
			i++
		}
		switch n := i - first; {
		case n%2 == 0:
			for k := first; k < i; k += 2 {
				text = append(text, digitOf[data[k]]<<4|digitOf[data[k+1]])
			}
			groups++
		case n == 1 && first > begin: // 0x9
			text = append(text, digitOf[data[first]])
			groups++
		default:
			done()
			groups = 0
			continue
		}
		if to = i; len(text) >= chunk {
			done()
			keep := min(len(text), encoded*d.views.m.maxLen)
			text = append(text[:0], text[len(text)-keep:]...)
		}
	}
	done()
}

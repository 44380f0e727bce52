package promotion

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// minRun is how long an encoded run is at least.
const minRun = 16

// byteClass says what a byte can be in an encoded run.
type byteClass uint8

const (
	classOther byteClass = iota
	classCode            // of the alphabet of base64, which has that of hex
	classPad             // =
	classEnd             // a line end
	classBlank           // may stand beside a line end: indentation, and what quotes, comments and texts begin or end with
)

const (
	notSextet = 64 // left out
	padSextet = 65
)

// classOf and sextetOf are what a byte is in an encoded run, the latter for both
// alphabets of base64. isEncoding tells what text that stands for other text is
// made of.
var (
	classOf    [256]byteClass
	sextetOf   [256]byte
	isEncoding [256]bool
	inRun      [256]bool // of the alphabet, or =
)

// nibbleOf is what a character of base64, given by its value, is in hex: 255 if
// it isn't a digit there.
var nibbleOf [64]byte

func init() {
	for i := range sextetOf {
		sextetOf[i] = notSextet
	}
	alphabet := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(alphabet) {
		c := alphabet[i]
		classOf[c], sextetOf[c], nibbleOf[i] = classCode, byte(i), digitOf[c]
	}
	classOf['-'], sextetOf['-'] = classCode, 62
	classOf['_'], sextetOf['_'] = classCode, 63
	classOf['='], sextetOf['='] = classPad, padSextet
	classOf['\n'], classOf['\r'] = classEnd, classEnd
	for _, c := range " \t>#*|\"'`,\\" {
		classOf[c] = classBlank
	}
	for i := range isEncoding {
		inRun[i] = classOf[i] == classCode || classOf[i] == classPad
		isEncoding[i] = inRun[i] || classOf[i] == classEnd
	}
	for _, c := range `%\&#;{}` {
		isEncoding[c] = true
	}
}

// runFinder finds the stretches that are made of nothing but an alphabet's
// characters and line ends with blanks beside them, and long enough.
type runFinder struct {
	data []byte
	pos  int // up to where the stretches were found
	line int // up to where line ends were looked at
	row  int // where the next row begins that is long enough by itself
	cr   int // where the next carriage return is that ends a line by itself
}

// next returns the next stretch, an empty one behind the last.
func (f *runFinder) next() (start, end int) {
	if f.row <= f.pos {
		f.row = nextRow(f.data, f.pos)
	}
	for f.line = max(f.line, f.pos); f.line < f.row; f.line = max(f.line+1, f.pos) {
		f.line = f.lineEnd(f.line)
		if f.line >= f.row {
			break
		}
		if !mayJoin(f.data, f.line) {
			continue
		}
		if start, end = f.joined(f.line); start < end {
			return f.found(start, end)
		}
	}
	if f.row == len(f.data) {
		f.pos = len(f.data)
		return f.pos, f.pos
	}
	end, _ = extend(f.data, f.row)
	return f.found(f.row, end)
}

// lineEnd returns where the next line ends before the next row, from i on: at a
// line feed, or at a carriage return without one. Few texts have the latter, so
// it is looked for once.
func (f *runFinder) lineEnd(i int) int {
	for f.cr < len(f.data) && (f.cr < i || f.data[f.cr] != '\r' || f.cr+1 < len(f.data) && f.data[f.cr+1] == '\n') {
		from := max(f.cr+1, i)
		n := bytes.IndexByte(f.data[min(from, len(f.data)):], '\r')
		if n < 0 {
			f.cr = len(f.data)
			break
		}
		f.cr = from + n
	}
	end := min(f.cr, f.row)
	if end <= i {
		return end
	}
	if n := bytes.IndexByte(f.data[i:end], '\n'); n >= 0 {
		return i + n
	}
	return end
}

// nextRow returns where the next minRun bytes of a run begin, from i on, and
// nothing else between them; the end if there are none. So many have, wherever
// they begin, some 8 among them that are one of the words that are looked at.
func nextRow(data []byte, i int) int {
	for k := i; k+8 <= len(data); k += 8 {
		if notInRun(binary.LittleEndian.Uint64(data[k:k+8])) != 0 {
			continue
		}
		start, end := k, k
		for start > i && inRun[data[start-1]] {
			start--
		}
		for end < len(data) && end-start < minRun && inRun[data[end]] {
			end++
		}
		if end-start >= minRun {
			return start
		}
	}
	return len(data)
}

// found returns a stretch without the blanks and line ends around it.
func (f *runFinder) found(start, end int) (int, int) {
	f.pos = end
	for !inRun[f.data[end-1]] {
		end--
	}
	return start, end
}

// wordAt returns the 8 bytes at i, 0 where there are none.
func wordAt(data []byte, i int) (w uint64) {
	if i+8 <= len(data) {
		return binary.LittleEndian.Uint64(data[i : i+8])
	}
	for n, b := range data[i:] {
		w |= uint64(b) << (8 * n)
	}
	return w
}

// firstInRun is the lowest byte of those in a run.
const firstInRun = '+'

// notInRun has the highest bit set of most of the bytes of w that aren't in a
// run: those below the first, dots, and those beyond ASCII.
func notInRun(w uint64) uint64 {
	return (^(w|tops-firstInRun*ones)|w)&tops | exactZeros(w^'.'*ones)
}

// exactZeros has the highest bit set of the bytes of w that are 0.
func exactZeros(w uint64) uint64 { return ^((w&^tops + ^uint64(tops)) | w) & tops }

// mayJoin reports whether a stretch may go across the line end at i. It says no
// at most of them, where lines of ordinary text meet.
func mayJoin(data []byte, i int) bool {
	const far = 8 // of blanks
	if i < far+10 || i+far+11 > len(data) {
		return true
	}
	if data[i-1] == '\n' {
		return false // what goes across two line ends goes across the first
	}
	before, after := i-1, i+1
	for classOf[data[before]] >= classEnd {
		if before--; before < i-far {
			return true
		}
	}
	for classOf[data[after]] >= classEnd {
		if after++; after > i+far {
			return true
		}
	}
	if classOf[data[before]] == classOther || classOf[data[after]] == classOther {
		return false
	}
	// Words of fewer than 8 bytes, with no line end beyond them.
	m := bits.LeadingZeros64(notInRun(wordAt(data, before-7))) / 8
	n := bits.TrailingZeros64(notInRun(wordAt(data, after))) / 8
	return m%8 == 0 || n%8 == 0 ||
		mayEnd(data[before-m], data[before-m-1]) || mayEnd(data[after+n], data[after+n+1])
}

// mayEnd reports whether a line may end at the first of two bytes, or in what
// blanks begin there.
func mayEnd(b, next byte) bool {
	return classOf[b] == classEnd || classOf[b] == classBlank && classOf[next] >= classEnd
}

// joined returns the stretch across the line end at i, an empty one if there is
// none, or none that is long enough.
func (f *runFinder) joined(i int) (start, end int) {
	if i < f.pos {
		return i, i // of a stretch that isn't long enough
	}
	data := f.data
	for start = i; start > f.pos && classOf[data[start-1]] >= classEnd; {
		start--
	}
	coded := start
	for start > f.pos && inRun[data[start-1]] {
		start--
	}
	if coded -= start; coded == 0 {
		f.pos = i + 1 // it would begin in the next line
		return i, i
	}
	end, more := extend(data, i)
	if coded+more >= minRun {
		return start, end
	}
	f.pos = end
	return i, i
}

// extend returns where the stretch ends that goes on at end, and how many bytes
// of a run there are up to there.
func extend(data []byte, end int) (to, coded int) {
	for end < len(data) {
		if inRun[data[end]] {
			end++
			coded++
			continue
		}
		n, ends := blanks(data, end)
		if !ends {
			break
		}
		end += n
	}
	return end, coded
}

// blanks returns how long the blanks and line ends at i are, and whether there
// is a line end among them.
func blanks(data []byte, i int) (n int, ends bool) {
	for i+n < len(data) && classOf[data[i+n]] >= classEnd {
		ends = ends || classOf[data[i+n]] == classEnd
		n++
	}
	return n, ends
}

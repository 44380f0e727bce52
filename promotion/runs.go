package promotion

import (
	"bytes"
	"encoding/binary"
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
	// The next stretch without line ends, and the next with: where they begin,
	// before pos if that isn't known, and where the latter ends.
	pure, line, lineEnd int
}

// next returns the next stretch, an empty one behind the last.
func (f *runFinder) next() (start, end int) {
	if f.pure < f.pos {
		f.pure = nextPure(f.data, f.pos)
	}
	if f.line < f.pos {
		f.line, f.lineEnd = nextLines(f.data, f.pos)
	}
	switch {
	case f.line <= f.pure:
		start, end = f.line, f.lineEnd
	default:
		start = f.pure
		for end = start + minRun; end < len(f.data) && inRun[f.data[end]]; {
			end++
		}
	}
	f.pos = end
	if start < end {
		for !inRun[f.data[start]] {
			start++
		}
		for !inRun[f.data[end-1]] {
			end--
		}
	}
	return start, end
}

// nextPure returns where, from pos on, the next minRun bytes of an alphabet
// begin, len(data) if nowhere. Of so many, one of the words of 8 bytes that it
// looks at has nothing else.
func nextPure(data []byte, pos int) int {
	const below, dots = '+' * ones, '.' * ones // nothing below + is in a run
	for i := pos; i+8 <= len(data); i += 8 {
		w := binary.LittleEndian.Uint64(data[i : i+8])
		if (w-below)&^w&tops|zeros(w^dots) != 0 || !inRunAll(data[i:i+8]) {
			continue
		}
		start, end := i, i+8
		for start > pos && inRun[data[start-1]] {
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

func inRunAll(data []byte) bool {
	for _, b := range data {
		if !inRun[b] {
			return false
		}
	}
	return true
}

// nextLines returns the next stretch, from pos on, with line ends in it.
func nextLines(data []byte, pos int) (start, end int) {
	for at := pos; ; at++ {
		n := bytes.IndexByte(data[at:], '\n')
		if n < 0 {
			return len(data), len(data)
		}
		at += n
		start, end = at, at+1
		for start > pos && classOf[data[start-1]] >= classEnd {
			start--
		}
		if start == pos || !inRun[data[start-1]] {
			pos = at + 1 // it would begin in the next line
			continue
		}
		for end < len(data) && classOf[data[end]] >= classEnd {
			end++
		}
		coded := 0
		for start > pos && inRun[data[start-1]] {
			start--
			coded++
		}
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
		if coded >= minRun {
			return start, end
		}
		pos, at = end, end-1
	}
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

package promotion

import "bytes"

// Encoded runs: base64 and hexadecimal.

// minRun is how long an encoded run is at least.
const minRun = 16

// byteClass says what a byte can be in an encoded run.
type byteClass uint8

const (
	classOther byteClass = iota
	classCode            // of the alphabet of base64, which has that of hex
	classPad             // =
	classEnd             // a line end
	classBlank           // may stand beside a line end: indentation, and what quotes and comments begin with
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
	for _, c := range " \t>#*|" {
		classOf[c] = classBlank
	}
	for i := range isEncoding {
		isEncoding[i] = classOf[i] == classCode || classOf[i] == classPad || classOf[i] == classEnd
	}
	for _, c := range `%\&#;{}` {
		isEncoding[c] = true
	}
}

// nextRun returns the next stretch, from pos on, that is made of nothing but an
// alphabet's characters and line ends with blanks beside them, and long enough.
// It looks at every 16th byte and from there back.
func nextRun(data []byte, pos int) (start, end int) {
next:
	for i := pos + minRun - 1; i < len(data); i = pos + minRun - 1 {
		for j := i; j >= pos; j-- {
			switch classOf[data[j]] {
			case classOther:
				pos = j + 1
				continue next
			case classEnd:
				for j > pos && classOf[data[j-1]] >= classEnd {
					j--
				}
			case classBlank:
				k := j
				for k > pos && classOf[data[k-1]] == classBlank {
					k--
				}
				if k == pos || classOf[data[k-1]] != classEnd {
					// A blank that ends a line, if the line end comes behind i.
					if n, ends := blanks(data, j); !ends {
						pos = j + n
						continue next
					}
				}
				j = k
			}
		}
		start, end = pos, i+1
		coded := 0
		for end < len(data) {
			c := classOf[data[end]]
			if c == classOther {
				break
			}
			if c >= classEnd {
				n, ends := blanks(data, end)
				if !ends {
					break
				}
				end += n
				continue
			}
			end++
		}
		for _, b := range data[start:end] {
			if classOf[b] <= classPad { // there is no other byte in it
				coded++
			}
		}
		if coded >= minRun {
			for classOf[data[start]] >= classEnd {
				start++
			}
			for classOf[data[end-1]] >= classEnd {
				end--
			}
			return start, end
		}
		pos = end
	}
	return len(data), len(data)
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

// decoder builds a piece from encoded runs, many short ones to a piece.
type decoder struct {
	views *views
	out   piece
	code  []byte // the sextets of a run, as far as they weren't decoded
	last  []byte // those that were decoded before them
}

// separator stands between decoded runs. No token has a control character, no
// view leaves this one out.
const separator = 1

// decode looks at what the encoded runs of a piece decode to.
func (v *views) decode(p *piece) {
	var d *decoder
	for pos := 0; ; {
		start, end := nextRun(p.data, pos)
		if start == len(p.data) {
			break
		}
		pos = end
		if p.edited() && len(p.touched(start, end)) == 0 {
			continue // its parent has it, too
		}
		if d == nil {
			d = v.newDecoder(p)
		}
		d.run(start, end)
	}
	if d != nil {
		d.flush()
		v.decoders = append(v.decoders, d)
	}
}

func (v *views) newDecoder(p *piece) *decoder {
	var d *decoder
	if n := len(v.decoders); n > 0 {
		d, v.decoders = v.decoders[n-1], v.decoders[:n-1]
	} else {
		d = &decoder{views: v}
	}
	d.out = piece{data: d.out.data[:0], runs: d.out.runs[:0], parent: p, depth: p.depth + 1, decoded: true}
	return d
}

// run decodes data[start:end] of the parent, block by block. Blocks overlap by
// as much as an encoded token may take.
func (d *decoder) run(start, end int) {
	overlap := (encoded*d.views.m.maxLen + 3) &^ 3
	block := max(chunk/8, 2*overlap)
	d.code, d.last = d.code[:0], d.last[:0]
	for _, b := range d.out.parent.data[start:end] {
		switch s := sextetOf[b]; s {
		case notSextet:
		case padSextet:
			d.block(start, end)
			d.code = d.code[:0]
		default:
			if d.code = append(d.code, s); len(d.code) == block {
				d.block(start, end)
				d.code = d.code[:copy(d.code, d.code[block-overlap:])]
			}
		}
	}
	d.block(start, end)
}

// block decodes the sextets in each way and at each alignment.
func (d *decoder) block(start, end int) {
	code := d.code
	if len(code) < 4 || bytes.Equal(code, d.last) {
		return // the same text again shows the same tokens, at the same place
	}
	if len(code) > minRun*64 {
		d.last = append(d.last[:0], code...)
	}
	for align := range 4 {
		d.begin(start, end, wayBase64)
		d.out.data = appendBase64(d.out.data, code[align:])
	}
	for from := 0; from < len(code); from++ {
		to := from
		for to < len(code) && nibbleOf[code[to]] != 255 {
			to++
		}
		if to-from >= minRun {
			for align := range 2 {
				d.begin(start, end, wayHex)
				d.out.data = appendHex(d.out.data, code[from+align:to])
			}
		}
		from = to
	}
	if len(d.out.data) >= chunk {
		d.flush()
	}
}

// begin begins what data[start:end] of the parent decodes to.
func (d *decoder) begin(start, end int, w ways) {
	d.out.data = append(d.out.data, separator)
	d.out.runs = append(d.out.runs, run{len(d.out.data), start, end, w})
}

func (d *decoder) flush() {
	if len(d.out.data) > 0 {
		d.views.look(&d.out)
	}
	d.out.data, d.out.runs = d.out.data[:0], d.out.runs[:0]
}

// appendBase64 appends what sextets decode to, bits that make no byte left out.
func appendBase64(dst, code []byte) []byte {
	for ; len(code) >= 4; code = code[4:] {
		w := uint32(code[0])<<18 | uint32(code[1])<<12 | uint32(code[2])<<6 | uint32(code[3])
		dst = append(dst, byte(w>>16), byte(w>>8), byte(w))
	}
	switch len(code) {
	case 2:
		dst = append(dst, code[0]<<2|code[1]>>4)
	case 3:
		dst = append(dst, code[0]<<2|code[1]>>4, code[1]<<4|code[2]>>2)
	}
	return dst
}

// appendHex appends what hex digits, given as sextets, decode to.
func appendHex(dst, code []byte) []byte {
	for ; len(code) >= 2; code = code[2:] {
		dst = append(dst, nibbleOf[code[0]]<<4|nibbleOf[code[1]])
	}
	return dst
}

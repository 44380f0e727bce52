package promotion

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// Encoded runs: base64 and hexadecimal.

// decoder builds a piece from encoded runs, many short ones to a piece.
type decoder struct {
	views *views
	out   piece
	code  []byte // memory for the sextets of a run
	last  []byte // those that were decoded last
}

// separator stands between decoded runs. No token has a control character, no
// view leaves this one out.
const separator = 1

// decode looks at what the encoded runs of a piece decode to.
func (v *views) decode(p *piece) {
	var d *decoder
	f := runFinder{data: p.data}
	for start, end := f.next(); start < end; start, end = f.next() {
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
		d.out.data = make([]byte, 0, min(2*chunk, 4*len(p.data)))
	}
	d.out = piece{data: d.out.data[:0], runs: d.out.runs[:0], parent: p, depth: p.depth + 1, decoded: true}
	return d
}

// period is a multiple of most small numbers: blocks of a text that repeats
// itself are the same, and only the first of them needs to be decoded.
const period = 5040

// run decodes data[start:end] of the parent, block by block. Blocks overlap by
// as much as an encoded token may take.
func (d *decoder) run(start, end int) {
	overlap := encoded * d.views.m.maxLen
	block := (overlap/period+1)*period + overlap
	if cap(d.code) < block {
		d.code = make([]byte, 0, block)
	}
	d.last = d.last[:0]
	code, n := d.code[:block], 0
	for _, b := range d.out.parent.data[start:end] {
		s := sextetOf[b]
		if s < 64 {
			code[n] = s
			if n++; n == block {
				d.block(code, start, end)
				n = copy(code, code[block-overlap:])
			}
		} else if s == padSextet {
			d.block(code[:n], start, end)
			n = 0
		}
	}
	d.block(code[:n], start, end)
}

// block decodes the sextets in each way and at each alignment that may show
// something.
func (d *decoder) block(code []byte, start, end int) {
	if len(code) < 4 || bytes.Equal(code, d.last) {
		return // the same text again shows the same tokens, at the same place
	}
	if len(code) >= period {
		d.last = append(d.last[:0], code...)
	}
	for set := d.views.m.telling.alignments(code); set != 0; set &= set - 1 {
		d.begin(start, end, wayBase64)
		d.out.data = appendBase64(d.out.data, code[bits.TrailingZeros8(set):])
	}
	for from := 0; from+minRun <= len(code); {
		// Look at the last first: a run can't go across it if it is no digit.
		at := from + minRun - 1
		for at >= from && nibbleOf[code[at]] != 255 {
			at--
		}
		if at >= from {
			from = at + 1
			continue
		}
		to := from + minRun
		for to < len(code) && nibbleOf[code[to]] != 255 {
			to++
		}
		for align := range 2 {
			d.begin(start, end, wayHex)
			d.out.data = appendHex(d.out.data, code[from+align:to])
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
	dst = slices.Grow(dst, len(code))
	n := len(dst)
	out := dst[n : n+len(code)]
	n += len(code) / 4 * 3
	for len(code) >= 8 && len(out) >= 8 { // so many at once, sextets joined by twos
		w := binary.BigEndian.Uint64(code)
		w = w&0x003f003f003f003f | w>>2&0x0fc00fc00fc00fc0
		w = w&0x00000fff00000fff | w>>4&0x00fff00000fff000
		binary.BigEndian.PutUint64(out, w>>32<<40|w&0xffffff<<16)
		code, out = code[8:], out[6:]
	}
	for len(code) >= 4 && len(out) >= 3 {
		w := uint32(code[0])<<18 | uint32(code[1])<<12 | uint32(code[2])<<6 | uint32(code[3])
		out[0], out[1], out[2] = byte(w>>16), byte(w>>8), byte(w)
		code, out = code[4:], out[3:]
	}
	dst = dst[:n]
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

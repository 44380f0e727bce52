package promotion

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

// hit is an occurrence of a token, in the bytes of the file.
type hit struct {
	offset, length int
	token          int // its index in the matcher, which is the order of kinds and texts
	via            via
}

// hits keeps the first MaxReasons hits of a file by offset and token, and counts
// the others.
type hits struct {
	kept    []hit
	omitted int
	full    bool // as many were kept as may be: what comes after the last isn't kept
}

func (h *hits) add(x hit) {
	if h.full && compareHits(x, h.kept[MaxReasons-1]) > 0 {
		h.omitted++
		return
	}
	h.kept = append(h.kept, x)
	if len(h.kept) >= 2*MaxReasons {
		h.settle()
	}
}

// settle sorts the hits and drops what shows the same token at the same place
// in two ways, of which the plainest stays.
func (h *hits) settle() {
	slices.SortFunc(h.kept, compareHits)
	h.kept = slices.CompactFunc(h.kept, func(a, b hit) bool {
		return a.offset == b.offset && a.token == b.token && a.length == b.length
	})
	if more := len(h.kept) - MaxReasons; more >= 0 {
		h.kept = h.kept[:MaxReasons]
		h.omitted += more
		h.full = true
	}
}

func compareHits(a, b hit) int {
	return cmp.Or(
		cmp.Compare(a.offset, b.offset),
		cmp.Compare(a.token, b.token),
		cmp.Compare(a.length, b.length),
		cmp.Compare(a.via, b.via),
	)
}

// addHits makes findings of the hits in a file.
func (r *report) addHits(f File, m *matcher, h *hits) {
	h.settle()
	r.omitted += h.omitted
	at := position{data: f.Data}
	for _, x := range h.kept {
		t := m.tokens[x.token]
		line, col := at.of(x.offset)
		r.add(Finding{
			Kind: t.Kind, Token: t.Text, File: f.Path,
			Line: line, Col: col, Offset: x.offset, Length: x.length,
			Via: x.via.String(), Detail: t.Why,
		})
	}
}

// position turns offsets, which must not go down, into lines and columns.
type position struct {
	data []byte
	at   int // up to where newlines were counted
	line int // how many there were
	from int // up to where the characters of the line were counted
	col  int // how many there were
}

func (p *position) of(offset int) (line, col int) {
	if n := bytes.Count(p.data[p.at:offset], []byte{'\n'}); n > 0 {
		p.line += n
		p.from, p.col = p.at+bytes.LastIndexByte(p.data[p.at:offset], '\n')+1, 0
	}
	p.at = offset
	p.col += utf8.RuneCount(p.data[p.from:offset])
	p.from = offset
	return p.line + 1, p.col + 1
}

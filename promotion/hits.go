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
// the others. Of those it keeps the first of each kind, so that many of one kind
// don't hide that there are others.
type hits struct {
	kept    []hit
	omitted int
	full    bool // as many were kept as may be: what comes after the last isn't kept

	ranks []uint8 // of the tokens' kinds; nil: kinds don't matter
	rare  map[uint8]hit
}

func (h *hits) add(x hit) {
	if h.full && compareHits(x, h.kept[MaxReasons-1]) > 0 {
		h.omit(x)
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
	h.kept = slices.CompactFunc(h.kept, samePlace)
	if len(h.kept) >= MaxReasons {
		for _, x := range h.kept[MaxReasons:] {
			h.omit(x)
		}
		h.kept = h.kept[:MaxReasons]
		h.full = true
	}
}

// omit counts a hit, and keeps it if it is the first of its kind that is omitted.
func (h *hits) omit(x hit) {
	h.omitted++
	if h.ranks == nil {
		return
	}
	rank := h.ranks[x.token]
	if first, ok := h.rare[rank]; ok && compareHits(first, x) <= 0 {
		return
	}
	if h.rare == nil {
		h.rare = map[uint8]hit{}
	}
	h.rare[rank] = x
}

// all returns what was kept, in order.
func (h *hits) all() []hit {
	h.settle()
	if len(h.rare) == 0 {
		return h.kept
	}
	list := slices.Clone(h.kept)
	for _, x := range h.rare {
		list = append(list, x)
	}
	h.omitted -= len(h.rare)
	h.rare = nil
	slices.SortFunc(list, compareHits)
	return slices.CompactFunc(list, samePlace)
}

func samePlace(a, b hit) bool {
	return a.offset == b.offset && a.token == b.token && a.length == b.length
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
	list := h.all()
	r.omitted += h.omitted
	at := position{data: f.Data}
	for _, x := range list {
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
	if p.line == 0 && offset > 0 && bytes.HasPrefix(p.data, []byte("\ufeff")) {
		return 1, p.col // no editor counts a byte order mark
	}
	return p.line + 1, p.col + 1
}

package promotion

import (
	"slices"
	"sort"
	"strings"
)

// How a token is found that doesn't stand there as it is.
//
// A view is another reading of a text: without what doesn't show, with
// references resolved, with encoded runs decoded. A view can itself be read in
// such a way, so that what is hidden twice is found, too. Every view only adds
// to what was found; none takes a finding away.
//
// Views are built in pieces of bounded size, and only where they differ from
// the text that they are made of, with enough of it on both sides for a token
// to be seen whole. Each piece knows where its bytes come from.

// maxDepth is how often text is decoded. Resolving references counts, leaving
// out what doesn't show doesn't.
const maxDepth = 2

// ways is a set of ways in which one view differs from another.
type ways uint8

const (
	wayHTML ways = 1 << iota
	wayPercent
	wayHex
	wayEscape
	wayBase64
	wayUTF16
	wayNormalised
	wayJoined
)

var wayNames = []string{"html", "percent", "hex", "escape", "base64", "utf16", "normalised", "joined"}

// via is the ways of nested views, each in 8 bits, the outermost highest.
type via uint64

// then returns the ways of a view within a view.
func (v via) then(w ways) via {
	if w == 0 {
		return v
	}
	return v<<8 | via(w)
}

// String names the ways, outermost first. Those that one view goes at once are
// in the order of wayNames.
func (v via) String() string {
	var names []string
	for shift := 56; shift >= 0; shift -= 8 {
		for i, name := range wayNames {
			if ways(v>>shift)&(1<<i) != 0 {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, "+")
}

// piece is a stretch of a view.
type piece struct {
	data   []byte
	parent *piece // nil: data is the file
	// done is how many bytes at its beginning were looked at with the piece
	// before it.
	done  int
	depth int // decodings so far
	plain bool
	// edits say where it differs from its parent, if it was edited; runs, what
	// it is the decoding of, if it was decoded. Both are in order.
	edits   []edit
	runs    []run
	decoded bool
}

// edit says that data[out:outEnd] stands for the parent's data[in:inEnd].
// Between edits they are the same.
type edit struct {
	out, outEnd, in, inEnd int
	ways                   ways
}

// run says that what begins at out is decoded from the parent's data[in:inEnd].
type run struct {
	out, in, inEnd int
	ways           ways
}

// touched returns the edits that make data[from:to] differ from the parent.
func (p *piece) touched(from, to int) []edit {
	e := p.edits
	i := sort.Search(len(e), func(i int) bool { return e[i].outEnd > from || e[i].out > from })
	n := sort.Search(len(e)-i, func(n int) bool { return e[i+n].out >= to })
	return e[i : i+n]
}

// source returns where in the parent data[from:to] comes from.
func (p *piece) source(from, to int) (int, int, ways) {
	if p.decoded {
		i := sort.Search(len(p.runs), func(i int) bool { return p.runs[i].out > from }) - 1
		return p.runs[i].in, p.runs[i].inEnd, p.runs[i].ways
	}
	var w ways
	for _, e := range p.touched(from, to) {
		w |= e.ways
	}
	return p.sourceOf(from), p.sourceOf(to-1) + p.widthOf(to-1), w
}

// sourceOf returns where the byte at i comes from.
func (p *piece) sourceOf(i int) int {
	e := p.edits
	n := sort.Search(len(e), func(n int) bool { return e[n].out > i }) - 1
	// Of edits with the same out all but the last left something out. The first
	// edit is preceded by one that does nothing, for where the piece begins.
	if i < e[n].outEnd {
		return e[n].in
	}
	return e[n].inEnd + i - e[n].outEnd
}

// widthOf returns how many bytes the one at i comes from.
func (p *piece) widthOf(i int) int {
	e := p.edits
	if n := sort.Search(len(e), func(n int) bool { return e[n].out > i }) - 1; i < e[n].outEnd {
		return e[n].inEnd - e[n].in
	}
	return 1
}

// place returns where in the file data[from:to] comes from, and how.
func (p *piece) place(from, to int) (offset, length int, v via) {
	if p.parent == nil {
		return from, to - from, 0
	}
	from, to, w := p.source(from, to)
	offset, length, v = p.parent.place(from, to)
	return offset, length, v.then(w)
}

// views looks at the views of a file.
type views struct {
	m      *matcher
	hits   *hits
	window []byte
	// Memory of pieces that are done with.
	editors  []*editor
	decoders []*decoder
}

// scanViews finds the tokens in data and in all its views.
func scanViews(data []byte, m *matcher, h *hits) {
	v := &views{m: m, hits: h}
	v.look(&piece{data: data})
}

// look finds the tokens in a piece and in the views of it.
func (v *views) look(p *piece) {
	v.match(p)
	if !p.plain {
		v.plainViews(p)
	}
	if p.depth < maxDepth {
		v.resolve(p)
		v.decode(p)
		v.separated(p)
	}
}

// match finds the tokens in a piece, but for those that its parent shows at the
// same place.
func (v *views) match(p *piece) {
	v.m.each(p.data, &v.window, func(token, start, end int) {
		if end <= p.done || p.edited() && len(p.touched(start, end)) == 0 {
			return
		}
		offset, length, via := p.place(start, end)
		v.hits.add(hit{offset, length, token, via})
	})
}

func (p *piece) edited() bool { return p.parent != nil && !p.decoded }

// editor builds an edited view of a piece, stretch by stretch.
type editor struct {
	views  *views
	out    piece
	open   bool
	at     int // up to where the parent was taken over
	margin int // how much of the parent is wanted on both sides of an edit
}

// chunk is how large a piece may become.
const chunk = 64 << 10

func (v *views) newEditor(p *piece, depth int, plain bool) *editor {
	var e *editor
	if n := len(v.editors); n > 0 {
		e, v.editors = v.editors[n-1], v.editors[:n-1]
	} else {
		e = &editor{}
	}
	e.views, e.open, e.at, e.margin = v, false, 0, v.m.maxLen-1
	e.out = piece{data: e.out.data[:0], edits: e.out.edits[:0], parent: p, depth: depth, plain: plain}
	return e
}

// replace puts text in the place of the parent's data[from:to]. Calls go from
// the beginning of the parent to its end.
func (e *editor) replace(from, to int, text string, w ways) {
	src := e.out.parent.data
	begin := reach(src, from, e.at, e.margin, -1)
	if e.open {
		if end := reach(src, e.at, from, e.margin, +1); end < begin {
			e.take(end)
			e.flush(false)
		} else {
			e.take(from)
		}
	}
	if !e.open {
		e.open, e.at = true, begin
		e.out.edits = append(e.out.edits, edit{0, 0, begin, begin, 0})
		e.take(from)
	}
	if len(e.out.data)+len(text) > chunk {
		e.flush(true)
	}
	n := len(e.out.data)
	e.out.data = append(e.out.data, text...)
	e.out.edits = append(e.out.edits, edit{n, len(e.out.data), from, to, w})
	e.at = to
}

// take takes the parent over as it is, up to there.
func (e *editor) take(to int) {
	for e.at < to {
		if len(e.out.data) >= chunk {
			e.flush(true)
		}
		n := min(to-e.at, chunk-len(e.out.data))
		e.out.data = append(e.out.data, e.out.parent.data[e.at:e.at+n]...)
		e.at += n
	}
}

// flush looks at what was built. If the stretch goes on, its end is kept.
func (e *editor) flush(goesOn bool) {
	p := &e.out
	e.views.look(p)
	if !goesOn {
		p.data, p.edits, p.done, e.open = p.data[:0], p.edits[:0], 0, false
		return
	}
	keep := min(len(p.data), max(encoded*e.margin, chunk/8), len(p.data)/2)
	cut := len(p.data) - keep
	first := edit{0, 0, p.sourceOf(cut), p.sourceOf(cut), 0}
	i := sort.Search(len(p.edits), func(i int) bool { return p.edits[i].out >= cut })
	if i > 0 && p.edits[i-1].outEnd > cut { // in the middle of one
		e := p.edits[i-1]
		first = edit{0, e.outEnd - cut, e.in, e.inEnd, e.ways}
	}
	p.data = p.data[:copy(p.data, p.data[cut:])]
	p.done = keep
	p.edits = slices.Insert(append(p.edits[:0], p.edits[i:]...), 0, first)
	for i := range p.edits[1:] {
		p.edits[i+1].out -= cut
		p.edits[i+1].outEnd -= cut
	}
}

// close ends the view.
func (e *editor) close() {
	if e.open {
		e.take(reach(e.out.parent.data, e.at, len(e.out.parent.data), e.margin, +1))
		e.flush(false)
	}
	e.views.editors = append(e.views.editors, e)
}

// encoded is how many times longer a token may be where it is encoded.
const encoded = 64

// reach returns how far to look from a place in a direction, before or up to
// limit: the margin, or the whole of the encoded text that goes on there, within
// bounds.
func reach(data []byte, from, limit, margin, step int) int {
	to := from
	for i := from; ; i += step {
		if i == limit || abs(i-from) == encoded*margin {
			return to
		}
		at := i
		if step < 0 {
			at--
		}
		if abs(i-from) >= margin && !isEncoding[data[at]] {
			return to
		}
		to = i + step
	}
}

func abs(n int) int { return max(n, -n) }

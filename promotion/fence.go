package promotion

import (
	"bytes"
	"strings"
)

// fences tells which lines of a Markdown text are fenced code. Programs that
// take code out of Markdown don't agree on it, and a text can be written so
// that what one takes for code is prose to the other. Therefore several readers
// go through the text beside one another, and a line is source if it is to any
// of them.
type fences struct {
	common  [2]commonMark // the second takes no HTML into account
	split   bool          // the two differ: otherwise the first speaks for both
	readers [4]simpleReader
	inside  int // how many of the readers are in a fence
	views   []fenceView
}

// fenceView is a line of code as one of the readers sees it: without what the
// fence is indented by.
type fenceView struct {
	begin    int // the byte of the line that is its column 0
	language language
}

// fenceMark is a line that may open or close a fence.
type fenceMark struct {
	char   byte // '`' or '~'
	length int
	begin  int    // the byte at which it begins
	column int    // from 0
	quotes int    // how many > stand before it
	bare   bool   // nothing but blanks before it
	info   []byte // what follows, without blanks around it
}

// newFences begins to read a text at a byte, with cr one of which carriage
// returns end lines.
func newFences(data []byte, begin int, cr bool) *fences {
	f := &fences{}
	f.common[0] = commonMark{data: data, at: begin, cr: cr}
	f.readers[1].ticks, f.readers[1].flush = true, true
	f.readers[2].ticks, f.readers[2].bare = true, true
	f.readers[3].matches = true
	return f
}

// open reports whether the next line is code to a reader, unless it closes the
// fence.
func (f *fences) open() bool {
	return f.inside > 0 || f.common[0].in || f.split && f.common[1].in
}

// line reads a line, and returns the ways in which it is source: none for prose
// and for what opens and closes a fence. They are valid until the next call.
// The lines that are passed over have no mark, that is, no ``` or ~~~; run says
// that this one has.
func (f *fences) line(l *textLine, run bool) []fenceView {
	f.views = f.views[:0]
	if !f.split {
		f.divide(l, run)
	}
	f.commonLine(&f.common[0], l, run)
	if f.split {
		f.commonLine(&f.common[1], l, run)
		f.split = !f.common[0].same(&f.common[1])
	}
	if !run && f.inside == 0 {
		return f.views
	}
	mark, ok := fenceMark{}, false
	if run {
		mark, ok = markOf(l.text)
	}
	for i := range f.readers {
		r := &f.readers[i]
		switch {
		case ok && r.takes(&mark) && !r.in:
			if !mark.closesItself() {
				r.in, r.mark, r.language = true, mark, languageOfInfo(mark.info)
				r.mark.info = nil
				f.inside++
			}
		case ok && r.takes(&mark) && r.closes(&mark):
			r.in = false
			f.inside--
		case r.in:
			f.view(r.mark.content(l.text), r.language)
		}
	}
	return f.views
}

// divide lets the second reader go on by itself if the text up to the end of a
// line could have HTML.
func (f *fences) divide(l *textLine, run bool) {
	c := &f.common[0]
	if !c.concerned(run) {
		return
	}
	c.skip(l.offset)
	if bytes.IndexByte(c.data[c.at:l.next], '<') < 0 {
		return
	}
	f.split = true
	containers := append(f.common[1].containers[:0], c.containers...)
	f.common[1] = *c
	f.common[1].containers, f.common[1].plain = containers, true
}

// commonLine reads a line as CommonMark.
func (f *fences) commonLine(c *commonMark, l *textLine, run bool) {
	if !c.concerned(run) {
		return
	}
	c.catchUp(l.offset)
	c.at = l.next
	if begin, ok := c.line(l.text); ok {
		f.view(begin, c.language)
	}
}

// view adds a view, or a language to one.
func (f *fences) view(begin int, lang language) {
	for i := range f.views {
		if f.views[i].begin == begin {
			f.views[i].language |= lang
			return
		}
	}
	f.views = append(f.views, fenceView{begin, lang})
}

// simpleReader is a reader that looks at nothing but fences: any that it takes
// for one opens code, the next closes it. One that matches wants the same
// character for that, at least as many, and nothing else on the line.
type simpleReader struct {
	ticks   bool // takes ` only
	flush   bool // takes what begins a line only
	bare    bool // takes what has but blanks before it only
	matches bool

	in       bool
	mark     fenceMark
	language language
}

func (r *simpleReader) takes(m *fenceMark) bool {
	return (!r.ticks || m.char == '`') && (!r.flush || m.begin == 0) && (!r.bare || m.bare)
}

func (r *simpleReader) closes(m *fenceMark) bool {
	return !r.matches || m.char == r.mark.char && m.length >= r.mark.length && len(m.info) == 0
}

// closesItself reports whether the code stands on the line itself: ```code```
func (m *fenceMark) closesItself() bool {
	return m.char == '`' && bytes.Contains(m.info, []byte("```"))
}

// content returns the byte at which the text of a line in the fence begins.
func (m *fenceMark) content(text []byte) int {
	i := 0
	for range m.quotes {
		j := i + leadingBlanks(text[i:])
		if j == len(text) || text[j] != '>' {
			break
		}
		if i = j + 1; i < len(text) && text[i] == ' ' {
			i++
		}
	}
	column := 0
	for j := range i {
		column = nextColumn(column, text[j])
	}
	for i < len(text) && column < m.column && (text[i] == ' ' || text[i] == '\t') {
		column = nextColumn(column, text[i])
		i++
	}
	return i
}

// nextColumn returns the column after a character that stands in one.
func nextColumn(column int, c byte) int {
	if c == '\t' {
		return column + 4 - column%4
	}
	return column + 1
}

// markOf finds three or more ` or ~ at the start of a line, behind any blanks,
// > and list markers.
func markOf(text []byte) (m fenceMark, ok bool) {
	m.bare = true
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t':
			m.column = nextColumn(m.column, c)
			i++
		case c == '>':
			m.quotes++
			m.column, m.bare = m.column+1, false
			i++
		case c == '`' || c == '~':
			n := runLength(text[i:], c)
			if n < 3 {
				return m, false
			}
			m.char, m.length, m.begin = c, n, i
			m.info = bytes.Trim(text[i+n:], " \t\r")
			return m, true
		default:
			n, _, _ := listMarker(text[i:])
			if n == 0 {
				return m, false
			}
			m.column, m.bare = m.column+n, false
			i += n
		}
	}
	return m, false
}

// runLength counts how often a text begins with a byte.
func runLength(text []byte, c byte) int {
	n := 0
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// listMarker returns the length of the list marker that a text begins with, 0
// if it does with none, and for a numbered one the number, if it has one digit.
func listMarker(text []byte) (length int, ordered bool, number byte) {
	if len(text) == 0 {
		return 0, false, 0
	}
	switch c := text[0]; {
	case c == '-' || c == '+' || c == '*':
		length = 1
	case c >= '0' && c <= '9':
		n := 1
		for n < len(text) && n < 10 && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if n > 9 || n == len(text) || text[n] != '.' && text[n] != ')' {
			return 0, false, 0
		}
		length, ordered = n+1, true
		if n == 1 {
			number = c
		}
	default:
		return 0, false, 0
	}
	if length < len(text) && text[length] != ' ' && text[length] != '\t' && text[length] != '\r' {
		return 0, false, 0
	}
	return length, ordered, number
}

// languageOfInfo returns the language that an info string names: its first
// word, be it python, {python}, {.python title="x"} or python,ignore. What
// isn't known, or none, is read as all.
func languageOfInfo(info []byte) language {
	info = bytes.TrimLeft(info, "{. \t")
	if n := bytes.IndexAny(info, " \t{},:;=[(\"'"); n >= 0 {
		info = info[:n]
	}
	return languageOf(strings.ToLower(string(info)))
}

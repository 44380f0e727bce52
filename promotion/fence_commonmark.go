package promotion

import "bytes"

// commonMark reads fences as CommonMark 0.31.2 does: in block quotes and list
// items, not in indented code nor in HTML. It knows no more of Markdown than
// that takes.
type commonMark struct {
	data []byte
	at   int  // it has read what stands before
	cr   bool // carriage returns end lines

	containers []container
	quotes     int  // how many of them are quotes
	empty      bool // the last is an item of which nothing was seen but its marker
	plain      bool // HTML is text like any other
	paragraph  bool // the last line was part of a paragraph

	fence    fenceMark // column is relative to the container
	in       bool
	language language
	html     string // what ends the HTML block that is open, "" if none is
	depth    int    // how many containers the fence or HTML block is in
}

// container is a block quote, or a list item whose content is indented.
type container struct {
	quote  bool
	indent int
}

// maxContainers is how many quotes and items in one another are told apart.
// The rest is read as text, as if it stood in the last.
const maxContainers = 100

// cursor goes through a line. A tab may be used up in part: owed is how many of
// its columns are left.
type cursor struct {
	text   []byte
	i      int
	column int
	owed   int
}

// indent returns the columns of blanks at the cursor, and where they end.
func (c *cursor) indent() (width, end int) {
	column := c.column + c.owed
	for end = c.i; end < len(c.text) && (c.text[end] == ' ' || c.text[end] == '\t'); end++ {
		column = nextColumn(column, c.text[end])
	}
	return column - c.column, end
}

// skip goes on by columns of blanks, fewer if there are fewer.
func (c *cursor) skip(columns int) {
	for columns > 0 {
		if c.owed == 0 {
			if c.i == len(c.text) || c.text[c.i] != ' ' && c.text[c.i] != '\t' {
				return
			}
			c.owed = nextColumn(c.column, c.text[c.i]) - c.column
			c.i++
		}
		n := min(columns, c.owed)
		c.owed, c.column, columns = c.owed-n, c.column+n, columns-n
	}
}

// to goes on to a byte behind blanks.
func (c *cursor) to(i, width int) {
	c.i, c.column, c.owed = i, c.column+width, 0
}

// line reads the next line. ok says that it is code in a fence, begin at which
// byte its column 0 is.
func (m *commonMark) line(text []byte) (begin int, ok bool) {
	c := cursor{text: text}
	matched := m.match(&c)
	if (m.in || m.html != "") && matched < m.depth {
		m.in, m.html = false, "" // its container ended
		m.paragraph = false
	}
	if m.in {
		width, at := c.indent()
		n := runLength(text[at:], m.fence.char)
		if width <= 3 && n >= m.fence.length && blank(text[at+n:]) {
			m.in = false
			return 0, false
		}
		c.skip(m.fence.column)
		return c.i, true
	}
	if m.html != "" {
		_, at := c.indent()
		m.endHTML(text[at:])
		return 0, false
	}
	m.block(&c, matched)
	return 0, false
}

// match goes over the marks of the open containers, and returns how many of
// them the line is in.
func (m *commonMark) match(c *cursor) int {
	empty := m.empty
	m.empty = false
	if m.quotes == 0 && blank(c.text) {
		if empty {
			return len(m.containers) - 1
		}
		return len(m.containers)
	}
	for k, x := range m.containers {
		width, at := c.indent()
		switch {
		case x.quote:
			if width > 3 || at == len(c.text) || c.text[at] != '>' {
				return k
			}
			c.to(at+1, width+1)
			c.skip(1)
		case blank(c.text[at:]):
			if empty && k == len(m.containers)-1 {
				return k // an item begins with one blank line at most
			}
		case width >= x.indent:
			c.skip(x.indent)
		default:
			return k
		}
	}
	return len(m.containers)
}

// close leaves the containers that the line isn't in.
func (m *commonMark) close(matched int) {
	for _, x := range m.containers[matched:] {
		if x.quote {
			m.quotes--
		}
	}
	m.containers = m.containers[:matched]
}

func (m *commonMark) enter(x container) {
	if x.quote {
		m.quotes++
	}
	m.containers = append(m.containers, x)
}

// block reads what a line begins, behind the marks of the containers that it is
// in.
func (m *commonMark) block(c *cursor, matched int) {
	fresh := false // a container begins on this line
	for {
		width, at := c.indent()
		rest := c.text[at:]
		interrupts := m.paragraph && !fresh && matched == len(m.containers)
		switch {
		case blank(rest):
			m.close(matched)
			m.paragraph = false
			return
		case width >= 4:
			if !m.paragraph || fresh { // indented code
				m.close(matched)
				m.paragraph = false
			}
			return
		case rest[0] == '>' && matched < maxContainers:
			m.close(matched)
			c.to(at+1, width+1)
			c.skip(1)
			m.enter(container{quote: true})
			matched, fresh, m.paragraph = matched+1, true, false
			continue
		case matched < maxContainers && !thematicBreak(rest):
			if n := m.item(c, rest, at, width, interrupts); n > 0 {
				m.close(matched)
				m.enter(container{indent: n})
				m.empty = blank(c.text[c.i:])
				matched, fresh, m.paragraph = matched+1, true, false
				continue
			}
		}
		m.leaf(rest, width, matched, fresh, interrupts)
		return
	}
}

// item returns by how much the content of the list item is indented that begins
// here, and goes behind its marker; 0 if none begins.
func (m *commonMark) item(c *cursor, rest []byte, at, width int, interrupts bool) int {
	length, ordered, number := listMarker(rest)
	if length == 0 {
		return 0
	}
	empty := blank(rest[length:])
	if interrupts && (empty || ordered && number != '1') {
		return 0
	}
	c.to(at+length, width+length)
	after, _ := c.indent()
	if empty || after > 4 {
		after = 1
	}
	c.skip(after)
	return width + length + after
}

// leaf reads a line without marks of containers.
func (m *commonMark) leaf(rest []byte, width, matched int, fresh, interrupts bool) {
	if n := runLength(rest, rest[0]); n >= 3 && (rest[0] == '~' || rest[0] == '`' && bytes.IndexByte(rest[n:], '`') < 0) {
		m.close(matched)
		m.in, m.depth, m.paragraph = true, matched, false
		m.fence = fenceMark{char: rest[0], length: n, column: width}
		m.language = languageOfInfo(bytes.Trim(rest[n:], " \t\r"))
		return
	}
	if rest[0] == '<' && !m.plain {
		if end := htmlEnd(rest, m.paragraph && !fresh); end != "" {
			m.close(matched)
			m.html, m.depth, m.paragraph = end, matched, false
			m.endHTML(rest)
			return
		}
	}
	switch {
	case heading1(rest) || thematicBreak(rest) || interrupts && underline(rest):
		m.close(matched)
		m.paragraph = false
	case m.paragraph && !fresh && matched < len(m.containers):
		// A lazy line: it goes on with the paragraph in its containers.
	default:
		m.close(matched)
		m.paragraph = true
	}
}

// blank reports whether nothing but blanks is left.
func blank(text []byte) bool { return leadingBlanks(text) == len(text) }

// heading1 reports whether a line is a heading with hashes.
func heading1(text []byte) bool {
	n := runLength(text, '#')
	return n >= 1 && n <= 6 && (n == len(text) || text[n] == ' ' || text[n] == '\t' || text[n] == '\r')
}

// underline reports whether a line makes a heading of the paragraph before it.
func underline(text []byte) bool {
	return (text[0] == '=' || text[0] == '-') && blank(text[runLength(text, text[0]):])
}

// thematicBreak reports whether a line is a rule: three or more of one
// character, blanks between them.
func thematicBreak(text []byte) bool {
	c := text[0]
	if c != '-' && c != '*' && c != '_' {
		return false
	}
	n := 0
	for _, x := range text {
		switch x {
		case c:
			n++
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return n >= 3
}

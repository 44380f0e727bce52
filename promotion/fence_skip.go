package promotion

import (
	"bytes"
	"slices"
	"strings"
)

// concerned reports whether a line may be code to the reader, or change its
// state: run says that it has ``` or ~~~. Any other line outside of a fence can
// wait until one comes.
func (m *commonMark) concerned(run bool) bool { return run || m.in }

// catchUp reads the lines before a byte, none of which has ``` or ~~~.
func (m *commonMark) catchUp(to int) {
	m.skip(to)
	for m.at < to {
		in := m.in
		var text []byte
		text, m.at = lineUntil(m.data, m.at, m.cr)
		m.line(text)
		if in && !m.in {
			m.skip(to) // its container ended
		}
	}
}

// skip passes over lines before a byte, none of which has ``` or ~~~, that
// can't matter to what comes then: the code of a fence that no container can
// end, and what stands before a line of text or a heading behind a blank line,
// of which none is in a container.
func (m *commonMark) skip(to int) {
	switch {
	case m.in && len(m.containers) == 0:
		m.at = max(m.at, to)
		return
	case m.in || m.cr || m.html != "" && m.html != blankLine:
		return
	}
	for end := to; end > m.at; {
		begin := m.at + bytes.LastIndexByte(m.data[m.at:end-1], '\n') + 1
		before := bytes.TrimSuffix(m.data[m.at:begin], []byte("\n"))
		if first := m.data[begin]; len(before) < begin-m.at && (!marks[first] || first == '#') {
			before = bytes.TrimSuffix(before, []byte("\r"))
			if len(before) == 0 || before[len(before)-1] == '\n' {
				if !m.plain && longHTML(before) {
					return
				}
				m.close(0)
				m.at, m.html, m.empty, m.paragraph = end, "", false, !heading1(m.data[begin:end-1])
				return
			}
		}
		end = begin
	}
}

// longHTML reports whether in a text HTML may begin that no blank line ends:
// see [htmlEnd].
func longHTML(text []byte) bool {
	for {
		n := bytes.IndexByte(text, '<')
		if n < 0 {
			return false
		}
		if text = text[n+1:]; len(text) > 0 && strings.IndexByte("!?pPsStT", text[0]) >= 0 {
			return true
		}
	}
}

// marks are the bytes with which a line can begin that is more than text.
var marks = func() (set [256]bool) {
	for _, c := range []byte(" \t\r\n>`~-+*_=#<0123456789") {
		set[c] = true
	}
	return set
}()

// same reports whether two readers are in the same state, and will be.
func (m *commonMark) same(o *commonMark) bool {
	return m.at == o.at && m.html == "" && o.html == "" && m.quotes == o.quotes && m.empty == o.empty && m.paragraph == o.paragraph &&
		m.in == o.in && (!m.in || m.depth == o.depth && m.language == o.language && m.fence.char == o.fence.char && m.fence.length == o.fence.length && m.fence.column == o.fence.column) &&
		slices.Equal(m.containers, o.containers)
}

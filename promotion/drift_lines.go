package promotion

import "bytes"

// textLine is a line of the file, without what ends it.
type textLine struct {
	segment
	text []byte
	next int // the byte at which the next one begins
}

// walk goes through the file from a byte on, as source of a language or, with
// fences, as Markdown, and reads the lines that could name a tool. It passes
// over all others: those in which no name can stand, be they source or not, and
// outside of fences those without a mark. With cr a carriage return ends a
// line, too; such lines have the number of the line that they are part of.
func (d *drifter) walk(begin int, cr bool, whole language, f *fences) {
	data := d.file.Data
	l := textLine{segment: segment{line: bytes.Count(data[:begin], []byte("\n")) + 1, begin: begin, offset: begin}}
	marked := markFinder{data: data}
	for at := begin; at < len(data); at = l.next {
		run, to := len(data), at
		if f != nil {
			run = marked.next(at)
		}
		switch {
		case len(d.segments) > 0 && d.next == at: // it continues the one before
		case f != nil && !f.open():
			to = run
		default:
			to = d.places.next(at, run)
		}
		if to == len(data) {
			break
		}
		l.move(data, lineBegin(data, at, to, cr))
		l.text, l.next = lineUntil(data, l.offset, cr)
		if f == nil {
			d.source(&l, 0, whole)
			continue
		}
		for _, v := range f.line(&l, run < l.next) {
			d.source(&l, v.begin, v.language)
		}
	}
	d.flush()
}

// move goes on to the line that begins at a byte.
func (l *textLine) move(data []byte, offset int) {
	if between := data[l.offset:offset]; len(between) > 0 {
		if last := bytes.LastIndexByte(between, '\n'); last >= 0 {
			l.line += bytes.Count(between, []byte("\n"))
			l.begin = l.offset + last + 1
		}
	}
	l.offset = offset
}

// lineBegin returns where the line begins in which a byte lies, and at the
// earliest at another.
func lineBegin(data []byte, earliest, at int, cr bool) int {
	if !cr {
		return earliest + bytes.LastIndexByte(data[earliest:at], '\n') + 1
	}
	for at > earliest && data[at-1] != '\n' && (data[at-1] != '\r' || data[at] == '\n') {
		at--
	}
	return at
}

// lineUntil returns the line that begins at a byte, without what ends it, and
// where the next one begins.
func lineUntil(data []byte, at int, cr bool) (text []byte, next int) {
	if cr {
		n := bytes.IndexAny(data[at:], "\r\n")
		if n >= 0 && at+n+1 < len(data) && data[at+n] == '\r' && data[at+n+1] != '\n' {
			return data[at : at+n], at + n + 1
		}
	}
	text, next = lineAt(data, at)
	return bytes.TrimSuffix(text, []byte("\r")), next
}

// loneReturn reports whether there is a carriage return without line feed.
func loneReturn(data []byte) bool {
	for i := 0; i < len(data); i++ {
		n := bytes.IndexByte(data[i:], '\r')
		if n < 0 {
			return false
		}
		if i += n; i+1 < len(data) && data[i+1] != '\n' {
			return true
		}
	}
	return false
}

// markFinder goes through a text from one ``` or ~~~ to the next.
type markFinder struct {
	data          []byte
	ticks, tildes int // the next of each, 0 if that isn't known
}

// next returns the first from a byte on, the length of the text if there is
// none. It is asked for bytes in their order.
func (r *markFinder) next(at int) int {
	if r.ticks <= at {
		r.ticks = indexFrom(r.data, at, "```")
	}
	if r.tildes <= at {
		r.tildes = indexFrom(r.data, at, "~~~")
	}
	return min(r.ticks, r.tildes)
}

func indexFrom(data []byte, at int, s string) int {
	if n := bytes.Index(data[at:], []byte(s)); n >= 0 {
		return at + n
	}
	return len(data)
}

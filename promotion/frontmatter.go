package promotion

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pawlgate/pawl/internal/source"
)

// frontMatter is the YAML that a Markdown file begins with, between two lines
// of three hyphens.
type frontMatter struct {
	file File
	// start and end are the bytes of the file between the two lines, after the
	// line that closes it the body begins. Without front matter all are 0.
	start, end, body int
	lines            int          // how many lines of the file come before start
	root             *source.Node // an object, nil if there is none that could be read
	findings         []Finding

	// last is the place that was asked for last, and its byte: questions mostly
	// go forward.
	last struct {
		pos    source.Pos
		offset int
	}
}

var byteOrderMark = []byte("\ufeff")

// readFrontMatter finds and reads the front matter of a file: past a byte order
// mark, blank lines and HTML comments. Wherever two readers could disagree on
// what it is, that is a finding.
func readFrontMatter(file File) *frontMatter {
	m := &frontMatter{file: file}
	if !m.find() {
		return m
	}
	if n := m.end - m.start; n > source.MaxFrontMatter {
		m.found(m.start, n, fmt.Sprintf("the front matter has %d bytes; %d are read", n, source.MaxFrontMatter))
		return m
	}
	// A lone carriage return ends a line to some readers only.
	for i, c := range file.Data[:m.body] {
		if c == '\r' && (i+1 == len(file.Data) || file.Data[i+1] != '\n') {
			m.found(i, 1, "a carriage return without line feed: not every reader ends the line there")
			return m
		}
	}
	text := bytes.ReplaceAll(file.Data[m.start:m.end], []byte("\r\n"), []byte("\n"))
	root, problems := source.ParseFrontMatter(text)
	if root == nil && len(problems) == 1 && problems[0].Code == "empty" {
		root, problems = &source.Node{Kind: source.Object, Pos: source.Pos{Line: 1, Col: 1}}, nil
	}
	for _, p := range problems {
		if root == nil || declares(root, p.Pos) {
			message, _, _ := strings.Cut(p.Message, " (first at ") // a place in the YAML, not in the file
			m.finding(KindFrontMatter, "", p.Pos, "the front matter isn't acceptable YAML: "+message)
		}
	}
	if root == nil {
		return m
	}
	if root.Kind != source.Object {
		m.finding(KindFrontMatter, "", root.Pos, fmt.Sprintf("the front matter must be keys and values, not %s", root.Kind))
		return m
	}
	m.root = root
	return m
}

// declares reports whether a place lies in what the gate reads. Elsewhere it is
// of no consequence that readers disagree on a value, a date for instance.
func declares(root *source.Node, pos source.Pos) bool {
	read := true // what stands before the first key, or is no object
	for _, m := range root.Members {
		if pos.Line < m.Pos.Line || pos.Line == m.Pos.Line && pos.Col < m.Pos.Col {
			break
		}
		read = m.Key == allowedToolsKey || m.Key == "name" || m.Key == "description"
	}
	return read
}

// find sets where the front matter is, and reports whether there is one.
func (m *frontMatter) find() bool {
	data := m.file.Data
	at := 0
	if bytes.HasPrefix(data, byteOrderMark) {
		at = len(byteOrderMark)
	}
	for {
		text := at + leadingBlanks(data[at:])
		if text < len(data) && data[text] == '\n' {
			at = text + 1
			continue
		}
		if !bytes.HasPrefix(data[text:], []byte("<!--")) {
			break
		}
		if at = m.comment(text); at < 0 {
			return false
		}
	}
	line, next := lineAt(data, at)
	if !isFence(line, "---") || !startsLine(data, at) {
		m.found(-1, 0, m.file.Path+" has no front matter: a skill's name, description and tools stand there, between two lines ---")
		return false
	}
	open := at
	m.start = next
	for at = next; at < len(data); at = next {
		line, next = lineAt(data, at)
		dots := isFence(line, "...")
		if !dots && !isFence(line, "---") {
			continue
		}
		m.end, m.body = at, next
		m.lines = bytes.Count(data[:m.start], []byte("\n"))
		if dots {
			m.found(at, 3, "the front matter ends with dots: not every reader ends it there; write ---")
		}
		return true
	}
	m.start = 0
	m.found(open, 3, "the front matter is never closed: a line --- must follow it")
	return false
}

// comment returns where the text after an HTML comment begins, -1 if the comment
// isn't closed.
func (m *frontMatter) comment(open int) int {
	data := m.file.Data
	n := bytes.Index(data[open+4:], []byte("-->"))
	if n < 0 {
		m.found(open, 4, "a comment before the front matter is never closed")
		return -1
	}
	end := open + 4 + n + len("-->")
	if len(m.findings) > 0 {
		return end // one such comment is enough to read about
	}
	inner := data[open+4 : end]
	// HTML ends a comment at these, too.
	if inner[0] == '>' || bytes.HasPrefix(inner, []byte("->")) || bytes.Contains(inner, []byte("--!>")) {
		m.found(open, 4, "not every reader ends this comment at the same place")
		return end
	}
	for at := 0; at < len(inner); {
		line, next := lineAt(inner, at)
		if isFence(line, "---") {
			m.found(open+4+at, 3, "a comment before the front matter holds a line ---: a reader that knows no comments takes it for front matter")
			break
		}
		at = next
	}
	return end
}

// leadingBlanks counts the blanks that a text begins with.
func leadingBlanks(s []byte) int {
	for i, c := range s {
		if c != ' ' && c != '\t' && c != '\r' {
			return i
		}
	}
	return len(s)
}

// startsLine reports whether a line begins at that byte.
func startsLine(data []byte, at int) bool {
	return at == 0 || data[at-1] == '\n' || bytes.HasPrefix(data, byteOrderMark) && at == len(byteOrderMark)
}

// lineAt returns the line that begins at a byte, without its line feed, and
// where the next one begins.
func lineAt(data []byte, at int) (line []byte, next int) {
	n := bytes.IndexByte(data[at:], '\n')
	if n < 0 {
		return data[at:], len(data)
	}
	return data[at : at+n], at + n + 1
}

// isFence reports whether a line is those three characters, and at most blanks
// after them.
func isFence(line []byte, mark string) bool {
	return bytes.HasPrefix(line, []byte(mark)) && len(bytes.TrimRight(line[len(mark):], " \t\r")) == 0
}

// found adds a finding about bytes of the file.
func (m *frontMatter) found(offset, length int, detail string) {
	f := Finding{Kind: KindFrontMatter, File: m.file.Path, Offset: offset, Length: length, Detail: detail}
	if offset >= 0 {
		f.Line, f.Col = placeOf(m.file.Data, offset)
	}
	m.findings = append(m.findings, f)
}

// placeOf returns line and column of a byte.
func placeOf(data []byte, offset int) (line, col int) {
	begin := bytes.LastIndexByte(data[:offset], '\n') + 1
	if begin == 0 && bytes.HasPrefix(data, byteOrderMark) {
		begin = min(len(byteOrderMark), offset)
	}
	return bytes.Count(data[:offset], []byte("\n")) + 1, utf8.RuneCount(data[begin:offset]) + 1
}

// offsetOf returns the byte of the file at which a place of the YAML is.
func (m *frontMatter) offsetOf(pos source.Pos) int {
	at, offset := m.last.pos, m.last.offset
	if pos.Line < at.Line || pos.Line == at.Line && pos.Col < at.Col || at.Line == 0 {
		at, offset = source.Pos{Line: 1, Col: 1}, m.start
	}
	for ; at.Line < pos.Line && offset < m.end; at.Line, at.Col = at.Line+1, 1 {
		_, offset = lineAt(m.file.Data, offset)
	}
	for ; at.Col < pos.Col && offset < m.end && m.file.Data[offset] != '\n'; at.Col++ {
		_, size := utf8.DecodeRune(m.file.Data[offset:])
		offset += size
	}
	m.last.pos, m.last.offset = at, offset
	return offset
}

// finding adds a finding about a place of the YAML.
func (m *frontMatter) finding(kind Kind, token string, pos source.Pos, detail string) {
	offset := m.offsetOf(pos)
	length := 0
	if token != "" && bytes.HasPrefix(m.file.Data[offset:], []byte(token)) {
		length = len(token)
	}
	m.findings = append(m.findings, Finding{
		Kind: kind, Token: token, File: m.file.Path, Line: pos.Line + m.lines, Col: pos.Col,
		Offset: offset, Length: length, Detail: detail,
	})
}

// actedUpon are keys of front matter that some host acts upon: they widen what
// a skill may do, past the list that is read here.
var actedUpon = map[string]string{
	"tools":          "some hosts take it for the list of tools",
	"agent":          "some hosts hand the skill to the agent that it names",
	"hooks":          "some hosts run the commands that it names",
	"mcpservers":     "some hosts start the servers that it names",
	"permissionmode": "some hosts loosen their permissions by it",
	"permissions":    "some hosts loosen their permissions by it",
}

// keys looks for keys that this gate doesn't read and a host may.
func (m *frontMatter) keys() {
	for _, key := range m.root.Members {
		plain := nearForm(strings.TrimSpace(key.Key))
		switch why, ok := actedUpon[plain]; {
		case key.Key == allowedToolsKey:
		case plain == "allowedtools" || plain == "allowedtool" || plain == "allowtools":
			m.finding(KindTools, key.Key, key.Pos, fmt.Sprintf("%q isn't %s: it allows nothing here, and may allow something elsewhere", shown(key.Key), allowedToolsKey))
		case plain == "tools":
			m.finding(KindTools, key.Key, key.Pos, fmt.Sprintf("%q isn't %s: it allows nothing here, and %s", shown(key.Key), allowedToolsKey, why))
		case ok:
			m.finding(KindFrontMatter, key.Key, key.Pos, fmt.Sprintf("%q isn't read here, and %s", shown(key.Key), why))
		}
	}
	for _, key := range []string{"name", "description"} {
		switch v := m.root.Get(key); {
		case v == nil || v.Kind == source.Null:
			m.finding(KindFrontMatter, "", m.root.Pos, "the front matter has no "+key+": every skill has one")
		case v.Kind != source.String || strings.TrimSpace(v.Text) == "":
			m.finding(KindFrontMatter, "", v.Pos, "the "+key+" must be a text, and not blank: quote it if it is a number")
		}
	}
}

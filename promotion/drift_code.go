package promotion

import (
	"bytes"
	"unicode/utf8"
)

// namer is called with where a symbol stands in a text, and what is done with
// it there.
type namer func(from, to int, how string)

// nameByte tells of the bytes that identifiers of Python, JavaScript and Go are
// made of, escapes (\u0042) and letters beyond ASCII among them.
func nameByte(c byte) bool { return wordByte(c) || c == '$' || c == '\\' || c >= utf8.RuneSelf }

// codeNames calls fn for the names that a line of Python, JavaScript,
// TypeScript or Go calls, defines, assigns or imports, every component of a
// dotted one. Comments and strings aren't told apart: in one language is a
// comment what runs in the other.
func codeNames(text []byte, fn namer) {
	statement := 0 // where the statement begins
	depth := 0     // of brackets
	heading(text, 0, fn)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(':
			called(text, i, fn)
			depth++
		case '`': // a tagged template is a call
			called(text, i, fn)
		case '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case ';':
			statement, depth = i+1, 0
			heading(text, statement, fn)
		case '@':
			to := i + 1
			for to < len(text) && (nameByte(text[to]) || text[to] == '.') {
				to++
			}
			components(text, i+1, to, "calls", fn)
			i = max(i, to-1)
		case '=':
			if depth > 0 || i+1 < len(text) && (text[i+1] == '=' || text[i+1] == '>') || i > 0 && bytes.IndexByte([]byte("=!<>"), text[i-1]) >= 0 {
				continue
			}
			components(text, statement, i, "assigns", fn)
			statement = i + 1
			aliased(text, i+1, fn)
		}
	}
}

// components calls fn for each identifier in text[from:to].
func components(text []byte, from, to int, how string, fn namer) {
	for i := from; i < to; {
		if !nameByte(text[i]) {
			i++
			continue
		}
		begin := i
		for i < to && nameByte(text[i]) {
			i++
		}
		fn(begin, i, how)
	}
}

// lookBack is how far before a parenthesis brackets between it and the name are
// looked at.
const lookBack = 64

// called calls fn for the name that a parenthesis or template at i calls.
func called(text []byte, i int, fn namer) {
	to := trimCall(text, i)
	for range 2 { // tools["Bash"](…), Bash[int](…), Bash<T>(…)
		if to == 0 || text[to-1] != ']' && text[to-1] != '>' {
			break
		}
		open := byte('[')
		if text[to-1] == '>' {
			open = '<'
		}
		at := bytes.LastIndexByte(text[max(0, to-lookBack):to], open)
		if at < 0 {
			break
		}
		at += max(0, to-lookBack)
		components(text, at, to, "calls", fn)
		to = trimCall(text, at)
	}
	from := to
	for from > 0 && (nameByte(text[from-1]) || text[from-1] == '.' || text[from-1] == '?' || text[from-1] == ':') {
		from--
	}
	components(text, from, to, "calls", fn)
}

// trimCall returns where the text ends that stands before i, without blanks and
// what may stand between a name and its parenthesis.
func trimCall(text []byte, i int) int {
	return len(bytes.TrimRight(text[:i], " \t?.!"))
}

// aliased calls fn for a name that is all of what is assigned: run = tools.Bash
func aliased(text []byte, from int, fn namer) {
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	to := from
	for to < len(text) && (nameByte(text[to]) || text[to] == '.') {
		to++
	}
	rest := to
	for rest < len(text) && (text[rest] == ' ' || text[rest] == '\t') {
		rest++
	}
	if rest == len(text) || bytes.IndexByte([]byte(";,#/"), text[rest]) >= 0 {
		components(text, from, to, "assigns", fn)
	}
}

// heading calls fn for what the statement that begins at a byte defines or
// imports by a keyword.
func heading(text []byte, at int, fn namer) {
	const blank = " \t"
	for {
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], blank))
		end := at
		for end < len(text) && wordByte(text[end]) {
			end++
		}
		switch string(text[at:end]) {
		case "import", "from":
			stop := len(text)
			if n := bytes.IndexByte(text[end:], ';'); n >= 0 {
				stop = end + n
			}
			components(text, end, stop, "imports", fn)
			return
		case "def", "class", "func", "function", "const", "let", "var", "type", "interface", "enum", "struct", "namespace":
			stop := len(text)
			if n := bytes.IndexAny(text[end:], "=(;"); n >= 0 {
				stop = end + n
			}
			components(text, end, stop, "defines", fn)
			return
		case "export", "default", "async", "declare", "abstract", "public":
			if string(text[at:end]) == "export" {
				if rest := bytes.TrimLeft(text[end:], blank); len(rest) > 0 && (rest[0] == '{' || rest[0] == '*') {
					stop := len(text)
					if n := bytes.IndexByte(text[end:], ';'); n >= 0 {
						stop = end + n
					}
					components(text, end, stop, "exports", fn)
					return
				}
			}
			at = end
			if at == len(text) || text[at] != ' ' && text[at] != '\t' {
				return
			}
		default:
			return
		}
	}
}

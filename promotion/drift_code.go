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
// dotted one. Comments and strings aren't told apart, see onlyComment.
func codeNames(text []byte, fn namer) {
	statement := 0 // where the statement begins
	value := -1    // where what it assigns or returns begins
	depth := 0     // of brackets
	heading(text, 0, fn)
	aliased(text, 0, fn) // it may be called on the next line
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
			valued(text, value, i, fn)
			statement, value, depth = i+1, -1, 0
			heading(text, statement, fn)
			aliased(text, statement, fn)
		case '@':
			to := i + 1 + leadingBlanks(text[i+1:])
			for to < len(text) && (nameByte(text[to]) || text[to] == '.') {
				to++
			}
			components(text, i+1, to, "calls", fn)
			i = max(i, to-1)
		case '=':
			switch {
			case i+1 < len(text) && text[i+1] == '>': // x => Bash
				value = i + 2
				continue
			case i > 0 && text[i-1] == ':' && depth > 0: // (x := Bash)
				aliased(text, i+1, fn)
				continue
			}
			if depth > 0 || i+1 < len(text) && text[i+1] == '=' || i > 0 && bytes.IndexByte([]byte("=!<>"), text[i-1]) >= 0 {
				continue
			}
			components(text, statement, i, "assigns", fn)
			statement, value = i+1, i+1
			aliased(text, i+1, fn)
		}
	}
	valued(text, value, len(text), fn)
}

// onlyComment reports whether a line is a comment and nothing else in the one
// language that it is in. In another it may run: # is a name's beginning in
// JavaScript, // divides in Python. So may what stands in a text or another
// comment that goes on from a line before; that takes one of the characters
// that end it or lead out of it.
func onlyComment(text []byte, lang language) bool {
	switch lang & languageCode {
	case languagePython:
		return text[0] == '#' && !bytes.ContainsAny(text, "\"'{")
	case languageSlash:
		return bytes.HasPrefix(text, []byte("//")) && !bytes.ContainsAny(text, "\"'`{<*\u2028\u2029")
	default:
		return false
	}
}

// valued calls fn for the name that the value text[from:to] ends in, which may
// be called by another: require("tools").Bash, a or Bash.
func valued(text []byte, from, to int, fn namer) {
	if from < 0 {
		return
	}
	text = text[:trimCall(text[:to])]
	if open := opening(text); open >= from {
		before := trimCall(text[:open])
		value := before > from && (nameByte(text[before-1]) || text[before-1] == ')' || text[before-1] == ']')
		if value != (text[open] == '[') {
			return // what a call returns, or a list
		}
	}
	ending(text, from, "assigns", fn)
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
	ending(text[:i], 0, "calls", fn)
}

// ending calls fn for the name that a text ends in, which begins at from or
// later, and for those in the brackets behind or around it: tools["Bash"],
// Bash[int], Bash<T>, (0, tools.Bash).
func ending(text []byte, from int, how string, fn namer) {
	to := trimCall(text)
	for range 3 {
		open := opening(text[:to])
		if open < from {
			break
		}
		components(text, open, to, how, fn)
		to = trimCall(text[:open])
	}
	begin := to
	for begin > from && (nameByte(text[begin-1]) || bytes.IndexByte([]byte(".?:"), text[begin-1]) >= 0) {
		begin--
	}
	components(text, begin, max(begin, to), how, fn)
}

// opening returns where the bracket opens that a text ends with, -1 if it ends
// with none or that is too far.
func opening(text []byte) int {
	depth := 0
	for i := len(text) - 1; i >= max(0, len(text)-lookBack); i-- {
		switch c := text[i]; {
		case c == '>' && i > 0 && text[i-1] == '=': // an arrow
		case c == ')' || c == ']' || c == '>':
			depth++
		case c == '(' || c == '[' || c == '<':
			depth--
		}
		if depth <= 0 {
			if depth == 0 && i < len(text)-1 {
				return i
			}
			return -1
		}
	}
	return -1
}

// trimCall returns where the text ends without blanks, comments, and what may
// stand between a name and its parenthesis.
func trimCall(text []byte) int {
	for range 3 {
		text = bytes.TrimRight(text, " \t?.!")
		if !bytes.HasSuffix(text, []byte("*/")) {
			break
		}
		far := max(0, len(text)-lookBack)
		open := bytes.LastIndex(text[far:], []byte("/*"))
		if open < 0 {
			break
		}
		text = text[:far+open]
	}
	return len(text)
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
	if rest == len(text) || bytes.IndexByte([]byte(";,#/)]}"), text[rest]) >= 0 {
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
		case "new":
			aliased(text, end, fn)
			return
		case "class":
			stop := len(text)
			if n := bytes.IndexAny(text[end:], "{:;"); n >= 0 {
				stop = end + n
			}
			components(text, end, stop, "defines", fn)
			return
		case "def", "func", "function", "const", "let", "var", "type", "interface", "enum", "struct", "namespace":
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
			aliased(text, at, fn) // export default Bash
		default:
			return
		}
	}
}

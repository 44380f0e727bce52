package promotion

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ReadAllowedTool reads an entry of an allowed-tools list: "Name", or
// "Name(specifier)" with the parenthesis that ends the entry balanced. ok is
// false for what names nothing: blanks, "*" and other wildcards for a name,
// unbalanced parentheses, control and invisible characters. scoped says that
// there is a specifier, be it empty.
func ReadAllowedTool(entry string) (name, specifier string, scoped, ok bool) {
	entry = strings.TrimSpace(entry)
	if hasUnseen(entry) {
		return "", "", false, false
	}
	name = entry
	if open := strings.IndexByte(entry, '('); open >= 0 {
		if !closedByLast(entry[open:]) {
			return "", "", false, false
		}
		name, specifier, scoped = entry[:open], entry[open+1:len(entry)-1], true
	}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r < utf8.RuneSelf && noName[r] || unicode.IsSpace(r) }) {
		return "", "", false, false
	}
	return name, specifier, scoped, true
}

// noName are the characters that a tool's name doesn't have: what separates
// entries, wildcards, and what stands around something else in some syntax.
var noName = func() (set [utf8.RuneSelf]bool) {
	for _, r := range " ()[]{}<>,;*?!|&$`'\"\\" {
		set[r] = true
	}
	return set
}()

// closedByLast reports whether the parenthesis that opens the text is the one
// that its last byte closes.
func closedByLast(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(s)-1
			}
		}
	}
	return false
}

// exactCommand reports whether a specifier allows one command and nothing else:
// words of ordinary characters, no wildcard, no quoting, nothing that a shell
// replaces or takes for the end of a command. The list says what may stand
// there, so that what it doesn't foresee isn't exact.
func exactCommand(specifier string) bool {
	words := strings.Fields(specifier)
	if len(words) == 0 || strings.ContainsRune(words[0], '=') || strings.HasSuffix(specifier, ":") {
		return false // FOO=bar git status runs with another environment; git: is half a wildcard
	}
	for i := range len(specifier) {
		if c := specifier[i]; !wordByte(c) && !strings.ContainsRune(" -./:=,@+", rune(c)) {
			return false
		}
	}
	return true
}

// allowedEntry is an entry with its place in the text that it was split from.
type allowedEntry struct {
	text      string
	line, col int // from 1, col in characters
}

// splitAllowedTools goes over a comma- or space-separated list of entries, split
// outside parentheses only. What follows a parenthesis that is never closed is
// one entry, which then names nothing.
func splitAllowedTools(s string) iter.Seq[allowedEntry] {
	return func(yield func(allowedEntry) bool) {
		line, col, depth := 1, 1, 0
		begin, beginLine, beginCol := -1, 0, 0
		for i, r := range s {
			switch separates := depth == 0 && (r == ',' || unicode.IsSpace(r)); {
			case separates && begin >= 0:
				if !yield(allowedEntry{s[begin:i], beginLine, beginCol}) {
					return
				}
				begin = -1
			case !separates && begin < 0:
				begin, beginLine, beginCol = i, line, col
			}
			switch {
			case r == '(':
				depth++
			case r == ')' && depth > 0:
				depth--
			}
			if col++; r == '\n' {
				line, col = line+1, 1
			}
		}
		if begin >= 0 {
			yield(allowedEntry{s[begin:], beginLine, beginCol})
		}
	}
}

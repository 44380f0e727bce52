package promotion

import "unicode/utf8"

// relevant reports whether a line could name a tool: one of its words begins a
// tool's name, or it has what some language reads over. Most lines couldn't, and
// need no closer look.
func relevant(text []byte, cat *Catalogue) bool {
	for i := 0; i < len(text); {
		switch driftClass[text[i]] {
		case classWord:
			begin := i
			for i < len(text) && driftClass[text[i]] == classWord {
				i++
			}
			if cat.begins(text[begin:i]) {
				return true
			}
			continue
		case classQuote: // B"as"h
			if i > 0 && i+1 < len(text) && driftClass[text[i-1]] == classWord && driftClass[text[i+1]] != driftOther {
				return true
			}
		case classSpecial:
			return true
		}
		i++
	}
	return false
}

const (
	driftOther   = iota
	classWord    // of a name
	classQuote   // which a shell removes from a word
	classSpecial // by which a name can be written otherwise
)

var driftClass = func() (class [256]uint8) {
	for i := range class {
		switch c := byte(i); {
		case wordByte(c):
			class[i] = classWord
		case c == '"' || c == '\'':
			class[i] = classQuote
		case c == '\\' || c >= utf8.RuneSelf:
			class[i] = classSpecial
		}
	}
	return class
}()

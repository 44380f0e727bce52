package promotion

import (
	"bytes"
	"strings"
)

// blankLine ends the HTML blocks that no mark of their own ends.
const blankLine = "\n"

// htmlEnd returns what ends the HTML block that a line begins (CommonMark
// 0.31.2, section 4.6), "" if it begins none.
func htmlEnd(line []byte, paragraph bool) string {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return "-->"
	case bytes.HasPrefix(line, []byte("<?")):
		return "?>"
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return "]]>"
	case len(line) > 2 && line[1] == '!' && (line[2] >= 'A' && line[2] <= 'Z' || line[2] >= 'a' && line[2] <= 'z'):
		return ">"
	}
	at, closing := 1, false
	if len(line) > 1 && line[1] == '/' {
		at, closing = 2, true
	}
	end := at
	for end < len(line) && end-at < 32 && (wordByte(line[end]) && line[end] != '_' || line[end] == '-') {
		end++
	}
	name := strings.ToLower(string(line[at:end]))
	if name == "" {
		return ""
	}
	next := byte('\n')
	if end < len(line) {
		next = line[end]
	}
	ends := next == ' ' || next == '\t' || next == '\r' || next == '\n' || next == '>'
	raw := name == "script" || name == "pre" || name == "style" || name == "textarea"
	switch {
	case raw && !closing && ends:
		return "</"
	case (ends || next == '/' && end+1 < len(line) && line[end+1] == '>') && htmlBlocks[name]:
		return blankLine
	case !raw && !paragraph && wholeTag(line, end, closing):
		return blankLine
	}
	return ""
}

// endHTML looks for the end of the open HTML block in a line.
func (m *commonMark) endHTML(line []byte) {
	switch m.html {
	case blankLine:
		if blank(line) {
			m.html = ""
		}
	case "</":
		for rest := line; ; {
			i := bytes.Index(rest, []byte("</"))
			if i < 0 {
				return
			}
			rest = rest[i+2:]
			for _, name := range []string{"script>", "pre>", "style>", "textarea>"} {
				if len(rest) >= len(name) && strings.EqualFold(string(rest[:len(name)]), name) {
					m.html = ""
					return
				}
			}
		}
	default:
		if bytes.Contains(line, []byte(m.html)) {
			m.html = ""
		}
	}
}

// wholeTag reports whether a line is one complete tag, whose name ends at a
// byte, and blanks.
func wholeTag(line []byte, at int, closing bool) bool {
	if line[1] != '/' && !(line[1] >= 'A' && line[1] <= 'Z' || line[1] >= 'a' && line[1] <= 'z') {
		return false
	}
	if closing {
		at += leadingBlanks(line[at:])
		return at < len(line) && line[at] == '>' && blank(line[at+1:])
	}
	for {
		skipped := leadingBlanks(line[at:])
		if at += skipped; at == len(line) {
			return false
		}
		if line[at] == '/' {
			at++
			return at < len(line) && line[at] == '>' && blank(line[at+1:])
		}
		if line[at] == '>' {
			return blank(line[at+1:])
		}
		begin := at
		for at < len(line) && (wordByte(line[at]) || at > begin && bytes.IndexByte([]byte(".-"), line[at]) >= 0 || line[at] == ':') {
			at++
		}
		if at == begin || skipped == 0 || line[begin] >= '0' && line[begin] <= '9' {
			return false
		}
		value := at + leadingBlanks(line[at:])
		if value == len(line) || line[value] != '=' {
			continue
		}
		at = value + 1
		at += leadingBlanks(line[at:])
		if at == len(line) {
			return false
		}
		if q := line[at]; q == '"' || q == '\'' {
			n := bytes.IndexByte(line[at+1:], q)
			if n < 0 {
				return false
			}
			at += n + 2
			continue
		}
		begin = at
		for at < len(line) && bytes.IndexByte([]byte(" \t\r\"'=<>`"), line[at]) < 0 {
			at++
		}
		if at == begin {
			return false
		}
	}
}

// htmlBlocks are the tags that begin a block wherever they stand.
var htmlBlocks = func() map[string]bool {
	const names = `address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt
		fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes
		ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul`
	set := make(map[string]bool)
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}()

package promotion

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// drift returns the known tools that a file's source names at column 0 and that
// aren't in the baseline, one finding for each tool and line. irreversible are
// the tools named there, in the baseline or not, whose effects can't be taken
// back: a name in source has no scope. At most MaxReasons findings are kept;
// the last then says how many more there were.
//
// It is a heuristic that can only raise: a program can do what it doesn't name.
func drift(file File, cat *Catalogue, baseline []string) (findings []Finding, irreversible []string) {
	cat = withShell(cat.orDefault(), file.Data)
	d := &drifter{file: file, cat: cat, allowed: make([]bool, len(cat.tools)), named: make([]bool, len(cat.tools)), line: make([]int, len(cat.tools)), next: -1}
	d.call, d.places = d.name, placeFinder{text: file.Data, cat: cat}
	for i, t := range cat.tools {
		d.allowed[i] = slices.Contains(baseline, t.Name)
	}
	d.read()
	for i, t := range cat.tools {
		if d.named[i] && t.Effect != EffectReversible {
			irreversible = append(irreversible, t.Name)
		}
	}
	slices.Sort(irreversible)
	return d.done(), irreversible
}

// drifter collects the tools that one file names.
type drifter struct {
	file     File
	cat      *Catalogue
	allowed  []bool // by the tool's place in the catalogue
	named    []bool
	line     []int // on which the tool was found last
	findings []Finding
	omitted  int

	// A line that ends with a backslash, and those that continue it.
	pending  []byte
	segments []segment
	language language
	next     int // the byte at which the line that continues it begins

	// The line that is being read.
	text []byte
	at   []segment
	one  [1]segment
	call namer

	places placeFinder
	plain  []byte // kept for spelt
}

// segment says where a stretch of a text stands in the file.
type segment struct {
	at     int // the byte of the text at which it begins
	offset int // the byte of the file
	line   int
	begin  int // the byte at which that line begins
}

// read reads the file in every way that its name and its bytes allow.
func (d *drifter) read() {
	data := d.file.Data
	begin := 0
	if bytes.HasPrefix(data, byteOrderMark) {
		begin = len(byteOrderMark)
	}
	markdown, whole := sourceOf(d.file.Path)
	if bytes.HasPrefix(data[begin:], []byte("#!")) {
		whole = languageBoth // it says itself that it is a program
	}
	if markdown {
		d.injected(begin)
	}
	returns := []bool{false}
	if loneReturn(data) {
		returns = []bool{false, true} // a line ends there to some, and not to others
	}
	for _, cr := range returns {
		if whole != 0 {
			d.walk(begin, cr, whole, nil)
		}
		if !markdown || !bytes.Contains(data, []byte("```")) && !bytes.Contains(data, []byte("~~~")) {
			continue
		}
		d.walk(begin, cr, 0, newFences(data, begin, cr))
		// What stands in front matter opens no fence to who strips it first.
		m := frontMatter{file: File{Data: data}}
		if m.find(); m.body > 0 && bytes.ContainsAny(data[:m.body], "`~<") {
			d.walk(m.body, cr, 0, newFences(data, m.body, cr))
		}
	}
}

// source reads a line of source, from a byte on that counts as its column 0.
// Indented lines are skipped, unless they continue one that isn't.
func (d *drifter) source(l *textLine, begin int, lang language) {
	text := l.text[begin:]
	for len(text) > 0 && (text[0] == '\f' || text[0] == '\v') {
		text = text[1:] // Python starts anew there
	}
	seg := l.segment
	seg.offset += len(l.text) - len(text)
	flush := len(text) > 0 && text[0] != ' ' && text[0] != '\t'
	continues := len(text) > 0 && text[len(text)-1] == '\\'
	if flush && d.names(seg.offset, text, continues) {
		d.one[0] = seg
		d.scan(text, d.one[:], lang)
	}
	joins := len(d.segments) > 0 && d.next == l.offset
	if d.next == l.next || !joins && (!continues || !flush) {
		return // taken already, in another view; or on its own
	}
	if !joins {
		d.flush()
	}
	if continues {
		text = text[:len(text)-1]
	}
	seg.at = len(d.pending)
	d.pending = append(d.pending, text...)
	if n := len(d.segments); n > 1 && d.segments[n-1].at == seg.at {
		d.segments[n-1] = seg // the one before it is empty
	} else {
		d.segments = append(d.segments, seg)
	}
	d.language |= lang
	if d.next = l.next; !continues {
		d.flush()
	}
}

// names reports whether a line could name a tool: the backslash that continues
// it doesn't count.
func (d *drifter) names(offset int, text []byte, continues bool) bool {
	if continues {
		_, found := d.cat.place(text[:len(text)-1], 0, len(text)-1)
		return found
	}
	return d.places.next(offset, offset+len(text)) < offset+len(text)
}

// flush reads the lines that were joined at backslashes.
func (d *drifter) flush() {
	if _, found := d.cat.place(d.pending, 0, len(d.pending)); found && len(d.segments) > 1 {
		d.scan(d.pending, d.segments, d.language)
	}
	d.pending, d.segments, d.language, d.next = d.pending[:0], d.segments[:0], 0, -1
}

// scan looks for the names in a line.
func (d *drifter) scan(text []byte, segments []segment, lang language) {
	d.text, d.at = braceless(text), segments
	text = d.text
	if lang&languageCode != 0 && !onlyComment(text, lang) {
		codeNames(text, d.call)
	}
	if lang&languageShell != 0 {
		shellNames(text, d.call)
	}
}

// name is called for a symbol of the line that is being read. A tool's name may
// have points in it.
func (d *drifter) name(from, to int, how string) {
	tool, ok := d.lookup(d.text[from:to])
	for range d.cat.points {
		if ok || to == len(d.text) || d.text[to] != '.' {
			break
		}
		for to++; to < len(d.text) && nameByte(d.text[to]); to++ {
			if to-from > d.cat.longer {
				return
			}
		}
		tool, ok = d.lookup(d.text[from:to])
	}
	if !ok {
		return
	}
	seg, end := d.segment(from), d.segment(to-1) // it may go on behind a backslash
	offset := seg.offset + from - seg.at
	length := end.offset + to - end.at - offset
	d.report(tool, seg, offset, length, how, d.text[from:to])
}

// segment returns the segment of the line that is being read in which a byte of
// it lies.
func (d *drifter) segment(at int) segment {
	i, found := slices.BinarySearchFunc(d.at, at, func(s segment, at int) int { return cmp.Compare(s.at, at) })
	if !found {
		i--
	}
	return d.at[i]
}

// report notes that a tool is named, and finds it unless it is in the baseline
// or was found on that line before. how says what is done with it.
func (d *drifter) report(tool int, line segment, offset, length int, how string, symbol []byte) {
	d.named[tool] = true
	if d.allowed[tool] || d.line[tool] == line.line {
		return
	}
	d.line[tool] = line.line
	if len(d.findings) >= MaxReasons-1 {
		d.omitted++
		return
	}
	f := Finding{
		Kind: KindDrift, Token: d.cat.tools[tool].Name, File: d.file.Path,
		Line: line.line, Col: utf8.RuneCount(d.file.Data[line.begin:offset]) + 1, Offset: offset, Length: length,
	}
	f.Detail = fmt.Sprintf("source %s %s, which it doesn't declare or may not use", how, f.Token)
	if s := shown(string(symbol)); s != f.Token {
		f.Detail = fmt.Sprintf("source %s %s, that is %s, which it doesn't declare or may not use", how, s, f.Token)
	}
	d.findings = append(d.findings, f)
}

// lookup finds a symbol in the catalogue: as it stands, and as the languages
// read it that know other ways to write a letter.
func (d *drifter) lookup(symbol []byte) (int, bool) {
	if len(symbol) > 6*d.cat.longer {
		return 0, false
	}
	if i, ok := d.cat.names[string(symbol)]; ok {
		return i, true
	}
	for _, c := range symbol {
		if c >= utf8.RuneSelf || c == '\\' || c == '"' || c == '\'' {
			return d.spelt(symbol)
		}
	}
	return 0, false
}

// spelt finds a symbol that is written with letters beyond ASCII, escapes or
// quotes, and maybe behind blanks that only some languages take for such.
func (d *drifter) spelt(symbol []byte) (int, bool) {
	if d.resolve(symbol) { // Python, JavaScript
		if i, ok := d.cat.names[string(d.plain)]; ok {
			return i, true
		}
	}
	d.plain = d.plain[:0]
	for _, c := range symbol {
		if c >= utf8.RuneSelf {
			return 0, false // no name has it
		}
		if c != '\\' && c != '"' && c != '\'' { // a shell removes them from a word
			d.plain = append(d.plain, c)
		}
	}
	i, ok := d.cat.names[string(d.plain)]
	return i, ok
}

// resolve puts the last word of a symbol into plain, its escapes \u0042 resolved
// and in the form NFKC. It reports false if that couldn't be a name: names are
// ASCII, which no character becomes in company that doesn't alone.
func (d *drifter) resolve(symbol []byte) bool {
	d.plain = d.plain[:0]
	possible, ended := true, false
	for len(symbol) > 0 {
		r, n := utf8.DecodeRune(symbol)
		if e, ok := unicodeEscape(symbol); ok {
			r, n = e, 6
		}
		symbol = symbol[n:]
		text, class := plainOf(r)
		if class == runeHidden || unicode.IsSpace(r) { // JavaScript has more blanks than ASCII
			ended = true
			continue
		}
		if ended {
			d.plain, possible, ended = d.plain[:0], true, false
		}
		switch {
		case !possible:
		case r < utf8.RuneSelf:
			d.plain = append(d.plain, byte(r))
		case class == runeMapped:
			d.plain = append(d.plain, text...)
		default:
			possible = false
		}
		possible = possible && len(d.plain) <= d.cat.longer
	}
	return possible
}

// unicodeEscape returns the character that an escape \u0042 at the start stands for.
func unicodeEscape(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	r, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(r), err == nil
}

// braceless returns a text with the escapes \u{42} of JavaScript resolved, which
// would end a name. Backslashes, of which none is part of a name, keep each of
// them as long as it was.
func braceless(text []byte) []byte {
	const open = `\u{`
	if !bytes.Contains(text, []byte(open)) {
		return text
	}
	text = bytes.Clone(text)
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte(open))
		if n < 0 {
			return text
		}
		at += n
		digits := text[at+len(open):]
		end := bytes.IndexByte(digits[:min(len(digits), lookBack)], '}')
		if end > 0 {
			if r, err := strconv.ParseUint(string(digits[:end]), 16, 21); err == nil {
				size := len(utf8.AppendRune(text[:at], rune(r))) - at
				for i := at + size; i <= at+len(open)+end; i++ {
					text[i] = '\\'
				}
				at += len(open) + end + 1
				continue
			}
		}
		at += len(open)
	}
}

// done returns the findings in the order of the file, each once.
func (d *drifter) done() []Finding {
	slices.SortStableFunc(d.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Offset, b.Offset))
	})
	d.findings = slices.CompactFunc(d.findings, func(a, b Finding) bool { return a.Line == b.Line && a.Token == b.Token })
	slices.SortStableFunc(d.findings, func(a, b Finding) int { return cmp.Compare(a.Offset, b.Offset) })
	if d.omitted > 0 {
		d.findings = append(d.findings, Finding{
			Kind: KindDrift, File: d.file.Path, Offset: -1,
			Detail: fmt.Sprintf("source names such tools at %d more places", d.omitted),
		})
	}
	return d.findings
}

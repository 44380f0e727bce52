package promotion

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

const (
	// minExcerpt is the least width: what stands for a secret has to fit in.
	minExcerpt = 40
	// excerptMargin is how many bytes beyond what can be shown are read, so that
	// a secret is known though only its end would show.
	excerptMargin = 256
)

// Excerpt returns the line of data on which the length bytes at offset stand,
// for people and logs: at most width characters of it around them (40 if width
// is less), with "…" where something is left out. Blanks at its ends are
// dropped, tabs are blanks.
//
// It is safe to print: characters that can't be seen, controls among them, are
// written as \u200b, bytes that aren't UTF-8 as \xff. What looks like a secret
// is cut to its first characters and "…(20 characters cut)". It takes no
// longer for a long line; an offset or length beyond the data is brought into
// it.
func Excerpt(data []byte, offset, length, width int) string {
	width = max(width, minExcerpt)
	offset = min(max(offset, 0), len(data))
	end := offset + min(max(length, 0), len(data)-offset)
	if offset > 0 && offset < len(data) && data[offset] == '\n' && data[offset-1] == '\r' {
		offset-- // a line's end belongs to the line
	}

	reach := 2*width + excerptMargin
	start := max(0, offset-reach)
	clippedLo := start > 0
	if i := bytes.LastIndexAny(data[start:offset], "\r\n"); i >= 0 {
		start += i + 1
		clippedLo = false
	}
	stop := min(len(data), offset+min(end-offset, reach)+reach)
	clippedHi := stop < len(data)
	if i := bytes.IndexAny(data[offset:stop], "\r\n"); i >= 0 {
		stop = offset + i
		clippedHi = false
	}
	end = min(end, stop) // a match over lines: the first one is shown
	line := data[start:stop]
	secrets := secretsIn(line, clippedLo, clippedHi)
	if insideKey(data, start, line) {
		secrets = []span{{0, len(line)}}
	}
	atoms := atomsOf(line, secrets)
	return around(atoms, offset-start, end-start, width, clippedLo, clippedHi)
}

// span is a part of a line, in bytes.
type span struct{ start, end int }

// atom is what is shown of a part of the line, whole or not at all.
type atom struct {
	span
	text  string
	width int // in characters
	blank bool
}

func atomsOf(line []byte, secrets []span) []atom {
	var atoms []atom
	for i := 0; i < len(line); {
		if len(secrets) > 0 && i >= secrets[0].start {
			a := secretAtom(line, secrets[0])
			secrets = secrets[1:]
			if a.end > i {
				atoms = append(atoms, a)
				i = a.end
			}
			continue
		}
		text, size := asShown(line[i:])
		atoms = append(atoms, atom{span{i, i + size}, text, utf8.RuneCountInString(text), text == " "})
		i += size
	}
	return atoms
}

// secretAtom shows at most the first 4 characters of a secret, and at most a
// third of its first word.
func secretAtom(line []byte, s span) atom {
	secret := line[s.start:s.end]
	n := utf8.RuneCount(secret)
	first := secret
	if i := bytes.IndexAny(secret, " \t"); i >= 0 {
		first = secret[:i]
	}
	kept := min(4, utf8.RuneCount(first)/3)
	var text []byte
	i := 0
	for range kept {
		shown, size := asShown(secret[i:])
		text = append(text, shown...)
		i += size
	}
	if len(text) > 4*kept { // escapes: too long to be shown
		text = nil
		kept = 0
	}
	noun := "characters"
	if n-kept == 1 {
		noun = "character"
	}
	text = fmt.Appendf(text, "…(%d %s cut)", n-kept, noun)
	return atom{s, string(text), utf8.RuneCount(text), false}
}

// asShown returns what is shown of the first character, and its size in bytes.
func asShown(text []byte) (string, int) {
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf(`\x%02x`, text[0]), 1
	case r == ' ' || r == '\t':
		return " ", size
	case !unseen(r) && !unicode.Is(unicode.Zs, r):
		return string(text[:size]), size
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r), size
	default:
		return fmt.Sprintf(`\u%04x`, r), size
	}
}

// around returns the atoms about the bytes from start to end: these first, then
// what fits, twice as much after them as before.
func around(atoms []atom, start, end, width int, clippedLo, clippedHi bool) string {
	if !clippedLo {
		for len(atoms) > 0 && atoms[0].blank {
			atoms = atoms[1:]
		}
	}
	if !clippedHi {
		for len(atoms) > 0 && atoms[len(atoms)-1].blank {
			atoms = atoms[:len(atoms)-1]
		}
	}
	from := 0
	for from < len(atoms) && atoms[from].end <= start {
		from++
	}
	to := from
	left := width
	take := func(i, budget int) bool {
		if i < 0 || i >= len(atoms) || atoms[i].width > budget {
			return false
		}
		left -= atoms[i].width
		return true
	}
	for to < len(atoms) && atoms[to].start < end && take(to, left) {
		to++
	}
	// A third of what is left goes before, all of the rest after, and what is
	// left then before again.
	rest := left * 2 / 3
	for take(from-1, left-rest) {
		from--
	}
	for take(to, left) {
		to++
	}
	for take(from-1, left) {
		from--
	}
	var out []byte
	if from > 0 || clippedLo {
		out = append(out, "…"...)
	}
	for _, a := range atoms[from:to] {
		out = append(out, a.text...)
	}
	if to < len(atoms) || clippedHi {
		out = append(out, "…"...)
	}
	return string(out)
}

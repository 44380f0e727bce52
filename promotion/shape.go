package promotion

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// shapeOf finds what a file is that a text isn't: executable, or binary. UTF-16
// is binary, too: few who read the artefact would see it as text.
func shapeOf(f File) []Finding {
	var found []Finding
	add := func(k Kind, detail string) {
		found = append(found, Finding{Kind: k, File: f.Path, Offset: -1, Detail: detail})
	}
	if f.Exec {
		add(KindExecutable, "an executable bit is set")
	}
	if i := bytes.IndexByte(f.Data, 0); i >= 0 {
		add(KindBinary, fmt.Sprintf("it isn't text: a NUL byte at offset %d", i))
	} else if !utf8.Valid(f.Data) {
		add(KindBinary, fmt.Sprintf("it isn't text: not UTF-8 at offset %d", invalidAt(f.Data)))
	}
	return found
}

// invalidAt returns where data ceases to be UTF-8.
func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return len(data)
}

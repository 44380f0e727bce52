package promotion

import (
	"bytes"
	"strings"
)

// rareBytes finds the next of a few bytes that text seldom has. Looking for each
// of them alone is fast as long as they are rare.
type rareBytes struct {
	data  []byte
	bytes string // 3 at most
	known [3]int // where the next of each is; where the last one was, if it isn't known
}

// next returns the first of them from i on, len(data) if there is none. i must
// not go down from one call to the next.
func (r *rareBytes) next(i int) int {
	if i < len(r.data) && strings.IndexByte(r.bytes, r.data[i]) >= 0 {
		return i // where they aren't rare, one often follows the other
	}
	first := len(r.data)
	for k := range len(r.bytes) {
		at := r.known[k]
		if at <= i {
			at = len(r.data)
			if n := bytes.IndexByte(r.data[min(i, at):], r.bytes[k]); n >= 0 {
				at = i + n
			}
			r.known[k] = at
		}
		first = min(first, at)
	}
	return first
}

package ledger

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
)

// The lines of an export are made of these, to the byte:
//
//	{"hash":"<base64>","index":<number>,"leaf":<the bytes of the leaf>}
//	{"checkpoint":"<signed note as a JSON string>"}
const (
	hashOpen       = `{"hash":"`
	indexOpen      = `","index":`
	leafOpen       = `,"leaf":`
	checkpointOpen = `{"checkpoint":`
	hashText       = 44 // base64 of 32 bytes
	maxLine        = 2 * MaxNote
	maxDigits      = 18 // of an index, so that it fits
)

// AppendLeaf appends the line of one leaf to an export: its index, its bytes,
// which are those that [Entry.Encode] returned, and the hash that the store
// keeps for it. The hash must come from there and not be computed anew: that a
// leaf doesn't have its stored hash is how [Verify] names one that was edited.
func AppendLeaf(dst []byte, index int64, hash tlog.Hash, leaf []byte) []byte {
	dst = append(dst, hashOpen...)
	dst = base64.StdEncoding.AppendEncode(dst, hash[:])
	dst = append(dst, indexOpen...)
	dst = strconv.AppendInt(dst, index, 10)
	dst = append(dst, leafOpen...)
	dst = append(dst, leaf...)
	return append(dst, "}\n"...)
}

// AppendCheckpoint appends the line of a signed checkpoint to an export. It
// belongs behind the last leaf that it covers, and an export ends with one.
// Earlier ones may stand in between: they narrow down where an edit is, at the
// price of a signature to check (some 50 µs), so one in a thousand leaves or
// more does no harm.
func AppendCheckpoint(dst, signed []byte) []byte {
	dst = append(dst, checkpointOpen...)
	dst = verdict.AppendString(dst, string(signed))
	return append(dst, "}\n"...)
}

// leafLine is the line of a leaf, taken apart. The slices are parts of the line.
type leafLine struct {
	hash  []byte // base64
	index int64
	at    int // where in the line the leaf begins
	leaf  []byte
}

// parseLeafLine takes a line apart, which ends with its line feed. It looks at
// what is around the leaf only: the leaf itself is for the hash to judge.
func parseLeafLine(line []byte) (l leafLine, err error) {
	fail := func(what string) (leafLine, error) {
		return leafLine{}, fmt.Errorf("no line of a leaf: %s", what)
	}
	rest, ok := bytes.CutPrefix(line, []byte(hashOpen))
	if !ok || len(rest) < hashText {
		return fail(`it begins with {"hash":"`)
	}
	l.hash, rest = rest[:hashText], rest[hashText:]
	if rest, ok = bytes.CutPrefix(rest, []byte(indexOpen)); !ok {
		return fail(`the index stands behind 44 characters of hash`)
	}
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' && digits < maxDigits {
		l.index = 10*l.index + int64(rest[digits]-'0')
		digits++
	}
	if digits == 0 || digits > 1 && rest[0] == '0' {
		return fail("its index is no number in the shortest form")
	}
	if rest, ok = bytes.CutPrefix(rest[digits:], []byte(leafOpen)); !ok {
		return fail(`"leaf" stands behind the index`)
	}
	l.at = len(line) - len(rest)
	if l.leaf, ok = bytes.CutSuffix(rest, []byte("}\n")); !ok {
		return fail("it ends with } and a line feed")
	}
	if n := len(l.leaf); n < 2 || l.leaf[0] != '{' || l.leaf[n-1] != '}' || n > MaxLeaf {
		return fail(fmt.Sprintf("a leaf is an object of at most %d bytes", MaxLeaf))
	}
	return l, nil
}

// parseCheckpointLine returns the signed note in the line of a checkpoint.
func parseCheckpointLine(line []byte) ([]byte, error) {
	text, ok := bytes.CutSuffix(line, []byte("}\n"))
	if text = bytes.TrimPrefix(text, []byte(checkpointOpen)); !ok {
		return nil, fmt.Errorf("no line of a checkpoint: it ends with } and a line feed")
	}
	n, err := source.ReadJSON(text)
	if err != nil {
		return nil, fmt.Errorf("no line of a checkpoint: %w", err)
	}
	if n.Kind != source.String {
		return nil, fmt.Errorf("no line of a checkpoint: it is a string, not %s", n.Kind)
	}
	if again := verdict.AppendString(nil, n.Text); !bytes.Equal(again, text) {
		return nil, fmt.Errorf("no line of a checkpoint: the string isn't in its shortest form")
	}
	return []byte(n.Text), nil
}

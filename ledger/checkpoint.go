package ledger

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// MaxNote is the longest signed checkpoint in bytes. C2SP signed-note wants 16
// signatures taken, of up to 5 kB each.
const MaxNote = 128 << 10

// Why a signed checkpoint isn't taken; [Open] wraps one of them.
var (
	// ErrMalformed: it isn't a checkpoint, or not in the one form it may have.
	ErrMalformed = errors.New("malformed")
	// ErrSignature: a signature by a key of the list doesn't hold.
	ErrSignature = errors.New("bad signature")
	// ErrUnknownKey: no key of the list that is good for this size has signed.
	ErrUnknownKey = errors.New("no signature by a known key")
)

// Checkpoint says that the log of this origin, at this size, has this root. As
// a text it is the body of a C2SP tlog-checkpoint.
type Checkpoint struct {
	// Origin names the log. It is the name of its keys, too, so it holds
	// neither blanks nor a plus: "example.com/pawl".
	Origin string
	Size   int64
	Root   tlog.Hash
	// Extensions are further lines, opaque and seldom of use.
	Extensions []string
}

// Text returns the body of the checkpoint, that which is signed: origin, size
// and root in base64, each on a line, and the extension lines. What a body
// can't hold is an error.
func (c Checkpoint) Text() (string, error) {
	if !validOrigin(c.Origin) {
		return "", fmt.Errorf("ledger: %.80q is no origin: a text without blanks and plus signs, such as example.com/pawl", c.Origin)
	}
	if c.Size < 0 {
		return "", fmt.Errorf("ledger: a checkpoint of size %d", c.Size)
	}
	if c.Size == 0 && c.Root != emptyRoot {
		return "", fmt.Errorf("ledger: the root of the empty log is %s, not %s", emptyRoot, c.Root)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d\n%s\n", c.Origin, c.Size, c.Root)
	for _, x := range c.Extensions {
		if x == "" || !validLine(x) {
			return "", fmt.Errorf("ledger: %.80q is no extension line: one line of UTF-8 that isn't empty", x)
		}
		b.WriteString(x)
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// ParseCheckpoint reads a body, strictly: it accepts exactly what
// [Checkpoint.Text] returns. Whether anybody signed it is for [Open] to say.
func ParseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[len(lines)-1] != "" {
		return Checkpoint{}, fmt.Errorf("%w: a checkpoint has three lines or more, each of which ends", ErrMalformed)
	}
	c := Checkpoint{Origin: lines[0], Extensions: lines[3 : len(lines)-1]}
	if len(c.Extensions) == 0 {
		c.Extensions = nil
	}
	var err error
	if c.Size, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return Checkpoint{}, fmt.Errorf("%w: the size of a checkpoint is %.40q", ErrMalformed, lines[1])
	}
	if c.Root, err = tlog.ParseHash(lines[2]); err != nil {
		return Checkpoint{}, fmt.Errorf("%w: the root of a checkpoint is %.60q", ErrMalformed, lines[2])
	}
	again, err := c.Text()
	if err != nil {
		return Checkpoint{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if again != text {
		return Checkpoint{}, fmt.Errorf("%w: a checkpoint isn't in its one form: size without leading zeros, strict base64", ErrMalformed)
	}
	return c, nil
}

func validOrigin(s string) bool {
	return s != "" && validLine(s) && strings.IndexFunc(s, unicode.IsSpace) < 0 && !strings.Contains(s, "+")
}

// validLine is what C2SP signed-note takes between two line feeds.
func validLine(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return r < 0x20 }) < 0
}

// Sign returns the checkpoint as a signed note (C2SP signed-note). The key's
// name must be the origin, as tlog-checkpoint asks. Two keys sign where one
// takes over from the other.
func Sign(c Checkpoint, signers ...note.Signer) ([]byte, error) {
	text, err := c.Text()
	if err != nil {
		return nil, err
	}
	if len(signers) == 0 {
		return nil, errors.New("ledger: no key to sign the checkpoint with")
	}
	for _, s := range signers {
		if s.Name() != c.Origin {
			return nil, fmt.Errorf("ledger: the key is named %.80q, the origin of the log is %.80q: they have to be the same", s.Name(), c.Origin)
		}
	}
	signed, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		return nil, fmt.Errorf("ledger: sign the checkpoint of size %d: %w", c.Size, err)
	}
	return signed, nil
}

// Open reads a signed checkpoint. At least one key of the list that is good for
// its size and bears the name of its origin must have signed, and every
// signature by such a key must hold. Others are ignored, as C2SP signed-note
// says: those of witnesses, of keys that come later or went before. The error
// is [ErrMalformed], [ErrSignature] or [ErrUnknownKey].
func Open(signed []byte, keys []Key) (Checkpoint, error) {
	c, sigs, err := peek(signed)
	if err != nil {
		return Checkpoint{}, err
	}
	var good []note.Verifier
	for _, k := range keys {
		// A key may be listed with several spans; note takes it once only.
		if k.covers(c.Size) && k.is(c.Origin, k.Verifier.KeyHash()) && !slices.ContainsFunc(good, func(v note.Verifier) bool { return k.is(v.Name(), v.KeyHash()) }) {
			good = append(good, k.Verifier)
		}
	}
	// Of two signatures by one key note looks at the first one only.
	for _, v := range good {
		if n := count(sigs, v); n > 1 {
			return Checkpoint{}, fmt.Errorf("%w: the key %s+%08x signed the checkpoint of size %d %d times", ErrMalformed, v.Name(), v.KeyHash(), c.Size, n)
		}
	}
	_, err = note.Open(signed, note.VerifierList(good...))
	var unverified *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	switch {
	case err == nil:
		return c, nil
	case errors.As(err, &invalid):
		return Checkpoint{}, fmt.Errorf("%w by the key %s+%08x on the checkpoint of size %d", ErrSignature, invalid.Name, invalid.Hash, c.Size)
	case !errors.As(err, &unverified):
		return Checkpoint{}, fmt.Errorf("%w: the checkpoint of size %d: %w", ErrMalformed, c.Size, err)
	}
	for _, s := range unverified.Note.UnverifiedSigs {
		for _, k := range keys {
			if s.Name == c.Origin && k.is(s.Name, s.Hash) {
				return Checkpoint{}, fmt.Errorf("%w: the key %s+%08x signed the checkpoint of size %d, but is good for %s only", ErrUnknownKey, s.Name, s.Hash, c.Size, k.span())
			}
		}
	}
	return Checkpoint{}, fmt.Errorf("%w: the checkpoint of size %d of %.80q is signed by %s", ErrUnknownKey, c.Size, c.Origin, names(unverified.Note.UnverifiedSigs))
}

func names(sigs []note.Signature) string {
	var b strings.Builder
	for i, s := range sigs {
		switch {
		case i == 4:
			fmt.Fprintf(&b, " and %d more", len(sigs)-i)
			return b.String()
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.80s+%08x", s.Name, s.Hash)
	}
	return b.String()
}

var sigSplit = []byte("\n\n")

const sigPrefix = "— "

// peek reads a signed checkpoint without looking at a key: its body, and which
// keys are said to have signed it. It wants the one form that the note can
// have, base64 without stray bits, which the note package would overlook.
func peek(signed []byte) (Checkpoint, []note.Signature, error) {
	if len(signed) > MaxNote {
		return Checkpoint{}, nil, fmt.Errorf("%w: a signed checkpoint of %d bytes, the most is %d", ErrMalformed, len(signed), MaxNote)
	}
	split := bytes.LastIndex(signed, sigSplit)
	if split < 0 {
		return Checkpoint{}, nil, fmt.Errorf("%w: a signed checkpoint has signatures below an empty line", ErrMalformed)
	}
	var sigs []note.Signature
	for line := range bytes.Lines(signed[split+len(sigSplit):]) {
		name, b64, ok := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(string(line), "\n"), sigPrefix), " ")
		raw, err := base64.StdEncoding.Strict().DecodeString(b64)
		if !ok || err != nil || len(raw) < 5 {
			return Checkpoint{}, nil, fmt.Errorf("%w: %.120q is no signature line", ErrMalformed, line)
		}
		sigs = append(sigs, note.Signature{Name: name, Hash: binary.BigEndian.Uint32(raw)})
	}
	c, err := ParseCheckpoint(string(signed[:split+1]))
	return c, sigs, err
}

func count(sigs []note.Signature, v note.Verifier) (n int) {
	for _, s := range sigs {
		if s.Name == v.Name() && s.Hash == v.KeyHash() {
			n++
		}
	}
	return n
}

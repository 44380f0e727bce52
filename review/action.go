package review

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
)

// Digest is a SHA-256. The zero Digest is none.
type Digest [sha256.Size]byte

// String returns "sha256:" and the digits in hexadecimal.
func (d Digest) String() string { return "sha256:" + hex.EncodeToString(d[:]) }

// Equal compares in constant time.
func (d Digest) Equal(e Digest) bool { return subtle.ConstantTimeCompare(d[:], e[:]) == 1 }

// ParseDigest reads what String writes.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	h, ok := strings.CutPrefix(s, "sha256:")
	b, err := hex.DecodeString(h)
	if !ok || err != nil || len(b) != len(d) || h != strings.ToLower(h) {
		return Digest{}, errors.New(`a digest is "sha256:" and 64 hexadecimal digits in lower case`)
	}
	copy(d[:], b)
	return d, nil
}

// Salt is what keeps an action from being guessed from its digest: 32 random
// bytes of the item's own.
type Salt [32]byte

// ActionDigest returns SHA-256(salt ‖ RFC 8785 form of the action), what an
// approval and a permit are bound to. The error is that of [CanonicalAction].
func ActionDigest(salt Salt, action []byte) (Digest, error) {
	c, err := CanonicalAction(action)
	if err != nil {
		return Digest{}, err
	}
	return digestOf(salt, c), nil
}

func digestOf(salt Salt, canonical []byte) Digest {
	h := sha256.New()
	h.Write(salt[:])
	h.Write(canonical)
	return Digest(h.Sum(nil))
}

// maxExact is the largest magnitude up to which RFC 8785, which knows float64
// only, tells every integer from the next.
const maxExact = 1 << 53

// CanonicalAction returns the RFC 8785 form of an action, which is any JSON
// value; an empty text is null. It refuses (with an [*InvalidError] that has
// the place) what isn't strict JSON, numbers that no float64 holds, and
// integers beyond 2^53 however they are written: in that form they would
// become other integers.
func CanonicalAction(raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return []byte("null"), nil
	}
	n, err := source.ReadJSON(raw)
	if err != nil {
		return nil, unreadable("action", err)
	}
	if err := checkNumbers(n, ""); err != nil {
		return nil, err
	}
	c, err := source.Canonical(raw)
	if err != nil {
		return nil, unreadable("action", err)
	}
	return c, nil
}

func unreadable(field string, err error) error {
	e := &InvalidError{Field: field, Message: err.Error(), Err: err}
	var se *source.SyntaxError
	if errors.As(err, &se) {
		e.Pointer, e.Message = se.Pointer, se.Pos.String()+": "+se.Message
	}
	return e
}

func checkNumbers(n *source.Node, at string) error {
	switch n.Kind {
	case source.List:
		for i, item := range n.Items {
			if err := checkNumbers(item, at+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}
	case source.Object:
		for i := range n.Members {
			if err := checkNumbers(n.Members[i].Value, at+"/"+escapeToken(n.Members[i].Key)); err != nil {
				return err
			}
		}
	case source.Number:
		return checkNumber(n.Text, at)
	}
	return nil
}

func checkNumber(lit, at string) error {
	refuse := func(what string) error {
		return &InvalidError{Field: "action", Pointer: at, Message: "the number " + shorten(lit) + " " + what + "; carry it as a string"}
	}
	const beyond = "lies beyond 2^53, where integers can't be told apart any more"
	num := source.ParseNumber([]byte(lit))
	switch {
	case num.IsInt && (num.Inexact || num.Int > maxExact || num.Int < -maxExact):
		return refuse(beyond)
	case num.IsInt:
		return nil
	case num.Inexact:
		return refuse("is too large")
	case num.Float >= maxExact || num.Float <= -maxExact:
		return refuse(beyond) // 9007199254740993.0 and its like are integers, too
	case num.Float == 0 && strings.ContainsAny(mantissa(lit), "123456789"):
		return refuse("is too small")
	}
	return nil
}

func mantissa(lit string) string {
	if i := strings.IndexAny(lit, "eE"); i >= 0 {
		return lit[:i]
	}
	return lit
}

func shorten(lit string) string {
	if len(lit) > 40 {
		return lit[:40] + "…"
	}
	return lit
}

// CanonicalInput returns the form in which signals or a case are kept: RFC 8785
// but for the numbers, which stay as they were written, since signals may hold
// integers of any size. The error is an [*InvalidError].
func CanonicalInput(raw []byte) ([]byte, error) {
	n, err := source.ReadJSON(raw)
	if err != nil {
		return nil, unreadable("input", err)
	}
	return appendSorted(nil, n), nil
}

func appendSorted(dst []byte, n *source.Node) []byte {
	switch n.Kind {
	case source.List:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendSorted(dst, item)
		}
		return append(dst, ']')
	case source.Object:
		members := slices.SortedFunc(slices.Values(n.Members), func(a, b source.Member) int {
			return slices.Compare(utf16.Encode([]rune(a.Key)), utf16.Encode([]rune(b.Key)))
		})
		dst = append(dst, '{')
		for i := range members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = verdict.AppendString(dst, members[i].Key)
			dst = append(dst, ':')
			dst = appendSorted(dst, members[i].Value)
		}
		return append(dst, '}')
	default:
		return n.AppendJSON(dst)
	}
}

// sameAction compares canonical actions.
func sameAction(a, b []byte) bool { return bytes.Equal(a, b) }

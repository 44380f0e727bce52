package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

const rotationHead = "pawl ledger key rotation v1"

// Rotation says that another key takes over. Signed by both keys it is the
// statement of an [Entry] of [KindKeyRotation]: the old one vouches for the new
// one, and the new one shows that somebody has it.
//
// It is a record, not a shortcut: [Open] and [Verify] take the keys that they
// are given, so that a stolen key can't appoint its own successor. Whoever keeps
// the list of keys adds the new one by hand, from the first size that it signs,
// and closes the old one's span with the size of the checkpoint that both sign.
type Rotation struct {
	Origin string
	// Size is that of the last checkpoint before the rotation.
	Size int64
	// Old and New are verifier keys of C2SP signed-note: origin+id+base64.
	Old, New string
}

func (r Rotation) text() (string, error) {
	if !validOrigin(r.Origin) || r.Size < 0 || r.Old == r.New {
		return "", fmt.Errorf("ledger: no rotation: origin %.80q, size %d, from %.120q to %.120q", r.Origin, r.Size, r.Old, r.New)
	}
	for _, vkey := range []string{r.Old, r.New} {
		if v, err := note.NewVerifier(vkey); err != nil || v.Name() != r.Origin {
			return "", fmt.Errorf("ledger: no rotation: %.120q is no verifier key of %.80q", vkey, r.Origin)
		}
	}
	return fmt.Sprintf("%s\n%s\n%d\n%s\n%s\n", rotationHead, r.Origin, r.Size, r.Old, r.New), nil
}

// SignRotation returns the statement: a note with the signatures of both keys.
func SignRotation(r Rotation, older, newer note.Signer) (string, error) {
	text, err := r.text()
	if err != nil {
		return "", err
	}
	signed, err := note.Sign(&note.Note{Text: text}, older, newer)
	if err != nil {
		return "", fmt.Errorf("ledger: sign the rotation: %w", err)
	}
	if _, err := OpenRotation(string(signed), nil); err != nil {
		return "", err // signed by other keys than it names
	}
	return string(signed), nil
}

// OpenRotation reads a statement and checks that both keys that it names have
// signed it. With a list of keys the old one has to be in it and good for the
// size; without one, that it is the right key is left to the caller.
func OpenRotation(statement string, keys []Key) (Rotation, error) {
	fail := func(why string) (Rotation, error) {
		return Rotation{}, fmt.Errorf("%w: no statement of a key rotation: %s", ErrMalformed, why)
	}
	text, _, ok := strings.Cut(statement, "\n\n")
	lines := strings.Split(text, "\n")
	if !ok || len(lines) != 5 || lines[0] != rotationHead {
		return fail("it has five lines and begins with " + rotationHead)
	}
	size, err := strconv.ParseInt(lines[2], 10, 64)
	if err != nil {
		return fail("the third line is the size")
	}
	r := Rotation{lines[1], size, lines[3], lines[4]}
	if again, err := r.text(); err != nil {
		return fail(err.Error())
	} else if again != text+"\n" {
		return fail("it isn't in its one form")
	}
	var both []note.Verifier
	for _, vkey := range []string{r.Old, r.New} {
		v, err := note.NewVerifier(vkey)
		if err != nil {
			return fail(err.Error())
		}
		both = append(both, v)
	}
	switch n, err := note.Open([]byte(statement), note.VerifierList(both...)); {
	case err != nil:
		return Rotation{}, fmt.Errorf("%w on the key rotation at size %d: %w", ErrSignature, r.Size, err)
	case len(n.Sigs) != len(both):
		return Rotation{}, fmt.Errorf("%w: the key rotation at size %d isn't signed by both keys", ErrSignature, r.Size)
	}
	if keys == nil {
		return r, nil
	}
	for _, k := range keys {
		if k.Verifier == nil {
			return Rotation{}, errors.New("ledger: a key without a verifier")
		}
		if k.covers(r.Size) && k.is(r.Origin, both[0].KeyHash()) && sameKey(k.Verifier, statement) {
			return r, nil
		}
	}
	return Rotation{}, fmt.Errorf("%w: the old key of the rotation at size %d isn't in the list, or not good for that size", ErrUnknownKey, r.Size)
}

// sameKey reports whether v signed the statement. Two keys may share an id, so
// that alone says nothing.
func sameKey(v note.Verifier, statement string) bool {
	_, err := note.Open([]byte(statement), note.VerifierList(v))
	return err == nil
}

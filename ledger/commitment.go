package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// SaltSize is the size of a salt in bytes.
const SaltSize = 32

// Salt makes a body unguessable from its commitment. It is random, of one body
// only, and kept and erased together with it.
type Salt [SaltSize]byte

// Commitment binds a body without telling it: SHA-256(salt ‖ body). While the
// body and its salt are kept, anybody who has them can check it; once they are
// erased, what is left tells nothing, not even to somebody who guesses right.
type Commitment [sha256.Size]byte

// Commit returns the commitment to a body, which is to be in the form in which
// it is kept: for JSON, the bytes of its RFC 8785 form. A salt of zeros is
// refused, because it is one that nobody drew.
func Commit(salt Salt, body []byte) (Commitment, error) {
	if salt == (Salt{}) {
		return Commitment{}, errors.New("ledger: the salt is zero: draw 32 random bytes for each body")
	}
	return commit(salt, body), nil
}

func commit(salt Salt, body []byte) Commitment {
	h := sha256.New()
	h.Write(salt[:])
	h.Write(body)
	var c Commitment
	h.Sum(c[:0])
	return c
}

// Check reports whether c is the commitment to the body under the salt.
func (c Commitment) Check(salt Salt, body []byte) bool {
	return c != Commitment{} && salt != Salt{} && commit(salt, body) == c
}

// String returns the commitment as it stands in a leaf: 64 hexadecimal digits.
func (c Commitment) String() string { return hex.EncodeToString(c[:]) }

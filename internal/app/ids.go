package app

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"github.com/google/uuid"

	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/review"
)

// newID returns the id of a new item: a UUIDv7, so that ids sort by age.
func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}

// secrets are what is random of an item: the salt of its action's digest, and
// the seed of the salts of all its other bodies.
type secrets struct {
	salt review.Salt
	seed [32]byte
}

func newSecrets() (s secrets) {
	var b [64]byte
	_, _ = rand.Read(b[:]) // never fails: the program would end
	copy(s.salt[:], b[:32])
	copy(s.seed[:], b[32:])
	return s
}

// commit binds the body of that name to the ledger. Its salt comes from the
// item's seed, so that erasing the seed erases the salts of all bodies.
func commit(seed [32]byte, name string, body []byte) (ledger.Commitment, error) {
	h := hmac.New(sha256.New, seed[:])
	h.Write([]byte(name))
	return ledger.Commit(ledger.Salt(h.Sum(nil)), body)
}

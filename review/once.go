package review

import (
	"crypto/sha256"
	"errors"
)

// The errors of a submission that isn't the first of its key.
var (
	// ErrKeyReused says that the key came with another body before (422).
	ErrKeyReused = errors.New("this idempotency key came with another body before; make a new key for a new submission")
	// ErrKeyRunning says that the first submission isn't answered yet (409).
	ErrKeyRunning = errors.New("the first submission with this idempotency key is still running; try again")
)

// FirstSubmission is what is kept of a submission that had an idempotency key.
type FirstSubmission struct {
	Body   Digest // see BodyDigest
	Answer []byte // nil while it is running
}

// BodyDigest returns the SHA-256 of a body as it came.
func BodyDigest(body []byte) Digest { return sha256.Sum256(body) }

// Once judges a submission with an idempotency key, given what is kept of the
// first one with that key (of the same gate and caller), or nil. It returns the
// answer to give again, nil if this is the first; or [ErrKeyReused], or
// [ErrKeyRunning].
func Once(first *FirstSubmission, body Digest) (answer []byte, err error) {
	switch {
	case first == nil:
		return nil, nil
	case !first.Body.Equal(body):
		return nil, ErrKeyReused
	case first.Answer == nil:
		return nil, ErrKeyRunning
	}
	return first.Answer, nil
}

package store

import (
	"errors"
	"time"

	"github.com/pawlgate/pawl/review"
)

// Key returns what is kept of the first submission with an idempotency key, and
// the item that it made; nil if there is none. In a transaction that writes on
// Postgres a second submission with the key waits.
func (tx *Tx) Key(gate, caller, key string) (first *review.FirstSubmission, item string, err error) {
	return nil, "", errors.ErrUnsupported
}

// PutKey keeps a submission with its key; one that is there is replaced.
func (tx *Tx) PutKey(gate, caller, key, item string, s review.FirstSubmission) error {
	return errors.ErrUnsupported
}

// Label says what turned out to be right about an item.
type Label struct {
	Item string
	Seq  int64  // from 1, of the item's labels; PutLabel sets it
	Body []byte // in the caller's form
	By   review.Person
	At   time.Time
}

// PutLabel adds a label.
func (tx *Tx) PutLabel(l *Label) error { return errors.ErrUnsupported }

// Labels returns an item's labels, the first one first.
func (tx *Tx) Labels(item string) ([]Label, error) { return nil, errors.ErrUnsupported }

// Shadow is a decision beside the caller's own, which binds nobody.
type Shadow struct {
	ID       string
	Gate     string
	Subject  string
	Policy   review.PolicyRef
	Engine   string
	Seed     [32]byte
	Verdict  string
	Input    []byte
	Decision []byte
	Actual   []byte // what the caller did
	By       review.Person
	At       time.Time
}

// PutShadow adds a shadow decision.
func (tx *Tx) PutShadow(s *Shadow) error { return errors.ErrUnsupported }

// Shadows returns a gate's shadow decisions, those with the highest id first.
func (tx *Tx) Shadows(gate string, limit int) ([]Shadow, error) { return nil, errors.ErrUnsupported }

// PutBlob keeps data by its digest for an item; the same blob is kept once.
func (tx *Tx) PutBlob(item string, digest review.Digest, data []byte) error {
	return errors.ErrUnsupported
}

// Blob returns data by its digest, or ErrNotFound.
func (tx *Tx) Blob(digest review.Digest) ([]byte, error) { return nil, errors.ErrUnsupported }

// Execution is the redemption key that an executor keeps before it redeems.
type Execution struct {
	Item     string
	Executor string
	Key      []byte
	At       time.Time
}

// PutExecution keeps an execution; one that is there is ErrExists.
func (tx *Tx) PutExecution(e *Execution) error { return errors.ErrUnsupported }

// Execution returns an execution, or ErrNotFound.
func (tx *Tx) Execution(item, executor string) (*Execution, error) {
	return nil, errors.ErrUnsupported
}

// Meta returns a named value, or ErrNotFound.
func (tx *Tx) Meta(name string) ([]byte, error) { return nil, errors.ErrUnsupported }

// PutMeta sets a named value.
func (tx *Tx) PutMeta(name string, value []byte) error { return errors.ErrUnsupported }

package store

import (
	"errors"
	"time"

	"github.com/pawlgate/pawl/review"
)

// Record is an item with all that is kept in its row.
type Record struct {
	Item    review.Item
	Kind    string       // of its gate: threshold, case, promotion
	Seed    [32]byte     // the salts of commitments are made from it
	Opening review.Event // the first event
	Permit  *review.Permit
	// Rev counts what was written, changes of the permit, too. InsertRecord and
	// UpdateRecord set it.
	Rev       int64
	LegalHold bool // it may not be erased
	Erased    bool
	// NextDue is when time will change it: see review.NextDue. The zero time is
	// never.
	NextDue time.Time
}

// Cursor is a place in the order of urgency.
type Cursor struct {
	Priority int
	Deadline time.Time
	Since    time.Time
	ID       string
}

// CursorAt returns the place of an item.
func CursorAt(i *review.Item) *Cursor { return &Cursor{i.Priority, i.Deadline, i.Since, i.ID} }

// Query says which records to list. What is empty doesn't matter.
type Query struct {
	Gate    string
	Status  review.Status
	Queue   string
	Subject string
	Permit  review.PermitState
	Before  string // only ids below this one
	Limit   int    // 0 is 100
}

// Record returns a record, or ErrNotFound. In a transaction that writes nobody
// else changes it until that has ended.
func (tx *Tx) Record(id string) (*Record, error) { return nil, errors.ErrUnsupported }

// InsertRecord writes a new record. It may be that only the end of the
// transaction finds that the id exists.
func (tx *Tx) InsertRecord(r *Record) error { return errors.ErrUnsupported }

// UpdateRecord writes a record that was read with this Rev, and counts it up;
// one that was changed since is ErrConflict.
func (tx *Tx) UpdateRecord(r *Record) error { return errors.ErrUnsupported }

// AppendEvent writes an event of an item, from the second one: the first is
// [Record.Opening].
func (tx *Tx) AppendEvent(e review.Event) error { return errors.ErrUnsupported }

// Events returns all events of an item, the first one first.
func (tx *Tx) Events(item string) ([]review.Event, error) { return nil, errors.ErrUnsupported }

// Candidates returns pending records of a queue ("*" is every one) behind a
// place, the most urgent first as review.CompareUrgency has it, without those
// that are claimed or on hold now. In a transaction that writes on Postgres
// nobody else changes them, and those that somebody else has are left out.
func (tx *Tx) Candidates(queue string, after *Cursor, limit int) ([]*Record, error) {
	return nil, errors.ErrUnsupported
}

// Joinable returns the pending records of a gate and a subject, which isn't
// empty, the oldest first.
func (tx *Tx) Joinable(gate, subject string) ([]*Record, error) { return nil, errors.ErrUnsupported }

// Due returns the ids of records whose NextDue has come, the longest due first.
func (tx *Tx) Due(limit int) ([]string, error) { return nil, errors.ErrUnsupported }

// List returns records, those with the highest id first: the newest, since ids
// are UUIDs of version 7.
func (tx *Tx) List(q Query) ([]*Record, error) { return nil, errors.ErrUnsupported }

// Counts returns how many items of a gate ("" is all) there are of each status,
// and how many permits are in doubt.
func (tx *Tx) Counts(gate string) (byStatus map[review.Status]int64, inDoubt int64, err error) {
	return nil, 0, errors.ErrUnsupported
}

// Erase removes what may hold personal data of an item: input, actions,
// decision, salts and seed, notes, the permit's result, labels, executions, the
// answer of its idempotency key, and blobs that nothing else refers to. What is
// left is what the ledger has. It doesn't ask about legal holds.
func (tx *Tx) Erase(id string) error { return errors.ErrUnsupported }

package store

import (
	"fmt"
	"time"

	"github.com/pawlgate/pawl/review"
)

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

// Candidates returns pending records of a queue ("*" is every one) behind a
// place, the most urgent first as review.CompareUrgency has it, without those
// that are claimed or on hold now. In a transaction that writes on Postgres
// nobody else changes them, and those that somebody else has are left out.
func (tx *Tx) Candidates(queue string, after *Cursor, limit int) ([]*Record, error) {
	if err := tx.flush(); err != nil {
		return nil, err
	}
	var w where
	w.and(`status = 'pending_review'`)
	if queue != "*" {
		w.and(`queue = ?`, queue)
	}
	w.and(`busy_until <= ?`, us(tx.Now()))
	if after != nil {
		deadline := int64(never)
		if !after.Deadline.IsZero() {
			deadline = us(after.Deadline)
		}
		// The first term is what an index can begin at.
		w.and(`priority <= ?`, int64(after.Priority))
		w.and(`(priority < ? OR (deadline, since, id) > (?, ?, ?))`, int64(after.Priority), deadline, us(after.Since), after.ID)
	}
	query := fmt.Sprintf(`SELECT %s FROM items%s ORDER BY priority DESC, deadline, since, id LIMIT %d`, itemColumns, w.String(), limit)
	all, err := tx.records(tx.locked(query, " SKIP LOCKED"), w.args...)
	if err != nil {
		return nil, fmt.Errorf("candidates of queue %.80q: %w", queue, err)
	}
	return all, nil
}

// Joinable returns the pending records of a gate and a subject, which isn't
// empty, the oldest first. In a transaction that writes on Postgres nobody else
// asks about the same meanwhile: else two who find nothing would open two items.
func (tx *Tx) Joinable(gate, subject string) ([]*Record, error) {
	if subject == "" {
		return nil, nil
	}
	if err := tx.flush(); err != nil {
		return nil, err
	}
	if tx.write && tx.db.pg {
		// A statement of its own, so that the next one sees what came before the lock.
		if err := tx.each(`SELECT pg_advisory_xact_lock(hashtextextended($1, 31339))`, []any{fmt.Sprintf("%q %q", gate, subject)}, func(func(...any) error) error { return nil }); err != nil {
			return nil, err
		}
	}
	query := `SELECT ` + itemColumns + ` FROM items WHERE status = 'pending_review' AND subject <> '' AND gate = $1 AND subject = $2 ORDER BY id`
	return tx.records(tx.locked(query, ""), gate, subject)
}

// Due returns the ids of records whose NextDue has come, the longest due first.
func (tx *Tx) Due(limit int) (ids []string, err error) {
	if err := tx.flush(); err != nil {
		return nil, err
	}
	query := fmt.Sprintf(`SELECT id FROM items WHERE next_due IS NOT NULL AND next_due <= $1 ORDER BY next_due LIMIT %d`, limit)
	err = tx.each(query, []any{us(tx.Now())}, func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// List returns records, those with the highest id first: the newest, since ids
// are UUIDs of version 7.
func (tx *Tx) List(q Query) ([]*Record, error) {
	if err := tx.flush(); err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		q.Limit = 100
	}
	var w where
	switch q.Status {
	case "":
	case review.AutoApplied, review.AutoRejected:
		w.and(`status = ?`, string(q.Status))
	default:
		w.and(`status NOT IN ('auto_applied', 'auto_rejected')`) // as the index says it
		w.and(`status = ?`, string(q.Status))
	}
	switch {
	case q.Permit == review.PermitGranted:
		w.and(`permit_state = 'granted'`)
	case q.Permit != "":
		w.and(`permit_state = ?`, string(q.Permit))
	}
	for _, c := range []struct{ term, value string }{{`gate = ?`, q.Gate}, {`queue = ?`, q.Queue}, {`subject = ?`, q.Subject}, {`id < ?`, q.Before}} {
		if c.value != "" {
			w.and(c.term, c.value)
		}
	}
	return tx.records(fmt.Sprintf(`SELECT %s FROM items%s ORDER BY id DESC LIMIT %d`, itemColumns, w.String(), q.Limit), w.args...)
}

// Counts returns how many items of a gate ("" is all) there are of each status,
// and how many permits are in doubt. It looks at every item.
func (tx *Tx) Counts(gate string) (byStatus map[review.Status]int64, inDoubt int64, err error) {
	if err := tx.flush(); err != nil {
		return nil, 0, err
	}
	byStatus = map[review.Status]int64{}
	err = tx.each(`SELECT status, COUNT(*), COUNT(CASE WHEN permit_state = 'granted' THEN 1 END) FROM items WHERE gate = $1 OR $2 = '' GROUP BY status`,
		[]any{gate, gate}, func(scan func(...any) error) error {
			var status string
			var n, doubt int64
			err := scan(&status, &n, &doubt)
			byStatus[review.Status(status)] = n
			inDoubt += doubt
			return err
		})
	return byStatus, inDoubt, err
}

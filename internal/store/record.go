package store

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/pawlgate/pawl/review"
)

// Record is an item with all that is kept in its row. An empty body (input,
// action, decision) may come back as none.
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

const itemColumns = "id, gate, kind, status, queue, priority, deadline, since, subject, rev, busy_until, next_due, " +
	"input, action, original, decision, salt, seed, state, opening, permit, permit_state, leaf_batch, legal_hold, erased"

const itemLeafBatch = 22 // the place of leaf_batch in itemColumns

const never = math.MaxInt64 // the deadline of an item that has none

// row returns the record as its columns.
func (r *Record) row() ([]any, error) {
	i := &r.Item
	state, err := encodeState(i)
	if err != nil {
		return nil, err
	}
	opening, err := encodeEvent(&r.Opening)
	if err != nil {
		return nil, err
	}
	var original []byte
	if i.Original != nil {
		original = i.Original.Action
	}
	var permit, permitState, due any
	if r.Permit != nil {
		p, err := encodePermit(r.Permit)
		if err != nil {
			return nil, err
		}
		permit, permitState = string(p), string(r.Permit.State)
	}
	if !r.NextDue.IsZero() {
		due = us(r.NextDue)
	}
	deadline := int64(never)
	if !i.Deadline.IsZero() {
		deadline = us(i.Deadline)
	}
	var busy int64
	if i.Lease != nil {
		busy = us(i.Lease.Until)
	}
	if i.Hold != nil {
		busy = max(busy, us(i.Hold.Until))
	}
	return []any{
		i.ID, i.Gate, r.Kind, string(i.Status), i.Queue, int64(i.Priority), deadline, us(i.Since), i.Subject, r.Rev, busy, due,
		i.Input, i.Action, original, i.Decision, i.Salt[:], r.Seed[:], string(state), string(opening), permit, permitState, int64(0), flag(r.LegalHold), flag(r.Erased),
	}, nil
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// scanRecord reads itemColumns.
func scanRecord(scan func(...any) error) (*Record, error) {
	var r Record
	i := &r.Item
	var deadline, since, busy, batch, hold, erased int64
	var due *int64
	var original, salt, seed, state, opening, permit []byte
	var permitState *string
	err := scan(&i.ID, &i.Gate, &r.Kind, (*string)(&i.Status), &i.Queue, &i.Priority, &deadline, &since, &i.Subject, &r.Rev, &busy, &due,
		&i.Input, &i.Action, &original, &i.Decision, &salt, &seed, &state, &opening, &permit, &permitState, &batch, &hold, &erased)
	if err != nil {
		return nil, err
	}
	copy(i.Salt[:], salt)
	copy(r.Seed[:], seed)
	if deadline != never {
		i.Deadline = fromMicros(deadline)
	}
	i.Since = unus(since)
	if due != nil {
		r.NextDue = fromMicros(*due)
	}
	r.LegalHold, r.Erased = hold != 0, erased != 0
	if err := decodeState(i, state, original); err != nil {
		return nil, err
	}
	if r.Opening, err = decodeEvent(opening); err != nil {
		return nil, err
	}
	if permit != nil {
		if r.Permit, err = decodePermit(permit); err != nil {
			return nil, err
		}
	}
	return &r, nil
}

func (tx *Tx) records(query string, args ...any) (all []*Record, err error) {
	err = tx.each(query, args, func(scan func(...any) error) error {
		r, err := scanRecord(scan)
		all = append(all, r)
		return err
	})
	return all, err
}

// locked adds to a query of items that nobody else changes them meanwhile.
func (tx *Tx) locked(query, how string) string {
	if tx.write && tx.db.pg {
		return query + " FOR UPDATE" + how
	}
	return query
}

// Record returns a record, or ErrNotFound. In a transaction that writes nobody
// else changes it until that has ended.
func (tx *Tx) Record(id string) (*Record, error) {
	if tx.unit.ids[id] || tx.whole.ids[id] {
		if err := tx.flush(); err != nil {
			return nil, err
		}
	}
	all, err := tx.records(tx.locked(`SELECT `+itemColumns+` FROM items WHERE id = $1`, ""), id)
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("item %.80q: %w", id, err)
	}
	return all[0], nil
}

// InsertRecord writes a new record. It may be that only the end of the
// transaction finds that the id exists.
func (tx *Tx) InsertRecord(r *Record) error {
	if err := tx.mayWrite(); err != nil {
		return err
	}
	if tx.unit.ids[r.Item.ID] || tx.whole.ids[r.Item.ID] {
		return fmt.Errorf("item %.80q: %w", r.Item.ID, ErrExists)
	}
	r.Rev = 1
	row, err := r.row()
	if err != nil {
		return err
	}
	if tx.unit.ids == nil {
		tx.unit.ids = map[string]bool{}
	}
	tx.unit.ids[r.Item.ID] = true
	tx.unit.items = append(tx.unit.items, row)
	return nil
}

// UpdateRecord writes a record that was read with this Rev, and counts it up;
// one that was changed since is ErrConflict. What an item began as stays: gate,
// kind, subject, input, decision, salt, seed and opening.
func (tx *Tx) UpdateRecord(r *Record) error {
	if tx.unit.ids[r.Item.ID] || tx.whole.ids[r.Item.ID] {
		if err := tx.flush(); err != nil {
			return err
		}
	}
	row, err := r.row()
	if err != nil {
		return err
	}
	n, err := tx.change(`UPDATE items SET status = $1, queue = $2, priority = $3, deadline = $4, since = $5, rev = rev + 1, busy_until = $6, next_due = $7,
		action = $8, original = $9, state = $10, permit = $11, permit_state = $12, legal_hold = $13 WHERE id = $14 AND rev = $15`,
		row[3], row[4], row[5], row[6], row[7], row[10], row[11], row[13], row[14], row[18], row[20], row[21], row[23], r.Item.ID, r.Rev)
	if err == nil && n == 0 {
		err = ErrConflict
	}
	if err != nil {
		return fmt.Errorf("item %.80q: %w", r.Item.ID, err)
	}
	r.Rev++
	return nil
}

// AppendEvent writes an event of an item, from the second one: the first is
// [Record.Opening].
func (tx *Tx) AppendEvent(e review.Event) error {
	if err := tx.mayWrite(); err != nil {
		return err
	}
	if e.Seq < 2 {
		return fmt.Errorf("item %.80q: event %d: the first event is the record's opening", e.Item, e.Seq)
	}
	body, err := encodeEvent(&e)
	if err != nil {
		return err
	}
	tx.unit.events = append(tx.unit.events, []any{e.Item, e.Seq, string(body), int64(0)})
	return nil
}

// Events returns all events of an item, the first one first.
func (tx *Tx) Events(item string) ([]review.Event, error) {
	if err := tx.flush(); err != nil {
		return nil, err
	}
	var all []review.Event
	err := tx.each(`SELECT opening FROM items WHERE id = $1`, []any{item}, collectEvents(&all))
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err == nil {
		err = tx.each(`SELECT body FROM events WHERE item = $1 ORDER BY seq`, []any{item}, collectEvents(&all))
	}
	if err != nil {
		return nil, fmt.Errorf("events of item %.80q: %w", item, err)
	}
	return all, nil
}

func collectEvents(all *[]review.Event) func(func(...any) error) error {
	return func(scan func(...any) error) error {
		var body []byte
		if err := scan(&body); err != nil {
			return err
		}
		e, err := decodeEvent(body)
		*all = append(*all, e)
		return err
	}
}

// where gathers conditions with their arguments.
type where struct {
	terms []string
	args  []any
}

func (w *where) and(term string, args ...any) {
	for range args {
		w.args = append(w.args, nil)
	}
	copy(w.args[len(w.args)-len(args):], args)
	for k := range args {
		term = strings.Replace(term, "?", fmt.Sprintf("$%d", len(w.args)-len(args)+k+1), 1)
	}
	w.terms = append(w.terms, term)
}

func (w *where) String() string {
	if len(w.terms) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.terms, " AND ")
}

package store

import (
	"fmt"
	"time"

	"github.com/pawlgate/pawl/review"
)

// Key returns what is kept of the first submission with an idempotency key, and
// the item that it made; nil if there is none. In a transaction that writes on
// Postgres a second submission with the key waits.
func (tx *Tx) Key(gate, caller, key string) (first *review.FirstSubmission, item string, err error) {
	k := [3]string{gate, caller, key}
	for _, r := range []*rows{&tx.unit, &tx.whole} {
		if v, ok := r.keys[k]; ok {
			return &v.first, v.item, nil
		}
	}
	// Two statements, so that the second one sees what was there once the lock
	// was had.
	if tx.write && tx.db.pg {
		if err := tx.each(`SELECT pg_advisory_xact_lock(hashtextextended($1, 31338))`, []any{fmt.Sprintf("%q %q %q", gate, caller, key)}, func(func(...any) error) error { return nil }); err != nil {
			return nil, "", err
		}
	}
	err = tx.each(`SELECT item, body, answer FROM idempotency WHERE gate = $1 AND caller = $2 AND key = $3`, []any{gate, caller, key}, func(scan func(...any) error) error {
		first = &review.FirstSubmission{}
		var body []byte
		err := scan(&item, &body, &first.Answer)
		first.Body = digest(body)
		return err
	})
	return first, item, err
}

// PutKey keeps a submission with its key; one that is there is replaced.
func (tx *Tx) PutKey(gate, caller, key, item string, s review.FirstSubmission) error {
	if err := tx.mayWrite(); err != nil {
		return err
	}
	if tx.unit.keys == nil {
		tx.unit.keys = map[[3]string]keyRow{}
	}
	tx.unit.keys[[3]string{gate, caller, key}] = keyRow{s, item}
	return nil
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
func (tx *Tx) PutLabel(l *Label) error {
	if err := tx.mayWrite(); err != nil {
		return err
	}
	if err := tx.one(`SELECT COALESCE(MAX(seq), 0) + 1 FROM labels WHERE item = $1`, []any{l.Item}, &l.Seq); err != nil {
		return err
	}
	_, err := tx.change(`INSERT INTO labels (item, seq, body, by_id, known, at) VALUES ($1, $2, $3, $4, $5, $6)`, l.Item, l.Seq, l.Body, l.By.ID, string(l.By.Known), us(l.At))
	return err
}

// Labels returns an item's labels, the first one first.
func (tx *Tx) Labels(item string) (all []Label, err error) {
	err = tx.each(`SELECT item, seq, body, by_id, known, at FROM labels WHERE item = $1 ORDER BY seq`, []any{item}, func(scan func(...any) error) error {
		var l Label
		var at int64
		err := scan(&l.Item, &l.Seq, &l.Body, &l.By.ID, (*string)(&l.By.Known), &at)
		l.At = unus(at)
		all = append(all, l)
		return err
	})
	return all, err
}

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

const shadowColumns = "gate, id, subject, version, digest, engine, seed, verdict, input, decision, actual, by_id, known, at"

// PutShadow adds a shadow decision.
func (tx *Tx) PutShadow(s *Shadow) error {
	_, err := tx.change(`INSERT INTO shadows (`+shadowColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		s.Gate, s.ID, s.Subject, s.Policy.Version, s.Policy.Digest, s.Engine, s.Seed[:], s.Verdict, s.Input, s.Decision, s.Actual, s.By.ID, string(s.By.Known), us(s.At))
	return err
}

// Shadows returns a gate's shadow decisions, those with the highest id first.
func (tx *Tx) Shadows(gate string, limit int) (all []Shadow, err error) {
	query := fmt.Sprintf(`SELECT %s FROM shadows WHERE gate = $1 ORDER BY id DESC LIMIT %d`, shadowColumns, limit)
	err = tx.each(query, []any{gate}, func(scan func(...any) error) error {
		var s Shadow
		var seed []byte
		var at int64
		err := scan(&s.Gate, &s.ID, &s.Subject, &s.Policy.Version, &s.Policy.Digest, &s.Engine, &seed, &s.Verdict, &s.Input, &s.Decision, &s.Actual, &s.By.ID, (*string)(&s.By.Known), &at)
		copy(s.Seed[:], seed)
		s.At = unus(at)
		all = append(all, s)
		return err
	})
	return all, err
}

// PutBlob keeps data by its digest for an item; the same blob is kept once.
func (tx *Tx) PutBlob(item string, digest review.Digest, data []byte) error {
	if data == nil {
		data = []byte{}
	}
	if _, err := tx.change(`INSERT INTO blobs (digest, data) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING`, digest[:], data); err != nil {
		return err
	}
	_, err := tx.change(`INSERT INTO blob_items (item, digest) VALUES ($1, $2) ON CONFLICT (item, digest) DO NOTHING`, item, digest[:])
	return err
}

// Blob returns data by its digest, or ErrNotFound.
func (tx *Tx) Blob(digest review.Digest) (data []byte, err error) {
	err = tx.one(`SELECT data FROM blobs WHERE digest = $1`, []any{digest[:]}, &data)
	return data, err
}

// Execution is the redemption key that an executor keeps before it redeems.
type Execution struct {
	Item     string
	Executor string
	Key      []byte
	At       time.Time
}

// PutExecution keeps an execution; one that is there is ErrExists.
func (tx *Tx) PutExecution(e *Execution) error {
	n, err := tx.change(`INSERT INTO executions (item, executor, key, at) VALUES ($1, $2, $3, $4) ON CONFLICT (item, executor) DO NOTHING`, e.Item, e.Executor, e.Key, us(e.At))
	if err == nil && n == 0 {
		err = fmt.Errorf("the execution of item %.80q by %.80q: %w", e.Item, e.Executor, ErrExists)
	}
	return err
}

// Execution returns an execution, or ErrNotFound.
func (tx *Tx) Execution(item, executor string) (*Execution, error) {
	e := &Execution{Item: item, Executor: executor}
	var at int64
	if err := tx.one(`SELECT key, at FROM executions WHERE item = $1 AND executor = $2`, []any{item, executor}, &e.Key, &at); err != nil {
		return nil, fmt.Errorf("the execution of item %.80q by %.80q: %w", item, executor, err)
	}
	e.At = unus(at)
	return e, nil
}

// Meta returns a named value, or ErrNotFound.
func (tx *Tx) Meta(name string) (value []byte, err error) {
	err = tx.one(`SELECT value FROM meta WHERE name = $1`, []any{name}, &value)
	return value, err
}

// FirstMeta sets a named value if there is none, and returns the one that is
// there then: of several who do it at once one is the first, for all of them.
func (tx *Tx) FirstMeta(name string, value []byte) ([]byte, error) {
	if _, err := tx.change(`INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
		return nil, err
	}
	return tx.Meta(name)
}

// PutMeta sets a named value.
func (tx *Tx) PutMeta(name string, value []byte) error {
	if value == nil {
		value = []byte{}
	}
	_, err := tx.change(`INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

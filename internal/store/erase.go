package store

import "fmt"

// Erase removes what may hold personal data of an item: subject, input, actions,
// decision, salts and seed, notes, the permit's result, labels, executions, the
// answer of its idempotency key, and blobs that nothing else refers to. What is
// left is what the ledger has. It doesn't ask about legal holds.
func (tx *Tx) Erase(id string) error {
	if err := tx.mayWrite(); err != nil {
		return err
	}
	if err := tx.flush(); err != nil {
		return err
	}
	r, err := tx.Record(id)
	if err != nil {
		return err
	}
	if r.Item.Original != nil {
		r.Item.Original.Action = nil
	}
	// Receipts hold digests of what was said, without a salt, so that whoever
	// guesses right would know.
	r.Item.Receipts = nil
	r.Item.Action, r.Opening.Note = nil, ""
	if r.Permit != nil {
		r.Permit.Result = nil
	}
	row, err := r.row()
	if err != nil {
		return err
	}
	zero := make([]byte, 32)
	if _, err := tx.change(`UPDATE items SET subject = '', input = NULL, action = NULL, original = NULL, decision = NULL, salt = $1, seed = $2,
		state = $3, opening = $4, permit = $5, erased = 1, rev = rev + 1 WHERE id = $6`, zero, zero, row[18], row[19], row[20], id); err != nil {
		return fmt.Errorf("erase item %.80q: %w", id, err)
	}
	events, err := tx.Events(id)
	if err != nil {
		return err
	}
	for _, e := range events {
		if e.Note == "" || e.Seq < 2 {
			continue
		}
		e.Note = ""
		body, err := encodeEvent(&e)
		if err != nil {
			return err
		}
		if _, err := tx.change(`UPDATE events SET body = $1 WHERE item = $2 AND seq = $3`, string(body), id, e.Seq); err != nil {
			return err
		}
	}
	// The same is true of the digest of a submission.
	if _, err := tx.change(`UPDATE idempotency SET body = $1, answer = NULL WHERE item = $2`, zero, id); err != nil {
		return fmt.Errorf("erase item %.80q: %w", id, err)
	}
	for _, q := range []string{
		`UPDATE labels SET body = NULL WHERE item = $1`,
		`DELETE FROM executions WHERE item = $1`,
		`DELETE FROM blobs WHERE digest IN (SELECT b.digest FROM blob_items b WHERE b.item = $1 AND NOT EXISTS (SELECT 1 FROM blob_items o WHERE o.digest = b.digest AND o.item <> b.item))`,
		`DELETE FROM blob_items WHERE item = $1`,
	} {
		if _, err := tx.change(q, id); err != nil {
			return fmt.Errorf("erase item %.80q: %w", id, err)
		}
	}
	return nil
}

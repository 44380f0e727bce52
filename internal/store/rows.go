package store

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/review"
)

// rows are what a transaction has gathered and not yet written.
type rows struct {
	items  [][]any
	ids    map[string]bool // of the items
	events [][]any
	keys   map[[3]string]keyRow
	leaves [][]byte // written at the end, in one row
}

type keyRow struct {
	first review.FirstSubmission
	item  string
}

// empty doesn't ask for leaves: nothing reads them in the transaction.
func (r *rows) empty() bool { return len(r.items) == 0 && len(r.events) == 0 && len(r.keys) == 0 }

// add takes over what a unit has gathered.
func (r *rows) add(u *rows) {
	r.items = append(r.items, u.items...)
	r.events = append(r.events, u.events...)
	r.leaves = append(r.leaves, u.leaves...)
	for id := range u.ids {
		if r.ids == nil {
			r.ids = map[string]bool{}
		}
		r.ids[id] = true
	}
	for k, v := range u.keys {
		if r.keys == nil {
			r.keys = map[[3]string]keyRow{}
		}
		r.keys[k] = v
	}
}

// An insertion is a statement for many rows of one table.
type insertion struct {
	head, tail string
	columns    int
	sizes      []int // how many rows at once, the most first
	text       []string
	plain      []string // with unnumbered parameters, whose names SQLite needn't look for
}

func newInsertion(table, columns, tail string) *insertion {
	in := &insertion{head: "INSERT INTO " + table + " (" + columns + ") VALUES ", tail: tail, columns: strings.Count(columns, ",") + 1, sizes: []int{64, 32, 16, 8, 4, 2, 1}}
	for _, n := range in.sizes {
		in.text = append(in.text, in.statement(n, func(k int) string { return "$" + strconv.Itoa(k) }))
		in.plain = append(in.plain, in.statement(n, func(int) string { return "?" }))
	}
	return in
}

func (in *insertion) statement(rows int, parameter func(int) string) string {
	var b strings.Builder
	b.WriteString(in.head)
	for k := range rows * in.columns {
		switch {
		case k == 0:
			b.WriteByte('(')
		case k%in.columns == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString(parameter(k + 1))
	}
	b.WriteString(")" + in.tail)
	return b.String()
}

var (
	intoItems = newInsertion("items", itemColumns, "")
	intoEvent = newInsertion("events", "item, seq, body, leaf_batch", "")
	intoKeys  = newInsertion("idempotency", "gate, caller, key, item, body, answer",
		" ON CONFLICT (gate, caller, key) DO UPDATE SET item = excluded.item, body = excluded.body, answer = excluded.answer")
)

func (tx *Tx) insert(in *insertion, all [][]any) error {
	args := make([]any, 0, min(len(all), in.sizes[0])*in.columns)
	text := in.plain
	if tx.db.pg {
		text = in.text
	}
	for s, n := range in.sizes {
		for len(all) >= n {
			args = args[:0]
			for _, r := range all[:n] {
				args = append(args, r...)
			}
			if _, err := tx.exec(text[s], args...); err != nil {
				return err
			}
			all = all[n:]
		}
	}
	return nil
}

// flushRows writes all but the leaves, which stay.
func (tx *Tx) flushRows(r *rows) error {
	if r.empty() {
		return nil
	}
	if err := tx.number(); err != nil {
		return err
	}
	for _, row := range r.items {
		row[itemLeafBatch] = tx.batch
	}
	for _, row := range r.events {
		row[3] = tx.batch
	}
	var keys [][]any
	for k, v := range r.keys {
		keys = append(keys, []any{k[0], k[1], k[2], v.item, v.first.Body[:], v.first.Answer})
	}
	if err := tx.insert(intoItems, r.items); err != nil {
		return fmt.Errorf("write items: %w", err)
	}
	if err := tx.insert(intoEvent, r.events); err != nil {
		return fmt.Errorf("write events: %w", err)
	}
	if err := tx.insert(intoKeys, keys); err != nil {
		return fmt.Errorf("write idempotency keys: %w", err)
	}
	r.items, r.ids, r.events, r.keys = nil, nil, nil, nil
	return nil
}

// number finds the id of the transaction's row of leaves. On Postgres begin
// did.
func (tx *Tx) number() error {
	if tx.batch != 0 {
		return nil
	}
	return tx.one(`SELECT COALESCE(MAX(id), 0) + 1 FROM ledger_batch`, nil, &tx.batch)
}

package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxShare is how many units share a transaction at most.
const maxShare = 512

// unit is a function that waits for its transaction, and who waits for it.
type unit struct {
	ctx   context.Context
	fn    func(*Tx) error
	read  bool
	state atomic.Int32
	done  chan error
}

// The states of a unit: whoever moves it on from waiting has it.
const (
	unitWaits int32 = iota
	unitRuns
	unitGone
)

// batcher runs units in shared transactions: while one commits, the next ones
// gather. On SQLite it is the only one that writes.
type batcher struct {
	db    *DB
	in    chan *unit
	ended chan struct{}
}

func newBatcher(db *DB) *batcher {
	b := &batcher{db: db, in: make(chan *unit, maxShare), ended: make(chan struct{})}
	go b.loop()
	return b
}

// do runs fn and returns how it went. Once it runs it goes to its end.
func (b *batcher) do(ctx context.Context, fn func(*Tx) error, read bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u := &unit{ctx: ctx, fn: fn, read: read, done: make(chan error, 1)}
	select {
	case b.in <- u:
	case <-b.ended:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-u.done:
		return given(err)
	case <-ctx.Done():
	}
	if u.state.CompareAndSwap(unitWaits, unitGone) {
		return ctx.Err()
	}
	return given(<-u.done)
}

// given hands a panic on to the caller.
func given(err error) error {
	var p *panicked
	if errors.As(err, &p) {
		panic(p.value)
	}
	return err
}

// stop waits until everything that was asked for is done. The caller sees to it
// that nobody asks any more.
func (b *batcher) stop() {
	close(b.in)
	<-b.ended
}

func (b *batcher) loop() {
	defer close(b.ended)
	last := 1
	for u := range b.in {
		units := b.gather(u, last)
		last = len(units)
		b.run(units)
	}
}

// gather takes what else waits. Those whom the last commit has answered come
// back in a moment: it gives them the chance, or every second transaction would
// have one unit only.
func (b *batcher) gather(first *unit, last int) []*unit {
	units := []*unit{first}
	for yields := 0; len(units) < maxShare; {
		select {
		case u, ok := <-b.in:
			if !ok {
				return units
			}
			units = append(units, u)
			continue
		default:
		}
		if yields == 4 || len(units) >= last {
			break
		}
		yields++
		runtime.Gosched()
	}
	return units
}

func (b *batcher) run(all []*unit) {
	var write []*unit
	for _, u := range all {
		switch {
		case !u.state.CompareAndSwap(unitWaits, unitRuns):
		case u.ctx.Err() != nil:
			u.done <- u.ctx.Err()
		case u.read:
			u.done <- b.view(u)
		default:
			write = append(write, u)
		}
	}
	switch {
	case len(write) == 0:
		return
	case len(write) > 1:
		errs, err := b.together(write)
		if err == nil || errors.Is(err, ErrUncertain) || errors.Is(err, errNotBegun) {
			for k, u := range write {
				if errs[k] == nil {
					errs[k] = err
				}
				u.done <- errs[k]
			}
			return
		}
	}
	// One of them spoilt it for all, and it was undone: each for itself.
	for _, u := range write {
		u.done <- b.retry(u)
	}
}

// errNotBegun is a shared transaction that couldn't even begin: a database that is
// locked or gone. It would keep each unit waiting alone, one after the other.
var errNotBegun = errors.New("no transaction begun")

// together runs units in one transaction. An error means that nothing was
// written, unless it is ErrUncertain.
func (b *batcher) together(units []*unit) ([]error, error) {
	errs := make([]error, len(units))
	tx, commit, rollback, err := b.open(true)
	if err != nil {
		return errs, fmt.Errorf("%w: %w", errNotBegun, err)
	}
	for k, u := range units {
		var whole bool
		whole, errs[k] = tx.run(u.fn)
		if !whole {
			rollback()
			return nil, fmt.Errorf("undone: %w", cmpErr(errs[k]))
		}
	}
	if err := tx.finish(); err != nil {
		rollback()
		return nil, err
	}
	return errs, commit()
}

func cmpErr(err error) error {
	if err == nil {
		return errAgain
	}
	return err
}

// retry runs a unit alone, again if it lost against another transaction.
func (b *batcher) retry(u *unit) error {
	return retried(func() error {
		tx, commit, rollback, err := b.open(false)
		if err != nil {
			return err
		}
		if _, err = tx.run(u.fn); err == nil {
			err = tx.finish()
		}
		if err != nil {
			rollback()
			return err
		}
		return commit()
	})
}

// maxTries is how often a transaction is run that others undo.
const maxTries = 12

func retried(fn func() error) (err error) {
	for try := range maxTries {
		err = fn()
		if !errors.Is(err, errAgain) && !errors.Is(err, ErrConflict) {
			return err
		}
		time.Sleep(time.Duration(rand.Int64N(int64(time.Millisecond) << min(try, 6))))
	}
	if errors.Is(err, errAgain) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}

// open begins a writing transaction.
func (b *batcher) open(shared bool) (tx *Tx, commit func() error, rollback func(), err error) {
	ctx := context.Background()
	tx = &Tx{db: b.db, ctx: ctx, shared: shared}
	if b.db.pg {
		t, err := b.db.pool.BeginTx(ctx, nil)
		if err != nil {
			return nil, nil, nil, wrap(err)
		}
		tx.on = t
		commit = func() error { return tx.commit(t.Commit) }
		rollback = func() { _ = t.Rollback() } // the connection may be gone
	} else {
		tx.on = b.db.lite
		if _, err := tx.exec(`BEGIN IMMEDIATE`); err != nil {
			return nil, nil, nil, err
		}
		rollback = func() { _, _ = tx.exec(`ROLLBACK`) } // SQLite may have done so itself
		commit = func() error {
			_, err := tx.exec(`COMMIT`)
			if err != nil {
				rollback()
				err = fmt.Errorf("commit: %w", err)
			}
			return err
		}
	}
	if err := tx.begin(); err != nil {
		rollback()
		return nil, nil, nil, err
	}
	return tx, commit, rollback, nil
}

// commit tells a commit that failed from one whose answer was lost.
func (tx *Tx) commit(commit func() error) error {
	err := commit()
	var answered *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answered) && answered.Code[:2] != "57": // an operator's shutdown may come after the commit
		return fmt.Errorf("commit: %w", wrap(err))
	}
	return tx.settled(err)
}

// view runs a unit that reads, on the one connection of ":memory:".
func (b *batcher) view(u *unit) (err error) {
	tx := &Tx{db: b.db, ctx: context.Background(), on: b.db.lite}
	if _, err := tx.exec(`BEGIN`); err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{p}
		}
		_, _ = tx.exec(`ROLLBACK`) // it wrote nothing
	}()
	return u.fn(tx)
}

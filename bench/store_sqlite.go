package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // the driver
)

const bareTable = `CREATE TABLE bare (id TEXT PRIMARY KEY, input BLOB, action BLOB, decision BLOB)`

const bareInsert = `INSERT INTO bare (id, input, action, decision) VALUES (?, ?, ?, ?)`

// openSQLite opens a new file as durable as Pawl's: a write-ahead log that is
// flushed to the disk with every commit.
func openSQLite(dir, table string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bare.db")+
		"?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(table); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// BareSQLite inserts one row in a transaction of its own.
func BareSQLite(dir string) (Durable, error) {
	db, err := openSQLite(dir, bareTable)
	if err != nil {
		return Durable{}, err
	}
	insert, err := db.Prepare(bareInsert)
	if err != nil {
		return Durable{}, errors.Join(err, db.Close())
	}
	return Durable{"bare/transaction", func(ctx context.Context, _, _ int) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // after a commit it does nothing
		if _, err := tx.Stmt(insert).Exec(newID(), submitInput, submitAction, submitDecision); err != nil {
			return err
		}
		return tx.Commit()
	}, db.Close}, nil
}

// BareGroup inserts one row for each call, and all that wait share a transaction:
// what a careful programmer writes who wants many durable rows from SQLite.
func BareGroup(dir string) (Durable, error) {
	db, err := openSQLite(dir, bareTable)
	if err != nil {
		return Durable{}, err
	}
	insert, err := db.Prepare(bareInsert)
	if err != nil {
		return Durable{}, errors.Join(err, db.Close())
	}
	g := &group{db: db, insert: insert, queue: make(chan *groupRow, 1024)}
	g.done.Go(g.write)
	return Durable{"bare/group", g.add, func() error {
		close(g.queue)
		g.done.Wait()
		return db.Close()
	}}, nil
}

type group struct {
	db     *sql.DB
	insert *sql.Stmt
	queue  chan *groupRow
	done   sync.WaitGroup
}

type groupRow struct {
	id    string
	saved chan error
}

func (g *group) add(_ context.Context, _, _ int) error {
	row := &groupRow{newID(), make(chan error, 1)}
	g.queue <- row
	return <-row.saved
}

// write commits whatever waits, over and over.
func (g *group) write() {
	for first := range g.queue {
		batch := []*groupRow{first}
		for len(g.queue) > 0 {
			batch = append(batch, <-g.queue)
		}
		err := g.commit(batch)
		for _, row := range batch {
			row.saved <- err
		}
	}
}

func (g *group) commit(batch []*groupRow) error {
	tx, err := g.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	insert := tx.Stmt(g.insert)
	for _, row := range batch {
		if _, err := insert.Exec(row.id, submitInput, submitAction, submitDecision); err != nil {
			return fmt.Errorf("insert: %w", err)
		}
	}
	return tx.Commit()
}

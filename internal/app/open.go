package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
)

// App is the service: a store, the gates' policies and the ledger's key. It may
// be used by many goroutines.
type App struct {
	cfg      Config
	db       *store.DB
	gates    gates
	policies policies
	running  running // idempotency keys of submissions that aren't answered yet
	doing    running // items whose effect is being run
	log      *logbook
}

// ErrNotFound says that there is no such item, gate or version.
var ErrNotFound = errors.New("not found")

// Open opens the database, brings it up to date and deploys the policies.
func Open(ctx context.Context, c Config) (_ *App, err error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	files, err := readPolicies(&c)
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, c.DB, store.Options{Clock: c.Clock, ReadOnly: c.ReadOnly, MustExist: c.MustExist})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", shownDB(c.DB), err)
	}
	a := &App{cfg: c, db: db}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if err := a.openLog(ctx); err != nil {
		return nil, err
	}
	if c.ReadOnly {
		return a, nil
	}
	if err := a.start(ctx, files); err != nil {
		return nil, err
	}
	if err := a.resume(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// Close ends the service. What was answered is kept.
func (a *App) Close() error {
	return errors.Join(a.closeLog(), a.db.Close())
}

// complete fills in what the caller left open.
func (c *Config) complete() error {
	if c.DB == "" {
		return errors.New("no database is given: a file, :memory:, or postgres://…")
	}
	c.Deployer = cmp.Or(c.Deployer, "deployer")
	c.Executor = cmp.Or(c.Executor, defaultExecutor)
	c.Policies = slices.Clone(c.Policies)
	return nil
}

// shownDB is the database in a message: of an address no more than its scheme
// and what stands behind the password.
func shownDB(dsn string) string {
	if isPostgres(dsn) {
		return "the Postgres database"
	}
	return filepath.Clean(dsn)
}

// gates keeps each gate as it was when somebody looked last: good enough to
// decide beforehand, and checked in the transaction that counts.
type gates struct{ m sync.Map }

// settled is a gate with the policy that decides for it.
type settled struct {
	*store.Gate
	policy *compiled
}

// is reports whether the gate is still as it was seen. The version alone doesn't
// tell: it may have been seen in a transaction that was undone, and another
// process may have given that version to another change.
func (s *settled) is(g *store.Gate) bool {
	return s.Version == g.Version && s.LegalHold == g.LegalHold && s.Setting == g.Setting && s.Epoch == g.Epoch
}

// gateIn reads a gate in a transaction.
func (a *App) gateIn(tx *store.Tx, name string) (*settled, error) {
	g, err := tx.Gate(name)
	if err != nil {
		return nil, notFound(err, "there is no gate %.60q", name)
	}
	if old, ok := a.gates.m.Load(name); ok && old.(*settled).is(g) {
		return old.(*settled), nil
	}
	p, err := a.policies.of(tx, name, g.Policy)
	if err != nil {
		return nil, err
	}
	s := &settled{Gate: g, policy: p}
	a.gates.m.Store(name, s)
	return s, nil
}

// gate returns a gate as it was last seen, reading it if nobody has.
func (a *App) gate(ctx context.Context, name string) (s *settled, err error) {
	if old, ok := a.gates.m.Load(name); ok {
		return old.(*settled), nil
	}
	err = a.db.View(ctx, func(tx *store.Tx) error {
		s, err = a.gateIn(tx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// running is a set of things that one goroutine at a time may do.
type running struct {
	mu sync.Mutex
	m  map[string]struct{}
}

// begin reports whether nobody else does it; then end is to be called.
func (r *running) begin(what string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.m[what]; ok {
		return false
	}
	if r.m == nil {
		r.m = map[string]struct{}{}
	}
	r.m[what] = struct{}{}
	return true
}

func (r *running) end(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.m, what)
}

// deployer is who activates the policies of the Config.
func (a *App) deployer() review.Person {
	return review.Person{ID: a.cfg.Deployer, Known: review.KnownAsserted}
}

package app

import (
	"context"
	"errors"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/review"
)

// AddPolicy keeps a version of a gate's policy, not active yet. A gate that is new
// begins supervised.
func (a *App) AddPolicy(ctx context.Context, p PolicyText, by review.Actor) (v PolicyVersion, err error) {
	if err := checkPerson(by.Person, "add"); err != nil {
		return PolicyVersion{}, err
	}
	f, err := policy.ParseFiles(p.Name, p.Source, p.Files)
	if err != nil {
		return PolicyVersion{}, err
	}
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		g, err := tx.LockGate(f.Gate)
		if errors.Is(err, store.ErrNotFound) {
			if err := newGate(tx, f, by.Person, false); err != nil {
				return err
			}
			g, err = tx.LockGate(f.Gate)
		}
		if err != nil {
			return err
		}
		row, err := addVersion(tx, f, by.Person)
		if err != nil {
			return err
		}
		v = version(row, g)
		return nil
	})
	if err != nil {
		return PolicyVersion{}, err
	}
	a.moved(f.Gate, nil)
	return v, nil
}

// ActivatePolicy makes a version the one that decides. Unless it is structurally
// tighter this is loosening. What the version says about ramp and shadow counts
// where it says something else than the one before; else the gate stays as it is
// set.
func (a *App) ActivatePolicy(ctx context.Context, gate string, version int64, by review.Actor, cause string) (review.GateEvent, error) {
	return a.activate(ctx, gate, version, by, cause, "activate")
}

// RollBack activates an earlier version.
func (a *App) RollBack(ctx context.Context, gate string, version int64, by review.Actor, cause string) (review.GateEvent, error) {
	return a.activate(ctx, gate, version, by, cause, "roll_back")
}

func (a *App) activate(ctx context.Context, gate string, version int64, by review.Actor, cause, act string) (ev review.GateEvent, err error) {
	if err := checkPerson(by.Person, review.Kind(act)); err != nil {
		return review.GateEvent{}, err
	}
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		ev = review.GateEvent{}
		g, err := tx.LockGate(gate)
		if err != nil {
			return notFound(err, "there is no gate %.60q", gate)
		}
		row, err := tx.Policy(gate, version)
		if err != nil {
			return notFound(err, "there is no version %d of the policy of gate %s", version, gate)
		}
		if act == "roll_back" && version >= g.Policy.Version {
			return &review.InvalidError{Field: "version", Message: "only an earlier version than the active one can be rolled back to"}
		}
		ref := review.PolicyRef{Version: row.Version, Digest: row.Digest}
		next, err := a.policies.of(tx, gate, ref)
		if err != nil {
			return err
		}
		old, err := a.policies.of(tx, gate, g.Policy)
		if err != nil {
			return err
		}
		to := g.Setting
		to.Policy = ref
		if next.file.Ramp != old.file.Ramp {
			to.Ramp = next.file.Ramp
		}
		if next.file.Shadow != old.file.Shadow {
			to.Shadow = next.file.Shadow
		}
		ev, err = a.move(tx, g, to, tighter(old.file, next.file), by, cause, row, act)
		return err
	})
	a.moved(gate, err)
	return ev, err
}

// tighter reports whether no input can get a looser verdict from the new policy,
// as far as their texts tell. What can't be compared isn't.
func tighter(old, next *policy.File) bool {
	c, err := policy.Diff(old, next)
	return err == nil && (c.Direction == policy.Same || c.Direction == policy.Tighter)
}

// Policies returns the versions of a gate's policy, the first one first.
func (a *App) Policies(ctx context.Context, gate string) (all []PolicyVersion, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		g, err := tx.Gate(gate)
		if err != nil {
			return notFound(err, "there is no gate %.60q", gate)
		}
		rows, err := tx.Policies(gate)
		all = make([]PolicyVersion, len(rows))
		for i, p := range rows {
			all[i] = version(p, g)
		}
		return err
	})
	return all, err
}

func version(p *store.Policy, g *store.Gate) PolicyVersion {
	return PolicyVersion{
		Gate: p.Gate, Version: p.Version, Kind: p.Kind, Name: p.Name, Digest: p.Digest, Engine: p.Engine,
		Active:  g.Policy == review.PolicyRef{Version: p.Version, Digest: p.Digest},
		AddedBy: p.AddedBy, AddedAt: p.AddedAt, Source: p.Source,
	}
}

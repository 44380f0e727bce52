package app

import (
	"context"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/review"
)

// Gate returns a gate's setting, or ErrNotFound.
func (a *App) Gate(ctx context.Context, name string) (g review.Gate, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		row, err := tx.Gate(name)
		if err != nil {
			return notFound(err, "there is no gate %.60q", name)
		}
		g = row.Gate
		return nil
	})
	return g, err
}

// Gates returns all gates by name.
func (a *App) Gates(ctx context.Context) (all []review.Gate, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		rows, err := tx.Gates()
		all = make([]review.Gate, len(rows))
		for i, g := range rows {
			all[i] = g.Gate
		}
		return err
	})
	return all, err
}

// GateEvents returns what happened to a gate, the first one first.
func (a *App) GateEvents(ctx context.Context, gate string) (all []review.GateEvent, err error) {
	err = a.db.View(ctx, func(tx *store.Tx) error {
		if _, err := tx.Gate(gate); err != nil {
			return notFound(err, "there is no gate %.60q", gate)
		}
		all, err = tx.GateEvents(gate)
		return err
	})
	return all, err
}

// Supervise sends every new decision of a gate to a person, and voids the open
// permits of automatic ones.
func (a *App) Supervise(ctx context.Context, gate string, by review.Actor, cause string) (review.GateEvent, error) {
	return a.setState(ctx, gate, review.GateSupervised, by, cause)
}

// Stop is Supervise, and no permit is redeemed.
func (a *App) Stop(ctx context.Context, gate string, by review.Actor, cause string) (review.GateEvent, error) {
	return a.setState(ctx, gate, review.GateStopped, by, cause)
}

// Resume makes a gate live again. It takes the right to, and a second person
// unless one is enough for the gate: until then the event is Proposed.
func (a *App) Resume(ctx context.Context, gate string, by review.Actor, cause string) (review.GateEvent, error) {
	return a.setState(ctx, gate, review.GateLive, by, cause)
}

func (a *App) setState(ctx context.Context, gate string, to review.GateState, by review.Actor, cause string) (review.GateEvent, error) {
	return a.setBy(ctx, gate, by, cause, func(s *review.Setting) { s.State = to })
}

// Trip supervises a gate in nobody's name: a watch or a budget did. A gate that
// is stopped stays so.
func (a *App) Trip(ctx context.Context, gate, cause string) (review.GateEvent, error) {
	by := review.Actor{Person: review.Person{ID: review.Pawl}}
	return a.set(ctx, gate, by, cause, func(s *review.Setting) {
		if s.State == review.GateLive {
			s.State = review.GateSupervised
		}
	})
}

// SetRamp sets the share, of review.FullRamp, of the automatic decisions that stay
// automatic. Raising it is loosening.
func (a *App) SetRamp(ctx context.Context, gate string, ramp int, by review.Actor, cause string) (review.GateEvent, error) {
	return a.setBy(ctx, gate, by, cause, func(s *review.Setting) { s.Ramp = ramp })
}

// SetShadow turns shadow mode on or off; both are loosening.
func (a *App) SetShadow(ctx context.Context, gate string, on bool, by review.Actor, cause string) (review.GateEvent, error) {
	return a.setBy(ctx, gate, by, cause, func(s *review.Setting) { s.Shadow = on })
}

// setBy is set for a person: only Trip acts in nobody's name.
func (a *App) setBy(ctx context.Context, gate string, by review.Actor, cause string, change func(*review.Setting)) (review.GateEvent, error) {
	if err := checkPerson(by.Person, "set"); err != nil {
		return review.GateEvent{}, err
	}
	return a.set(ctx, gate, by, cause, change)
}

// set changes what can be set of a gate but its policy. A gate that is set so
// already stays as it is, and the event is zero.
func (a *App) set(ctx context.Context, gate string, by review.Actor, cause string, change func(*review.Setting)) (ev review.GateEvent, err error) {
	err = a.db.Update(ctx, func(tx *store.Tx) error {
		ev = review.GateEvent{}
		g, err := tx.LockGate(gate)
		if err != nil {
			return notFound(err, "there is no gate %.60q", gate)
		}
		to := g.Setting
		change(&to)
		ev, err = a.move(tx, g, to, false, by, cause, nil, "")
		return err
	})
	a.moved(gate, err)
	return ev, err
}

// move takes a gate to another setting by the rules: tightening at once,
// loosening by people with the right to. If that makes the policy row the active
// one, act says in which way.
func (a *App) move(tx *store.Tx, g *store.Gate, to review.Setting, tighter bool, by review.Actor, cause string, row *store.Policy, act string) (review.GateEvent, error) {
	if len(review.Looser(g.Setting, to, tighter)) == 0 {
		next, ev, changed, err := review.Tighten(g.Gate, to, tighter, by.Person, cause, tx.Now())
		if err != nil || !changed {
			return review.GateEvent{}, err
		}
		return ev, a.settle(tx, g, next, &ev, row, act)
	}
	next, ev, err := review.Loosen(g.Gate, to, tighter, by, cause, tx.Now())
	if err != nil {
		return review.GateEvent{}, err
	}
	if ev.Proposed {
		act = "" // nothing is active yet
	}
	return ev, a.settle(tx, g, next, &ev, row, act)
}

// settle stores a changed gate. What the new policy says about two people
// counts from then on, but one person is never enough from then on only because
// one person wanted so: else a policy that automates nothing, which needs no
// second person and is tighter, would open the way for any other.
func (a *App) settle(tx *store.Tx, g *store.Gate, next review.Gate, ev *review.GateEvent, row *store.Policy, act string) error {
	if act != "" {
		c, err := a.policies.of(tx, g.Name, next.Policy)
		if err != nil {
			return err
		}
		next.OnePerson = !c.file.TwoPeople && (g.OnePerson || ev.Seconded.ID != "")
		next.CountAsserted = c.file.Review.CountAsserted
	}
	g.Gate = next
	return saveGate(tx, g, ev, row, act)
}

// moved forgets how a gate was seen last.
func (a *App) moved(gate string, err error) {
	if err == nil {
		a.gates.m.Delete(gate)
		a.wrote()
	}
}

package review

import (
	"fmt"
	"slices"
	"time"
)

// Held returns the lease that is on the item now, or nil if it is free. A lease
// that has expired is none; nobody needs to sweep it up.
func (i *Item) Held(now time.Time) *Lease { return copied(i.held(stored(now))) }

// held takes the clock as it is, even if it has stepped back behind the last
// event: of two readings a lease ends at the later one, so that no two people
// think they have it.
func (i *Item) held(now time.Time) *Lease {
	if i.Lease != nil && now.Before(i.Lease.Until) {
		return i.Lease
	}
	return nil
}

// claim gives the actor the lease, or renews the one that they have.
func (c *change) claim() error {
	i, who := &c.item, c.act.Actor.ID
	l := i.held(c.now)
	switch {
	case l != nil && l.Holder == who:
		return c.prolong()
	case l != nil:
		return c.conflict(ConflictHeld)
	case i.Assigned != "" && i.Assigned != who:
		return c.conflict(ConflictAssigned)
	}
	i.Hold = nil
	i.LastToken++
	i.Lease = &Lease{Holder: who, Token: i.LastToken}
	return c.prolong()
}

func (c *change) renew() error { return c.prolong() }

// prolong never shortens a lease.
func (c *change) prolong() error {
	l := c.item.Lease
	l.Until = later(l.Until, c.at.Add(c.rules.lease()))
	c.event.Token, c.event.Until = l.Token, l.Until
	return nil
}

func (c *change) release() error {
	c.item.Lease = nil
	return nil
}

func (c *change) hold() error {
	i, until := &c.item, stored(c.act.Until)
	switch {
	case !until.After(c.at):
		return invalid("until", "a hold needs a time to wake at, and a later one than now")
	case !i.Deadline.IsZero() && !until.Before(i.Deadline):
		return invalid("until", "the item expires before that, at %s", i.Deadline.Format(time.RFC3339))
	}
	i.Hold = &Hold{By: c.act.Actor.ID, Until: until}
	i.Lease = nil
	c.event.Until = until
	return nil
}

// skip passes the item on. It takes no lease; the actor's own ends.
func (c *change) skip() error {
	i, who := &c.item, c.act.Actor.ID
	if l := i.held(c.now); l != nil && l.Holder == who || c.act.Token != 0 {
		if c.act.Token != 0 {
			if err := c.holds(); err != nil {
				return err
			}
		}
		i.Lease = nil
	}
	if i.Assigned == who {
		i.Assigned = ""
	}
	if !slices.Contains(i.Skipped, who) {
		i.Skipped = append(i.Skipped, who)
	}
	return nil
}

// escalate moves the item. Pawl does it when a step is due, and takes nobody's
// lease; a person gives theirs back.
func (c *change) escalate() error {
	i, to := &c.item, c.act.Queue
	if c.act.Actor.Person == byPawl {
		step, due := i.dueStep(c.rules, c.at)
		if !due || step.To != to {
			return c.conflict(ConflictStatus)
		}
		i.Steps++
	} else {
		switch {
		case to == "" || !c.rules.hasQueue(to):
			return &InvalidError{Field: "queue", Message: fmt.Sprintf("there is no queue %q", to), Allowed: slices.Clone(c.rules.Queues)}
		case to == i.Queue:
			return invalid("queue", "it is in %q already", to)
		}
		i.Lease = nil
	}
	i.Queue, i.Assigned, i.Hold = to, "", nil
	i.Escalations = append(i.Escalations, Escalation{By: c.act.Actor.Person, To: to, At: c.at})
	c.event.Queue = to
	return nil
}

// assign keeps the item for one person, or for nobody in particular. Who has it
// loses it, unless it is they who get it.
func (c *change) assign() error {
	i := &c.item
	if !c.act.Actor.Supervisor {
		return c.deny(DeniedRight, "%s may not assign items: that takes a supervisor", c.act.Actor.ID)
	}
	if i.Lease != nil && i.Lease.Holder != c.act.Person {
		i.Lease = nil
	}
	i.Assigned, i.Hold = c.act.Person, nil
	c.event.Person = c.act.Person
	return nil
}

func (c *change) comment() error {
	if c.act.Note == "" {
		return invalid("note", "a comment needs a text")
	}
	return nil
}

func (c *change) deny(code Denied, format string, args ...any) error {
	return &DeniedError{Person: c.act.Actor.ID, Act: c.act.Kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

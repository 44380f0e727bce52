package review

import "time"

// Outcome is what an act did.
type Outcome struct {
	Item  Item
	Event Event
	// Permit is the permit of an item that ended with an effect.
	Permit *Permit
	// Void says why the item's permit, if it is still open, is void from now
	// on; empty if it isn't.
	Void Void
	// Opened is the new item that an overturn makes.
	Opened *Opening
	// Replayed says that the very same act was done before: Item is as it was
	// given, Event the one from then, and nothing is to be stored. The permit
	// from then, if any, is where it was stored.
	Replayed bool
}

// Apply does one act on an item: every way in which an item can change. It
// changes nothing of what it is given; Outcome.Item is the changed item, and is
// to be stored, with the event, if the stored version is still item.Version.
//
// The error is a *[ConflictError], a *[DeniedError] or an *[InvalidError]. The
// rules are those of the policy that decided the item. An event is never
// earlier than the one before it, whatever now says.
func Apply(item Item, act Act, rules Rules, now time.Time) (Outcome, error) {
	if err := act.check(); err != nil {
		return Outcome{}, err
	}
	if e, err := item.replay(&act); err != nil {
		return Outcome{}, err
	} else if e != nil {
		return Outcome{Item: item, Event: *e, Replayed: true}, nil
	}
	how := acts[act.Kind]
	c := change{
		item: item.clone(), act: &act, rules: &rules,
		now: stored(now), at: later(stored(now), item.LastAt),
	}
	if err := c.admit(how); err != nil {
		return Outcome{}, err
	}
	if err := rules.reason(act.Kind, act.Reason); err != nil && act.Actor.Person != byPawl {
		return Outcome{}, err
	}
	before := c.item.Status
	c.event = Event{
		Item: item.ID, Seq: item.Version + 1, Actor: act.Actor.Person, Act: act.Kind,
		From: before, Reason: act.Reason, Note: act.Note, At: c.at,
	}
	if how.lease {
		c.event.Token = act.Token
	}
	if err := how.do(&c); err != nil {
		return Outcome{}, err
	}
	return c.finish(before), nil
}

// how says what an act takes, and does it.
type how struct {
	person  bool // people may do it
	pawl    bool // so may Pawl itself, when the time has come
	lease   bool // the actor needs the lease
	pending bool // the item must be waiting
	sees    bool // the actor must see the queue
	own     bool // the actor must be a submitter
	note    bool // must say why
	do      func(*change) error
}

var acts = map[Kind]how{
	ActClaim:     {person: true, pending: true, sees: true, do: (*change).claim},
	ActRenew:     {person: true, pending: true, lease: true, do: (*change).renew},
	ActRelease:   {person: true, pending: true, lease: true, do: (*change).release},
	ActApprove:   {person: true, pending: true, lease: true, do: (*change).approve},
	ActReject:    {person: true, pending: true, lease: true, do: (*change).reject},
	ActEdit:      {person: true, pending: true, lease: true, do: (*change).edit},
	ActHold:      {person: true, pending: true, lease: true, note: true, do: (*change).hold},
	ActSkip:      {person: true, pending: true, sees: true, do: (*change).skip},
	ActEscalate:  {person: true, pawl: true, pending: true, lease: true, do: (*change).escalate},
	ActAssign:    {person: true, pending: true, sees: true, do: (*change).assign},
	ActComment:   {person: true, sees: true, note: true, do: (*change).comment},
	ActJoin:      {person: true, pending: true, do: (*change).join},
	ActWithdraw:  {person: true, pending: true, own: true, do: (*change).withdraw},
	ActSupersede: {person: true, own: true, do: (*change).supersede},
	ActExpire:    {pawl: true, pending: true, do: (*change).expire},
	ActReopen:    {person: true, sees: true, do: (*change).reopen},
	ActOverturn:  {person: true, sees: true, note: true, do: (*change).overturn},
}

// change is an item on its way from one version to the next.
type change struct {
	item   Item // a copy
	act    *Act
	rules  *Rules
	now    time.Time // as the clock says
	at     time.Time // never before the last event
	event  Event
	permit *Permit
	void   Void
	opened *Opening
	ended  bool
}

// admit checks what acts have in common. Who may not know of the item comes
// first: a conflict tells who has it.
func (c *change) admit(how how) error {
	i, a := &c.item, c.act
	if a.Actor.Person != byPawl {
		if err := c.concerns(how); err != nil {
			return err
		}
	}
	switch {
	case how.pending && i.Status.Ended():
		return c.conflict(ConflictEnded)
	case how.pending && i.Status != PendingReview:
		return c.conflict(ConflictStatus)
	case how.pending && a.Kind != ActExpire && i.overdue(c.at):
		return c.conflict(ConflictOverdue)
	case how.lease && a.Actor.Person != byPawl:
		if err := c.holds(); err != nil {
			return err
		}
	}
	if a.Version != 0 && a.Version != i.Version || a.Digest != (Digest{}) && a.Digest != i.Digest {
		return c.conflict(ConflictChanged)
	}
	return nil
}

// concerns checks that the item is the actor's business: they submitted it, or
// see its queue. Who has the lease may go on if the item was escalated out of
// their sight.
func (c *change) concerns(how how) error {
	i, a := &c.item, c.act
	submitter := i.submitter(a.Actor.ID) >= 0
	switch {
	case how.own && !submitter && !(a.Kind == ActSupersede && a.Actor.Supervisor):
		return c.deny(DeniedNotOwn, "%s is for who submitted the item, which %s didn't", a.Kind, a.Actor.ID)
	case !how.sees && !how.lease, a.Actor.Sees(i.Queue), a.Kind == ActComment && submitter:
		return nil
	case how.lease && i.Lease != nil && i.Lease.Holder == a.Actor.ID:
		return nil
	}
	return c.deny(DeniedQueue, "%s may not see the queue %q", a.Actor.ID, i.Queue)
}

// holds checks that the actor has the lease, with the newest token.
func (c *change) holds() error {
	l := c.item.held(c.now)
	switch {
	case l != nil && l.Holder == c.act.Actor.ID && l.Token == c.act.Token:
		return nil
	case c.act.Token != 0:
		return c.conflict(ConflictStale)
	case l != nil && l.Holder != c.act.Actor.ID:
		return c.conflict(ConflictHeld)
	}
	return c.conflict(ConflictLease)
}

// finish counts the change and writes down who did it.
func (c *change) finish(before Status) Outcome {
	i := &c.item
	i.Version++
	i.LastAt = c.at
	c.event.To = i.Status
	if c.act.Kind != ActClaim && c.act.Kind != ActRenew {
		i.remember(Receipt{Print: c.act.print(), Person: c.act.Actor.ID, Key: c.act.Key, Event: c.event, Ended: c.ended})
	}
	return Outcome{Item: *i, Event: c.event, Permit: c.permit, Void: c.void, Opened: c.opened}
}

// end ends the item. It is the only place that does, but for New.
func (c *change) end(s Status) {
	i := &c.item
	i.Status = s
	i.Ending = &Ending{By: c.act.Actor.Person, Act: c.act.Kind, At: c.at}
	i.Lease, i.Hold, i.Assigned = nil, nil, ""
	c.ended = true
	if s.Effect() != NoEffect {
		c.permit = newPermit(i, c.rules, c.now, c.at)
	}
}

func (c *change) conflict(code Conflict) error {
	i := &c.item
	e := &ConflictError{Item: i.ID, Act: c.act.Kind, Code: code, Status: i.Status, Version: i.Version}
	if i.Ending != nil {
		e.By, e.Winner, e.At = i.Ending.By, i.Ending.Act, i.Ending.At
	}
	if l := i.held(c.now); l != nil {
		e.Holder, e.Until = l.Holder, l.Until
	} else if code == ConflictAssigned {
		e.Holder = i.Assigned
	}
	return e
}

package review

import (
	"slices"
)

// approve counts the actor's approval of the action as it stands.
func (c *change) approve() error {
	if err := c.mayApprove(c.item.Approvals); err != nil {
		return err
	}
	if voted(c.item.Approvals, c.act.Actor.ID) {
		return c.deny(DeniedTwice, "%s has approved this action already; another person is needed", c.act.Actor.ID)
	}
	c.count()
	return nil
}

// edit changes the action, voids what others approved, and counts as the
// editor's approval.
func (c *change) edit() error {
	i := &c.item
	if err := c.mayApprove(nil); err != nil {
		return err
	}
	action, err := CanonicalAction(c.act.Action)
	if err != nil {
		return err
	}
	if len(c.act.Action) == 0 || sameAction(action, i.Action) {
		return invalid("action", "an edit changes something; to approve the action as it is, approve it")
	}
	if err := c.editable(action); err != nil {
		return err
	}
	if c.rules.Schema != nil {
		if err := c.rules.Schema(slices.Clone(action)); err != nil {
			return &InvalidError{Field: "action", Message: "the edited action doesn't satisfy the schema: " + err.Error(), Err: err}
		}
	}
	if i.Original == nil {
		i.Original = &Original{Action: i.Action, Digest: i.Digest}
	}
	i.Action, i.Digest = action, digestOf(i.Salt, action)
	c.event.Voided = len(i.Approvals)
	i.Approvals = nil
	c.count()
	return nil
}

func (c *change) editable(action []byte) error {
	places, err := changes(c.item.Action, action, 1000)
	if err != nil {
		return err
	}
	for _, p := range places {
		if !covered(c.rules.Editable, p) {
			e := &InvalidError{Field: "action", Pointer: p, Message: "an edit may not change this", Allowed: slices.Clone(c.rules.Editable)}
			if len(e.Allowed) == 0 {
				e.Message = "an edit may not change this; nothing of this gate's actions is editable"
			}
			return e
		}
	}
	if len(places) >= 1000 {
		return invalid("action", "an edit changes fewer than 1000 places")
	}
	return nil
}

// mayApprove checks that the actor can be one of the people who approve, beside
// those who have.
func (c *change) mayApprove(beside []Vote) error {
	i, a := &c.item, &c.act.Actor
	switch {
	case a.Known == KnownAsserted && !c.rules.CountAsserted:
		return c.deny(DeniedAsserted, "nobody checked that this is %s, and this gate counts checked people only", a.ID)
	case i.submitted(a.ID):
		return c.deny(DeniedSubmitter, "%s submitted this and can't approve it; another person is needed", a.ID)
	case voted(i.Rejections, a.ID):
		return c.deny(DeniedTwice, "%s has rejected this already; another person is needed", a.ID)
	}
	for _, v := range beside {
		if dependent(a.ID, a.MadeBy, v.Person.ID, v.MadeBy) {
			return c.deny(DeniedMadeBy, "the accounts of %s and of %s, who approved, aren't independent: one made the other or gave it its role; a third person is needed", a.ID, v.Person.ID)
		}
	}
	return nil
}

// dependent reports whether one of two people made the other's account or gave
// it its role.
func dependent(a string, aMadeBy []string, b string, bMadeBy []string) bool {
	return among(aMadeBy, b) || among(bMadeBy, a)
}

// count adds the actor's approval and ends the item if it was the last that was
// needed. Whoever voted gives the item back.
func (c *change) count() {
	i, a := &c.item, &c.act.Actor
	i.Approvals = append(i.Approvals, Vote{Person: a.Person, MadeBy: slices.Clone(a.MadeBy), Digest: i.Digest, At: c.at})
	i.Lease = nil
	c.event.Digest = i.Digest
	if len(i.Approvals) < max(1, c.rules.Needed) {
		return
	}
	if i.Original != nil && i.Original.Digest != i.Digest {
		c.end(Edited)
	} else {
		c.end(Approved)
	}
}

// reject counts a rejection, by anybody: nothing is applied by it. An approval
// of the same person is taken back.
func (c *change) reject() error {
	i, a := &c.item, &c.act.Actor
	if voted(i.Rejections, a.ID) {
		return c.deny(DeniedTwice, "%s has rejected this already", a.ID)
	}
	before := len(i.Approvals)
	i.Approvals = slices.DeleteFunc(i.Approvals, func(v Vote) bool { return same(v.Person.ID, a.ID) })
	c.event.Voided = before - len(i.Approvals)
	i.Rejections = append(i.Rejections, Vote{Person: a.Person, MadeBy: slices.Clone(a.MadeBy), Digest: i.Digest, At: c.at})
	i.Lease = nil
	c.event.Digest = i.Digest
	if len(i.Rejections) >= max(1, c.rules.Rejections) {
		c.end(Rejected)
	}
	return nil
}

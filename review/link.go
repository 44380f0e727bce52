package review

import (
	"slices"

	"github.com/pawlgate/pawl/verdict"
)

// Joins reports whether a submission can join a pending item instead of making
// one of its own: the gate says so, and it is the same action on the same
// subject, which nobody has edited. Then do [ActJoin].
func (i *Item) Joins(s *Submission, rules Rules) bool {
	if !rules.JoinSameAction || i.Status != PendingReview || i.Gate != s.Gate || i.Subject != s.Subject || i.Original != nil || statusOf(s.Verdict) != PendingReview {
		return false
	}
	action, err := CanonicalAction(s.Action)
	return err == nil && sameAction(action, i.Action)
}

// join makes the actor a submitter, whose approval therefore no longer counts.
func (c *change) join() error {
	i, a := &c.item, &c.act.Actor
	before := len(i.Approvals)
	i.Approvals = slices.DeleteFunc(i.Approvals, func(v Vote) bool { return same(v.Person.ID, a.ID) })
	c.event.Voided = before - len(i.Approvals)
	if k := i.submitter(a.ID); k >= 0 {
		i.Submitters[k].Withdrawn = false
	} else {
		i.Submitters = append(i.Submitters, Submitter{Person: a.Person})
	}
	return nil
}

// submitter returns which of the submitters the id is, to the letter, or -1.
func (i *Item) submitter(id string) int {
	return slices.IndexFunc(i.Submitters, func(s Submitter) bool { return s.Person.ID == id })
}

// withdraw takes one submitter's proposal back; with the last one the item ends.
func (c *change) withdraw() error {
	i := &c.item
	i.Submitters[i.submitter(c.act.Actor.ID)].Withdrawn = true
	if !slices.ContainsFunc(i.Submitters, func(s Submitter) bool { return !s.Withdrawn }) {
		c.end(Withdrawn)
	}
	return nil
}

// supersede puts another item in this one's place, for a supervisor or for the
// only person who still wants this one: nobody ends what others asked for. One that has ended stays as
// it ended, and what wasn't redeemed of it can't be any more.
func (c *change) supersede() error {
	i, a := &c.item, c.act
	if !a.Actor.Supervisor && slices.ContainsFunc(i.Submitters, func(s Submitter) bool { return s.Person.ID != a.Actor.ID && !s.Withdrawn }) {
		return c.deny(DeniedNotOwn, "others submitted this, too; they would have to withdraw first, or a supervisor supersede it")
	}
	switch {
	case a.Item == "" || a.Item == i.ID:
		return invalid("item", "the id of the item that takes its place is needed")
	case i.SupersededBy != "" || i.Status == Superseded:
		return c.conflict(ConflictEnded)
	case i.Status == PendingReview && i.overdue(c.at):
		return c.conflict(ConflictOverdue)
	}
	i.SupersededBy, c.event.Link = a.Item, a.Item
	c.void = VoidSuperseded
	if i.Status == PendingReview {
		c.end(Superseded)
	}
	return nil
}

// reopen lets an expired item wait again, with nothing that was approved.
func (c *change) reopen() error {
	i, until := &c.item, stored(c.act.Until)
	if i.Status != Expired {
		return c.conflict(ConflictStatus)
	}
	if i.SupersededBy != "" || i.OverturnedBy != "" {
		return c.conflict(ConflictChanged)
	}
	switch {
	case !c.act.Until.IsZero():
		if !until.After(c.at) {
			return invalid("until", "the new deadline must be later than now")
		}
		i.Deadline = until
	case c.rules.Deadline > 0:
		i.Deadline = c.at.Add(c.rules.Deadline)
	default:
		return invalid("until", "a new deadline is needed")
	}
	c.event.Until, c.event.Voided = i.Deadline, len(i.Approvals)
	i.Status, i.Ending, i.Since = PendingReview, nil, c.at
	i.Approvals, i.Steps = nil, 0
	i.Reopened++
	return nil
}

// overturn makes a new item of the same proposal, or of what is to be done
// about it, for people to decide. This one stays as it ended, and what wasn't
// redeemed of it can't be any more. Who asks for it counts among the submitters
// of the new one: they can reject it, not approve it.
func (c *change) overturn() error {
	i, a := &c.item, c.act
	switch {
	case !i.Status.Ended():
		return c.conflict(ConflictStatus)
	case i.OverturnedBy != "":
		return c.conflict(ConflictChanged)
	case a.Item == "" || a.Item == i.ID:
		return invalid("item", "the id of the new item is needed")
	case a.Salt == Salt{}:
		return invalid("salt", "32 random bytes are needed")
	}
	action := i.Action
	if len(a.Action) > 0 {
		var err error
		if action, err = CanonicalAction(a.Action); err != nil {
			return err
		}
	}
	n := Item{
		ID: a.Item, Gate: i.Gate, Policy: i.Policy, Engine: i.Engine, Subject: i.Subject,
		Input: i.Input, Decision: i.Decision, Verdict: verdict.RouteToHuman, Risk: i.Risk,
		Action: action, Salt: a.Salt, Digest: digestOf(a.Salt, action),
		Queue: i.Queue, Priority: i.Priority, Created: c.at, Since: c.at, LastAt: c.at,
		Status: PendingReview, Version: 1, Overturns: i.ID,
	}
	for _, s := range i.Submitters {
		n.Submitters = append(n.Submitters, Submitter{Person: s.Person, Withdrawn: true})
	}
	if k := n.submitter(a.Actor.ID); k >= 0 {
		n.Submitters[k].Withdrawn = false
	} else {
		n.Submitters = append(n.Submitters, Submitter{Person: a.Actor.Person})
	}
	if c.rules.Deadline > 0 {
		n.Deadline = c.at.Add(c.rules.Deadline)
	}
	c.opened = &Opening{Item: n, Event: Event{
		Item: n.ID, Seq: 1, Actor: a.Actor.Person, Act: ActOverturn, To: PendingReview,
		Reason: a.Reason, Note: a.Note, At: c.at, Digest: n.Digest, Link: i.ID,
	}}
	i.OverturnedBy, c.event.Link = n.ID, n.ID
	c.void = VoidOverturned
	return nil
}

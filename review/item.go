package review

import (
	"slices"
	"time"

	"github.com/pawlgate/pawl/verdict"
)

// Item is a recorded decision and all that has become of it. [New] makes one
// and [Apply] changed copies; it is not to be written to.
type Item struct {
	ID      string
	Gate    string
	Policy  PolicyRef
	Engine  string // version of what decided
	Subject string

	Input    []byte // signals, case or snapshot; see CanonicalInput
	Decision []byte // what the gate answered, in the gate's own form
	Verdict  verdict.Verdict
	Risk     string

	Action   []byte // the proposal as it stands, in its RFC 8785 form
	Salt     Salt
	Digest   Digest    // of Action, with Salt
	Original *Original // what was submitted, once it was edited

	Queue    string
	Priority int       // higher is more urgent
	Created  time.Time // when it was submitted
	Since    time.Time // since when it waits: Created, or when it was re-opened
	Deadline time.Time // zero: none

	Status     Status
	Version    int64     // counts every change, and is the Seq of the last event
	LastAt     time.Time // of the last event; no later one is earlier
	Submitters []Submitter

	Lease     *Lease // the claim, which may be over: see Held
	LastToken int64  // the highest fencing token that was given
	Assigned  string // the only person who may claim it
	Hold      *Hold

	Approvals   []Vote // of Digest
	Rejections  []Vote
	Skipped     []string // people who passed it on
	Escalations []Escalation
	Steps       int // how many of the gate's own escalations were made since Since
	Reopened    int

	Supersedes, SupersededBy string // ids
	Overturns, OverturnedBy  string

	Ending   *Ending // how it ended
	Receipts []Receipt
}

// PolicyRef names the policy that decided.
type PolicyRef struct {
	Version int64
	Digest  string
}

// Original is an action before it was edited.
type Original struct {
	Action []byte
	Digest Digest
}

// Submitter is a person who proposed the action. Even after withdrawing they
// can't approve it.
type Submitter struct {
	Person    Person
	Withdrawn bool
}

// Lease is a claim.
type Lease struct {
	Holder string
	Token  int64
	Until  time.Time
}

// Hold is an item put aside until it wakes.
type Hold struct {
	By    string
	Until time.Time
}

// Vote is one person's approval or rejection.
type Vote struct {
	Person Person
	MadeBy []string // see Actor
	Digest Digest   // of the action that was voted on
	At     time.Time
}

// Escalation is a move to another queue.
type Escalation struct {
	By Person
	To string
	At time.Time
}

// Ending is the act that ended an item.
type Ending struct {
	By  Person
	Act Kind
	At  time.Time
}

// Submission is what an item is made of. The caller makes id and salt.
type Submission struct {
	ID       string
	Gate     string
	Policy   PolicyRef
	Engine   string
	Subject  string
	Input    []byte
	Action   []byte // any JSON; empty is null
	Salt     Salt
	Verdict  verdict.Verdict
	Decision []byte
	Risk     string // low, medium, high, critical; anything else but "" counts as critical
	Queue    string
	// Priority, if it isn't 0, stands instead of the one that Risk gives.
	Priority   int
	Submitter  Person
	Supersedes string
	Epoch      int64 // of the gate, see Gate
}

// Priorities by risk.
const (
	PriorityNone     = 0
	PriorityLow      = 100
	PriorityMedium   = 200
	PriorityHigh     = 300
	PriorityCritical = 400
)

func priorityOf(risk string) int {
	switch risk {
	case "":
		return PriorityNone
	case "low":
		return PriorityLow
	case "medium":
		return PriorityMedium
	case "high":
		return PriorityHigh
	}
	return PriorityCritical
}

// Opening is a new item with its first event and, if it ended at once, its
// permit.
type Opening struct {
	Item   Item
	Event  Event
	Permit *Permit
}

// New makes the item of a decision: ended at once if the verdict is automatic,
// pending if it is anything else. It keeps nothing of s. If s supersedes an
// item, [ActSupersede] is to be done on that one in the same transaction. With an error there is
// no item, and then the caller must not act on the verdict either.
func New(s Submission, rules Rules, now time.Time) (Opening, error) {
	if err := s.check(); err != nil {
		return Opening{}, err
	}
	action, err := CanonicalAction(s.Action)
	if err != nil {
		return Opening{}, err
	}
	now = stored(now)
	item := Item{
		ID: s.ID, Gate: s.Gate, Policy: s.Policy, Engine: s.Engine, Subject: s.Subject,
		Input: slices.Clone(s.Input), Decision: slices.Clone(s.Decision), Verdict: s.Verdict, Risk: s.Risk,
		Action: action, Salt: s.Salt, Digest: digestOf(s.Salt, action),
		Queue: s.Queue, Priority: s.Priority, Created: now, Since: now,
		Status: statusOf(s.Verdict), Version: 1, LastAt: now,
		Submitters: []Submitter{{Person: s.Submitter}}, Supersedes: s.Supersedes,
	}
	if item.Priority == 0 {
		item.Priority = priorityOf(s.Risk)
	}
	o := Opening{Event: Event{Item: s.ID, Seq: 1, Actor: byPawl, Act: ActDecide, To: item.Status, At: now, Digest: item.Digest}}
	if item.Status.Ended() {
		item.Ending = &Ending{By: byPawl, Act: ActDecide, At: now}
		o.Permit = newPermit(&item, &rules, now, now)
		o.Permit.Automatic, o.Permit.Epoch = true, s.Epoch
	} else if rules.Deadline > 0 {
		item.Deadline = now.Add(rules.Deadline)
	}
	o.Item = item
	return o, nil
}

// At returns the opening as [New] makes it of the same submission and rules at
// another time. So an item can be made before the transaction in which its time
// is known. It changes nothing of o.
func (o Opening) At(now time.Time, rules Rules) Opening {
	now = stored(now)
	i := &o.Item
	i.Created, i.Since, i.LastAt, o.Event.At = now, now, now, now
	if !i.Deadline.IsZero() {
		i.Deadline = now.Add(rules.Deadline)
	}
	if i.Ending != nil {
		ending := *i.Ending
		ending.At = now
		i.Ending = &ending
	}
	if o.Permit != nil {
		p := *o.Permit
		p.Expires, p.LastAt = now.Add(rules.permitLife()), now
		o.Permit = &p
	}
	return o
}

// maxSubject is in bytes: databases find items by it.
const maxSubject = 1024

func (s *Submission) check() error {
	for _, f := range []struct{ field, value string }{{"id", s.ID}, {"gate", s.Gate}, {"policy digest", s.Policy.Digest}, {"engine", s.Engine}, {"queue", s.Queue}, {"risk", s.Risk}, {"supersedes", s.Supersedes}} {
		if badName(f.value) {
			return invalid(f.field, "at most %d bytes of UTF-8 without control characters, not %.40q", maxName, f.value)
		}
	}
	switch {
	case s.ID == "" || s.Gate == "":
		return invalid("id", "an item needs an id and a gate")
	case s.Supersedes == s.ID:
		return invalid("supersedes", "an item can't supersede itself")
	case len(s.Subject) > maxSubject || badText(s.Subject):
		return invalid("subject", "UTF-8 of at most %d bytes without NUL is needed", maxSubject)
	case s.Salt == Salt{}:
		return invalid("salt", "32 random bytes are needed")
	}
	return s.Submitter.Check(ActSubmit)
}

// clone copies all that Apply may write to. Input, Decision and actions are
// never written to, and shared.
func (i *Item) clone() Item {
	c := *i
	c.Submitters = slices.Clone(i.Submitters)
	c.Approvals = slices.Clone(i.Approvals)
	c.Rejections = slices.Clone(i.Rejections)
	c.Skipped = slices.Clone(i.Skipped)
	c.Escalations = slices.Clone(i.Escalations)
	c.Receipts = slices.Clone(i.Receipts)
	c.Lease, c.Hold, c.Original, c.Ending = copied(i.Lease), copied(i.Hold), copied(i.Original), copied(i.Ending)
	return c
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// submitted reports whether id may be one of the people who proposed it.
func (i *Item) submitted(id string) bool {
	return slices.ContainsFunc(i.Submitters, func(s Submitter) bool { return same(s.Person.ID, id) })
}

func voted(votes []Vote, id string) bool {
	return slices.ContainsFunc(votes, func(v Vote) bool { return same(v.Person.ID, id) })
}

// stored returns t as it is kept: in UTC and whole microseconds.
func stored(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

package review

import (
	"strconv"
	"time"

	"github.com/pawlgate/pawl/verdict"
)

// Event is one change of an item. What isn't said about a change is zero.
type Event struct {
	Item   string
	Seq    int64 // the item's version after it: dense, from 1
	Actor  Person
	Act    Kind
	From   Status // "" in the first event
	To     Status
	Reason string
	Note   string
	At     time.Time // never earlier than that of the event before

	Digest Digest    // of the action that was decided, approved, rejected or made by an edit
	Queue  string    // where it was escalated to
	Person string    // to whom it was assigned
	Until  time.Time // end of a lease or hold; the new deadline
	Token  int64     // of the lease that was given or used
	Link   string    // the other item: which supersedes, overturns
	Voided int       // approvals that no longer count
}

// AppendJSON appends the event as a JSON object: itemId, seq, actor, known,
// action, fromStatus, toStatus, at, and what else there is to say. Times are
// RFC 3339 in UTC. The bytes are the same for the same event, always.
func (e *Event) AppendJSON(dst []byte) []byte {
	text := func(name, s string) {
		dst = append(dst, `,"`...)
		dst = append(dst, name...)
		dst = append(dst, `":`...)
		dst = verdict.AppendString(dst, s)
	}
	some := func(name, s string) {
		if s != "" {
			text(name, s)
		}
	}
	number := func(name string, n int64) {
		if n != 0 {
			dst = append(dst, `,"`...)
			dst = append(dst, name...)
			dst = append(dst, `":`...)
			dst = strconv.AppendInt(dst, n, 10)
		}
	}
	dst = append(dst, `{"itemId":`...)
	dst = verdict.AppendString(dst, e.Item)
	number("seq", e.Seq)
	text("actor", e.Actor.ID)
	some("known", string(e.Actor.Known))
	text("action", string(e.Act))
	text("fromStatus", string(e.From))
	text("toStatus", string(e.To))
	some("reason", e.Reason)
	some("note", e.Note)
	text("at", e.At.UTC().Format(time.RFC3339Nano))
	if e.Digest != (Digest{}) {
		text("actionDigest", e.Digest.String())
	}
	some("queue", e.Queue)
	some("person", e.Person)
	if !e.Until.IsZero() {
		text("until", e.Until.UTC().Format(time.RFC3339Nano))
	}
	number("token", e.Token)
	some("link", e.Link)
	number("voided", int64(e.Voided))
	return append(dst, '}')
}

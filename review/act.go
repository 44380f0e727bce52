package review

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"
	"time"
	"unicode/utf8"
)

// Kind is what somebody does with an item.
type Kind string

// The acts. Approve, reject, edit, hold, release and escalate need the lease
// of a claim; renew prolongs it.
const (
	ActClaim     Kind = "claim"
	ActRenew     Kind = "renew"
	ActRelease   Kind = "release"
	ActApprove   Kind = "approve"
	ActReject    Kind = "reject"
	ActEdit      Kind = "edit"      // changes the action and approves it
	ActHold      Kind = "hold"      // puts it aside until a time
	ActSkip      Kind = "skip"      // the person won't be offered it again
	ActEscalate  Kind = "escalate"  // to another queue
	ActAssign    Kind = "assign"    // a supervisor gives it to a person, or takes it from one
	ActComment   Kind = "comment"   // on any item
	ActJoin      Kind = "join"      // another submission of the same action
	ActWithdraw  Kind = "withdraw"  // by a submitter
	ActSupersede Kind = "supersede" // another item takes its place
	ActExpire    Kind = "expire"    // its deadline has passed
	ActReopen    Kind = "reopen"    // an expired one waits again
	ActOverturn  Kind = "overturn"  // an ended one is decided anew, as another item

	// These stand in first events and in errors only.
	ActSubmit Kind = "submit"
	ActDecide Kind = "decide"
)

// Act is one thing that somebody does with an item.
type Act struct {
	Kind  Kind
	Actor Actor
	// Key, if given, makes the act the same one when it is repeated, whatever
	// happened in between: any text of the caller's, per person.
	Key string
	// Token is the fencing token of the actor's claim.
	Token int64
	// Version and Digest, if given, are those of the item that the actor saw.
	Version int64
	Digest  Digest

	Reason string // one of the gate's reason codes
	Note   string
	Action []byte    // edit: the changed action, whole
	Queue  string    // escalate
	Person string    // assign; empty: nobody
	Until  time.Time // hold: when it wakes; reopen: its new deadline
	Item   string    // supersede, overturn: the id of the new item
	Salt   Salt      // overturn: of the new item
}

const (
	maxNote  = 64 << 10
	wantText = "UTF-8 of at most 65536 bytes without NUL is needed"
)

func badText(s string) bool {
	return len(s) > maxNote || !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0
}

// check judges what can be judged without the item.
func (a *Act) check() error {
	how, ok := acts[a.Kind]
	if !ok {
		return invalid("act", "there is no act %.40q", string(a.Kind))
	}
	if !(how.pawl && a.Actor.Person == byPawl) {
		if err := a.Actor.Check(a.Kind); err != nil {
			return err
		}
		if !how.person {
			return &DeniedError{Person: a.Actor.ID, Act: a.Kind, Code: DeniedRight, Message: string(a.Kind) + " is not for people: it happens when the time has come"}
		}
	}
	for _, f := range []struct{ field, value string }{{"key", a.Key}, {"reason", a.Reason}, {"queue", a.Queue}, {"person", a.Person}, {"item", a.Item}} {
		if badName(f.value) {
			return invalid(f.field, "at most %d bytes of UTF-8 without control characters, not %.40q", maxName, f.value)
		}
	}
	if badText(a.Note) {
		return invalid("note", "%s", wantText)
	}
	if how.note && strings.TrimSpace(a.Note) == "" && a.Reason == "" {
		return invalid("note", "%s needs a reason or a note that says why", a.Kind)
	}
	return nil
}

// print identifies the act among all acts on one item.
func (a *Act) print() Digest {
	h := sha256.New()
	link := a.Item
	if a.Kind == ActOverturn {
		link = "" // made anew by a caller who tries again
	}
	for _, s := range []string{string(a.Kind), a.Actor.ID, string(a.Actor.Known), a.Key, a.Reason, a.Note, string(a.Action), a.Queue, a.Person, link} {
		number(h, int64(len(s)))
		h.Write([]byte(s))
	}
	number(h, a.Token)
	number(h, a.Version)
	h.Write(a.Digest[:])
	number(h, a.Until.UnixMicro())
	return Digest(h.Sum(nil))
}

func number(h hash.Hash, n int64) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// Receipt remembers an act, so that its repetition can be told from a new one.
type Receipt struct {
	Print  Digest
	Person string
	Key    string
	Event  Event // without the note, which the act has
	Ended  bool  // it ended the item
}

// maxReceipts bounds what an item remembers of acts that ended nothing.
const maxReceipts = 64

func (i *Item) remember(r Receipt) {
	r.Event.Note = ""
	if len(i.Receipts) >= maxReceipts {
		for k := range i.Receipts {
			if !i.Receipts[k].Ended {
				i.Receipts = append(i.Receipts[:k], i.Receipts[k+1:]...)
				break
			}
		}
	}
	i.Receipts = append(i.Receipts, r)
}

// replay returns the event of the very same act, if it was done before. Without
// a key or a token, which can be used once only, two acts that look alike are
// the same only if nothing else came in between, or if both end the item.
func (i *Item) replay(a *Act) (*Event, error) {
	if a.Kind == ActClaim || a.Kind == ActRenew {
		return nil, nil // may be repeated at will
	}
	print := a.print()
	for k := len(i.Receipts) - 1; k >= 0; k-- {
		r := &i.Receipts[k]
		if r.Person != a.Actor.ID {
			continue
		}
		if r.Print != print {
			if a.Key != "" && r.Key == a.Key {
				return nil, invalid("key", "%s used this key for another act on the item, a %s", a.Actor.ID, r.Event.Act)
			}
			continue
		}
		if a.Key != "" || a.Token != 0 || r.Event.Seq == i.Version || r.Ended && i.Status.Ended() {
			e := r.Event
			e.Note = a.Note
			return &e, nil
		}
	}
	return nil, nil
}

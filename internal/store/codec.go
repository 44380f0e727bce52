package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// The forms in which things are kept as JSON. They are the store's own: what
// review renames stays readable. Members may be added, with a meaning for when
// they are missing; none may change. omitzero keeps an empty list and none
// apart.

type stamp int64 // microseconds; 0 is the zero time

func at(t time.Time) stamp       { return stamp(us(t)) }
func (s stamp) time() time.Time  { return unus(int64(s)) }
func sum(d review.Digest) []byte { return some32(d) }

func some32(d [32]byte) []byte {
	if d == ([32]byte{}) {
		return nil
	}
	return d[:]
}

func digest(b []byte) (d review.Digest) {
	copy(d[:], b)
	return d
}

type personForm struct {
	ID    string       `json:"id,omitzero"`
	Known review.Known `json:"known,omitzero"`
}

type voteForm struct {
	By     personForm `json:"by"`
	MadeBy []string   `json:"madeBy,omitzero"`
	Digest []byte     `json:"digest,omitzero"`
	At     stamp      `json:"at,omitzero"`
}

type submitterForm struct {
	By        personForm `json:"by"`
	Withdrawn bool       `json:"withdrawn,omitzero"`
}

type leaseForm struct {
	Holder string `json:"holder"`
	Token  int64  `json:"token"`
	Until  stamp  `json:"until"`
}

type holdForm struct {
	By    string `json:"by"`
	Until stamp  `json:"until"`
}

type moveForm struct {
	By personForm `json:"by"`
	To string     `json:"to"`
	At stamp      `json:"at"`
}

type endingForm struct {
	By  personForm  `json:"by"`
	Act review.Kind `json:"act"`
	At  stamp       `json:"at"`
}

type receiptForm struct {
	Print  []byte    `json:"print,omitzero"`
	Person string    `json:"person,omitzero"`
	Key    string    `json:"key,omitzero"`
	Event  eventForm `json:"event"`
	Ended  bool      `json:"ended,omitzero"`
}

type eventForm struct {
	Item   string        `json:"item,omitzero"`
	Seq    int64         `json:"seq"`
	Actor  personForm    `json:"actor"`
	Act    review.Kind   `json:"act"`
	From   review.Status `json:"from,omitzero"`
	To     review.Status `json:"to,omitzero"`
	Reason string        `json:"reason,omitzero"`
	Note   string        `json:"note,omitzero"`
	At     stamp         `json:"at,omitzero"`
	Digest []byte        `json:"digest,omitzero"`
	Queue  string        `json:"queue,omitzero"`
	Person string        `json:"person,omitzero"`
	Until  stamp         `json:"until,omitzero"`
	Token  int64         `json:"token,omitzero"`
	Link   string        `json:"link,omitzero"`
	Voided int           `json:"voided,omitzero"`
}

func eventOf(e *review.Event) eventForm {
	return eventForm{
		e.Item, e.Seq, personForm(e.Actor), e.Act, e.From, e.To, e.Reason, e.Note, at(e.At), sum(e.Digest),
		e.Queue, e.Person, at(e.Until), e.Token, e.Link, e.Voided,
	}
}

func (f *eventForm) event() review.Event {
	return review.Event{
		Item: f.Item, Seq: f.Seq, Actor: review.Person(f.Actor), Act: f.Act, From: f.From, To: f.To, Reason: f.Reason, Note: f.Note,
		At: f.At.time(), Digest: digest(f.Digest), Queue: f.Queue, Person: f.Person, Until: f.Until.time(), Token: f.Token, Link: f.Link, Voided: f.Voided,
	}
}

// stateForm is what of an item has no column.
type stateForm struct {
	PolicyVersion  int64           `json:"policyVersion,omitzero"`
	PolicyDigest   string          `json:"policyDigest,omitzero"`
	Engine         string          `json:"engine,omitzero"`
	Verdict        verdict.Verdict `json:"verdict,omitzero"`
	Risk           string          `json:"risk,omitzero"`
	Digest         []byte          `json:"digest,omitzero"`
	Edited         bool            `json:"edited,omitzero"`
	OriginalDigest []byte          `json:"originalDigest,omitzero"`
	Created        stamp           `json:"created,omitzero"`
	Version        int64           `json:"version"`
	LastAt         stamp           `json:"lastAt,omitzero"`
	Submitters     []submitterForm `json:"submitters,omitzero"`
	Lease          *leaseForm      `json:"lease,omitzero"`
	LastToken      int64           `json:"lastToken,omitzero"`
	Assigned       string          `json:"assigned,omitzero"`
	Hold           *holdForm       `json:"hold,omitzero"`
	Approvals      []voteForm      `json:"approvals,omitzero"`
	Rejections     []voteForm      `json:"rejections,omitzero"`
	Skipped        []string        `json:"skipped,omitzero"`
	Escalations    []moveForm      `json:"escalations,omitzero"`
	Steps          int             `json:"steps,omitzero"`
	Reopened       int             `json:"reopened,omitzero"`
	Supersedes     string          `json:"supersedes,omitzero"`
	SupersededBy   string          `json:"supersededBy,omitzero"`
	Overturns      string          `json:"overturns,omitzero"`
	OverturnedBy   string          `json:"overturnedBy,omitzero"`
	Ending         *endingForm     `json:"ending,omitzero"`
	Receipts       []receiptForm   `json:"receipts,omitzero"`
}

// mapped maps a list and keeps no list apart from an empty one.
func mapped[A, B any](list []A, fn func(*A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for k := range list {
		out[k] = fn(&list[k])
	}
	return out
}

func voteOf(v *review.Vote) voteForm {
	return voteForm{personForm(v.Person), v.MadeBy, sum(v.Digest), at(v.At)}
}

func (f *voteForm) vote() review.Vote {
	return review.Vote{Person: review.Person(f.By), MadeBy: f.MadeBy, Digest: digest(f.Digest), At: f.At.time()}
}

func encodeState(i *review.Item) ([]byte, error) {
	f := stateForm{
		PolicyVersion: i.Policy.Version, PolicyDigest: i.Policy.Digest, Engine: i.Engine, Verdict: i.Verdict, Risk: i.Risk,
		Digest: sum(i.Digest), Created: at(i.Created), Version: i.Version, LastAt: at(i.LastAt),
		Submitters: mapped(i.Submitters, func(s *review.Submitter) submitterForm { return submitterForm{personForm(s.Person), s.Withdrawn} }),
		LastToken:  i.LastToken, Assigned: i.Assigned,
		Approvals: mapped(i.Approvals, voteOf), Rejections: mapped(i.Rejections, voteOf), Skipped: i.Skipped,
		Escalations: mapped(i.Escalations, func(e *review.Escalation) moveForm { return moveForm{personForm(e.By), e.To, at(e.At)} }),
		Steps:       i.Steps, Reopened: i.Reopened,
		Supersedes: i.Supersedes, SupersededBy: i.SupersededBy, Overturns: i.Overturns, OverturnedBy: i.OverturnedBy,
		Receipts: mapped(i.Receipts, func(r *review.Receipt) receiptForm {
			return receiptForm{sum(r.Print), r.Person, r.Key, eventOf(&r.Event), r.Ended}
		}),
	}
	if i.Original != nil {
		f.Edited, f.OriginalDigest = true, sum(i.Original.Digest)
	}
	if l := i.Lease; l != nil {
		f.Lease = &leaseForm{l.Holder, l.Token, at(l.Until)}
	}
	if h := i.Hold; h != nil {
		f.Hold = &holdForm{h.By, at(h.Until)}
	}
	if e := i.Ending; e != nil {
		f.Ending = &endingForm{personForm(e.By), e.Act, at(e.At)}
	}
	return json.Marshal(&f)
}

// decodeState fills in what has no column. The original's bytes have one.
func decodeState(i *review.Item, raw, original []byte) error {
	var f stateForm
	if err := json.Unmarshal(raw, &f); err != nil {
		return fmt.Errorf("item %s: its state: %w", i.ID, err)
	}
	i.Policy = review.PolicyRef{Version: f.PolicyVersion, Digest: f.PolicyDigest}
	i.Engine, i.Verdict, i.Risk, i.Digest = f.Engine, f.Verdict, f.Risk, digest(f.Digest)
	i.Created, i.Version, i.LastAt = f.Created.time(), f.Version, f.LastAt.time()
	i.Submitters = mapped(f.Submitters, func(s *submitterForm) review.Submitter {
		return review.Submitter{Person: review.Person(s.By), Withdrawn: s.Withdrawn}
	})
	i.LastToken, i.Assigned, i.Skipped, i.Steps, i.Reopened = f.LastToken, f.Assigned, f.Skipped, f.Steps, f.Reopened
	i.Approvals, i.Rejections = mapped(f.Approvals, (*voteForm).vote), mapped(f.Rejections, (*voteForm).vote)
	i.Escalations = mapped(f.Escalations, func(m *moveForm) review.Escalation {
		return review.Escalation{By: review.Person(m.By), To: m.To, At: m.At.time()}
	})
	i.Supersedes, i.SupersededBy, i.Overturns, i.OverturnedBy = f.Supersedes, f.SupersededBy, f.Overturns, f.OverturnedBy
	i.Receipts = mapped(f.Receipts, func(r *receiptForm) review.Receipt {
		return review.Receipt{Print: digest(r.Print), Person: r.Person, Key: r.Key, Event: r.Event.event(), Ended: r.Ended}
	})
	if f.Edited {
		i.Original = &review.Original{Action: original, Digest: digest(f.OriginalDigest)}
	}
	if l := f.Lease; l != nil {
		i.Lease = &review.Lease{Holder: l.Holder, Token: l.Token, Until: l.Until.time()}
	}
	if h := f.Hold; h != nil {
		i.Hold = &review.Hold{By: h.By, Until: h.Until.time()}
	}
	if e := f.Ending; e != nil {
		i.Ending = &review.Ending{By: review.Person(e.By), Act: e.Act, At: e.At.time()}
	}
	return nil
}

type permitForm struct {
	Item       string             `json:"item"`
	Gate       string             `json:"gate"`
	Digest     []byte             `json:"digest,omitzero"`
	Effect     review.Effect      `json:"effect"`
	Audience   []string           `json:"audience,omitzero"`
	Expires    stamp              `json:"expires,omitzero"`
	Automatic  bool               `json:"automatic,omitzero"`
	Epoch      int64              `json:"epoch,omitzero"`
	State      review.PermitState `json:"state"`
	Version    int64              `json:"version"`
	LastAt     stamp              `json:"lastAt,omitzero"`
	KeyHash    []byte             `json:"keyHash,omitzero"`
	GrantedTo  string             `json:"grantedTo,omitzero"`
	GrantedAt  stamp              `json:"grantedAt,omitzero"`
	ReportedAt stamp              `json:"reportedAt,omitzero"`
	Result     []byte             `json:"result,omitzero"`
	Void       review.Void        `json:"void,omitzero"`
}

func encodePermit(p *review.Permit) ([]byte, error) {
	return json.Marshal(&permitForm{
		p.Item, p.Gate, sum(p.Digest), p.Effect, p.Audience, at(p.Expires), p.Automatic, p.Epoch,
		p.State, p.Version, at(p.LastAt), sum(p.KeyHash), p.GrantedTo, at(p.GrantedAt), at(p.ReportedAt), p.Result, p.Void,
	})
}

func decodePermit(raw []byte) (*review.Permit, error) {
	var f permitForm
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("a permit: %w", err)
	}
	return &review.Permit{
		Item: f.Item, Gate: f.Gate, Digest: digest(f.Digest), Effect: f.Effect, Audience: f.Audience, Expires: f.Expires.time(),
		Automatic: f.Automatic, Epoch: f.Epoch, State: f.State, Version: f.Version, LastAt: f.LastAt.time(), KeyHash: digest(f.KeyHash),
		GrantedTo: f.GrantedTo, GrantedAt: f.GrantedAt.time(), ReportedAt: f.ReportedAt.time(), Result: f.Result, Void: f.Void,
	}, nil
}

func encodeEvent(e *review.Event) ([]byte, error) {
	f := eventOf(e)
	return json.Marshal(&f)
}

func decodeEvent(raw []byte) (review.Event, error) {
	var f eventForm
	if err := json.Unmarshal(raw, &f); err != nil {
		return review.Event{}, fmt.Errorf("an event: %w", err)
	}
	return f.event(), nil
}

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/pawlgate/pawl/review"
)

// itemJSON is an item for programs. What isn't said is left out.
type itemJSON struct {
	ID           string          `json:"id"`
	Gate         string          `json:"gate"`
	Status       review.Status   `json:"status"`
	Verdict      string          `json:"verdict"`
	Risk         string          `json:"risk,omitempty"`
	Queue        string          `json:"queue,omitempty"`
	Priority     int             `json:"priority"`
	Subject      string          `json:"subject,omitempty"`
	Policy       policyRefJSON   `json:"policy"`
	Engine       string          `json:"engine"`
	Version      int64           `json:"version"`
	Created      *time.Time      `json:"created"`
	Deadline     *time.Time      `json:"deadline,omitempty"`
	Submitters   []submitterJSON `json:"submitters"`
	Action       json.RawMessage `json:"action,omitempty"`
	ActionDigest string          `json:"actionDigest"`
	Original     json.RawMessage `json:"originalAction,omitempty"`
	Input        json.RawMessage `json:"input,omitempty"`
	Decision     json.RawMessage `json:"decision,omitempty"`
	Lease        *leaseJSON      `json:"lease,omitempty"`
	Assigned     string          `json:"assigned,omitempty"`
	Hold         *holdJSON       `json:"hold,omitempty"`
	Approvals    []voteJSON      `json:"approvals,omitempty"`
	Rejections   []voteJSON      `json:"rejections,omitempty"`
	Ending       *endingJSON     `json:"ending,omitempty"`
	Supersedes   string          `json:"supersedes,omitempty"`
	SupersededBy string          `json:"supersededBy,omitempty"`
	Overturns    string          `json:"overturns,omitempty"`
	OverturnedBy string          `json:"overturnedBy,omitempty"`
}

type policyRefJSON struct {
	Version int64  `json:"version"`
	Digest  string `json:"digest"`
}

type submitterJSON struct {
	Person    string       `json:"person"`
	Known     review.Known `json:"known,omitempty"`
	Withdrawn bool         `json:"withdrawn,omitempty"`
}

type leaseJSON struct {
	Holder string     `json:"holder"`
	Token  int64      `json:"token"`
	Until  *time.Time `json:"until"`
}

type holdJSON struct {
	By    string     `json:"by"`
	Until *time.Time `json:"until"`
}

type voteJSON struct {
	Person string       `json:"person"`
	Known  review.Known `json:"known,omitempty"`
	At     *time.Time   `json:"at"`
}

type endingJSON struct {
	By  string      `json:"by"`
	Act review.Kind `json:"act"`
	At  *time.Time  `json:"at"`
}

type permitJSON struct {
	State     review.PermitState `json:"state"`
	Effect    review.Effect      `json:"effect"`
	Audience  []string           `json:"audience"`
	Expires   *time.Time         `json:"expires"`
	Automatic bool               `json:"automatic,omitempty"`
	InDoubt   bool               `json:"inDoubt,omitempty"`
	GrantedTo string             `json:"grantedTo,omitempty"`
	GrantedAt *time.Time         `json:"grantedAt,omitempty"`
	Reported  *time.Time         `json:"reportedAt,omitempty"`
	Result    json.RawMessage    `json:"result,omitempty"`
	Void      review.Void        `json:"void,omitempty"`
}

// moment is a time for programs; none is left out.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// body is a stored text as JSON: itself if it is JSON, otherwise a string.
func body(b []byte) json.RawMessage {
	if len(b) == 0 || json.Valid(b) {
		return b
	}
	text, err := json.Marshal(string(b))
	if err != nil { // a string can always be written
		return nil
	}
	return text
}

// newItemJSON leaves the bodies out unless full.
func newItemJSON(i *review.Item, full bool) itemJSON {
	out := itemJSON{
		ID: i.ID, Gate: i.Gate, Status: i.Status, Verdict: string(i.Verdict), Risk: i.Risk, Queue: i.Queue, Priority: i.Priority,
		Subject: i.Subject, Policy: policyRefJSON{i.Policy.Version, i.Policy.Digest}, Engine: i.Engine, Version: i.Version,
		Created: moment(i.Created), Deadline: moment(i.Deadline), ActionDigest: i.Digest.String(), Assigned: i.Assigned,
		Approvals: votesJSON(i.Approvals), Rejections: votesJSON(i.Rejections),
		Supersedes: i.Supersedes, SupersededBy: i.SupersededBy, Overturns: i.Overturns, OverturnedBy: i.OverturnedBy,
	}
	for _, s := range i.Submitters {
		out.Submitters = append(out.Submitters, submitterJSON{s.Person.ID, s.Person.Known, s.Withdrawn})
	}
	if l := i.Lease; l != nil {
		out.Lease = &leaseJSON{l.Holder, l.Token, moment(l.Until)}
	}
	if h := i.Hold; h != nil {
		out.Hold = &holdJSON{h.By, moment(h.Until)}
	}
	if e := i.Ending; e != nil {
		out.Ending = &endingJSON{e.By.ID, e.Act, moment(e.At)}
	}
	if full {
		out.Action, out.Input, out.Decision = body(i.Action), body(i.Input), body(i.Decision)
		if i.Original != nil {
			out.Original = body(i.Original.Action)
		}
	}
	return out
}

func votesJSON(votes []review.Vote) (out []voteJSON) {
	for _, v := range votes {
		out = append(out, voteJSON{v.Person.ID, v.Person.Known, moment(v.At)})
	}
	return out
}

func newPermitJSON(p *review.Permit) *permitJSON {
	if p == nil {
		return nil
	}
	return &permitJSON{
		State: p.State, Effect: p.Effect, Audience: p.Audience, Expires: moment(p.Expires), Automatic: p.Automatic, InDoubt: p.InDoubt(),
		GrantedTo: p.GrantedTo, GrantedAt: moment(p.GrantedAt), Reported: moment(p.ReportedAt), Result: body(p.Result), Void: p.Void,
	}
}

func eventsJSON(events []review.Event) []json.RawMessage {
	out := make([]json.RawMessage, len(events))
	for i := range events {
		out[i] = events[i].AppendJSON(nil)
	}
	return out
}

// at is a time for people.
func at(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// who names a person, and says so if nobody checked that it is them.
func who(p review.Person) string {
	if p.Known == "" {
		return cell(p.ID)
	}
	return fmt.Sprintf("%s (%s)", cell(p.ID), p.Known)
}

// listText is a list of items for people.
func listText(items []review.Item) []byte {
	var b bytes.Buffer
	if len(items) == 0 {
		return []byte("none\n")
	}
	rows := [][]string{{"item", "status", "gate", "queue", "risk", "since", "subject", "with"}}
	for k := range items {
		i := &items[k]
		with := i.Assigned
		if i.Lease != nil {
			with = i.Lease.Holder
		}
		rows = append(rows, []string{i.ID, string(i.Status), cell(i.Gate), dash(i.Queue), dash(i.Risk), at(cmp.Or(i.Since, i.Created)), dash(brief(i.Subject)), dash(with)})
	}
	writeTable(&b, rows)
	return b.Bytes()
}

func dash(s string) string { return cmp.Or(cell(s), "-") }

// itemText is an item for people, to be read top to bottom: what is to be done,
// why it is here, how it stands, what happened.
func itemText(i *review.Item, permit *review.Permit, events []review.Event, labels [][]string) []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "%s  %s  (gate %s", i.Status, i.ID, cell(i.Gate))
	if i.Risk != "" {
		fmt.Fprintf(b, ", risk %s", cell(i.Risk))
	}
	if i.Queue != "" {
		fmt.Fprintf(b, ", queue %s", cell(i.Queue))
	}
	fmt.Fprint(b, ")\n")
	if i.Subject != "" {
		fmt.Fprintf(b, "%s\n", cell(i.Subject))
	}
	writeBody(b, "action", i.Action)
	if i.Original != nil {
		writeBody(b, "as it was submitted", i.Original.Action)
	}
	writeBody(b, "input", i.Input)
	section(b, "why", decisionRows(i.Decision))
	section(b, "state", stateRows(i))
	section(b, "permit", permitRows(permit))
	rows := make([][]string, 0, len(events))
	for k := range events {
		rows = append(rows, eventRow(&events[k]))
	}
	section(b, "events", rows)
	section(b, "labels", labels)
	return b.Bytes()
}

// maxBody bounds, in bytes, what text for people shows of a body.
const maxBody = 4096

func writeBody(b *bytes.Buffer, title string, text []byte) {
	if len(text) == 0 {
		return
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, text, "  ", "  ") != nil {
		pretty.Reset()
		pretty.WriteString(cell(string(text)))
	}
	shown, more := pretty.String(), ""
	if len(shown) > maxBody {
		shown, more = shown[:maxBody], fmt.Sprintf("\n  … %s more; -o json shows all", plural(len(pretty.String())-maxBody, "byte"))
	}
	fmt.Fprintf(b, "\n%s\n  %s%s\n", title, printableLines(shown), more)
}

// decisionRows are the reasons in a decision, whichever gate made it.
func decisionRows(decision []byte) (rows [][]string) {
	var d struct {
		Reasons []struct{ Code, Message, Subject string }
		Stops   []struct{ Guard, Message string }
		Action  string
		Verdict string
	}
	if len(decision) == 0 || json.Unmarshal(decision, &d) != nil {
		return nil
	}
	for _, r := range d.Reasons {
		code := r.Code
		if r.Subject != "" {
			code += ":" + r.Subject
		}
		rows = append(rows, []string{cell(code), cell(r.Message)})
	}
	for _, s := range d.Stops {
		rows = append(rows, []string{cell(s.Guard), cell(s.Message)})
	}
	return rows
}

func stateRows(i *review.Item) [][]string {
	rows := [][]string{{"created", at(i.Created)}}
	for _, s := range i.Submitters {
		by := who(s.Person)
		if s.Withdrawn {
			by += ", withdrawn"
		}
		rows = append(rows, []string{"submitted by", by})
	}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	if !i.Deadline.IsZero() {
		add("deadline", at(i.Deadline))
	}
	if l := i.Lease; l != nil {
		add("claimed by", fmt.Sprintf("%s, until %s, token %d", cell(l.Holder), at(l.Until), l.Token))
	}
	add("assigned to", cell(i.Assigned))
	if h := i.Hold; h != nil {
		add("on hold", fmt.Sprintf("by %s, until %s", cell(h.By), at(h.Until)))
	}
	for _, v := range i.Approvals {
		add("approved by", who(v.Person)+", "+at(v.At))
	}
	for _, v := range i.Rejections {
		add("rejected by", who(v.Person)+", "+at(v.At))
	}
	add("supersedes", i.Supersedes)
	add("superseded by", i.SupersededBy)
	add("overturns", i.Overturns)
	add("overturned by", i.OverturnedBy)
	add("policy", fmt.Sprintf("version %d, %s, %s", i.Policy.Version, i.Policy.Digest, i.Engine))
	add("action", i.Digest.String())
	return rows
}

func permitRows(p *review.Permit) [][]string {
	if p == nil {
		return nil
	}
	state := string(p.State)
	if p.InDoubt() {
		state += ", in doubt: nobody has said what came of it"
	}
	rows := [][]string{{"state", state}, {"effect", string(p.Effect)}}
	for _, a := range p.Audience {
		rows = append(rows, []string{"for", cell(a)})
	}
	switch {
	case p.State == review.PermitOpen:
		rows = append(rows, []string{"expires", at(p.Expires)})
	case p.Void != "":
		rows = append(rows, []string{"void because", string(p.Void)})
	default:
		rows = append(rows, []string{"redeemed", cell(p.GrantedTo) + ", " + at(p.GrantedAt)})
	}
	if !p.ReportedAt.IsZero() {
		rows = append(rows, []string{"reported", at(p.ReportedAt)})
	}
	if len(p.Result) > 0 {
		rows = append(rows, []string{"result", brief(string(p.Result))})
	}
	return rows
}

func eventRow(e *review.Event) []string {
	what := string(e.Act)
	if e.From != e.To {
		what += " → " + string(e.To)
	}
	var said bytes.Buffer
	some := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&said, "%s %s  ", name, brief(value))
		}
	}
	some("reason", e.Reason)
	some("to", e.Queue)
	some("person", e.Person)
	some("item", e.Link)
	if !e.Until.IsZero() {
		some("until", at(e.Until))
	}
	some("note", e.Note)
	return []string{strconv.FormatInt(e.Seq, 10), at(e.At), who(e.Actor), what, string(bytes.TrimSpace(said.Bytes()))}
}

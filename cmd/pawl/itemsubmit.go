package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

type itemSubmitCmd struct {
	dbFlags
	asFlags
	Policy     []string `short:"p" placeholder:"FILE" help:"Policy files, or folders of them: those that are new are kept and activated."`
	Gate       string   `help:"The gate; needed unless one policy file is given."`
	Action     string   `placeholder:"FILE" help:"What is to be done, any JSON; - is standard input. Default: that of the envelope, or null."`
	Subject    string   `help:"What it is about: a customer, an order."`
	Key        string   `help:"Any text of yours: the submission with the same key is made once, however often it is called."`
	Supersedes string   `placeholder:"ID" help:"The item whose place it takes."`
	Evidence   string   `placeholder:"FILE" help:"Of a promotion: the signed evidence."`
	DryRun     bool     `help:"Decide and keep nothing: nothing may be done on the answer."`
	Input      string   `arg:"" help:"The input, a .json file or - for standard input; of a promotion, the skill's folder, archive or snapshot."`
}

// Help is shown by "pawl item submit --help".
func (c *itemSubmitCmd) Help() string {
	return `Prints the item's id and status. Exit codes: 0 auto_apply, 3 a person is needed,
4 auto_reject, 2 malformed input or wrong call, 1 it wasn't recorded: there is no
verdict then, and nothing may be done.`
}

// Run submits.
func (c *itemSubmitCmd) Run(p *program) error {
	if c.Input == "-" && c.Action == "-" {
		return usagef("the input and the action can't both come from standard input")
	}
	s := pawl.Submission{Gate: c.Gate, Subject: c.Subject, Key: c.Key, Supersedes: c.Supersedes, DryRun: c.DryRun, By: c.actor()}
	var promotion *policy.File
	if len(c.Policy) == 1 && regular(c.Policy[0]) != nil {
		f, err := p.load(c.Policy[0])
		if err != nil {
			return err
		}
		if s.Gate == "" {
			s.Gate = f.Gate
		}
		if f.Kind == policy.KindPromotion {
			promotion = f
		}
	}
	if s.Gate == "" {
		return usagef("say which gate is asked: --gate NAME, or one policy file")
	}
	var err error
	if c.Action != "" {
		if s.Action, err = p.readFile(c.Action, source.MaxBytes+1); err != nil {
			return err
		}
	}
	if promotion != nil {
		err = c.artefact(p, promotion, &s)
	} else {
		err = c.json(p, &s)
	}
	if err != nil {
		return err
	}
	return p.withPawl(pawl.Config{DB: c.DB, Key: c.LedgerKey, Policies: c.Policy, Deployer: c.As}, func(ctx context.Context, service *pawl.Pawl) error {
		got, err := service.Submit(ctx, s)
		if err != nil {
			return fmt.Errorf("not recorded, so there is no verdict: %w", err)
		}
		if err := c.answer(p, submittedText(&got), newSubmittedJSON(&got)); err != nil {
			return err
		}
		return submittedExit(&got)
	})
}

// json reads signals or a case. Subject and action of the envelope count where
// the call says nothing else.
func (c *itemSubmitCmd) json(p *program, s *pawl.Submission) error {
	if c.Evidence != "" {
		return usagef("--evidence is for promotions")
	}
	var err error
	if s.Input, err = p.readFile(c.Input, source.MaxBytes+1); err != nil {
		return err
	}
	fromEnvelope(s)
	return nil
}

// fromEnvelope takes subject and action out of the input's envelope, if it has
// one and the call doesn't say them. What can't be read is for the gate to find.
func fromEnvelope(s *pawl.Submission) {
	var e struct {
		Subject *string         `json:"subject"`
		Action  json.RawMessage `json:"action"`
		Signals json.RawMessage `json:"signals"`
		Case    json.RawMessage `json:"case"`
	}
	if json.Unmarshal(s.Input, &e) != nil || e.Signals == nil && e.Case == nil {
		return
	}
	if s.Subject == "" && e.Subject != nil {
		s.Subject = *e.Subject
	}
	if len(s.Action) == 0 {
		s.Action = e.Action
	}
}

// artefact reads the skill that is to be promoted, once.
func (c *itemSubmitCmd) artefact(p *program, f *policy.File, s *pawl.Submission) error {
	a, err := p.oneArtefact(c.Input, f.Promotion.Limits())
	if err != nil {
		return err
	}
	snapshot, err := a.Snapshot()
	if err != nil {
		return usagef("%w: what has no snapshot can't be reviewed", err)
	}
	s.Snapshot = snapshot.Tar()
	if s.Subject == "" {
		s.Subject = a.Name
	}
	if c.Evidence != "" {
		s.Evidence, err = p.readFile(c.Evidence, evidence.MaxBytes+1)
	}
	return err
}

// submittedJSON is the answer to a submission.
type submittedJSON struct {
	Item      string           `json:"item,omitempty"`
	Gate      string           `json:"gate"`
	Verdict   verdict.Verdict  `json:"verdict"`
	Status    review.Status    `json:"status,omitempty"`
	Queue     string           `json:"queue,omitempty"`
	Risk      string           `json:"risk,omitempty"`
	Reasons   []verdict.Reason `json:"reasons"`
	Policy    policyRefJSON    `json:"policy"`
	Engine    string           `json:"engine"`
	Permit    *permitJSON      `json:"permit,omitempty"`
	Result    json.RawMessage  `json:"result,omitempty"`
	Malformed bool             `json:"malformed,omitempty"`
	Replayed  bool             `json:"replayed,omitempty"`
	Joined    bool             `json:"joined,omitempty"`
	DryRun    bool             `json:"dryRun,omitempty"`
	Shadow    bool             `json:"shadow,omitempty"`
}

func newSubmittedJSON(s *pawl.Submitted) submittedJSON {
	return submittedJSON{
		Item: s.Item, Gate: s.Gate, Verdict: s.Verdict, Status: s.Status, Queue: s.Queue, Risk: s.Risk,
		Reasons: append([]verdict.Reason{}, s.Reasons...), Policy: policyRefJSON{s.Policy.Version, s.Policy.Digest}, Engine: s.Engine,
		Permit: newPermitJSON(s.Permit), Result: body(s.Decision),
		Malformed: s.Malformed, Replayed: s.Replayed, Joined: s.Joined, DryRun: s.DryRun, Shadow: s.Shadow,
	}
}

func submittedText(s *pawl.Submitted) []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "%s  %s  (gate %s", s.Verdict, dash(s.Item), cell(s.Gate))
	if s.Queue != "" && !s.Status.Ended() {
		fmt.Fprintf(b, ", queue %s", cell(s.Queue))
	}
	if s.Risk != "" {
		fmt.Fprintf(b, ", risk %s", cell(s.Risk))
	}
	fmt.Fprint(b, ")\n")
	for _, note := range []struct {
		is   bool
		text string
	}{
		{s.Replayed, "this was submitted before: this is the answer from then"},
		{s.Joined, "it joined an item that waits already"},
		{s.DryRun, "a dry run: nothing was recorded, and nothing may be done"},
		{s.Shadow, "shadow mode: recorded beside your own decision; it doesn't bind"},
	} {
		if note.is {
			fmt.Fprintln(b, note.text)
		}
	}
	var rows [][]string
	for _, r := range s.Reasons {
		rows = append(rows, []string{cell(r.String()), cell(r.Message)})
	}
	writeTable(b, rows)
	if s.Permit != nil {
		section(b, "permit", permitRows(s.Permit))
	}
	return b.Bytes()
}

func submittedExit(s *pawl.Submitted) error {
	switch {
	case s.Malformed:
		return exit(exitUsage)
	case s.Verdict == verdict.AutoApply:
		return nil
	case s.Verdict == verdict.AutoReject:
		return exit(exitAutoReject)
	}
	return exit(exitHuman)
}

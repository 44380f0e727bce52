package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/review"
	"github.com/pawlgate/pawl/verdict"
)

// Decide is Submit of an input without an action.
func (a *App) Decide(ctx context.Context, gate string, input []byte, by review.Actor) (Submitted, error) {
	return a.Submit(ctx, Submission{Gate: gate, Input: input, By: by})
}

// maxKey is how long an idempotency key may be, in bytes.
const maxKey = 256

// Submit decides and records: an item, its permit if it ended at once, and the
// ledger's entry, in one transaction. An error means that there is no verdict.
// Shared with other submissions that come at the same time.
func (a *App) Submit(ctx context.Context, s Submission) (Submitted, error) {
	if len(s.Key) > maxKey || !utf8.ValidString(s.Key) || strings.ContainsFunc(s.Key, unicode.IsControl) {
		return Submitted{}, &review.InvalidError{Field: "key", Message: fmt.Sprintf("at most %d bytes of UTF-8 without control characters, not %.40q", maxKey, s.Key)}
	}
	seen, err := a.gate(ctx, s.Gate)
	if err != nil {
		return Submitted{}, err
	}
	w := submitting{app: a, s: &s}
	if err := w.prepare(seen); err != nil {
		return Submitted{}, err
	}
	if s.DryRun {
		return w.dry(), nil
	}
	if s.Key != "" {
		w.body = s.bodyDigest()
		key := s.Gate + "\x00" + s.By.ID + "\x00" + s.Key
		if !a.running.begin(key) {
			return Submitted{}, review.ErrKeyRunning
		}
		defer a.running.end(key)
	}
	if err := a.db.Share(ctx, w.record); err != nil {
		return Submitted{}, fmt.Errorf("there is no verdict, because it couldn't be recorded: %w", err)
	}
	a.wrote()
	if w.answer.Permit != nil && !w.answer.Replayed {
		if p := a.effect(ctx, w.answer.Item, w.answer.Gate, w.answer.Status); p != nil {
			w.answer.Permit = p
		}
	}
	return w.answer, nil
}

// submitting is a submission on its way to being an item.
type submitting struct {
	app  *App
	s    *Submission
	body review.Digest

	// Decided beforehand, and anew if the gate has changed meanwhile.
	gate   *settled
	result policy.Result
	input  []byte // as it is kept
	action []byte
	blob   []byte
	digest review.Digest // of the blob

	opening review.Opening // as of then
	why     []verdict.Reason
	bound   commitments

	id     string
	own    secrets
	answer Submitted
}

// prepare does what takes long, before the transaction: it decides, and draws
// what is random.
func (w *submitting) prepare(g *settled) (err error) {
	if w.id, err = newID(); err != nil {
		return err
	}
	w.own = newSecrets()
	return w.decide(g)
}

// decide asks the gate's policy, and makes the item as it would be now.
func (w *submitting) decide(g *settled) (err error) {
	w.gate = g
	if g.policy.file.Kind == policy.KindPromotion {
		err = w.judge(g.policy.file)
	} else {
		err = w.ask(g.policy.file)
	}
	if err != nil {
		return err
	}
	v, why := g.Settle(w.result.Verdict, w.id, g.RampKey)
	w.why = why
	if w.opening, err = review.New(w.submission(v), g.policy.rules, w.app.now()); err != nil {
		return err
	}
	if len(why) > 0 {
		w.opening.Event.Reason, w.opening.Event.Note = string(why[0].Code), why[0].Message
	}
	w.bound, err = bind(w.own.seed, &w.opening.Item)
	return err
}

// ask asks a policy about signals or a case.
func (w *submitting) ask(f *policy.File) error {
	if w.s.Snapshot != nil || w.s.Evidence != nil {
		return &review.InvalidError{Field: "snapshot", Message: fmt.Sprintf("the gate %s decides about no artefacts", f.Gate)}
	}
	w.result = f.DecideInput(w.s.Input)
	w.action = w.s.Action
	var err error
	if w.input, err = review.CanonicalInput(w.s.Input); err != nil {
		w.input = slices.Clone(w.s.Input) // it is malformed, and kept as it came
	}
	return nil
}

// record is the transaction. It may run several times.
func (w *submitting) record(tx *store.Tx) error {
	w.answer = Submitted{}
	s := w.s
	if s.Key != "" {
		first, item, err := tx.Key(s.Gate, s.By.ID, s.Key)
		if err != nil {
			return err
		}
		if first != nil && first.Answer == nil {
			return erased(item) // answers are kept together with their keys
		}
		answer, err := review.Once(first, w.body)
		if err != nil {
			return err
		}
		if answer != nil {
			return w.replay(answer)
		}
	}
	g, err := w.app.gateIn(tx, s.Gate)
	if err != nil {
		return err
	}
	if g != w.gate {
		if err := w.decide(g); err != nil {
			return err
		}
	}
	if g.Shadow {
		return w.app.recordShadow(tx, w)
	}
	if g.policy.rules.JoinSameAction {
		joined, err := w.join(tx)
		if joined || err != nil {
			return err
		}
	}
	return w.open(tx)
}

// open makes the item.
func (w *submitting) open(tx *store.Tx) error {
	rules := &w.gate.policy.rules
	o := w.opening.At(tx.Now(), *rules)
	r := &store.Record{Item: o.Item, Kind: w.gate.policy.file.Kind, Seed: w.own.seed, Opening: o.Event, Permit: o.Permit}
	r.NextDue = review.NextDue(r.Item, *rules)
	e := decisionEntry(r, w.bound, w.gate.Epoch, w.result.Malformed)
	if err := tx.InsertRecord(r); err != nil {
		return err
	}
	if err := write(tx, e); err != nil {
		return err
	}
	if w.blob != nil {
		if err := tx.PutBlob(w.id, w.digest, w.blob); err != nil {
			return err
		}
	}
	if w.s.Supersedes != "" {
		if err := w.supersede(tx); err != nil {
			return err
		}
	}
	w.answer = w.answerOf(&r.Item, w.why)
	w.answer.Permit = r.Permit
	return w.keep(tx)
}

func (w *submitting) submission(v verdict.Verdict) review.Submission {
	return review.Submission{
		ID: w.id, Gate: w.s.Gate, Policy: w.gate.policy.ref, Engine: policy.Engine, Subject: w.s.Subject,
		Input: w.input, Action: w.action, Salt: w.own.salt, Verdict: v, Decision: w.result.Native, Risk: w.result.Risk,
		Queue: w.queue(), Submitter: w.s.By.Person, Supersedes: w.s.Supersedes, Epoch: w.gate.Epoch,
	}
}

// queue is where people would find it. An automatic verdict that the gate
// leaves to a person needs one, too.
func (w *submitting) queue() string {
	switch {
	case w.result.Queue != "":
		return w.result.Queue
	case w.gate.policy.file.Queue != "":
		return w.gate.policy.file.Queue
	}
	return w.s.Gate
}

// supersede ends the item whose place this one takes.
func (w *submitting) supersede(tx *store.Tx) error {
	_, err := w.app.actIn(tx, w.s.Supersedes, review.Act{Kind: review.ActSupersede, Actor: w.s.By, Item: w.id})
	return err
}

// join adds the submission to a pending item of the same action.
func (w *submitting) join(tx *store.Tx) (bool, error) {
	if w.s.Subject == "" || w.s.Supersedes != "" {
		return false, nil
	}
	same, err := tx.Joinable(w.s.Gate, w.s.Subject)
	if err != nil {
		return false, err
	}
	sub := w.submission(w.opening.Item.Verdict)
	for _, r := range same {
		if !r.Item.Joins(&sub, w.gate.policy.rules) {
			continue
		}
		out, err := w.app.actIn(tx, r.Item.ID, review.Act{Kind: review.ActJoin, Actor: w.s.By, Key: w.s.Key})
		var lost *review.ConflictError
		if errors.As(err, &lost) {
			continue // it has ended just now
		}
		if err != nil {
			return false, err
		}
		w.answer = w.answerOf(&out.Item, nil)
		w.answer.Joined = true
		return true, w.keep(tx)
	}
	return false, nil
}

func (w *submitting) answerOf(i *review.Item, why []verdict.Reason) Submitted {
	return Submitted{
		Item: i.ID, Gate: i.Gate, Verdict: i.Verdict, Status: i.Status, Queue: i.Queue, Risk: i.Risk,
		Reasons: append(slices.Clone(w.result.Reasons), why...), Decision: w.result.Native,
		Policy: i.Policy, Engine: i.Engine, Malformed: w.result.Malformed,
	}
}

// dry is the answer that is given without a record.
func (w *submitting) dry() Submitted {
	s := w.answerOf(&w.opening.Item, w.why)
	s.Item, s.Status, s.DryRun, s.Shadow = "", "", true, w.gate.Shadow
	return s
}

// keep stores the answer under the idempotency key.
func (w *submitting) keep(tx *store.Tx) error {
	if w.s.Key == "" {
		return nil
	}
	answer, err := json.Marshal(&w.answer)
	if err != nil {
		return fmt.Errorf("keep the answer: %w", err)
	}
	return tx.PutKey(w.s.Gate, w.s.By.ID, w.s.Key, w.answer.Item, review.FirstSubmission{Body: w.body, Answer: answer})
}

// replay gives the first answer again.
func (w *submitting) replay(answer []byte) error {
	if err := json.Unmarshal(answer, &w.answer); err != nil {
		return fmt.Errorf("read the first answer: %w", err)
	}
	w.answer.Replayed = true
	return nil
}

// bodyDigest identifies all that a submission says.
func (s *Submission) bodyDigest() review.Digest {
	var b []byte
	for _, part := range [][]byte{[]byte(s.Gate), []byte(s.Subject), s.Input, s.Action, []byte(s.Supersedes), s.Snapshot, s.Evidence, []byte(s.Actual)} {
		b = fmt.Appendf(b, "%d:", len(part))
		b = append(b, part...)
	}
	return review.BodyDigest(b)
}

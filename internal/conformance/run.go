package conformance

import (
	"context"
	"errors"

	"github.com/pawlgate/pawl/vectors"
)

// Outcome is what became of one vector.
type Outcome string

// The outcomes.
const (
	Passed   Outcome = "passed"
	Failed   Outcome = "failed"    // another answer than the expected one
	TimedOut Outcome = "timed out" // no answer
	Broken   Outcome = "broken"    // the program ended, or said something that isn't an answer
	NotRun   Outcome = "not run"   // the program was given up
)

// Item is one vector on its way to an implementation.
type Item struct {
	ID, File string
	Line     []byte // what is asked, with its line break
	// Check says what is wrong with an answer, nothing if it is right. The error
	// means that it is no answer.
	Check func(said []byte) (wrong []string, err error)
}

// Items makes items of the vectors of the threshold gate.
func Items(all []vectors.Vector) ([]Item, error) {
	items := make([]Item, len(all))
	for i := range all {
		v := &all[i]
		line, err := Line(v)
		if err != nil {
			return nil, err
		}
		items[i] = Item{ID: v.ID(), File: v.File, Line: line, Check: func(said []byte) ([]string, error) {
			a, err := ParseAnswer(said)
			if err != nil {
				return nil, err
			}
			return Check(v, &a), nil
		}}
	}
	return items, nil
}

// Result is one vector and what the implementation made of it.
type Result struct {
	ID, File string
	Outcome  Outcome
	Wrong    []string // what is wrong with the answer, or why there is none
	Said     string   // the line that came
}

// An Implementation answers lines. It is what the gate of this module and
// other programs have in common.
type Implementation interface {
	Ask(ctx context.Context, line []byte) ([]byte, error)
}

// MaxSilent is after how many vectors in a row without any line for an answer a
// program is given up.
const MaxSilent = 3

// Run puts each vector to the implementation and hands each result to report,
// in order. The error is the context's.
func Run(ctx context.Context, all []Item, impl Implementation, report func(Result)) error {
	silent := 0
	for i := range all {
		if silent == MaxSilent {
			report(Result{ID: all[i].ID, File: all[i].File, Outcome: NotRun})
			continue
		}
		r, answered := judge(ctx, &all[i], impl)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		silent++
		if answered {
			silent = 0
		}
		report(r)
	}
	return nil
}

// judge puts one vector to the implementation. It was answered unless the
// program hangs or ends.
func judge(ctx context.Context, item *Item, impl Implementation) (r Result, answered bool) {
	r = Result{ID: item.ID, File: item.File, Outcome: Broken}
	said, err := impl.Ask(ctx, item.Line)
	if err != nil {
		r.Wrong = []string{err.Error()}
		hangs := errors.Is(err, ErrTimeout)
		if hangs {
			r.Outcome = TimedOut
		}
		return r, !hangs && !errors.Is(err, ErrEnded)
	}
	r.Said = string(said)
	if r.Wrong, err = item.Check(said); err != nil {
		r.Wrong = []string{err.Error()}
		return r, true
	}
	r.Outcome = Passed
	if len(r.Wrong) > 0 {
		r.Outcome = Failed
	}
	return r, true
}

// Ask answers a line, of whatever kind, with the gates of this module.
func (g *Gate) Ask(_ context.Context, line []byte) ([]byte, error) {
	root, err := parseObject(line)
	switch {
	case err != nil:
		return nil, err
	case root.Get("caseText") != nil:
		return answerCase(root)
	case root.Get("outputText") != nil:
		return answerOutput(root)
	case root.Get("promotion") != nil:
		return answerPromotion(root)
	case root.Get("tripwire") != nil:
		return answerTripwire(root)
	case root.Get("snapshot") != nil:
		return answerSnapshot(root)
	}
	q, err := questionOf(root)
	if err != nil {
		return nil, err
	}
	a, err := g.Answer(q)
	if err != nil {
		return nil, err
	}
	return a.AppendJSON(nil), nil
}

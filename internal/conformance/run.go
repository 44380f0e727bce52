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

// Result is one vector and what the implementation made of it.
type Result struct {
	Vector  *vectors.Vector
	Outcome Outcome
	Wrong   []string // what is wrong with the answer, or why there is none
	Said    string   // the line that came
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
func Run(ctx context.Context, all []vectors.Vector, impl Implementation, report func(Result)) error {
	silent := 0
	for i := range all {
		if silent == MaxSilent {
			report(Result{Vector: &all[i], Outcome: NotRun})
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
func judge(ctx context.Context, v *vectors.Vector, impl Implementation) (r Result, answered bool) {
	r = Result{Vector: v, Outcome: Broken}
	line, err := Line(v)
	if err != nil {
		r.Wrong = []string{err.Error()}
		return r, true
	}
	said, err := impl.Ask(ctx, line)
	if err != nil {
		r.Wrong = []string{err.Error()}
		hangs := errors.Is(err, ErrTimeout)
		if hangs {
			r.Outcome = TimedOut
		}
		return r, !hangs && !errors.Is(err, ErrEnded)
	}
	r.Said = string(said)
	a, err := ParseAnswer(said)
	if err != nil {
		r.Wrong = []string{err.Error()}
		return r, true
	}
	r.Outcome, r.Wrong = Passed, Check(v, &a)
	if len(r.Wrong) > 0 {
		r.Outcome = Failed
	}
	return r, true
}

// Ask answers a line with the gate of this module, by way of the protocol.
func (g *Gate) Ask(_ context.Context, line []byte) ([]byte, error) {
	q, err := ParseQuestion(line)
	if err != nil {
		return nil, err
	}
	a, err := g.Answer(q)
	if err != nil {
		return nil, err
	}
	return a.AppendJSON(nil), nil
}

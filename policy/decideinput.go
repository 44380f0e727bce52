package policy

import (
	"cmp"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Result is what became of one input, whatever the kind of its gate. It shares
// nothing with the input nor with other results.
type Result struct {
	Verdict verdict.Verdict
	// Queue is where a person finds it: never empty for route_to_human.
	Queue   string
	Risk    string // low, medium, high or critical; empty if the policy has no level for it
	Reasons []verdict.Reason
	// Malformed is whether the input couldn't be read; a person decides then.
	Malformed bool
	Native    []byte // the gate's own result, as JSON
}

// DecideInput decides one input of a threshold or case gate, as
// [Decider.DecideJSON] and [Case.DecideJSON] do. It always decides. No model is
// asked: where a case policy names one, a person decides what the model would
// have been asked about. A promotion gate decides about artefacts, which no
// bytes here can be, so that is malformed: see [File.JudgeArtefact].
func (f *File) DecideInput(raw []byte) Result {
	switch {
	case f.Threshold != nil:
		var d threshold.Decision
		f.Threshold.decideOnce(&d, raw)
		r := Result{Verdict: d.Verdict, Risk: string(d.Risk), Reasons: d.Reasons, Malformed: d.Malformed(), Native: f.Threshold.gate.AppendJSON(nil, &d)}
		return f.routed(r, f.Queue)
	case f.Case != nil:
		in := f.Case.Read(raw, 0)
		c := f.Case.Decide(in, nil)
		r := Result{Verdict: c.Verdict, Reasons: c.Reasons, Malformed: in.Err != nil, Native: c.AppendJSON(nil)}
		return f.routed(r, c.Queue)
	default:
		return f.unreadable("a gate of this kind decides about no input")
	}
}

// decideOnce decides with a decider that was used before, if one is free.
func (t *Threshold) decideOnce(dst *threshold.Decision, raw []byte) {
	d, ok := t.deciders.Get().(*Decider)
	if !ok {
		d = t.NewDecider()
	}
	d.DecideJSON(dst, raw)
	if len(raw) <= maxReused { // a large one would keep its room for good
		t.deciders.Put(d)
	}
}

// maxReused is the longest input whose decider is used again.
const maxReused = 64 << 10

// JudgeArtefact decides about an artefact, as [Promotion.Judge] does. A gate of
// another kind leaves it to a person.
func (f *File) JudgeArtefact(a *promotion.Artefact, ev *promotion.Evidence) Result {
	if f.Promotion == nil {
		return f.unreadable("a gate of this kind decides about no artefact")
	}
	p := f.Promotion.Judge(a, ev)
	r := Result{Verdict: p.Verdict, Native: p.AppendJSON(nil), Malformed: p.Evidence != nil && p.Evidence.Malformed}
	for _, s := range p.Stops {
		r.Reasons = append(r.Reasons, verdict.Reason{Code: verdict.Code(s.Guard), Message: s.Message, Source: verdict.SourceSafety})
	}
	if p.Held != "" {
		r.Reasons = append(r.Reasons, verdict.Reason{Code: casegate.CodeAutoApplyDisabled, Message: p.Held, Source: verdict.SourceSafety})
	}
	return f.routed(r, p.Queue)
}

// routed gives a result its queue: what a person must look at has one.
func (f *File) routed(r Result, queue string) Result {
	if r.Verdict == verdict.RouteToHuman {
		r.Queue = cmp.Or(queue, f.Queue, f.Gate)
	}
	return r
}

// unreadable is the result for what the gate can't even look at.
func (f *File) unreadable(why string) Result {
	reason := verdict.Fault{Code: verdict.InputMalformed, Detail: why}.Reason()
	native := reason.AppendJSON([]byte(`{"verdict":"route_to_human","reasons":[`))
	return f.routed(Result{
		Verdict: verdict.RouteToHuman, Reasons: []verdict.Reason{reason},
		Malformed: true, Native: append(native, "]}"...),
	}, "")
}

package policy

import (
	"errors"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Envelope is what may stand around the signals of an input.
type Envelope struct {
	// ID is the input's id, nil if it has none. It is valid until the next call.
	ID []byte
}

// Decider decides from the bytes of one input after the other, and is made to
// be used again: it keeps its buffers. It is for one goroutine at a time.
type Decider struct {
	t      *Threshold
	scan   source.Scanner
	id     []byte // nil if there is none
	idRoom []byte

	slots   *threshold.Slots // if no condition needs whole signals
	signals threshold.Signals
	score   float64
	names   map[string]string // strings that were seen, to be used again
	whole   bool              // keep all of meta
}

// NewDecider returns a decider for one goroutine.
func (t *Threshold) NewDecider() *Decider {
	d := &Decider{t: t, whole: t.reads.whole}
	if !t.gate.NeedsSignals() {
		d.slots = t.gate.NewSlots()
	} else {
		d.keepSignals()
	}
	return d
}

func (d *Decider) keepSignals() {
	d.signals = threshold.Signals{Scores: map[string]float64{}, Meta: map[string]any{}}
	d.names = map[string]string{}
}

// SetLine tells on which line of a file the next input begins, for the places
// that input_malformed names.
func (d *Decider) SetLine(line int) { d.scan.Line = line }

// DecideJSON decides the input that stands in raw: one JSON object, either the
// bare signals or an envelope {"id", "subject"?, "signals", "action"?}. It
// always decides; what isn't exactly one well-formed input is the fault
// input_malformed. The decision is overwritten, as in Gate.DecideInto.
func (d *Decider) DecideJSON(dst *threshold.Decision, raw []byte) Envelope {
	_ = d.read(raw) // what is wrong travels as a fault
	d.decide(dst)
	return Envelope{ID: d.id}
}

// Signals reads an input whole, as Go values, for those who want to look at
// it. The error says why it is malformed; the signals then carry that fault
// and nothing else.
func (t *Threshold) Signals(raw []byte) (threshold.Signals, Envelope, error) {
	d := &Decider{t: t, whole: true}
	d.keepSignals()
	err := d.read(raw)
	return d.signals, Envelope{ID: d.id}, err
}

// read reads an input. What isn't one is dropped whole, but for its id, and
// leaves the fault input_malformed.
func (d *Decider) read(raw []byte) error {
	d.reset()
	err := d.scan.Reset(raw)
	if err == nil {
		err = d.input()
	}
	if err != nil {
		var se *source.SyntaxError
		if errors.As(err, &se) && se.Code == "duplicate-member" && se.Pointer == "/id" {
			d.id = nil // nobody knows which
		}
		d.malformed(err.Error())
	}
	return err
}

func (d *Decider) malformed(why string) {
	d.drop()
	d.fault(verdict.InputMalformed, "", why)
}

func (d *Decider) decide(dst *threshold.Decision) {
	if d.slots != nil {
		d.t.gate.DecideSlots(dst, d.slots)
		return
	}
	d.t.gate.DecideInto(dst, d.signals)
}

func (d *Decider) reset() {
	d.id = nil
	d.drop()
}

// drop forgets the signals that were read so far.
func (d *Decider) drop() {
	if d.slots != nil {
		d.slots.Reset()
		return
	}
	s := &d.signals
	s.Score = nil
	clear(s.Scores)
	clear(s.Meta)
	s.Flags, s.Faults = s.Flags[:0], s.Faults[:0]
	if len(d.names) > maxNames {
		clear(d.names)
	}
}

// maxNames bounds how many strings a decider remembers.
const maxNames = 1000

// setMeta keeps a value; a declared number is read as a float64.
func (d *Decider) setMeta(key string, v any) {
	if i, ok := v.(int64); ok && threshold.Exact(i) && d.t.policy.Signals[key].Type == threshold.TypeNumber {
		v = float64(i)
	}
	d.signals.Meta[key] = v
}

// remember returns a string of the bytes, the same one for the same bytes.
func (d *Decider) remember(b []byte) string {
	if s, ok := d.names[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(s) <= 64 {
		d.names[s] = s
	}
	return s
}

func (d *Decider) fault(code verdict.Code, subject, detail string) {
	d.addFault(verdict.Fault{Code: code, Subject: subject, Detail: detail})
}

// metaFault is a fault about a key of meta.
func (d *Decider) metaFault(code verdict.Code, key, detail string) {
	d.addFault(verdict.Fault{Code: code, Subject: key, Meta: true, Detail: detail})
}

func (d *Decider) addFault(f verdict.Fault) {
	if d.slots != nil {
		d.slots.AddFault(f)
	} else {
		d.signals.Faults = append(d.signals.Faults, f)
	}
}

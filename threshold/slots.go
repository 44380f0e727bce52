package threshold

import "github.com/pawlgate/pawl/verdict"

// Slots is [Signals] laid out for one gate: one place for each name that the
// gate looks at, and none for the rest. [Gate.Decide] fills one from maps; a
// decoder may fill one straight from text, without building maps, and call
// [Gate.DecideSlots].
//
// Slots come from [Gate.NewSlots] and are for one goroutine at a time; the zero
// value belongs to no gate. After a decision they must be Reset.
type Slots struct {
	gate      *Gate
	direct    scoreValue // Signals.Score
	hasDirect bool
	inexact   bool // a field is KindInexact
	faults    []Fault

	// The places lie in the struct itself as far as they fit, so that Decide
	// can keep the slots of most gates on the stack; see score, field and flag.
	fewScores [few]scoreValue
	fewFields [few]Field
	fewFlags  [few]bool
	more      *moreSlots // nil if all fit
}

// moreSlots are the places that don't fit into Slots.
type moreSlots struct {
	scores []scoreValue
	fields []Field
	flags  []bool
}

func (s *Slots) score(i int) *scoreValue {
	if uint(i) < few {
		return &s.fewScores[i]
	}
	return &s.more.scores[i-few]
}

func (s *Slots) field(i int) *Field {
	if uint(i) < few {
		return &s.fewFields[i]
	}
	return &s.more.fields[i-few]
}

func (s *Slots) flag(i int) *bool {
	if uint(i) < few {
		return &s.fewFlags[i]
	}
	return &s.more.flags[i-few]
}

// scoreValue is what is known of one score.
type scoreValue struct {
	value float64
	state scoreState
}

type scoreState uint8

const (
	scoreAbsent scoreState = iota
	scorePresent
	scoreFaulty // its fault is in faults
)

// NewSlots returns empty slots for the gate, which must be a compiled one.
func (g *Gate) NewSlots() *Slots {
	s := &Slots{gate: g}
	if !g.small {
		s.more = &moreSlots{
			scores: make([]scoreValue, max(0, len(g.scores.names)-few)),
			fields: make([]Field, max(0, len(g.meta.names)-few)),
			flags:  make([]bool, max(0, len(g.flags.names)-few)),
		}
	}
	return s
}

// Reset empties the slots.
func (s *Slots) Reset() {
	clear(s.faults) // lets go of the strings
	if m := s.more; m != nil {
		clear(m.scores)
		clear(m.fields)
		clear(m.flags)
	}
	*s = Slots{gate: s.gate, faults: s.faults[:0], more: s.more}
}

// SetScore takes the value of Signals.Score.
func (s *Slots) SetScore(v float64) {
	s.direct, s.hasDirect = s.check(scoreName, v), true
}

// SetNamedScore takes an entry of Signals.Scores.
func (s *Slots) SetNamedScore(name []byte, v float64) {
	if i := find(&s.gate.scores, name); i >= 0 {
		*s.score(i) = s.check(s.gate.scores.names[i], v)
	} else if !finite(v) {
		s.check(string(name), v)
	}
}

func (s *Slots) check(name string, v float64) scoreValue {
	if finite(v) {
		return scoreValue{v, scorePresent}
	}
	return s.notFinite(name)
}

func (s *Slots) notFinite(name string) scoreValue {
	s.AddFault(Fault{Code: verdict.ScoreNotFinite, Subject: name, Detail: "score " + name + " is not finite"})
	return scoreValue{state: scoreFaulty}
}

// SetFlag takes an entry of Signals.Flags.
func (s *Slots) SetFlag(name []byte) {
	if i := find(&s.gate.flags, name); i >= 0 {
		*s.flag(i) = true
	}
}

// MetaSlot returns where SetMeta puts the value of that key, or false if the
// gate doesn't look at it.
func (s *Slots) MetaSlot(key []byte) (int, bool) {
	i := find(&s.gate.meta, key)
	return i, i >= 0
}

// SetMeta takes an entry of Signals.Meta, at a place that MetaSlot returned.
func (s *Slots) SetMeta(slot int, f Field) {
	if f.Kind == KindFloat && !finite(f.Float) {
		f.Kind = KindNotFinite
	}
	*s.field(slot) = f
	s.inexact = s.inexact || f.Kind == KindInexact
}

// AddFault takes a fault that the decoder found.
func (s *Slots) AddFault(f Fault) { s.faults = append(s.faults, f) }

// Score returns the value of a score that the gate looks at, as the decision
// relied on it: false if it was absent or had a fault. It is for looking at
// slots after DecideSlots and before Reset.
func (s *Slots) Score(name string) (float64, bool) {
	i := find(&s.gate.scores, name)
	if i < 0 {
		return 0, false
	}
	v := s.score(i)
	return v.value, v.state == scorePresent
}

// fill takes whole signals.
func (s *Slots) fill(in *Signals) {
	g := s.gate
	if len(in.Faults) > 0 {
		s.faults = append(s.faults, in.Faults...)
	}
	if in.Score != nil {
		s.SetScore(*in.Score)
	}
	read := 0
	for i, name := range g.scores.names {
		v, ok := in.Scores[name]
		switch {
		case !ok:
			continue
		case i < few && finite(v):
			s.fewScores[i] = scoreValue{v, scorePresent}
		default:
			*s.score(i) = s.check(name, v)
		}
		read++
	}
	if read < len(in.Scores) {
		for name, v := range in.Scores {
			if !finite(v) && find(&g.scores, name) < 0 {
				s.check(name, v)
			}
		}
	}
	for _, f := range in.Flags {
		if i := find(&g.flags, f); i >= 0 {
			*s.flag(i) = true
		}
	}
	for i, name := range g.meta.names {
		v, ok := in.Meta[name]
		if !ok {
			continue
		}
		if f, ok := v.(float64); ok && i < few && finite(f) { // most are
			s.fewFields[i] = Field{Kind: KindFloat, Float: f}
		} else {
			s.SetMeta(i, FieldOf(v))
		}
	}
}

// settle turns what was filled in into what the gate relies on: it joins the
// two sources of "score", marks scores that a decoder found faulty and holds
// every declared signal to its declaration.
func (s *Slots) settle() {
	g := s.gate
	if s.hasDirect && g.scoreSlot >= 0 {
		named := s.score(g.scoreSlot)
		switch {
		case named.state == scoreAbsent:
			*named = s.direct
		case named.state == scoreFaulty || s.direct.state == scoreFaulty:
			named.state = scoreFaulty
		case named.value != s.direct.value:
			named.state = scoreFaulty
			s.AddFault(Fault{Code: verdict.ScoreConflict, Subject: scoreName, Detail: errScoreConflict.Error()})
		}
	}
	for _, f := range s.faults {
		if isScoreFault(f.Code) && !f.Meta {
			if i := find(&g.scores, f.Subject); i >= 0 {
				s.score(i).state = scoreFaulty
			}
		}
	}
	for i := range g.scoreDecls {
		d := &g.scoreDecls[i]
		v := s.score(d.slot)
		if v.state == scorePresent && (v.value < d.Range.Min || v.value > d.Range.Max) {
			v.state = scoreFaulty
			s.AddFault(Fault{
				Code: verdict.ScoreOutOfRange, Subject: d.name,
				Detail: "score " + d.name + " is " + num(v.value) + ", outside its range " + d.Range.String(),
			})
		}
	}
	for i := range g.metaDecls {
		s.settleDeclared(&g.metaDecls[i])
	}
	if !s.inexact {
		return
	}
	for i, name := range g.meta.names {
		if s.field(i).Kind == KindInexact {
			s.AddFault(Fault{Code: verdict.NumberInexact, Subject: name, Meta: true, Detail: "meta." + name + " is " + KindInexact.String()})
		}
	}
}

func (s *Slots) settleDeclared(d *fieldDecl) {
	f := s.field(d.slot)
	switch {
	case f.Kind == KindAbsent || f.Kind == KindInexact:
	case !f.is(d.Type):
		s.AddFault(Fault{
			Code: verdict.SignalType, Subject: d.name, Meta: true,
			Detail: "meta." + d.name + " is " + f.Kind.String() + ", but declared as " + article(d.Type),
		})
	case d.Type == TypeNumber && f.Kind == KindInt && !Exact(f.Int):
		f.Kind, s.inexact = KindInexact, true
	case d.Range != nil && !f.within(*d.Range):
		s.AddFault(Fault{
			Code: verdict.SignalType, Subject: d.name, Meta: true,
			Detail: "meta." + d.name + " is outside its range " + d.Range.String(),
		})
	}
}

func article(t SignalType) string {
	if t == TypeInteger {
		return "an integer"
	}
	return "a " + string(t)
}

// String returns the range as "[0, 1]".
func (r Range) String() string { return "[" + num(r.Min) + ", " + num(r.Max) + "]" }

// isScoreFault reports whether a fault of that code, about a score, makes its
// value one that can't be relied on.
func isScoreFault(c Code) bool {
	switch c {
	case verdict.ScoreMissing, verdict.ScoreNotNumber, verdict.ScoreNotFinite,
		verdict.ScoreOutOfRange, verdict.ScoreConflict, verdict.NumberInexact:
		return true
	}
	return false
}

package threshold

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Condition is true, false or unknown (an error) of some signals. Unknown is
// never read as false: it sends the decision to a person.
//
// [Flag], [MetaNumberLessThan] and [ScoreBelow] are the three declarative
// forms; [Func] and [Plain] make a condition out of a closure. A condition
// must be pure and must not change the signals; the gate recovers its panics.
type Condition interface {
	Holds(Signals) (bool, error)
}

// Func is a condition as a closure; an error means unknown.
type Func func(Signals) (bool, error)

// Holds calls f.
func (f Func) Holds(s Signals) (bool, error) { return f(s) }

// Plain makes a condition out of a closure that always knows.
func Plain(f func(Signals) bool) Condition {
	if f == nil {
		return Func(nil)
	}
	return Func(func(s Signals) (bool, error) { return f(s), nil })
}

// RiskFunc is a condition for [Risk] that sees the bands too. A rule can't
// use it.
type RiskFunc func(Signals, Bands) (bool, error)

// Holds calls f without bands.
func (f RiskFunc) Holds(s Signals) (bool, error) { return f(s, nil) }

// HoldsWith calls f.
func (f RiskFunc) HoldsWith(s Signals, b Bands) (bool, error) { return f(s, b) }

// bandCondition is a condition that sees the bands.
type bandCondition interface {
	HoldsWith(Signals, Bands) (bool, error)
}

// scoreReader is a condition that says whether it reads the score named
// "score", so that two values of it that differ are a fault.
type scoreReader interface {
	ReadsScore() bool
}

// Flag holds if the flag is present, compared exactly.
type Flag string

// Holds reports whether the flag is present. It is never unknown.
func (f Flag) Holds(s Signals) (bool, error) {
	return slices.Contains(s.Flags, string(f)), nil
}

// MetaNumberLessThan holds if the number Meta[Key] is below Value, compared
// exactly. It is unknown if there is no such key or it holds no number.
type MetaNumberLessThan struct {
	Key   string
	Value float64
}

// Holds compares exactly: an int64 is not rounded to a float64 first.
func (c MetaNumberLessThan) Holds(s Signals) (bool, error) {
	if !finite(c.Value) {
		return false, errNotFinite
	}
	v, ok := s.Meta[c.Key]
	if !ok {
		return c.below(Field{})
	}
	return c.below(FieldOf(v))
}

func (c MetaNumberLessThan) below(f Field) (bool, error) {
	switch f.Kind {
	case KindInt:
		return intBelow(f.Int, c.Value), nil
	case KindFloat:
		return f.Float < c.Value, nil
	case KindAbsent:
		return false, fmt.Errorf("meta.%s is absent", c.Key)
	default:
		return false, fmt.Errorf("meta.%s is %s, not a number", c.Key, f.Kind)
	}
}

// ScoreBelow holds if the score of that name is below Value. It looks the
// score up as a band does, and is unknown where a band would have a fault.
type ScoreBelow struct {
	Name  string
	Value float64
}

var (
	errScoreConflict = errors.New("score and scores.score differ")
	errNotFinite     = errors.New("the condition's value is not finite")
)

// Holds compares the score to the value.
func (c ScoreBelow) Holds(s Signals) (bool, error) {
	if !finite(c.Value) {
		return false, errNotFinite
	}
	v, ok := s.Scores[c.Name]
	if c.Name == scoreName && s.Score != nil {
		if ok && v != *s.Score {
			return false, errScoreConflict
		}
		v, ok = *s.Score, true
	}
	for _, f := range s.Faults {
		if f.Subject == c.Name && isScoreFault(f.Code) {
			return false, fmt.Errorf("score %s has a fault: %s", c.Name, f.Code)
		}
	}
	switch {
	case !ok:
		return false, fmt.Errorf("score %s is absent", c.Name)
	case !finite(v):
		return false, fmt.Errorf("score %s is not finite", c.Name)
	}
	return v < c.Value, nil
}

// intBelow reports i < f without rounding i to a float64.
func intBelow(i int64, f float64) bool {
	switch {
	case f >= 1<<63:
		return true
	case f <= -1<<63:
		return false
	default:
		return i < int64(math.Ceil(f))
	}
}

// finite reports whether f is neither NaN nor an infinity: only then is the
// difference 0 and not NaN.
func finite(f float64) bool { return f-f == 0 }

package verdict

import (
	"cmp"
	"slices"
)

// The faults of the threshold gate, in the order in which they are reported.
// Any one of them keeps both automatic verdicts from happening.
const (
	InputMalformed  Code = "input_malformed"    // not exactly one well-formed input
	ScoreMissing    Code = "score_missing"      // a configured score is absent or null
	ScoreNotNumber  Code = "score_not_number"   // a score is a string, bool, object …
	ScoreNotFinite  Code = "score_not_finite"   // a score is NaN or infinite
	ScoreOutOfRange Code = "score_out_of_range" // a score lies outside its declared range
	ScoreConflict   Code = "score_conflict"     // score and scores.score differ
	NumberInexact   Code = "number_inexact"     // a number that can't be held exactly enough
	SignalType      Code = "signal_type"        // a declared signal isn't what it was declared to be
	RuleError       Code = "rule_error"         // a condition is unknown, or panicked
	CombineInvalid  Code = "combine_invalid"    // combine panicked or gave no verdict
	PolicyInvalid   Code = "policy_invalid"     // an invalid policy reached the gate
	GateSupervised  Code = "gate_supervised"    // the gate is supervised, tripped or stopped
)

var faultOrder = []Code{
	InputMalformed, ScoreMissing, ScoreNotNumber, ScoreNotFinite, ScoreOutOfRange, ScoreConflict,
	NumberInexact, SignalType, RuleError, CombineInvalid, PolicyInvalid, GateSupervised,
}

// Fault is something that keeps a gate from trusting its input. A decoder
// hands its faults on with what it could read; the gate adds its own.
type Fault struct {
	Code    Code
	Subject string // the score, signal or rule it is about, if it is about one
	Meta    bool   // the subject is a key of meta, not a score of that name
	Detail  string // for people: what is wrong and where, never the value itself when it could be a secret
}

// Reason returns the fault as a reason of source safety.
func (f Fault) Reason() Reason {
	msg := f.Detail
	if msg == "" {
		msg = string(f.Code)
	}
	return Reason{Code: f.Code, Message: msg, Source: SourceSafety, Subject: f.Subject}
}

// SortFaults orders faults by their place in the list above, then by subject,
// and drops repeats of the same code and subject (the first one stays). Codes
// that aren't in the list come last, by name. It returns the shortened slice.
func SortFaults(faults []Fault) []Fault {
	if len(faults) < 2 {
		return faults
	}
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(
			cmp.Compare(faultRank(a.Code), faultRank(b.Code)),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Subject, b.Subject),
		)
	})
	return slices.CompactFunc(faults, func(a, b Fault) bool {
		return a.Code == b.Code && a.Subject == b.Subject
	})
}

func faultRank(c Code) int {
	if i := slices.Index(faultOrder, c); i >= 0 {
		return i
	}
	return len(faultOrder)
}

package promotion

// Tri is a statement that may be missing. The zero value is unknown, and an
// unknown statement always counts as the one that needs a person.
type Tri uint8

// The three values of a statement.
const (
	Unknown Tri = iota
	No
	Yes
)

// TriOf returns Yes or No.
func TriOf(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

// Oracle says how well what judged the artefact was kept apart from it (gate
// 1). Any value that isn't one of the four counts as [OracleUnknown].
type Oracle string

// The verdicts on the oracle's isolation. Only the first passes.
const (
	OracleIsolated    Oracle = "out_of_process_isolated"
	OracleInProcess   Oracle = "in_process_probe_only" // if it is the only shortfall: candidate_only
	OracleNotIsolated Oracle = "not_isolated"
	OracleUnknown     Oracle = "unknown"
)

// Gate2 says what came of the artefact's own promotable write. Only
// [Gate2Positive] passes.
type Gate2 string

// The verdicts of gate 2.
const (
	Gate2Positive Gate2 = "present_positive"
	Gate2Absent   Gate2 = "absent_or_ungated"
)

// Inputs is what a promotion is decided from. The zero value says nothing, and
// needs a person.
type Inputs struct {
	Oracle                  Oracle
	Gate2                   Gate2    // record.gate2Verdict
	Gate4Armed              Tri      // the irreversibility gate is in place
	TouchesIrreversibleTool Tri      // unknown counts as yes
	StatisticsPresent       Tri      // the statistics ran
	ConcurringSignals       []string // the kinds of signals that concur; what counts is how many distinct ones
	Tripwire                *TripwireResult
}

// TripwireResult is what the scans of an artefact raised. A nil one is a tripwire that
// didn't run. One that found nothing clears nothing.
type TripwireResult struct {
	// Escalate is set by anything that was found. Reasons without it count as
	// set, too.
	Escalate bool
	Reasons  []Finding // in the order of files and offsets; at most MaxReasons
	Omitted  int       // how many more there were
}

// MaxReasons is how many reasons a tripwire keeps. The others are counted.
const MaxReasons = 10_000

// Raised reports whether the tripwire needs a person: it does if it is nil.
func (t *TripwireResult) Raised() bool {
	return t == nil || t.Escalate || len(t.Reasons) > 0 || t.Omitted != 0
}

package casegate

import "github.com/pawlgate/pawl/verdict"

// Case is one case. The zero value knows nothing. The gate never changes a
// case and keeps nothing of it.
//
// Values are Go values of the kinds that JSON knows: nil, bool, string, int64,
// float64, []any, map[string]any.
type Case struct {
	ID        string
	Domain    string
	AsOf      Date // the day on which the case is looked at; zero: not given
	Facts     map[string]any
	Documents []Document
	Sources   []Source
	Checks    []Check
	// Signals are numbers that models gave, by name: float64 or int64. Anything
	// else counts as no number.
	Signals map[string]any
	// Faults are what a decoder found wrong (verdict.InputMalformed, say), and
	// what the service around the gate adds (verdict.GateSupervised).
	Faults []verdict.Fault
}

// Document is one paper that the case has.
type Document struct {
	Type    string
	ID      string
	Issued  Date // zero: not given
	Expires Date // zero: doesn't expire
}

// Source is what one source says.
type Source struct {
	Name   string
	Values map[string]any
}

// Check is the state of a check that somebody else makes.
type Check struct {
	Name   string
	Status string
}

// Date is a day (RFC 3339, full-date): "2026-11-30". Dates of that form sort
// as texts do. The empty Date is none.
type Date string

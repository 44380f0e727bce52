package ledger

import (
	"fmt"
	"strings"
)

// ProblemKind tells the ways apart in which an export fails.
type ProblemKind string

// The kinds of problems.
const (
	Edit       ProblemKind = "edit"        // an entry isn't the one that was signed
	Gap        ProblemKind = "gap"         // an entry is missing between others
	Duplicate  ProblemKind = "duplicate"   // an entry is there again
	Order      ProblemKind = "order"       // an entry or a checkpoint isn't in its place
	Fork       ProblemKind = "fork"        // signed, but another history than the one that was seen before
	Truncation ProblemKind = "truncation"  // the end is missing
	Signature  ProblemKind = "signature"   // a known key's signature doesn't hold
	UnknownKey ProblemKind = "unknown_key" // no key that is known, and good for the size, has signed
	Malformed  ProblemKind = "malformed"   // no line of an export
)

// Problem is one thing that is wrong with an export.
type Problem struct {
	Kind ProblemKind
	// First and Last are the indexes of the entries that it is about, both
	// included. It is in one of them at least, and exact if they are equal.
	// Both are -1 if it is about no entry.
	First, Last int64
	// Line is the line of the export where it showed, from 1.
	Line    int64
	Message string
}

// Error returns the kind, the entries, the line and the message.
func (p Problem) Error() string {
	return fmt.Sprintf("ledger: %s%s (line %d): %s", p.Kind, p.entries(), p.Line, p.Message)
}

func (p Problem) entries() string {
	switch {
	case p.First < 0:
		return ""
	case p.First == p.Last:
		return fmt.Sprintf(", entry %d", p.First)
	}
	return fmt.Sprintf(", entries %d to %d", p.First, p.Last)
}

// MaxProblems is how many problems a [Report] lists.
const MaxProblems = 100

// Report says what [Verify] found.
type Report struct {
	// Origin is the name of the log.
	Origin string
	// Entries is how many lines of leaves there are.
	Entries int64
	// Checkpoints is how many signed checkpoints of the export were taken.
	Checkpoints int
	// Verified is how many entries, from the first one on, are exactly those
	// that a known key signed, or that a checkpoint from elsewhere covers, and
	// contradict none of these. Nothing is said of those that follow.
	Verified int64
	// Last is the largest signed checkpoint of the export that agrees with its
	// entries and with every known one; zero, with an empty origin, if none
	// does. A monitor keeps it.
	Last Checkpoint
	// Known is how many of the checkpoints from elsewhere were found to be
	// prefixes of the export, and Given how many different ones there were.
	Known, Given int
	// Problems are what is wrong, as it was found; Omitted counts those beyond
	// MaxProblems.
	Problems []Problem
	Omitted  int
}

// String says it in a few lines, for people.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "log %s: %d entries, %d signed checkpoints\n", r.Origin, r.Entries, r.Checkpoints)
	switch rest := r.Entries - r.Verified; {
	case r.Verified == 0 && r.Entries > 0:
		b.WriteString("nothing is verified\n")
	case rest > 0:
		fmt.Fprintf(&b, "verified: entries 0 to %d; not verified: the %d from %d on\n", r.Verified-1, rest, r.Verified)
	case r.Verified == 0:
		b.WriteString("verified: the log is empty\n")
	default:
		fmt.Fprintf(&b, "verified: entries 0 to %d, which is all\n", r.Verified-1)
	}
	if r.Given == 0 {
		b.WriteString("no checkpoint kept elsewhere was compared: whoever has the key could have written another history\n")
	} else {
		fmt.Fprintf(&b, "checkpoints kept elsewhere that agree: %d of %d\n", r.Known, r.Given)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s%s, line %d: %s\n", p.Kind, p.entries(), p.Line, p.Message)
	}
	if r.Omitted > 0 {
		fmt.Fprintf(&b, "and %d more problems\n", r.Omitted)
	}
	return b.String()
}

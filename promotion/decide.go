package promotion

import "fmt"

// Terminal is where a promotion ends.
type Terminal string

// The terminals, from the least to the most supervised. There is no rejection:
// what may not go live alone goes to a person.
const (
	AutoPromote   Terminal = "auto_promote"   // the only one that no person sees
	CandidateOnly Terminal = "candidate_only" // all holds but that the oracle ran in process: a candidate for a person
	NeedsHuman    Terminal = "needs_human"
)

// Guard is something that can stop a promotion.
type Guard string

// The guards, in the order in which they are asked.
const (
	GuardTripwire     Guard = "tripwire"
	GuardIrreversible Guard = "irreversible_tool"
	GuardStatistics   Guard = "statistics"
	GuardConcurrence  Guard = "concurrence"
	GuardOracle       Guard = "oracle" // gate 1
	GuardGate2        Guard = "gate2"
	GuardGate4        Guard = "gate4"
)

// Concurring is how many distinct kinds of signals must concur.
const Concurring = 2

// Options are what a policy says about deciding. The zero value is the
// strictest.
type Options struct {
	// Advisory lets a tripwire that didn't run contribute nothing, instead of
	// stopping the promotion. One that ran stops it all the same.
	Advisory bool
	// Kinds are the kinds of signals that count; nil: all do.
	Kinds []string
}

// Stop is a guard that stopped the promotion, and why.
type Stop struct {
	Guard   Guard
	Message string // for people
}

// Decision is the answer of [Decide].
type Decision struct {
	Terminal Terminal
	// Stops are all guards that would have stopped the promotion, in their
	// order: the first decided. Empty for auto_promote alone.
	Stops []Stop
	// Kinds are the distinct kinds that counted, normalised and sorted.
	Kinds []string
	// TripwireDown says that no tripwire ran. Unless the policy let that pass,
	// it is among the Stops.
	TripwireDown bool
}

// Decide folds the inputs. It computes no threshold: every guard is a matter of
// presence. It never fails, and never answers auto_promote unless each
// statement is there and holds.
func Decide(in Inputs, opt Options) Decision {
	d := Decision{Kinds: DistinctKinds(in.ConcurringSignals, opt.Kinds)}
	stop := func(g Guard, format string, args ...any) {
		d.Stops = append(d.Stops, Stop{g, fmt.Sprintf(format, args...)})
	}
	switch t := in.Tripwire; {
	case t == nil:
		d.TripwireDown = true
		if !opt.Advisory {
			stop(GuardTripwire, "the tripwire didn't run")
		}
	case t.Raised():
		stop(GuardTripwire, "%s", t.summary())
	}
	switch in.TouchesIrreversibleTool {
	case No:
	case Yes:
		stop(GuardIrreversible, "it touches a tool whose effects can't be taken back")
	default:
		stop(GuardIrreversible, "nothing says whether it touches a tool whose effects can't be taken back")
	}
	if in.StatisticsPresent != Yes {
		stop(GuardStatistics, "nothing says that the statistics ran")
	}
	if n := len(d.Kinds); n < Concurring {
		stop(GuardConcurrence, "%d of at least %d distinct kinds of signals concur", n, Concurring)
	}
	if in.Oracle != OracleIsolated {
		stop(GuardOracle, "the oracle is %s, not %s", in.Oracle.known(), OracleIsolated)
	}
	if in.Gate2 != Gate2Positive {
		stop(GuardGate2, "gate 2 is %s, not %s", Gate2Absent, Gate2Positive)
	}
	if in.Gate4Armed != Yes {
		stop(GuardGate4, "nothing says that gate 4 is armed")
	}
	switch {
	case len(d.Stops) == 0:
		d.Terminal = AutoPromote
	case len(d.Stops) == 1 && d.Stops[0].Guard == GuardOracle && in.Oracle == OracleInProcess:
		d.Terminal = CandidateOnly
	default:
		d.Terminal = NeedsHuman
	}
	return d
}

func (t *TripwireResult) summary() string {
	switch n := len(t.Reasons) + t.Omitted; n {
	case 0:
		return "the tripwire was raised"
	case 1:
		return "the tripwire was raised for 1 reason"
	default:
		return fmt.Sprintf("the tripwire was raised for %d reasons", n)
	}
}

// known returns the verdict, unknown for whatever isn't one.
func (o Oracle) known() Oracle {
	switch o {
	case OracleIsolated, OracleInProcess, OracleNotIsolated:
		return o
	default:
		return OracleUnknown
	}
}

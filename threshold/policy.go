package threshold

// Policy says what may be decided without a person. The zero Policy is valid
// and routes everything to one.
type Policy struct {
	// Bands gives a band to each score that counts, by name.
	Bands map[string]BandConfig
	// Combine makes a tentative verdict out of the bands; nil is [Lowest].
	Combine Combine
	// Rules can raise supervision or reject, in order, all of them.
	Rules []Rule
	// EnableAutoApply and EnableAutoReject switch the automatic verdicts on.
	EnableAutoApply  bool
	EnableAutoReject bool
	// Risk annotates decisions for the review queue and never changes a
	// verdict: the first level whose condition holds counts.
	Risk []Risk
	// Signals declares what the input may hold. Nil declares nothing and any
	// name may be read; otherwise a name that isn't declared can't be read, and
	// a declared signal of another type is a fault.
	Signals map[string]Signal
}

// BandConfig holds the bounds of a score's bands, both inclusive. HighMin must
// not be below ReviewMin; if they are equal, there is no review band.
type BandConfig struct {
	HighMin   float64
	ReviewMin float64
}

// Rule forces a more supervised verdict when its condition holds.
type Rule struct {
	ID     string    // unique in the policy
	When   Condition // unknown counts as a fired route_to_human rule
	Force  Verdict   // RouteToHuman or AutoReject
	Reason string    // for the people who see the decision
}

// RiskLevel orders the review queue.
type RiskLevel string

// The risk levels.
const (
	RiskLow      RiskLevel = "low"
	RiskMedium   RiskLevel = "medium"
	RiskHigh     RiskLevel = "high"
	RiskCritical RiskLevel = "critical"
)

// Risk is one step of the search for a risk level. A condition that is unknown
// ends the search at [RiskCritical].
type Risk struct {
	Level RiskLevel
	When  Condition // a [RiskFunc] sees the bands too
}

// SignalType is what a declared signal holds.
type SignalType string

// The types of signals and where each is read.
const (
	TypeScore   SignalType = "score"   // Scores (and Score, for the name "score")
	TypeNumber  SignalType = "number"  // Meta; any number, read as a float64
	TypeInteger SignalType = "integer" // Meta; an integer, read as an int64
	TypeString  SignalType = "string"  // Meta
	TypeBoolean SignalType = "boolean" // Meta
	TypeFlag    SignalType = "flag"    // Flags
)

// Signal declares one signal.
type Signal struct {
	Type SignalType
	// Range holds the bounds of a score, number or integer, both inclusive;
	// nil allows every finite number.
	Range *Range
}

// Range is a closed interval.
type Range struct {
	Min, Max float64
}

// Combine makes a tentative verdict out of the bands of all configured scores.
// It isn't called when there are none. An error, a panic or anything but the
// three verdicts is the fault combine_invalid. It must be pure.
type Combine func(Bands) (Verdict, error)

// Lowest is the default combine: any low band suggests auto_reject; else, only
// if there are bands and all are high, auto_apply; else a person.
func Lowest(b Bands) (Verdict, error) {
	lowest := levelHigh
	if len(b) == 0 {
		lowest = levelReview
	}
	for _, s := range b {
		switch s.Band {
		case Low:
			lowest = levelLow
		case High:
		default:
			lowest = min(lowest, levelReview)
		}
	}
	return outcomes[suggests(lowest)], nil
}

// outcome is a verdict as a number, in the order of the levels that suggest it.
type outcome uint8

const (
	toReject outcome = iota
	toHuman
	toApply
)

var outcomes = [...]Verdict{AutoReject, RouteToHuman, AutoApply}

// suggests is the default combine: the lowest level speaks for all.
func suggests(lowest level) outcome { return outcome(lowest) }

// Unanimous is a more careful combine: auto_apply if all bands are high,
// auto_reject if all are low, a person otherwise.
func Unanimous(b Bands) (Verdict, error) {
	if len(b) == 0 {
		return RouteToHuman, nil
	}
	for _, s := range b {
		if s.Band != b[0].Band {
			return RouteToHuman, nil
		}
	}
	switch b[0].Band {
	case High:
		return AutoApply, nil
	case Low:
		return AutoReject, nil
	default:
		return RouteToHuman, nil
	}
}

// CombineByName returns the combine that a policy file calls by a name:
// "lowest" or "unanimous".
func CombineByName(name string) (Combine, bool) {
	switch name {
	case "lowest":
		return Lowest, true
	case "unanimous":
		return Unanimous, true
	}
	return nil, false
}

package threshold

import (
	"slices"

	"github.com/pawlgate/pawl/verdict"
)

// Decision is what the gate answers. It is a value of its own: nothing in it
// is shared with the gate or the signals.
type Decision struct {
	Verdict Verdict
	// Reasons holds everything that shaped the verdict: bands by name, fired
	// rules in policy order (outvoted ones too), then safety and faults.
	Reasons []Reason
	// Risk is empty if the policy has no risk levels, or none holds.
	Risk RiskLevel
	// Bands is empty if the policy has none.
	Bands Bands
}

// Malformed reports whether the input itself couldn't be read.
func (d *Decision) Malformed() bool {
	return slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Code == verdict.InputMalformed })
}

func (d *Decision) reset() {
	d.Verdict, d.Risk = RouteToHuman, ""
	d.Reasons, d.Bands = d.Reasons[:0], d.Bands[:0]
}

// room is what a fresh decision of most gates needs, in one allocation.
type room struct {
	bands   [2]ScoreBand
	reasons [3]Reason
}

// reserve makes room for the bands and a reason for each, and in a fresh
// decision for a few more reasons.
func (d *Decision) reserve(bands int) {
	if d.Bands == nil && d.Reasons == nil && bands <= len(room{}.bands) {
		r := new(room)
		d.Bands, d.Reasons = r.bands[:0], r.reasons[:0]
		return
	}
	if cap(d.Bands) < bands {
		d.Bands = make(Bands, 0, bands)
	}
	if cap(d.Reasons) < bands || d.Reasons == nil {
		d.Reasons = make([]Reason, 0, bands+2)
	}
}

func (d *Decision) addSafety(code Code, message string) {
	d.Reasons = append(d.Reasons, Reason{Code: code, Message: message, Source: verdict.SourceSafety})
}

func (d *Decision) addFaults(faults []Fault) {
	for _, f := range faults {
		d.Reasons = append(d.Reasons, f.Reason())
	}
}

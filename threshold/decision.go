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

// AppendJSON appends the decision as a JSON object: verdict, reasons (always a
// list), risk and bands (left out when empty).
func (d Decision) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"verdict":`...)
	dst = verdict.AppendString(dst, string(d.Verdict))
	dst = append(dst, `,"reasons":[`...)
	for i := range d.Reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = d.Reasons[i].AppendJSON(dst)
	}
	dst = append(dst, ']')
	if d.Risk != "" {
		dst = append(dst, `,"risk":`...)
		dst = verdict.AppendString(dst, string(d.Risk))
	}
	if len(d.Bands) > 0 {
		dst = append(dst, `,"bands":`...)
		dst = d.Bands.AppendJSON(dst)
	}
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (d Decision) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// AppendJSON appends the bands as one JSON object, in the order of b.
func (b Bands) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range b {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = verdict.AppendString(dst, b[i].Score)
		dst = append(dst, ':')
		dst = verdict.AppendString(dst, string(b[i].Band))
	}
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (b Bands) MarshalJSON() ([]byte, error) { return b.AppendJSON(nil), nil }

func (d *Decision) reset() {
	d.Verdict, d.Risk = RouteToHuman, ""
	d.Reasons, d.Bands = d.Reasons[:0], d.Bands[:0]
}

// reserve makes room in a fresh decision for what nearly every decision has:
// the bands, a reason for each and a few more.
func (d *Decision) reserve(bands int) {
	if cap(d.Bands) < bands {
		d.Bands = make(Bands, 0, bands)
	}
	if d.Reasons == nil {
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

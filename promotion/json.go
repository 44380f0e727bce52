package promotion

import (
	"strconv"

	"github.com/pawlgate/pawl/verdict"
)

// The states of a tripwire in a decision's JSON. None of them says that
// anything was passed: a tripwire that found nothing clears nothing.
const (
	tripwireRaised  = "raised"
	tripwireNothing = "nothing_found"
	tripwireDown    = "did_not_run"
)

// AppendJSON appends the decision as a JSON object: terminal, guard (the first
// that stopped it; left out if none did), others (the guards after it), stops
// (all, with their messages), kinds, tripwire (raised, nothing_found or
// did_not_run). The same decision gives the same bytes.
func (d *Decision) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"terminal":`...)
	dst = append(verdict.AppendString(dst, string(d.Terminal)), ',')
	dst = append(d.AppendStops(dst), `,"tripwire":`...)
	return append(verdict.AppendString(dst, d.tripwire()), '}')
}

// AppendStops appends what stopped the promotion, and the kinds that counted, as
// members of an object: those of AppendJSON from guard to kinds.
func (d *Decision) AppendStops(dst []byte) []byte {
	if len(d.Stops) > 0 {
		dst = append(dst, `"guard":`...)
		dst = append(verdict.AppendString(dst, string(d.Stops[0].Guard)), ',')
	}
	dst = append(dst, `"others":[`...)
	for i := 1; i < len(d.Stops); i++ {
		if i > 1 {
			dst = append(dst, ',')
		}
		dst = verdict.AppendString(dst, string(d.Stops[i].Guard))
	}
	dst = append(dst, `],"stops":[`...)
	for i, s := range d.Stops {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"guard":`...)
		dst = verdict.AppendString(dst, string(s.Guard))
		dst = append(dst, `,"message":`...)
		dst = append(verdict.AppendString(dst, s.Message), '}')
	}
	dst = append(dst, `],"kinds":`...)
	return verdict.AppendStrings(dst, d.Kinds)
}

// MarshalJSON returns what AppendJSON appends.
func (d Decision) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// tripwire says what the tripwire did.
func (d *Decision) tripwire() string {
	switch {
	case d.TripwireDown:
		return tripwireDown
	case len(d.Stops) > 0 && d.Stops[0].Guard == GuardTripwire:
		return tripwireRaised
	default:
		return tripwireNothing
	}
}

// AppendJSON appends the result as a JSON object: escalate, reasons, and
// omitted if there were more. [ParseInputs] reads it back.
func (t *TripwireResult) AppendJSON(dst []byte) []byte {
	if t == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, `{"escalate":`...)
	dst = strconv.AppendBool(dst, t.Raised())
	dst = append(dst, `,"reasons":[`...)
	for i := range t.Reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = t.Reasons[i].AppendJSON(dst)
	}
	dst = append(dst, ']')
	if t.Omitted > 0 {
		dst = append(dst, `,"omitted":`...)
		dst = strconv.AppendInt(dst, int64(t.Omitted), 10)
	}
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (t TripwireResult) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// AppendJSON appends the finding as a JSON object. What is empty is left out,
// but for kind and detail; so is an offset of -1. A reason that somebody gave
// as a text alone is written as that text.
func (f *Finding) AppendJSON(dst []byte) []byte {
	if *f == (Finding{Offset: -1, Detail: f.Detail}) {
		return verdict.AppendString(dst, f.Detail)
	}
	dst = append(dst, `{"kind":`...)
	dst = verdict.AppendString(dst, string(f.Kind))
	dst = appendText(dst, "token", f.Token)
	dst = appendText(dst, "file", f.File)
	dst = appendCount(dst, "line", f.Line, 1)
	dst = appendCount(dst, "col", f.Col, 1)
	dst = appendCount(dst, "offset", f.Offset, 0)
	dst = appendCount(dst, "length", f.Length, 1)
	dst = appendText(dst, "via", f.Via)
	dst = append(dst, `,"detail":`...)
	return append(verdict.AppendString(dst, f.Detail), '}')
}

// MarshalJSON returns what AppendJSON appends.
func (f Finding) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

func appendText(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return verdict.AppendString(dst, text)
}

// appendCount appends a number that is there: at least least.
func appendCount(dst []byte, name string, n, least int) []byte {
	if n < least {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return strconv.AppendInt(dst, int64(n), 10)
}

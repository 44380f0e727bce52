// Package verdict holds the words that every gate, the review queue and the
// policy files share: the three verdicts and their order, the reasons a gate
// gives for one, and the faults that keep a gate from trusting its input.
//
// In order of supervision:
//
//	auto_apply < auto_reject < route_to_human
//
// What goes wrong moves a verdict one way only: towards more supervision.
// [MoreSupervised] is that order as a function. Whatever isn't one of the
// three verdicts, the empty string included, counts as the most supervised.
package verdict

// Verdict is what a gate answers. The zero value is no verdict at all; nothing
// may be automated on it.
type Verdict string

// The three verdicts, from the least to the most supervised.
const (
	AutoApply    Verdict = "auto_apply"     // the action may run without a person
	AutoReject   Verdict = "auto_reject"    // the action is refused without a person
	RouteToHuman Verdict = "route_to_human" // a person decides
)

// Valid reports whether v is one of the three verdicts.
func (v Verdict) Valid() bool {
	return v == AutoApply || v == AutoReject || v == RouteToHuman
}

// Supervision ranks v: 0 for auto_apply, 1 for auto_reject, 2 for
// route_to_human and for anything that isn't a verdict.
func (v Verdict) Supervision() int {
	switch v {
	case AutoApply:
		return 0
	case AutoReject:
		return 1
	default:
		return 2
	}
}

// MoreSupervised returns the more supervised of a and b, which is always a
// valid verdict.
func MoreSupervised(a, b Verdict) Verdict {
	switch max(a.Supervision(), b.Supervision()) {
	case 0:
		return AutoApply
	case 1:
		return AutoReject
	default:
		return RouteToHuman
	}
}

// Looser reports whether going from old to new takes a person out: new is
// automatic, and not what old was. One automatic verdict instead of the other
// is looser in both directions, since nobody looks at either. Whatever isn't a
// verdict counts as route_to_human.
//
// "Never looser" is transitive: what several changes make of a verdict isn't
// looser if none of them is.
func Looser(old, new Verdict) bool {
	return new.Supervision() < RouteToHuman.Supervision() && new != old
}

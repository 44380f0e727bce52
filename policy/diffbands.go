package policy

import (
	"fmt"

	"github.com/pawlgate/pawl/threshold"
)

// bands compares the bands. New bands come before old ones go; of one band, a
// bound that rises moves highMin first, one that falls reviewMin, so that
// highMin is never below reviewMin.
func (d *differ) bands() {
	a, b := d.a.policy.Bands, d.b.policy.Bands
	for _, name := range union(a, b) {
		old, inA := a[name]
		now, inB := b[name]
		key := "bands." + name
		switch {
		case !inA:
			d.bandAdded(key, now)
		case !inB:
			d.bandRemoved(key, old)
		default:
			d.highMin(key+".highMin", old.HighMin, now.HighMin)
			d.reviewMin(key+".reviewMin", old.ReviewMin, now.ReviewMin)
		}
	}
}

func bandText(b threshold.BandConfig) string {
	return fmt.Sprintf("high >= %v, review >= %v", b.HighMin, b.ReviewMin)
}

// hasExpression reports whether combine is an expression, of which nothing is
// known but this: auto_apply needs all bands high anyway, and what it makes of
// those doesn't depend on their bounds.
func (s side) hasExpression() bool { return s.Threshold.combine != nil }

func (d *differ) bandAdded(key string, b threshold.BandConfig) {
	why := because{
		Tighter: "one more score has to speak for it", Looser: "a low value of it is rejected",
		NotComparable: "combine is an expression that sees one band more",
	}
	var e effects
	switch {
	case len(d.a.policy.Bands) == 0:
		e = effects{more, more}
		why[Looser] = "A has no band, so its scores decide nothing"
	case d.b.hasExpression():
		e = effects{other, other}
	case d.b.combineText == "unanimous":
		e = effects{fewer, fewer}
	default: // the new band alone can be low
		e = effects{fewer, more}
	}
	d.add(key, absent, bandText(b), e, why)
}

// bandRemoved: one score fewer must be there, be free of faults and speak for
// the verdict.
func (d *differ) bandRemoved(key string, b threshold.BandConfig) {
	why := because{
		Tighter: "B has no band, so its scores decide nothing", Looser: "one score less has to speak for it",
		NotComparable: "combine is an expression that sees one band less",
	}
	e := effects{more, more}
	switch {
	case len(d.b.policy.Bands) == 0:
		e.applied = fewer
		why[Looser] = "a rule can reject although this score has a fault"
		if !d.b.rejects {
			e.rejected = fewer
		}
	case d.b.hasExpression():
		e = effects{other, other}
	}
	d.add(key, bandText(b), absent, e, why)
}

// highMin: what is high decides on auto_apply alone, but for an expression.
func (d *differ) highMin(key string, a, b float64) {
	e := effects{applied: more}
	switch {
	case a == b:
		return
	case b > a:
		e.applied = fewer
	}
	if d.b.hasExpression() {
		e.rejected = other
	}
	d.add(key, fmt.Sprint(a), fmt.Sprint(b), e, because{
		Tighter: "fewer values are high", Looser: "more values are high",
		NotComparable: "combine is an expression and may reject what is no longer high, or now is",
	})
}

// reviewMin: what is low decides on auto_reject alone.
func (d *differ) reviewMin(key string, a, b float64) {
	e := effects{rejected: fewer}
	switch {
	case a == b:
		return
	case d.b.hasExpression():
		e.rejected = other
	case b > a:
		e.rejected = more
	}
	d.add(key, fmt.Sprint(a), fmt.Sprint(b), e, because{
		Tighter: "fewer values are low, which is rejected", Looser: "more values are low, which is rejected",
		NotComparable: "combine is an expression and may reject what is no longer low, or now is",
	})
}

// combine compares how a verdict is made of bands; this comes before any change
// of the bands. All named ones apply what is all high, and nobody applies more.
func (d *differ) combine() {
	a, b := d.a.combineText, d.b.combineText
	if a == b {
		return
	}
	var e effects
	why := because{
		Same:          "without bands combine isn't asked",
		Tighter:       "all bands must be low for a rejection, not one",
		Looser:        "one low band is enough for a rejection",
		NotComparable: "what an expression makes of the bands isn't compared",
	}
	fromExpr, toExpr := d.a.hasExpression(), d.b.hasExpression()
	switch {
	case len(d.b.policy.Bands) == 0:
	case fromExpr && toExpr:
		e = effects{other, other}
	case fromExpr:
		e = effects{more, other}
		why[Looser] = "auto_apply needs no more than all bands high"
	case toExpr:
		e = effects{fewer, other}
		why[Tighter] = "an expression applies nothing that " + a + " doesn't"
	case b == "unanimous":
		e.rejected = fewer
	default:
		e.rejected = more
	}
	d.add("combine", a, b, e, why)
}

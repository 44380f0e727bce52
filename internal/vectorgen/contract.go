package main

import (
	"cmp"
	"slices"
	"strings"
)

// The three verdicts.
const (
	apply  = "auto_apply"
	reject = "auto_reject"
	human  = "route_to_human"
)

// The levels of a band. A score with a fault is in review.
const (
	high   = "high"
	review = "review"
	low    = "low"
)

// band is the band of one score.
type band struct{ score, level string }

// firing is a rule that fired and what it forces.
type firing struct{ id, force string }

// situation is a case in the contract's own words, with everything known that
// the contract decides from.
type situation struct {
	bands         []band
	combine       func(bands []band) string // nil: lowest
	fired         []firing                  // in the order of the policy
	faults        []string                  // "code" or "code:subject", in their order
	apply, reject bool                      // what is switched on
}

// decision is what the contract answers.
type decision struct {
	verdict string
	bands   []band
	codes   []string
}

// levelOf is step 1 of the contract for a score without a fault.
func levelOf(score, highMin, reviewMin float64) string {
	switch {
	case score >= highMin:
		return high
	case score >= reviewMin:
		return review
	}
	return low
}

// lowest and unanimous are step 2.
func lowest(bands []band) string {
	switch {
	case slices.ContainsFunc(bands, isLevel(low)):
		return reject
	case slices.ContainsFunc(bands, isLevel(review)):
		return human
	}
	return apply
}

func unanimous(bands []band) string {
	switch {
	case all(bands, high):
		return apply
	case all(bands, low):
		return reject
	}
	return human
}

func isLevel(level string) func(band) bool { return func(b band) bool { return b.level == level } }

func all(bands []band, level string) bool {
	return !slices.ContainsFunc(bands, func(b band) bool { return b.level != level })
}

// decide is the contract from step 2 on.
func (s situation) decide() decision {
	d := decision{bands: slices.Clone(s.bands)}
	slices.SortFunc(d.bands, func(a, b band) int { return cmp.Compare(a.score, b.score) })

	tentative := human
	if len(d.bands) > 0 {
		combine := s.combine
		if combine == nil {
			combine = lowest
		}
		tentative = combine(d.bands)
	}
	after := s.rules(tentative)

	for _, b := range d.bands {
		d.codes = append(d.codes, "band_"+b.level+":"+b.score)
	}
	for _, f := range s.fired {
		d.codes = append(d.codes, "rule_"+f.force+":"+f.id)
	}
	blocked := len(s.faults) > 0
	if len(d.bands) == 0 {
		d.codes = append(d.codes, "no_bands")
	}
	if after == apply && !s.apply || after == reject && !s.reject {
		d.codes, blocked = append(d.codes, after+"_disabled"), true
	}
	d.codes = append(d.codes, s.faults...)

	d.verdict = after
	if blocked {
		d.verdict = human
	}
	return d
}

// rules is step 4: a person before a rejection before the tentative verdict. A
// rule that is unknown counts as one that asks for a person.
func (s situation) rules(tentative string) string {
	forces := func(force string) bool {
		return slices.ContainsFunc(s.fired, func(f firing) bool { return f.force == force })
	}
	unknown := slices.ContainsFunc(s.faults, func(f string) bool { return strings.HasPrefix(f, "rule_error:") })
	switch {
	case unknown || forces(human):
		return human
	case forces(reject):
		return reject
	}
	return tentative
}

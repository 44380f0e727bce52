// Package threshold is a gate between a scored, automated decision and the
// world: it answers auto_apply, auto_reject or route_to_human, and why.
//
// # How it decides
//
// A [Policy] gives each score it trusts a band: high at or above highMin,
// review at or above reviewMin, low below that. Both bounds are inclusive. The
// lowest band speaks: a low one suggests auto_reject, a review one a person,
// and only when every band is high is auto_apply suggested.
//
// Rules then look at everything else: flags, amounts, other scores. A rule can
// force route_to_human or auto_reject, never auto_apply. All rules run, so
// that every reason is known.
//
// At the end stands safety. auto_apply survives only if there is at least one
// band, all are high and the policy switched it on; auto_reject only if the
// policy switched it on. A [Fault] (a score that is missing, NaN or a string,
// a rule that can't be decided …) blocks both. Whatever is blocked goes to a
// person.
//
// # How to use it
//
//	gate, err := threshold.Compile(threshold.Policy{
//		Bands:           map[string]threshold.BandConfig{"score": {HighMin: 0.9, ReviewMin: 0.5}},
//		EnableAutoApply: true,
//	})
//	d := gate.Decide(threshold.Signals{Score: new(0.93)})
//
// [Compile] lists every problem of a policy at once. [Gate.Decide] can't fail
// and can't panic, whatever it is given: what goes wrong inside becomes a
// reason and a person. A gate is immutable and safe for concurrent use.
//
// Absent, odd or ambiguous input is never read in the automatic direction:
// the test is always "auto_apply only if every score is provably high enough",
// never "a person only if a score is too low", which NaN would slip through.
//
// The package is pure: standard library only, no clock, no randomness, no I/O;
// inputs are never changed.
package threshold

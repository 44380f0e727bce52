// Package policy reads policy files and makes gates of them.
//
// A policy file is YAML or JSON, strict in both: see package source for what is
// refused. [Parse] reports every problem at once, each with line and column,
// and refuses keys that this version doesn't enforce, since a promise that
// nobody keeps would fail open. [File.Lint] warns of what is legal but can be
// proven useless; [File.RunTests] runs the tests that the file carries.
//
// From a file comes a [Threshold], a [Case] or a [Promotion]. A threshold's
// [Decider] and [Case.DecideJSON] decide from bytes: one JSON text in, one
// decision out. What isn't exactly one well-formed input is answered too:
// route_to_human, input_malformed. [Promotion.Judge] decides about an artefact
// and the evidence for it.
//
// The package does no I/O: it is given the bytes of a file, and [ParseFiles]
// the folder in which it finds those that the file names.
package policy

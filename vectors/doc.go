// Package vectors holds the conformance corpora: the contract of the gates as
// data, inputs with the decision that each must get. A program in another
// language that passes core is a twin of the gate; cel is for those that read
// the expressions of policy files too.
//
// The README beside this file describes the format, and how a program is
// driven: pawl vectors run --exec 'COMMAND'.
package vectors

//go:generate go run ../internal/vectorgen -o .

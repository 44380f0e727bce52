// Package conformance judges implementations of the threshold gate by the
// vectors: it speaks the line protocol (one line of JSON with an input in, one
// with the decision out), answers such lines with the gate of this module, and
// drives other programs that do.
package conformance

// Package stream runs a function over the records of an input, on all cores,
// in constant memory, and writes the answers in the order of the input.
//
// Nothing is dropped: each record is answered, or the run ends with an error
// and a count of how many were. A record that is too long is handed over cut
// off and marked; one CSV quote that is never closed costs one line, not the
// rest of the file, unless the rest may be a text that somebody wrote into a
// field, which must not become rows.
package stream

// Package stream runs a function over the records of an input, on all cores,
// in constant memory, and writes the answers in the order of the input.
//
// Nothing is dropped: each record is answered, or the run ends with an error
// and a count of how many were. A record that is too long is handed over cut
// off and marked. Lines behind a CSV quote that is never closed may be a text
// that somebody wrote into a field, which must not become rows: each is handed
// over on its own, marked.
package stream

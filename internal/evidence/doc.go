// Package evidence opens and makes the envelopes (DSSE) in which evidence for a
// promotion comes, and reads the keys that sign it. What the evidence says is
// read by package promotion.
package evidence

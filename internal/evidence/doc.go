// Package evidence opens and makes the envelopes (DSSE) in which evidence for a
// promotion comes, and reads the private keys that sign it. What the evidence
// says, and which keys count, package promotion reads.
package evidence

package store

import "time"

// Tx is a transaction. It is for one goroutine, and for the time that the
// function runs that got it.
type Tx struct{}

// Now returns the time of the transaction: the same throughout, in UTC, in
// whole microseconds. On Postgres it is the database's.
func (tx *Tx) Now() time.Time { return time.Time{} }

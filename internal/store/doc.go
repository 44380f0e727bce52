// Package store keeps what Pawl must not lose: items with their events and
// permits, gates with their policies, and the ledger. It is the only package
// with SQL in it, and knows two databases, SQLite and Postgres, which behave
// alike.
//
// All reading and writing is in a transaction: [DB.Update] and [DB.Share] write,
// and return once that is durable; [DB.View] reads. The store decides nothing:
// what may be written is for the caller to know, who asks review.
package store

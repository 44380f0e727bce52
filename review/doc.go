// Package review holds the rules of the review queue: what may happen to a
// recorded decision, who may do it, and when an executor may act on it.
//
// Everything here is a value or a function from values to values. An [Item] is
// a recorded decision; [New] makes one. [Apply] is the only way to change it:
// it takes an [Act], checks it and returns the changed copy with the [Event]
// that says so, or an error that says what stands against it. Nothing but the
// approve or edit of enough distinct people makes an item approved or edited:
// no deadline, no lapse and no clock does.
//
// An ended item that has an effect has one [Permit]. [Grant] lets one executor
// redeem it, once, for the very action that was decided.
//
// A [Gate] is live, supervised or stopped. [Tighten] takes one person, or Pawl
// itself; [Loosen] takes the right to, and mostly a second person.
//
// Nothing is stored here, and no clock or random number is read: ids, salts
// and the time are arguments. Whoever stores items compares and sets (id,
// version) in one transaction. Functions may be called concurrently.
package review

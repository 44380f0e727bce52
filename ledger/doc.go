// Package ledger is a tamper-evident, append-only log: what a leaf is, how the
// leaves make a tree, how a tree is signed, and how somebody who has nothing
// but the public keys checks an exported copy.
//
// The parts, from the bottom up:
//
//   - An [Entry] is one leaf: a small record in canonical JSON. Bodies that may
//     have to be erased stay outside of it, held by a [Commitment].
//   - The leaves are hashed as RFC 6962, section 2.1, says. [Tree] is what a
//     writer keeps of it; proofs are made and checked with the functions of
//     golang.org/x/mod/sumdb/tlog, a [Proof] carries one as a C2SP tlog-proof,
//     and [TilePath] and [AppendBundle] lay the log out as C2SP tlog-tiles.
//   - A [Checkpoint] says "the tree of this size has this root". [Sign] makes
//     it a signed note (C2SP tlog-checkpoint); [Open] reads one, with a list of
//     keys that each hold for a range of sizes.
//   - [AppendLeaf] and [AppendCheckpoint] write an export, and [Verify] reads
//     it in one pass. [Compare] is the rule of a monitor, which keeps the last
//     checkpoint elsewhere.
//
// The package stores nothing and reads no clock, no file and no random number:
// salts and times are arguments, and stored hashes come through a
// tlog.HashReader. The format is described in docs/ledger.md, so that a second
// verifier can be written without this one.
//
// Whoever has the signing key can write another history and sign it. Without a
// checkpoint that is kept elsewhere, out of that person's reach, the log is
// tamper-evident only against people without the key.
package ledger

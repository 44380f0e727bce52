package ledger

import "golang.org/x/mod/sumdb/tlog"

// Change is what a monitor finds between two checkpoints of one log.
type Change string

// The changes. All but the first two are cause for alarm.
const (
	Same     Change = "same"     // nothing new
	Extended Change = "extended" // proven: the old log is a prefix of the new one
	Forked   Change = "forked"   // one size, two roots: history changed
	Shrunk   Change = "shrunk"   // entries are gone: restored from a backup, or cut off
	Unproven Change = "unproven" // the proof doesn't hold: history changed, or the proof is wrong
	Foreign  Change = "foreign"  // the checkpoint of another log
)

// Good reports whether the history is still the one that was seen before.
func (c Change) Good() bool { return c == Same || c == Extended }

// Compare is the rule of a monitor: last is the checkpoint that it kept, next
// the one that it was shown, both opened with the keys of the log. The proof is
// that of tlog.ProveTree from last to next; it is needed if next is larger and
// last isn't empty. While the answer is [Change.Good], next is the checkpoint
// to keep; otherwise keep both, signed: together they show what happened.
func Compare(last, next Checkpoint, proof tlog.TreeProof) Change {
	switch {
	case last.Origin != next.Origin:
		return Foreign
	case last.Size < 0 || next.Size < last.Size:
		return Shrunk
	case next.Size == last.Size && next.Root == last.Root:
		return Same
	case next.Size == last.Size:
		return Forked
	case last.Size == 0 && last.Root != emptyRoot:
		return Forked
	case last.Size == 0:
		return Extended
	case tlog.CheckTree(proof, next.Size, next.Root, last.Size, last.Root) != nil:
		return Unproven
	default:
		return Extended
	}
}

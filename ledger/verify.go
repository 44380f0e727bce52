package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Verify reads an export once, from start to end, with memory that doesn't grow
// with it, hashing on all cores, and says what holds. It needs the public keys of the log, which bear
// its origin as their name, and takes checkpoints known from elsewhere, in any
// order: without those, a history that was cut off at an earlier checkpoint or
// written anew with the key can't be told from the real one.
//
// The error is nil if and only if all is well: every line is one of an export,
// every entry is covered by a good signature, and every known checkpoint is a
// prefix. Otherwise it is the first [Problem] of the report, or, with a report
// that is about a part only, what r returned or why the arguments are unusable.
//
// Verify judges bytes. It doesn't read the leaves as entries ([Parse] does), so
// it can verify those of a later version, too.
func Verify(r io.Reader, keys []Key, known []Checkpoint) (Report, error) {
	v := verifier{keys: keys, known: slices.Clone(known), bad: maxInt}
	if err := v.begin(); err != nil {
		return Report{}, err
	}
	if err := readLines(r, v.take); err != nil {
		v.conclude()
		return v.report, fmt.Errorf("ledger: read line %d of the export: %w", v.line+1, err)
	}
	v.end()
	v.conclude()
	if len(v.report.Problems) > 0 {
		return v.report, v.report.Problems[0]
	}
	return v.report, nil
}

const maxInt = 1<<63 - 1

// verifier is the state of Verify between two lines.
type verifier struct {
	keys   []Key
	known  []Checkpoint // by size
	report Report

	line int64 // lines read
	next int64 // the index that the next leaf should have
	// unread lines came since the last leaf. Whether they were leaves or were
	// put in, the next index tells.
	unread int64
	gaps   []gap // holes in the indexes, which a later line may still fill
	// lost: a leaf is missing, so the tree can't follow the lines any more and
	// no root can be compared.
	lost bool
	// tree is that of the leaves as they stand. stored is that of the hashes
	// beside them; nil as long as it is the same.
	tree   Tree
	stored *Tree
	// suspects are the entries since the last checkpoint whose bytes don't
	// have the hash beside them.
	suspects []suspect
	more     int // suspects that aren't listed

	sealed  int64        // the largest size for which the entries are confirmed
	signed  int64        // the largest size that a good signature covers
	held    int64        // the largest known checkpoint that agrees
	bad     int64        // the first entry that can't be verified any more
	differs []Checkpoint // known checkpoints that don't agree, until a signature says why
	refused int          // checkpoints of the export that weren't taken
	last    Checkpoint   // the largest that holds
}

type gap struct{ first, last, line int64 }

type suspect struct{ index, line int64 }

func (v *verifier) begin() error {
	if len(v.keys) == 0 {
		return errors.New("ledger: verify: no keys, so nothing can be verified")
	}
	for _, k := range v.keys {
		if k.Verifier == nil {
			return errors.New("ledger: verify: a key without a verifier")
		}
		if v.report.Origin == "" {
			v.report.Origin = k.Verifier.Name()
		}
		if k.Verifier.Name() != v.report.Origin {
			return fmt.Errorf("ledger: verify: keys of two logs, %.80q and %.80q", v.report.Origin, k.Verifier.Name())
		}
	}
	for _, c := range v.known {
		if _, err := c.Text(); err != nil {
			return fmt.Errorf("ledger: verify: a known checkpoint is none: %w", err)
		}
		if c.Origin != v.report.Origin {
			return fmt.Errorf("ledger: verify: a known checkpoint is of %.80q, the keys are of %.80q", c.Origin, v.report.Origin)
		}
	}
	slices.SortStableFunc(v.known, func(a, b Checkpoint) int { return cmp.Compare(a.Size, b.Size) })
	v.known = slices.CompactFunc(v.known, func(a, b Checkpoint) bool {
		if a.Size == b.Size && a.Root != b.Root {
			v.problem(Fork, -1, -1, 0, "two known checkpoints of size %d have different roots, %s and %s: there are two histories", a.Size, a.Root, b.Root)
		}
		return a.Size == b.Size
	})
	v.report.Given = len(v.known)
	v.meetKnown()
	return nil
}

// take judges the next line.
func (v *verifier) take(p parsedLine) {
	v.line++
	switch {
	case p.wrong != "":
		v.malformed(p.wrong)
	case p.checkpoint:
		v.checkpoint(p.line)
	default:
		v.leaf(p)
	}
}

func (v *verifier) problem(kind ProblemKind, first, last, line int64, format string, args ...any) {
	if first >= 0 {
		v.bad = min(v.bad, first)
	}
	if len(v.report.Problems) == MaxProblems {
		v.report.Omitted++
		return
	}
	v.report.Problems = append(v.report.Problems, Problem{kind, first, last, line, fmt.Sprintf(format, args...)})
}

// malformed notes a line that can't be read, which may have been a leaf.
func (v *verifier) malformed(what string) {
	at := v.next + v.unread
	v.problem(Malformed, at, at, v.line, "%s", what)
	v.unread++
}

func (v *verifier) leaf(p parsedLine) {
	v.report.Entries++
	if p.index != v.next && !v.misplaced(p.index) {
		return
	}
	v.next, v.unread = p.index+1, 0
	switch {
	case p.noHash:
		v.problem(Malformed, p.index, p.index, v.line, "the hash isn't base64 of 32 bytes in its one form")
	case p.beside != p.hash:
		v.suspect(p.index)
	}
	if v.lost {
		return
	}
	if v.stored == nil && p.beside != p.hash {
		v.stored = v.tree.clone()
	}
	if v.stored != nil {
		v.stored.Append(p.beside)
	}
	v.tree.Append(p.hash)
	v.meetKnown()
}

func (v *verifier) suspect(index int64) {
	if len(v.suspects) == MaxProblems {
		v.more++
		return
	}
	v.suspects = append(v.suspects, suspect{index, v.line})
}

// misplaced notes a leaf whose index isn't the next one, and reports whether to
// go on with it as the next.
func (v *verifier) misplaced(index int64) bool {
	if index > v.next {
		v.missing(index)
		return true
	}
	for i, g := range v.gaps {
		if index < g.first || index > g.last {
			continue
		}
		v.problem(Order, index, index, v.line, "it stands behind entry %d", v.next-1)
		v.gaps = slices.Delete(v.gaps, i, i+1)
		if g.first < index {
			v.gap(g.first, index-1, g.line)
		}
		if index < g.last {
			v.gap(index+1, g.last, g.line)
		}
		return false
	}
	v.problem(Duplicate, index, index, v.line, "an entry of this index was there before; the first one counts")
	return false
}

// missing notes that the leaves from the next one up to index aren't there, or
// couldn't be read.
func (v *verifier) missing(index int64) {
	v.bad = min(v.bad, v.next)
	v.lost = true
	first := min(v.next+v.unread, index)
	v.report.Entries += first - v.next
	v.next, v.unread = index, 0
	if first < index {
		v.gap(first, index-1, v.line)
	}
}

func (v *verifier) gap(first, last, line int64) {
	if len(v.gaps) == MaxProblems {
		v.report.Omitted++
		return
	}
	v.gaps = append(v.gaps, gap{first, last, line})
}

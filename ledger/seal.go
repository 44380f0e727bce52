package ledger

import (
	"cmp"
	"errors"
	"slices"
)

// meetKnown compares the tree with the known checkpoints of its size.
func (v *verifier) meetKnown() {
	for len(v.known) > 0 && v.known[0].Size == v.tree.size {
		c := v.known[0]
		v.known = v.known[1:]
		switch root := v.tree.Root(); {
		case c.Root == root:
			v.report.Known++
			v.held = c.Size
		case v.stored != nil && v.stored.Root() == c.Root:
			// The history is the known one; the edited entries are told apart
			// by the hashes beside them.
			v.report.Known++
			v.confirm(c.Size)
		default:
			v.differs = append(v.differs, c)
		}
	}
}

// checkpoint judges a signed checkpoint of the export.
func (v *verifier) checkpoint(line []byte) {
	signed, err := parseCheckpointLine(line)
	if err != nil {
		v.refused++
		v.problem(Malformed, -1, -1, v.line, "%v", err)
		return
	}
	c, err := Open(signed, v.keys)
	switch {
	case err == nil:
	case errors.Is(err, ErrSignature):
		v.refused++
		v.problem(Signature, -1, -1, v.line, "%v", err)
		return
	case errors.Is(err, ErrUnknownKey):
		v.refused++
		v.problem(UnknownKey, -1, -1, v.line, "%v", err)
		return
	default:
		v.refused++
		v.problem(Malformed, -1, -1, v.line, "%v", err)
		return
	}
	v.report.Checkpoints++
	switch {
	case c.Size > v.next:
		v.missing(c.Size)
	case c.Size < v.next && !v.lost:
		v.problem(Order, -1, -1, v.line, "the checkpoint of size %d stands behind entry %d: it was moved, or an entry was put in before it", c.Size, v.next-1)
	case v.lost:
	default:
		v.seal(c)
	}
}

// seal compares the tree with a signed checkpoint of its size.
func (v *verifier) seal(c Checkpoint) {
	switch {
	case c.Root == v.tree.Root():
		for _, s := range v.suspects {
			v.problem(Edit, s.index, s.index, s.line, "the entry is as it was signed, but the hash beside it was changed")
		}
		v.stored = nil
	case v.stored != nil && c.Root == v.stored.Root():
		v.confirm(c.Size)
	default:
		v.edited(c.Size, "it isn't what was signed by the checkpoint on this line")
		v.lost = true
		return
	}
	v.report.Omitted += v.more
	v.suspects, v.more = nil, 0
	v.sealed, v.signed = c.Size, c.Size
	if len(v.differs) > 0 {
		d := v.differs[0]
		v.problem(Fork, v.held, d.Size-1, v.line, "the checkpoint on this line is signed, but the known one of size %d (root %s) isn't a prefix: there are two histories", d.Size, d.Root)
		v.differs = nil
	}
	if v.bad >= c.Size {
		v.last = c
	}
}

// confirm is called when the hashes beside the entries are known to be right:
// an entry that doesn't have the one beside it was edited. The tree goes on
// from the right ones.
func (v *verifier) confirm(size int64) {
	for _, s := range v.suspects {
		v.problem(Edit, s.index, s.index, s.line, "its bytes aren't those that were signed")
	}
	v.report.Omitted += v.more
	v.suspects, v.more = nil, 0
	v.tree, v.stored = *v.stored, nil
	v.sealed = max(v.sealed, size)
}

// edited notes an edit between what is confirmed and size, as narrow as the
// known checkpoints allow.
func (v *verifier) edited(size int64, why string) {
	for _, s := range v.suspects {
		v.problem(Edit, s.index, s.index, s.line, "its bytes don't have the hash beside it")
	}
	v.report.Omitted += v.more
	v.suspects, v.more = nil, 0
	first := max(v.sealed, v.held)
	if len(v.differs) > 0 && v.differs[0].Size > first {
		size = min(size, v.differs[0].Size)
		v.differs = nil
	}
	v.problem(Edit, min(first, size-1), size-1, v.line, "%s", why)
}

// end judges what the end of the export leaves open.
func (v *verifier) end() {
	if !v.lost && len(v.differs) > 0 {
		d := v.differs[0]
		v.edited(d.Size, "it differs from the known checkpoint of this size, and no signature of the export speaks for it")
	}
	for _, s := range v.suspects {
		v.problem(Edit, s.index, s.index, s.line, "its bytes don't have the hash beside it")
	}
	for _, g := range v.gaps {
		v.problem(Gap, g.first, g.last, g.line, "missing before this line")
	}
	slices.SortStableFunc(v.report.Problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	switch {
	case v.report.Checkpoints == 0 && v.refused == 0:
		v.problem(Truncation, -1, -1, v.line, "no signed checkpoint: an export ends with one")
	case v.next > v.signed && !v.lost && v.refused == 0:
		v.problem(Truncation, v.signed, v.next-1, v.line, "no signed checkpoint covers them: an export ends with one")
	}
	if n := len(v.known); n > 0 && v.known[n-1].Size > v.next {
		size := v.known[n-1].Size
		v.problem(Truncation, v.next, size-1, v.line, "the known checkpoint of size %d says that there were more entries", size)
	}
}

// conclude fills in what the report says at last.
func (v *verifier) conclude() {
	v.report.Verified = min(max(v.sealed, v.held), v.bad)
	if v.last.Size <= v.report.Verified {
		v.report.Last = v.last
	}
}

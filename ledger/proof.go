package ledger

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

const proofHead = "c2sp.org/tlog-proof@v1\n"

// Proof shows, offline and without the log, that a leaf is in it: where it
// stands, the hashes that lead from it to a root (RFC 6962, section 2.1.1), and
// a signed checkpoint with that root. As a text it is a C2SP tlog-proof.
type Proof struct {
	Index  int64
	Hashes tlog.RecordProof // tlog.ProveRecord makes them
	Signed []byte           // the checkpoint, as Sign returns it
}

// Text returns the proof as a C2SP tlog-proof, without extra data.
func (p Proof) Text() string {
	b := fmt.Appendf(nil, "%sindex %d\n", proofHead, p.Index)
	for _, h := range p.Hashes {
		b = append(base64.StdEncoding.AppendEncode(b, h[:]), '\n')
	}
	b = append(b, '\n')
	return string(append(b, p.Signed...))
}

// ParseProof reads a C2SP tlog-proof. Extra data is passed over: nothing
// vouches for it. Whether the proof holds is for [Proof.Check] to say.
func ParseProof(text string) (Proof, error) {
	fail := func(why string) (Proof, error) {
		return Proof{}, fmt.Errorf("%w: no proof: %s", ErrMalformed, why)
	}
	rest, ok := strings.CutPrefix(text, proofHead)
	if !ok {
		return fail("it begins with " + strings.TrimSpace(proofHead))
	}
	head, signed, ok := strings.Cut(rest, "\n\n")
	if !ok {
		return fail("there is no checkpoint below an empty line")
	}
	lines := strings.Split(head, "\n")
	if extra, ok := strings.CutPrefix(lines[0], "extra "); ok && len(lines) > 1 {
		if _, err := base64.StdEncoding.Strict().DecodeString(extra); err != nil {
			return fail("the extra data isn't base64")
		}
		lines = lines[1:]
	}
	p := Proof{Signed: []byte(signed)}
	number, ok := strings.CutPrefix(lines[0], "index ")
	var err error
	if p.Index, err = strconv.ParseInt(number, 10, 64); !ok || err != nil || p.Index < 0 || strconv.FormatInt(p.Index, 10) != number {
		return fail("it says index and a number in the shortest form")
	}
	if len(lines)-1 > 63 {
		return fail("no tree is that high")
	}
	for _, line := range lines[1:] {
		h, err := tlog.ParseHash(line)
		if err != nil || h.String() != line {
			return fail(fmt.Sprintf("%.60q is no hash in base64", line))
		}
		p.Hashes = append(p.Hashes, h)
	}
	return p, nil
}

// Check returns the checkpoint if a key of the list signed it and the leaf is
// in the tree that it describes, at the index of the proof. The error wraps
// what [Open] says of the checkpoint.
func (p Proof) Check(leaf []byte, keys []Key) (Checkpoint, error) {
	c, err := Open(p.Signed, keys)
	if err != nil {
		return Checkpoint{}, err
	}
	if p.Index < 0 || p.Index >= c.Size {
		return Checkpoint{}, fmt.Errorf("ledger: a proof of entry %d, but the checkpoint has %d entries", p.Index, c.Size)
	}
	if err := tlog.CheckRecord(p.Hashes, c.Size, c.Root, p.Index, tlog.RecordHash(leaf)); err != nil {
		return Checkpoint{}, errors.New("ledger: the proof doesn't hold: these bytes aren't entry " + strconv.FormatInt(p.Index, 10) + " of the log")
	}
	return c, nil
}

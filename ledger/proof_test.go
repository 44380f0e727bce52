package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/pawlgate/pawl/ledger"
)

func (h *history) proof(size, index int) ledger.Proof {
	h.t.Helper()
	hashes, err := tlog.ProveRecord(int64(size), int64(index), h.hashes)
	if err != nil {
		h.t.Fatal(err)
	}
	return ledger.Proof{Index: int64(index), Hashes: hashes, Signed: h.signed(size)}
}

func TestProofHoldsForItsLeafOnly(t *testing.T) {
	h := newHistory(t, 20, "a")
	keys := []ledger.Key{h.keys.key}
	for size := 1; size <= 20; size++ {
		for i := range size {
			p, err := ledger.ParseProof(h.proof(size, i).Text())
			if err != nil {
				t.Fatal(err)
			}
			for j := range size {
				c, err := p.Check(h.leaves[j], keys)
				if (err == nil) != (i == j) || (err == nil) != (c.Size == int64(size)) {
					t.Errorf("the proof of entry %d of %d and entry %d: %+v, %v", i, size, j, c, err)
				}
			}
		}
	}
}

func TestProofIsATlogProof(t *testing.T) {
	h := newHistory(t, 3, "a")
	p := h.proof(3, 1)
	want := "c2sp.org/tlog-proof@v1\nindex 1\n" + tlog.RecordHash(h.leaves[0]).String() + "\n" + tlog.RecordHash(h.leaves[2]).String() + "\n\n" + string(h.signed(3))
	if d := cmp.Diff(want, p.Text()); d != "" {
		t.Error(d)
	}
	extra := strings.Replace(want, "index", "extra YQ==\nindex", 1)
	if got, err := ledger.ParseProof(extra); err != nil || got.Text() != want {
		t.Errorf("with extra data: %v", err)
	}
	hash := tlog.RecordHash(h.leaves[0]).String()
	for name, text := range map[string]string{
		"nothing":              "",
		"another version":      strings.Replace(want, "@v1", "@v2", 1),
		"no checkpoint":        strings.Split(want, "\n\n")[0] + "\n",
		"no index":             strings.Replace(want, "index 1\n", "", 1),
		"a negative index":     strings.Replace(want, "index 1", "index -1", 1),
		"an index with zeros":  strings.Replace(want, "index 1", "index 01", 1),
		"a huge index":         strings.Replace(want, "index 1", "index 9223372036854775808", 1),
		"a hash that isn't":    strings.Replace(want, hash, hash[1:], 1),
		"a hash with stray":    strings.Replace(want, hash, hash[:42]+string(hash[42]+1)+"=", 1),
		"extra data that isnt": strings.Replace(want, "index", "extra Y\nindex", 1),
		"extra data twice":     strings.Replace(want, "index", "extra YQ==\nextra YQ==\nindex", 1),
		"too many hashes":      strings.Replace(want, hash+"\n", strings.Repeat(hash+"\n", 63), 1),
	} {
		if p, err := ledger.ParseProof(text); !errors.Is(err, ledger.ErrMalformed) {
			t.Errorf("%s: read as %+v, %v", name, p, err)
		}
	}
}

func TestProofThatDoesNotHoldIsRefused(t *testing.T) {
	h, other := newHistory(t, 9, "a"), newPair(t, origin, 2)
	keys := []ledger.Key{h.keys.key}
	for name, change := range map[string]func(*ledger.Proof){
		"another index":      func(p *ledger.Proof) { p.Index = 5 },
		"an index behind":    func(p *ledger.Proof) { p.Index = 9 },
		"a negative index":   func(p *ledger.Proof) { p.Index = -1 },
		"a hash less":        func(p *ledger.Proof) { p.Hashes = p.Hashes[1:] },
		"no hashes":          func(p *ledger.Proof) { p.Hashes = nil },
		"another checkpoint": func(p *ledger.Proof) { p.Signed = h.signed(8) },
		"the empty log":      func(p *ledger.Proof) { p.Signed = h.signed(0) },
		"another key":        func(p *ledger.Proof) { p.Signed = h.signed(9, other) },
		"no checkpoint":      func(p *ledger.Proof) { p.Signed = nil },
	} {
		p := h.proof(9, 4)
		change(&p)
		if c, err := p.Check(h.leaves[4], keys); err == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func FuzzParseProof(f *testing.F) {
	h := newHistory(f, 5, "a")
	f.Add(h.proof(5, 2).Text())
	f.Add(h.proof(1, 0).Text())
	f.Add("c2sp.org/tlog-proof@v1\nextra YQ==\nindex 0\n\n")
	keys := []ledger.Key{h.keys.key}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ledger.ParseProof(text)
		if err != nil {
			return
		}
		if again := p.Text(); again != text && !strings.Contains(text, "\nextra ") {
			t.Errorf("%q is read and written as %q", text, again)
		}
		if _, err := p.Check([]byte("{}"), keys); err == nil {
			t.Error("a proof of what is in no log")
		}
	})
}

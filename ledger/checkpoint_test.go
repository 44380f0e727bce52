package ledger_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/ledger"
)

func TestCheckpointIsASignedNote(t *testing.T) {
	h := newHistory(t, 7, "a")
	c := h.checkpoint(7)
	c.Extensions = []string{"one", "två"}
	signed, err := ledger.Sign(c, h.keys)
	if err != nil {
		t.Fatal(err)
	}
	want := "example.com/pawl\n7\n" + h.trees[7].String() + "\none\ntvå\n\n— example.com/pawl "
	if !strings.HasPrefix(string(signed), want) {
		t.Errorf("got %s", signed)
	}
	n, err := note.Open(signed, note.VerifierList(h.keys.key.Verifier))
	if err != nil || n.Text != strings.Split(string(signed), "\n\n")[0]+"\n" {
		t.Errorf("the standard reader: %v, %v", n, err)
	}
	got, err := ledger.Open(signed, []ledger.Key{h.keys.key})
	if d := cmp.Diff(c, got); d != "" || err != nil {
		t.Errorf("%v %s", err, d)
	}
}

func TestWhatACheckpointCannotHoldIsNotSigned(t *testing.T) {
	h := newHistory(t, 1, "a")
	for name, set := range map[string]func(*ledger.Checkpoint){
		"no origin":                  func(c *ledger.Checkpoint) { c.Origin = "" },
		"an origin with a blank":     func(c *ledger.Checkpoint) { c.Origin = "a b" },
		"an origin with a plus":      func(c *ledger.Checkpoint) { c.Origin = "a+b" },
		"an origin of two lines":     func(c *ledger.Checkpoint) { c.Origin = "a\nb" },
		"another name than the key":  func(c *ledger.Checkpoint) { c.Origin = "example.com/other" },
		"a negative size":            func(c *ledger.Checkpoint) { c.Size = -1 },
		"an empty log with a root":   func(c *ledger.Checkpoint) { c.Size = 0 },
		"an empty extension":         func(c *ledger.Checkpoint) { c.Extensions = []string{""} },
		"an extension of two lines":  func(c *ledger.Checkpoint) { c.Extensions = []string{"a\nb"} },
		"an extension with controls": func(c *ledger.Checkpoint) { c.Extensions = []string{"a\tb"} },
		"an extension not in UTF-8":  func(c *ledger.Checkpoint) { c.Extensions = []string{"\xff"} },
	} {
		c := h.checkpoint(1)
		set(&c)
		if signed, err := ledger.Sign(c, h.keys); err == nil {
			t.Errorf("%s: signed %q", name, signed)
		}
	}
	if _, err := ledger.Sign(h.checkpoint(1)); err == nil {
		t.Error("signed by nobody")
	}
}

func TestCheckpointHasOneForm(t *testing.T) {
	root := newHistory(t, 1, "a").trees[1].String()
	ok := "o\n1\n" + root + "\n"
	if _, err := ledger.ParseCheckpoint(ok); err != nil {
		t.Fatal(err)
	}
	stray := root[:42] + string(root[42]+1) + "=" // the last character holds two bits that must be 0
	for _, text := range []string{
		"", "o\n1\n", ok[:len(ok)-1], ok + "\n", "\n" + ok, "o\n01\n" + root + "\n", "o\n+1\n" + root + "\n", "o\n-1\n" + root + "\n", "o\n 1\n" + root + "\n", "o\n1e0\n" + root + "\n",
		"o\n9223372036854775808\n" + root + "\n", "o\n1\n" + root[1:] + "\n", "o\n1\n" + stray + "\n", "o\n1\n" + root + "\n\nx\n", "o\n0\n" + root + "\n", "o p\n1\n" + root + "\n", "o\r\n1\n" + root + "\n",
	} {
		if c, err := ledger.ParseCheckpoint(text); !errors.Is(err, ledger.ErrMalformed) {
			t.Errorf("%q is read as %+v, %v", text, c, err)
		}
	}
}

func TestOnlyKeysOfTheListForThatSizeCount(t *testing.T) {
	h := newHistory(t, 10, "a")
	older, newer, witness := h.keys, newPair(t, origin, 2), newPair(t, "witness.example", 3)
	span := func(p pair, first, last int64) ledger.Key {
		return ledger.Key{Verifier: p.key.Verifier, First: first, Last: last}
	}
	rotated := []ledger.Key{span(older, 0, 5), span(newer, 5, 0)}
	cosigned := func(size int) []byte {
		n, err := note.Open(h.signed(size), note.VerifierList(older.key.Verifier))
		if err != nil {
			t.Fatal(err)
		}
		b, err := note.Sign(n, witness)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	both := h.signed(5, older, newer)
	// The signature of the newer key with a bit of it turned.
	text, sigs, _ := strings.Cut(string(both), "\n\n")
	lines := strings.Split(sigs, "\n")
	at := len(lines[1]) - 10
	flipped := byte('A')
	if lines[1][at] == 'A' {
		flipped = 'B'
	}
	lines[1] = lines[1][:at] + string(flipped) + lines[1][at+1:]
	broken := []byte(text + "\n\n" + strings.Join(lines, "\n"))

	for _, tt := range []struct {
		name   string
		signed []byte
		keys   []ledger.Key
		want   error
	}{
		{"the old key in its span", h.signed(4, older), rotated, nil},
		{"the old key at its end", h.signed(5, older), rotated, nil},
		{"the old key behind it", h.signed(6, older), rotated, ledger.ErrUnknownKey},
		{"the new key before its span", h.signed(4, newer), rotated, ledger.ErrUnknownKey},
		{"the new key in its span", h.signed(6, newer), rotated, nil},
		{"both keys where they change", both, rotated, nil},
		{"one of both is broken", broken, rotated, ledger.ErrSignature},
		{"the broken one isn't known", broken, rotated[:1], nil},
		{"a cosignature of a witness is ignored", cosigned(4), rotated, nil},
		{"a witness alone isn't enough", cosigned(6), rotated, ledger.ErrUnknownKey},
		{"a known witness alone isn't the log", cosigned(6), append(slices.Clone(rotated), witness.key), ledger.ErrUnknownKey},
		{"one key with two spans", h.signed(4, older), []ledger.Key{span(older, 0, 4), span(older, 4, 0)}, nil},
		{"no keys", h.signed(4), nil, ledger.ErrUnknownKey},
		{"nothing", nil, rotated, ledger.ErrMalformed},
		{"without signatures", []byte(text + "\n\n"), rotated, ledger.ErrMalformed},
		{"a signature that isn't base64", []byte(text + "\n\n— example.com/pawl A-A\n"), rotated, ledger.ErrMalformed},
		{"something behind it", append(slices.Clone(both), "x\n"...), rotated, ledger.ErrMalformed},
		{"a key that signed twice", append(slices.Clone(both), lines[1]+"\n"...), rotated, ledger.ErrMalformed},
		{"an unknown key that signed twice", append(slices.Clone(both), lines[1]+"\n"...), rotated[:1], nil},
		{"too many signatures", append(slices.Clone(both), strings.Repeat("— w AAAAAAA=\n", 99)...), rotated, ledger.ErrMalformed},
		{"an endless note", append(slices.Clone(both), make([]byte, ledger.MaxNote)...), rotated, ledger.ErrMalformed},
	} {
		if c, err := ledger.Open(tt.signed, tt.keys); !errors.Is(err, tt.want) || (err == nil) != (c.Origin != "") {
			t.Errorf("%s: %+v, %v", tt.name, c, err)
		}
	}
}

func TestKeysAreReadWithTheirSpans(t *testing.T) {
	a, b := newPair(t, origin, 1).vkey, newPair(t, origin, 2).vkey
	keys, err := ledger.ParseKeys("# the log\n\n" + a + " 0 5\r\n  " + b + "\t5\n" + b)
	if err != nil || len(keys) != 3 || keys[0].Last != 5 || keys[1].First != 5 || keys[1].Last != 0 || keys[2].First != 0 {
		t.Errorf("%+v, %v", keys, err)
	}
	for text, want := range map[string]string{
		"":                                 "has none",
		"# " + a:                           "has none",
		a[1:]:                              "no Ed25519 verifier key",
		a + " 1 2 3":                       "more than",
		a + " -1":                          "no size",
		a + " x":                           "no size",
		a + " 5 4":                         "isn't above 0",
		a + " 0 0":                         "isn't above 0",
		a + " 0 9223372036854775808":       "no size",
		a + "\n" + newPair(t, "b", 1).vkey: "line 2",
	} {
		if keys, err := ledger.ParseKeys(text); keys != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v", text, keys, err)
		}
	}
}

func TestRotationIsSignedByBothKeys(t *testing.T) {
	older, newer, third := newPair(t, origin, 1), newPair(t, origin, 2), newPair(t, origin, 3)
	r := ledger.Rotation{Origin: origin, Size: 12, Old: older.vkey, New: newer.vkey}
	statement, err := ledger.SignRotation(r, older, newer)
	if err != nil {
		t.Fatal(err)
	}
	e := ledger.Entry{Kind: ledger.KindKeyRotation, At: 1, Statement: statement}
	leaf, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if e, err = ledger.Parse(leaf); err != nil {
		t.Fatal(err)
	}
	for _, keys := range [][]ledger.Key{nil, {older.key}, {newer.key, {Verifier: older.key.Verifier, First: 12, Last: 12}}} {
		if got, err := ledger.OpenRotation(e.Statement, keys); err != nil || got != r {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for _, keys := range [][]ledger.Key{{}, {newer.key}, {third.key}, {{Verifier: older.key.Verifier, First: 13}}} {
		if _, err := ledger.OpenRotation(statement, keys); !errors.Is(err, ledger.ErrUnknownKey) {
			t.Errorf("%+v: %v", keys, err)
		}
	}
	if _, err := ledger.OpenRotation(statement, []ledger.Key{{Verifier: namesake{older.key.Verifier}}}); !errors.Is(err, ledger.ErrUnknownKey) {
		t.Errorf("a key that shares name and id with the old one: %v", err)
	}
	lines := strings.SplitAfter(statement, "\n")
	for name, s := range map[string]string{
		"without the old key's signature": strings.Join(slices.Delete(slices.Clone(lines), 6, 7), ""),
		"without the new key's signature": strings.Join(slices.Delete(slices.Clone(lines), 7, 8), ""),
		"of another size":                 strings.Replace(statement, "\n12\n", "\n13\n", 1),
		"of another size form":            strings.Replace(statement, "\n12\n", "\n012\n", 1),
		"nothing":                         "",
		"a checkpoint":                    string(newHistory(t, 1, "a").signed(1)),
	} {
		if _, err := ledger.OpenRotation(s, nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := ledger.SignRotation(r, older, third); err == nil {
		t.Error("signed by another key")
	}
	if _, err := ledger.SignRotation(ledger.Rotation{Origin: origin, Old: older.vkey, New: older.vkey}, older, older); err == nil {
		t.Error("from a key to itself")
	}
}

// namesake is a key with the name and the id of another one, which is easily
// found: an id has four bytes.
type namesake struct{ note.Verifier }

func (namesake) Verify([]byte, []byte) bool { return false }

func TestMonitorTellsWhatHappened(t *testing.T) {
	a, b := newHistory(t, 12, "a"), newHistory(t, 12, "b")
	proof := func(h *history, size, old int64) tlog.TreeProof {
		p, err := tlog.ProveTree(size, old, h.hashes)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	foreign := a.checkpoint(5)
	foreign.Origin = "example.com/other"
	odd := a.checkpoint(5)
	odd.Size = 0
	for _, tt := range []struct {
		name       string
		last, next ledger.Checkpoint
		proof      tlog.TreeProof
		want       ledger.Change
	}{
		{"nothing new", a.checkpoint(5), a.checkpoint(5), nil, ledger.Same},
		{"both empty", a.checkpoint(0), a.checkpoint(0), nil, ledger.Same},
		{"more entries", a.checkpoint(5), a.checkpoint(12), proof(a, 12, 5), ledger.Extended},
		{"from nothing", a.checkpoint(0), a.checkpoint(12), nil, ledger.Extended},
		{"no proof", a.checkpoint(5), a.checkpoint(12), nil, ledger.Unproven},
		{"a proof of something else", a.checkpoint(5), a.checkpoint(12), proof(a, 12, 6), ledger.Unproven},
		{"another history, larger", a.checkpoint(5), b.checkpoint(12), proof(b, 12, 5), ledger.Unproven},
		{"another history, same size", a.checkpoint(5), b.checkpoint(5), nil, ledger.Forked},
		{"fewer entries", a.checkpoint(12), a.checkpoint(5), proof(a, 12, 5), ledger.Shrunk},
		{"none any more", a.checkpoint(12), a.checkpoint(0), nil, ledger.Shrunk},
		{"another log", a.checkpoint(5), foreign, nil, ledger.Foreign},
		{"an empty log with a root", odd, a.checkpoint(5), nil, ledger.Forked},
	} {
		got := ledger.Compare(tt.last, tt.next, tt.proof)
		if got != tt.want || got.Good() != (tt.want == ledger.Same || tt.want == ledger.Extended) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// A monitor that is handed any prefixes of one history, in order, never cries;
// as soon as one of another history comes it does, whatever the proof.
func TestMonitorCriesIfAndOnlyIfHistoryChanged(t *testing.T) {
	a, b := newHistory(t, 40, "a"), newHistory(t, 40, "b")
	rapid.Check(t, func(rt *rapid.T) {
		old := rapid.IntRange(1, 40).Draw(rt, "old")
		size := rapid.IntRange(old, 40).Draw(rt, "new")
		for _, next := range []*history{a, b} {
			p, err := tlog.ProveTree(int64(size), int64(old), next.hashes)
			if err != nil {
				rt.Fatal(err)
			}
			if got := ledger.Compare(a.checkpoint(old), next.checkpoint(size), p); got.Good() != (next == a) {
				rt.Fatalf("%s", got)
			}
		}
	})
}

func FuzzOpen(f *testing.F) {
	h := newHistory(f, 3, "a")
	keys := []ledger.Key{h.keys.key}
	f.Add(h.signed(3))
	f.Add(h.signed(0))
	f.Add(h.signed(2, h.keys, newPair(f, origin, 2)))
	f.Fuzz(func(t *testing.T, signed []byte) {
		c, err := ledger.Open(signed, keys)
		if err != nil {
			if !errors.Is(err, ledger.ErrMalformed) && !errors.Is(err, ledger.ErrSignature) && !errors.Is(err, ledger.ErrUnknownKey) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		// Nobody but the owner of the key can make one, so it is one of ours.
		if c.Size > 3 || c.Root != h.trees[c.Size] {
			t.Errorf("%+v was never signed", c)
		}
		if text, err := c.Text(); err != nil || !strings.HasPrefix(string(signed), text) {
			t.Errorf("%q is read and written as %q, %v", signed, text, err)
		}
	})
}

func FuzzParseCheckpoint(f *testing.F) {
	text, err := newHistory(f, 1, "a").checkpoint(1).Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text + "extension\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ledger.ParseCheckpoint(text)
		if err != nil {
			return
		}
		if again, err := c.Text(); err != nil || again != text {
			t.Errorf("%q is read and written as %q, %v", text, again, err)
		}
	})
}

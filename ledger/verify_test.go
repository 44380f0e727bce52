package ledger_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/ledger"
)

func TestUntouchedExportIsVerified(t *testing.T) {
	h := newHistory(t, 20, "a")
	for size := range 21 {
		r, err := h.verify(strings.Join(h.lines(size, 3, 10), ""), h.checkpoint(size), h.checkpoint(size/2), h.checkpoint(0))
		if err != nil {
			t.Fatalf("size %d: %v", size, err)
		}
		known := 3
		if size == 0 {
			known = 1 // three times the same
		} else if size == 1 {
			known = 2
		}
		if r.Verified != int64(size) || r.Entries != int64(size) || r.Known != known || r.Last.Size != int64(size) || r.Origin != origin || len(r.Problems) > 0 {
			t.Errorf("size %d: %+v", size, r)
		}
	}
}

func TestEmptyLogIsVerified(t *testing.T) {
	h := newHistory(t, 0, "a")
	r, err := h.verify(string(ledger.AppendCheckpoint(nil, h.signed(0))))
	if err != nil || r.Checkpoints != 1 || !strings.Contains(r.String(), "the log is empty") {
		t.Errorf("%v, %v", r, err)
	}
}

// What the tampered copies below are found to be: kind, entries and line.
func found(r ledger.Report) []string {
	var out []string
	for _, p := range r.Problems {
		out = append(out, fmt.Sprintf("%s %d-%d line %d", p.Kind, p.First, p.Last, p.Line))
	}
	return out
}

// rehash gives the leaf on a line the hash that it has now, as somebody who
// edits a store without the key would.
func rehash(h *history, index int, leaf string) string {
	return string(ledger.AppendLeaf(nil, int64(index), tlog.RecordHash([]byte(leaf)), []byte(leaf)))
}

// renumber makes a line that of another index.
func renumber(line string, from, to int) string {
	return strings.Replace(line, fmt.Sprintf(`"index":%d,`, from), fmt.Sprintf(`"index":%d,`, to), 1)
}

// Every way of tampering is told from the others, and the entry is named.
// The export has 10 entries and checkpoints behind entries 3 and 9, so entry i
// is on line i+1 before the first checkpoint and on line i+2 behind it.
func TestTamperingIsToldApart(t *testing.T) {
	h := newHistory(t, 10, "a")
	forged := newHistory(t, 10, "b")
	other := newPair(t, origin, 2)
	base := h.lines(10, 4)
	edited := func(i int) string { return strings.Replace(string(h.leaves[i]), "auto_apply", "auto_reject", 1) }
	for _, tt := range []struct {
		name     string
		tamper   func(lines []string) []string
		known    []ledger.Checkpoint
		want     []string
		verified int64
	}{
		{
			"an edited leaf is named by the hash beside it",
			func(l []string) []string { l[2] = strings.Replace(l[2], "auto_apply", "auto_reject", 1); return l },
			nil,
			[]string{"edit 2-2 line 3"},
			2,
		},
		{
			"two edited leaves are both named, in each part",
			func(l []string) []string {
				l[2] = strings.Replace(l[2], "refunds", "refundz", 1)
				l[7] = strings.Replace(l[7], "refunds", "refundz", 1)
				return l
			},
			nil,
			[]string{"edit 2-2 line 3", "edit 6-6 line 8"},
			2,
		},
		{
			"an edited leaf with its hash is between two checkpoints",
			func(l []string) []string { l[7] = rehash(h, 6, edited(6)); return l },
			nil,
			[]string{"edit 4-9 line 12"},
			4,
		},
		{
			"known checkpoints narrow it down from both sides",
			func(l []string) []string { l[7] = rehash(h, 6, edited(6)); return l },
			[]ledger.Checkpoint{h.checkpoint(8), h.checkpoint(6)},
			[]string{"edit 6-7 line 12"},
			6,
		},
		{
			"known checkpoints around an entry name it",
			func(l []string) []string { l[7] = rehash(h, 6, edited(6)); return l },
			[]ledger.Checkpoint{h.checkpoint(7), h.checkpoint(6)},
			[]string{"edit 6-6 line 12"},
			6,
		},
		{
			"the hash beside a leaf",
			func(l []string) []string {
				l[2] = strings.Replace(l[2], l[2][9:53], tlog.RecordHash(nil).String(), 1)
				return l
			},
			nil,
			[]string{"edit 2-2 line 3"},
			2,
		},
		{"a missing line", func(l []string) []string { return slices.Delete(l, 6, 7) }, nil, []string{"gap 5-5 line 7"}, 4},
		{"missing lines", func(l []string) []string { return slices.Delete(l, 1, 3) }, nil, []string{"gap 1-2 line 2"}, 0},
		{"two gaps", func(l []string) []string { return slices.Delete(slices.Delete(l, 8, 9), 6, 7) }, nil, []string{"gap 5-5 line 7", "gap 7-7 line 8"}, 4},
		{"the last leaf missing before its checkpoint", func(l []string) []string { return slices.Delete(l, 10, 11) }, nil, []string{"gap 9-9 line 11"}, 4},
		{
			"a missing line, and the rest numbered anew",
			func(l []string) []string {
				l = slices.Delete(l, 6, 7)
				for i := 6; i < 10; i++ {
					l[i] = renumber(l[i], i, i-1)
				}
				return l
			},
			nil,
			[]string{"gap 9-9 line 11"},
			4,
		},
		{"exchanged lines", func(l []string) []string { l[6], l[7] = l[7], l[6]; return l }, nil, []string{"order 5-5 line 8"}, 4},
		{
			"exchanged lines, numbered anew",
			func(l []string) []string { l[6], l[7] = renumber(l[7], 6, 5), renumber(l[6], 5, 6); return l },
			nil,
			[]string{"edit 4-9 line 12"},
			4,
		},
		{"a line that is there twice", func(l []string) []string { return slices.Insert(l, 7, l[6]) }, nil, []string{"duplicate 5-5 line 8"}, 5},
		{"a line again at the end", func(l []string) []string { return slices.Insert(l, 11, l[1]) }, nil, []string{"duplicate 1-1 line 12"}, 1},
		{
			"an entry put in, and the rest numbered anew",
			func(l []string) []string {
				for i := 10; i > 6; i-- {
					l[i] = renumber(l[i], i-1, i)
				}
				return slices.Insert(l, 7, rehash(h, 6, string(forged.leaves[0])))
			},
			nil,
			[]string{"order -1--1 line 13", "truncation 4-10 line 13"},
			4,
		},
		{"a checkpoint that was moved", func(l []string) []string { l[4], l[5] = l[5], l[4]; return l }, nil, []string{"order -1--1 line 6"}, 10},
		{"cut off at an earlier checkpoint, which nobody can tell", func(l []string) []string { return l[:5] }, nil, nil, 4},
		{"cut off at an earlier checkpoint", func(l []string) []string { return l[:5] }, []ledger.Checkpoint{h.checkpoint(10)}, []string{"truncation 4-9 line 5"}, 4},
		{"cut off behind a checkpoint", func(l []string) []string { return l[:7] }, nil, []string{"truncation 4-5 line 7"}, 4},
		{"without any checkpoint", func(l []string) []string { return l[:4] }, nil, []string{"truncation -1--1 line 4"}, 0},
		{"nothing", func([]string) []string { return nil }, nil, []string{"truncation -1--1 line 0"}, 0},
		{"cut off to nothing", func([]string) []string { return forged.lines(0) }, []ledger.Checkpoint{h.checkpoint(10)}, []string{"truncation 0-9 line 1"}, 0},
		{"another history with the right key", func([]string) []string { return forged.lines(10, 4) }, []ledger.Checkpoint{h.checkpoint(4)}, []string{"fork 0-3 line 5"}, 0},
		{"another history that ends earlier", func([]string) []string { return forged.lines(6) }, []ledger.Checkpoint{h.checkpoint(4), h.checkpoint(8)}, []string{"fork 0-3 line 7", "truncation 6-7 line 7"}, 0},
		{
			"another history without the key",
			func([]string) []string {
				l := forged.lines(10)
				l[10] = string(ledger.AppendCheckpoint(nil, forged.signed(10, other)))
				return l
			},
			[]ledger.Checkpoint{h.checkpoint(4)},
			[]string{"unknown_key -1--1 line 11", "edit 0-3 line 11"},
			0,
		},
		{
			"a signature by another key",
			func(l []string) []string {
				l[11] = string(ledger.AppendCheckpoint(nil, h.signed(10, other)))
				return l
			},
			nil,
			[]string{"unknown_key -1--1 line 12"},
			4,
		},
		{
			"another root under a signature",
			func(l []string) []string {
				l[11] = strings.Replace(l[11], h.trees[10].String(), h.trees[9].String(), 1)
				return l
			},
			nil,
			[]string{"signature -1--1 line 12"},
			4,
		},
		{"an unreadable line instead of a leaf", func(l []string) []string { l[6] = "{}\n"; return l }, nil, []string{"malformed 5-5 line 7"}, 4},
		{"an unreadable line between leaves", func(l []string) []string { return slices.Insert(l, 6, "\n") }, nil, []string{"malformed 5-5 line 7"}, 5},
		{"an unreadable line, and a gap behind it", func(l []string) []string { return slices.Insert(slices.Delete(l, 8, 9), 2, "\n") }, nil, []string{"malformed 2-2 line 3", "gap 7-7 line 10"}, 2},
		{"an unreadable line instead of a leaf, beside a gap", func(l []string) []string { l[6] = "\n"; return slices.Delete(l, 7, 8) }, nil, []string{"malformed 5-5 line 7", "gap 6-6 line 8"}, 4},
		{"a checkpoint with another escape", func(l []string) []string { l[4] = strings.Replace(l[4], `\n`, `\u000a`, 1); return l }, nil, []string{"malformed -1--1 line 5"}, 10},
		{"a checkpoint with a blank", func(l []string) []string { l[4] = strings.Replace(l[4], `:`, `: `, 1); return l }, nil, []string{"malformed -1--1 line 5"}, 10},
		{"a line without end", func(l []string) []string { l[11] = strings.TrimSuffix(l[11], "\n"); return l }, nil, []string{"malformed 10-10 line 12", "truncation 4-9 line 12"}, 4},
		{"a line with a carriage return", func(l []string) []string { l[6] = strings.TrimSuffix(l[6], "\n") + "\r\n"; return l }, nil, []string{"malformed 5-5 line 7"}, 4},
		{"a line that is too long", func(l []string) []string { l[6] = strings.Repeat("x", 1<<20) + "\n"; return l }, nil, []string{"malformed 5-5 line 7"}, 4},
		{"a checkpoint that isn't one", func(l []string) []string { l[4] = `{"checkpoint":"x"}` + "\n"; return l }, nil, []string{"malformed -1--1 line 5"}, 10},
		{"an index that doesn't fit", func(l []string) []string { l[6] = renumber(l[6], 5, 1<<63-1); return l }, nil, []string{"malformed 5-5 line 7"}, 4},
	} {
		lines := tt.tamper(slices.Clone(base))
		r, err := h.verify(strings.Join(lines, ""), tt.known...)
		if d := cmp.Diff(tt.want, found(r)); d != "" || r.Verified != tt.verified {
			t.Errorf("%s: verified %d, want %d; %s\n%s", tt.name, r.Verified, tt.verified, d, r)
		}
		last := int64(0) // the checkpoint to keep is one below which all is well
		if r.Verified >= 4 {
			last = 4
		}
		if r.Verified == 10 {
			last = 10
		}
		if r.Last.Size != last || last > 0 && r.Last.Root != h.trees[last] {
			t.Errorf("%s: to keep is the checkpoint %+v, want that of size %d", tt.name, r.Last, last)
		}
		var p ledger.Problem
		if (err == nil) != (len(tt.want) == 0) || err != nil && (!errors.As(err, &p) || p != r.Problems[0]) {
			t.Errorf("%s: the error is %v", tt.name, err)
		}
	}
}

func TestProblemsOfALargeExportAreBounded(t *testing.T) {
	h := newHistory(t, 500, "a")
	for name, tamper := range map[string]func(int, string) string{
		"edits":      func(_ int, l string) string { return strings.Replace(l, "refunds", "refundz", 1) },
		"gaps":       func(i int, l string) string { return renumber(l, i, 2*i+1) },
		"malformed":  func(int, string) string { return "x\n" },
		"duplicates": func(i int, l string) string { return renumber(l, i, 0) },
		"scattered":  func(i int, l string) string { return renumber(l, i, (1<<40)/(i+1)) },
	} {
		lines := h.lines(500)
		for i := range 500 {
			lines[i] = tamper(i, lines[i])
		}
		r, err := h.verify(strings.Join(lines, ""))
		if err == nil || len(r.Problems) > ledger.MaxProblems || len(r.Problems) < 100 || r.Omitted == 0 {
			t.Errorf("%s: %d problems, %d omitted, %v", name, len(r.Problems), r.Omitted, err)
		}
	}
}

func TestKnownCheckpointsThatContradictEachOtherAreAFork(t *testing.T) {
	h, other := newHistory(t, 5, "a"), newHistory(t, 5, "b")
	r, err := h.verify(strings.Join(h.lines(5), ""), h.checkpoint(3), other.checkpoint(3))
	if err == nil || r.Problems[0].Kind != ledger.Fork {
		t.Errorf("%v, %v", r, err)
	}
}

func TestUnusableArgumentsAreAnError(t *testing.T) {
	h := newHistory(t, 1, "a")
	export := strings.Join(h.lines(1), "")
	k := h.keys.key
	for name, tt := range map[string]struct {
		keys  []ledger.Key
		known []ledger.Checkpoint
	}{
		"no keys":                   {},
		"a key without verifier":    {keys: []ledger.Key{{}}},
		"keys of two logs":          {keys: []ledger.Key{k, newPair(t, "example.org/b", 1).key}},
		"a checkpoint that is none": {[]ledger.Key{k}, []ledger.Checkpoint{{}}},
		"a checkpoint of another":   {[]ledger.Key{k}, []ledger.Checkpoint{{Origin: "example.org/b", Size: 1}}},
	} {
		if r, err := ledger.Verify(strings.NewReader(export), tt.keys, tt.known); err == nil || r.Verified != 0 {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

func TestReadErrorIsHandedOn(t *testing.T) {
	h := newHistory(t, 5, "a")
	disk := errors.New("disk")
	export := strings.Join(h.lines(5, 2)[:4], "")
	r, err := ledger.Verify(io.MultiReader(strings.NewReader(export), iotest.ErrReader(disk)), []ledger.Key{h.keys.key}, nil)
	if !errors.Is(err, disk) || r.Verified != 2 || !strings.Contains(err.Error(), "line 5") {
		t.Errorf("%v, %v", r, err)
	}
}

func TestExportIsReadInWhateverPieces(t *testing.T) {
	h := newHistory(t, 30, "a")
	export := strings.Join(h.lines(30, 7), "")
	for _, r := range []io.Reader{iotest.OneByteReader(strings.NewReader(export)), iotest.DataErrReader(strings.NewReader(export))} {
		if rep, err := ledger.Verify(r, []ledger.Key{h.keys.key}, nil); err != nil || rep.Verified != 30 {
			t.Errorf("%v, %v", rep, err)
		}
	}
}

// Any two histories differ at any size from the first entry that differs on,
// and a checkpoint of the one shows that the other is a fork.
func TestTwoHistoriesAreAFork(t *testing.T) {
	a, b := newHistory(t, 60, "a"), newHistory(t, 60, "b")
	rapid.Check(t, func(rt *rapid.T) {
		shared := rapid.IntRange(0, 58).Draw(rt, "shared entries")
		size := rapid.IntRange(shared+1, 60).Draw(rt, "size")
		seen := rapid.IntRange(shared+1, size).Draw(rt, "size of the known checkpoint")
		mixed := newHistory(t, 0, "")
		for i := range size {
			from := b
			if i < shared {
				from = a
			}
			e, err := ledger.Parse(from.leaves[i])
			if err != nil {
				rt.Fatal(err)
			}
			mixed.add(e)
		}
		r, err := mixed.verify(strings.Join(mixed.lines(size), ""), a.checkpoint(shared), a.checkpoint(seen))
		if err == nil || len(r.Problems) != 1 || r.Verified != int64(shared) {
			rt.Fatalf("%v, %v", r, err)
		}
		if p := r.Problems[0]; p.Kind != ledger.Fork || p.First != int64(shared) || p.Last != int64(seen-1) {
			rt.Fatal(p)
		}
		if r, err := a.verify(strings.Join(a.lines(size), ""), a.checkpoint(shared), a.checkpoint(seen)); err != nil {
			rt.Fatalf("the real one: %v, %v", r, err)
		}
	})
}

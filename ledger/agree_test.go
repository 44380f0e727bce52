package ledger_test

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/verdict"
)

// block returns a named block of the page on the ledger.
func block(t testing.TB, name string) string {
	t.Helper()
	page, err := os.ReadFile("../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), " "+name+"\n")
	text, _, ok2 := strings.Cut(rest, "```\n")
	if !ok || !ok2 {
		t.Fatalf("docs/ledger.md has no block %s", name)
	}
	return text
}

// both asks the two verifiers and wants one answer.
func both(t testing.TB, export, keys string, known ...ledger.Checkpoint) bool {
	t.Helper()
	list, err := ledger.ParseKeys(keys)
	if err != nil {
		t.Fatal(err)
	}
	second, err := secondKeys(keys)
	if err != nil {
		t.Fatal(err)
	}
	roots := map[int]string{}
	for _, c := range known {
		roots[int(c.Size)] = c.Root.String()
	}
	r, err1 := ledger.Verify(strings.NewReader(export), list, known)
	if err2 := secondVerify(export, second, roots); (err1 == nil) != (err2 == nil) {
		t.Errorf("the verifiers disagree: %v, and the second one: %v\n%s", err1, err2, r)
	}
	return err1 == nil
}

func TestExampleOfThePageIsWhatIsWritten(t *testing.T) {
	h := newHistory(t, 0, "")
	var salt ledger.Salt
	for i := range salt {
		salt[i] = byte(i)
	}
	c, err := ledger.Commit(salt, []byte(strings.TrimSuffix(block(t, "action.json"), "\n")))
	if err != nil {
		t.Fatal(err)
	}
	h.add(ledger.Entry{Kind: ledger.KindStart, At: 1764540000000000, Versions: map[string]string{"engine": "pawl/0.1.0"}, Digests: map[string]string{"config": "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}})
	h.add(ledger.Entry{Kind: ledger.KindDecision, At: 1764540000250000, Gate: "refunds", IDs: map[string]string{"item": "r-1"}, Verdict: verdict.RouteToHuman, Commitments: map[string]ledger.Commitment{"action": c}})
	h.add(ledger.Entry{Kind: ledger.KindEvent, At: 1764540061000000, Act: "approve", Gate: "refunds", IDs: map[string]string{"item": "r-1"}, Person: "u-7", Known: ledger.KnownOIDC, Numbers: map[string]int64{"seq": 1}})
	if got, want := strings.Join(h.lines(3, 1), ""), block(t, "example.jsonl"); got != want {
		t.Errorf("the page has\n%sbut it is\n%s", want, got)
	}
	if got, want := h.keys.vkey+"\n", block(t, "keys.txt"); got != want {
		t.Errorf("the page has the key %s, it is %s", want, got)
	}
	var roots strings.Builder
	for _, r := range h.trees {
		roots.WriteString(r.String() + "\n")
	}
	if got, want := roots.String(), block(t, "roots.txt"); got != want {
		t.Errorf("the page has the roots\n%s, they are\n%s", want, got)
	}
	if !both(t, block(t, "example.jsonl"), block(t, "keys.txt"), h.checkpoint(1), h.checkpoint(2)) {
		t.Error("the example doesn't verify")
	}
}

func TestPageListsEveryKindOfEntryAndProblem(t *testing.T) {
	page, err := os.ReadFile("../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	for k := range kinds {
		if !strings.Contains(string(page), "`"+string(k)+"`") {
			t.Errorf("docs/ledger.md doesn't name the kind %s", k)
		}
	}
	for _, k := range []ledger.ProblemKind{ledger.Edit, ledger.Gap, ledger.Duplicate, ledger.Order, ledger.Fork, ledger.Truncation, ledger.Signature, ledger.UnknownKey, ledger.Malformed} {
		if !strings.Contains(string(page), "`"+string(k)+"`") {
			t.Errorf("docs/ledger.md doesn't name the problem %s", k)
		}
	}
}

// Every change of a single byte of a small export is noticed, whichever byte
// and whatever it becomes; and so are every byte left out and every byte put in
// twice.
func TestEveryChangeOfOneByteIsNoticed(t *testing.T) {
	small := newHistory(t, 0, "")
	small.add(least(ledger.KindSignInFailed))
	for _, tt := range []struct {
		export string
		by     []byte // what a byte is changed by, if not by everything
	}{
		{strings.Join(small.lines(1), ""), nil},
		{block(t, "example.jsonl"), []byte{1, 0x20}},
	} {
		changes := tt.by
		for d := 1; d < 256 && tt.by == nil; d++ {
			if !testing.Short() || d&(d-1) == 0 {
				changes = append(changes, byte(d))
			}
		}
		everyChange(t, tt.export, small.keys, changes)
	}
}

func everyChange(t *testing.T, export string, p pair, changes []byte) {
	second, err := secondKeys(p.vkey)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, at int, changed string, alone bool) {
		t.Helper()
		if _, err := ledger.Verify(strings.NewReader(changed), []ledger.Key{p.key}, nil); err == nil {
			t.Errorf("byte %d %s: verified", at, what)
		}
		if !alone && secondVerify(changed, second, nil) == nil {
			t.Errorf("byte %d %s: verified by the second one", at, what)
		}
	}
	b := []byte(export)
	for i := range b {
		for _, d := range changes {
			b[i] ^= d
			check("changed", i, string(b), d&(d-1) != 0) // the second one is slow: single bits only
			b[i] ^= d
		}
		check("left out", i, export[:i]+export[i+1:], false)
		check("twice", i, export[:i+1]+export[i:], false)
	}
	if string(b) != export {
		t.Fatal("the test changed more than one byte")
	}
}

// Cut anywhere, the example isn't verified, except at a checkpoint: then a
// known one says that it was cut.
func TestCutExportIsVerifiedAtCheckpointsOnly(t *testing.T) {
	h := newHistory(t, 6, "a")
	lines := h.lines(6, 2)
	export := strings.Join(lines, "")
	first := len(strings.Join(lines[:3], ""))
	for n := range len(export) {
		if got := both(t, export[:n], h.keys.vkey); got != (n == first) {
			t.Errorf("cut to %d bytes: verified %v", n, got)
		}
		if both(t, export[:n], h.keys.vkey, h.checkpoint(6)) {
			t.Errorf("cut to %d bytes: verified against a larger checkpoint", n)
		}
	}
}

// Random lines out of two histories under two keys: the verifiers agree on all
// of them, and say yes to prefixes of the right one only.
func TestVerifiersAgreeOnShuffledLines(t *testing.T) {
	a, b := newHistory(t, 8, "a"), newHistory(t, 8, "b")
	newer := newPair(t, origin, 2)
	keys := a.keys.vkey + " 0 4\n" + newer.vkey + " 4"
	var pool []string
	for _, h := range []*history{a, b} {
		pool = append(pool, h.lines(8)[:8]...)
		for size := range 9 {
			pool = append(pool, string(ledger.AppendCheckpoint(nil, h.signed(size))),
				string(ledger.AppendCheckpoint(nil, h.signed(size, newer))), string(ledger.AppendCheckpoint(nil, h.signed(size, h.keys, newer))))
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(0, 8).Draw(rt, "size")
		lines := append([]string(nil), a.lines(size)[:size]...)
		lines = append(lines, rapid.SampledFrom(pool).Draw(rt, "end"))
		for range rapid.IntRange(0, 2).Draw(rt, "changes") {
			i := rapid.IntRange(0, len(lines)-1).Draw(rt, "at")
			lines[i] = rapid.SampledFrom(pool).Draw(rt, "line")
		}
		var known []ledger.Checkpoint
		if rapid.Bool().Draw(rt, "known") {
			known = append(known, a.checkpoint(rapid.IntRange(0, 8).Draw(rt, "known size")))
		}
		both(t, strings.Join(lines, ""), keys, known...)
	})
}

func FuzzVerify(f *testing.F) {
	h := newHistory(f, 6, "a")
	f.Add(strings.Join(h.lines(6, 2), ""), 4)
	f.Add(strings.Join(h.lines(0), ""), 0)
	f.Add(strings.Join(newHistory(f, 3, "b").lines(3), ""), 2)
	f.Add(block(f, "example.jsonl"), -1)
	f.Fuzz(func(t *testing.T, export string, known int) {
		var seen []ledger.Checkpoint
		if known >= 0 && known <= 6 {
			seen = append(seen, h.checkpoint(known))
		}
		both(t, export, h.keys.vkey, seen...)
	})
}

package ledger_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/verdict"
)

var digest = "sha256:" + strings.Repeat("0123456789abcdef", 4)

// kinds is every kind with an entry that has no more than it needs.
var kinds = map[ledger.Kind]ledger.Entry{
	ledger.KindDecision:       {Gate: "refunds", Verdict: verdict.AutoApply},
	ledger.KindFault:          {Gate: "refunds", Act: "malformed"},
	ledger.KindEvent:          {Act: "approve", IDs: ids("item"), Person: "u-7", Known: ledger.KnownOIDC},
	ledger.KindPermitGranted:  {IDs: ids("item", "permit")},
	ledger.KindPermitReported: {IDs: ids("item", "permit"), Act: "done"},
	ledger.KindPermitVoided:   {IDs: ids("item", "permit"), Act: "gate_stopped"},
	ledger.KindGateState:      {Gate: "refunds", Act: "supervised", Person: ledger.System},
	ledger.KindPolicy:         {Gate: "refunds", Act: "activate", Person: "u-7", Known: ledger.KnownKey, Digests: map[string]string{"policy": digest}},
	ledger.KindLabel:          {IDs: ids("item")},
	ledger.KindCertificate:    {Gate: "refunds", Act: "issue"},
	ledger.KindSignIn:         {Person: "u-7", Known: ledger.KnownPassword},
	ledger.KindSignInFailed:   {},
	ledger.KindUser:           {Act: "close", Person: "u-7", Known: ledger.KnownOIDC},
	ledger.KindRole:           {Act: "give", Person: "u-7", Known: ledger.KnownOIDC},
	ledger.KindKey:            {Act: "revoke", Person: "u-7", Known: ledger.KnownOIDC},
	ledger.KindExport:         {Person: "u-7", Known: ledger.KnownAsserted},
	ledger.KindErasure:        {Act: "erase", Person: "u-7", Known: ledger.KnownOIDC},
	ledger.KindLegalHold:      {Act: "hold", Person: "u-7", Known: ledger.KnownOIDC},
	ledger.KindKeyRotation:    {Statement: "signed"},
	ledger.KindStart:          {Versions: map[string]string{"engine": "pawl/0.1.0"}, Digests: map[string]string{"config": digest}},
	ledger.KindRestore:        {},
}

func ids(names ...string) map[string]string {
	m := map[string]string{}
	for _, n := range names {
		m[n] = n + "-1"
	}
	return m
}

func least(k ledger.Kind) ledger.Entry {
	e := kinds[k]
	e.Kind, e.At = k, 1
	// The tests change what they get.
	e.IDs, e.Digests, e.Versions = maps.Clone(e.IDs), maps.Clone(e.Digests), maps.Clone(e.Versions)
	return e
}

// full uses every member.
func full(t testing.TB) ledger.Entry {
	c, err := ledger.Commit(ledger.Salt{1}, []byte(`{"amount":12}`))
	if err != nil {
		t.Fatal(err)
	}
	return ledger.Entry{
		Kind: ledger.KindEvent, At: 1764540000123456, Gate: "refunds", Act: "approve", Verdict: verdict.RouteToHuman,
		IDs:    map[string]string{"item": "0192d8a0-0000-7000-8000-000000000001", "event": "e-2"},
		Person: "u-7", Known: ledger.KnownOIDC, Statement: "line\none \"é\" \u2028 \x00\x7f <&>",
		Versions: map[string]string{"engine": "pawl/0.1.0", "policy": "3"}, Digests: map[string]string{"action": digest},
		Numbers: map[string]int64{"version": 4, "low": -(1<<53 - 1), "high": 1<<53 - 1, "zero": 0}, Commitments: map[string]ledger.Commitment{"action": c},
	}
}

func TestLeafIsCanonicalJSON(t *testing.T) {
	e := full(t)
	leaf, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"act":"approve","at":1764540000123456,"commitments":{"action":"767f5c6133edde0bb57a3ae02373a9f1ffd9d7857382d05852d68de844290d98"},` +
		`"digests":{"action":"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},"gate":"refunds",` +
		`"ids":{"event":"e-2","item":"0192d8a0-0000-7000-8000-000000000001"},"kind":"event","known":"oidc",` +
		`"numbers":{"high":9007199254740991,"low":-9007199254740991,"version":4,"zero":0},"person":"u-7",` +
		`"statement":"line\none \"é\" ` + "\u2028" + ` \u0000` + "\x7f" + ` <&>","v":1,"verdict":"route_to_human","versions":{"engine":"pawl/0.1.0","policy":"3"}}`
	if d := cmp.Diff(want, string(leaf)); d != "" {
		t.Error(d)
	}
	canonical, err := source.Canonical(leaf)
	if err != nil || !bytes.Equal(canonical, leaf) {
		t.Errorf("the RFC 8785 form is %s, %v", canonical, err)
	}
}

func TestEveryKindIsKeptWithWhatItNeeds(t *testing.T) {
	for k := range kinds {
		e := least(k)
		leaf, err := e.Encode()
		if err != nil {
			t.Errorf("%s: %v", k, err)
			continue
		}
		got, err := ledger.Parse(leaf)
		if err != nil {
			t.Errorf("%s: %v", k, err)
		}
		if got.Kind != k {
			t.Errorf("%s: read as %s", k, got.Kind)
		}
	}
}

func TestEntryWithoutWhatItsKindNeedsIsRefused(t *testing.T) {
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		if k == ledger.KindSignInFailed || k == ledger.KindRestore {
			continue
		}
		e := ledger.Entry{Kind: k, At: 1}
		if _, err := e.Encode(); err == nil || !strings.Contains(err.Error(), "missing: an entry of kind "+string(k)) {
			t.Errorf("%s: %v", k, err)
		}
	}
}

func TestEntryThatCannotBeHeldIsRefusedByField(t *testing.T) {
	long := strings.Repeat("x", 257)
	for _, tt := range []struct {
		field string
		set   func(*ledger.Entry)
		want  string
	}{
		{"kind", func(e *ledger.Entry) { e.Kind = "" }, "no kind"},
		{"kind", func(e *ledger.Entry) { e.Kind = "Event" }, "no kind"},
		{"at", func(e *ledger.Entry) { e.At = 0 }, "isn't a time"},
		{"at", func(e *ledger.Entry) { e.At = -1 }, "isn't a time"},
		{"at", func(e *ledger.Entry) { e.At = 1 << 53 }, "isn't a time"},
		{"verdict", func(e *ledger.Entry) { e.Verdict = "approve" }, "no verdict"},
		{"gate", func(e *ledger.Entry) { e.Gate = long }, "257 bytes"},
		{"gate", func(e *ledger.Entry) { e.Gate = "a\xff" }, "UTF-8"},
		{"act", func(e *ledger.Entry) { e.Act = "Approve" }, "no act"},
		{"act", func(e *ledger.Entry) { e.Act = "ap prove" }, "no act"},
		{"act", func(e *ledger.Entry) { e.Act = strings.Repeat("x", 33) }, "no act"},
		{"person", func(e *ledger.Entry) { e.Person = long }, "257 bytes"},
		{"person", func(e *ledger.Entry) { e.Person = "\xed\xa0\x80" }, "UTF-8"}, // a lone surrogate
		{"known", func(e *ledger.Entry) { e.Known = "" }, "how the person was known"},
		{"known", func(e *ledger.Entry) { e.Known = "trust_me" }, "no way to know"},
		{"known", func(e *ledger.Entry) { e.Person = ledger.System }, "no person"},
		{"ids", func(e *ledger.Entry) { e.IDs["Item"] = "x" }, "no name"},
		{"ids", func(e *ledger.Entry) { e.IDs[""] = "x" }, "no name"},
		{"ids", func(e *ledger.Entry) { e.IDs["ité"] = "x" }, "no name"},
		{"ids", func(e *ledger.Entry) {
			for i := range 17 {
				e.IDs[fmt.Sprintf("i%d", i)] = "x"
			}
		}, "members"},
		{"ids.event", func(e *ledger.Entry) { e.IDs["event"] = "" }, "empty"},
		{"ids.event", func(e *ledger.Entry) { e.IDs["event"] = long }, "257 bytes"},
		{"versions.engine", func(e *ledger.Entry) { e.Versions["engine"] = "\x80" }, "UTF-8"},
		{"digests.action", func(e *ledger.Entry) { e.Digests["action"] = strings.ToUpper(digest) }, "no digest"},
		{"digests.action", func(e *ledger.Entry) { e.Digests["action"] = digest[:70] }, "no digest"},
		{"numbers.version", func(e *ledger.Entry) { e.Numbers["version"] = 1 << 53 }, "2^53-1"},
		{"numbers.version", func(e *ledger.Entry) { e.Numbers["version"] = math.MinInt64 }, "2^53-1"},
		{"commitments.action", func(e *ledger.Entry) { e.Commitments["action"] = ledger.Commitment{} }, "zero"},
		{"statement", func(e *ledger.Entry) { e.Statement = strings.Repeat("x", 1537) }, "1537 bytes"},
		{"statement", func(e *ledger.Entry) { e.Statement = strings.Repeat("\x00", 1000) }, "the most is 2048"},
		{"ids", func(e *ledger.Entry) {
			for i := range 12 {
				e.IDs[fmt.Sprintf("i%d", i)] = long[:200]
			}
		}, "the most is 2048"},
	} {
		e := full(t)
		tt.set(&e)
		leaf, err := e.Encode()
		var fe *ledger.FieldError
		if leaf != nil || !errors.As(err, &fe) || fe.Field != tt.field || !strings.Contains(fe.Message, tt.want) {
			t.Errorf("%s, %s: got %s, %v", tt.field, tt.want, leaf, err)
		}
	}
}

func TestEverythingThatIsWrongIsSaid(t *testing.T) {
	e := full(t)
	e.At, e.Known, e.IDs["X"] = 0, "", "y"
	_, err := e.Encode()
	for _, want := range []string{"at:", "known:", "ids:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v doesn't name %s", err, want)
		}
	}
}

func TestParseTakesCanonicalLeavesOnly(t *testing.T) {
	const ok = `{"at":1,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`
	if _, err := ledger.Parse([]byte(ok)); err != nil {
		t.Fatal(err)
	}
	for name, leaf := range map[string]string{
		"nothing":            ``,
		"null":               `null`,
		"a list":             `[]`,
		"a blank":            `{"at":1, "gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"a newline after it": ok + "\n",
		"another value":      ok + "{}",
		"another order":      `{"gate":"g","at":1,"kind":"decision","v":1,"verdict":"auto_apply"}`,
		"an escape":          `{"at":1,"gate":"\u0067","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"a fraction":         `{"at":1.0,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"an exponent":        `{"at":1e0,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"a huge number":      `{"at":9223372036854775808,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"a member twice":     `{"at":1,"at":1,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"an unknown member":  `{"at":1,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply","x":1}`,
		"an empty text":      `{"act":"","at":1,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"an empty object":    `{"at":1,"gate":"g","ids":{},"kind":"decision","v":1,"verdict":"auto_apply"}`,
		"a null":             `{"act":null,"at":1,"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"no version":         `{"at":1,"gate":"g","kind":"decision","verdict":"auto_apply"}`,
		"version 2":          `{"at":1,"gate":"g","kind":"decision","v":2,"verdict":"auto_apply"}`,
		"no kind":            `{"at":1,"gate":"g","v":1,"verdict":"auto_apply"}`,
		"a wrong type":       `{"at":"1","gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"a list of ids":      `{"at":1,"gate":"g","ids":["a"],"kind":"decision","v":1,"verdict":"auto_apply"}`,
		"a short commitment": `{"at":1,"commitments":{"a":"00"},"gate":"g","kind":"decision","v":1,"verdict":"auto_apply"}`,
		"not UTF-8":          "{\"at\":1,\"gate\":\"\xff\",\"kind\":\"decision\",\"v\":1,\"verdict\":\"auto_apply\"}",
		"too long":           ok + strings.Repeat(" ", ledger.MaxLeaf),
	} {
		if e, err := ledger.Parse([]byte(leaf)); err == nil {
			t.Errorf("%s: read as %+v", name, e)
		}
	}
}

func drawEntry(t *rapid.T) ledger.Entry {
	e := least(rapid.SampledFrom(slices.Sorted(maps.Keys(kinds))).Draw(t, "kind"))
	text := rapid.StringN(1, 20, 60)
	name := rapid.StringMatching(`[a-z][a-zA-Z0-9_]{0,8}`)
	e.At = rapid.Int64Range(1, 1<<53-1).Draw(t, "at")
	if rapid.Bool().Draw(t, "more") {
		e.Gate, e.Statement = text.Draw(t, "gate"), text.Draw(t, "statement")
		e.Person, e.Known = text.Draw(t, "person"), ledger.KnownOIDC
		if e.IDs == nil {
			e.IDs = map[string]string{}
		}
		maps.Copy(e.IDs, rapid.MapOfN(name, text, 0, 4).Draw(t, "ids"))
		e.Numbers = rapid.MapOfN(name, rapid.Int64Range(-(1<<53-1), 1<<53-1), 1, 4).Draw(t, "numbers")
		if len(e.IDs) == 0 {
			e.IDs = nil
		}
		c, err := ledger.Commit(ledger.Salt{1}, []byte(text.Draw(t, "body")))
		if err != nil {
			t.Fatal(err)
		}
		e.Commitments = map[string]ledger.Commitment{name.Draw(t, "commitment"): c}
	}
	return e
}

func TestParseUndoesEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEntry(t)
		leaf, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := ledger.Parse(leaf)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, got); d != "" {
			t.Fatal(d)
		}
		if canonical, err := source.Canonical(leaf); err != nil || !bytes.Equal(canonical, leaf) {
			t.Fatalf("%s isn't canonical: %s, %v", leaf, canonical, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for k := range kinds {
		e := least(k)
		leaf, err := e.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(leaf)
	}
	e := full(f)
	leaf, err := e.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(leaf)
	f.Fuzz(func(t *testing.T, leaf []byte) {
		e, err := ledger.Parse(leaf)
		if err != nil {
			return
		}
		again, err := e.Encode()
		if err != nil || !bytes.Equal(again, leaf) {
			t.Errorf("%q is read and written as %q, %v", leaf, again, err)
		}
		if canonical, err := source.Canonical(leaf); err != nil || !bytes.Equal(canonical, leaf) {
			t.Errorf("%q is taken, its canonical form is %q, %v", leaf, canonical, err)
		}
		if bytes.ContainsAny(leaf, "\n\r") {
			t.Errorf("%q has more than one line", leaf)
		}
	})
}

func TestCommitmentIsOfSaltAndBody(t *testing.T) {
	salt, body := ledger.Salt{1, 2, 3}, []byte(`{"amount":12}`)
	c, err := ledger.Commit(salt, body)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Check(salt, body) {
		t.Error("refuses its own body")
	}
	if c.Check(ledger.Salt{1, 2, 4}, body) || c.Check(salt, []byte(`{"amount":13}`)) || c.Check(salt, nil) || c.Check(ledger.Salt{}, body) {
		t.Error("takes another salt or body")
	}
	// The boundary between salt and body is fixed, so nothing can move over it.
	if other, _ := ledger.Commit(ledger.Salt{1, 2, 3}, append([]byte{0}, body...)); other == c {
		t.Error("two bodies have one commitment")
	}
	if p, err := ledger.ParseCommitment(c.String()); err != nil || p != c {
		t.Errorf("%s is read as %s, %v", c, p, err)
	}
	for _, s := range []string{"", c.String()[1:], strings.ToUpper(c.String()), c.String() + "0", "z" + c.String()[1:]} {
		if _, err := ledger.ParseCommitment(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
}

func TestSaltOfZerosIsRefused(t *testing.T) {
	if _, err := ledger.Commit(ledger.Salt{}, []byte("x")); err == nil {
		t.Error("taken")
	}
	if (ledger.Commitment{}).Check(ledger.Salt{1}, nil) {
		t.Error("the zero commitment holds something")
	}
}

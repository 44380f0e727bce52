package evidence_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// testdata/make.sh made the envelope with openssl, and without any of our code.
func TestOpenReadsWhatOpenSSLSigned(t *testing.T) {
	_, key := signing(t)
	_, other := another(1)
	want := promotion.Evidence{
		Inputs: promotion.Inputs{
			Oracle: promotion.OracleIsolated, Gate2: promotion.Gate2Positive, Gate4Armed: promotion.Yes, TouchesIrreversibleTool: promotion.No,
			StatisticsPresent: promotion.Yes, ConcurringSignals: []string{"unit_tests", "canary"},
		},
		Digest: digest, Key: key.ID, Expires: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	for name, keys := range map[string][]promotion.Key{"alone": {key}, "first": {key, other}, "last": {other, key}, "twice": {key, key}} {
		got := evidence.Open(readFile(t, "envelope.json"), keys, digest, now)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOpenSSLVerifiesWhatSignSigned(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Log("there is no openssl: the envelope of testdata has to do")
		return
	}
	private, _ := another(7)
	envelope, err := evidence.Sign(readFile(t, "statement.json"), private)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(envelope), `"sig":"`)
	sig, err := base64.StdEncoding.DecodeString(after[:strings.IndexByte(after, '"')])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, key := another(7)
	for name, text := range map[string][]byte{"key": key.PEM(), "sig": sig, "pae": dsse.PAE(promotion.EvidencePayload, readFile(t, "statement.json"))} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), openssl, "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "key", "-sigfile", "sig", "-in", "pae")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Each way in which evidence can fail to count has a text of its own, and
// through Judge each needs a person.
func TestEvidenceThatDoesNotCountSaysWhyAndNeedsAPerson(t *testing.T) {
	private, key := signing(t)
	stranger, _ := another(1)
	whole := string(readFile(t, "statement.json"))
	artefact := &promotion.Artefact{Name: "tidy", Files: []promotion.File{{
		Path: "SKILL.md", Data: []byte("---\nname: tidy\ndescription: Tidies.\nallowed-tools: [Read]\n---\n\nLook at the notes.\n"),
	}}}
	snapshot, err := artefact.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	statement := strings.Replace(whole, digest[len("sha256:"):], snapshot.Digest[len("sha256:"):], 1)
	sign := func(statement string) string {
		envelope, err := evidence.Sign([]byte(statement), private)
		if err != nil {
			t.Fatal(err)
		}
		return string(envelope)
	}
	replace := func(old, with string) string {
		if !strings.Contains(statement, old) {
			t.Fatalf("%q isn't there", old)
		}
		return strings.Replace(statement, old, with, 1)
	}
	payload := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	good := sign(statement)
	edit := func(old, with string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q isn't there", old)
		}
		return strings.Replace(good, old, with, 1)
	}
	last := good[strings.Index(good, `=="}]}`)-1:][:1] // its lowest bits are 0 and not part of the signature
	foreign, err := evidence.Sign([]byte(statement), stranger)
	if err != nil {
		t.Fatal(err)
	}
	f, err := policy.ParseFiles("p.yaml", []byte("pawl: v1\ngate: skills\nkind: promotion\nevidence_keys: [k.pub]\nenableAutoApply: true\n"), fstest.MapFS{"k.pub": {Data: key.PEM()}})
	if err != nil {
		t.Fatal(err)
	}
	keys := f.Promotion.Keys()
	for _, c := range []struct {
		name, envelope string
		keys           []promotion.Key
		digest         string
		now            time.Time
		want           string // empty: it counts
	}{
		{"it counts", good, keys, snapshot.Digest, now, ""},
		{"without the key's id", edit(`"keyid":"`+key.ID+`",`, ""), keys, snapshot.Digest, now, ""},
		{"with another key's id", edit(key.ID, strings.Repeat("0", 64)), keys, snapshot.Digest, now, ""},
		{"beside a stranger's signature", edit(`"signatures":[`, `"signatures":[`+string(foreign[bytes.Index(foreign, []byte(`{"keyid"`)):len(foreign)-2])+`,`), keys, snapshot.Digest, now, ""},
		{"for two snapshots", sign(replace(`"subject": [`, `"subject": [{"digest": {"sha256": "`+strings.Repeat("0", 64)+`"}}, `)), keys, snapshot.Digest, now, ""},

		{"missing", "", keys, snapshot.Digest, now, "there is no evidence"},
		{"blank", " \n", keys, snapshot.Digest, now, "there is no evidence"},
		{"no listed key", good, nil, snapshot.Digest, now, "the policy lists no evidence key, so that nobody can sign any"},
		{"not JSON", "hello", keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: "},
		{"a bare statement", statement, keys, snapshot.Digest, now, `the evidence isn't a DSSE envelope: it has no member "_type"`},
		{"a list", "[]", keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: it must be an object, not a list"},
		{"text after it", good + "x", keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: "},
		{"a member twice", edit(`{"payloadType"`, `{"payload":"","payloadType"`), keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: "},
		{"an unknown member", edit(`{"payloadType"`, `{"x":"","payloadType"`), keys, snapshot.Digest, now, `the evidence isn't a DSSE envelope: it has no member "x"`},
		{"an unknown member of a signature", edit(`{"keyid"`, `{"cert":"","keyid"`), keys, snapshot.Digest, now, `the evidence isn't a DSSE envelope: a signature has no member "cert"`},
		{"no payload", `{"payloadType":"x","signatures":[]}`, keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: payload is missing"},
		{"no payload type", `{"payload":"","signatures":[]}`, keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: payloadType is missing"},
		{"a payload that is no text", `{"payloadType":"x","payload":5,"signatures":[]}`, keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: payload must be a string, not a number"},
		{"no signatures", `{"payloadType":"x","payload":""}`, keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: signatures must be a list"},
		{"a signature that is no object", `{"payloadType":"x","payload":"","signatures":[""]}`, keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: a signature must be an object, not a string"},
		{"a signature without itself", `{"payloadType":"x","payload":"","signatures":[{}]}`, keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: sig is missing"},
		{"a keyid that is no text", edit(`"keyid":"`+key.ID+`"`, `"keyid":5`), keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: keyid must be a string, not a number"},
		{"too many signatures", `{"payloadType":"x","payload":"","signatures":[` + strings.Repeat(`{"sig":""},`, 16) + `{"sig":""}]}`, keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: it has more than 16 signatures, which are allowed"},
		{"too large", good + strings.Repeat(" ", 1<<20), keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: it has more than 1048576 bytes, which are allowed"},
		{"a payload in URL-safe base64", edit(payload(statement), base64.URLEncoding.EncodeToString([]byte(statement+"\xff\xff\xff"))), keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: payload isn't standard base64"},
		{"a payload without padding", edit(payload(statement), base64.RawStdEncoding.EncodeToString([]byte(statement+strings.Repeat(" ", 1+len(statement)%3*2)))), keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: payload isn't standard base64"},
		{"a payload with a line break", edit(payload(statement)[:8], payload(statement)[:8]+`\n`), keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: payload isn't standard base64"},
		{"a signature with bits after its end", edit(last+`=="}]}`, string(last[0]+1)+`=="}]}`), keys, snapshot.Digest, now, "the evidence isn't a DSSE envelope: sig isn't standard base64"},
		{"unsigned", good[:strings.Index(good, `[{"keyid"`)] + "[]}", keys, snapshot.Digest, now, "the evidence is unsigned"},
		{"another payload type", raw(private, "text/plain", statement), keys, snapshot.Digest, now, `the envelope is no evidence: its payload type is "text/plain", not "application/vnd.in-toto+json"`},
		{"another payload type than was signed", strings.Replace(raw(private, "text/plain", statement), "text/plain", promotion.EvidencePayload, 1), keys, snapshot.Digest, now, "no key that the policy lists has signed the evidence"},
		{"signed by a stranger", string(foreign), keys, snapshot.Digest, now, "no key that the policy lists has signed the evidence"},
		{"signed by a stranger under a listed id", strings.Replace(string(foreign), `"keyid":"`, `"keyid":"`+key.ID, 1), keys, snapshot.Digest, now, "no key that the policy lists has signed the evidence"},
		{"another payload than was signed", edit(payload(statement), payload(replace("true", "false"))), keys, snapshot.Digest, now, "no key that the policy lists has signed the evidence"},
		{"an empty signature", edit(good[strings.Index(good, `"sig"`):], `"sig":""}]}`), keys, snapshot.Digest, now, "no key that the policy lists has signed the evidence"},
		{
			"another predicate", raw(private, promotion.EvidencePayload, replace("promotion-evidence/v1", "provenance/v1")), keys, snapshot.Digest, now,
			`the signed statement is of another kind: it is no evidence for a promotion: predicateType is "https://pawl.dev/provenance/v1", not "https://pawl.dev/promotion-evidence/v1"`,
		},
		{"a malformed statement", raw(private, promotion.EvidencePayload, replace(`"gate4Armed": true`, `"gate4Armed": 1`)), keys, snapshot.Digest, now, "the signed statement is malformed: predicate: "},
		{"a statement with a tripwire", raw(private, promotion.EvidencePayload, replace(`"gate4Armed"`, `"tripwire": {"escalate": false}, "gate4Armed"`)), keys, snapshot.Digest, now, "the signed statement is malformed: predicate can't hold a tripwire"},
		{"an empty statement", raw(private, promotion.EvidencePayload, ""), keys, snapshot.Digest, now, "the signed statement is malformed: "},
		{"no snapshot", good, keys, "", now, "the artefact has no snapshot digest, so that no evidence can be for it"},
		{"for another snapshot", sign(whole), keys, snapshot.Digest, now, "the evidence is for another snapshot: for " + digest + ", and this one is " + snapshot.Digest},
		{"expired to the instant", good, keys, snapshot.Digest, now.Add(time.Nanosecond), "the evidence expired at 2026-12-31T00:00:00Z"},
		{"expired long ago", good, keys, snapshot.Digest, now.AddDate(10, 0, 0), "the evidence expired at 2026-12-31T00:00:00Z"},
	} {
		ev := evidence.Open([]byte(c.envelope), c.keys, c.digest, c.now)
		r := f.Promotion.Judge(artefact, &ev)
		if c.want == "" {
			if ev.Fault != "" || ev.Key != key.ID || r.Verdict != verdict.AutoApply {
				t.Errorf("%s: %q, %s", c.name, ev.Fault, r.AppendJSON(nil))
			}
			continue
		}
		if !strings.HasPrefix(ev.Fault, c.want) {
			t.Errorf("%s: %q, want %q", c.name, ev.Fault, c.want)
		}
		if diff := cmp.Diff(promotion.Evidence{Fault: ev.Fault, Malformed: strings.Contains(c.want, "isn't a DSSE") || strings.Contains(c.want, "malformed")}, ev); diff != "" {
			t.Errorf("%s: evidence that doesn't count says something:\n%s", c.name, diff)
		}
		if r.Terminal != promotion.NeedsHuman || r.Verdict != verdict.RouteToHuman || r.Evidence.Fault != ev.Fault || len(r.Stops) != 6 {
			t.Errorf("%s: %s", c.name, r.AppendJSON(nil))
		}
	}
}

// The library prints to standard output if two keys have one id; and a list
// that holds a key twice, or what is no key, is a list without it.
func TestOpenPassesOverWhatIsNoKey(t *testing.T) {
	_, key := signing(t)
	envelope := readFile(t, "envelope.json")
	_, other := another(1)
	other.ID = key.ID
	for name, c := range map[string]struct {
		keys   []promotion.Key
		counts bool
	}{
		"an empty key":                    {[]promotion.Key{{}}, false},
		"a short key":                     {[]promotion.Key{{ID: "a", Public: key.Public[1:]}}, false},
		"an empty key before the right":   {[]promotion.Key{{}, key}, true},
		"two of an id, the right one 2nd": {[]promotion.Key{other, key}, false},
		"a thousand others":               {append(many(1000), key), true},
	} {
		ev := evidence.Open(envelope, c.keys, digest, now)
		if (ev.Fault == "") != c.counts {
			t.Errorf("%s: %q", name, ev.Fault)
		}
	}
}

func many(n int) (keys []promotion.Key) {
	for range n {
		_, key := another(9)
		key.ID += string(rune('a' + len(keys)))
		keys = append(keys, key)
	}
	return keys
}

func FuzzOpen(f *testing.F) {
	private, key := signing(f)
	stranger, _ := another(1)
	f.Add(readFile(f, "envelope.json"))
	f.Add([]byte(raw(stranger, promotion.EvidencePayload, string(readFile(f, "statement.json")))))
	f.Add([]byte(raw(private, "x", "{}")))
	f.Add([]byte(`{"payloadType":"application/vnd.in-toto+json","payload":"","signatures":[{"keyid":"","sig":""}]}`))
	f.Fuzz(func(t *testing.T, envelope []byte) {
		ev := evidence.Open(envelope, []promotion.Key{key}, digest, now)
		if ev.Fault != "" {
			if diff := cmp.Diff(promotion.Evidence{Fault: ev.Fault, Malformed: ev.Malformed}, ev); diff != "" {
				t.Errorf("evidence that doesn't count says something:\n%s", diff)
			}
			return
		}
		// The fuzzer has no private key: it can only have moved what is around.
		want := evidence.Open(readFile(t, "envelope.json"), []promotion.Key{key}, digest, now)
		if diff := cmp.Diff(want, ev); diff != "" {
			t.Errorf("forged:\n%s", diff)
		}
	})
}

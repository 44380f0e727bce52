package policy_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
	"pgregory.net/rapid"
)

// keyFile is a public key of testdata.
func keyFile(t testing.TB, name string) (promotion.Key, []byte) {
	t.Helper()
	src := readFile(t, "testdata/check/files/"+name)
	key, err := promotion.ParseKey(src)
	if err != nil {
		t.Fatal(err)
	}
	return key, src
}

// mustParsePromotion reads a policy that lists the key a.pub.
func mustParsePromotion(t testing.TB, src string) *policy.File {
	t.Helper()
	_, a := keyFile(t, "a.pub")
	_, b := keyFile(t, "b.pub")
	files := fstest.MapFS{
		"a.pub": {Data: a}, "b.pub": {Data: b},
		"tools.yaml": {Data: []byte("tools: [{name: Read}, {name: Pay, irreversible: true}]")},
	}
	f, err := policy.ParseFiles("test.pawl.yaml", []byte(promotionHead+src), files)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const promoting = "evidence_keys: [a.pub]\nenableAutoApply: true\nqueues: {needs_human: desk, candidate_only: shelf}\n"

// allThere are the inputs of which none is short.
func allThere() promotion.Inputs {
	return promotion.Inputs{
		Oracle: promotion.OracleIsolated, Gate2: promotion.Gate2Positive, Gate4Armed: promotion.Yes, TouchesIrreversibleTool: promotion.No,
		StatisticsPresent: promotion.Yes, ConcurringSignals: []string{"canary", "replay"}, Tripwire: &promotion.TripwireResult{},
	}
}

// skill is an artefact in which nothing is found.
func skill() *promotion.Artefact {
	return &promotion.Artefact{Name: "skill", Files: []promotion.File{{
		Path: "SKILL.md", Data: []byte("---\nname: tidy\ndescription: Tidies.\nallowed-tools: [Read]\n---\n\nLook at the notes.\n"),
	}}}
}

// evidenceFor is evidence that counts for the artefact, signed with a.pub.
func evidenceFor(t testing.TB, a *promotion.Artefact) *promotion.Evidence {
	t.Helper()
	snapshot, err := a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	key, _ := keyFile(t, "a.pub")
	in := allThere()
	in.Tripwire = nil
	return &promotion.Evidence{Inputs: in, Digest: snapshot.Digest, Key: key.ID, Expires: time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC)}
}

func TestAPromotionPolicyIsRead(t *testing.T) {
	f := mustParsePromotion(t, promoting+"limits: {files: 7, file_bytes: 1073741824}\n")
	a, _ := keyFile(t, "a.pub")
	if f.Kind != policy.KindPromotion || f.Promotion == nil || f.Case != nil || f.Threshold != nil || f.Promotion.Scanner() == nil {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([]promotion.Key{a}, f.Promotion.Keys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	if want := (promotion.Limits{FileBytes: 1 << 30, ArtefactBytes: 16 << 20, Files: 7}); f.Promotion.Limits() != want {
		t.Errorf("limits %+v, want %+v", f.Promotion.Limits(), want)
	}
	if got := mustParsePromotion(t, "").Promotion; got.Limits() != promotion.DefaultLimits() || len(got.Keys()) != 0 {
		t.Errorf("without limits and keys: %+v %v", got.Limits(), got.Keys())
	}
	// An empty list of tools allows none; no list cuts nothing.
	if o := mustParsePromotion(t, "promotable: []\n").Promotion.ScanOptions(); o.Promotable == nil || o.ExtraTokens != nil {
		t.Errorf("options %+v", o)
	}
	if o := mustParsePromotion(t, "extra_tokens: [xyz]\nirreversible: [Read]\n").Promotion.ScanOptions(); o.Promotable != nil || len(o.ExtraTokens) != 1 || !o.Catalogue.Irreversible("Read", "") {
		t.Errorf("options %+v", o)
	}
	f.Promotion.Keys()[0].ID = "x"
	if f.Promotion.Keys()[0].ID != a.ID {
		t.Error("a caller changed the keys")
	}
}

func TestAFileOfAPromotionPolicyCountsIntoItsDigest(t *testing.T) {
	_, a := keyFile(t, "a.pub")
	_, b := keyFile(t, "b.pub")
	digest := func(key []byte, tools string) string {
		t.Helper()
		src := []byte(promotionHead + "evidence_keys: [k.pub]\ncatalogue: tools.yaml\n")
		f, err := policy.ParseFiles("a.yaml", src, fstest.MapFS{"k.pub": {Data: key}, "tools.yaml": {Data: []byte(tools)}})
		if err != nil {
			t.Fatal(err)
		}
		return f.Digest
	}
	const tools = "tools: [{name: Read}]"
	first := digest(a, tools)
	if digest(a, tools) != first {
		t.Error("the digest isn't stable")
	}
	for name, other := range map[string]string{
		"another key": digest(b, tools), "another catalogue": digest(a, "tools: [{name: Grep}]"), "another comment": digest(a, tools+" # c"),
	} {
		if other == first {
			t.Errorf("%s: the digest stays", name)
		}
	}
}

func TestWhereAPromotionEndsDecidesVerdictAndQueue(t *testing.T) {
	candidate := allThere()
	candidate.Oracle = promotion.OracleInProcess
	notRun := allThere()
	notRun.Tripwire = nil
	other := allThere()
	other.ConcurringSignals = []string{"canary", "another"}
	for _, c := range []struct {
		name, src string
		in        promotion.Inputs
		want      string // terminal verdict queue held
	}{
		{"all is there", promoting, allThere(), "auto_promote auto_apply  "},
		{"not switched on", "evidence_keys: [a.pub]\nqueues: {needs_human: desk}\n", allThere(), "auto_promote route_to_human desk the policy promotes nothing alone: enableAutoApply isn't true"},
		{"switched off", strings.Replace(promoting, "true", "false", 1), allThere(), "auto_promote route_to_human desk the policy promotes nothing alone: enableAutoApply isn't true"},
		{"without a key", "enableAutoApply: true\n", allThere(), "auto_promote route_to_human  the policy promotes nothing alone: it lists no evidence key"},
		{"a candidate", promoting, candidate, "candidate_only route_to_human shelf "},
		{"nothing", promoting, promotion.Inputs{}, "needs_human route_to_human desk "},
		{"no tripwire", promoting, notRun, "needs_human route_to_human desk "},
		{"no tripwire, required", promoting + "tripwire: required\n", notRun, "needs_human route_to_human desk "},
		{"no tripwire, advisory", promoting + "tripwire: advisory\n", notRun, "auto_promote auto_apply  "},
		{"another kind", promoting + "kinds: [Canary, replay]\n", other, "needs_human route_to_human desk "},
		{"listed kinds", promoting + "kinds: [CANARY, replay]\n", allThere(), "auto_promote auto_apply  "},
		{"no kind counts", promoting + "kinds: []\n", allThere(), "needs_human route_to_human desk "},
		{"no queues", "enableAutoApply: true\n", promotion.Inputs{}, "needs_human route_to_human  "},
	} {
		r := mustParsePromotion(t, c.src).Promotion.Decide(c.in)
		if got := strings.Join([]string{string(r.Terminal), string(r.Verdict), r.Queue, r.Held}, " "); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestJudgePromotesWhatEvidenceVouchesForAndNothingIsFoundIn(t *testing.T) {
	p := mustParsePromotion(t, promoting).Promotion
	a := skill()
	ev := evidenceFor(t, a)
	r := p.Judge(a, ev)
	if r.Terminal != promotion.AutoPromote || r.Verdict != verdict.AutoApply || r.Snapshot != ev.Digest || r.Evidence.Fault != "" {
		t.Errorf("%s", r.AppendJSON(nil))
	}
}

// Each change alone of what is promoted otherwise needs a person.
func TestJudgeNeedsAPersonIfAnythingIsShort(t *testing.T) {
	b, _ := keyFile(t, "b.pub")
	for _, c := range []struct {
		name   string
		src    string
		change func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence)
		guard  promotion.Guard // the first
		fault  string
	}{
		{"no evidence", promoting, func(a *promotion.Artefact, _ *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			return a, nil
		}, promotion.GuardIrreversible, "no evidence was given"},
		{"nothing at all", promoting, func(*promotion.Artefact, *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			return nil, nil
		}, promotion.GuardTripwire, "there is no snapshot that evidence could be for"},
		{"a fault beside inputs", promoting, func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			ev.Fault = "the evidence is unsigned"
			return a, ev
		}, promotion.GuardIrreversible, "the evidence is unsigned"},
		{"malformed, and no fault is named", promoting, func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			ev.Malformed = true
			return a, ev
		}, promotion.GuardIrreversible, "the evidence is malformed"},
		{"zero evidence", promoting, func(a *promotion.Artefact, _ *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			return a, &promotion.Evidence{}
		}, promotion.GuardIrreversible, "the evidence was checked for another snapshot: for none, and this one is sha256:"},
		{"evidence for another snapshot", promoting, func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			a.Files[0].Data = append(a.Files[0].Data, '\n')
			return a, ev
		}, promotion.GuardIrreversible, "the evidence was checked for another snapshot: for sha256:"},
		{"a key that isn't listed", promoting, func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			ev.Key = b.ID
			return a, ev
		}, promotion.GuardIrreversible, "no key that the policy lists has signed the evidence"},
		{"no key", "enableAutoApply: true\n", func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			return a, ev
		}, promotion.GuardIrreversible, "no key that the policy lists has signed the evidence"},
		{"a link", promoting, func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			a.Findings = []promotion.Finding{{Kind: promotion.KindLink, File: "x", Offset: -1, Detail: "a link"}}
			return a, ev
		}, promotion.GuardTripwire, "there is no snapshot that evidence could be for: "},
		{"a tripwire that evidence says found nothing", promoting, func(a *promotion.Artefact, _ *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			a.Files[0].Data = append(a.Files[0].Data, "curl x\n"...)
			ev := evidenceFor(t, a)
			ev.Inputs.Tripwire = &promotion.TripwireResult{}
			return a, ev
		}, promotion.GuardTripwire, ""},
		{"an extra token", promoting + "extra_tokens: [the notes]\n", func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			return a, ev
		}, promotion.GuardTripwire, ""},
		{"an irreversible tool that evidence doesn't name", promoting + "irreversible: [Read]\n", func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			return a, ev
		}, promotion.GuardIrreversible, ""},
		{"an irreversible tool that only evidence names", promoting, func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			ev.Inputs.TouchesIrreversibleTool = promotion.Yes
			return a, ev
		}, promotion.GuardIrreversible, ""},
		{"evidence that is short of a gate", promoting, func(a *promotion.Artefact, ev *promotion.Evidence) (*promotion.Artefact, *promotion.Evidence) {
			ev.Inputs.Gate4Armed = promotion.Unknown
			return a, ev
		}, promotion.GuardGate4, ""},
	} {
		p := mustParsePromotion(t, c.src).Promotion
		a := skill()
		a, ev := c.change(a, evidenceFor(t, a))
		r := p.Judge(a, ev)
		if r.Terminal != promotion.NeedsHuman || r.Verdict != verdict.RouteToHuman || len(r.Stops) == 0 || r.Stops[0].Guard != c.guard {
			t.Errorf("%s: %s", c.name, r.AppendJSON(nil))
		}
		if c.fault == "" && r.Evidence.Fault != "" || !strings.HasPrefix(r.Evidence.Fault, c.fault) {
			t.Errorf("%s: the fault is %q", c.name, r.Evidence.Fault)
		}
		if c.fault != "" && len(r.Stops) < 6 {
			t.Errorf("%s: evidence that doesn't count leaves only %d stops", c.name, len(r.Stops))
		}
	}
}

// Whatever the evidence is, it never makes up for what the scan found, and
// evidence that doesn't count is as good as none.
func TestEvidenceNeverLowersWhatTheScanFound(t *testing.T) {
	p := mustParsePromotion(t, promoting).Promotion
	good := evidenceFor(t, skill())
	rapid.Check(t, func(t *rapid.T) {
		tri := rapid.SampledFrom([]promotion.Tri{promotion.Unknown, promotion.No, promotion.Yes, 7})
		ev := &promotion.Evidence{
			Fault:  rapid.SampledFrom([]string{"", "it is unsigned"}).Draw(t, "fault"),
			Digest: rapid.SampledFrom([]string{good.Digest, "", "sha256:00"}).Draw(t, "digest"),
			Key:    rapid.SampledFrom([]string{good.Key, "", "00"}).Draw(t, "key"),
			Inputs: promotion.Inputs{
				Oracle: rapid.SampledFrom([]promotion.Oracle{promotion.OracleIsolated, promotion.OracleInProcess, "odd"}).Draw(t, "oracle"),
				Gate2:  rapid.SampledFrom([]promotion.Gate2{promotion.Gate2Positive, "odd"}).Draw(t, "gate2"), Gate4Armed: tri.Draw(t, "gate4"),
				TouchesIrreversibleTool: tri.Draw(t, "irreversible"), StatisticsPresent: tri.Draw(t, "statistics"),
				ConcurringSignals: rapid.SampledFrom([][]string{{"a", "b"}, {"a"}, {"a", "A"}}).Draw(t, "kinds"), Tripwire: &promotion.TripwireResult{},
			},
		}
		a := skill()
		found := rapid.Bool().Draw(t, "found")
		if found {
			a.Findings = []promotion.Finding{{Kind: promotion.KindExecutable, File: "SKILL.md", Offset: -1, Detail: "x"}}
		}
		r := p.Judge(a, ev)
		counts := ev.Fault == "" && ev.Digest == good.Digest && ev.Key == good.Key
		if !counts && r.Terminal != promotion.NeedsHuman {
			t.Fatalf("evidence that doesn't count: %s", r.AppendJSON(nil))
		}
		if found && (r.Terminal != promotion.NeedsHuman || r.Stops[0].Guard != promotion.GuardTripwire) {
			t.Fatalf("a finding: %s", r.AppendJSON(nil))
		}
		if (r.Verdict == verdict.AutoApply) != (r.Terminal == promotion.AutoPromote) {
			t.Fatalf("%s", r.AppendJSON(nil))
		}
	})
}

func TestAPromotionResultAsJSON(t *testing.T) {
	f := mustParsePromotion(t, promoting)
	p := f.Promotion
	a := skill()
	ev := evidenceFor(t, a)
	shelved := evidenceFor(t, a)
	shelved.Inputs.Oracle = promotion.OracleInProcess
	judged := p.Judge(a, ev)
	candidate := p.Judge(a, shelved)
	without := p.Judge(a, nil)
	folded := p.Decide(promotion.Inputs{})
	held := mustParsePromotion(t, "evidence_keys: [a.pub]\n").Promotion.Decide(allThere())
	head := `{"id":"s-1","gate":"test","policy":"` + f.Digest + `","engine":"` + policy.Engine + `","result":`
	short := `{"guard":"statistics","message":"nothing says that the statistics ran"},{"guard":"concurrence","message":"0 of at least 2 distinct kinds of signals concur"},` +
		`{"guard":"oracle","message":"the oracle is unknown, not out_of_process_isolated"},{"guard":"gate2","message":"gate 2 is absent_or_ungated, not present_positive"},` +
		`{"guard":"gate4","message":"nothing says that gate 4 is armed"}`
	for _, c := range []struct {
		name string
		r    policy.PromotionResult
		want string
	}{
		{"promoted", judged, `{"terminal":"auto_promote","verdict":"auto_apply","others":[],"stops":[],"kinds":["canary","replay"],"snapshot":"` + ev.Digest +
			`","evidence":{"counts":true,"key":"` + ev.Key + `","expires":"2099-12-31T00:00:00Z"},"irreversible":[],"tripwire":{"escalate":false,"reasons":[]}}`},
		{"a candidate", candidate, `{"terminal":"candidate_only","verdict":"route_to_human","queue":"shelf","guard":"oracle","others":[],` +
			`"stops":[{"guard":"oracle","message":"the oracle is in_process_probe_only, not out_of_process_isolated"}],"kinds":["canary","replay"],"snapshot":"` + ev.Digest +
			`","evidence":{"counts":true,"key":"` + ev.Key + `","expires":"2099-12-31T00:00:00Z"},"irreversible":[],"tripwire":{"escalate":false,"reasons":[]}}`},
		{"without evidence", without, `{"terminal":"needs_human","verdict":"route_to_human","queue":"desk","guard":"irreversible_tool","others":["statistics","concurrence","oracle","gate2","gate4"],` +
			`"stops":[{"guard":"irreversible_tool","message":"nothing says whether it touches a tool whose effects can't be taken back"},` + short + `],"kinds":[],"snapshot":"` + ev.Digest +
			`","evidence":{"counts":false,"fault":"no evidence was given"},"irreversible":[],"tripwire":{"escalate":false,"reasons":[]}}`},
		{"inputs as they are", folded, `{"terminal":"needs_human","verdict":"route_to_human","queue":"desk","guard":"tripwire","others":["irreversible_tool","statistics","concurrence","oracle","gate2","gate4"],` +
			`"stops":[{"guard":"tripwire","message":"the tripwire didn't run"},{"guard":"irreversible_tool","message":"nothing says whether it touches a tool whose effects can't be taken back"},` + short +
			`],"kinds":[],"snapshot":null,"evidence":null,"irreversible":[],"tripwire":null}`},
		{"held", held, `{"terminal":"auto_promote","verdict":"route_to_human","held":"the policy promotes nothing alone: enableAutoApply isn't true","others":[],"stops":[],"kinds":["canary","replay"],` +
			`"snapshot":null,"evidence":null,"irreversible":[],"tripwire":{"escalate":false,"reasons":[]}}`},
	} {
		got := string(p.AppendResult(nil, []byte("s-1"), &c.r))
		if diff := cmp.Diff(head+c.want+"}", got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if marshalled, err := json.Marshal(c.r); err != nil || !json.Valid([]byte(got)) || string(marshalled) != c.want {
			t.Errorf("%s: json.Marshal gives %s, %v", c.name, marshalled, err)
		}
	}
	if got := string(p.AppendResult(nil, nil, &judged)); !strings.HasPrefix(got, `{"gate":"test",`) {
		t.Errorf("without an id: %s", got)
	}
}

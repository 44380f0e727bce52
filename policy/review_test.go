package policy_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pawlgate/pawl/policy"
)

// allOfReview is every key that says how decisions become binding.
const allOfReview = `two_people: false
mode: shadow
ramp: 0.25%
review:
  approvals: 2
  rejections: 3
  count_asserted: true
  lease: 10m
  permit_life: 1h30m
  deadline: 48h
  escalate: [{after: 4h, to: leads}, {after: 1h0m0s, to: x}]
  editable: [/amount, /lines/0, /a~1b, ""]
  action_schema: action.json
  reasons: {reject: [fraud, mistake], hold: [waiting]}
  join: same_action
  executors: [shop, till]
`

var actionFiles = fstest.MapFS{
	"action.json": {Data: []byte(`{"type": "object", "required": ["amount"], "properties": {"amount": {"type": "number", "maximum": 1000}}}`)},
}

// The same keys mean the same for all three kinds.
func TestReviewIsReadForEveryKind(t *testing.T) {
	body := strings.Replace(allOfReview, "1h0m0s", "5h", 1)
	want := policy.Review{
		Approvals: 2, Rejections: 3, CountAsserted: true,
		Lease: 10 * time.Minute, PermitLife: 90 * time.Minute, Deadline: 48 * time.Hour,
		Escalate:       []policy.Step{{After: 4 * time.Hour, To: "leads"}, {After: 5 * time.Hour, To: "x"}},
		Editable:       []string{"/amount", "/lines/0", "/a~1b", ""},
		Reasons:        map[string][]string{"reject": {"fraud", "mistake"}, "hold": {"waiting"}},
		JoinSameAction: true,
		Executors:      []string{"shop", "till"},
	}
	for kind, src := range heads {
		f, err := policy.ParseFiles("a.yaml", []byte(src+body), actionFiles)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if diff := cmp.Diff(want, f.Review, cmpopts.IgnoreFields(policy.Review{}, "ActionSchema")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		if f.TwoPeople || !f.Shadow || f.Ramp != 25 {
			t.Errorf("%s: two people %t, shadow %t, ramp %d", kind, f.TwoPeople, f.Shadow, f.Ramp)
		}
	}
}

// heads are the beginnings of a policy of each kind that has nothing wrong.
var heads = map[string]string{
	"threshold": head,
	"case":      caseHead + "rules: [{id: r, forbid: facts.x > 1, next_step: Stop.}]\ndecision: '\"PAY\"'\n",
	"promotion": promotionHead,
}

// What isn't said is the strictest that is of use.
func TestReviewThatIsLeftOut(t *testing.T) {
	for kind, src := range heads {
		f := mustParse(t, src)
		if diff := cmp.Diff(policy.Review{Approvals: 1, Rejections: 1}, f.Review); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		if f.TwoPeople || f.Shadow || f.Ramp != policy.FullRamp {
			t.Errorf("%s: two people %t, shadow %t, ramp %d", kind, f.TwoPeople, f.Shadow, f.Ramp)
		}
	}
}

func TestTwoPeopleUnlessNothingIsAutomatic(t *testing.T) {
	for _, c := range []struct {
		kind, body string
		want       bool
	}{
		{"threshold", "enableAutoApply: true\n", true},
		{"threshold", "enableAutoReject: true\n", true},
		{"threshold", "enableAutoApply: false\n", false},
		{"threshold", "enableAutoApply: true\ntwo_people: false\n", false},
		{"threshold", "two_people: true\n", true},
		{"case", "enableAutoReject: true\nrejects: [PAY]\n", true},
		{"promotion", "enableAutoApply: true\n", true},
	} {
		if got := mustParse(t, heads[c.kind]+c.body).TwoPeople; got != c.want {
			t.Errorf("%s with %q: %t", c.kind, c.body, got)
		}
	}
}

func TestRampIsAShareInPerCent(t *testing.T) {
	for text, want := range map[string]int{
		"0%": 0, "0.01%": 1, "0.2%": 20, "0.25%": 25, "5%": 500, "12.5%": 1250, "99.99%": 9999, "100%": 10000, "100.00%": 10000,
		`"100.01%"`: -1, "101%": -1, "-1%": -1, "5": -1, "0.05": -1, `"5"`: -1, "5 %": -1, "05%": -1, "0.125%": -1, ".5%": -1, "1e1%": -1, "5%%": -1, "[5%]": -1, `""`: -1,
	} {
		f, err := policy.Parse("a.yaml", []byte(head+"ramp: "+text+"\n"))
		switch {
		case want < 0 && err == nil:
			t.Errorf("%s is taken as %d", text, f.Ramp)
		case want >= 0 && err != nil:
			t.Errorf("%s: %v", text, err)
		case want >= 0 && f.Ramp != want:
			t.Errorf("%s is %d, want %d", text, f.Ramp, want)
		}
	}
}

func TestActionSchemaHoldsActions(t *testing.T) {
	f, err := policy.ParseFiles("a.yaml", []byte(head+"review: {editable: [/amount], action_schema: action.json}\n"), actionFiles)
	if err != nil {
		t.Fatal(err)
	}
	for action, want := range map[string]string{
		`{"amount":5}`:                    "",
		`{"amount":1001}`:                 "the action isn't what action.json says: /amount breaks maximum",
		`{}`:                              "the action isn't what action.json says: / lacks amount",
		`{"amount":9007199254740993e400}`: "the action isn't what action.json says: /amount breaks maximum",
		`[]`:                              "the action isn't what action.json says: / is array, not object",
		``:                                "read the action: ",
		`{"amount":5,"amount":5000}`:      "read the action: ",
		`{"amount":5} {}`:                 "read the action: ",
	} {
		err := f.Review.ActionSchema([]byte(action))
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", action, err, want)
		}
	}
}

// What an action must be is part of the policy; the digest sees it change.
func TestActionSchemaCountsInTheDigest(t *testing.T) {
	digest := func(schema string) string {
		f, err := policy.ParseFiles("a.yaml", []byte(head+"review: {editable: [/a], action_schema: a.json}\n"), fstest.MapFS{"a.json": {Data: []byte(schema)}})
		if err != nil {
			t.Fatal(err)
		}
		return f.Digest
	}
	if digest("{}") == digest(`{"type": "object"}`) {
		t.Error("the digest doesn't know the schema")
	}
}

// A version that was kept is the same policy when it is compiled again, from
// what it kept alone.
func TestAKeptPolicyIsTheSameAgain(t *testing.T) {
	names := policyFiles(t, "testdata/valid/*")
	for _, pattern := range []string{"testdata/lint/*", "testdata/cases/*.yaml", "../examples/*/*.pawl.yaml"} {
		names = append(names, policyFiles(t, pattern)...)
	}
	referring := 0
	for _, name := range names {
		f, err := parseFile(t, name)
		if err != nil {
			t.Fatal(err)
		}
		again := parseAgain(t, f)
		if again.Digest != f.Digest || again.Kind != f.Kind || again.Gate != f.Gate {
			t.Errorf("%s: %s became %s", name, f.Digest, again.Digest)
		}
		if diff := cmp.Diff(f.Files(), again.Files()); diff != "" {
			t.Errorf("%s: %s", filepath.Base(name), diff)
		}
		if len(f.Files()) > 0 {
			referring++
		}
	}
	if referring < 3 {
		t.Errorf("only %d policies refer to files: the test is blind", referring)
	}
}

func parseAgain(t *testing.T, f *policy.File) *policy.File {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range f.Files() {
		files[name] = &fstest.MapFile{Data: text}
	}
	again, err := policy.ParseFiles(f.Name, f.Source(), files)
	if err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return again
}

func TestSourceAndFilesAreCopies(t *testing.T) {
	src := []byte(head + "review: {editable: [/a], action_schema: action.json}\n")
	f, err := policy.ParseFiles("a.yaml", src, actionFiles)
	if err != nil {
		t.Fatal(err)
	}
	want, digest := string(src), f.Digest
	src[0] = 'X'
	f.Source()[1] = 'X'
	f.Files()["action.json"][0] = 'X'
	if string(f.Source()) != want || parseAgain(t, f).Digest != digest {
		t.Error("a caller changed the file")
	}
}

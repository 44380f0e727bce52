package conformance_test

import (
	"strings"
	"testing"

	"github.com/pawlgate/pawl/internal/conformance"
	"github.com/pawlgate/pawl/vectors"
)

const skill = `{"path": "SKILL.md", "text": "---\nname: tidy\ndescription: Keeps lists tidy.\n---\nSort them.\n"}`

func TestLinesOfThePromotionGateAreAnswered(t *testing.T) {
	for line, want := range map[string]string{
		`{"id": "a", "promotion": {"inputsText": "{}", "options": {"advisory": true, "kinds": []}}}`: `{"id":"a","terminal":"needs_human","guard":"irreversible_tool","others":["statistics","concurrence","oracle","gate2","gate4"],"kinds":[],"tripwire":"did_not_run"}`,
		`{"id": "a", "promotion": {"inputsText": "{"}}`:                                              `{"id":"a","terminal":"needs_human","guard":"tripwire","others":["irreversible_tool","statistics","concurrence","oracle","gate2","gate4"],"kinds":[],"tripwire":"did_not_run","malformed":true}`,
		`{"id": "a", "tripwire": {"files": [` + skill + `]}}`:                                        `{"id":"a","escalate":false,"reasons":[],"irreversible":[]}`,
		`{"id": "a", "tripwire": {"files": [` + skill + `], "extraTokens": ["list"]}}`:               `{"id":"a","escalate":true,"reasons":[{"kind":"extra","token":"list","file":"SKILL.md","offset":34,"via":""}],"irreversible":[]}`,
		`{"id": "a", "tripwire": {"files": [` + skill + `], "extraTokens": [" "]}}`:                  `{"id":"a","escalate":true,"reasons":[],"irreversible":[],"invalid":true}`,
		`{"id": "a", "tripwire": {"files": [` + skill + `], "tools": {"tool": []}}}`:                 `{"id":"a","escalate":true,"reasons":[],"irreversible":[],"invalid":true}`,
		`{"id": "a", "snapshot": {"files": []}}`:                                                     `{"id":"a","digest":null}`,
	} {
		said, err := (&conformance.Gate{}).Ask(t.Context(), []byte(line))
		if err != nil || string(said) != want {
			t.Errorf("%s\nis answered by %s, %v\nwant           %s", line, said, err, want)
		}
	}
}

func TestLinesOfThePromotionGateAreReadStrictly(t *testing.T) {
	for line, says := range map[string]string{
		`{"id": "a", "promotion": 3}`:                                                         "must be an object",
		`{"id": "a", "promotion": {}}`:                                                        "inputsText is missing",
		`{"id": 3, "promotion": {"inputsText": "{}"}}`:                                        "id must be a string",
		`{"id": "a", "promotion": {"inputsText": {}}}`:                                        "must be a string",
		`{"id": "a", "promotion": {"inputsText": "{}"}, "policy": {}}`:                        `"policy" is unknown`,
		`{"id": "a", "promotion": {"inputsText": "{}", "inputs": {}}}`:                        "unknown member",
		`{"id": "a", "promotion": {"inputsText": "{}", "options": []}}`:                       "options must be an object",
		`{"id": "a", "promotion": {"inputsText": "{}", "options": {"advisory": 1}}}`:          "wrong type",
		`{"id": "a", "promotion": {"inputsText": "{}", "options": {"kinds": [1]}}}`:           "list of strings",
		`{"id": "a", "tripwire": {}}`:                                                         "files are missing",
		`{"id": "a", "tripwire": {"files": {}}}`:                                              "files must be a list",
		`{"id": "a", "tripwire": {"files": [], "limit": 1}}`:                                  "unknown member",
		`{"id": "a", "tripwire": {"files": [], "promotable": "Read"}}`:                        "list of strings",
		`{"id": "a", "snapshot": {"files": ["a"]}}`:                                           "must be an object",
		`{"id": "a", "snapshot": {"files": [{"path": "a", "mode": 1}]}}`:                      "unknown member",
		`{"id": "a", "snapshot": {"files": [{"path": "a", "base64": "?"}]}}`:                  "base64",
		`{"id": "a", "snapshot": {"files": [{"path": "a", "text": "x", "repeat": 9999999}]}}`: "repeat must be",
		`{"id": "a", "snapshot": {"files": [{"path": "a", "repeat": 0.5}]}}`:                  "repeat must be",
		`{"id": "a", "snapshot": {"files": [{"path": "a", "exec": "yes"}]}}`:                  "must be a boolean",
		`{"id": "a", "snapshot": {"files": [], "more": 1}}`:                                   "unknown member",
	} {
		said, err := (&conformance.Gate{}).Ask(t.Context(), []byte(line))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s is answered by %s, %v; want an error with %q", line, said, err, says)
		}
	}
}

// A check notices each thing that is wrong with an answer, and says so.
func TestWrongAnswersAboutPromotionsAreNoticed(t *testing.T) {
	guard, yes, curl, file, at := "oracle", true, "curl", "SKILL.md", 3
	decide, err := conformance.PromotionItems([]vectors.PromotionVector{{
		Name: "v", Inputs: []byte(`{}`), Expect: vectors.PromotionExpect{Terminal: "candidate_only", Guard: &guard, Kinds: []string{"a", "b"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	tripwire, err := conformance.TripwireItems([]vectors.TripwireVector{{
		Name: "v", Expect: vectors.TripwireExpect{
			Escalate: &yes, Exact: true, Reasons: []vectors.Reason{{Kind: "egress", Token: &curl, File: &file, Offset: &at}},
			Without: []vectors.Reason{{Kind: "tool_drift"}}, Irreversible: []string{},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := conformance.SnapshotItems([]vectors.SnapshotVector{{Name: "v"}})
	if err != nil {
		t.Fatal(err)
	}
	const found = `{"kind": "egress", "token": "curl", "file": "SKILL.md", "offset": 3}`
	for _, test := range []struct {
		item conformance.Item
		said string
		says string // "" for an answer that is right
	}{
		{decide[0], `{"id": "promotion/v", "terminal": "candidate_only", "guard": "oracle", "others": [], "kinds": ["a", "b"]}`, ""},
		{decide[0], `{"id": "promotion/w", "terminal": "candidate_only", "guard": "oracle", "others": [], "kinds": ["a", "b"]}`, "id is promotion/w"},
		{decide[0], `{"id": "promotion/v", "terminal": "auto_promote", "guard": "oracle", "others": [], "kinds": ["a", "b"]}`, "terminal is auto_promote"},
		{decide[0], `{"id": "promotion/v", "terminal": "candidate_only", "guard": null, "others": [], "kinds": ["a", "b"]}`, "guard is null"},
		{decide[0], `{"id": "promotion/v", "terminal": "candidate_only", "guard": "oracle", "others": ["gate4"], "kinds": ["a", "b"]}`, "others is gate4"},
		{decide[0], `{"id": "promotion/v", "terminal": "candidate_only", "guard": "oracle", "others": [], "kinds": ["a"]}`, "kinds is"},
		{decide[0], `{"id": "promotion/v", "terminal": "candidate_only", "guard": "oracle", "others": [], "kinds": ["a", "b"], "malformed": true}`, "malformed is true"},
		{tripwire[0], `{"id": "tripwire/v", "escalate": true, "reasons": [` + found + `], "irreversible": []}`, ""},
		{tripwire[0], `{"id": "tripwire/w", "escalate": true, "reasons": [` + found + `], "irreversible": []}`, "id is tripwire/w"},
		{tripwire[0], `{"id": "tripwire/v", "escalate": false, "reasons": [` + found + `]}`, "escalate is false"},
		{tripwire[0], `{"id": "tripwire/v", "escalate": true, "reasons": []}`, `not found: egress "curl" in SKILL.md at 3`},
		{tripwire[0], `{"id": "tripwire/v", "escalate": true, "reasons": [{"kind": "egress", "token": "curl", "file": "SKILL.md", "offset": 4}]}`, "not found"},
		{tripwire[0], `{"id": "tripwire/v", "escalate": true, "reasons": [` + found + `, {"kind": "exec"}]}`, "not expected: exec"},
		{tripwire[0], `{"id": "tripwire/v", "escalate": true, "reasons": [` + found + `, {"kind": "tool_drift"}]}`, "shouldn't be: tool_drift"},
		{tripwire[0], `{"id": "tripwire/v", "escalate": true, "reasons": [` + found + `], "irreversible": ["Bash"]}`, "irreversible is Bash"},
		{tripwire[0], `{"id": "tripwire/v", "escalate": true, "reasons": [` + found + `], "invalid": true}`, "invalid is true"},
		{snapshot[0], `{"id": "snapshot/v", "digest": null}`, ""},
		{snapshot[0], `{"id": "snapshot/v", "digest": "sha256:00"}`, "digest is sha256:00, want null"},
	} {
		wrong, err := test.item.Check([]byte(test.said))
		if err != nil {
			t.Errorf("%s: %v", test.said, err)
		}
		if all := strings.Join(wrong, "; "); (test.says == "") != (all == "") || !strings.Contains(all, test.says) {
			t.Errorf("%s: it is wrong that %q, want %q", test.said, all, test.says)
		}
	}
	if _, err := decide[0].Check([]byte(`{"id": "promotion/v", "id": "promotion/v"}`)); err == nil {
		t.Error("an answer with a member twice was read")
	}
}

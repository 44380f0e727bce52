package promotion_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
)

// whole are inputs that need nobody, in the contract's form.
const whole = `{"oracle":"out_of_process_isolated","record":{"gate2Verdict":"present_positive"},"gate4Armed":true,` +
	`"touchesIrreversibleTool":false,"statisticsPresent":true,"concurringSignals":["canary","replay"],"tripwire":{"escalate":false,"reasons":[]}}`

// with replaces a part of whole.
func with(t *testing.T, old, new string) string {
	t.Helper()
	if !strings.Contains(whole, old) {
		t.Fatalf("whole has no %q", old)
	}
	return strings.Replace(whole, old, new, 1)
}

func TestParseInputsReadsTheContractsForm(t *testing.T) {
	in, err := promotion.ParseInputs([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := passing()
	want.Tripwire.Reasons = []promotion.Finding{}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Error(diff)
	}
	if d := promotion.Decide(in, promotion.Options{}); d.Terminal != promotion.AutoPromote {
		t.Errorf("%s: %v", d.Terminal, d.Stops)
	}
}

// An error says where, and comes with the zero Inputs.
func TestParseInputsRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, says string }{
		{"an unknown member", with(t, `"gate4Armed"`, `"gate4armed":true,"gate4Armed"`), `1:82: the inputs: there is no member "gate4armed" (at /gate4armed)`},
		{"the threshold that the fold doesn't read", with(t, `"oracle"`, `"score":1,"oracle"`), `1:2: the inputs: there is no member "score" (at /score)`},
		{"an unknown member of the record", with(t, `"gate2Verdict"`, `"id":"x","gate2Verdict"`), `1:47: the record: there is no member "id" (at /record/id)`},
		{"an unknown member of the tripwire", with(t, `"escalate"`, `"passed":true,"escalate"`), `(at /tripwire/passed)`},
		{"an unknown member of a reason", with(t, `[]}}`, `[{"kind":"exec","why":"x"}]}}`), `(at /tripwire/reasons/0/why)`},
		{"a member twice", with(t, `"gate4Armed":true`, `"gate4Armed":true,"gate4Armed":true`), `gate4Armed`},
		{"a member of the tripwire twice", with(t, `"escalate":false`, `"escalate":true,"escalate":false`), `escalate`},
		{"a text for a statement", with(t, `"gate4Armed":true`, `"gate4Armed":"true"`), `must be a boolean, not a string (at /gate4Armed)`},
		{"a number for a statement", with(t, `"statisticsPresent":true`, `"statisticsPresent":1`), `must be a boolean, not a number (at /statisticsPresent)`},
		{"a list for a statement", with(t, `"touchesIrreversibleTool":false`, `"touchesIrreversibleTool":[]`), `(at /touchesIrreversibleTool)`},
		{"a boolean for the oracle", with(t, `"out_of_process_isolated"`, `true`), `must be a string, not a boolean (at /oracle)`},
		{"a text for the record", with(t, `{"gate2Verdict":"present_positive"}`, `"present_positive"`), `the record must be an object, not a string (at /record)`},
		{"a boolean for gate 2", with(t, `"present_positive"`, `true`), `(at /record/gate2Verdict)`},
		{"a text for the signals", with(t, `["canary","replay"]`, `"canary, replay"`), `must be a list, not a string (at /concurringSignals)`},
		{"an object for the signals", with(t, `["canary","replay"]`, `{"canary":true,"replay":true}`), `(at /concurringSignals)`},
		{"a signal that is null", with(t, `"replay"`, `null`), `must be a string, not null (at /concurringSignals/1)`},
		{"a signal without a name", with(t, `"replay"`, `" "`), `names no kind of signal`},
		{"a signal with a character that doesn't show", with(t, `"replay"`, `"canary\u200b"`), `(at /concurringSignals/1)`},
		{"a boolean for the tripwire", with(t, `{"escalate":false,"reasons":[]}`, `false`), `the tripwire must be an object, not a boolean (at /tripwire)`},
		{"a text for escalate", with(t, `"escalate":false`, `"escalate":"no"`), `(at /tripwire/escalate)`},
		{"a text for the reasons", with(t, `[]}}`, `""}}`), `(at /tripwire/reasons)`},
		{"a number for a reason", with(t, `[]}}`, `[1]}}`), `(at /tripwire/reasons/0)`},
		{"a reason that is null", with(t, `[]}}`, `[null]}}`), `(at /tripwire/reasons/0)`},
		{"a reason without a kind", with(t, `[]}}`, `[{"detail":"x"}]}}`), `a reason needs a kind (at /tripwire/reasons/0)`},
		{"a line that is none", with(t, `[]}}`, `[{"kind":"exec","line":0}]}}`), `must be an integer of at least 1`},
		{"an offset that is none", with(t, `[]}}`, `[{"kind":"exec","offset":-1}]}}`), `must be an integer of at least 0`},
		{"a fraction of a line", with(t, `[]}}`, `[{"kind":"exec","line":1.5}]}}`), `(at /tripwire/reasons/0/line)`},
		{"a number that is too large", with(t, `[]}}`, `[],"omitted":99999999999999999999}}`), `(at /tripwire/omitted)`},
		{"less than nothing omitted", with(t, `[]}}`, `[],"omitted":-1}}`), `(at /tripwire/omitted)`},
		{"null", `null`, `1:1: the inputs must be an object, not null`},
		{"a list", `[` + whole + `]`, `must be an object, not a list`},
		{"a text", `"auto_promote"`, `must be an object`},
		{"nothing", ``, `1:1`},
		{"two values", whole + whole, `1:`},
		{"more than the value", whole + ` x`, `1:`},
		{"a byte order mark", "\ufeff" + whole, `byte order mark`},
		{"not UTF-8", with(t, `canary`, "can\xffary"), `1:`},
		{"half an object", whole[:len(whole)-1], `1:`},
		{"a comment", `/* */` + whole, `1:1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, err := promotion.ParseInputs([]byte(test.text))
			var se *source.SyntaxError
			if !errors.As(err, &se) || se.Pos.Line < 1 {
				t.Fatalf("%v has no place", err)
			}
			if !strings.Contains(err.Error(), test.says) {
				t.Errorf("%q doesn't say %q", err, test.says)
			}
			if diff := cmp.Diff(promotion.Inputs{}, in); diff != "" {
				t.Errorf("an error comes with inputs:\n%s", diff)
			}
		})
	}
}

// What is missing, null or an unknown text, stops the guard that it is for, and
// no other.
func TestParseInputsTakesWhatIsMissingAsFailing(t *testing.T) {
	for _, test := range []struct {
		name, text string
		guards     string
	}{
		{"nothing at all", `{}`, "[tripwire irreversible_tool statistics concurrence oracle gate2 gate4]"},
		{"no oracle", with(t, `"oracle":"out_of_process_isolated",`, ``), "[oracle]"},
		{"a null oracle", with(t, `"out_of_process_isolated"`, `null`), "[oracle]"},
		{"an unknown oracle", with(t, `"out_of_process_isolated"`, `"isolated"`), "[oracle]"},
		{"an oracle in upper case", with(t, `"out_of_process_isolated"`, `"OUT_OF_PROCESS_ISOLATED"`), "[oracle]"},
		{"an oracle with a blank", with(t, `"out_of_process_isolated"`, `"out_of_process_isolated "`), "[oracle]"},
		{"no record", with(t, `"record":{"gate2Verdict":"present_positive"},`, ``), "[gate2]"},
		{"an empty record", with(t, `{"gate2Verdict":"present_positive"}`, `{}`), "[gate2]"},
		{"a null record", with(t, `{"gate2Verdict":"present_positive"}`, `null`), "[gate2]"},
		{"a null verdict", with(t, `"present_positive"`, `null`), "[gate2]"},
		{"an unknown verdict", with(t, `"present_positive"`, `"positive"`), "[gate2]"},
		{"a null gate 4", with(t, `"gate4Armed":true`, `"gate4Armed":null`), "[gate4]"},
		{"a null irreversible", with(t, `"touchesIrreversibleTool":false`, `"touchesIrreversibleTool":null`), "[irreversible_tool]"},
		{"null statistics", with(t, `"statisticsPresent":true`, `"statisticsPresent":null`), "[statistics]"},
		{"null signals", with(t, `["canary","replay"]`, `null`), "[concurrence]"},
		{"no signals", with(t, `["canary","replay"]`, `[]`), "[concurrence]"},
		{"one signal twice", with(t, `["canary","replay"]`, `["canary"," Canary"]`), "[concurrence]"},
		{"no tripwire", with(t, `,"tripwire":{"escalate":false,"reasons":[]}`, ``), "[tripwire]"},
		{"a null tripwire", with(t, `{"escalate":false,"reasons":[]}`, `null`), "[tripwire]"},
		{"an empty tripwire", with(t, `{"escalate":false,"reasons":[]}`, `{}`), "[tripwire]"},
		{"a tripwire of reasons alone", with(t, `"escalate":false,`, ``), "[tripwire]"},
		{"a null escalate", with(t, `"escalate":false`, `"escalate":null`), "[tripwire]"},
		{"a reason that doesn't escalate", with(t, `[]}}`, `["curl"]}}`), "[tripwire]"},
		{"a finding that doesn't escalate", with(t, `[]}}`, `[{"kind":"egress"}]}}`), "[tripwire]"},
		{"an empty reason", with(t, `[]}}`, `[""]}}`), "[tripwire]"},
		{"reasons that were omitted", with(t, `[]}}`, `[],"omitted":1}}`), "[tripwire]"},
		{"null reasons", with(t, `[]}}`, `null}}`), "[]"},
		{"no reasons", with(t, `,"reasons":[]`, ``), "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			in, err := promotion.ParseInputs([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(guardsOf(promotion.Decide(in, promotion.Options{}))); got != test.guards {
				t.Errorf("stopped by %s, want %s", got, test.guards)
			}
		})
	}
}

func TestInputsOfNoTree(t *testing.T) {
	if in, err := promotion.InputsOf(nil); err == nil || promotion.Decide(in, promotion.Options{}).Terminal != promotion.NeedsHuman {
		t.Errorf("%v, %v", in, err)
	}
	yes := &source.Node{Kind: source.Bool, Bool: true}
	twice := &source.Node{Kind: source.Object, Members: []source.Member{{Key: "gate4Armed", Value: yes}, {Key: "gate4Armed", Value: &source.Node{Kind: source.Bool, Bool: true}}}}
	if _, err := promotion.InputsOf(twice); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a tree with a member twice: %v", err)
	}
}

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawlgate/pawl/casegate"
)

// fromRecording is the only thing that a replay says and the run that was
// recorded doesn't: an answer from a file must not pass for one of today.
const fromRecording = `"model judge: this was taken from a recording",`

// What was recorded is answered again, byte for byte, with neither server nor
// key.
func TestCaseModelRecordAndReplay(t *testing.T) {
	s := serveModel(t, func(w http.ResponseWriter, _ *http.Request, q modelQuestion) {
		switch q.caseID {
		case "S-2":
			say(w, saysEscalate)
		case "S-3":
			w.WriteHeader(http.StatusInternalServerError)
		case "S-4":
			say(w, "prose \x1b[2J \u2028 <"+modelWords+">")
		default:
			say(w, saysDecide)
		}
	})
	f := writeModelFiles(t, s.URL, "    retries: 1\n    concurrency: 3\n    prompt: prompt.txt\n")
	f.write(t, "prompt.txt", "You are the second one to look.\n")
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, `{"case_id":"S-%d","facts":{"country":%q}}`+"\n", i%6+1, []string{"DE", "XX"}[i%6/5])
	}
	cases := b.String() + "no case\n"
	recording := filepath.Join(f.dir, "answers.jsonl")

	code, recorded, stderr := runCase(t, cases, "decide", "-p", f.policy, "--models", f.models, "--record", recording)
	if code != 2 || strings.Count(recorded, "\n") != 13 {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	for _, q := range s.questions() {
		if !strings.Contains(q.body, "You are the second one to look.") {
			t.Errorf("another prompt: %s", q.body)
		}
	}
	if text := f.read(t, "answers.jsonl"); strings.Contains(text, modelKey) || strings.Count(text, "\n") != 5 {
		t.Errorf("the recording: %s", text)
	}
	if n := len(s.questions()); n != 6 { // S-3 is asked twice, S-6 not at all; what is asked again is known
		t.Errorf("%d questions", n)
	}

	s.Close()
	t.Setenv("PAWL_TEST_KEY", "")
	replay := func(policy string) (int, string) {
		code, stdout, _ := runCase(t, cases, "decide", "-p", policy, "--models", f.models, "--replay", recording)
		return code, stdout
	}
	code, replayed := replay(f.policy)
	if n := strings.Count(replayed, fromRecording); code != 2 || n != 10 {
		t.Errorf("exit code %d, %d answers from the recording", code, n)
	}
	if got := strings.ReplaceAll(replayed, fromRecording, ""); got != recorded {
		t.Errorf("recorded\n%sreplayed\n%s", recorded, got)
	}
	if _, again := replay(f.policy); again != replayed {
		t.Errorf("another replay\n%s\n%s", replayed, again)
	}

	// Another policy is another question.
	other := f.write(t, "other.pawl.yaml", strings.Replace(modelRules, "Stop.", "Stop it.", 1))
	_, stdout := replay(other)
	for text := range strings.Lines(stdout) {
		a, out := decided(t, text)
		if out.Action != casegate.Escalate || a.ID != "" && !strings.Contains(text, "model judge gave no answer: "+map[bool]string{true: "it wasn't asked", false: "not recorded"}[a.ID == "S-6"]) {
			t.Errorf("another policy: %s", text)
		}
	}
	// So is another prompt.
	f.write(t, "prompt.txt", "You are another one.\n")
	if _, stdout = replay(f.policy); strings.Count(stdout, "not recorded") < 10 || strings.Contains(stdout, `"auto_apply"`) {
		t.Errorf("another prompt: %s", stdout)
	}
	f.write(t, "prompt.txt", "You are the second one to look.\n")

	// An evaluation takes its answers from it, too.
	labelled := strings.ReplaceAll(strings.TrimSuffix(cases, "no case\n"), "}}\n", `},"expected":{"action":"ESCALATE"}}`+"\n")
	code, stdout, stderr = runCase(t, labelled, "eval", "-p", f.policy, "--models", f.models, "--replay", recording)
	if code != 0 || !strings.Contains(stdout, "missed escalations  4 of 12") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

// What can't be asked as it is meant is the caller's mistake, and is told before
// anything is decided.
func TestCaseModelWrongCalls(t *testing.T) {
	s := serveModel(t, says(saysDecide))
	f := writeModelFiles(t, s.URL, "")
	file := func(name, text string) string { return f.write(t, name, text) }
	recording := filepath.Join(f.dir, "answers.jsonl")
	model := func(settings string) string {
		return "models:\n  judge:\n    url: " + s.URL + "/v1\n    model: judge-7b\n    allow_private: true\n" + settings
	}
	plain := file("plain.pawl.yaml", strings.Replace(modelRules, "model: judge\n", "", 1))
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no file of models":             {nil, "asks for the opinion of model judge: name the file that defines it, --models FILE"},
		"one that isn't there":          {[]string{"--models", filepath.Join(f.dir, "none.yaml")}, "none.yaml"},
		"a folder":                      {[]string{"--models", f.dir}, "is a directory"},
		"not YAML":                      {[]string{"--models", file("not.yaml", "models: [\n")}, "not.yaml:"},
		"no models":                     {[]string{"--models", file("no.yaml", "models: {}\n")}, "no.yaml:1:9: models names no model"},
		"a key in the file":             {[]string{"--models", file("key.yaml", model("    api_key: "+modelKey+"\n"))}, "an API key never stands in this file"},
		"a key instead of its variable": {[]string{"--models", file("var.yaml", model("    key_env: "+modelKey+"\n"))}, "key_env isn't the name of an environment variable"},
		"a key in the URL":              {[]string{"--models", file("url.yaml", "models: {judge: {url: \"https://x:"+modelKey+"@example.com/v1\", model: m}}\n")}, "the URL holds a user or a password"},
		"another model":                 {[]string{"--models", file("other.yaml", strings.Replace(model(""), "judge:", "jury:", 1))}, "other.yaml defines only jury"},
		"no key":                        {[]string{"--models", file("nokey.yaml", model("    key_env: PAWL_TEST_NONE\n"))}, "the environment variable PAWL_TEST_NONE, which should hold the API key, is not set"},
		"a private address":             {[]string{"--models", file("private.yaml", strings.Replace(model(""), "    allow_private: true\n", "", 1))}, "set allow_private: true if that is meant"},
		"an escape in the file":         {[]string{"--models", file("esc.yaml", "models: {\"\\e[2J\": 1}\n")}, "isn't a model's name"},
		"no prompt":                     {[]string{"--models", file("p1.yaml", model("    prompt: none.txt\n"))}, "the prompt of model judge: open "},
		"an empty prompt":               {[]string{"--models", file("p2.yaml", model("    prompt: "+filepath.Base(file("empty.txt", " \n"))+"\n"))}, "empty.txt is empty"},
		"a prompt that isn't text":      {[]string{"--models", file("p3.yaml", model("    prompt: "+file("latin.txt", "\xff\n")+"\n"))}, "latin.txt is not UTF-8"},
		"a prompt that is too long":     {[]string{"--models", file("p4.yaml", model("    prompt: "+file("long.txt", strings.Repeat("x", 1<<20))+"\n"))}, "long.txt has more than 262144 bytes"},
		"both ways":                     {[]string{"--models", f.models, "--record", recording, "--replay", recording}, "--record and --replay exclude each other"},
		"a recording that isn't there":  {[]string{"--models", f.models, "--replay", recording}, "answers.jsonl"},
		"a recording that is none":      {[]string{"--models", f.models, "--replay", file("bad.jsonl", "{\"\x1b[2J\":1}\n")}, "bad.jsonl:1:"},
		"over the policy":               {[]string{"--models", f.models, "--record", f.policy}, "judged.pawl.yaml is one of the files to read"},
		"over the input":                {[]string{"--models", f.models, "--record", f.clean}, "clean.json is one of the files to read"},
		"over the models":               {[]string{"--models", f.models, "--record", f.models}, "models.yaml is one of the files to read"},
		"into no folder":                {[]string{"--models", f.models, "--record", filepath.Join(f.dir, "none", "x")}, "none"},
		"for a policy without a model":  {[]string{"-p", plain, "--models", f.models}, "names no model: --models, --record and --replay are of no use"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, command := range []string{"decide", "eval"} {
				args := append([]string{command, f.clean}, tt.args...)
				if len(tt.args) == 0 || tt.args[0] != "-p" {
					args = append(args, "-p", f.policy)
				}
				code, stdout, stderr := runCase(t, "", args...)
				if code != 2 || stdout != "" || !strings.Contains(stderr, tt.want) || strings.Contains(stderr, "\x1b") || !utf8.ValidString(stderr) {
					t.Errorf("%s: exit code %d, %q, want %q\n%s", command, code, stderr, tt.want, stdout)
				}
			}
		})
	}
	if n := len(s.questions()); n != 0 {
		t.Errorf("%d questions", n)
	}
	if f.read(t, "judged.pawl.yaml") != modelRules {
		t.Error("the policy was written over")
	}
}

// A recording that can't be written is a failure, whatever the verdict.
func TestCaseModelRecordingFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require(t, err, "a device that is always full")
	shut(t, full)
	s := serveModel(t, says(saysDecide))
	f := writeModelFiles(t, s.URL, "")
	code, stdout, stderr := runCase(t, "", "decide", "-p", f.policy, "--models", f.models, "--record", "/dev/full", f.clean)
	if code != 1 || !strings.Contains(stderr, "the recording is not whole") || !strings.HasPrefix(stdout, "DECIDE") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

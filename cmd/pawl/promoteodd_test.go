package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Whatever a skill, its files and its folders are named, no output for people
// holds a character that moves or hides something on a terminal, and each name
// stays on its line.
func TestPromotionsAreSafeOnATerminal(t *testing.T) {
	s := newSkills(t)
	const front = "---\nname: skill\ndescription: A skill.\nallowed-tools: \"Bash(\\e[31m), Wri\\u202ete\"\n---\n"
	odd := "odd\x1b[31m\npawl: all is well\u202e\u009b"
	for _, name := range []string{"in", "in/" + odd, "many/" + odd, "many/other"} {
		s.write(name+"/SKILL.md", front+"curl \x1b]0;owned\x07 \u202e\u2066\u009b\n")
		s.write(name+"/bad\xff.md", "x\n")
		s.write(name+"/"+odd+".md", "rm -rf \x1b[2J\n")
	}
	s.write("tokens.txt", "own\x1b[31m\u202e\n")
	s.write("evidence.json", `{"payloadType": "\u001b[31m\u202e", "payload": "", "signatures": [{"sig": ""}]}`)
	if err := os.Symlink(odd, s.path("link")); err != nil {
		t.Fatal(err)
	}
	policy, ev := []string{"-p", s.path("skills.pawl.yaml")}, []string{"--evidence", s.path("evidence.json")}
	for _, args := range [][]string{
		{"scan", s.path("in")},
		{"scan", s.path("in/" + odd)},
		{"scan", "--all", "--add", s.path("tokens.txt"), s.path("many"), s.path("link"), s.path(odd)},
		{"snapshot", s.path("in")},
		{"snapshot", s.path("in/" + odd)},
		{"snapshot", s.path("many")},
		slices.Concat([]string{"decide", s.path("in/" + odd)}, policy, ev),
		slices.Concat([]string{"decide", s.path("in")}, policy),
		slices.Concat([]string{"decide", s.path("many")}, policy),
		slices.Concat([]string{"apply", s.path("in/" + odd), s.path(odd)}, policy, ev),
		{"sign", "--key", s.path("key"), s.path(odd)},
	} {
		var out bytes.Buffer
		code, stderr := run(nil, &out, append([]string{"promote"}, args...)...)
		if code == exitOK || code == exitFailure {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
		for _, text := range []string{out.String(), stderr} {
			if i := strings.IndexFunc(text, func(r rune) bool {
				return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
			}); i >= 0 {
				t.Errorf("%q: %q", args, text[max(0, i-60):i+1])
			}
		}
		if strings.Contains("\n"+out.String()+"\n"+stderr, "\npawl: all is well") {
			t.Errorf("%q: a name speaks for pawl:\n%s%s", args, out.String(), stderr)
		}
	}
}

// A name that isn't UTF-8 would be read as another one, which may be that of a
// tamer skill: it is refused.
func TestArgumentsAreTakenToTheLetter(t *testing.T) {
	s := newSkills(t)
	s.write("bad\xff/SKILL.md", "curl\n")
	s.write("bad\ufffd/SKILL.md", "---\nname: skill\ndescription: A skill.\n---\n")
	for _, command := range []string{"scan", "snapshot"} {
		var out bytes.Buffer
		code, stderr := run(nil, &out, "promote", command, s.path("bad\xff"))
		if code != exitUsage || out.Len() > 0 || !strings.Contains(stderr, `bad\xff" isn't UTF-8`) {
			t.Errorf("%s: exit code %d, %q, %q", command, code, out.String(), stderr)
		}
	}
	for _, name := range []string{"a,b", `a\,b`, "@a", "a b", "-a", "%20"} {
		s.write(name+"/SKILL.md", "curl\n")
		t.Chdir(s.folder)
		var out bytes.Buffer
		if code, stderr := run(nil, &out, "promote", "scan", "--", name); code != exitHuman || !strings.HasPrefix(out.String(), name+": ") {
			t.Errorf("%s: exit code %d, %q, %q", name, code, out.String(), stderr)
		}
	}
}

// What is in place is said to be, even where that can't be said on standard
// output, and in a name that is safe there.
func TestApplySaysWhatIsInPlace(t *testing.T) {
	s := newSkills(t)
	s.write("skill/SKILL.md", "---\nname: skill\ndescription: A skill.\n---\n")
	s.sign(s.snapshot("skill", "--to", s.path("skill.tar")), "evidence.json")
	args := []string{"promote", "apply", "-p", s.path("skills.pawl.yaml"), "--evidence", s.path("evidence.json"), s.path("skill.tar")}
	var out bytes.Buffer
	if code, stderr := run(nil, &out, append(args, s.path("a\x1b[31m\nb"))...); code != exitOK || strings.Count(out.String(), "\n") != 1 || strings.Contains(out.String(), "\x1b") {
		t.Errorf("exit code %d, %q, %q", code, out.String(), stderr)
	}
	code, stderr := run(nil, brokenWriter{}, append(args, s.path("live"))...)
	if code != exitFailure || !strings.Contains(stderr, "is in place") || !strings.Contains(stderr, "gone") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	if got, want := s.snapshot("live"), s.snapshot("skill"); got != want {
		t.Errorf("%s is in place, want %s", got, want)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("gone") }

// The log of a scan is SARIF 2.1.0, has a result for all that needs a person, and
// names files that are there.
func TestScanSarifIsValid(t *testing.T) {
	s := newSkills(t)
	const front = "---\nname: skill\ndescription: A skill.\n---\n"
	s.write("a name #%?ä/SKILL.md", front+"curl\n")
	s.write("a name #%?ä/päth/b c.sh", "rm -rf /\n")
	s.write("a name #%?ä/bad\xffname", "x")
	s.write("none/notes.md", "no skill\n")
	s.write("tools/SKILL.md", "---\nname: t\ndescription: t\nallowed-tools: Write\n---\n")
	s.write("one.md", "curl\n")
	s.write("quiet/SKILL.md", front)
	t.Chdir(s.folder)
	var out bytes.Buffer
	if code, stderr := run(nil, &out, "promote", "scan", "-o", "sarif", "a name #%?ä", "none", "tools", "one.md", "quiet", "./tools/../one.md", "nowhere"); code != exitUsage {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	var log sarifLog
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%v, %+v", err, log)
	}
	r := log.Runs[0]
	rules := map[string]bool{}
	for _, rule := range r.Tool.Driver.Rules {
		if rules[rule.ID] || rule.ID == "" || rule.Description == nil || rule.Description.Text == "" {
			t.Errorf("rule %+v", rule)
		}
		rules[rule.ID] = true
	}
	found := map[string]int{}
	for _, res := range r.Results {
		if !rules[res.RuleID] || res.Level != "error" && res.Level != "warning" || res.Message.Text == "" || len(res.Locations) != 1 {
			t.Fatalf("result %+v", res)
		}
		at := res.Locations[0].Physical
		uri, err := url.Parse(at.Artifact.URI)
		if err != nil || uri.IsAbs() || uri.RawQuery != "" || uri.Fragment != "" || at.Region.StartLine < 1 || at.Region.StartColumn < 1 {
			t.Errorf("result %+v: %v", res, err)
			continue
		}
		if _, err := os.Stat(filepath.FromSlash(uri.Path)); err != nil && !strings.Contains(uri.Path, "bad") {
			t.Errorf("%s isn't there", uri.Path)
		}
		top, _, _ := strings.Cut(uri.Path, "/")
		found[top]++
	}
	for _, name := range []string{"a name #%?ä", "none", "tools", "one.md"} {
		if found[name] == 0 {
			t.Errorf("%s has no result: %v", name, found)
		}
	}
	if found["quiet"] != 0 || len(r.Invocations) != 1 || r.Invocations[0].Successful || len(r.Invocations[0].Notes) != 1 || r.Invocations[0].Notes[0].Level != "error" {
		t.Errorf("quiet has %d results; %+v", found["quiet"], r.Invocations)
	}
}

// Three hundred findings, a path that is as long as may be, and more findings
// than are listed can still be read: no line is wide for another's sake.
func TestScanTextStaysReadable(t *testing.T) {
	s := newSkills(t)
	s.write("skill/SKILL.md", "---\nname: skill\ndescription: A skill.\n---\n")
	for i := range 300 {
		s.write(fmt.Sprintf("skill/f%d.md", i), "curl x\n")
	}
	s.write("skill/"+strings.Repeat(strings.Repeat("n", 200)+"/", 10)+"a.md", "curl y\n")
	var out bytes.Buffer
	if code, stderr := run(nil, &out, "promote", "scan", s.path("skill")); code != exitHuman {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	long := 0
	for line := range strings.Lines(out.String()) {
		if len(line) > 160 {
			long++
		}
	}
	if long != 1 || strings.Count(out.String(), "curl x\n") != 300 {
		t.Errorf("%d long lines:\n%.2000s", long, out.String())
	}
}

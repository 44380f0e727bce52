package promotion

import (
	"slices"
	"testing"
)

func TestShippedCatalogue(t *testing.T) {
	if _, problems := ParseCatalogue(shippedCatalogue); len(problems) > 0 {
		t.Fatalf("the shipped catalogue has problems: %v", problems)
	}
	c := DefaultCatalogue()
	for name, want := range map[string]Effect{
		"Read": EffectReversible, "Grep": EffectReversible, "Glob": EffectReversible, "LS": EffectReversible,
		"TodoWrite": EffectReversible, "BashOutput": EffectReversible, "read_file": EffectReversible,
		"Bash": EffectUnscoped, "shell": EffectUnscoped, "run_shell_command": EffectUnscoped, "execute_command": EffectUnscoped,
		"Write": EffectIrreversible, "Edit": EffectIrreversible, "MultiEdit": EffectIrreversible, "NotebookEdit": EffectIrreversible,
		"KillShell": EffectIrreversible, "WebFetch": EffectIrreversible, "web_fetch": EffectIrreversible, "fetch": EffectIrreversible,
		"WebSearch": EffectIrreversible, "google_web_search": EffectIrreversible, "Task": EffectIrreversible, "Agent": EffectIrreversible,
		"Skill": EffectIrreversible, "SlashCommand": EffectIrreversible, "apply_patch": EffectIrreversible, "write_file": EffectIrreversible,
		"delete_file": EffectIrreversible, "send_email": EffectIrreversible, "create_payment": EffectIrreversible, "refund": EffectIrreversible,
		"browser_action": EffectIrreversible, "computer_use": EffectIrreversible,
	} {
		tool, ok := c.Lookup(name)
		if !ok || tool.Effect != want {
			t.Errorf("%s: %v %v, want effect %d", name, tool, ok, want)
		}
	}
	for _, name := range []string{"", "bash", "BASH", "mcp__mail__send", "Unheard", "*", "read"} {
		if tool, ok := c.Lookup(name); ok {
			t.Errorf("%q is %s", name, tool.Name)
		}
		if !c.Irreversible(name, "git status") {
			t.Errorf("%q counts as reversible", name)
		}
	}
	if got := c.Canonical("run_shell_command"); got != "Bash" {
		t.Error(got)
	}
}

func TestNoCatalogueStandsForTheShippedOne(t *testing.T) {
	for _, c := range []*Catalogue{nil, {}} {
		if !c.Irreversible("Write", "") || c.Irreversible("Read", "") || c.Canonical("shell") != "Bash" {
			t.Error("an empty universe")
		}
	}
}

func TestParseCatalogue(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"the example", "tools:\n  - {name: Read}\n  - {name: Bash, irreversible: unscoped}\n  - {name: WebFetch, irreversible: true, also: [web_fetch, fetch]}\n", nil},
		{"irreversible false", "tools: [{name: Read, irreversible: false}]", nil},
		{"names of servers", "tools: [{name: mcp__a-b__c.d, also: ['a:b/c']}]", nil},
		{"no tools", "tools: []", []string{"1:8 catalogue-tools"}},
		{"no list", "{}", []string{"1:1 catalogue-tools"}},
		{"not an object", "[]", []string{"1:1 catalogue-tools", "1:1 catalogue-type"}},
		{"tools of a wrong type", "tools: {name: Read}", []string{"1:8 catalogue-type"}},
		{"a tool of a wrong type", "tools: [Read]", []string{"1:9 catalogue-type"}},
		{"unknown keys", "tools: [{name: Read, reversible: true}]\nmore: 1", []string{"1:22 catalogue-key", "2:1 catalogue-key"}},
		{"no name", "tools: [{irreversible: true}]", []string{"1:9 catalogue-name"}},
		{"a name of a wrong type", "tools: [{name: 1}]", []string{"1:16 catalogue-type"}},
		{"a blank name", "tools: [{name: ' '}]", []string{"1:16 catalogue-name"}},
		{"an empty name", "tools: [{name: ''}]", []string{"1:16 catalogue-name"}},
		{"odd names", "tools: [{name: 'a b'}, {name: 'a('}, {name: 'é'}, {name: 1a}, {name: '*'}]", []string{"1:16 catalogue-name", "1:31 catalogue-name", "1:45 catalogue-name", "1:58 catalogue-name", "1:70 catalogue-name"}},
		{"irreversible of a wrong type", "tools: [{name: A, irreversible: 1}, {name: B, irreversible: maybe}, {name: C, irreversible: null}]", []string{"1:33 catalogue-effect", "1:61 catalogue-effect", "1:93 catalogue-effect"}},
		{"also of a wrong type", "tools: [{name: A, also: b}, {name: B, also: [1]}]", []string{"1:25 catalogue-type", "1:46 catalogue-type"}},
		{"a name twice", "tools:\n- {name: A}\n- {name: A}", []string{"3:10 catalogue-duplicate"}},
		{"a spelling twice", "tools:\n- {name: A, also: [b, b]}\n- {name: B, also: [A]}", []string{"2:23 catalogue-duplicate", "3:20 catalogue-duplicate"}},
		{"a duplicate key", "tools: [{name: A, name: B}]", []string{"1:19 duplicate-key"}},
		{"not YAML", "tools: [", []string{"1:8 yaml-syntax"}},
		{"nothing", "", []string{"1:1 empty"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cat, problems := ParseCatalogue([]byte(c.text))
			var got []string
			for _, p := range problems {
				got = append(got, p.Pos.String()+" "+p.Code)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%v\nwant %v", problems, c.want)
			}
			if (cat == nil) != (len(c.want) > 0) {
				t.Errorf("catalogue %v", cat)
			}
		})
	}
}

func TestAPolicysIrreversibleToolsAddToTheCatalogue(t *testing.T) {
	c, problems := ParseCatalogue([]byte("tools: [{name: Read, also: [read_file]}, {name: Bash, irreversible: unscoped}]"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	with, err := c.WithIrreversible("read_file", "Bash(git status)", "Launch")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Read", "read_file", "Bash", "Launch"} {
		if !with.Irreversible(name, "git status") {
			t.Errorf("%s is reversible", name)
		}
	}
	if _, ok := with.Lookup("Launch"); !ok {
		t.Error("Launch isn't in the universe")
	}
	if c.Irreversible("Read", "") || c.Irreversible("Bash", "git status") {
		t.Error("the catalogue itself changed")
	}
	for _, entry := range []string{"", "*", "a b", "Bash(", "é"} {
		if _, err := c.WithIrreversible(entry); err == nil {
			t.Errorf("%q is taken for a tool", entry)
		}
	}
}

package promotion

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func skill(text string) *Artefact {
	return &Artefact{Files: []File{{Path: "SKILL.md", Data: []byte(text)}}}
}

// head is the front matter that every skill has.
const head = "name: x\ndescription: A skill.\n"

// places writes findings as "kind line:col offset+length token".
func places(findings []Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %d:%d %d+%d %s", f.Kind, f.Line, f.Col, f.Offset, f.Length, f.Token)))
	}
	return out
}

func TestDeclarationsOfAllowedTools(t *testing.T) {
	for _, c := range []struct {
		name, yaml   string
		baseline     string
		irreversible string
		findings     []string
	}{
		{"absent", "", "", "", nil},
		{"no value", "allowed-tools:\n", "", "", nil},
		{"null", "allowed-tools: null\n", "", "", nil},
		{"an empty list", "allowed-tools: []\n", "", "", nil},
		{"an empty text", "allowed-tools: ''\n", "", "", nil},
		{"a blank text", "allowed-tools: ' , '\n", "", "", nil},
		{"a flow list", "allowed-tools: [Read, Grep]\n", "Grep Read", "", nil},
		{"a flow list over lines", "allowed-tools: [\n  Read,\n  Grep,\n]\n", "Grep Read", "", nil},
		{"a block list", "allowed-tools:\n  - Read\n  - \"Grep\"\n", "Grep Read", "", nil},
		{"a block list in the key's column", "allowed-tools:\n- Read\n- Grep\n", "Grep Read", "", nil},
		{"commas", "allowed-tools: Read,Grep, Glob\n", "Glob Grep Read", "", nil},
		{"blanks", "allowed-tools: Read Grep\n", "Grep Read", "", nil},
		{"quoted", "allowed-tools: \"Read, Grep\"\n", "Grep Read", "", nil},
		{"folded", "allowed-tools: >-\n  Read,\n  Grep\n", "Grep Read", "", nil},
		{"literal", "allowed-tools: |\n  Read\n  Grep\n", "Grep Read", "", nil},
		{"all mixed", "allowed-tools: Bash(python *) Bash(npx eslint *), Read\n", "Bash Read", "Bash", nil},
		{"one exact command", "allowed-tools: Bash(git status), Read\n", "Bash Read", "", nil},
		{"one of two is exact", "allowed-tools: Bash(git status), Bash(git:*)\n", "Bash", "Bash", nil},
		{"exact and bare", "allowed-tools: [Bash(git status), Bash]\n", "Bash", "Bash", nil},
		{"other spellings", "allowed-tools: [read_file, run_shell_command]\n", "Bash Read", "Bash", nil},
		{"twice", "allowed-tools: [Read, read_file, Read]\n", "Read", "", nil},
		{"a server's tool", "allowed-tools: [mcp__mail__send]\n", "mcp__mail__send", "mcp__mail__send", nil},
		{"another case", "allowed-tools: [bash, Web-Fetch]\n", "Web-Fetch bash", "Web-Fetch bash", []string{"allowed_tools 4:17 50+4 bash", "allowed_tools 4:23 56+9 Web-Fetch"}},
		{"a wildcard", "allowed-tools: ['*', Read]\n", "Read", "*", []string{"allowed_tools 4:18 51+1 *"}},
		{"a wildcard in a text", "allowed-tools: Read, *\n", "Read", "*", []string{"allowed_tools 4:22 55+1 *"}},
		{"unbalanced", "allowed-tools: Bash(a, Read\n", "", "Bash(a, Read", []string{"allowed_tools 4:16 49+12 Bash(a, Read"}},
		{"a flow list splits at every comma", "allowed-tools: [Bash(a, b)]\n", "", "Bash(a b)", []string{"allowed_tools 4:17 50+6 Bash(a", "allowed_tools 4:25 58+2 b)"}},
		{"two in one entry", "allowed-tools:\n  - Read, Grep\n", "", "Read, Grep", []string{"allowed_tools 5:5 53+10 Read, Grep"}},
		{"an empty entry", "allowed-tools: ['', Read]\n", "Read", "", []string{"allowed_tools 4:18 51+0"}},
		{"numbers, maps and null", "allowed-tools: [1, {a: b}, null, true, [Read], Grep]\n", "Grep", "", []string{
			"allowed_tools 4:17 50+0", "allowed_tools 4:20 53+0", "allowed_tools 4:28 61+0", "allowed_tools 4:34 67+0", "allowed_tools 4:40 73+0",
		}},
		{"a number", "allowed-tools: 1\n", "", "", []string{"allowed_tools 4:16 49+0"}},
		{"an object", "allowed-tools: {Read: true}\n", "", "", []string{"allowed_tools 4:16 49+0"}},
		{"look-alike keys", "allowed_tools: [Read]\nallowedTools: Read\nAllowed-Tools: Read\nALLOWED-TOOLS: Read\ntools: Read\n", "", "", []string{
			"allowed_tools 4:1 34+13 allowed_tools", "allowed_tools 5:1 56+12 allowedTools", "allowed_tools 6:1 75+13 Allowed-Tools", "allowed_tools 7:1 95+13 ALLOWED-TOOLS", "allowed_tools 8:1 115+5 tools",
		}},
		{"keys that other hosts act upon", "hooks: {}\npermissionMode: x\nmcpServers: {}\n", "", "", []string{"front_matter 4:1 34+5 hooks", "front_matter 5:1 44+14 permissionMode", "front_matter 6:1 62+10 mcpServers"}},
		{"after wide characters", "a: 'é𝄞'\nallowed-tools: [é, '*']\n", "é", "* é", []string{"allowed_tools 5:21 67+1 *"}},
		{"keys that mean nothing here", "metadata: {tools: x, allowed_tools: y}\nversion: 1.0\nlicense: MIT\n", "", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := declarationOf(skill("---\n"+head+c.yaml+"---\n# Body\n"), nil, nil)
			if got := strings.Join(d.baseline, " "); got != c.baseline {
				t.Errorf("baseline %q, want %q", got, c.baseline)
			}
			if got := strings.Join(d.irreversible, " "); got != c.irreversible {
				t.Errorf("irreversible %q, want %q", got, c.irreversible)
			}
			if got := places(d.findings); !slices.Equal(got, c.findings) {
				t.Errorf("findings %q, want %q", got, c.findings)
			}
		})
	}
}

func TestPromotableCutsTheBaseline(t *testing.T) {
	for _, c := range []struct {
		name         string
		promotable   []string
		baseline     string
		irreversible string
		found        string
	}{
		{"none given", nil, "Bash Read WebFetch", "Bash WebFetch", ""},
		{"nothing", []string{}, "", "Bash WebFetch", "Read Bash Bash WebFetch"},
		{"some", []string{"Read", "Bash"}, "Bash Read", "Bash WebFetch", "WebFetch"},
		{"by another spelling", []string{"read_file", "fetch", "shell"}, "Bash Read WebFetch", "Bash WebFetch", ""},
		{"one command only", []string{"Read", "WebFetch", "Bash(git status)"}, "Bash Read WebFetch", "Bash WebFetch", "Bash"},
		{"what names nothing", []string{"*", "Read("}, "", "Bash WebFetch", "Read Bash Bash WebFetch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := declarationOf(skill("---\n"+head+"allowed-tools: [Read, Bash(git status), Bash, fetch]\n---\n"), nil, c.promotable)
			var found []string
			for _, f := range d.findings {
				if f.Kind != KindTools || !strings.Contains(f.Detail, "may not be promoted") {
					t.Errorf("%+v", f)
				}
				found = append(found, f.Token)
			}
			if got := strings.Join(d.baseline, " "); got != c.baseline {
				t.Errorf("baseline %q, want %q", got, c.baseline)
			}
			if got := strings.Join(d.irreversible, " "); got != c.irreversible {
				t.Errorf("irreversible %q, want %q", got, c.irreversible)
			}
			if got := strings.Join(found, " "); got != c.found {
				t.Errorf("found %q, want %q", got, c.found)
			}
		})
	}
}

func TestFrontMatterForms(t *testing.T) {
	const yaml = head + "allowed-tools: [Read]\n"
	block := "---\n" + yaml + "---\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, c := range []struct {
		name, text string
		baseline   string
		findings   []string
	}{
		{"plain", block, "Read", nil},
		{"without a line feed at the end", strings.TrimSuffix(block, "\n"), "Read", nil},
		{"after a byte order mark", "\ufeff" + block, "Read", nil},
		{"after blank lines", "\n \t\n\n" + block, "Read", nil},
		{"after a comment", "<!-- licence -->\n" + block, "Read", nil},
		{"after comments and blank lines", "\ufeff\n<!-- a\n b\n--> <!-- c -->  \n\n" + block, "Read", nil},
		{"with CRLF", crlf("\n<!-- a -->\n" + block), "Read", nil},
		{"blanks after the hyphens", "--- \t\n" + yaml + "---  \n", "Read", nil},
		{"--- in the body", block + "a\n---\nallowed-tools: [Write]\n---\n", "Read", nil},
		{"a second block", block + block, "Read", nil},
		{"typical fields", "---\n" + head + "version: 1.0\nlicense: Complete terms in LICENSE.txt\nmetadata:\n  author: a\n  tags: [a, b]\nallowed-tools: Read\n---\n", "Read", nil},
		{"values that readers disagree on, and nobody reads", "---\n" + head + "version: 1.0.0\nmetadata: {date: 2026-01-31, draft: no}\nallowed-tools: Read\n---\n", "Read", nil},
		{"values that readers disagree on in what is read", "---\nname: no\ndescription: x\nallowed-tools: [Read, yes, 2026-01-31, ~]\n---\n", "2026-01-31 Read yes", []string{
			"front_matter 2:7 10+0", "front_matter 4:23 50+0", "front_matter 4:28 55+0", "front_matter 4:40 67+0", "allowed_tools 4:40 67+0",
		}},
		{"a folded description", "---\nname: x\ndescription: >\n  Use this: when\n  needed\nallowed-tools: Read\n---\n", "Read", nil},
		{"a literal description", "---\nname: x\ndescription: |-\n  Use this\n  # not a comment\nallowed-tools: Read\n---\n", "Read", nil},
		{"a description as people write them", "---\nname: ci\ndescription: Configure X (-r --json=a/-b) — the \"why\", file:line, `y`, ginkgo:* skills & <z>; use when it's needed. Also /x:y.\nallowed-tools: Read\n---\n", "Read", nil},
		{"dots close it, for some", "---\n" + yaml + "...\nmore\n", "Read", []string{"front_matter 5:1 56+3"}},

		{"none", "# Title\n\nText\n", "", []string{"front_matter 0:0 -1+0"}},
		{"an empty file", "", "", []string{"front_matter 0:0 -1+0"}},
		{"only blank lines", "\n\n", "", []string{"front_matter 0:0 -1+0"}},
		{"after text", "a\n" + block, "", []string{"front_matter 0:0 -1+0"}},
		{"after a comment and text", "<!-- a --> b\n" + block, "", []string{"front_matter 0:0 -1+0"}},
		{"on a comment's line", "<!-- a -->" + block, "", []string{"front_matter 0:0 -1+0"}},
		{"indented", " ---\n" + yaml + "---\n", "", []string{"front_matter 0:0 -1+0"}},
		{"four hyphens", "----\n" + yaml + "----\n", "", []string{"front_matter 0:0 -1+0"}},
		{"text after the hyphens", "--- # a\n" + yaml + "---\n", "", []string{"front_matter 0:0 -1+0"}},
		{"two byte order marks", "\ufeff\ufeff" + block, "", []string{"front_matter 0:0 -1+0"}},
		{"in a comment", "<!--\n" + block + "-->\n", "", []string{"front_matter 2:1 5+3", "front_matter 0:0 -1+0"}},
		{"a comment that isn't closed", "\n<!-- a\n" + block, "", []string{"front_matter 2:1 1+4"}},
		{"a comment that HTML closes at once", "<!-->\n-->\n" + block, "Read", []string{"front_matter 1:1 0+4"}},
		{"a comment that HTML closes earlier", "<!-- --!>\n-->\n" + block, "Read", []string{"front_matter 1:1 0+4"}},
		{"never closed", "\n---\n" + yaml, "", []string{"front_matter 2:1 1+3"}},
		{"closed by an indented line", "---\n" + yaml + " ---\n", "", []string{"front_matter 1:1 0+3"}},
		{"not YAML", "\n---\n" + head + "a: b: c\n---\n", "", []string{"front_matter 5:4 38+0"}},
		{"a duplicate key", "---\n" + yaml + "allowed-tools: [Write]\n---\n", "", []string{"front_matter 5:1 56+0"}},
		{"a duplicate key behind many ambiguous values", "---\n" + yaml + "x: [" + strings.Repeat("yes, ", 200) + "no]\nallowed-tools: [Write]\n---\n", "", []string{"front_matter 6:1 1064+0"}},
		{"a duplicate key deeper", "---\n" + yaml + "metadata:\n  a: b\n  a: c\n---\n", "", []string{"front_matter 7:3 75+0"}},
		{"after a byte order mark, not YAML", "\ufeff---\na: &b c\n---\n", "", []string{"front_matter 2:4 10+0"}},
		{"with CRLF, not YAML", crlf("---\nname: é\na: &b c\n---\n"), "", []string{"front_matter 3:4 18+0"}},
		{"a merge key", "---\n" + yaml + "<<: {allowed-tools: [Write]}\n---\n", "", []string{"front_matter 5:1 56+0"}},
		{"two documents", "---\n" + yaml + "--- # a\nallowed-tools: [Write]\n---\n", "", []string{"front_matter 5:1 56+0"}},
		{"a list", "---\n- a\n---\n", "", []string{"front_matter 2:1 4+0"}},
		{"a text", "---\na\n---\n", "", []string{"front_matter 2:1 4+0"}},
		{"empty", "---\n---\n", "", []string{"front_matter 2:1 4+0", "front_matter 2:1 4+0"}},
		{"only a comment", "---\n# a\n---\n", "", []string{"front_matter 2:1 4+0", "front_matter 2:1 4+0"}},
		{"no description", "---\nname: x\n---\n", "", []string{"front_matter 2:1 4+0"}},
		{"a number for a name", "---\nname: 1\ndescription: ' '\n---\n", "", []string{"front_matter 2:7 10+0", "front_matter 3:14 25+0"}},
		{"lone carriage returns", strings.ReplaceAll(block, "\n", "\r"), "", []string{"front_matter 0:0 -1+0"}},
		{"one lone carriage return", "---\nname: x\rallowed-tools: [Write]\n---\n", "", []string{"front_matter 2:8 11+1"}},
		{"a control character", "---\n" + head + "a: \x01\n---\n", "", []string{"front_matter 4:4 37+0"}},
		{"not UTF-8", "---\n" + head + "a: \xff\n---\n", "", []string{"front_matter 4:4 37+0"}},
		{"too large", "---\n" + head + "a: " + strings.Repeat("x", 16<<10) + "\n---\n", "", []string{"front_matter 2:1 4+16418"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := declarationOf(skill(c.text), nil, nil)
			if got := strings.Join(d.baseline, " "); got != c.baseline {
				t.Errorf("baseline %q, want %q", got, c.baseline)
			}
			if got := places(d.findings); !slices.Equal(got, c.findings) {
				t.Errorf("findings %q, want %q\n%v", got, c.findings, d.findings)
			}
		})
	}
}

func TestTheManifest(t *testing.T) {
	data := []byte("---\n" + head + "allowed-tools: [Read, Bash]\n---\n")
	for _, c := range []struct {
		name     string
		paths    []string
		baseline string
		findings int
	}{
		{"none", []string{"README.md", "a/SKILL.md"}, "", 1},
		{"at the root", []string{"SKILL.md", "a/SKILL.md"}, "Bash Read", 0},
		{"in another case", []string{"skill.md"}, "Bash Read", 1},
		{"with letters that fold to it", []string{"ſKILL.md"}, "Bash Read", 1},
		{"two", []string{"SKILL.md", "Skill.md"}, "", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &Artefact{}
			for _, p := range c.paths {
				a.Files = append(a.Files, File{Path: p, Data: data})
			}
			d := declarationOf(a, nil, nil)
			if strings.Join(d.baseline, " ") != c.baseline || len(d.findings) != c.findings {
				t.Errorf("%+v", d)
			}
			if c.name == "two" && !slices.Contains(d.irreversible, "Bash") {
				t.Error("what either asks for isn't irreversible")
			}
		})
	}
}

// adversarial are texts of about a megabyte that would take a careless reader
// time with the square of their length.
func adversarial() map[string]string {
	const n = 1 << 20
	fill := func(before, unit, after string) string { return before + strings.Repeat(unit, n/len(unit)) + after }
	return map[string]string{
		"blank lines":       fill("", "\n", "---\n"),
		"blanks":            fill("", " ", ""),
		"comments":          fill("", "<!---->", "\n---\n"),
		"odd comments":      fill("", "<!-->-->", "\n---\n"),
		"open comments":     fill("", "<!--", "\n---\n"),
		"comments of lines": fill("<!--", "---\n", "-->\n---\n"),
		"hyphens":           fill("", "---\n", ""),
		"one open block":    fill("---\n", "--- x\n", ""),
		"long hyphens":      fill("---\n", "-", "\n---\n"),
		"keys":              fill("---\n", "a: b\n", "---\n"),
		"carriage returns":  fill("---\n", "a\r\n", "---\n"),
		"flow":              fill("---\na: [", "1,", "1]\n---\n"),
		"16 KiB of keys":    "---\n" + strings.Repeat("a: b\n", 3270) + "---\n",
		"16 KiB of stars":   "---\nallowed-tools: '" + strings.Repeat("*,", 8150) + "'\n---\n",
		"16 KiB of quest":   "---\n" + strings.Repeat("? a\n", 4000) + "---\n",
		"16 KiB of items":   "---\nallowed-tools: [" + strings.Repeat("1,", 1900) + "1]\n---\n",
	}
}

func BenchmarkFrontMatterAdversarial(b *testing.B) {
	for name, text := range adversarial() {
		a := skill(text)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				declarationOf(a, nil, nil)
			}
		})
	}
}

// FuzzFrontMatter holds the reader against what it promises: front matter that
// isn't read is found, a baseline is never wider than the text between the
// first two --- lines says, and places lie in the file.
func FuzzFrontMatter(f *testing.F) {
	for _, s := range []string{
		"---\n" + head + "allowed-tools: [Read, Bash(git status)]\n---\n# x\n", "\ufeff\r\n<!-- a -->\r\n---\r\nname: é\r\n---\r\n", "---\n---\n", "---\nallowed-tools: Bash(a b), *\n...\n", "<!-->--->---\n", "---\na: b\ra: c\n---", "---\nallowed_tools: >\n  Read\n---\n---\nx\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		m := readFrontMatter(File{Path: "SKILL.md", Data: data})
		if m.root == nil && len(m.findings) == 0 {
			t.Fatal("neither read nor found")
		}
		if m.start > m.end || m.end > m.body || m.body > len(data) {
			t.Fatalf("%d %d %d of %d", m.start, m.end, m.body, len(data))
		}
		d := declarationOf(skill(before), nil, nil)
		if len(d.baseline) > 0 {
			if m.root == nil || !strings.Contains(string(data[m.start:m.end]), allowedToolsKey) && !strings.Contains(string(data[m.start:m.end]), "\\") {
				t.Fatalf("a baseline of nothing: %q", d.baseline)
			}
		}
		for _, x := range d.findings {
			if x.Offset < -1 || x.Offset > len(data) || x.Offset+x.Length > len(data) && x.Offset >= 0 || x.Kind != KindFrontMatter && x.Kind != KindTools || x.Detail == "" {
				t.Fatalf("%+v", x)
			}
			if x.Offset >= 0 && x.Line != strings.Count(before[:x.Offset], "\n")+1 && x.Offset < m.end {
				t.Fatalf("line %d of offset %d", x.Line, x.Offset)
			}
			if x.Length > 0 && x.Token != "" && before[x.Offset:x.Offset+x.Length] != x.Token {
				t.Fatalf("%+v isn't there", x)
			}
		}
		if string(data) != before {
			t.Fatal("the input changed")
		}
		if cut := declarationOf(skill(before), nil, []string{"Read"}); len(cut.baseline) > 1 || len(cut.findings) < len(d.findings) {
			t.Fatalf("cut to Read: %+v", cut)
		}
	})
}

func TestAdversarialFrontMatterEnds(t *testing.T) {
	for name, text := range adversarial() {
		begin := time.Now()
		if d := declarationOf(skill(text), nil, nil); len(d.findings) == 0 {
			t.Errorf("%s: nothing found", name)
		}
		t.Logf("%s: %v", name, time.Since(begin))
	}
}

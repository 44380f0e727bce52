package promotion

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// named writes what drift finds as "line:col tool", and checks that each place
// is where it says.
func named(t *testing.T, path, text string, baseline ...string) string {
	t.Helper()
	findings, _ := drift(File{Path: path, Data: []byte(text)}, nil, baseline)
	var out []string
	for _, f := range findings {
		if line, col := placeOf([]byte(text), f.Offset); f.Kind != KindDrift || f.File != path || line != f.Line || col != f.Col || f.Length < 1 || f.Offset+f.Length > len(text) || f.Detail == "" {
			t.Errorf("%+v lies at %d:%d", f, line, col)
		}
		out = append(out, fmt.Sprintf("%d:%d %s", f.Line, f.Col, f.Token))
	}
	return strings.Join(out, ", ")
}

func TestDriftInCode(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"a call", `Bash("ls")`, "1:1 Bash"},
		{"a blank before the parenthesis", `Bash ("ls")`, "1:1 Bash"},
		{"an alias", `run_shell_command("ls")`, "1:1 Bash"},
		{"a name with a point", `container.exec("ls")`, "1:1 Bash"},
		{"inside another call", `print(Bash("ls"), fetch(x))`, "1:7 Bash, 1:19 WebFetch"},
		{"the last component", `self.tools.Bash("ls")`, "1:12 Bash"},
		{"a component before the last", `tools.Bash.call(null)`, "1:7 Bash"},
		{"an optional call", `Bash?.("ls")`, "1:1 Bash"},
		{"an optional chain", `tools?.Bash("ls")`, "1:8 Bash"},
		{"not null", `Bash!("ls")`, "1:1 Bash"},
		{"a path", `tools::Bash("ls")`, "1:8 Bash"},
		{"an index", `tools["Bash"]("ls")`, "1:8 Bash"},
		{"a generic of Go", `Bash[int](1)`, "1:1 Bash"},
		{"a generic of TypeScript", `Bash<string>(1)`, "1:1 Bash"},
		{"a template", "Bash`ls`", "1:1 Bash"},
		{"new", `x = new Bash("ls")`, "1:9 Bash"},
		{"a decorator", `@Bash`, "1:2 Bash"},
		{"def", `def Bash(x):`, "1:5 Bash"},
		{"async def", `async def Bash(x):`, "1:11 Bash"},
		{"class", `class Bash:`, "1:7 Bash"},
		{"a base class", `class X extends Bash {`, "1:17 Bash"},
		{"func", `func Bash(x int) {`, "1:6 Bash"},
		{"a method", `func (t *T) Bash(x int) {`, "1:13 Bash"},
		{"function", `export default async function Bash(x) {`, "1:31 Bash"},
		{"const", `const Bash = 1`, "1:7 Bash"},
		{"let without a value", `let a, Bash;`, "1:8 Bash"},
		{"destructured", `const {Bash, Grep: g} = tools`, "1:8 Bash, 1:14 Grep"},
		{"assigned", `Bash = 1`, "1:1 Bash"},
		{"assigned with a type", `Bash: Tool = 1`, "1:1 Bash"},
		{"assigned twice", `a = Bash = 1`, "1:5 Bash"},
		{"declared in Go", `a, Bash := 1, 2`, "1:4 Bash"},
		{"another name for it", `run = tools.Bash`, "1:13 Bash"},
		{"another name with a comment", `run = Bash  # x`, "1:7 Bash"},
		{"import", `import Bash`, "1:8 Bash"},
		{"import of several", `import {a as b, Bash as c} from "x"`, "1:17 Bash"},
		{"from", `from tools import Bash as b`, "1:19 Bash"},
		{"export", `export {Bash}`, "1:9 Bash"},
		{"after a semicolon", `a = 1; Bash("ls"); const Write = 2`, "1:8 Bash, 1:26 Write"},
		{"two tools on a line", `Bash(Write(x))`, "1:1 Bash, 1:6 Write"},
		{"a tool twice on a line", `Bash(1); Bash(2)`, "1:1 Bash"},
		{"wide letters, as Python reads them", `Ｂａｓｈ("ls")`, "1:1 Bash"},
		{"escapes, as JavaScript reads them", `B\u0061sh("ls")`, "1:1 Bash"},
		{"in a comment that may be none", `# Bash("ls")`, "1:3 Bash"},
		{"in parentheses", `(Bash)("ls")`, "1:2 Bash"},
		{"the last of a sequence", `(0, tools.Bash)("ls")`, "1:11 Bash"},
		{"with a type", `(Bash as any)("ls")`, "1:2 Bash"},
		{"assigned where it is called", `(x := Bash)("ls")`, "1:7 Bash"},
		{"assigned in a condition", `if (run := Bash): run(1)`, "1:12 Bash"},
		{"by its name", `getattr(tools, "Bash")("ls")`, "1:17 Bash"},
		{"behind a comment", `Bash /* x */ ("ls")`, "1:1 Bash"},
		{"called on the next line", "Bash\n(1)", "1:1 Bash"},
		{"made without parentheses", `new Bash;`, "1:5 Bash"},
		{"a base class in parentheses", `class X(Bash): pass`, "1:9 Bash"},
		{"a generic in a generic", `Bash<A<B>>(1)`, "1:1 Bash"},
		{"a generic with an index", `Bash[map[string]int](1)`, "1:1 Bash"},
		{"a generic with an arrow", `Bash<() => void>(1)`, "1:1 Bash"},
		{"another name, required", `const run = require("tools").Bash`, "1:30 Bash"},
		{"another name, indexed", `run = tools["Bash"];`, "1:14 Bash"},
		{"another name, one of two", `run, x = 1, Bash`, "1:13 Bash"},
		{"another name, or else", `run = None or Bash; x = 1`, "1:15 Bash"},
		{"another name, in parentheses", `run = (Bash)`, "1:8 Bash"},
		{"returned", `x => Bash`, "1:6 Bash"},
		{"exported by default", `export default Bash`, "1:16 Bash"},
		{"a decorator behind a blank", `@ Bash`, "1:3 Bash"},
		{"escapes in braces", `B\u{61}sh(1); B\u{0061}sh(2)`, "1:1 Bash"},
		{"behind an unusual blank", "x=1;\u00a0Bash(1)", "1:5 Bash"},
		{"behind an unusual line end", "x=1 // x\u2028Bash(1)", "1:8 Bash"},

		{"what a call with it returns", `x = f(Bash)`, ""},
		{"in a list", `x = [Grep, Bash]`, ""},
		{"compared", `Bash == 1`, ""},
		{"an argument's name", `f(Bash=1)`, ""},
		{"a longer name", `Bashful(1); xBash(1); Bash_(1); ÜBash(1)`, ""},
		{"another case", `bash("ls"); BASH(1)`, ""},
		{"an argument", `f(Bash)`, ""},
		{"text", `f("Bash")`, ""},
		{"prose in a comment", `# Read the file, Write the other`, ""},
		{"ordinary words", `print(open(x).read()); s.replace(a, b); task = 1; import os`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{"a.py", "b/c.TS", "x.go"} {
				if got := named(t, path, c.line+"\n"); got != c.want {
					t.Errorf("%s: %s\ngot  %s\nwant %s", path, c.line, got, c.want)
				}
			}
		})
	}
}

// A line that is a comment in its language is none where a string, a template or
// another comment may go on to it.
func TestDriftInComments(t *testing.T) {
	for _, c := range []struct{ path, line, want string }{
		{"a.py", "# Bash (a shell)", ""},
		{"a.py", "#Bash(x)", ""},
		{"a.js", "// Bash (a shell)", ""},
		{"a.ts", "//Bash(x)", ""},
		{"a.go", "// Bash(x)", ""},

		{"a.py", "// Bash(x)", "1:4 Bash"},
		{"a.js", "# Bash(x)", "1:3 Bash"},
		{"a.rb", "# Bash(x)", "1:3 Bash"},
		{"a", "// Bash(x)", "1:4 Bash"},
		{"a.vue", "// Bash(x)", "1:4 Bash"},
		{"a.py", "# {Bash(x)}", "1:4 Bash"},        // an f-string
		{"a.py", `# """; Bash(x)`, "1:8 Bash"},     // its end
		{"a.py", `# '''; Bash(x)`, "1:8 Bash"},     // likewise
		{"a.js", "// ${Bash(x)}", "1:6 Bash"},      // a template
		{"a.js", "// `; Bash(x)", "1:7 Bash"},      // its end
		{"a.js", `// "; Bash(x)`, "1:7 Bash"},      // of a continued string
		{"a.js", "// */ Bash(x)", "1:7 Bash"},      // of another comment
		{"a.jsx", "// </a>; Bash(x)", "1:10 Bash"}, // of a text
		{"a.js", "// x\u2028Bash(x)", "1:4 Bash"},  // a line end of JavaScript
		{"a.js", "// x\rBash(x)", "1:6 Bash"},      // likewise
		{"a.py", "# x\rBash(x)", "1:5 Bash"},
		{"a.py", "# x\\\nBash(x)", "2:1 Bash"},
		{"a.md", "```py\n# Bash(x)\n```", ""},
		{"a.md", "```\n# Bash(x)\n```", "2:3 Bash"},
		{"a.md", "~~~js\n```py\n# Bash(x)\n```", "3:3 Bash"},
	} {
		if got := named(t, c.path, c.line+"\n"); got != c.want {
			t.Errorf("%s: %q\ngot  %s\nwant %s", c.path, c.line, got, c.want)
		}
	}
}

func TestDriftInShell(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"a command", "Bash ls", "1:1 Bash"},
		{"alone", "Bash", "1:1 Bash"},
		{"an alias", "fetch https://example.com", "1:1 WebFetch"},
		{"after separators", "a; Bash 1", "1:4 Bash"},
		{"after and", "a && Bash 1", "1:6 Bash"},
		{"after or", "a || Bash", "1:6 Bash"},
		{"after a pipe", "a|Bash", "1:3 Bash"},
		{"in the background", "a & Bash", "1:5 Bash"},
		{"in a substitution", `echo "$(Bash ls)"`, "1:9 Bash"},
		{"in backticks", "echo `Bash ls`", "1:7 Bash"},
		{"in a subshell", "(Bash)", "1:2 Bash"},
		{"in a group", "{ Bash; }", "1:3 Bash"},
		{"in a process substitution", "diff <(Bash) b", "1:8 Bash"},
		{"negated", "! Bash", "1:3 Bash"},
		{"then", "if true; then Bash; else Write; fi", "1:15 Bash, 1:26 Write"},
		{"do", "for x in 1; do Bash; done", "1:16 Bash"},
		{"a case", "x) Bash ;;", "1:4 Bash"},
		{"sudo", "sudo -u root Bash", "1:14 Bash"},
		{"env", "env A=b Bash", "1:9 Bash"},
		{"exec", "exec Bash", "1:6 Bash"},
		{"xargs", "ls | xargs -I{} Bash {}", "1:17 Bash"},
		{"find", `find . -exec Bash {} \;`, "1:14 Bash"},
		{"another shell", `bash -c "Bash ls"`, "1:10 Bash"},
		{"with variables", "A=1 B+=2 Bash", "1:10 Bash"},
		{"behind a redirection", ">out 2>&1 Bash", "1:11 Bash"},
		{"a function", "Bash() {", "1:1 Bash"},
		{"a function by its keyword", "function Bash {", "1:10 Bash"},
		{"a variable", "Bash=1", "1:1 Bash"},
		{"an exported variable", "export Bash=1", "1:8 Bash"},
		{"another name", "alias Bash='ls'", "1:7 Bash"},
		{"a path", "./bin/Bash ls", "1:7 Bash"},
		{"in quotes", `"Bash" ls`, "1:2 Bash"},
		{"quotes within", `B"as"h ls`, "1:1 Bash"},
		{"escaped", `\Bash ls; Ba\sh`, "1:2 Bash"},
		{"after a prompt", "$ Bash ls", "1:3 Bash"},
		{"after a longer prompt", "me@host:~$ Bash ls", "1:12 Bash"},
		{"in braces", "{Bash,ls}", "1:2 Bash"},
		{"instead of a variable", "${x:-Bash} ls", "1:6 Bash"},
		{"timed", "time -p Bash ls", "1:9 Bash"},
		{"behind a quoted #", `echo "a #"; Bash ls`, "1:13 Bash"},
		{"behind an escaped blank and #", `echo \ #; Bash ls`, "1:11 Bash"},
		{"in a document", "# $(Bash ls)", "1:5 Bash"},
		{"behind a quote opened before", "# x' ; Bash ls", "1:8 Bash"},

		{"an argument", "echo Bash", ""},
		{"an option's value", "grep -e Bash file", ""},
		{"a comment", "# Bash ls", ""},
		{"a comment behind a command", "ls # Bash; Bash", ""},
		{"a longer word", "Bashful; Bash-it; Bash.sh", ""},
		{"ordinary words", "read x; write y; git fetch origin; bash x.sh; task build; replace a b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{"a.sh", "b/c.BASH"} {
				if got := named(t, path, c.line+"\n"); got != c.want {
					t.Errorf("%s: %s\ngot  %s\nwant %s", path, c.line, got, c.want)
				}
			}
		})
	}
}

func TestDriftByFile(t *testing.T) {
	const both = "Bash ls\nWrite(1)\n"
	for path, want := range map[string]string{
		"a.py": "2:1 Write", "a.mjs": "2:1 Write", "a.tsx": "2:1 Write", "a.go": "2:1 Write", "a.html": "2:1 Write",
		"a.sh": "1:1 Bash, 2:1 Write", "a.zsh": "1:1 Bash, 2:1 Write",
		"a": "1:1 Bash, 2:1 Write", "Makefile": "1:1 Bash, 2:1 Write", "a.rb": "1:1 Bash, 2:1 Write", "a.unheard": "1:1 Bash, 2:1 Write", ".bashrc": "1:1 Bash, 2:1 Write",
		"a.md": "", "a.MD": "", "a.markdown": "", "a.txt": "", "a.json": "", "a.yaml": "", "a.csv": "",
		"a.mdx": "2:1 Write",
	} {
		if got := named(t, path, both); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		if got := named(t, path, "#!/bin/sh\n"+both); !strings.Contains(got, "2:1 Bash, 3:1 Write") {
			t.Errorf("%s with a shebang: %s", path, got)
		}
	}
}

func TestDriftKnowsTheBaseline(t *testing.T) {
	file := File{Path: "a.py", Data: []byte("Read(1)\nBash(2)\nwrite_file(3)\nGrep(4)\n")}
	findings, irreversible := drift(file, nil, []string{"Read", "Bash"})
	if got := strings.Join(places(findings), ", "); got != "tool_drift 3:1 16+10 Write, tool_drift 4:1 30+4 Grep" {
		t.Error(got)
	}
	if !slices.Equal(irreversible, []string{"Bash", "Write"}) {
		t.Errorf("irreversible %q", irreversible)
	}
	if !strings.Contains(findings[0].Detail, "write_file") {
		t.Error(findings[0].Detail)
	}
	own, problems := ParseCatalogue([]byte("tools: [{name: Launch}, {name: a.b.c, irreversible: true}]"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	findings, irreversible = drift(File{Path: "a.py", Data: []byte("Bash(1)\nLaunch(2)\nx.a.b.c.d(3)\n")}, own, nil)
	if got := strings.Join(places(findings), ", "); got != "tool_drift 2:1 8+6 Launch, tool_drift 3:3 20+5 a.b.c" || !slices.Equal(irreversible, []string{"a.b.c"}) {
		t.Error(got, irreversible)
	}
}

func TestDriftAtColumnZeroOnly(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"indented", "a.py", " Bash(1)\n\tBash(2)\n", ""},
		{"after a byte order mark", "a.py", "\ufeffBash(1)\n", "1:1 Bash"},
		{"after a form feed", "a.py", "\fBash(1)\n", "1:2 Bash"},
		{"CRLF", "a.sh", "a\r\nBash\r\n", "2:1 Bash"},
		{"lone carriage returns", "a.sh", "a\rBash\rb", "1:3 Bash"},
		{"the last line", "a.sh", "a\nBash", "2:1 Bash"},
		{"behind a backslash", "a.sh", "a && \\\n  Bash 1\n", "2:3 Bash"},
		{"behind two", "a.sh", "a \\\n  b | \\\n  Bash\nc\n", "3:3 Bash"},
		{"behind a backslash with CRLF", "a.sh", "a && \\\r\n  Bash 1\r\n", "2:3 Bash"},
		{"a word in four parts", "a.sh", "B\\\na\\\ns\\\nh ls\n", "1:1 Bash"},
		{"a word in two parts", "a.sh", "Ba\\\nsh ls\n", "1:1 Bash"},
		{"code behind a backslash", "a.py", "x = \\\n  Bash(1)\n", "2:3 Bash"},
		{"at column 0 behind a backslash", "a.py", "# \\\nBash(1)\n", "2:1 Bash"},
		{"an argument behind a backslash", "a.sh", "ls \\\n  Bash\n", ""},
		{"an indented line with a backslash", "a.sh", "  a && \\\n  Bash\n", ""},
		{"wide characters before it", "a.py", "é𝄞 = Bash(1)\n", "1:6 Bash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := named(t, c.path, c.text); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestDriftInFences(t *testing.T) {
	const both = "Bash ls\nWrite(1)\n"
	for _, c := range []struct{ name, text, want string }{
		{"prose", "Bash ls\nWrite(1)\n\n    Bash(1)\n\n`Bash(1)`\n", ""},
		{"no tag", "```\n" + both + "```\nTask(1)\n", "2:1 Bash, 3:1 Write"},
		{"an unknown tag", "```rust\n" + both + "```\nTask(1)\n", "2:1 Bash, 3:1 Write"},
		{"python", "```python\n" + both + "```\nTask(1)\n", "3:1 Write"},
		{"shell", "```bash\nBash ls\nx = Write\n```\nTask(1)\n", "2:1 Bash"},
		{"tags in other spellings", "```{.PYTHON title=\"x\"}\n" + both + "```\n~~~ js,ignore\n" + both + "~~~\n``` {python}\n" + both + "```\n", "3:1 Write, 7:1 Write, 11:1 Write"},
		{"tildes", "~~~\nBash\n~~~\nTask(1)\n", "2:1 Bash"},
		{"never closed", "```\na\n\nBash\n", "4:1 Bash"},
		{"indented", "   ```\n   Bash\n     Write(1)\n   ```\nTask(1)\n", "2:4 Bash"},
		{"less indented than its fence", "   ```\nBash\n   ```\n", "2:1 Bash"},
		{"in a list", "1. a\n\n   ```sh\n   Bash\n    Write\n   ```\n\n2. Task(1)\n", "4:4 Bash"},
		{"in a deeper list", "- a\n  - b\n\n    ```sh\n    Bash\n    ```\n\nTask(1)\n", "5:5 Bash"},
		{"on a list marker's line", "- ```sh\n  Bash\n  ```\n- Task(1)\n", "2:3 Bash, 4:3 Task"}, // a reader that knows no lists takes the end for a start
		{"quoted", "> ```sh\n> Bash\n> ```\n> Task(1)\n", "2:3 Bash"},
		{"quoted twice", "> > ```sh\n> > Bash\n> > ```\n", "2:5 Bash"},
		{"with tabs", "-\ta\n\n\t```sh\n\tBash\n\t```\n", "4:2 Bash"},
		{"CRLF", "```sh\r\nBash\r\n```\r\nTask(1)\r\n", "2:1 Bash"},
		{"lone carriage returns", "a\r```sh\rBash\r```\rTask(1)", "1:9 Bash"},
		{"a backslash within", "```sh\na && \\\n  Bash\n```\n", "3:3 Bash"},
		{"a backslash before the end", "```sh\na && \\\n```\nBash\n", ""},
		{"inline code at the start of a line", "```x``` a\nBash(1)\n", ""},
		{"a longer fence around", "````md\n```sh\nBash\n```\n````\nTask(1)\n", "3:1 Bash"},

		// What is prose to one reader, and code to another.
		{"an indented fence that isn't one", "a\n\n    ```\n\n```\nBash\n```\n", "6:1 Bash"},
		{"an indented fence, then one in a list", "a\n\n    ```\n\n- b\n\n    ```\n    Bash\n    ```\n", "8:5 Bash"},
		{"a shorter closer", "````\n```\nBash\n````\n", "3:1 Bash"},
		{"a closer of the other character", "~~~\n```\nBash\n~~~\n", "3:1 Bash"},
		{"a closer with text", "```\n``` x\nBash\n```\n", "3:1 Bash"},
		{"a fence in a comment", "<!--\n```\n-->\n\n```\nBash\n```\n", "6:1 Bash"},
		{"a fence in HTML", "<div>\n```\nBash\n```\n</div>\n", "3:1 Bash"},
		{"a quote that ends its fence", "> ```\n\n```\nBash\n```\n", "4:1 Bash"},
		{"an item that ends its fence", "- ```\n\na\n\n```\nBash\n```\n", "6:1 Bash"},
		{"an empty item that a blank line ends", "-\n\n  ```\nBash\n  ```\n", "4:1 Bash"},
		{"a fence in front matter", "---\na: |\n  ```\n---\n\n```\nBash\n```\n", "7:1 Bash"},
		{"a comment in front matter", "---\na: |\n  b\n# <!--\n<!--\n---\n\n```\nBash\n```\n-->\n", "9:1 Bash"},
		{"a language that one reader sees only", "```go\n```)\n```.\nBash\n", "4:1 Bash"},
		{"a list behind a comment", "<!-- a\n\nb\n\n-->\n\n- c\n\n  ```\n  Bash\n  ```\n", "10:3 Bash"},
		{"backticks in the tag", "``` a`b\n```\nBash\n", "3:1 Bash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := named(t, "SKILL.md", c.text); got != c.want {
				t.Errorf("%q\ngot  %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

func TestDriftInCommandsThatAHostRunsOnLoading(t *testing.T) {
	for text, want := range map[string]string{
		"!`git status`\n":              "1:1 Bash",
		"a\n\nIt is: !`date` now\n":    "3:8 Bash",
		"- **!`a`** (!`b`)\n\n!`c`\n":  "1:5 Bash, 3:1 Bash",
		"```!\nmake\n```\n":            "1:1 Bash",
		"a\n  ````!\n  make\n  ````\n": "2:4 Bash",
		"\ufeff!`a`":                   "1:1 Bash",
		"the operator `!` and `!=`\n":  "",
		"`println!` and `vec!`\n":      "",
		"!``\n":                        "",
		"wow!\n`a`":                    "",
		"wow!\n```\nmake\n```\n":       "",
		"```sh\n! make\n```\n":         "",
		"!`":                           "",
	} {
		if got := named(t, "SKILL.md", text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := named(t, "SKILL.md", "!`date`\n", "Bash"); got != "" {
		t.Error("declared, and found: " + got)
	}
	if _, irreversible := drift(File{Path: "SKILL.md", Data: []byte("!`date`\n")}, nil, []string{"Bash"}); !slices.Equal(irreversible, []string{"Bash"}) {
		t.Errorf("irreversible: %q", irreversible)
	}
	short, problems := ParseCatalogue([]byte("tools: [{name: Read}]"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	findings, irreversible := drift(File{Path: "SKILL.md", Data: []byte("!`date`\n")}, short, []string{"Read"})
	if got := places(findings); !slices.Equal(got, []string{"tool_drift 1:1 0+2 Bash"}) || !slices.Equal(irreversible, []string{"Bash"}) {
		t.Errorf("with a catalogue without a shell: %q, irreversible %q", got, irreversible)
	}
	if got := named(t, "a.py", "x = !`date`\n"); got != "" {
		t.Error(got)
	}
}

func TestFindingsOfDriftAreBounded(t *testing.T) {
	findings, irreversible := drift(File{Path: "a.py", Data: []byte(strings.Repeat("Bash(1)\n", 3*MaxReasons))}, nil, nil)
	if len(findings) != MaxReasons || !strings.Contains(findings[MaxReasons-1].Detail, "20001 more") || len(irreversible) != 1 {
		t.Errorf("%d findings, the last %+v", len(findings), findings[len(findings)-1])
	}
}

// adversarialSources are units of which, over and over, a text is made that
// would take a careless reader time with the square of its length.
func adversarialSources() []string {
	return []string{
		"(", ")", "](", ">(", "a.", "a.b(", "a(", "Bash(", "Bash(\n", "`", "=", "a=", "= ", ";", "import ", "import;", "def ", "def;", "async ", "@", "@a", "\\\n", "a \\\n", " \\\n", "Ba\\\nsh\\\n",
		"\\u0042", "é", "Ｂａｓｈ(", "aaaaaaa", "a[(](](](](](](", "x$(", "$", "\"", "B'a", "a'(", "a/", "/", ">", "> ", "-", "- ", "1. ", "```\n", "~~~ x\n", "- ```\n", "    ```\n", "> ```\n", "<", "<!--", "<a ", "</", "<b>\n",
		"\r", "\r\n", "\n", " \n", "\t", "> > > > > > > > > >\n", "- - - - - - - - - -\n", "* ", "!`", " !`a", "\n!`a", "_ ", "A=", "sudo ", "!", "#", "# \n", "\f", "````````", "`~",
	}
}

func TestAdversarialSourceEnds(t *testing.T) {
	for _, unit := range adversarialSources() {
		for _, before := range []string{"", "```\n", "x", "aaaaaaaa[", "---\n---\n```\n```\n"} {
			for _, path := range []string{"a.md", "a.unheard"} {
				text := before + strings.Repeat(unit, (64<<10)/len(unit))
				begin := time.Now()
				drift(File{Path: path, Data: []byte(text)}, nil, nil)
				t.Logf("%v: %s, %q and %q", time.Since(begin), path, before, unit)
			}
		}
	}
}

func BenchmarkDrift(b *testing.B) {
	prose := strings.Repeat("The quick brown fox reads what it was given, and `code` is between backticks; that is most lines of most files.\n\n- An item of a list, which isn't long.\n", 7000)
	for name, f := range map[string]File{
		"prose":            {Path: "a.md", Data: []byte(prose)},
		"prose and fences": {Path: "a.md", Data: []byte(strings.Repeat(prose[:6000]+"\n```sh\ngit status\n```\n\n", 170))},
		"python":           {Path: "a.py", Data: []byte(strings.Repeat("def f(x):\n    return g(x, y=1)\n\n\nz = f(3)\n", 25000))},
		"shell":            {Path: "a.sh", Data: []byte(strings.Repeat("if test -f a; then cat a | sort > b; fi\n", 26000))},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(f.Data)))
			for b.Loop() {
				drift(f, nil, nil)
			}
		})
	}
}

// FuzzDrift holds drift against what it promises: every finding is where it
// says, a wider baseline finds no more, and a tool at column 0 of a file that
// is all source is found.
func FuzzDrift(f *testing.F) {
	for _, s := range []string{"Bash(1)\n", "```sh\nBash\n```\n", "- a\n\n  ```\n  Bash\n", "a \\\n Bash\r\n", "---\na: |\n  ```\n---\n> ```\n> fetch\n", "B\\u0061sh(1); Ｂａｓｈ(2)\r"} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(2))
	}
	paths := []string{"SKILL.md", "a.py", "a.unheard", "a.mdx"}
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		file := File{Path: paths[int(n)%len(paths)], Data: []byte(text)}
		findings, irreversible := drift(file, nil, nil)
		for _, x := range findings {
			if x.Offset < 0 {
				continue
			}
			line, col := placeOf(file.Data, x.Offset)
			if x.Kind != KindDrift || line != x.Line || col != x.Col || x.Length < 1 || x.Offset+x.Length > len(text) {
				t.Fatalf("%q: %+v lies at %d:%d", text, x, line, col)
			}
			if _, ok := DefaultCatalogue().Lookup(x.Token); !ok {
				t.Fatalf("%+v names no tool", x)
			}
		}
		if string(file.Data) != text {
			t.Fatal("the input changed")
		}
		wider, same := drift(file, nil, []string{"Read", "Bash"})
		if len(wider) > len(findings) || !slices.Equal(irreversible, same) {
			t.Fatalf("%q: with a wider baseline %d findings, not %d", text, len(wider), len(findings))
		}
		for line := range bytes.Lines(file.Data) {
			if _, found := DefaultCatalogue().place(line, 0, len(line)); found {
				continue
			}
			d := &drifter{cat: DefaultCatalogue()}
			look := func(from, to int, _ string) {
				if tool, ok := d.lookup(line[from:to]); ok {
					t.Fatalf("%q names tool %d, and is passed over", line, tool)
				}
			}
			codeNames(line, look)
			shellNames(line, look)
		}
		whole := File{Path: "a.unheard", Data: []byte(text + "\nBash(1)\n")}
		last, _ := drift(whole, nil, nil)
		if line := strings.Count(text, "\n") + 2; len(last) < MaxReasons && !slices.ContainsFunc(last, func(x Finding) bool { return x.Line == line && x.Token == "Bash" }) {
			t.Fatalf("%q: the call behind it isn't found: %v", text, last)
		}
	})
}

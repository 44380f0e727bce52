package policy_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/threshold"
)

// The examples of the documentation are run. A fenced block is one of these, or
// the tests fail:
//
//	yaml          a policy, or a part of one, that is valid and whose tests pass;
//	              a whole one gives no warning
//	yaml refused  one that isn't; its last lines, # says: …, are all problems
//	yaml warned   one that gives warnings, all of which it lists like that
//	LANGUAGE NAME a file that the policies below it may name: json a.json
//	console       run by the tests of cmd/pawl
//
// A table with a column "expression" is evaluated row by row, for the input of
// its column "input" or of the line "With `…`" before it; "is" is true, false,
// unknown or refused, "why" the message. A table whose first column is `a` is a
// truth table.

// docsHeader completes a part of a policy, unless it begins with its kind.
const docsHeader = "pawl: v1\ngate: example\nkind: threshold\n"

// notRun tells how many blocks of another mark a page may have.
var notRun = map[string]map[string]int{
	"../README.md":                  {"sh": 1},   // the two make targets
	"../docs/threshold.md":          {"": 1},     // the form of input and output
	"../examples/skills/README.md":  {"sh": 1},   // openssl
	"../examples/refunds/README.md": {"sh": 1},   // run by its own test
	"../docs/cli.md":                {"text": 1}, // an executor in sh
}

// proseTables are the first columns of tables that hold no examples.
var proseTables = []string{"key", "type", "variable", "direction"}

// docPage is one page while it is read.
type docPage struct {
	*testing.T
	name  string
	line  int
	input string            // of the last "With `…`"
	gates map[string]string // the signals of the whole policies, by gate
	ran   map[string]int    // what was found on all pages
	other map[string]int    // blocks of this page that aren't run
	told  map[string]bool   // codes of warnings that are shown
	files fstest.MapFS      // those that policies may name
}

func (p *docPage) errorf(format string, args ...any) {
	p.Helper()
	p.Errorf("%s:%d: %s", p.name, p.line, fmt.Sprintf(format, args...))
}

func TestExamplesOfTheDocumentation(t *testing.T) {
	ran, told := map[string]int{}, map[string]bool{}
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../vectors/*.md", "../examples/*/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			p := &docPage{T: t, name: name, gates: map[string]string{}, other: map[string]int{}, ran: ran, told: told, files: fstest.MapFS{}}
			p.read(string(readFile(t, name)))
		}
	}
	for _, kind := range []string{"yaml", "yaml refused", "yaml warned", "console", "expression", "truth"} {
		if ran[kind] == 0 {
			t.Errorf("no example of the kind %q was found: the test is blind", kind)
		}
	}
	for _, code := range lintCodes(t) {
		if !told[code] {
			t.Errorf("no example shows the warning %s: docs/policy.md should", code)
		}
	}
}

var withInput = regexp.MustCompile("^With `(.+)`:$")

func (p *docPage) read(page string) {
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		p.line = i + 1
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			end := slices.Index(lines[i+1:], "```")
			if end < 0 {
				p.errorf("a block without an end")
				return
			}
			p.block(line[3:], strings.Join(lines[i+1:i+1+end], "\n")+"\n")
			i += end + 1
		case strings.HasPrefix(line, "    ") && i > 0 && lines[i-1] == "":
			p.errorf("an indented block isn't run: fence it")
		case withInput.MatchString(line):
			p.input = withInput.FindStringSubmatch(line)[1]
		case strings.HasPrefix(line, "|"):
			end := i
			for end < len(lines) && strings.HasPrefix(lines[end], "|") {
				end++
			}
			p.table(lines[i:end])
			i = end - 1
		}
	}
}

func (p *docPage) block(kind, text string) {
	p.ran[kind]++
	if _, name, ok := strings.Cut(kind, " "); ok && strings.Contains(name, ".") {
		p.files[name] = &fstest.MapFile{Data: []byte(text)}
		return
	}
	switch kind {
	case "yaml":
		p.valid(text)
	case "yaml refused":
		_, err := p.parse(text)
		if err == nil {
			p.errorf("the policy isn't refused")
			return
		}
		p.says(text, problemsOf(p.T, err), func(b policy.Problem) string { return b.Message })
	case "yaml warned":
		f, err := p.parse(text)
		if err != nil {
			p.errorf("%v", err)
			return
		}
		for _, w := range f.Lint() {
			p.told[w.Code] = true
		}
		p.says(text, f.Lint(), func(w policy.Problem) string { return w.Code + ": " + w.Message })
	case "console":
	default:
		if p.other[kind]++; p.other[kind] > notRun[p.name][kind] {
			p.errorf("a block marked %q is not run: see docs_test.go for the marks", kind)
		}
	}
}

func whole(text string) string {
	if strings.HasPrefix(text, "pawl:") {
		return text
	}
	if strings.HasPrefix(text, "kind:") {
		return strings.TrimSuffix(docsHeader, "kind: threshold\n") + text
	}
	return docsHeader + text
}

func (p *docPage) parse(text string) (*policy.File, error) {
	return policy.ParseFiles("doc.yaml", []byte(whole(text)), p.files)
}

func (p *docPage) valid(text string) {
	f, err := p.parse(text)
	if err != nil {
		p.errorf("%v", err)
		return
	}
	if strings.HasPrefix(text, "pawl:") {
		for _, w := range f.Lint() {
			p.errorf("a warning: %v", w)
		}
		p.gates[f.Gate] = section(text, "signals:")
	}
	for _, r := range f.RunTests().Results {
		if len(r.Failures) > 0 {
			p.errorf("test %q: %s", r.Name, strings.Join(r.Failures, "; "))
		}
	}
}

// section cuts one member out of a policy.
func section(text, key string) string {
	var b strings.Builder
	in := false
	for line := range strings.Lines(text) {
		if line[0] != ' ' && line[0] != '\n' {
			in = strings.HasPrefix(line, key)
		}
		if in {
			b.WriteString(line)
		}
	}
	return b.String()
}

// says compares the problems with what the lines "# says: …" quote.
func (p *docPage) says(text string, problems []policy.Problem, show func(policy.Problem) string) {
	p.Helper()
	var want, got []string
	for line := range strings.Lines(text) {
		if said, ok := strings.CutPrefix(line, "# says: "); ok {
			want = append(want, strings.TrimSuffix(said, "\n"))
		}
	}
	for _, b := range problems {
		got = append(got, show(b))
	}
	if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")); diff != "" {
		p.errorf("the program says something else (-page +program):\n%s", diff)
	}
}

// rowCells splits a row, whose "|" inside a cell are escaped.
func rowCells(row string) []string {
	row = strings.ReplaceAll(strings.Trim(row, "|"), `\|`, "\x00")
	parts := strings.Split(row, "|")
	for i, c := range parts {
		parts[i] = strings.ReplaceAll(strings.TrimSpace(c), "\x00", "|")
	}
	return parts
}

func code(cell string) string { return strings.Trim(cell, "`") }

func (p *docPage) table(rows []string) {
	head, start := rowCells(rows[0]), p.line
	expression := slices.IndexFunc(head, func(c string) bool { return strings.HasPrefix(c, "expression") })
	for i, row := range rows[min(2, len(rows)):] {
		p.line = start + 2 + i
		c := rowCells(row)
		switch {
		case len(c) != len(head):
			p.errorf("%d cells, the header has %d", len(c), len(head))
		case expression >= 0:
			p.ran["expression"]++
			gate := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(head[expression], "expression"), " in "))
			p.expression(gate, code(c[expression]), column(head, c, "input"), column(head, c, "is"), column(head, c, "why"))
		case head[0] == "`a`":
			p.ran["truth"]++
			p.truth(head, c)
		case p.name == "../docs/policy.md" && !slices.Contains(proseTables, head[0]):
			p.errorf("a table that begins with %q is not run: see docs_test.go", head[0])
			return
		}
	}
}

// column returns the cell under a heading; it is empty if there is none.
func column(head, row []string, name string) string {
	if i := slices.Index(head, name); i >= 0 {
		return code(row[i])
	}
	return ""
}

func (p *docPage) truth(head, row []string) {
	value := map[string]string{"true": "true", "false": "false", "unknown": "meta.absent"}
	names := regexp.MustCompile(`\b[ab]\b`)
	for i := 2; i < len(head); i++ {
		text := names.ReplaceAllStringFunc(code(head[i]), func(name string) string { return value[row[strings.Index("ab", name)]] })
		p.expression("", text, "{}", row[i], "")
	}
}

// expression evaluates one in a rule.
func (p *docPage) expression(gate, text, input, want, why string) {
	p.Helper()
	if input == "" {
		input = p.input
	}
	if input == "" {
		input = "{}"
	}
	signals, ok := p.gates[gate]
	if !ok && gate != "" {
		p.errorf("no policy of the gate %q stands above", gate)
		return
	}
	got, said := evaluate(p.T, signals, text, input)
	if got != want {
		p.errorf("%s is %s (%s), not %q", text, got, said, want)
	} else if said != why && (why != "" || want == "refused") {
		p.errorf("%s: the program says %q, not %q", text, said, why)
	}
}

// evaluate returns what an expression is, and why it is unknown or refused.
func evaluate(t *testing.T, signals, text, input string) (is, why string) {
	t.Helper()
	var quoted bytes.Buffer
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		t.Fatal(err)
	}
	f, err := policy.Parse("doc.yaml", []byte(docsHeader+signals+"rules:\n  - id: r\n    force: route_to_human\n    reason: r\n    when: "+quoted.String()))
	var pe *policy.Error
	if errors.As(err, &pe) {
		return "refused", pe.Problems[0].Message
	}
	d := decide(f.Threshold, input)
	is = "false"
	for _, r := range d.Reasons {
		switch r.Code {
		case threshold.CodeNoBands, "number_inexact": // there is no band; and what can't be held makes the rule unknown
		case threshold.CodeRuleRouteToHuman:
			is = "true"
		case "rule_error":
			is = "unknown"
			_, why, _ = strings.Cut(r.Message, ": ")
		default:
			return "a fault", r.Message
		}
	}
	return is, why
}

// lintCodes returns the codes of all warnings.
func lintCodes(t *testing.T) (all []string) {
	t.Helper()
	quotedCode := regexp.MustCompile(`"([a-z]+(?:-[a-z]+)+)"`)
	for _, file := range []string{"lint.go", "caselint.go", "promotionlint.go", "reviewlint.go"} {
		for line := range strings.Lines(string(readFile(t, file))) {
			if m := quotedCode.FindStringSubmatch(line); m != nil && strings.Contains(line, "l.warn(") {
				all = append(all, m[1])
			}
		}
	}
	if len(all) == 0 {
		t.Error("no warning was found in lint.go: the test is blind")
	}
	return all
}

// Every key of the language is named on the page that is its reference.
func TestEveryKeyIsDocumented(t *testing.T) {
	page := string(readFile(t, "../docs/policy.md"))
	var schema any
	if err := json.Unmarshal(policy.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	keys := 0
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				visit(item)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for key := range properties {
				keys++
				if !regexp.MustCompile(`\b` + key + "(`|:)").MatchString(page) {
					t.Errorf("docs/policy.md doesn't name the key %s", key)
				}
			}
			for _, item := range v {
				visit(item)
			}
		}
	}
	visit(schema)
	if keys < 10 {
		t.Errorf("only %d keys were found in the schema: the test is blind", keys)
	}
}

package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/pawlgate/pawl/policy"
)

type checkCmd struct {
	Files  []string `arg:"" optional:"" name:"file" help:"Policy files; - is standard input."`
	Policy []string `short:"p" help:"The same as a flag."`
	Output string   `short:"o" enum:"text,json,sarif" default:"text" help:"text, json or sarif (for code review tools)."`
}

// checked is one policy file and what was found in it.
type checked struct {
	name     string
	src      []byte
	file     *policy.File // nil if there are errors
	problems []policy.Problem
}

// Run checks the files. Exit code 0 also with warnings, 2 with errors.
func (c *checkCmd) Run(p *program) error {
	names := append(c.Files, c.Policy...)
	if len(names) == 0 {
		return usagef("name the policy files to check")
	}
	var files []checked
	errs := 0
	for _, name := range names {
		f, err := p.check(name)
		if err != nil { // the others are checked all the same
			p.say("pawl: %v", err)
			errs++
			continue
		}
		if f.file == nil {
			errs++
		}
		files = append(files, f)
	}
	var err error
	switch c.Output {
	case "json":
		err = p.printJSON(checkJSON(files))
	case "sarif":
		err = p.printJSON(sarif(files))
	default:
		err = p.print(checkedText(files))
	}
	if err == nil && errs > 0 {
		return exit(exitUsage)
	}
	return err
}

func (p *program) check(name string) (checked, error) {
	c := checked{name: name}
	var err error
	if c.src, err = p.readFile(name, maxPolicy); err != nil {
		return c, err
	}
	c.file, err = parse(name, c.src)
	var pe *policy.Error
	switch {
	case errors.As(err, &pe):
		c.problems = pe.Problems
	case err != nil:
		return c, err
	default:
		c.problems = c.file.Lint()
	}
	return c, nil
}

func checkedText(files []checked) []byte {
	w := &bytes.Buffer{}
	for _, f := range files {
		errs, warnings := 0, 0
		for _, problem := range f.problems {
			printProblem(w, f.name, f.src, problem)
			if problem.Warning {
				warnings++
			} else {
				errs++
			}
		}
		if f.file == nil {
			fmt.Fprintf(w, "%s: %s\n", f.name, plural(errs, "error"))
			continue
		}
		fmt.Fprintf(w, "%s: ok, gate %s, %s", f.name, f.file.Gate, f.file.Digest)
		if warnings > 0 {
			fmt.Fprintf(w, ", %s", plural(warnings, "warning"))
		}
		fmt.Fprintln(w)
	}
	return w.Bytes()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", thousands(n), what)
}

type checkedJSON struct {
	File     string        `json:"file"`
	OK       bool          `json:"ok"`
	Gate     string        `json:"gate,omitempty"`
	Policy   string        `json:"policy,omitempty"`
	Problems []problemJSON `json:"problems"`
}

type problemJSON struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

func checkJSON(files []checked) any {
	out := struct {
		Files []checkedJSON `json:"files"`
	}{}
	for _, f := range files {
		c := checkedJSON{File: f.name, OK: f.file != nil, Problems: []problemJSON{}}
		if f.file != nil {
			c.Gate, c.Policy = f.file.Gate, f.file.Digest
		}
		for _, p := range f.problems {
			c.Problems = append(c.Problems, problemJSON{p.Pos.Line, p.Pos.Col, severity(p), p.Code, p.Message})
		}
		out.Files = append(out.Files, c)
	}
	return out
}

type schemaCmd struct{}

// Run prints the schema.
func (schemaCmd) Run(p *program) error {
	return p.print(policy.Schema())
}

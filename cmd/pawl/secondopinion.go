package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/llm"
	"github.com/pawlgate/pawl/internal/opinion"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/policy"
)

// modelFlags are for commands that may ask a model.
type modelFlags struct {
	Models string `placeholder:"FILE" help:"Your file of models (where they are, whose key they take); needed if the policy names one."`
	Record string `placeholder:"FILE" help:"Write down what the model answers, for --replay. The file is written anew."`
	Replay string `placeholder:"FILE" help:"Answer from such a file, and ask nobody: what isn't in it escalates. Needs --models, too, but no key."`
}

// oneStdin refuses a call in which more than one file is standard input.
func oneStdin(what, input, policyName string, m *modelFlags) error {
	first := ""
	for _, f := range []struct{ what, name string }{{"the policy", policyName}, {"--models", m.Models}, {"--replay", m.Replay}, {what, input}} {
		switch {
		case f.name != "-":
		case first != "":
			return usagef("%s and %s can't both come from standard input", first, f.what)
		default:
			first = f.what
		}
	}
	return nil
}

// secondOpinion asks the model that a policy names, if it names one.
type secondOpinion struct {
	model    *opinion.Model // nil: nobody is asked
	workers  int            // that pay
	recorder *llm.Recorder
	file     *os.File // of the recording
}

// model makes ready what the flags and the policy ask for.
func (c *modelFlags) model(p *program, f *policy.File, policyName, input string) (*secondOpinion, error) {
	s := &secondOpinion{}
	name := f.Case.Model()
	switch {
	case name == "" && c.Models+c.Record+c.Replay != "":
		return nil, usagef("%s names no model: --models, --record and --replay are of no use", policyName)
	case name == "":
		return s, nil
	case c.Models == "":
		return nil, usagef("%s asks for the opinion of model %s: name the file that defines it, --models FILE", policyName, name)
	case c.Record != "" && c.Replay != "":
		return nil, usagef("--record and --replay exclude each other")
	}
	src, err := p.readFile(c.Models, source.MaxBytes+1)
	if err != nil {
		return nil, err
	}
	config, err := llm.Parse(c.Models, src)
	if err != nil {
		return nil, usageError{errors.New(printableLines(err.Error()))}
	}
	m, ok := config.Models[name]
	if !ok {
		return nil, usagef("%s asks for the opinion of model %s, but %s defines only %s", policyName, name, c.Models, strings.Join(slices.Sorted(maps.Keys(config.Models)), ", "))
	}
	read := []string{policyName, c.Models, input}
	prompt := ""
	if m.Prompt != "" {
		file := m.Prompt
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(c.Models), file)
		}
		if prompt, err = p.readPrompt(file); err != nil {
			return nil, fmt.Errorf("the prompt of model %s: %w", name, err)
		}
		read = append(read, file)
	}
	asker, err := c.asker(p, s, m, read)
	if err != nil {
		return nil, err
	}
	s.model, s.workers = opinion.New(name, asker, prompt, f), m.Concurrency
	return s, nil
}

// readPrompt reads the file of a prompt. One that can't be sent as it stands is
// refused, before any case is decided without it.
func (p *program) readPrompt(file string) (string, error) {
	text, err := p.readFile(file, maxPrompt+1)
	switch {
	case err != nil:
		return "", err
	case len(text) > maxPrompt:
		return "", usagef("%s has more than %d bytes", file, maxPrompt)
	case len(bytes.TrimSpace(text)) == 0:
		return "", usagef("%s is empty", file)
	case !utf8.Valid(text):
		return "", usagef("%s is not UTF-8", file)
	}
	return string(text), nil
}

// maxPrompt bounds a prompt, in bytes.
const maxPrompt = 256 << 10

// asker is what answers: the model, with a recorder or without, or a recording.
func (c *modelFlags) asker(p *program, s *secondOpinion, m llm.Model, read []string) (llm.Asker, error) {
	if c.Replay != "" {
		in, err := p.open(c.Replay)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		replay, err := llm.NewReplay(c.Replay, m.Name, in)
		if err != nil {
			return nil, usageError{errors.New(printableLines(err.Error()))}
		}
		return replay, nil
	}
	client, err := llm.New(m, os.Getenv)
	if err != nil {
		return nil, usageError{err}
	}
	if c.Record == "" {
		return client, nil
	}
	if s.file, err = p.createBeside(c.Record, read...); err != nil {
		return nil, err
	}
	s.recorder = llm.NewRecorder(m.Name, client, s.file)
	return s.recorder, nil
}

// ask returns the model's opinion, nil if the policy names no model. The error
// is errInterrupted: what a model would have said to somebody more patient isn't
// an opinion, and decides nothing.
func (s *secondOpinion) ask(ctx context.Context, in *policy.CaseInput) (*casegate.Opinion, error) {
	if s.model == nil {
		return nil, nil
	}
	o := s.model.Ask(ctx, in)
	if o.Fault != "" && ctx.Err() != nil {
		return nil, errInterrupted
	}
	return o, nil
}

var errInterrupted = errors.New("interrupted")

// options makes a stream wait for answers in parallel, and write each as it
// comes.
func (s *secondOpinion) options(o stream.Options) stream.Options {
	if s.model != nil {
		o.Workers, o.Block = s.workers, 1
	}
	return o
}

// close ends a recording; what couldn't be recorded is a failure.
func (s *secondOpinion) close(err error) error {
	if s.file == nil {
		return err
	}
	failed := errors.Join(s.recorder.Err(), s.file.Close())
	if failed == nil {
		return err
	}
	failed = fmt.Errorf("the recording is not whole: %w", failed)
	if code := exit(0); errors.As(err, &code) {
		return failed
	}
	return errors.Join(err, failed)
}

// printableLines is printable for a text of several lines.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/internal/llm"
	"github.com/pawlgate/pawl/internal/opinion"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/internal/stream"
	"github.com/pawlgate/pawl/policy"
)

// modelFlags are for commands that may ask a model.
type modelFlags struct {
	Models string `placeholder:"FILE" help:"The operator's file of models; needed if the policy names one."`
	Record string `placeholder:"FILE" help:"Write down what the model answers, for --replay."`
	Replay string `placeholder:"FILE" help:"Answer from such a file instead of asking the model."`
}

// secondOpinion asks the model that a policy names, if it names one.
type secondOpinion struct {
	ctx      context.Context
	model    *opinion.Model // nil: nobody is asked
	workers  int            // that pay
	recorder *llm.Recorder
	file     *os.File // of the recording
}

// model makes ready what the flags and the policy ask for.
func (c *modelFlags) model(ctx context.Context, p *program, f *policy.File, policyName string) (*secondOpinion, error) {
	s := &secondOpinion{ctx: ctx}
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
		return nil, usageError{err}
	}
	m, ok := config.Models[name]
	if !ok {
		return nil, usagef("%s defines no model %s", c.Models, name)
	}
	prompt := ""
	if m.Prompt != "" {
		text, err := p.readFile(filepath.Join(filepath.Dir(c.Models), m.Prompt), source.MaxBytes+1)
		if err != nil {
			return nil, fmt.Errorf("the prompt of model %s: %w", name, err)
		}
		prompt = string(text)
	}
	asker, err := c.asker(p, s, m)
	if err != nil {
		return nil, err
	}
	s.model, s.workers = opinion.New(name, asker, prompt, f), m.Concurrency
	return s, nil
}

// asker is what answers: the model, with a recorder or without, or a recording.
func (c *modelFlags) asker(p *program, s *secondOpinion, m llm.Model) (llm.Asker, error) {
	if c.Replay != "" {
		in, err := p.open(c.Replay)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		replay, err := llm.NewReplay(c.Replay, m.Name, in)
		if err != nil {
			return nil, usageError{err}
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
	if s.file, err = p.createBeside(c.Record, c.Models); err != nil {
		return nil, err
	}
	s.recorder = llm.NewRecorder(m.Name, client, s.file)
	return s.recorder, nil
}

// ask returns the model's opinion, nil if the policy names no model.
func (s *secondOpinion) ask(in *policy.CaseInput) *casegate.Opinion {
	if s.model == nil {
		return nil
	}
	return s.model.Ask(s.ctx, in)
}

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
	return fmt.Errorf("the recording is not whole: %w", failed)
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pawlgate/pawl/policy"
)

// maxPolicy is one byte more than a policy may have, so that one that is too
// long is seen to be.
const maxPolicy = 1<<20 + 1

// readFile reads a whole file, or standard input for "-", up to max bytes.
func (p *program) readFile(name string, max int64) ([]byte, error) {
	in, err := p.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, max))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return b, nil
}

// open opens a file, or standard input for "-".
func (p *program) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.stdin), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usageError{err}
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = usagef("%s is a directory", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// loadThreshold reads a policy file of kind threshold. Problems of the policy
// are printed with their places.
func (p *program) loadThreshold(name string) (*policy.File, error) {
	src, err := p.readFile(name, maxPolicy)
	if err != nil {
		return nil, err
	}
	f, err := policy.Parse(name, src)
	var pe *policy.Error
	if errors.As(err, &pe) {
		var text bytes.Buffer
		for _, problem := range pe.Problems {
			printProblem(&text, name, src, problem)
		}
		p.say("%s", bytes.TrimSuffix(text.Bytes(), []byte{'\n'}))
		return nil, usagef("%s is not a valid policy: nothing was done", name)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

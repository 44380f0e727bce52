package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

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

// loadThreshold reads a policy file of kind threshold.
func (p *program) loadThreshold(name string) (*policy.File, error) {
	return p.loadKind(name, policy.KindThreshold)
}

// loadKind reads a policy file of one kind, for a command that takes no other.
func (p *program) loadKind(name, kind string) (*policy.File, error) {
	f, err := p.load(name)
	if err == nil && f.Kind != kind {
		hint := ""
		if f.Kind == policy.KindPromotion {
			hint = ": use pawl promote decide"
		}
		return nil, usagef("%s is a policy of kind %s: this command needs one of kind %s%s", name, f.Kind, kind, hint)
	}
	return f, err
}

// parse parses a policy that was read from name. One that stands in a folder
// may refer to the files in it and below it, and to no others.
func parse(name string, src []byte) (*policy.File, error) {
	if name == "-" {
		return policy.Parse(name, src)
	}
	return policy.ParseFiles(name, src, folder(filepath.Dir(name)))
}

// folder is the files in a folder and below it: no symbolic link leads out. It
// isn't touched unless a policy refers to a file.
type folder string

// Open implements fs.FS.
func (d folder) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(name)
}

// Stat implements fs.StatFS: to open a pipe would wait for its other end.
func (d folder) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(name)
}

// load reads a policy file of any kind. Problems of the policy are printed with
// their places.
func (p *program) load(name string) (*policy.File, error) {
	src, err := p.readFile(name, maxPolicy)
	if err != nil {
		return nil, err
	}
	f, err := parse(name, src)
	var pe *policy.Error
	if errors.As(err, &pe) {
		p.sayProblems(name, src, pe.Problems)
		return nil, usagef("%s is not a valid policy: nothing was done", name)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// sayProblems writes the problems of a file to standard error.
func (p *program) sayProblems(name string, src []byte, problems []policy.Problem) {
	var text bytes.Buffer
	for _, problem := range problems {
		printProblem(&text, name, src, problem)
	}
	p.say("%s", bytes.TrimSuffix(text.Bytes(), []byte{'\n'}))
}

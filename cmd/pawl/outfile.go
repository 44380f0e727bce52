package main

import (
	"errors"
	"os"
	"path/filepath"
)

// checkOutput refuses a file to write to that is read at the same time, or is
// standard input or output under another name.
func (p *program) checkOutput(name string, read ...string) error {
	if name == "-" || name == "" {
		return usagef("%q is no file to write to: name one", name)
	}
	there := regular(name)
	if there == nil {
		return nil
	}
	for _, other := range read {
		if info, err := os.Stat(other); err == nil && other != "-" && os.SameFile(there, info) {
			return usagef("%s is one of the files to read", name)
		}
	}
	for _, std := range []any{p.stdin, p.stdout} {
		if f, ok := std.(*os.File); ok {
			if info, err := f.Stat(); err == nil && os.SameFile(there, info) {
				return usagef("%s is standard input or output already", name)
			}
		}
	}
	return nil
}

// regular tells of a file; nil if it is yet to be made, or is a pipe or device.
func regular(name string) os.FileInfo {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// createBeside creates a file that is written as things happen, while the
// others are read.
func (p *program) createBeside(name string, read ...string) (*os.File, error) {
	if err := p.checkOutput(name, read...); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, usageError{err}
	}
	return f, nil
}

// wholeFile is a file that appears under its name when it is whole: until then
// what was there before stays. A pipe or device is written to directly.
type wholeFile struct {
	*os.File
	name string // empty: it is written in place
}

func (p *program) createWhole(name string, read ...string) (*wholeFile, error) {
	if there, err := os.Stat(name); err == nil && !there.Mode().IsRegular() {
		f, err := p.createBeside(name, read...)
		return &wholeFile{File: f}, err
	}
	if err := p.checkOutput(name, read...); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, usageError{err}
	}
	return &wholeFile{f, name}, f.Chmod(0o644)
}

// finish puts the file under its name, unless something failed.
func (w *wholeFile) finish(failed error) error {
	err := w.Close()
	if w.name == "" {
		return errors.Join(failed, err)
	}
	if failed == nil && err == nil {
		return os.Rename(w.File.Name(), w.name)
	}
	return errors.Join(failed, err, os.Remove(w.File.Name()))
}

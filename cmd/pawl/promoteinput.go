package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/pawlgate/pawl/internal/artefact"
	"github.com/pawlgate/pawl/promotion"
)

// eachArtefact reads what stands at a path: a folder with one skill or many, an
// archive, a snapshot, or a single file. Each artefact is given as soon as it is
// read, so that not all of them need to fit into memory.
func (p *program) eachArtefact(path string, limits promotion.Limits, yield func(*promotion.Artefact) error) (artefact.Found, error) {
	if path == "-" {
		return artefact.Found{}, usagef("an artefact can't come from standard input: name a folder, an archive or a snapshot")
	}
	var own error // of yield
	found, err := artefact.Each(path, limits, func(a *promotion.Artefact) error {
		own = yield(a)
		return own
	})
	switch {
	case own != nil:
		return found, own
	case err != nil:
		return found, usageError{err}
	}
	if found.Resolved != "" {
		p.say("%s: a link; what was read is %s", cell(path), cell(found.Resolved))
	}
	if found.Outside > 0 {
		p.say("%s: %s in no skill: not read", cell(path), plural(found.Outside, "file"))
	}
	return found, nil
}

// oneArtefact reads what is to be decided on.
func (p *program) oneArtefact(path string, limits promotion.Limits) (one *promotion.Artefact, err error) {
	n := 0
	found, err := p.eachArtefact(path, limits, func(a *promotion.Artefact) error {
		if n++; one == nil {
			one = a
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(found.Missed) > 0:
		f := found.Missed[0]
		return nil, usagef("%s: whether it holds one skill can't be told: name the skill itself: %s: %s", path, f.File, f.Detail)
	case n != 1:
		return nil, usagef("%s holds %s: name one", path, plural(n, "skill"))
	}
	return one, nil
}

// checkTo refuses a file to write to that is among those that were read, or
// would become part of a folder that was: what stands there would be another
// artefact from then on.
func checkTo(name string, read ...string) error {
	if name == "" || name == "-" {
		return nil
	}
	for _, in := range read {
		info, err := os.Stat(in)
		if err != nil || !info.IsDir() {
			continue
		}
		// The folder that is written to, and all above it.
		for dir := fullPath(filepath.Dir(name)); ; dir = filepath.Dir(dir) {
			if above, err := os.Stat(dir); err == nil && os.SameFile(above, info) {
				return usagef("%s is within %s, which is read: write it elsewhere", name, in)
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return nil
}

// fullPath is a path from the root, without links where that can be told.
func fullPath(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	if to, err := filepath.Abs(path); err == nil {
		path = to
	}
	return path
}

// writeOut writes to a file that appears when it is whole, or to standard
// output.
func (p *program) writeOut(name string, data []byte, read ...string) error {
	if name == "-" || name == "" {
		return p.print(data)
	}
	if err := checkTo(name, read...); err != nil {
		return err
	}
	w, err := p.createWhole(name, read...)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return w.finish(err)
}

// onceStdin refuses standard input for two things at once: the second would find
// it empty.
func onceStdin(policy, evidence string) error {
	if policy == "-" && evidence == "-" {
		return usageError{errors.New("the policy and the evidence can't both come from standard input")}
	}
	return nil
}

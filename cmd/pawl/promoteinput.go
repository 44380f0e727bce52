package main

import (
	"github.com/pawlgate/pawl/internal/artefact"
	"github.com/pawlgate/pawl/promotion"
)

// artefacts reads what stands at a path: a folder with one skill or many, an
// archive, a snapshot, or a single file.
func (p *program) artefacts(path string, limits promotion.Limits) ([]*promotion.Artefact, error) {
	if path == "-" {
		return nil, usagef("an artefact can't come from standard input: name a folder, an archive or a snapshot")
	}
	l, err := artefact.Load(path, limits)
	if err != nil {
		return nil, usageError{err}
	}
	if l.Outside > 0 {
		p.say("%s: %s in no skill: not read", path, plural(l.Outside, "file"))
	}
	return l.Artefacts, nil
}

// oneArtefact reads what is to be decided on.
func (p *program) oneArtefact(path string, limits promotion.Limits) (*promotion.Artefact, error) {
	all, err := p.artefacts(path, limits)
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, usagef("%s holds %s: name one", path, plural(len(all), "skill"))
	}
	return all[0], nil
}

// writeOut writes to a file that appears when it is whole, or to standard
// output.
func (p *program) writeOut(name string, data []byte, read ...string) error {
	if name == "-" || name == "" {
		return p.print(data)
	}
	w, err := p.createWhole(name, read...)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return w.finish(err)
}

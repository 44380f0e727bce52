package main

import (
	"fmt"
	"io"

	"github.com/pawlgate/pawl/internal/artefact"
	"github.com/pawlgate/pawl/promotion"
)

// artefacts reads what stands at a path: a folder with one skill or many, an
// archive, a snapshot, or a single file.
func (p *program) artefacts(path string, limits promotion.Limits) ([]*promotion.Artefact, error) {
	if path == "-" {
		return nil, usagef("an artefact can't come from standard input: name a folder, an archive or a snapshot")
	}
	all, loose, err := artefact.Load(path, limits)
	if err != nil {
		return nil, usageError{err}
	}
	if loose > 0 {
		p.say("%s: %s in no skill: not read", path, plural(loose, "file"))
	}
	return all, nil
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

// snapshotFile reads a snapshot, and nothing else.
func (p *program) snapshotFile(name string, limits promotion.Limits) (*promotion.Artefact, *promotion.Snapshot, error) {
	in, err := p.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	tar, err := io.ReadAll(io.LimitReader(in, promotion.MaxTar(limits)+1))
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", name, err)
	}
	a, s, err := promotion.ReadSnapshot(name, tar, limits)
	if err != nil {
		return nil, nil, usageError{fmt.Errorf("%w: make one with pawl promote snapshot", err)}
	}
	return a, s, nil
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



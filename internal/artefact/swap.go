package artefact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pawlgate/pawl/promotion"
)

// swap brings the written folder to its name. It returns the name that the old
// folder has now, empty if there was none. On an error the destination is what
// it was, and what was written is gone, unless the error says otherwise.
func (p *placer) swap(expect string) (old string, err error) {
	if expect == "" {
		err := p.renameNew(p.dir, p.temp, p.name)
		if errors.Is(err, errors.ErrUnsupported) {
			err = p.renameNewSlowly()
		}
		if err == nil {
			return "", nil
		}
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%w: %s came to be meanwhile", ErrExpect, p.dest)
		}
		return "", errors.Join(fmt.Errorf("%s: not placed: %w", p.dest, err), p.root.RemoveAll(p.temp))
	}
	mine, err := p.root.Lstat(p.temp)
	if err != nil {
		return "", fmt.Errorf("%s: not placed: %w", p.dest, err)
	}
	old, back, err := p.exchangeOrMove()
	if err != nil {
		return "", errors.Join(fmt.Errorf("%s: not placed: %w", p.dest, err), p.root.RemoveAll(p.temp))
	}
	// The folder that came out is what nobody else finds by its name any more.
	err = p.at(stepRenamed)
	if err == nil {
		err = p.expects(old, expect)
	}
	if err == nil {
		return old, nil
	}
	err = fmt.Errorf("%s: changed while the snapshot was written, and was put back: %w", p.dest, err)
	if backErr := back(); backErr != nil {
		return "", fmt.Errorf("%s: the snapshot is in place, but what it replaced had changed, can't be put back and is kept as %s: %w", p.dest, old, errors.Join(err, backErr))
	}
	// What came back under the name is removed only if it is what was written.
	if now, statErr := p.root.Lstat(p.temp); statErr != nil || !os.SameFile(now, mine) {
		return "", fmt.Errorf("%w; what stood in its place for a moment isn't pawl's and is kept as %s", err, p.temp)
	}
	return "", errors.Join(err, p.root.RemoveAll(p.temp), syncFolder(p.dir))
}

// exchangeOrMove puts the written folder in the destination's place. It returns
// the name of what stood there, and how to take it back, so that what was
// written has its name again.
func (p *placer) exchangeOrMove() (old string, back func() error, err error) {
	err = p.exchange(p.dir, p.temp, p.name)
	if err == nil {
		return p.temp, func() error { return p.exchange(p.dir, p.temp, p.name) }, nil
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return "", nil, err
	}
	old = tempName(p.name)
	if err := p.root.Rename(p.name, old); err != nil {
		return "", nil, err
	}
	if err := p.renameNewSlowly(); err != nil {
		return "", nil, errors.Join(err, p.root.Rename(old, p.name))
	}
	return old, func() error {
		return errors.Join(p.root.Rename(p.name, p.temp), p.root.Rename(old, p.name))
	}, nil
}

// renameNewSlowly is renameNew for systems that can't do it at once. A rename
// replaces no file and no folder that holds anything by a folder, so that
// between the look and the rename only an empty folder can be lost.
func (p *placer) renameNewSlowly() error {
	if _, err := p.root.Lstat(p.name); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fs.ErrExist
		}
		return err
	}
	return p.root.Rename(p.temp, p.name)
}

// finish makes the rename last, verifies what is in place and removes what it
// replaced.
func (p *placer) finish(s *promotion.Snapshot, old string) error {
	kept := ""
	if old != "" {
		kept = "; the folder that it replaced is kept beside it as " + old
	}
	if err := p.at(stepJudged); err != nil {
		return fmt.Errorf("%s: the snapshot is in place, but not verified%s: %w", p.dest, kept, err)
	}
	if err := syncFolder(p.dir); err != nil {
		return fmt.Errorf("%s: the snapshot is in place, but may not last%s: %w", p.dest, kept, err)
	}
	if err := p.holds(p.name, s); err != nil {
		return fmt.Errorf("%s: was placed, but what stands there now is not the snapshot%s: %w", p.dest, kept, err)
	}
	if err := p.at(stepVerified); err != nil {
		return fmt.Errorf("%s: the snapshot is in place%s: %w", p.dest, kept, err)
	}
	if old == "" {
		return nil
	}
	if err := p.root.RemoveAll(old); err != nil {
		return fmt.Errorf("%s: the snapshot is in place and verified, but the folder that it replaced can't be removed; it is %s beside it: %w", p.dest, old, err)
	}
	return nil
}

package artefact

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/pawlgate/pawl/promotion"
)

// Found is what is known of a path beside its artefacts.
type Found struct {
	// Resolved is where the path led, if it is a link; otherwise empty.
	Resolved string
	// Outside is how many files belong to no skill, and weren't read.
	Outside int
	// Missed is what stood in the way of finding all skills. If there is any, an
	// artefact without files has it as its findings, too, so that it can't be
	// passed over.
	Missed []promotion.Finding
}

// Each reads what stands at a path, once: a folder that is one skill, or holds
// many, an archive with one or more, a snapshot, or a single file. It gives each
// artefact to yield as soon as it is read, and keeps none, since together they
// may not fit into memory. What is odd in them is a finding; the error is for a
// path at which there is nothing to read, or that of yield, as it is.
func Each(path string, limits promotion.Limits, yield func(*promotion.Artefact) error) (Found, error) {
	folder, err := openFolder(path)
	if err != nil {
		return Found{}, fmt.Errorf("read an artefact: %w", err)
	}
	defer folder.Close()
	found := Found{Resolved: folder.resolved}
	if folder.only != "" {
		var all []*promotion.Artefact
		all, found.Outside, err = folder.archive(path, limits)
		if errors.Is(err, promotion.ErrNotArchive) {
			all, err = []*promotion.Artefact{promotion.Read(path, folder, ".", limits)}, nil
		}
		for _, a := range all {
			if err == nil {
				err = yield(a)
			}
		}
		return found, err
	}
	skills := promotion.FindSkills(folder, ".")
	found.Outside, found.Missed = skills.Outside, skills.Findings
	for _, root := range skills.Roots {
		if err := yield(promotion.Read(filepath.Join(path, root), folder, root, limits)); err != nil {
			return found, err
		}
	}
	if len(skills.Findings) > 0 {
		// There may be skills that nobody found: that isn't the fault of the
		// others, and must not be lost either.
		return found, yield(&promotion.Artefact{Name: path, Findings: skills.Findings})
	}
	return found, nil
}

// archive reads a file as an archive, or as a snapshot if it is one: that is
// taken as it is, however deep its SKILL.md stands.
func (f *folder) archive(path string, limits promotion.Limits) (all []*promotion.Artefact, outside int, err error) {
	in, err := f.Open(f.only)
	if err != nil {
		return nil, 0, fmt.Errorf("read an artefact: %w", err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, 0, fmt.Errorf("read an artefact: %w", err)
	}
	if data, err := readAtMost(in, promotion.MaxSnapshotBytes(limits)); err == nil {
		if a, _, err := promotion.ReadSnapshot(path, data, limits); err == nil {
			return []*promotion.Artefact{a}, 0, nil
		}
	}
	at, ok := in.(io.ReaderAt)
	if !ok {
		return nil, 0, fmt.Errorf("read an artefact: %s can't be read from the middle", path)
	}
	all, outside, err = promotion.ReadArchive(path, at, info.Size(), limits)
	if err != nil {
		return nil, 0, fmt.Errorf("read an artefact: %w", err)
	}
	return all, outside, nil
}

// LoadSnapshot reads a snapshot, and nothing else, once.
func LoadSnapshot(path string, limits promotion.Limits) (*promotion.Artefact, *promotion.Snapshot, error) {
	folder, err := openFolder(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read a snapshot: %w", err)
	}
	defer folder.Close()
	if folder.only == "" {
		return nil, nil, fmt.Errorf("read a snapshot: %s is a folder", path)
	}
	in, err := folder.Open(folder.only)
	if err != nil {
		return nil, nil, fmt.Errorf("read a snapshot: %w", err)
	}
	defer in.Close()
	data, err := readAtMost(in, promotion.MaxSnapshotBytes(limits))
	if err != nil {
		return nil, nil, fmt.Errorf("read a snapshot: %s: %w", path, err)
	}
	a, s, err := promotion.ReadSnapshot(path, data, limits)
	if err != nil {
		return nil, nil, fmt.Errorf("read a snapshot: %w", err)
	}
	return a, s, nil
}

// readAtMost reads all of a file that has at most so many bytes.
func readAtMost(in io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("more than %d bytes, which a snapshot can't have", most)
	}
	return data, err
}

package artefact

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/pawlgate/pawl/promotion"
)

// Loaded is what stands at a path.
type Loaded struct {
	Artefacts []*promotion.Artefact // at least one
	Outside   int                   // files that belong to no skill, and weren't read
}

// Load reads what stands at a path, once: a folder that is one skill, or holds
// many, an archive with one or more, a snapshot, or a single file. What is odd
// in it is a finding of the artefacts; the error is for a path at which
// there is nothing to read.
func Load(path string, limits promotion.Limits) (*Loaded, error) {
	folder, err := openFolder(path)
	if err != nil {
		return nil, fmt.Errorf("read an artefact: %w", err)
	}
	defer folder.Close()
	if folder.only != "" {
		l, err := folder.archive(path, limits)
		if !errors.Is(err, promotion.ErrNotArchive) {
			return l, err
		}
		return &Loaded{Artefacts: []*promotion.Artefact{promotion.Read(path, folder, ".", limits)}}, nil
	}
	skills := promotion.FindSkills(folder, ".")
	l := &Loaded{Outside: skills.Outside}
	for _, root := range skills.Roots {
		l.Artefacts = append(l.Artefacts, promotion.Read(filepath.Join(path, root), folder, root, limits))
	}
	if len(skills.Findings) > 0 {
		// There may be skills that nobody found: that isn't the fault of the
		// others, and must not be lost either.
		l.Artefacts = append(l.Artefacts, &promotion.Artefact{Name: path, Findings: skills.Findings})
	}
	return l, nil
}

// archive reads a file as an archive, or as a snapshot if it is one: that is
// taken as it is, however deep its SKILL.md stands.
func (f *folder) archive(path string, limits promotion.Limits) (*Loaded, error) {
	in, err := f.Open(f.only)
	if err != nil {
		return nil, fmt.Errorf("read an artefact: %w", err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fmt.Errorf("read an artefact: %w", err)
	}
	if data, err := readAtMost(in, promotion.MaxSnapshotBytes(limits)); err == nil {
		if a, _, err := promotion.ReadSnapshot(path, data, limits); err == nil {
			return &Loaded{Artefacts: []*promotion.Artefact{a}}, nil
		}
	}
	at, ok := in.(io.ReaderAt)
	if !ok {
		return nil, fmt.Errorf("read an artefact: %s can't be read from the middle", path)
	}
	artefacts, outside, err := promotion.ReadArchive(path, at, info.Size(), limits)
	if err != nil {
		return nil, fmt.Errorf("read an artefact: %w", err)
	}
	return &Loaded{artefacts, outside}, nil
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

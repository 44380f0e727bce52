package conformance

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/vectors"
)

// snapshotAnswer is the line out for an artefact whose digest is asked.
type snapshotAnswer struct {
	ID     string  `json:"id"`
	Digest *string `json:"digest"`
}

// SnapshotItems makes items of the vectors of snapshots.
func SnapshotItems(all []vectors.SnapshotVector) ([]Item, error) {
	var items []Item
	for i := range all {
		v := &all[i]
		check := func(a *snapshotAnswer) []string {
			var d differences
			if d.compare("the answer's id", a.ID, v.ID()); len(d) > 0 {
				return d
			}
			d.compare("digest", deref(a.Digest), deref(v.Expect.Digest))
			return d
		}
		item, err := newItem(v.ID(), v.File, "snapshot", map[string]any{"files": v.Files}, check)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// answerSnapshot answers {"id", "snapshot": {"files"}}.
func answerSnapshot(root *source.Node) ([]byte, error) {
	id, n, err := theOne(root, "snapshot")
	if err != nil {
		return nil, err
	}
	for _, m := range n.Members {
		if m.Key != "files" {
			return nil, fmt.Errorf("snapshot: unknown member %.64q", m.Key)
		}
	}
	files, err := artefactFiles(n.Get("files"))
	if err != nil {
		return nil, err
	}
	a := snapshotAnswer{ID: id}
	artefact := artefactOf(files)
	if s, err := artefact.Snapshot(); err == nil {
		if err := thereAndBack(s); err != nil {
			return nil, err
		}
		a.Digest = &s.Digest
	}
	return appendSaid(a)
}

// thereAndBack checks that a snapshot's tar is read back as the same snapshot.
// An error is a bug, whatever the digest.
func thereAndBack(s *promotion.Snapshot) error {
	tar := s.Tar()
	_, again, err := promotion.ReadSnapshot("vector.tar", tar, promotion.DefaultLimits())
	switch {
	case err != nil:
		return fmt.Errorf("the snapshot's tar isn't read back: %w", err)
	case again.Digest != s.Digest || !slices.Equal(again.Tar(), tar):
		return errors.New("the snapshot's tar is read back as another")
	}
	return nil
}

// artefactFiles reads a list of files.
func artefactFiles(n *source.Node) ([]vectors.ArtefactFile, error) {
	if n == nil || n.Kind != source.List {
		return nil, errors.New("files must be a list")
	}
	var files []vectors.ArtefactFile
	for i, item := range n.Items {
		var f vectors.ArtefactFile
		if item.Kind != source.Object {
			return nil, fmt.Errorf("files: entry %d must be an object, not %s", i, item.Kind)
		}
		for _, m := range item.Members {
			if err := artefactMember(&f, m); err != nil {
				return nil, fmt.Errorf("files: entry %d: %w", i, err)
			}
		}
		files = append(files, f)
	}
	return files, nil
}

func artefactMember(f *vectors.ArtefactFile, m source.Member) (err error) {
	var s string
	switch m.Key {
	case "path":
		f.Path, err = text(m)
	case "text":
		f.Text, err = text(m)
	case "base64":
		if s, err = text(m); err == nil {
			f.Base64, err = base64.StdEncoding.DecodeString(s)
		}
	case "link":
		f.Link, err = text(m)
	case "repeat":
		if m.Value.Kind != source.Number || json.Unmarshal([]byte(m.Value.Text), &f.Repeat) != nil || f.Repeat < 1 || f.Repeat > 1<<21 {
			err = errors.New("repeat must be an integer from 1 to 2,097,152")
		}
	case "exec", "device":
		if m.Value.Kind != source.Bool {
			return fmt.Errorf("%s must be a boolean, not %s", m.Key, m.Value.Kind)
		}
		if m.Key == "exec" {
			f.Exec = m.Value.Bool
		} else {
			f.Device = m.Value.Bool
		}
	default:
		err = fmt.Errorf("unknown member %.64q", m.Key)
	}
	return err
}

// data is what stands in a file.
func data(f *vectors.ArtefactFile) []byte {
	s := f.Text
	if f.Base64 != nil {
		s = string(f.Base64)
	}
	return []byte(strings.Repeat(s, max(f.Repeat, 1)))
}

// artefactOf reads the files as an artefact, from a file system if one can hold
// them. Paths that no file system has come from elsewhere, an archive say, and
// the artefact is then as its reader would have left it to the snapshot.
func artefactOf(files []vectors.ArtefactFile) *promotion.Artefact {
	fsys := fstest.MapFS{}
	holds := true
	for i := range files {
		f := &files[i]
		entry := &fstest.MapFile{Mode: 0o644, Data: data(f)}
		switch {
		case f.Link != "":
			entry.Mode, entry.Data = fs.ModeSymlink|0o777, []byte(f.Link)
		case f.Device:
			entry.Mode |= fs.ModeDevice
		case f.Exec:
			entry.Mode |= 0o111
		}
		holds = holds && fs.ValidPath(f.Path) && f.Path != "." && fsys[f.Path] == nil
		fsys[f.Path] = entry
	}
	for path := range fsys { // nothing is both file and folder
		holds = holds && !slices.ContainsFunc(files, func(f vectors.ArtefactFile) bool { return strings.HasPrefix(f.Path, path+"/") })
	}
	if holds {
		return promotion.Read("vector", fsys, ".", promotion.DefaultLimits())
	}
	a := &promotion.Artefact{Name: "vector"}
	for i := range files {
		a.Files = append(a.Files, promotion.File{Path: files[i].Path, Exec: files[i].Exec, Data: data(&files[i])})
	}
	slices.SortStableFunc(a.Files, func(f, g promotion.File) int { return strings.Compare(f.Path, g.Path) })
	return a
}

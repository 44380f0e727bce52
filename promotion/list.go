package promotion

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// folderEntry is what a folder says of one of its entries.
type folderEntry struct {
	name  string
	mode  fs.FileMode // the type bits alone
	entry fs.DirEntry
}

func sameEntry(a, b folderEntry) bool { return a.name == b.name && a.mode == b.mode }

// key orders entries such that the paths of all files below them are in byte order.
func (e folderEntry) key() string {
	if e.mode.IsDir() {
		return e.name + "/"
	}
	return e.name
}

// errTooMany is a folder with more entries than may be looked at.
var errTooMany = errors.New("too many entries")

// listFolder lists a folder, a piece at a time, up to so many entries. An error
// means that nothing is known of the folder.
func listFolder(fsys fs.FS, p string, most int) (list []folderEntry, err error) {
	err = calm(func() error {
		var err error
		list, err = listOpen(fsys, p, most)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b folderEntry) int { return strings.Compare(a.key(), b.key()) })
	return list, nil
}

func listOpen(fsys fs.FS, p string, most int) ([]folderEntry, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errors.New("it isn't a folder")
	}
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, errors.New("its file system can't list folders")
	}
	var list []folderEntry
	for {
		piece, err := d.ReadDir(256)
		for _, e := range piece {
			list = append(list, folderEntry{e.Name(), e.Type().Type(), e})
		}
		switch {
		case len(list) > most:
			return nil, errTooMany
		case err == io.EOF: //nolint:errorlint // the contract of ReadDirFile: the end is EOF itself
			return list, nil
		case err != nil:
			return nil, err
		case len(piece) == 0:
			return nil, io.ErrNoProgress
		}
	}
}

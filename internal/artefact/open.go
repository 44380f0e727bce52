package artefact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is an open folder, or a single file as a folder of its own. It is an
// fs.FS that leads to nothing outside: not by "..", and not by a link, even one
// that is put there meanwhile. Opening a FIFO doesn't wait for a writer, on
// systems that know FIFOs. It is safe for concurrent use.
type folder struct {
	root *os.Root
	only string // the single file's name; empty: all of the folder

	// resolved is where the path led, if it was a link itself; otherwise empty.
	resolved string
}

// openFolder opens a folder, or a file as an artefact of this one file. If the
// path itself is a link, it is followed, once, since a person gave it: what it
// led to stays open whatever becomes of the link. No other link is followed when
// an artefact is read.
func openFolder(path string) (*folder, error) {
	f := &folder{}
	if path == "" {
		return nil, errors.New("the path is empty: name a file or a folder")
	}
	switch info, err := os.Lstat(path); {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, fmt.Errorf("%s is a link that leads nowhere: %w", path, err)
		}
		f.resolved, path = to, to
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	dir := path
	switch {
	case info.IsDir():
	case info.Mode().IsRegular():
		dir, f.only = filepath.Split(path)
		if dir == "" {
			dir = "."
		}
	default:
		return nil, fmt.Errorf("%s is neither a file nor a folder (%s)", path, info.Mode().Type())
	}
	// The separator at the end lets no FIFO be opened that took the folder's place.
	if f.root, err = os.OpenRoot(dir + string(filepath.Separator)); err != nil {
		return nil, err
	}
	return f, nil
}

// Close closes the folder. Files that were opened in it stay open.
func (f *folder) Close() error { return f.root.Close() }

// has says whether a name is one of the folder's.
func (f *folder) has(op, name string) error {
	switch {
	case !fs.ValidPath(name):
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	case f.only != "" && name != f.only && name != ".":
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

// Open implements fs.FS.
func (f *folder) Open(name string) (fs.File, error) {
	if err := f.has("open", name); err != nil {
		return nil, err
	}
	file, err := f.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|dontBlock, 0)
	if err != nil {
		return nil, err
	}
	if f.only != "" && name == "." {
		return &onlyFolder{File: file, folder: f}, nil
	}
	return file, nil
}

// Lstat implements fs.ReadLinkFS.
func (f *folder) Lstat(name string) (fs.FileInfo, error) {
	if err := f.has("lstat", name); err != nil {
		return nil, err
	}
	return f.root.Lstat(filepath.FromSlash(name))
}

// ReadLink implements fs.ReadLinkFS.
func (f *folder) ReadLink(name string) (string, error) {
	if err := f.has("readlink", name); err != nil {
		return "", err
	}
	return f.root.Readlink(filepath.FromSlash(name))
}

// onlyFolder is the folder of a single file: it lists this one.
type onlyFolder struct {
	fs.File
	folder *folder
	listed bool
}

func (d *onlyFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if d.listed {
		if n > 0 {
			return nil, io.EOF
		}
		return nil, nil
	}
	info, err := d.folder.root.Lstat(d.folder.only)
	if err != nil {
		return nil, err
	}
	d.listed = true
	return []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
}

package artefact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folder is an open folder, or a single file as a folder of its own. It is an
// fs.FS that leads to nothing outside: not by "..", and not by a link, even one
// that is put there meanwhile. Opening a FIFO doesn't wait for a writer, on
// systems that know FIFOs. It is safe for concurrent use.
type Folder struct {
	root *os.Root
	only string // the single file's name; empty: all of the folder

	// Resolved is where the path led that was given to Open, if the path itself was
	// a link; otherwise empty.
	Resolved string
}

// Open opens a folder, or a file as an artefact of this one file. If the path
// itself is a link, it is followed, once, since a person gave it: what it led to is
// in Resolved, and stays open whatever becomes of the link. No other link is
// followed when an artefact is read.
func Open(path string) (*Folder, error) {
	f := &Folder{}
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
		f.Resolved, path = to, to
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	folder := path
	switch {
	case info.IsDir():
	case info.Mode().IsRegular():
		folder, f.only = filepath.Split(path)
		if folder == "" {
			folder = "."
		}
	default:
		return nil, fmt.Errorf("%s is neither a file nor a folder (%s)", path, info.Mode().Type())
	}
	// The separator at the end lets no FIFO be opened that took the folder's place.
	if f.root, err = os.OpenRoot(folder + string(filepath.Separator)); err != nil {
		return nil, err
	}
	return f, nil
}

// Close closes the folder. Files that were opened in it stay open.
func (f *Folder) Close() error { return f.root.Close() }

// has says whether a name is one of the folder's.
func (f *Folder) has(op, name string) error {
	switch {
	case !fs.ValidPath(name):
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	case f.only != "" && name != f.only && name != ".":
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return nil
}

// Open implements fs.FS.
func (f *Folder) Open(name string) (fs.File, error) {
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
func (f *Folder) Lstat(name string) (fs.FileInfo, error) {
	if err := f.has("lstat", name); err != nil {
		return nil, err
	}
	return f.root.Lstat(filepath.FromSlash(name))
}

// ReadLink implements fs.ReadLinkFS.
func (f *Folder) ReadLink(name string) (string, error) {
	if err := f.has("readlink", name); err != nil {
		return "", err
	}
	return f.root.Readlink(filepath.FromSlash(name))
}

// Stat implements fs.StatFS. It follows links that stay within the folder.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	if err := f.has("stat", name); err != nil {
		return nil, err
	}
	return f.root.Stat(filepath.FromSlash(name))
}

// ReadDir implements fs.ReadDirFS. It reads the whole folder.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d, ok := file.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a folder")}
	}
	list, err := d.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// onlyFolder is the folder of a single file: it lists this one.
type onlyFolder struct {
	fs.File
	folder *Folder
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

package promotion

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Read reads the artefact in a folder of a file system, once: "." or the path
// of a folder in fsys. It never fails, and it follows no link: whatever is odd
// is a finding, and what couldn't be taken as it stood forbids a snapshot
// ([Finding.Blocks]).
//
// Of a file that is too large, only its size is looked at; a folder with too
// many entries is left where the limit is reached. Where fsys is an
// fs.ReadLinkFS, what an entry is, is asked before it is opened. An empty folder
// isn't part of an artefact. A panic of fsys is a finding, too. That fsys
// doesn't block, on a FIFO say, is the caller's business.
func Read(name string, fsys fs.FS, root string, lim Limits) *Artefact {
	lim = lim.bounded()
	w := &reader{
		fsys: fsys, root: root, lim: lim,
		a: &Artefact{Name: name}, paths: newPathSet(), entries: lim.entries(),
	}
	if !fs.ValidPath(root) {
		w.find(KindUnread, "", fmt.Sprintf("%q isn't the path of a folder", shown(root)))
		return w.a
	}
	switch info, err := w.lstat(root, nil); {
	case err != nil:
		w.find(KindUnread, "", "its folder can't be read: "+why(err))
	case info.Mode()&fs.ModeSymlink != 0:
		w.find(KindLink, "", "it is a link, which isn't followed")
	case !info.IsDir():
		w.find(KindUnread, "", "it isn't a folder")
	default:
		w.folder("")
	}
	return w.a
}

// A reader reads one artefact.
type reader struct {
	fsys    fs.FS
	root    string
	lim     Limits
	a       *Artefact
	paths   *pathSet
	entries int   // how many more may be looked at
	bytes   int64 // taken so far
	full    bool  // a limit of the whole was reached; nothing more is read
}

func (w *reader) find(k Kind, file, detail string) {
	w.a.Findings = append(w.a.Findings, wholeFile(k, file, detail))
}

// wholeFile is a finding about a file as a whole, or about the artefact if the
// path is empty.
func wholeFile(k Kind, file, detail string) Finding {
	return Finding{Kind: k, File: shown(file), Offset: -1, Detail: detail}
}

// why is an error for a finding: in one line, without the path, which the
// finding has, and never long.
func why(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return shown(err.Error())
}

// calm turns a panic of somebody else's file system into an error.
func calm(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the file system panicked: %v", p)
		}
	}()
	return f()
}

// in returns a path of the artefact as fsys knows it.
func (w *reader) in(p string) string { return path.Join(w.root, p) }

// lstat asks what stands at a path of fsys, without following a link. A file system
// without links is asked what entry said.
func (w *reader) lstat(p string, entry fs.DirEntry) (info fs.FileInfo, err error) {
	err = calm(func() error {
		var err error
		switch l, ok := w.fsys.(fs.ReadLinkFS); {
		case ok:
			info, err = l.Lstat(p)
		case entry != nil:
			info, err = entry.Info()
		default:
			info, err = fs.Stat(w.fsys, p)
		}
		if err == nil {
			info, err = frozen(info)
		}
		return err
	})
	return info, err
}

// folder reads the folder at a path of the artefact, empty for its top.
func (w *reader) folder(p string) {
	list, err := listFolder(w.fsys, w.in(p), w.entries)
	if errors.Is(err, errTooMany) {
		w.find(KindLimit, p, fmt.Sprintf("more than %d files and folders: nothing of this folder, and of what comes after it, was read", w.lim.entries()))
		w.full = true
		return
	}
	if err != nil {
		w.find(KindUnread, p, "the folder can't be read: "+why(err))
		return
	}
	w.entries -= len(list)
	for _, e := range list {
		if w.full {
			return
		}
		w.entry(p, e)
	}
	if w.full {
		return
	}
	// What came or went meanwhile was perhaps seen in two states.
	again, err := listFolder(w.fsys, w.in(p), len(list)+1)
	if err != nil || !slices.EqualFunc(list, again, sameEntry) {
		w.find(KindUnread, p, "the folder changed while it was read")
	}
}

func (w *reader) entry(dir string, e folderEntry) {
	// Before it is joined to a path, which would hide what the name is.
	if strings.Contains(e.name, "/") || e.name == "" || e.name == "." || e.name == ".." {
		w.find(KindEscape, dir, "the folder lists a name that isn't one: "+shown(e.name))
		return
	}
	p := path.Join(dir, e.name)
	if p == gitFolder {
		w.a.LeftOut = append(w.a.LeftOut, p)
		return
	}
	if bad := checkPath(p); bad != "" {
		w.find(KindEscape, p, bad)
		return
	}
	info, err := w.lstat(w.in(p), e.entry)
	if err != nil {
		w.find(KindUnread, p, "can't be looked at: "+why(err))
		return
	}
	if other, clash := w.paths.add(p, info.IsDir()); clash {
		w.find(KindEscape, p, "is the same path as "+shown(other)+" on some systems")
		return
	}
	switch t := info.Mode().Type(); {
	case t&fs.ModeSymlink != 0:
		w.find(KindLink, p, "a link, which isn't followed")
	case t != 0 && t != fs.ModeDir:
		w.find(KindDevice, p, "neither a file nor a folder: "+t.String())
	case t != e.mode.Type():
		w.find(KindUnread, p, "changed while it was read")
	case t == fs.ModeDir:
		w.folder(p)
	default:
		w.file(p, info)
	}
}

func (w *reader) file(p string, info fs.FileInfo) {
	if len(w.a.Files) >= w.lim.Files {
		w.find(KindLimit, p, fmt.Sprintf("more than %d files: this one, and those after it, weren't read", w.lim.Files))
		w.full = true
		return
	}
	most, left := w.lim.FileBytes, w.lim.ArtefactBytes-w.bytes
	switch {
	case info.Size() > most:
		w.find(KindLimit, p, fmt.Sprintf("%d bytes, and %d are the most: it wasn't read", info.Size(), most))
		return
	case info.Size() > left:
		w.find(KindLimit, p, fmt.Sprintf("more than %d bytes together: this file, and those after it, weren't read", w.lim.ArtefactBytes))
		w.full = true
		return
	}
	f := File{Path: p}
	err := calm(func() error {
		var err error
		f.Data, f.Exec, err = readFile(w.fsys, w.in(p), info)
		return err
	})
	if err != nil {
		w.find(KindUnread, p, "can't be read: "+why(err))
		return
	}
	w.bytes += int64(len(f.Data))
	w.a.Files = append(w.a.Files, f)
}

// errChanged is a file that wasn't the same from its first look to its last
// byte.
var errChanged = errors.New("it changed while it was read")

// readFile reads a regular file whole: as many bytes as seen, what stood at the
// path before, says, or none. It never reads more than one byte beyond them.
func readFile(fsys fs.FS, p string, seen fs.FileInfo) (data []byte, exec bool, err error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	before, err = frozen(before)
	switch {
	case err != nil:
		return nil, false, err
	case !sameFile(seen, before):
		return nil, false, errChanged
	}
	data, err = readSized(f, seen.Size())
	if err != nil {
		return nil, false, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if !sameFile(before, after) {
		return nil, false, errChanged
	}
	return data, before.Mode()&0o111 != 0, nil
}

func sameFile(a, b fs.FileInfo) bool {
	return a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// readSized reads exactly size bytes, and the end after them.
func readSized(r io.Reader, size int64) ([]byte, error) {
	buf := make([]byte, size+1)
	n, idle := 0, 0
	for {
		m, err := r.Read(buf[n:])
		if m < 0 || m > len(buf)-n {
			return nil, errors.New("it was read with an impossible length")
		}
		n += m
		switch {
		case int64(n) > size:
			return nil, errChanged
		case err == io.EOF:
			if int64(n) < size {
				return nil, errChanged
			}
			return buf[:n:n], nil
		case err != nil:
			return nil, err
		}
		if m > 0 {
			idle = 0
		} else if idle++; idle > 100 {
			return nil, io.ErrNoProgress
		}
	}
}

// frozen copies what a FileInfo says, so that it says it twice.
func frozen(info fs.FileInfo) (fs.FileInfo, error) {
	if info == nil {
		return nil, errors.New("the file system says nothing about it")
	}
	c := fileInfo{info.Name(), info.Size(), info.Mode(), info.ModTime()}
	if c.size < 0 {
		return nil, fmt.Errorf("its size is %d", c.size)
	}
	return c, nil
}

type fileInfo struct {
	name    string
	size    int64
	mode    fs.FileMode
	modTime time.Time
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return i.modTime }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }

package promotion

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// zip reads a zip, if front and back agree on what is in it.
func (x *extractor) zip(r io.ReaderAt, size int64) {
	if most := 2*x.lim.ArtefactBytes + int64(x.entries)*zipOverhead; size > most {
		x.findAll(KindLimit, fmt.Sprintf("the archive has %d bytes, and %d are the most: it wasn't read", size, most))
		return
	}
	n, err := checkZip(r, size, x.entries)
	switch {
	case errors.Is(err, errTooMany):
		x.findAll(KindLimit, fmt.Sprintf("more than %d files and folders in the archive: none was read", x.entries))
		return
	case err != nil:
		x.findAll(KindUnread, "programs may extract different files from it: "+why(err))
		return
	}
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // only if GODEBUG asks for it; entry says it
		x.findAll(KindUnread, "the archive is damaged: "+why(err))
		return
	}
	if len(z.File) != n {
		x.findAll(KindUnread, fmt.Sprintf("programs may extract different files from it: %d or %d", n, len(z.File)))
		return
	}
	for _, f := range z.File {
		if x.ended {
			return
		}
		x.zipEntry(f)
	}
}

// The mode of a Unix file is in the upper half of the external attributes,
// whatever system the entry says it was made on: programs differ in whether
// they look at that. Source: Info-ZIP's extra/attribute notes in APPNOTE, and
// stat(2).
const (
	unixShift  = 16
	unixFormat = 0o170000
	unixFolder = 0o040000
	unixFile   = 0o100000
	unixLink   = 0o120000
)

func zipMode(f *zip.File) (mode fs.FileMode, exec bool) {
	unix := f.ExternalAttrs >> unixShift
	exec = unix&0o111 != 0
	folder := strings.HasSuffix(f.Name, "/")
	switch format := unix & unixFormat; {
	case format == unixLink:
		return fs.ModeSymlink, exec
	case folder && (format == unixFolder || format == 0):
		return fs.ModeDir, exec
	case !folder && (format == unixFile || format == 0) && !f.Mode().IsDir():
		return f.Mode() &^ fs.ModePerm & fs.ModeType, exec
	default:
		return fs.ModeIrregular, exec
	}
}

func (x *extractor) zipEntry(f *zip.File) {
	mode, exec := zipMode(f)
	if other := otherName(f); other != "" {
		x.findAll(KindEscape, fmt.Sprintf("a file with two names: %s and %s", shown(f.Name), other))
		return
	}
	p, file := x.entry(f.Name, mode, false)
	switch {
	case mode.IsDir() && (f.UncompressedSize64 > 0 || f.CompressedSize64 > 2): // an empty deflate stream has two bytes
		x.findAll(KindUnread, "a folder that holds bytes: "+shown(f.Name))
	case !file:
	case f.Flags&1 != 0:
		x.find(KindUnread, p, "it is encrypted")
	default:
		x.zipFile(p, exec, f)
	}
}

func (x *extractor) zipFile(p string, exec bool, f *zip.File) {
	r, err := f.Open()
	if err != nil {
		if errors.Is(err, zip.ErrAlgorithm) {
			err = fmt.Errorf("compression method %d isn't known", f.Method)
		}
		x.find(KindUnread, p, "can't be read: "+why(err))
		return
	}
	defer r.Close()
	x.file(p, exec, r)
}

// otherName returns a second name that an entry has, shown, or empty: names
// that aren't ASCII and don't say that they are UTF-8 are read in the code page
// of whoever reads them, and an extra field may hold another.
func otherName(f *zip.File) string {
	const utf8Flag, unicodePath = 1 << 11, 0x7075 // APPNOTE 4.4.4 and 4.6.9
	if f.Flags&utf8Flag == 0 && strings.ContainsFunc(f.Name, func(r rune) bool { return r >= 0x80 }) {
		return "that in another code page"
	}
	for b := f.Extra; len(b) >= 4; {
		id, n := int(b[0])|int(b[1])<<8, int(b[2])|int(b[3])<<8
		if b = b[4:]; n > len(b) {
			return "that in a damaged extra field"
		}
		if id == unicodePath && (n < 5 || !bytes.Equal(b[5:n], []byte(f.Name))) {
			return shown(string(b[min(5, n):n]))
		}
		b = b[n:]
	}
	return ""
}

package promotion

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// tarOverhead is how many bytes of a tar, beside the files, are read for each
// entry at most, on average.
const tarOverhead = 4096

// gzip reads a compressed tar, of however many members.
func (x *extractor) gzip(r io.ReaderAt, size int64) {
	z, err := gzip.NewReader(bufio.NewReader(io.NewSectionReader(r, 0, size)))
	if err != nil {
		x.findAll(KindUnread, "it can't be decompressed: "+why(err))
		return
	}
	x.tar(z)
}

// tar reads a tar to its end.
func (x *extractor) tar(from io.Reader) {
	// The reader skips what isn't read of a file, and that may be a bomb as well.
	left := x.left + x.lim.FileBytes + int64(x.entries)*tarOverhead
	in := &meter{r: from, left: left}
	defer func() {
		if in.over {
			x.findAll(KindLimit, fmt.Sprintf("more than %d bytes in the archive: not all of it was read", left))
		}
	}()
	for r := tar.NewReader(in); !x.ended; {
		h, err := r.Next()
		switch {
		case err == io.EOF:
			x.tarEnd(in)
			return
		case errors.Is(err, tar.ErrInsecurePath): // only if GODEBUG asks for it; entry says it
		case err != nil:
			x.findAll(KindUnread, "the archive is damaged, and not all of it was read: "+why(err))
			return
		}
		x.tarEntry(h, r)
	}
}

func (x *extractor) tarEntry(h *tar.Header, r io.Reader) {
	if h.Typeflag == tar.TypeXGlobalHeader {
		// git writes one, with the commit in it. Others change what follows, for
		// the programs that heed them.
		for key := range h.PAXRecords {
			if key != "comment" {
				x.findAll(KindUnread, "a global header that not all programs heed: "+shown(key))
			}
		}
		if x.entries--; x.entries < 0 {
			x.ended = true
			x.findAll(KindLimit, "too many entries in the archive: the others weren't read")
		}
		return
	}
	mode, link := fs.FileMode(0), false
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeDir:
		mode = fs.ModeDir
	case tar.TypeSymlink, tar.TypeLink:
		link = true
	default:
		mode = fs.ModeIrregular
		if t := h.FileInfo().Mode().Type(); t != 0 {
			mode = t
		}
	}
	p, file := x.entry(h.Name, mode, link)
	if !file {
		return
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			x.find(KindUnread, p, "a sparse file, which not all programs extract alike")
			return
		}
	}
	x.file(p, h.Mode&0o111 != 0, r)
}

// tarEnd looks at what follows the last entry: a tar ends with two empty
// blocks, and nothing but padding after them.
func (x *extractor) tarEnd(in *meter) {
	if in.ended {
		x.findAll(KindUnread, "the archive is cut off: it doesn't end as a tar does")
		return
	}
	var buf [4096]byte
	for {
		n, err := in.Read(buf[:])
		switch {
		case len(bytes.Trim(buf[:n], "\x00")) > 0:
			x.findAll(KindUnread, "there is more behind the end of the archive, which some programs extract")
			return
		case err == io.EOF:
			return
		case err != nil:
			x.findAll(KindUnread, "the archive is damaged at its end: "+why(err))
			return
		}
	}
}

// A meter reads only so many bytes, and notes what was asked beyond them and
// beyond the end.
type meter struct {
	r     io.Reader
	left  int64
	over  bool // there was more than left
	ended bool // more was asked for than there is
}

var errMeter = errors.New("the archive is too large")

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		m.over = true
		return 0, errMeter
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	m.ended = m.ended || n == 0 && err == io.EOF
	return n, err
}

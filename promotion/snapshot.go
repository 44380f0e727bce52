package promotion

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/verdict"
)

// Snapshot is an artefact as it was read, fixed: what is decided, reviewed and
// applied is these bytes and no others. It is immutable and safe for concurrent
// use.
type Snapshot struct {
	// Digest is "sha256:" and 64 hexadecimal digits: [DigestOf] its files.
	Digest string

	files []File
}

// Files returns the files, in the byte order of their paths. Their data is
// shared, and must not be changed.
func (s *Snapshot) Files() []File { return slices.Clone(s.files) }

// DigestOf returns the digest of files that are in the byte order of their
// paths: "sha256:" and the SHA-256, in lower-case hexadecimal digits, of the
// canonical JSON (RFC 8785) of the list of [path, "file" or "exec", size,
// SHA-256 of the data].
func DigestOf(files []File) string {
	b := []byte{'['}
	for i, f := range files {
		if i > 0 {
			b = append(b, ',')
		}
		sum := sha256.Sum256(f.Data)
		b = verdict.AppendString(append(b, '['), f.Path)
		if f.Exec {
			b = append(b, `,"exec",`...)
		} else {
			b = append(b, `,"file",`...)
		}
		b = strconv.AppendInt(b, int64(len(f.Data)), 10)
		b = append(b, `,"`...)
		b = hex.AppendEncode(b, sum[:])
		b = append(b, `"]`...)
	}
	sum := sha256.Sum256(append(b, ']'))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Snapshot fixes the artefact. The error names what forbids it: an artefact of
// which not everything could be taken as it stood has no snapshot, and so no
// digest to decide about.
func (a *Artefact) Snapshot() (*Snapshot, error) {
	var blocking []string
	for _, f := range a.Findings {
		if !f.Blocks() {
			continue
		}
		where := f.File
		if where == "" {
			where = a.Name
		}
		blocking = append(blocking, fmt.Sprintf("%s: %s (%s)", where, f.Detail, f.Kind))
	}
	if n := len(blocking); n > 0 {
		const most = 20
		if n > most {
			blocking = append(blocking[:most], fmt.Sprintf("and %d more", n-most))
		}
		return nil, fmt.Errorf("no snapshot of %s: %s", a.Name, strings.Join(blocking, "; "))
	}
	if len(a.Files) == 0 {
		return nil, fmt.Errorf("no snapshot of %s: it has no files", a.Name)
	}
	files := slices.Clone(a.Files)
	for i := range files {
		files[i].Data = bytes.Clone(files[i].Data)
	}
	slices.SortStableFunc(files, func(f, g File) int { return strings.Compare(f.Path, g.Path) })
	paths := newPathSet()
	for _, f := range files {
		// Read and ReadArchive have found these; others may have made the artefact.
		if bad := checkPath(f.Path); bad != "" {
			return nil, fmt.Errorf("no snapshot of %s: %s: %s", a.Name, shown(f.Path), bad)
		}
		if other, clash := paths.add(f.Path, false); clash {
			return nil, fmt.Errorf("no snapshot of %s: %s is the same path as %s on some systems", a.Name, shown(f.Path), shown(other))
		}
		if top, _, _ := strings.Cut(f.Path, "/"); top == gitFolder {
			return nil, fmt.Errorf("no snapshot of %s: %s is no part of an artefact", a.Name, f.Path)
		}
	}
	return &Snapshot{Digest: DigestOf(files), files: files}, nil
}

// Tar returns the snapshot as a tar, the same bytes for the same files: modes
// 0644 and 0755 and nothing else beside paths and data; no folders, no owner,
// no times. It is USTAR, with a PAX header where a path needs one.
func (s *Snapshot) Tar() []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range s.files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Size: int64(len(f.Data)), Mode: 0o644}
		if f.Exec {
			h.Mode = 0o755
		}
		if err := w.WriteHeader(h); err != nil {
			panic("promotion: a path of a snapshot doesn't fit a tar: " + err.Error()) // checkPath lets no such path through
		}
		if _, err := w.Write(f.Data); err != nil {
			panic("promotion: a file of a snapshot doesn't fit a tar: " + err.Error())
		}
	}
	if err := w.Close(); err != nil {
		panic("promotion: a snapshot doesn't fit a tar: " + err.Error())
	}
	return b.Bytes()
}

// MaxSnapshotBytes is how large the tar of a snapshot within the limits can be:
// a file costs its bytes, filled up to 512, its header and perhaps a PAX header
// with its path.
func MaxSnapshotBytes(lim Limits) int64 {
	lim = lim.bounded()
	const header, pax, end = 512, 512 + maxPathBytes + 1024, 1024
	return lim.ArtefactBytes + int64(lim.Files)*(header+511+pax) + end
}

// ReadSnapshot reads what [Snapshot.Tar] wrote. Any other bytes are an error,
// even those of a tar that holds the same files: a snapshot has one form.
// The artefact is what a scan of the snapshot needs.
func ReadSnapshot(name string, data []byte, lim Limits) (*Artefact, *Snapshot, error) {
	lim = lim.bounded()
	a := &Artefact{Name: name}
	var total int64
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: not a snapshot: %w", name, err)
		}
		switch {
		case h.Typeflag != tar.TypeReg:
			return nil, nil, fmt.Errorf("%s: not a snapshot: %s isn't a file", name, shown(h.Name))
		case len(a.Files) >= lim.Files:
			return nil, nil, fmt.Errorf("%s: more than %d files", name, lim.Files)
		case h.Size > lim.FileBytes:
			return nil, nil, fmt.Errorf("%s: %s has %d bytes, and %d are the most", name, shown(h.Name), h.Size, lim.FileBytes)
		case h.Size > lim.ArtefactBytes-total:
			return nil, nil, fmt.Errorf("%s: more than %d bytes together", name, lim.ArtefactBytes)
		case h.Size > int64(len(data)):
			return nil, nil, fmt.Errorf("%s: not a snapshot: %s is larger than all of it", name, shown(h.Name))
		}
		f := File{Path: h.Name, Exec: h.Mode&0o111 != 0, Data: make([]byte, h.Size)}
		if _, err := io.ReadFull(r, f.Data); err != nil {
			return nil, nil, fmt.Errorf("%s: not a snapshot: %s: %w", name, shown(h.Name), err)
		}
		total += h.Size
		a.Files = append(a.Files, f)
	}
	s, err := a.Snapshot()
	if err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(s.Tar(), data) {
		return nil, nil, fmt.Errorf("%s: not a snapshot as pawl writes it: something beside the paths and the data differs", name)
	}
	return a, s, nil
}

package promotion

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// ErrNotArchive is a file that is neither a zip nor a tar, compressed or not.
var ErrNotArchive = errors.New("not an archive: must be a zip, a tar or a gzip-compressed tar")

// ReadArchive reads the artefacts in an archive: a zip, a tar, or a tar
// compressed with gzip, told apart by their content and not by their name. Like
// [FindSkills], it takes a folder that holds a SKILL.md for one artefact, all
// such folders for one each, and an archive without any for one as a whole.
// outside is how many files belong to none of them.
//
// It fails only with [ErrNotArchive], or if the archive itself can't be read.
// Whatever is odd in it is a finding of the artefact that it concerns, or of
// all of them: an archive of which different programs would extract different
// files, a file that is encrypted or damaged, what [Read] would find in a
// folder. lim holds for the archive as a whole, and for what is really
// extracted.
func ReadArchive(name string, r io.ReaderAt, size int64, lim Limits) (artefacts []*Artefact, outside int, err error) {
	lim = lim.bounded()
	var head [512]byte
	n, err := r.ReadAt(head[:min(int64(len(head)), max(size, 0))], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	x := &extractor{lim: lim, left: lim.ArtefactBytes, paths: newPathSet(), entries: lim.entries()}
	switch magic := head[:n]; {
	case isZip(magic):
		x.zip(r, size)
	case isGzip(magic):
		x.gzip(r, size)
	case isTar(magic):
		x.tar(io.NewSectionReader(r, 0, size))
	default:
		return nil, 0, fmt.Errorf("%s: %w", name, ErrNotArchive)
	}
	if !isZip(head[:n]) && endsAsZip(r, size) {
		x.findAll(KindUnread, "it is a zip, too: other programs may extract other files")
	}
	artefacts, outside = x.artefacts(name)
	return artefacts, outside, nil
}

func isZip(b []byte) bool {
	return bytes.HasPrefix(b, []byte("PK\x03\x04")) || bytes.HasPrefix(b, []byte("PK\x05\x06"))
}

func isGzip(b []byte) bool { return bytes.HasPrefix(b, []byte{0x1f, 0x8b, 8}) }

func isTar(b []byte) bool { return len(b) == 512 && string(b[257:262]) == "ustar" }

// An extractor collects what an archive holds, before it is known which skills
// there are.
type extractor struct {
	lim     Limits
	left    int64 // bytes that may still be extracted
	entries int   // entries that may still be looked at
	paths   *pathSet
	files   []File
	found   []Finding // Finding.File is a path in the archive; empty: all of it
	markers []string  // the folders that hold a SKILL.md
	ended   bool      // a limit of the whole was reached
}

func (x *extractor) find(k Kind, p, detail string) {
	x.found = append(x.found, Finding{Kind: k, File: p, Offset: -1, Detail: detail})
}

func (x *extractor) findAll(k Kind, detail string) { x.find(k, "", detail) }

// entry takes the name and the type of an entry, as the archive has them, and
// returns its path, and whether it is a file to be read. Otherwise all is said.
func (x *extractor) entry(name string, mode fs.FileMode, link bool) (p string, file bool) {
	if x.entries--; x.entries < 0 {
		x.findAll(KindLimit, fmt.Sprintf("more than %d files and folders in the archive: the others weren't read", x.lim.entries()))
		x.ended = true
		return "", false
	}
	p = strings.TrimPrefix(name, "./")
	if mode.IsDir() {
		if p = strings.TrimSuffix(p, "/"); p == "" || p == "." {
			return "", false // the top itself
		}
	}
	if bad := checkPath(p); bad != "" {
		// Where it would be extracted to is anybody's guess.
		x.findAll(KindEscape, fmt.Sprintf("%s: %s", bad, shown(name)))
		return "", false
	}
	if other, clash := x.paths.add(p, mode.IsDir()); clash {
		x.find(KindEscape, p, "is the same path as "+shown(other)+", at least on some systems")
		x.find(KindEscape, other, "is the same path as "+shown(p)+", at least on some systems")
		return "", false
	}
	if dir, base := cutLast(p); isManifest(base) && !mode.IsDir() {
		x.markers = append(x.markers, dir)
	}
	switch {
	case link || mode&fs.ModeSymlink != 0:
		x.find(KindLink, p, "a link, which isn't followed")
	case mode.IsDir():
	case !mode.IsRegular():
		x.find(KindDevice, p, "neither a file nor a folder: "+mode.Type().String())
	default:
		return p, true
	}
	return "", false
}

// cutLast cuts a path before its last name.
func cutLast(p string) (dir, base string) {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i], p[i+1:]
	}
	return "", p
}

// file reads a file to its end, whatever size the archive declares, as far as the
// limits go.
func (x *extractor) file(p string, exec bool, r io.Reader) {
	most := x.lim.FileBytes
	data, err := io.ReadAll(io.LimitReader(r, min(most, x.left)+1))
	size := int64(len(data))
	over := size > x.left
	x.left -= min(size, x.left)
	switch {
	case over:
		x.findAll(KindLimit, fmt.Sprintf("more than %d bytes in the archive: %s, and what comes after it, wasn't read", x.lim.ArtefactBytes, shown(p)))
		x.ended = true
	case size > most:
		x.find(KindLimit, p, fmt.Sprintf("more than %d bytes: it wasn't read", most))
	case err != nil:
		x.find(KindUnread, p, "can't be read: "+why(err))
	default:
		x.files = append(x.files, File{Path: p, Exec: exec, Data: data})
	}
}

// artefacts sorts what was found into the skills of the archive.
func (x *extractor) artefacts(name string) (all []*Artefact, outside int) {
	roots := x.roots(name)
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		all = append(all, roots[root])
	}
	slices.SortStableFunc(x.files, func(f, g File) int { return strings.Compare(f.Path, g.Path) })
	for _, f := range x.files {
		root, ok := rootOf(roots, f.Path)
		if !ok {
			outside++
			continue
		}
		a := roots[root]
		f.Path = below(root, f.Path)
		switch {
		case a.leavesOut(f.Path):
		case len(a.Files) < x.lim.Files:
			a.Files = append(a.Files, f)
		default:
			a.Findings = append(a.Findings, wholeFile(KindLimit, f.Path, fmt.Sprintf("more than %d files: this one isn't part of what was read", x.lim.Files)))
		}
	}
	// What concerns all artefacts is said to each, so there mustn't be too much
	// of it.
	const most = 100
	forAll := 0
	for _, f := range x.found {
		if root, ok := rootOf(roots, f.File); ok && f.File != "" {
			if f.File = below(root, f.File); !roots[root].leavesOut(f.File) {
				f.File = shown(f.File)
				roots[root].Findings = append(roots[root].Findings, f)
			}
			continue
		}
		if forAll++; forAll > most {
			continue
		}
		if f.File != "" {
			f.Detail = shown(f.File + ": " + f.Detail)
			f.File = ""
		}
		for _, a := range all {
			a.Findings = append(a.Findings, f)
		}
	}
	if forAll > most {
		for _, a := range all {
			a.Findings = append(a.Findings, wholeFile(KindUnread, "", fmt.Sprintf("%d more findings about the archive as a whole", forAll-most)))
		}
	}
	return all, outside
}

// roots returns the artefacts, still empty, by their folders.
func (x *extractor) roots(name string) map[string]*Artefact {
	slices.Sort(x.markers) // a folder comes before those in it
	roots := map[string]*Artefact{}
	for _, m := range x.markers {
		if _, within := rootOf(roots, m); within {
			continue
		}
		roots[m] = &Artefact{Name: name + "/" + m}
		if m == "" {
			roots[m].Name = name
		}
	}
	if len(roots) == 0 {
		roots[""] = &Artefact{Name: name}
	}
	return roots
}

// rootOf returns the root that a path is or lies below.
func rootOf(roots map[string]*Artefact, p string) (string, bool) {
	for {
		if _, ok := roots[p]; ok {
			return p, true
		}
		if p == "" {
			return "", false
		}
		p, _ = cutLast(p)
	}
}

func below(root, p string) string {
	if root == "" {
		return p
	}
	return strings.TrimPrefix(strings.TrimPrefix(p, root), "/")
}

// leavesOut says whether a path is no part of the artefact, and notes it.
func (a *Artefact) leavesOut(p string) bool {
	top, _, _ := strings.Cut(p, "/")
	if top != gitFolder {
		return false
	}
	if !slices.Contains(a.LeftOut, gitFolder) {
		a.LeftOut = append(a.LeftOut, gitFolder)
	}
	return true
}

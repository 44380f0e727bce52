package artefact

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawlgate/pawl/promotion"
)

// ErrExpect is a destination that isn't what the caller of [Place] expects. Nothing
// was changed.
var ErrExpect = errors.New("the destination isn't what was expected")

// Place writes a snapshot to the folder dest, whole or not at all, and verifies
// what then stands there.
//
// expect says what dest is beforehand: "" or "none" that there is nothing, a
// digest that it is a folder with that digest, which the snapshot replaces.
// Anything else fails with [ErrExpect]. The folder above dest must be there;
// dest may not be a link, and may hold no .git, which would be lost.
//
// The files are written beside dest, to a folder named .NAME.pawl- and random
// digits, which is renamed when all of it is on the disk. On Linux and macOS
// the old and the new folder are exchanged at once, and what comes out is
// judged again: if somebody changed it meanwhile, it is put back. Killed at any
// moment, dest is either the old folder or the new one, and whole; what is left
// over bears that name, and may hold the old folder. Where a file system can't
// exchange, there is a moment at which dest isn't there.
//
// Files get mode 0644 or 0755 and folders 0755, whatever the umask. If an error
// says that the snapshot is in place, it is; any other error means that dest is
// what it was.
func Place(s *promotion.Snapshot, dest, expect string) error {
	p := placer{renameNew: renameNew, exchange: exchange, at: func(step) error { return nil }}
	return p.place(s, dest, expect)
}

// A step is a moment of placing, for the tests.
type step string

const (
	stepChecked  step = "checked"  // dest was what was expected
	stepWriting  step = "writing"  // before each file
	stepWritten  step = "written"  // before the rename
	stepRenamed  step = "renamed"  // after it, before what came out is judged
	stepJudged   step = "judged"   // what came out is what was expected
	stepVerified step = "verified" // before the old folder is removed
)

// A placer is Place with what it does to the system.
type placer struct {
	renameNew func(folder *os.File, from, to string) error
	exchange  func(folder *os.File, a, b string) error
	at        func(step) error

	root *os.Root // the folder above dest
	dir  *os.File // the same, to rename in and to sync
	dest string   // as given, for messages
	name string   // its name in root
	temp string   // the name that is written to
}

func (p *placer) place(s *promotion.Snapshot, dest, expect string) (err error) {
	if err := CheckPlace(dest, expect); err != nil {
		return err
	}
	if expect == "none" {
		expect = ""
	}
	if s == nil || len(s.Files()) == 0 || promotion.DigestOf(s.Files()) != s.Digest {
		return errors.New("the snapshot doesn't have its own digest; read it again")
	}
	if err := p.open(dest); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.dir.Close(), p.root.Close()) }()
	if err := lockFolder(p.dir); err != nil {
		return fmt.Errorf("%s: the folder above: %w", dest, err)
	}
	if err := p.expects(p.name, expect); err != nil {
		return err
	}
	if err := p.at(stepChecked); err != nil {
		return err
	}
	if err := p.write(s); err != nil {
		return errors.Join(fmt.Errorf("%s: not placed: %w", dest, err), p.root.RemoveAll(p.temp))
	}
	old, err := p.swap(expect)
	if err != nil {
		return err
	}
	return p.finish(s, old)
}

// CheckPlace says whether [Place] could be asked for that at all, without a
// look at the disk.
func CheckPlace(dest, expect string) error {
	if expect != "" && expect != "none" && !isDigest(expect) {
		return fmt.Errorf(`expected digest %q: must be "none" or "sha256:" and 64 hexadecimal digits in lower case`, expect)
	}
	full, err := filepath.Abs(dest)
	if err != nil {
		return err
	}
	if dest == "" || filepath.Base(full) == string(filepath.Separator) {
		return fmt.Errorf("destination %q: must be a folder with a name, in a folder that is there", dest)
	}
	for _, elem := range strings.Split(filepath.ToSlash(full), "/") {
		if strings.HasPrefix(elem, ".") && strings.Contains(elem, tempMark) {
			return fmt.Errorf("destination %s: %s is a folder that was left over from placing an artefact; choose another destination, or rename it", dest, elem)
		}
	}
	return nil
}

// CheckDest says whether dest is now what [Place] would be told to expect: for
// who has only one try. Place looks again.
func CheckDest(dest, expect string) (err error) {
	if err := CheckPlace(dest, expect); err != nil {
		return err
	}
	if expect == "none" {
		expect = ""
	}
	p := placer{at: func(step) error { return nil }}
	if err := p.open(dest); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.dir.Close(), p.root.Close()) }()
	return p.expects(p.name, expect)
}

func isDigest(d string) bool {
	digits, ok := strings.CutPrefix(d, "sha256:")
	return ok && len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == ""
}

// open opens the folder above dest.
func (p *placer) open(dest string) error {
	full, err := filepath.Abs(dest)
	if err != nil {
		return err
	}
	above, name := filepath.Split(full)
	p.dest, p.name = dest, name
	if p.root, err = os.OpenRoot(above); err != nil {
		return fmt.Errorf("destination %s: the folder above it: %w", dest, err)
	}
	if p.dir, err = p.root.Open("."); err != nil {
		return errors.Join(fmt.Errorf("destination %s: the folder above it: %w", dest, err), p.root.Close())
	}
	return nil
}

// expects compares what stands at a name with what is expected.
func (p *placer) expects(name, expect string) error {
	info, err := p.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && expect == "":
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s isn't there, and should be %s", ErrExpect, p.dest, expect)
	case err != nil:
		return fmt.Errorf("destination %s: %w", p.dest, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%w: %s is a link; name the folder itself", ErrExpect, p.dest)
	case !info.IsDir():
		return fmt.Errorf("%w: %s isn't a folder", ErrExpect, p.dest)
	case expect == "":
		return fmt.Errorf("%w: %s is there already; to replace it, say which digest it has", ErrExpect, p.dest)
	}
	a, err := p.read(name)
	if err != nil {
		return fmt.Errorf("destination %s: %w", p.dest, err)
	}
	s, err := a.Snapshot()
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s can't have a digest: %w", ErrExpect, p.dest, err)
	case s.Digest != expect:
		return fmt.Errorf("%w: %s is %s, not %s", ErrExpect, p.dest, s.Digest, expect)
	case len(a.LeftOut) > 0:
		return fmt.Errorf("%w: %s holds %s, which would be lost; move it away", ErrExpect, p.dest, strings.Join(a.LeftOut, ", "))
	}
	return nil
}

// Whatever stands at the destination is read with these limits; what is larger
// is no artefact that anybody placed.
var destLimits = promotion.Limits{FileBytes: 256 << 20, ArtefactBytes: 1 << 30, Files: 100_000}

// read reads what stands at a name, which must be a folder and no link.
func (p *placer) read(name string) (*promotion.Artefact, error) {
	info, err := p.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	root, err := p.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	opened, err := root.Stat(".")
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, opened) {
		return nil, errors.New("it isn't a folder, or changed while it was read")
	}
	return promotion.Read(p.dest, &folder{root: root}, ".", destLimits), nil
}

// holds says whether what stands at a name is the snapshot.
func (p *placer) holds(name string, s *promotion.Snapshot) error {
	a, err := p.read(name)
	if err != nil {
		return err
	}
	got, err := a.Snapshot()
	if err != nil {
		return err
	}
	if got.Digest != s.Digest {
		return fmt.Errorf("its digest is %s, not the snapshot's %s", got.Digest, s.Digest)
	}
	return nil
}

// tempMark is in the name of what is written beside the destination.
const tempMark = ".pawl-"

// tempName returns a new name beside name, not longer than names may be.
func tempName(name string) string {
	const most = 200
	if len(name) > most {
		name = name[:most]
	}
	var random [8]byte
	rand.Read(random[:]) // never fails
	return "." + name + tempMark + hex.EncodeToString(random[:])
}

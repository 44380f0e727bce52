package artefact

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/pawlgate/pawl/promotion"
)

// write writes the snapshot beside the destination, to a folder that only its
// owner can enter until everything is on the disk, and reads it back.
func (p *placer) write(s *promotion.Snapshot) error {
	p.temp = tempName(p.name)
	if err := p.root.Mkdir(p.temp, 0o700); err != nil {
		return err
	}
	if err := p.root.Chmod(p.temp, 0o700); err != nil { // the umask may have taken bits away
		return err
	}
	temp, err := p.root.OpenRoot(p.temp)
	if err != nil {
		return err
	}
	err = errors.Join(p.fill(temp, s), temp.Close())
	if err != nil {
		return err
	}
	if err := p.holds(p.temp, s); err != nil {
		return fmt.Errorf("what was written reads differently: %w", err)
	}
	if err := syncFolder(p.dir); err != nil {
		return err
	}
	return p.at(stepWritten)
}

func (p *placer) fill(temp *os.Root, s *promotion.Snapshot) error {
	folders := map[string]bool{".": true} // those that are there
	for _, f := range s.Files() {
		if err := p.at(stepWriting); err != nil {
			return err
		}
		if err := makeFolders(temp, path.Dir(f.Path), folders); err != nil {
			return err
		}
		if err := writeFile(temp, f); err != nil {
			return err
		}
	}
	// From the bottom up; the top comes last, and only then do others get in.
	delete(folders, ".")
	sorted := slices.Sorted(maps.Keys(folders))
	slices.Reverse(sorted)
	for _, dir := range append(sorted, ".") {
		if err := finishFolder(temp, dir); err != nil {
			return err
		}
	}
	return nil
}

func makeFolders(temp *os.Root, dir string, made map[string]bool) error {
	if made[dir] {
		return nil
	}
	if err := makeFolders(temp, path.Dir(dir), made); err != nil {
		return err
	}
	name := filepath.FromSlash(dir)
	if err := temp.Mkdir(name, 0o700); err != nil {
		return err
	}
	made[dir] = true
	return temp.Chmod(name, 0o700)
}

func finishFolder(temp *os.Root, dir string) error {
	name := filepath.FromSlash(dir)
	if err := temp.Chmod(name, 0o755); err != nil {
		return err
	}
	f, err := temp.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(syncFolder(f), f.Close())
}

func writeFile(temp *os.Root, f promotion.File) error {
	mode := os.FileMode(0o644)
	if f.Exec {
		mode = 0o755
	}
	w, err := temp.OpenFile(filepath.FromSlash(f.Path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = w.Write(f.Data)
	if err == nil {
		err = w.Chmod(mode)
	}
	if err == nil {
		err = w.Sync()
	}
	return errors.Join(err, w.Close())
}

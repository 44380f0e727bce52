package artefact

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/pawlgate/pawl/promotion"
)

func TestFolderIsAFileSystem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "skill")
	must(t, Place(newSnap(t), dir, ""))
	f, err := openFolder(dir)
	must(t, err)
	defer f.Close()
	if err := fstest.TestFS(f, "SKILL.md", "ref/deep/b.md", "run.sh"); err != nil {
		t.Error(err)
	}
}

func TestFileIsAFolderOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("x"), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "other"), []byte("y"), 0o644))
	f, err := openFolder(filepath.Join(dir, "SKILL.md"))
	must(t, err)
	defer f.Close()
	if _, err := f.Open("other"); err == nil {
		t.Error("the file beside it was opened")
	}
	s, err := promotion.Read("x", f, ".", promotion.DefaultLimits()).Snapshot()
	must(t, err)
	if want := snap(t, "SKILL.md", "x").Digest; s.Digest != want {
		t.Errorf("got %s", s.Digest)
	}
	if err := fstest.TestFS(f, "SKILL.md"); err != nil {
		t.Error(err)
	}
}

func TestALinkGivenIsFollowedOnce(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	must(t, Place(oldSnap(t), real, ""))
	must(t, os.Symlink("real", filepath.Join(dir, "link")))
	f, err := openFolder(filepath.Join(dir, "link"))
	must(t, err)
	defer f.Close()
	s, err := promotion.Read("x", f, ".", promotion.DefaultLimits()).Snapshot()
	must(t, err)
	if s.Digest != oldSnap(t).Digest {
		t.Errorf("got %s", s.Digest)
	}
	for _, missing := range []string{"nowhere", "dangling"} {
		_ = os.Symlink("nowhere", filepath.Join(dir, "dangling"))
		if _, err := openFolder(filepath.Join(dir, missing)); err == nil {
			t.Errorf("%s was opened", missing)
		}
	}
}

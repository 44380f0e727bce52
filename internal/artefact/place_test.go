package artefact

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pawlgate/pawl/promotion"
)

// snap is a snapshot of files given as path and text.
func snap(t testing.TB, files ...string) *promotion.Snapshot {
	if t != nil { // a helper process has none
		t.Helper()
	}
	a := &promotion.Artefact{Name: "test"}
	for i := 0; i < len(files); i += 2 {
		path, exec := strings.CutSuffix(files[i], "*")
		a.Files = append(a.Files, promotion.File{Path: path, Exec: exec, Data: []byte(files[i+1])})
	}
	s, err := a.Snapshot()
	if err != nil {
		panic(err)
	}
	return s
}

func oldSnap(t testing.TB) *promotion.Snapshot {
	return snap(t, "SKILL.md", "old", "ref/a.md", "A")
}

func newSnap(t testing.TB) *promotion.Snapshot {
	return snap(t, "SKILL.md", "new", "ref/a.md", "A", "ref/deep/b.md", strings.Repeat("b", 100_000), "run.sh*", "#!/bin/sh\n", "z", "")
}

// digestOf is what stands at a path: a digest, or in words what it is instead.
func digestOf(t testing.TB, path string) string {
	t.Helper()
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "none"
	case err != nil:
		t.Fatal(err)
	case !info.IsDir():
		return "not a folder: " + info.Mode().Type().String()
	}
	f, err := openFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := promotion.Read(path, f, ".", promotion.DefaultLimits()).Snapshot()
	if err != nil {
		return "no digest: " + err.Error()
	}
	return s.Digest
}

// names lists a folder.
func names(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range list {
		all = append(all, e.Name())
	}
	return all
}

func TestPlaceNewAndReplaced(t *testing.T) {
	dir := t.TempDir()
	dest := filepath.Join(dir, "skill")
	was, is := oldSnap(t), newSnap(t)
	for _, tt := range []struct {
		s      *promotion.Snapshot
		expect string
	}{{was, ""}, {is, was.Digest}, {was, is.Digest}, {was, was.Digest}} {
		if err := Place(tt.s, dest, tt.expect); err != nil {
			t.Fatal(err)
		}
		if got := digestOf(t, dest); got != tt.s.Digest {
			t.Fatalf("got %s", got)
		}
		if got := names(t, dir); !slices.Equal(got, []string{"skill"}) {
			t.Fatalf("left over: %q", got)
		}
	}
}

func TestPlaceRefuses(t *testing.T) {
	was, is := oldSnap(t), newSnap(t)
	for name, tt := range map[string]struct {
		before func(t *testing.T, dir string) // dir/skill is the destination
		dest   string                         // below dir, unless it is skill
		expect string
		want   string
		other  bool // it isn't a matter of what was expected
	}{
		"there already":         {before: placed(was), want: "is there already"},
		"there, and empty":      {before: func(t *testing.T, dir string) { must(t, os.Mkdir(filepath.Join(dir, "skill"), 0o755)) }, want: "is there already"},
		"not there":             {expect: was.Digest, want: "isn't there"},
		"another digest":        {before: placed(is), expect: was.Digest, want: "not " + was.Digest},
		"a file":                {before: func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "skill"), nil, 0o644)) }, expect: was.Digest, want: "isn't a folder"},
		"a file, none expected": {before: func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, "skill"), nil, 0o644)) }, want: "isn't a folder"},
		"a link": {before: func(t *testing.T, dir string) {
			must(t, Place(was, filepath.Join(dir, "real"), ""))
			must(t, os.Symlink("real", filepath.Join(dir, "skill")))
		}, expect: was.Digest, want: "is a link"},
		"a dangling link": {before: func(t *testing.T, dir string) {
			must(t, os.Symlink("nowhere", filepath.Join(dir, "skill")))
		}, want: "is a link"},
		"holds a link": {before: func(t *testing.T, dir string) {
			placed(was)(t, dir)
			must(t, os.Symlink("SKILL.md", filepath.Join(dir, "skill", "also")))
		}, expect: was.Digest, want: "can't have a digest"},
		"holds .git": {before: func(t *testing.T, dir string) {
			placed(was)(t, dir)
			must(t, os.Mkdir(filepath.Join(dir, "skill", ".git"), 0o755))
		}, expect: was.Digest, want: "would be lost"},
		"the folder above is missing": {dest: "no/skill", want: "folder above", other: true},
		"the folder above is a file": {before: func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0o644))
		}, dest: "f/skill", want: "folder above", other: true},
		"within a left-over":        {before: func(t *testing.T, dir string) { must(t, os.Mkdir(filepath.Join(dir, ".skill.pawl-00"), 0o755)) }, dest: ".skill.pawl-00/x", want: "left over", other: true},
		"not a digest":              {expect: "sha256:00", want: "64 hexadecimal", other: true},
		"a digest in upper case":    {expect: strings.ToUpper(was.Digest), want: "64 hexadecimal", other: true},
		"a digest of other letters": {expect: "sha256:" + strings.Repeat("g", 64), want: "64 hexadecimal", other: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.before != nil {
				tt.before(t, dir)
			}
			dest := filepath.Join(dir, "skill")
			if tt.dest != "" {
				dest = filepath.Join(dir, tt.dest)
			}
			before := tree(t, dir)
			err := Place(is, dest, tt.expect)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			if errors.Is(err, ErrExpect) == tt.other {
				t.Errorf("ErrExpect: %v", err)
			}
			if after := tree(t, dir); !maps.Equal(before, after) {
				t.Errorf("it changed something:\n%v\n%v", before, after)
			}
		})
	}
	if err := Place(is, "/", ""); err == nil {
		t.Error("the root was taken")
	}
	if err := Place(is, "", ""); err == nil {
		t.Error("no destination was taken")
	}
	if err := Place(&promotion.Snapshot{Digest: was.Digest}, filepath.Join(t.TempDir(), "x"), ""); err == nil {
		t.Error("a snapshot without files was taken")
	}
	if err := Place(nil, filepath.Join(t.TempDir(), "x"), ""); err == nil {
		t.Error("no snapshot was taken")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func placed(s *promotion.Snapshot) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) { must(t, Place(s, filepath.Join(dir, "skill"), "")) }
}

// tree is all that is in a folder.
func tree(t testing.TB, dir string) map[string]string {
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		what := e.Type().String()
		if e.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			what = string(data)
		}
		all[path] = what
		return nil
	}))
	return all
}

// ways are the ways to rename: as the system does it, and as on one that can't.
func ways() map[string]placer {
	no := func(*os.File, string, string) error { return errors.ErrUnsupported }
	return map[string]placer{
		"at once": {renameNew: renameNew, exchange: exchange},
		"slowly":  {renameNew: no, exchange: no},
	}
}

// A failure at any step leaves the old folder or the new one, and says which.
func TestPlaceFailsAtAnyStep(t *testing.T) {
	was, is := oldSnap(t), newSnap(t)
	for way, p := range ways() {
		for _, expect := range []string{"none", was.Digest} {
			for n := range 20 {
				dir := t.TempDir()
				dest := filepath.Join(dir, "skill")
				if expect != "none" {
					must(t, Place(was, dest, ""))
				}
				p := p
				count, failed := 0, step("")
				p.at = func(s step) error {
					if count++; count == n+1 {
						failed = s
						return errors.New("injected")
					}
					return nil
				}
				err := p.place(is, dest, expect)
				got := digestOf(t, dest)
				if failed == "" {
					if err != nil || got != is.Digest {
						t.Fatalf("%s: nothing was injected, but %v, %s", way, err, got)
					}
					break
				}
				if err == nil || !strings.Contains(err.Error(), "injected") {
					t.Fatalf("%s, %s: %v", way, failed, err)
				}
				inPlace := strings.Contains(err.Error(), "the snapshot is in place")
				if inPlace && got != is.Digest || !inPlace && got != expect {
					t.Errorf("%s, %s: %v, but there is %s", way, failed, err, got)
				}
				if left := names(t, dir); !inPlace && (len(left) > 1 || len(left) == 1 && left[0] != "skill") {
					t.Errorf("%s, %s: left over: %q", way, failed, left)
				}
			}
		}
	}
}

// Somebody changes the destination while the snapshot is written: what they did
// stays.
func TestPlaceKeepsADestinationThatChanges(t *testing.T) {
	was, is := oldSnap(t), newSnap(t)
	for way, p := range ways() {
		for change, do := range map[string]func(dest string) error{
			"a file more":    func(dest string) error { return os.WriteFile(filepath.Join(dest, "mine"), []byte("x"), 0o644) },
			"other bytes":    func(dest string) error { return os.WriteFile(filepath.Join(dest, "SKILL.md"), []byte("0ld"), 0o644) },
			"executable":     func(dest string) error { return os.Chmod(filepath.Join(dest, "SKILL.md"), 0o755) },
			"gone":           os.RemoveAll,
			"a link instead": func(dest string) error { return errors.Join(os.RemoveAll(dest), os.Symlink("/etc", dest)) },
			"a file instead": func(dest string) error {
				return errors.Join(os.RemoveAll(dest), os.WriteFile(dest, []byte("f"), 0o644))
			},
			"a .git in it": func(dest string) error { return os.Mkdir(filepath.Join(dest, ".git"), 0o755) },
			"somebody else's new": func(dest string) error {
				return errors.Join(os.RemoveAll(dest), plainly(snap(t, "SKILL.md", "x"), dest))
			},
		} {
			for _, when := range []step{stepChecked, stepWritten} {
				dir := t.TempDir()
				dest := filepath.Join(dir, "skill")
				must(t, Place(was, dest, ""))
				var changed map[string]string
				p := p
				p.at = func(s step) error {
					if s == when && changed == nil {
						must(t, do(dest))
						changed = tree(t, dir)
						for path := range changed {
							if strings.Contains(path, tempMark) {
								delete(changed, path)
							}
						}
					}
					return nil
				}
				err := p.place(is, dest, was.Digest)
				if err == nil {
					t.Fatalf("%s, %s: placed", way, change)
				}
				if got := tree(t, dir); !maps.Equal(got, changed) {
					t.Errorf("%s, %s, %s: %v\ngot  %v\nwant %v", way, change, when, err, got, changed)
				}
			}
		}
		for change, do := range map[string]func(dest string) error{
			"a folder": func(dest string) error { return plainly(was, dest) },
			"a file":   func(dest string) error { return os.WriteFile(dest, []byte("f"), 0o644) },
			"a link":   func(dest string) error { return os.Symlink("/etc", dest) },
		} {
			dir := t.TempDir()
			dest := filepath.Join(dir, "skill")
			p := p
			p.at = func(s step) error {
				if s == stepWritten {
					return do(dest)
				}
				return nil
			}
			err := p.place(is, dest, "none")
			if !errors.Is(err, ErrExpect) {
				t.Errorf("%s, %s: %v", way, change, err)
			}
			if got := digestOf(t, dest); got == is.Digest || len(names(t, dir)) != 1 {
				t.Errorf("%s, %s: %s, %q", way, change, got, names(t, dir))
			}
		}
	}
}

// plainly writes files without the lock that the test's own placing holds.
func plainly(s *promotion.Snapshot, dest string) error {
	for _, f := range s.Files() {
		path := filepath.Join(dest, filepath.FromSlash(f.Path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Data, 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// Many place at once, all expecting the same: exactly one does.
func TestPlaceAtOnce(t *testing.T) {
	was := oldSnap(t)
	for _, expect := range []string{"none", was.Digest} {
		for range 20 {
			dir := t.TempDir()
			dest := filepath.Join(dir, "skill")
			if expect != "none" {
				must(t, Place(was, dest, ""))
			}
			errs := make([]error, 6)
			snaps := make([]*promotion.Snapshot, len(errs))
			var all sync.WaitGroup
			for i := range errs {
				snaps[i] = snap(t, "SKILL.md", strings.Repeat("x", i+1))
				all.Go(func() { errs[i] = Place(snaps[i], dest, expect) })
			}
			all.Wait()
			won := -1
			for i, err := range errs {
				switch {
				case err == nil && won >= 0:
					t.Fatal("two were placed")
				case err == nil:
					won = i
				case !errors.Is(err, ErrExpect):
					t.Error(err)
				}
			}
			if won < 0 {
				t.Fatal("none was placed")
			}
			if got := digestOf(t, dest); got != snaps[won].Digest {
				t.Errorf("got %s", got)
			}
			if got := names(t, dir); len(got) != 1 {
				t.Errorf("left over: %q", got)
			}
		}
	}
}

// What is placed is what was decided about, whatever becomes of its source.
func TestPlaceAfterTheSourceChanged(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "source")
	must(t, Place(oldSnap(t), source, ""))
	f, err := openFolder(source)
	must(t, err)
	defer f.Close()
	s, err := promotion.Read("source", f, ".", promotion.DefaultLimits()).Snapshot()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(source, "SKILL.md"), []byte("bad"), 0o644))
	must(t, os.WriteFile(filepath.Join(source, "more.sh"), []byte("bad"), 0o755))
	dest := filepath.Join(dir, "dest")
	must(t, Place(s, dest, "none"))
	if got := digestOf(t, dest); got != oldSnap(t).Digest {
		t.Errorf("got %s", got)
	}
}

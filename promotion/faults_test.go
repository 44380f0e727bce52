package promotion

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"
)

// A faulty file system does one thing wrong, at the step that is chosen, and is
// right otherwise.
type faulty struct {
	fsys  fs.FS
	at    int // the step that goes wrong
	fault string
	step  int
	done  string // what went wrong
}

// faults are what can go wrong.
var faults = []string{"error", "panic", "missing", "end", "half", "none", "larger", "smaller", "negative", "device", "executable", "folder", "later", "dropped", "twice", "renamed", "nil", "endless", "impossible", "more"}

// wrong says whether this step is the one.
func (f *faulty) wrong(op, name string) bool {
	f.step++
	if f.step != f.at {
		return false
	}
	f.done = op + " " + name
	if f.fault == "panic" {
		panic("injected")
	}
	return true
}

var errInjected = errors.New("injected")

func (f *faulty) err() error {
	switch f.fault {
	case "error":
		return errInjected
	case "missing":
		return &fs.PathError{Op: "x", Path: "x", Err: fs.ErrNotExist}
	}
	return nil
}

func (f *faulty) Open(name string) (fs.File, error) {
	if f.wrong("open", name) {
		if err := f.err(); err != nil {
			return nil, err
		}
	}
	file, err := f.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return &faultyFile{file, f, name, false}, nil
}

func (f *faulty) Lstat(name string) (fs.FileInfo, error) {
	bad := f.wrong("lstat", name)
	if bad {
		if err := f.err(); err != nil {
			return nil, err
		}
	}
	info, err := fs.Lstat(f.fsys, name)
	if bad {
		info = f.lie(info)
	}
	return info, err
}

func (f *faulty) ReadLink(string) (string, error) { return "", errInjected }

// lie says something wrong about a file.
func (f *faulty) lie(info fs.FileInfo) fs.FileInfo {
	i := fileInfo{info.Name(), info.Size(), info.Mode(), info.ModTime()}
	switch f.fault {
	case "nil":
		return nil
	case "larger":
		i.size++
	case "smaller":
		i.size--
	case "negative":
		i.size = -1
	case "device":
		i.mode = fs.ModeDevice | 0o644
	case "folder":
		i.mode ^= fs.ModeDir
	case "executable":
		i.mode ^= 0o111
	case "later":
		i.modTime = i.modTime.Add(time.Nanosecond)
	}
	return i
}

type faultyFile struct {
	fs.File
	fs    *faulty
	name  string
	ended bool
}

func (f *faultyFile) Stat() (fs.FileInfo, error) {
	bad := f.fs.wrong("stat", f.name)
	if bad {
		if err := f.fs.err(); err != nil {
			return nil, err
		}
	}
	info, err := f.File.Stat()
	if bad {
		info = f.fs.lie(info)
	}
	return info, err
}

func (f *faultyFile) Read(p []byte) (int, error) {
	if f.ended {
		return 0, io.EOF
	}
	if f.fs.wrong("read", f.name) {
		if err := f.fs.err(); err != nil {
			return 0, err
		}
		switch f.fs.fault {
		case "end":
			f.ended = true
			return 0, io.EOF
		case "half":
			return f.File.Read(p[:(len(p)+1)/2])
		case "none":
			return 0, nil
		case "endless":
			f.fs.at++ // the next one, too
			return 0, nil
		case "impossible":
			return len(p) + 1, nil
		case "more":
			f.fs.at++
			clear(p)
			return len(p), nil
		}
	}
	return f.File.Read(p)
}

func (f *faultyFile) ReadDir(n int) ([]fs.DirEntry, error) {
	d, ok := f.File.(fs.ReadDirFile)
	if !ok {
		return nil, errors.New("not a folder")
	}
	bad := f.fs.wrong("readdir", f.name)
	if bad {
		if err := f.fs.err(); err != nil {
			return nil, err
		}
		switch f.fs.fault {
		case "end":
			return nil, io.EOF
		case "none", "endless":
			return nil, nil
		}
	}
	list, err := d.ReadDir(n)
	if bad && len(list) > 0 {
		switch f.fs.fault {
		case "dropped":
			list = list[1:]
		case "twice":
			list = append(list, list[0])
		case "renamed":
			list[0] = renamed{list[0], "../" + list[0].Name()}
		case "half":
			list = list[:len(list)/2] // and the end is the next answer
		case "folder", "device":
			list[0] = fs.FileInfoToDirEntry(f.fs.lie(fileInfo{name: list[0].Name(), mode: list[0].Type()}))
		}
	}
	for i := range list {
		list[i] = faultyEntry{list[i], f.fs}
	}
	return list, err
}

type renamed struct {
	fs.DirEntry
	name string
}

func (r renamed) Name() string { return r.name }

type faultyEntry struct {
	fs.DirEntry
	fs *faulty
}

func (e faultyEntry) Info() (fs.FileInfo, error) {
	bad := e.fs.wrong("info", e.Name())
	if bad {
		if err := e.fs.err(); err != nil {
			return nil, err
		}
	}
	info, err := e.DirEntry.Info()
	if bad {
		info = e.fs.lie(info)
	}
	return info, err
}

// withoutLstat hides that a file system knows links.
type withoutLstat struct{ fs.FS }

// Whatever goes wrong at whatever step: the artefact is the true one, or it has no
// snapshot and a reason to escalate.
func TestNoFaultLowersWhatIsRead(t *testing.T) {
	fsys := mapFS("SKILL.md", "---\nname: x\n---\n", "a/b/c.md", "c", "a/d.md", "", "e.sh", "#!")
	fsys["e.sh"].Mode = 0o755
	truth, err := Read("x", fsys, ".", DefaultLimits()).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	caught, harmless, steps := 0, 0, map[string]bool{}
	for _, fault := range faults {
		for _, links := range []bool{true, false} {
			for at := 1; ; at++ {
				f := &faulty{fsys: fsys, at: at, fault: fault}
				var given fs.FS = f
				if !links {
					given = withoutLstat{f}
				}
				a := Read("x", given, ".", DefaultLimits())
				if f.done == "" {
					break // all steps were tried
				}
				steps[f.done] = true
				s, err := a.Snapshot()
				what := fmt.Sprintf("%s at step %d, %s", fault, at, f.done)
				switch {
				case err != nil && len(a.Findings) == 0:
					t.Errorf("%s: nothing was found, but %v", what, err)
				case err != nil:
					caught++
				case s.Digest != truth.Digest:
					t.Errorf("%s: a snapshot of something else: %s", what, pathsOf(a.Files))
				default:
					harmless++
				}
				for _, file := range a.Files {
					want, err := fs.ReadFile(fsys, file.Path)
					if err != nil || !bytes.Equal(file.Data, want) {
						t.Errorf("%s: %s was read wrongly", what, file.Path)
					}
				}
			}
		}
	}
	t.Logf("%d steps; %d faults were caught, %d did no harm", len(steps), caught, harmless)
	for _, want := range []string{"open .", "lstat SKILL.md", "stat a/d.md", "read a/b/c.md", "readdir a", "info e.sh"} {
		if !steps[want] {
			t.Errorf("%q was never tried", want)
		}
	}
	if caught == 0 || harmless == 0 {
		t.Error("not all was tried")
	}
}

func TestNoFaultHidesASkill(t *testing.T) {
	fsys := mapFS("one/SKILL.md", "1", "deep/two/skill.md", "2", "deep/two/sub/SKILL.md", "not one of its own", "README", "r", "three/Skill.Md", "3")
	truth := FindSkills(fsys, ".")
	if fmt.Sprint(truth) != fmt.Sprint(Skills{Roots: []string{"deep/two", "one", "three"}, Outside: 1}) {
		t.Fatalf("got %+v", truth)
	}
	caught := 0
	for _, fault := range faults {
		for at := 1; ; at++ {
			f := &faulty{fsys: fsys, at: at, fault: fault}
			got := FindSkills(f, ".")
			if f.done == "" {
				break
			}
			if len(got.Findings) > 0 {
				caught++
			} else if fmt.Sprint(got) != fmt.Sprint(truth) {
				t.Errorf("%s at %s: got %+v", fault, f.done, got)
			}
		}
	}
	if caught == 0 {
		t.Error("nothing was caught")
	}
}

// A file system that grows while it is read, and one without an end.
type growing struct{ fstest.MapFS }

func (g growing) Open(name string) (fs.File, error) {
	if name != "SKILL.md" {
		return g.MapFS.Open(name)
	}
	f, err := g.MapFS.Open(name)
	return endless{f}, err
}

func (g growing) Lstat(name string) (fs.FileInfo, error) { return g.MapFS.Lstat(name) }

type endless struct{ fs.File }

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestReadOfAFileWithoutAnEnd(t *testing.T) {
	a := Read("x", growing{mapFS("SKILL.md", "x")}, ".", DefaultLimits())
	if kindsOf(a.Findings) != "unread" || len(a.Files) != 0 {
		t.Errorf("got %v", a.Findings)
	}
}

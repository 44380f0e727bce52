package promotion

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func mapFS(files ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1]), Mode: 0o644}
	}
	return m
}

func kindsOf(findings []Finding) string {
	var kinds []string
	for _, f := range findings {
		kinds = append(kinds, string(f.Kind))
	}
	return strings.Join(kinds, " ")
}

func pathsOf(files []File) string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return strings.Join(paths, " ")
}

func TestReadTakesAllFilesInByteOrderOfPaths(t *testing.T) {
	fsys := mapFS("s/SKILL.md", "a", "s/a/b", "1", "s/a.txt", "2", "s/a-b", "3", "s/.git/config", "x", "s/sub/.git/config", "kept", "other", "no")
	fsys["s/run.sh"] = &fstest.MapFile{Data: []byte("#!"), Mode: 0o755}
	fsys["s/empty"] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
	a := Read("s", fsys, "s", DefaultLimits())
	if len(a.Findings) > 0 {
		t.Fatal(a.Findings)
	}
	if got, want := pathsOf(a.Files), "SKILL.md a-b a.txt a/b run.sh sub/.git/config"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !slices.IsSortedFunc(a.Files, func(f, g File) int { return strings.Compare(f.Path, g.Path) }) {
		t.Error("not in byte order")
	}
	if !slices.Equal(a.LeftOut, []string{".git"}) {
		t.Errorf("left out %q", a.LeftOut)
	}
	for _, f := range a.Files {
		if f.Exec != (f.Path == "run.sh") {
			t.Errorf("%s: exec %v", f.Path, f.Exec)
		}
	}
}

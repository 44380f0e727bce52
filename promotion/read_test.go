package promotion

import (
	"fmt"
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

func TestReadFindsWhatIsOdd(t *testing.T) {
	link := &fstest.MapFile{Data: []byte("/etc"), Mode: fs.ModeSymlink | 0o777}
	lim := Limits{FileBytes: 10, ArtefactBytes: 20, Files: 3}
	for name, tt := range map[string]struct {
		files map[string]*fstest.MapFile
		root  string
		want  string // files (findings: kind@file)
	}{
		"nothing odd":             {mapFS("SKILL.md", "0123456789"), ".", "SKILL.md ()"},
		"empty":                   {nil, ".", " ()"},
		"a link":                  {map[string]*fstest.MapFile{"SKILL.md": {}, "l": link}, ".", "SKILL.md (link@l)"},
		"a device":                {map[string]*fstest.MapFile{"SKILL.md": {}, "null": {Mode: fs.ModeDevice | fs.ModeCharDevice}}, ".", "SKILL.md (device@null)"},
		"irregular":               {map[string]*fstest.MapFile{"x": {Mode: fs.ModeIrregular}}, ".", " (device@x)"},
		"a byte too much":         {mapFS("a", "01234567890", "b", "x"), ".", "b (limit@a)"},
		"too much together":       {mapFS("a", "0123456789", "b", "0123456789", "c", "x"), ".", "a b (limit@c)"},
		"too many":                {mapFS("a", "", "b/c", "", "b/d", "", "e", ""), ".", "a b/c b/d (limit@e)"},
		"a file's other case":     {mapFS("A", "", "a", ""), ".", "A (path@a)"},
		"a folder's other case":   {mapFS("A/x", "", "a", ""), ".", "A/x (path@a)"},
		"another form of a name":  {mapFS("e\u0301", "", "\u00e9", ""), ".", "e\u0301 (path@\u00e9)"},
		"a colon":                 {mapFS("a:b", "", "c", ""), ".", "c (path@a:b)"},
		"a folder of an odd name": {mapFS("con/SKILL.md", "", "c", ""), ".", "c (path@con)"},
		"an invisible name":       {mapFS("a\u200b", ""), ".", ` (path@a\u200b)`},
		".git as a file":          {mapFS(".git", "gitdir: /x", "SKILL.md", ""), ".", "SKILL.md ()"},
		".git as a link":          {map[string]*fstest.MapFile{".git": link, "SKILL.md": {}}, ".", "SKILL.md ()"},
		".GIT":                    {mapFS(".GIT/config", "x"), ".", ".GIT/config ()"},
		"no such folder":          {mapFS("a", ""), "b", " (unread@)"},
		"a file as its folder":    {mapFS("a", ""), "a", " (unread@)"},
		"a link as its folder":    {map[string]*fstest.MapFile{"l": link}, "l", " (link@)"},
		"no path":                 {mapFS("a", ""), "../a", " (unread@)"},
	} {
		a := Read("x", fstest.MapFS(tt.files), tt.root, lim)
		var found []string
		for _, f := range a.Findings {
			found = append(found, string(f.Kind)+"@"+f.File)
			if !f.Blocks() || f.Detail == "" || f.Offset != -1 {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if got := pathsOf(a.Files) + " (" + strings.Join(found, " ") + ")"; got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

func TestReadBoundsFoldersToo(t *testing.T) {
	many, deep, spread := fstest.MapFS{}, fstest.MapFS{}, fstest.MapFS{}
	for i := range 200 {
		spread[fmt.Sprint("d", i/20, "/", i)] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		many[fmt.Sprint("d", i)] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
	}
	deep[strings.Repeat("d/", 100)+"x"] = &fstest.MapFile{}
	for name, fsys := range map[string]fstest.MapFS{"many": many, "deep": deep, "spread": spread} {
		a := Read("x", fsys, ".", Limits{FileBytes: 10, ArtefactBytes: 20, Files: 3})
		if len(a.Findings) != 1 || !a.Findings[0].Blocks() {
			t.Errorf("%s: %v", name, a.Findings)
		}
	}
}

func TestFindSkills(t *testing.T) {
	link := &fstest.MapFile{Data: []byte("../elsewhere"), Mode: fs.ModeSymlink | 0o777}
	deep := strings.Repeat("d/", 100)
	for name, tt := range map[string]struct {
		files map[string]*fstest.MapFile
		root  string
		want  string
	}{
		"the folder itself":     {mapFS("SKILL.md", "", "a/SKILL.md", "", "b", ""), ".", "[.] 0 ()"},
		"one below":             {mapFS("s/a/SKILL.md", "", "s/a/x/SKILL.md", "", "s/b", "", "README", ""), ".", "[s/a] 2 ()"},
		"from a folder":         {mapFS("s/a/skill.md", "", "s/b/Skill.MD", "", "c", ""), "s", "[s/a s/b] 0 ()"},
		"none":                  {mapFS("a/b", "", "c", ""), ".", "[.] 0 ()"},
		"none, from a folder":   {mapFS("a/b", "", "c", ""), "a", "[a] 0 ()"},
		"not in .git":           {mapFS("a/SKILL.md", "", ".git/x/SKILL.md", "", "b/.git/SKILL.md", ""), ".", "[a] 0 ()"},
		"a folder of that name": {mapFS("a/SKILL.md/x", "", "b/SKILL.md", ""), ".", "[b] 1 ()"},
		"a linked SKILL.md":     {map[string]*fstest.MapFile{"a/SKILL.md": link}, ".", "[a] 0 ()"},
		"a linked folder":       {map[string]*fstest.MapFile{"a/SKILL.md": {}, "b": link}, ".", "[a] 1 (link@b)"},
		"too deep":              {mapFS(deep+"SKILL.md", ""), ".", "[.] 0 (limit@" + strings.TrimSuffix(strings.Repeat("d/", 65), "/") + ")"},
		"no such folder":        {mapFS("a", ""), "b", "[b] 0 (unread@b)"},
		"no path":               {mapFS("a", ""), "../b", "[../b] 0 (unread@../b)"},
	} {
		got := FindSkills(fstest.MapFS(tt.files), tt.root)
		var found []string
		for _, f := range got.Findings {
			found = append(found, string(f.Kind)+"@"+f.File)
		}
		if g := fmt.Sprintf("%v %d (%s)", got.Roots, got.Outside, strings.Join(found, " ")); g != tt.want {
			t.Errorf("%s: got %s, want %s", name, g, tt.want)
		}
	}
}

package promotion

import (
	"strings"
	"testing"
)

// A repository within an artefact brings its configuration, and thereby programs
// that git runs: under whatever name some system takes for it, and without one.
func TestARepositoryWithinIsFound(t *testing.T) {
	s, err := NewScanner(ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const skill = "---\nname: skill\ndescription: A skill.\n---\n"
	hash := strings.Repeat("0a", 20)
	for name, tt := range map[string]struct {
		path, data string
		want       bool
	}{
		"in a folder":              {"sub/.git/config", "[core]\n\tfsmonitor = x\n", true},
		"as a file":                {"sub/.git", "gitdir: ../x\n", true},
		"in upper case":            {".GIT/config", "[core]\n", true},
		"in mixed case below":      {"a/b/.Git/HEAD", "", true},
		"as Windows shortens it":   {"GIT~1/config", "[core]\n", true},
		"of Mercurial":             {"sub/.hg/hgrc", "[hooks]\n", true},
		"bare, on a branch":        {"sub/HEAD", "ref: refs/heads/main\n", true},
		"bare, at a commit":        {"HEAD", hash + "\n", true},
		"bare, at a SHA-256":       {"head", strings.Repeat("0a", 32), true},
		"another HEAD":             {"HEAD", "Notes about heads.\n", false},
		"git in a name":            {"digits/a.git.md", "x", false},
		"what git reads of others": {".gitignore", "*.tmp\n", false},
		".github":                  {".github/notes.md", "x", false},
	} {
		t.Run(name, func(t *testing.T) {
			a := &Artefact{Files: []File{{Path: tt.path, Data: []byte(tt.data)}, {Path: "SKILL.md", Data: []byte(skill)}}}
			r := s.Scan(a)
			found := false
			for _, f := range r.Tripwire.Reasons {
				found = found || f.Kind == KindPersistence && f.File == tt.path && strings.Contains(f.Detail, "repository")
			}
			if found != tt.want || r.Tripwire.Raised() != tt.want {
				t.Errorf("%+v", r.Tripwire)
			}
			// It stays part of what is decided: it is a reason, and has a digest.
			if _, err := a.Snapshot(); err != nil {
				t.Error(err)
			}
		})
	}
}

package promotion

import (
	"bytes"
	"strings"
)

// repositoryOf finds what makes git, or Mercurial, take a folder for a
// repository: its configuration names programs that run at the next command,
// "git status" included. The .git at the top of a folder is left out of an
// artefact; this is about any other, and about a bare one, which has no name.
// Sources: "safe.bareRepository" and "core.fsmonitor" in git-config(1); for the
// other spellings, core.protectHFS and core.protectNTFS there.
func repositoryOf(f File) []Finding {
	base := f.Path
	for name := range strings.SplitSeq(f.Path, "/") {
		if strings.EqualFold(name, gitFolder) || strings.EqualFold(name, "git~1") || strings.EqualFold(name, ".hg") {
			return []Finding{wholeFile(KindPersistence, f.Path, "part of a repository within the artefact, whose configuration can run programs")}
		}
		base = name
	}
	if strings.EqualFold(base, "HEAD") && isHead(f.Data) {
		return []Finding{wholeFile(KindPersistence, f.Path, "makes its folder a repository of git, whose configuration can run programs")}
	}
	return nil
}

// isHead says whether git would take data for the HEAD of a repository.
func isHead(data []byte) bool {
	text := bytes.TrimSpace(data)
	if bytes.HasPrefix(text, []byte("ref:")) {
		return true
	}
	return (len(text) == 40 || len(text) == 64) && len(bytes.Trim(text, "0123456789abcdefABCDEF")) == 0
}

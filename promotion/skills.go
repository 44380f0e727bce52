package promotion

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// manifestName is the file that makes a folder a skill, and whose front matter
// declares what the skill is and may do.
const manifestName = "SKILL.md"

// isManifest takes the name in whatever case: a program that looks for it on a
// file system that ignores case finds them all.
func isManifest(name string) bool { return strings.EqualFold(name, manifestName) }

// maxSearched is how many files and folders are looked at to find skills.
const maxSearched = 200_000

// Skills is what a folder holds.
type Skills struct {
	// Roots are the folders to [Read], as paths of the file system, in byte order.
	Roots []string
	// Outside is how many files belong to no skill. Reading the roots reads none of
	// them.
	Outside int
	// Findings is what stood in the way of finding all skills: a folder that
	// couldn't be listed, a link, which isn't followed, too many files. There
	// may be skills that aren't among the roots, so any finding is a reason to
	// escalate.
	Findings []Finding
}

// FindSkills finds the skills in a folder of a file system. If it holds a
// SKILL.md, in whatever case, it is one. Otherwise every folder below it that
// holds one is, and what lies within a skill belongs to it. If there is none,
// the folder itself is the only root: a scan then says that SKILL.md is
// missing.
//
// It follows no links, looks into no .git, and never fails: see
// Skills.Findings, whose files are paths of fsys.
func FindSkills(fsys fs.FS, root string) Skills {
	s := search{fsys: fsys, left: maxSearched}
	if !fs.ValidPath(root) {
		s.find(KindUnread, root, "isn't the path of a folder")
	} else {
		s.folder(root, 0)
	}
	if len(s.Roots) == 0 {
		// All files are in this one, then.
		s.Roots, s.Outside = []string{root}, 0
	}
	slices.Sort(s.Roots)
	return s.Skills
}

type search struct {
	Skills
	fsys fs.FS
	left int // how many entries may still be looked at
}

func (s *search) find(k Kind, p, detail string) {
	s.Findings = append(s.Findings, wholeFile(k, p, detail))
}

func (s *search) folder(p string, depth int) {
	if depth > maxPathDepth {
		s.find(KindLimit, p, fmt.Sprintf("more than %d folders deep: skills below weren't looked for", maxPathDepth))
		return
	}
	list, err := listFolder(s.fsys, p, s.left)
	switch {
	case errors.Is(err, errTooMany):
		s.left = 0
		s.find(KindLimit, p, fmt.Sprintf("more than %d files and folders: skills from here on weren't looked for", maxSearched))
		return
	case err != nil:
		s.find(KindUnread, p, "the folder can't be read, and skills in it weren't looked for: "+why(err))
		return
	}
	// A folder that lists less than it holds would hide a skill, so it is asked
	// twice.
	again, err := listFolder(s.fsys, p, len(list))
	if err != nil || !slices.EqualFunc(list, again, sameEntry) {
		s.find(KindUnread, p, "the folder changed while skills were looked for")
	}
	s.left -= len(list)
	if slices.ContainsFunc(list, func(e folderEntry) bool { return isManifest(e.name) && !e.mode.IsDir() }) {
		s.Roots = append(s.Roots, p)
		return
	}
	for _, e := range list {
		below := path.Join(p, e.name)
		switch {
		case e.name == gitFolder:
		case e.mode&fs.ModeSymlink != 0:
			s.Outside++
			s.find(KindLink, below, "a link, which isn't followed: a skill that it leads to wasn't looked for")
		case !e.mode.IsDir():
			s.Outside++
		case s.left <= 0:
			s.find(KindLimit, below, fmt.Sprintf("more than %d files and folders: skills from here on weren't looked for", maxSearched))
			return
		case strings.Contains(e.name, "/") || !fs.ValidPath(e.name) || e.name == ".":
			s.find(KindEscape, p, "the folder lists a name that isn't one: "+shown(e.name))
		default:
			s.folder(below, depth+1)
		}
	}
}

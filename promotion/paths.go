package promotion

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// What a path may be at most. 255 bytes a name and 4096 a path are what Linux
// takes; 64 folders are more than a person nests.
const (
	maxNameBytes = 255
	maxPathBytes = 4096
	maxPathDepth = 64
)

// gitFolder is left out of an artefact, at its top alone: it is how the
// artefact is kept, and no part of it.
const gitFolder = ".git"

// checkPath says why a path may not be part of an artefact, empty if it may:
// it leads out, or isn't the same path to every program and on every system
// that may read it.
func checkPath(p string) string {
	switch {
	case p == "":
		return "an empty path"
	case len(p) > maxPathBytes:
		return "a path of more than " + strconv.Itoa(maxPathBytes) + " bytes"
	case !utf8.ValidString(p):
		return "a path that isn't UTF-8"
	case p[0] == '/':
		return "an absolute path"
	case strings.Contains(p, `\`):
		return "a path with a backslash, which separates folders on some systems"
	case strings.Contains(p, ":"):
		return "a path with a colon, which names a drive or a stream on some systems"
	case hasUnseen(p):
		return "a path with a character that doesn't show"
	case strings.Count(p, "/") >= maxPathDepth:
		return "a path of more than " + strconv.Itoa(maxPathDepth) + " names"
	}
	for name := range strings.SplitSeq(p, "/") {
		if why := checkName(name); why != "" {
			return why
		}
	}
	return ""
}

func checkName(name string) string {
	last, _ := utf8.DecodeLastRuneInString(name)
	switch {
	case name == "":
		return "a path with an empty name"
	case name == "." || name == "..":
		return `a path with "` + name + `"`
	case len(name) > maxNameBytes:
		return "a name of more than " + strconv.Itoa(maxNameBytes) + " bytes"
	case last == '.' || unicode.IsSpace(last):
		return "a name that ends in a dot or a blank, which some systems drop"
	case reservedName(name):
		return "a name that is a device on Windows"
	}
	return ""
}

// reservedName tells of the names that Windows takes for devices, in whatever
// folder and with whatever extension.
// Source: "Naming Files, Paths, and Namespaces" in the Win32 documentation.
func reservedName(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	rest, com := strings.CutPrefix(stem, "COM")
	if !com {
		var lpt bool
		if rest, lpt = strings.CutPrefix(stem, "LPT"); !lpt {
			return false
		}
	}
	return utf8.RuneCountInString(rest) == 1 && strings.Contains("0123456789¹²³", rest)
}

// pathSet finds paths that are one path on some system: equal but for case and
// Unicode form, or a file where another path needs a folder. It isn't safe for
// concurrent use.
type pathSet struct {
	fold cases.Caser // has state
	seen map[string]seenPath
}

type seenPath struct {
	path   string
	folder bool
}

func newPathSet() *pathSet {
	return &pathSet{fold: cases.Fold(), seen: map[string]seenPath{}}
}

// add takes a path that passed checkPath, with the folders above it. It returns the
// path that stands in its way, and whether one does. A folder may be added
// again; a file may not.
func (s *pathSet) add(p string, folder bool) (other string, clash bool) {
	for i := range len(p) {
		if p[i] == '/' {
			if other, clash = s.addOne(p[:i], true); clash {
				return other, true
			}
		}
	}
	return s.addOne(p, folder)
}

func (s *pathSet) addOne(p string, folder bool) (string, bool) {
	key := s.key(p)
	old, ok := s.seen[key]
	if !ok {
		s.seen[key] = seenPath{p, folder}
		return "", false
	}
	return old.path, !folder || !old.folder || old.path != p
}

// key is a path as the most forgiving file systems compare it: canonical
// caseless matching, definition D145 of the Unicode Standard.
func (s *pathSet) key(p string) string {
	for i := range len(p) {
		if p[i] >= utf8.RuneSelf {
			return norm.NFD.String(s.fold.String(norm.NFD.String(p)))
		}
	}
	return strings.ToLower(p)
}

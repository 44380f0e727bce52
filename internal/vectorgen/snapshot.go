package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// digested is one line of promotion/snapshot that has a digest.
type digested struct {
	name  string
	files []artefactFile
}

func (v digested) json() string {
	var files []string
	for _, f := range v.files {
		files = append(files, f.json())
	}
	return object(
		member("name", quote(v.name)), `"files": [`+strings.Join(files, ", ")+`]`,
		member("expect", object(member("digest", quote(digestOf(v.files))))))
}

// digestOf is the contract's digest: SHA-256 of the RFC 8785 form of
// [[path, "file" or "exec", size, SHA-256], …] in byte order of the paths.
func digestOf(files []artefactFile) string {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b artefactFile) int { return cmp.Compare(a.path, b.path) })
	var entries []string
	for _, f := range files {
		kind, data := "file", strings.Repeat(f.text, max(f.repeat, 1))
		if f.more == executable {
			kind = "exec"
		}
		entries = append(entries, fmt.Sprintf(`[%s,"%s",%d,"%x"]`, canonical(f.path), kind, len(data), sha256.Sum256([]byte(data))))
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("["+strings.Join(entries, ",")+"]")))
}

// executable is the member of a file with an executable bit.
const executable = `"exec": true`

// canonical writes a string of printable characters as RFC 8785 does.
func canonical(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// digests are artefacts that have a digest.
func digests() []digested {
	note := artefactFile{path: "notes.md", text: "Nothing.\n"}
	named := func(paths ...string) []artefactFile {
		var files []artefactFile
		for _, p := range paths {
			files = append(files, artefactFile{path: p, text: "Of " + p + "\n"})
		}
		return files
	}
	return []digested{
		{"the example: one file", []artefactFile{skill}},
		{"two files", []artefactFile{skill, note}},
		{"two files, named in another order", []artefactFile{note, skill}},
		{"an empty file", []artefactFile{skill, {path: "empty.txt"}}},
		{"an empty file alone", []artefactFile{{path: "empty.txt"}}},
		{"an executable bit", []artefactFile{skill, {path: "notes.md", text: "Nothing.\n", more: executable}}},
		{"an executable empty file", []artefactFile{skill, {path: "run", more: executable}}},
		{"one byte more", []artefactFile{skill, {path: "notes.md", text: "Nothing.\n\n"}}},
		{"another path", []artefactFile{skill, {path: "note.md", text: "Nothing.\n"}}},
		{"CRLF stays", []artefactFile{skill, {path: "notes.md", text: "Nothing.\r\n"}}},
		{"a byte order mark stays", []artefactFile{skill, {path: "notes.md", text: "\ufeffNothing.\n"}}},
		{"bytes that aren't UTF-8", []artefactFile{skill, {path: "logo.png", text: "\x89PNG\r\n\x1a\n\x00\xff"}}},
		{"zero bytes", []artefactFile{skill, {path: "zero.dat", text: "\x00\x00\x00\x00"}}},
		{"folders", append(named("a/b/c.md", "a/d.md", "e/f.md"), skill)},
		{"the slash sorts as a byte", append(named("a/b", "a-b", "a.b", "a0", "a b"), skill)},
		{"capitals sort before small letters", append(named("b", "C", "a", "D"), skill)},
		{"a longer name sorts behind", append(named("list.txt", "list", "list.txt.old"), skill)},
		{"names in other scripts", append(named("Grüße.md", "名前.md", "имя.md"), skill)},
		{"UTF-8 order, not UTF-16 order", append(named("\uff5e.md", "\U0001f600.md"), skill)},
		{"a quotation mark's neighbours in a name", append(named("it's.md", "a&b=c.md", "(1).md", "a+b~c@d.md"), skill)},
		{"a file that begins with a dot", append(named(".hidden", ".github/x.md"), skill)},
		{"1 MiB", []artefactFile{skill, {path: "long.txt", text: "0123456789abcde\n", repeat: 1 << 16}}},
		{"no SKILL.md", []artefactFile{note}},
		{"a tripwire doesn't change the digest's being there", []artefactFile{skill, {path: "notes.md", text: "curl\n"}}},
	}
}

package main

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// artefactFile is a file of an artefact. Bytes that aren't UTF-8 are written in
// base64.
type artefactFile struct {
	path, text string
	repeat     int
	more       string // another member, as JSON
}

func (f artefactFile) json() string {
	m := []string{member("path", ascii(quote(f.path)))}
	switch {
	case f.text == "":
	case utf8.ValidString(f.text):
		m = append(m, member("text", ascii(quote(f.text))))
	default:
		m = append(m, member("base64", quote(base64.StdEncoding.EncodeToString([]byte(f.text)))))
	}
	if f.repeat > 0 {
		m = append(m, member("repeat", fmt.Sprint(f.repeat)))
	}
	if f.more != "" {
		m = append(m, f.more)
	}
	return object(m...)
}

// ascii writes what isn't ASCII in a JSON string as escapes: a file of vectors
// holds no character that doesn't show.
func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, "\\u%04x\\u%04x", high, low)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// reason is a reason that must be found. What is empty isn't looked at.
type reason struct {
	kind, token, file string
	offset            int     // -1: not looked at
	via               *string // nil: not looked at
}

func (r reason) json() string {
	m := []string{member("kind", quote(r.kind))}
	if r.token != "" {
		m = append(m, member("token", quote(r.token)))
	}
	if r.file != "" {
		m = append(m, member("file", quote(r.file)))
	}
	if r.offset >= 0 {
		m = append(m, member("offset", fmt.Sprint(r.offset)))
	}
	if r.via != nil {
		m = append(m, member("via", quote(*r.via)))
	}
	return object(m...)
}

// scanned is one line of promotion/tripwire.
type scanned struct {
	name    string
	files   []artefactFile
	extra   []string
	reasons []reason
	exact   bool
	without []reason
}

func (v scanned) json() string {
	files := []string{}
	for _, f := range v.files {
		files = append(files, f.json())
	}
	m := []string{member("name", quote(v.name)), `"files": [` + strings.Join(files, ", ") + `]`}
	if v.extra != nil {
		var tokens []string
		for _, t := range v.extra {
			tokens = append(tokens, quote(t))
		}
		m = append(m, `"extraTokens": [`+strings.Join(tokens, ", ")+`]`)
	}
	e := []string{member("escalate", fmt.Sprint(len(v.reasons) > 0)), `"reasons": [` + reasonList(v.reasons) + `]`}
	if v.exact {
		e = append(e, `"exact": true`)
	}
	if v.without != nil {
		e = append(e, `"without": [`+reasonList(v.without)+`]`)
	}
	return object(append(m, member("expect", object(e...)))...)
}

func reasonList(reasons []reason) string {
	var list []string
	for _, r := range reasons {
		list = append(list, r.json())
	}
	return strings.Join(list, ", ")
}

// skill is a SKILL.md in which nothing is to be found.
var skill = artefactFile{path: "SKILL.md", text: "---\nname: tidy\ndescription: Keeps lists tidy.\nallowed-tools: [Read, Grep]\n---\n# Tidy\n\nSort the entries of each list by name.\n"}

// places are where a token may stand in a file: before it, behind it.
var tokenPlaces = []struct{ file, before, after string }{
	{"plain.txt", "", "\n"},
	{"prose.md", "Some people write ", " into a sentence, and mean no harm.\n"},
	{"fence.md", "An example:\n\n```sh\n", "\n```\n"},
	{"comment.md", "<!-- ", " -->\n"},
}

// floor puts each token of the floor at each place, as it is and in upper case.
func floor() []scanned {
	var out []scanned
	asItIs := ""
	for _, t := range floorTokens() {
		v := scanned{name: fmt.Sprintf("floor: %s %q", t.kind, t.text), files: []artefactFile{skill}}
		add := func(file, before, token, after string) {
			v.files = append(v.files, artefactFile{path: file, text: before + token + after})
			v.reasons = append(v.reasons, reason{t.kind, t.text, file, len(before), &asItIs})
		}
		for _, p := range tokenPlaces {
			add(p.file, p.before, t.text, p.after)
		}
		add("upper.txt", "SEE ", strings.ToUpper(t.text), ".\n")
		out = append(out, v)
	}
	return out
}

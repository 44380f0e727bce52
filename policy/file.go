package policy

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

// Problem is one thing wrong in a policy file, or worth a warning: where, a
// code for programs and a message for people.
type Problem = source.Problem

// Pos is a place in a file: line and column (in characters), from 1.
type Pos = source.Pos

// Error is the error of [Parse]: every problem that was found.
type Error struct {
	File     string
	Problems []Problem
}

// Error lists the problems, a line each, as file:line:col: message.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = e.File + ":" + p.Error()
	}
	return strings.Join(lines, "\n")
}

// File is a policy file that was read and compiled. It is immutable and safe
// for concurrent use.
type File struct {
	Name        string // as given to Parse
	Gate        string
	Kind        string
	Description string
	// Digest identifies what the file says: "sha256:" and the hexadecimal
	// SHA-256 of a manifest, the RFC 8785 form of {"files": {…}, "policy": …}.
	// Policy is the file's content without its tests; files names every file
	// that it refers to, with the SHA-256 of its bytes (none for a threshold
	// policy; what only tests refer to doesn't count). Comments, order of
	// members and layout don't change it.
	Digest string
	// Queue is where people find what a threshold gate leaves to them: the gate's
	// name unless the file says otherwise. It is empty for other kinds, whose
	// results name their queue.
	Queue string
	// Review is what the file says about reviewing.
	Review Review
	// TwoPeople is whether loosening the gate takes a second person; true unless
	// the file says otherwise or automates nothing.
	TwoPeople bool
	// Shadow is whether decisions are only recorded beside the caller's own.
	Shadow bool
	// Ramp is which share of the otherwise automatic decisions stays automatic,
	// of FullRamp.
	Ramp int
	// Threshold is the gate of a file of kind threshold, else nil.
	Threshold *Threshold
	// Case is the gate of a file of kind case, else nil.
	Case *Case
	// Promotion is the gate of a file of kind promotion, else nil.
	Promotion *Promotion

	root    *source.Node
	source  []byte
	files   map[string][]byte // those that it refers to, by name
	counted map[string][]byte // those of them that count in the digest
}

// The kinds of policies that this version reads.
const (
	KindThreshold = "threshold"
	KindCase      = "case"
	KindPromotion = "promotion"
)

var gatePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,127}$`)

// Parse reads a policy file that refers to no other. The name decides the
// language (.json is JSON, everything else YAML) and stands in messages. The
// error is an *[Error] with all problems.
func Parse(name string, src []byte) (*File, error) { return ParseFiles(name, src, nil) }

// ParseFiles is Parse for a policy file that may refer to others, which it
// finds in files: the folder in which it stands. With nil, a reference is an
// error.
func ParseFiles(name string, src []byte, files fs.FS) (*File, error) {
	parse := source.ParseYAML
	if strings.EqualFold(path.Ext(name), ".json") {
		parse = source.ParseJSON
	}
	root, problems := parse(src)
	if root == nil {
		return nil, &Error{File: name, Problems: problems}
	}
	r := &reader{root: root, files: files}
	f := &File{Name: name, root: root, source: bytes.Clone(src)}
	f.read(r)
	if len(r.problems) > 0 {
		source.SortProblems(r.problems)
		return nil, &Error{File: name, Problems: r.problems}
	}
	return f, nil
}

// keys that every kind of policy has.
var commonKeys = append([]string{"pawl", "gate", "kind", "description", "tests"}, bindingKeys...)

// Source returns the bytes that the file was made of, its tests with them. With
// [File.Files] they make the same file again.
func (f *File) Source() []byte { return bytes.Clone(f.source) }

// Files returns what the files say to which the policy refers, by the names that
// it uses. Those of its tests are among them, though they don't count in the
// digest: without them it couldn't be read again.
func (f *File) Files() map[string][]byte {
	files := make(map[string][]byte, len(f.files))
	for name, text := range f.files {
		files[name] = bytes.Clone(text)
	}
	return files
}

func (f *File) read(r *reader) {
	if !r.is(r.root, source.Object, "a policy") {
		return
	}
	r.required(r.root, "pawl", "gate", "kind")
	if n := r.root.Get("pawl"); n != nil && r.is(n, source.String, "pawl") && n.Text != "v1" {
		r.problem(n.Pos, "version", "this program reads policies of version v1, not %q", n.Text)
	}
	if n := r.root.Get("gate"); n != nil && r.is(n, source.String, "gate") {
		f.Gate = n.Text
		if !gatePattern.MatchString(n.Text) {
			r.problem(n.Pos, "name", "%q isn't a gate's name (letters, digits, _ and -, at most 128)", n.Text)
		}
	}
	if n := r.root.Get("description"); n != nil && r.is(n, source.String, "description") {
		f.Description = n.Text
	}
	if n := r.root.Get("kind"); n != nil && r.is(n, source.String, "kind") {
		f.Kind = n.Text
		switch n.Text {
		case KindThreshold:
			f.Threshold = readThreshold(r)
		case KindCase:
			f.Case = readCase(r)
		case KindPromotion:
			f.Promotion = readPromotion(r)
		default:
			r.problem(n.Pos, "kind", "%q isn't a kind of policy: use threshold, case or promotion", n.Text)
		}
	}
	f.binding(r)
	if len(r.problems) > 0 {
		return
	}
	f.files, f.counted = r.read, r.referred
	digest, err := digest(r.root, r.referred)
	if err != nil {
		r.problem(r.root.Pos, "digest", "%v", err)
		return
	}
	f.Digest = digest
	prefix := fmt.Appendf(nil, `"gate":%q,"policy":%q,"engine":%q,"result":`, f.Gate, f.Digest, Engine)
	if f.Threshold != nil {
		f.Threshold.prefix = prefix
	}
	if f.Case != nil {
		f.Case.prefix = prefix
	}
	if f.Promotion != nil {
		f.Promotion.prefix = prefix
	}
}

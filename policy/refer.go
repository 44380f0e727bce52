package policy

import (
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

// refer reads a file that the policy names: a path relative to the policy,
// with slashes and without "..". It complains if that can't be done.
func (r *reader) refer(n *source.Node, what string) (text []byte, ok bool) {
	name := n.Text
	switch {
	case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, `\:`):
		r.problem(n.Pos, "file", "%q isn't a file beside the policy: write its path from there, with slashes and without ..", name)
		return nil, false
	case r.files == nil:
		r.problem(n.Pos, "file", "%s is the file %s, but a policy that is read alone can't refer to files", what, name)
		return nil, false
	}
	info, err := fs.Stat(r.files, name)
	switch {
	case err != nil:
		r.problem(n.Pos, "file", "%s can't be read: %s", name, plainError(err))
		return nil, false
	case !info.Mode().IsRegular():
		r.problem(n.Pos, "file", "%s isn't a file", name)
		return nil, false
	}
	text, err = readLimited(r.files, name)
	switch {
	case err != nil:
		r.problem(n.Pos, "file", "%s can't be read: %s", name, plainError(err))
		return nil, false
	case len(text) > source.MaxBytes:
		r.problem(n.Pos, "file", "%s has more than %d bytes, which are allowed", name, source.MaxBytes)
		return nil, false
	}
	if r.read == nil {
		r.read = map[string][]byte{}
	}
	r.read[name] = text
	return text, true
}

// readLimited reads a file up to one byte more than it may have.
func readLimited(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, source.MaxBytes+1))
}

// plainError is an error without the path, which depends on where the policy
// stands.
func plainError(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	return err.Error()
}

// digested notes that what a file says is part of the policy.
func (r *reader) digested(name string, text []byte) {
	if r.referred == nil {
		r.referred = map[string][]byte{}
	}
	r.referred[name] = text
}

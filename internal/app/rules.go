package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/review"
)

// defaultExecutor may redeem where a policy names no executors.
const defaultExecutor = "local"

// compiled is one version of a gate's policy, ready to decide.
type compiled struct {
	file  *policy.File
	ref   review.PolicyRef
	rules review.Rules
}

// rulesOf puts what a policy says about reviewing into the words of review.
func rulesOf(p *policy.Review) review.Rules {
	r := review.Rules{
		Needed: p.Approvals, Rejections: p.Rejections, CountAsserted: p.CountAsserted,
		Lease: p.Lease, Deadline: p.Deadline, PermitLife: p.PermitLife,
		Editable: p.Editable, Schema: p.ActionSchema,
		Audience: p.Executors, JoinSameAction: p.JoinSameAction,
	}
	for _, s := range p.Escalate {
		r.Escalate = append(r.Escalate, review.Step{After: s.After, To: s.To})
	}
	if len(p.Reasons) > 0 {
		r.Reasons = map[review.Kind][]string{}
		for act, codes := range p.Reasons {
			r.Reasons[review.Kind(act)] = codes
		}
	}
	if len(r.Audience) == 0 {
		r.Audience = []string{defaultExecutor}
	}
	return r
}

// errUnreadable is a kept policy that this engine can't read any more.
var errUnreadable = errors.New("unreadable policy")

func compile(p *store.Policy) (*compiled, error) {
	f, err := policy.ParseFiles(p.Name, p.Source, texts(p.Files))
	if err != nil {
		return nil, fmt.Errorf("version %d of the policy of gate %s can't be read any more: %w: %w", p.Version, p.Gate, errUnreadable, err)
	}
	if f.Digest != p.Digest || f.Gate != p.Gate {
		return nil, fmt.Errorf("version %d of the policy of gate %s isn't what was added: its digest is %s, not %s: %w", p.Version, p.Gate, f.Digest, p.Digest, errUnreadable)
	}
	return &compiled{file: f, ref: review.PolicyRef{Version: p.Version, Digest: p.Digest}, rules: rulesOf(&f.Review)}, nil
}

// policies keeps compiled versions. A version never changes.
type policies struct{ m sync.Map }

type versionKey struct {
	gate    string
	version int64
}

// of returns a version, which must be the one with that digest.
func (c *policies) of(tx *store.Tx, gate string, ref review.PolicyRef) (*compiled, error) {
	k := versionKey{gate, ref.Version}
	if v, ok := c.m.Load(k); ok {
		if p := v.(*compiled); p.ref == ref {
			return p, nil
		}
	}
	row, err := tx.Policy(gate, ref.Version)
	if err != nil {
		return nil, fmt.Errorf("version %d of the policy of gate %s: %w", ref.Version, gate, err)
	}
	p, err := compile(row)
	if err != nil {
		return nil, err
	}
	if p.ref != ref {
		return nil, fmt.Errorf("version %d of the policy of gate %s has the digest %s, not %s", ref.Version, gate, p.ref.Digest, ref.Digest)
	}
	c.m.Store(k, p)
	return p, nil
}

// texts are files by name, as a folder.
type texts map[string][]byte

// Open opens one of the files.
func (t texts) Open(name string) (fs.File, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &textFile{Reader: bytes.NewReader(text), name: name}, nil
}

type textFile struct {
	*bytes.Reader
	name string
}

func (f *textFile) Close() error               { return nil }
func (f *textFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *textFile) Name() string               { return f.name }
func (f *textFile) Mode() fs.FileMode          { return 0o444 }
func (f *textFile) ModTime() time.Time         { return time.Time{} }
func (f *textFile) IsDir() bool                { return false }
func (f *textFile) Sys() any                   { return nil }

// notFound makes the store's answer the caller's.
func notFound(err error, format string, args ...any) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: %s", ErrNotFound, fmt.Sprintf(format, args...))
	}
	return err
}

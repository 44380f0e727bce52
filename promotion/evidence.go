package promotion

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawlgate/pawl/internal/source"
)

// What evidence is made of: an in-toto statement in a DSSE envelope.
const (
	// EvidencePayload is the envelope's payload type.
	EvidencePayload = "application/vnd.in-toto+json"
	// EvidenceStatement is the statement's type.
	EvidenceStatement = "https://in-toto.io/Statement/v1"
	// EvidencePredicate is the type of the statement's predicate.
	EvidencePredicate = "https://pawl.dev/promotion-evidence/v1"
)

// Evidence is what somebody who holds an evidence key says of one snapshot. The
// zero value says nothing.
type Evidence struct {
	Inputs  Inputs    // without a tripwire: whoever decides runs the own one
	Fault   string    // why it doesn't count; all else but Malformed is zero then
	Digest  string    // of the snapshot for which it counts: "sha256:" and 64 hexadecimal digits
	Key     string    // the ID of the key that signed it
	Expires time.Time // it counted only before
	// Malformed says that it doesn't count since it isn't an envelope with a
	// statement at all: somebody handed over the wrong file, or broke it.
	Malformed bool
}

// Statement is the content of evidence, which anybody can write: whether it
// counts is another question.
type Statement struct {
	Subjects []Subject // at least one
	Expires  time.Time
	Inputs   Inputs // what isn't said is zero, and there is no tripwire
}

// Subject is a snapshot that a statement is about.
type Subject struct {
	Name   string // for people
	Digest string // "sha256:" and 64 hexadecimal digits
}

// About reports whether the statement is about the snapshot.
func (s *Statement) About(digest string) bool {
	return slices.ContainsFunc(s.Subjects, func(subject Subject) bool { return subject.Digest == digest })
}

// Digests lists the digests of the subjects, for messages.
func (s *Statement) Digests() string {
	list := make([]string, len(s.Subjects))
	for i, subject := range s.Subjects {
		list[i] = subject.Digest
	}
	return strings.Join(list, ", ")
}

// ErrForeignStatement is wrapped by the error of a statement that is of another
// type, and may be a valid one of that.
var ErrForeignStatement = errors.New("it is no evidence for a promotion")

var sha256Pattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// ParseStatement reads a statement strictly: a member that nobody knows or that
// stands there twice, and a value of another type than it should have, are
// errors. So is a tripwire: no evidence can stand for a scan. Only subject and
// expires must be there; whatever else isn't said counts as failing.
func ParseStatement(payload []byte) (*Statement, error) {
	if len(payload) > source.MaxBytes {
		return nil, fmt.Errorf("the statement has more than %d bytes, which are allowed", source.MaxBytes)
	}
	root, err := source.ReadJSON(payload)
	if err != nil {
		return nil, fmt.Errorf("the statement isn't valid JSON: %w", err)
	}
	if root.Kind != source.Object {
		return nil, fmt.Errorf("the statement must be an object, not %s", root.Kind)
	}
	for _, t := range []struct{ key, want string }{{"_type", EvidenceStatement}, {"predicateType", EvidencePredicate}} {
		got, err := root.TextOf(t.key)
		switch {
		case err != nil:
			return nil, err
		case got != t.want:
			return nil, fmt.Errorf("%w: %s is %q, not %q", ErrForeignStatement, t.key, got, t.want)
		}
	}
	if err := root.Only("the statement", "_type", "subject", "predicateType", "predicate"); err != nil {
		return nil, err
	}
	s := &Statement{}
	if s.Subjects, err = subjectsOf(root.Get("subject")); err != nil {
		return nil, err
	}
	predicate := root.Get("predicate")
	if predicate == nil || predicate.Kind != source.Object {
		return nil, errors.New("predicate must be an object")
	}
	if s.Expires, err = expiresOf(predicate); err != nil {
		return nil, err
	}
	if predicate.Get("tripwire") != nil {
		return nil, errors.New("predicate can't hold a tripwire: whoever decides scans the artefact")
	}
	said := *predicate
	said.Members = slices.DeleteFunc(slices.Clone(predicate.Members), func(m source.Member) bool { return m.Key == "expires" })
	if s.Inputs, err = InputsOf(&said); err != nil {
		return nil, fmt.Errorf("predicate: %w", err)
	}
	return s, nil
}

func subjectsOf(n *source.Node) ([]Subject, error) {
	if n == nil || n.Kind != source.List || len(n.Items) == 0 {
		return nil, errors.New("subject must be a list of at least one snapshot")
	}
	var subjects []Subject
	for _, item := range n.Items {
		if err := item.Only("a subject", "name", "digest"); err != nil {
			return nil, err
		}
		var subject Subject
		if item.Get("name") != nil {
			name, err := item.TextOf("name")
			if err != nil {
				return nil, fmt.Errorf("a subject's %w", err)
			}
			subject.Name = name
		}
		digest := item.Get("digest")
		if digest == nil || digest.Kind != source.Object {
			return nil, errors.New("a subject's digest must be an object with sha256")
		}
		if err := digest.Only("a subject's digest", "sha256"); err != nil {
			return nil, err
		}
		sum, err := digest.TextOf("sha256")
		switch {
		case err != nil:
			return nil, fmt.Errorf("a subject's digest: %w", err)
		case !sha256Pattern.MatchString(sum):
			return nil, fmt.Errorf("a subject's sha256 must be 64 lower-case hexadecimal digits, not %q", sum)
		}
		subject.Digest = "sha256:" + sum
		subjects = append(subjects, subject)
	}
	return subjects, nil
}

func expiresOf(predicate *source.Node) (time.Time, error) {
	text, err := predicate.TextOf("expires")
	if err != nil {
		return time.Time{}, fmt.Errorf("predicate: %w", err)
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || !rfc3339.MatchString(text) {
		return time.Time{}, fmt.Errorf("predicate: expires must be a time as in RFC 3339, with its zone, not %q", text)
	}
	return t, nil
}

// rfc3339 is stricter than time.Parse, which takes a comma for the point, and an
// hour of one digit.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$`)

package promotion

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// ScanOptions are what a policy says about the tripwire.
type ScanOptions struct {
	Catalogue   *Catalogue // the universe of tools; nil: the shipped one
	Promotable  []string   // what an artefact may declare at most; nil: whatever it declares
	ExtraTokens []string   // added to the floor
}

// Bounds on the caller's tokens: the automaton takes some hundred bytes of
// memory for each byte of a token.
const (
	// maxTokenBytes is how long an extra token may be.
	maxTokenBytes = 256
	// maxExtraBytes is how long all extra tokens together may be.
	maxExtraBytes = 64 << 10
)

// Scanner is a compiled tripwire. It is immutable and safe for concurrent use.
// One that [NewScanner] didn't make raises on everything.
type Scanner struct {
	denylist   *matcher
	catalogue  *Catalogue
	promotable []string
}

// ScanResult is what a scan says of an artefact.
type ScanResult struct {
	Tripwire TripwireResult
	// Irreversible are the tools, sorted, that the artefact declares or names
	// and whose effects can't be taken back.
	Irreversible []string
}

// NewScanner compiles a tripwire. The error names each extra token that can't
// be one by its place in the list, from 0: one that is empty or only blank
// (which would be found everywhere), holds a control character, isn't UTF-8, or
// is too long. It never repeats the token, which may be a secret. A short token
// is taken as it is, and found often.
func NewScanner(o ScanOptions) (*Scanner, error) {
	if err := checkExtra(o.ExtraTokens); err != nil {
		return nil, err
	}
	tokens := Floor()
	for _, text := range o.ExtraTokens {
		tokens = append(tokens, Token{Text: text, Kind: KindExtra, Why: "one of the caller's own tokens"})
	}
	denylist, err := newMatcher(tokens)
	if err != nil {
		return nil, err
	}
	s := &Scanner{denylist: denylist, catalogue: o.Catalogue, promotable: slices.Clone(o.Promotable)}
	if s.catalogue == nil {
		s.catalogue = DefaultCatalogue()
	}
	return s, nil
}

// checkExtra reports all extra tokens that can't be used.
func checkExtra(extra []string) error {
	var problems []error
	total := 0
	for i, token := range extra {
		total += len(token)
		if why := unusable(token); why != "" {
			problems = append(problems, fmt.Errorf("extra token %d %s", i, why))
		}
	}
	if total > maxExtraBytes {
		problems = append(problems, fmt.Errorf("the extra tokens have %d bytes, more than %d together", total, maxExtraBytes))
	}
	return errors.Join(problems...)
}

func unusable(token string) string {
	switch {
	case !utf8.ValidString(token):
		return "isn't UTF-8"
	case strings.TrimSpace(visible(norm.NFKC.String(token))) == "":
		return "is empty or blank: it would be found everywhere"
	case strings.ContainsFunc(token, unicode.IsControl):
		return "holds a control character"
	case len(token) > maxTokenBytes || len(norm.NFKC.String(token)) > maxTokenBytes:
		return fmt.Sprintf("has more than %d bytes", maxTokenBytes)
	}
	return ""
}

// Scan looks through an artefact. It never fails: a part that can't be done is
// a finding of [KindScanFailed], and what the others found stays. Memory is
// bounded whatever the artefact says: [MaxReasons] findings are kept, the first
// of each kind and then the first by file, offset, kind and token, and about as
// many as there are others are counted (one that two views of a text show may
// count twice among them).
func (s *Scanner) Scan(a *Artefact) ScanResult {
	if a == nil {
		a = &Artefact{Findings: []Finding{failed("", "the artefact", "there is none")}}
	}
	r := newReport()
	r.add(a.Findings...)
	decl := s.declared(a, r)
	for _, f := range a.Files {
		s.file(f, decl.baseline, r)
	}
	return r.result()
}

// declared reads what the artefact declares; nothing, if that fails.
func (s *Scanner) declared(a *Artefact, r *report) (d declaration) {
	r.guard("", "the declaration", func() {
		got := declarationOf(a, s.catalogue, s.promotable)
		r.add(got.findings...)
		r.irreversible(got.irreversible)
		d = got
	})
	return d
}

// file looks through one file, each part for itself.
func (s *Scanner) file(f File, baseline []string, r *report) {
	for _, part := range s.parts(f, baseline, r) {
		r.guard(f.Path, part.name, part.scan)
	}
	r.settle(false)
}

// part is one of the things that a file is looked through for.
type part struct {
	name string
	scan func()
}

func (s *Scanner) parts(f File, baseline []string, r *report) []part {
	return []part{
		{"the shape", func() { r.add(shapeOf(f)...) }},
		{"the repositories", func() { r.add(repositoryOf(f)...) }},
		{"the denylist", func() {
			if s.denylist == nil {
				panic("the scanner wasn't made by NewScanner")
			}
			h := hits{ranks: s.denylist.ranks}
			// What was found before a failure stays.
			defer func() { r.addHits(f, s.denylist, &h) }()
			scanViews(f.Data, s.denylist, &h)
		}},
		{"hidden text", func() {
			found, more := hiddenIn(f)
			r.add(found...)
			r.omitted += more
		}},
		{"tools", func() {
			found, irreversible := drift(f, s.catalogue, baseline)
			r.add(found...)
			r.irreversible(irreversible)
		}},
	}
}

// report gathers the findings of a scan.
type report struct {
	findings []Finding
	omitted  int
	tools    map[string]bool
}

func newReport() *report { return &report{tools: map[string]bool{}} }

func (r *report) add(f ...Finding) { r.findings = append(r.findings, f...) }

func (r *report) irreversible(tools []string) {
	for _, t := range tools {
		r.tools[t] = true
	}
}

// guard runs a part of the scan. If it panics, that is a finding.
func (r *report) guard(file, name string, scan func()) {
	defer func() {
		if p := recover(); p != nil {
			r.add(failed(file, name, fmt.Sprint(p)))
		}
	}()
	scan()
}

func failed(file, part, why string) Finding {
	return Finding{Kind: KindScanFailed, File: file, Offset: -1, Detail: fmt.Sprintf("the scan of %s failed: %s", part, why)}
}

// settle sorts what was found and keeps the first of each kind and then the
// first of all: many of one kind don't hide that there are others. Unless it is
// the end, it does so not before there are twice as many as are kept.
func (r *report) settle(end bool) {
	if !end && len(r.findings) < 2*MaxReasons {
		return
	}
	slices.SortStableFunc(r.findings, inOrder)
	more := len(r.findings) - MaxReasons
	if more <= 0 {
		return
	}
	first := map[Kind]int{}
	for i, f := range r.findings {
		if _, known := kindRanks[f.Kind]; !known { // an artefact can be made by hand
			continue
		}
		if _, ok := first[f.Kind]; !ok {
			first[f.Kind] = i
		}
	}
	kept, others := r.findings[:0], MaxReasons-len(first)
	for i, f := range r.findings {
		if at, ok := first[f.Kind]; !ok || at != i {
			if others == 0 {
				continue
			}
			others--
		}
		kept = append(kept, f)
	}
	clear(r.findings[len(kept):])
	r.findings = kept
	r.omitted += more
}

// inOrder is the order of findings: file, offset, kind, token, and whatever
// else tells them apart.
func inOrder(a, b Finding) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Offset, b.Offset); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(kindRank(a.Kind), kindRank(b.Kind)),
		strings.Compare(a.Token, b.Token),
		cmp.Compare(a.Length, b.Length),
		strings.Compare(a.Via, b.Via),
		strings.Compare(a.Detail, b.Detail),
	)
}

var kindRanks = func() map[Kind]int {
	ranks := map[Kind]int{}
	for i, k := range Kinds() {
		ranks[k] = i
	}
	return ranks
}()

// kindRank is a kind's place in [Kinds], after all others if it has none.
func kindRank(k Kind) int {
	if rank, ok := kindRanks[k]; ok {
		return rank
	}
	return len(kindRanks)
}

func (r *report) result() ScanResult {
	r.settle(true)
	var tools []string
	for t := range r.tools {
		tools = append(tools, t)
	}
	slices.Sort(tools)
	return ScanResult{
		Tripwire:     TripwireResult{Escalate: len(r.findings)+r.omitted > 0, Reasons: r.findings, Omitted: r.omitted},
		Irreversible: tools,
	}
}

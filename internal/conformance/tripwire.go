package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/vectors"
)

// tripwireAnswer is the line out for an artefact that is to be scanned.
type tripwireAnswer struct {
	ID           string           `json:"id"`
	Escalate     bool             `json:"escalate"`
	Reasons      []vectors.Reason `json:"reasons"`
	Irreversible []string         `json:"irreversible"`
	Invalid      bool             `json:"invalid,omitempty"`
}

// TripwireItems makes items of the vectors of the tripwire.
func TripwireItems(all []vectors.TripwireVector) ([]Item, error) {
	var items []Item
	for i := range all {
		v := &all[i]
		question := map[string]any{"files": v.Files}
		if v.Tools != nil {
			question["tools"] = v.Tools
		}
		if v.Promotable != nil {
			question["promotable"] = v.Promotable
		}
		if v.ExtraTokens != nil {
			question["extraTokens"] = v.ExtraTokens
		}
		item, err := newItem(v.ID(), v.File, "tripwire", question, func(a *tripwireAnswer) []string { return checkTripwire(v, a) })
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

func checkTripwire(v *vectors.TripwireVector, a *tripwireAnswer) []string {
	var d differences
	if d.compare("the answer's id", a.ID, v.ID()); len(d) > 0 {
		return d
	}
	d.compare("invalid", a.Invalid, v.Expect.Invalid)
	given(&d, "escalate", &a.Escalate, v.Expect.Escalate)
	found := func(want vectors.Reason) bool {
		return slices.ContainsFunc(a.Reasons, func(got vectors.Reason) bool { return fits(got, want) })
	}
	for _, want := range v.Expect.Reasons {
		if !found(want) {
			d = append(d, "not found: "+describe(want))
		}
	}
	for _, not := range v.Expect.Without {
		if found(not) {
			d = append(d, "found, and shouldn't be: "+describe(not))
		}
	}
	if v.Expect.Exact {
		for _, got := range a.Reasons {
			if !slices.ContainsFunc(v.Expect.Reasons, func(want vectors.Reason) bool { return fits(got, want) }) {
				d = append(d, "found, and not expected: "+describe(got))
			}
		}
	}
	if v.Expect.Irreversible != nil {
		d.compare("irreversible", strings.Join(a.Irreversible, ", "), strings.Join(v.Expect.Irreversible, ", "))
	}
	return d
}

// fits reports whether a reason is as expected, as far as that says.
func fits(got, want vectors.Reason) bool {
	return got.Kind == want.Kind && agrees(got.Token, want.Token) && agrees(got.File, want.File) &&
		agrees(got.Offset, want.Offset) && agrees(got.Via, want.Via)
}

// agrees reports whether a member is as expected. One that was left out of an
// answer is its zero value.
func agrees[V comparable](got, want *V) bool {
	var is V
	if got != nil {
		is = *got
	}
	return want == nil || is == *want
}

func describe(r vectors.Reason) string {
	s := r.Kind
	if r.Token != nil {
		s += fmt.Sprintf(" %q", *r.Token)
	}
	if r.File != nil {
		s += " in " + *r.File
	}
	if r.Offset != nil {
		s += fmt.Sprintf(" at %d", *r.Offset)
	}
	if r.Via != nil && *r.Via != "" {
		s += " via " + *r.Via
	}
	return s
}

// answerTripwire answers {"id", "tripwire": {"files", "tools"?, "promotable"?,
// "extraTokens"?}}.
func answerTripwire(root *source.Node) ([]byte, error) {
	id, n, err := theOne(root, "tripwire")
	if err != nil {
		return nil, err
	}
	var files []vectors.ArtefactFile
	var opt promotion.ScanOptions
	invalid := false
	for _, m := range n.Members {
		switch m.Key {
		case "files":
			files, err = artefactFiles(m.Value)
		case "tools":
			var problems []source.Problem
			opt.Catalogue, problems = promotion.ParseCatalogue(m.Value.AppendJSON(nil))
			invalid = invalid || slices.ContainsFunc(problems, func(p source.Problem) bool { return !p.Warning })
		case "promotable":
			opt.Promotable, err = stringList(m)
		case "extraTokens":
			opt.ExtraTokens, err = stringList(m)
		default:
			err = fmt.Errorf("unknown member %.64q", m.Key)
		}
		if err != nil {
			return nil, fmt.Errorf("tripwire: %w", err)
		}
	}
	if n.Get("files") == nil {
		return nil, errors.New("tripwire: files are missing")
	}
	a := tripwireAnswer{ID: id, Reasons: []vectors.Reason{}, Irreversible: []string{}}
	scanner, err := scannerOf(opt)
	if invalid || err != nil {
		a.Invalid, a.Escalate = true, true
		return appendSaid(a)
	}
	r := scanner.Scan(artefactOf(files))
	a.Escalate = r.Tripwire.Raised()
	a.Irreversible = append(a.Irreversible, r.Irreversible...)
	for _, f := range r.Tripwire.Reasons {
		reason := vectors.Reason{Kind: string(f.Kind), Via: &f.Via}
		if f.Token != "" {
			reason.Token = &f.Token
		}
		if f.File != "" {
			reason.File = &f.File
		}
		if f.Offset >= 0 {
			reason.Offset = &f.Offset
		}
		a.Reasons = append(a.Reasons, reason)
	}
	return appendSaid(a)
}

// plainScanner is the scanner that nearly all questions want. Compiling one
// takes longer than scanning a skill.
var plainScanner = sync.OnceValues(func() (*promotion.Scanner, error) { return promotion.NewScanner(promotion.ScanOptions{}) })

func scannerOf(o promotion.ScanOptions) (*promotion.Scanner, error) {
	if o.Catalogue == nil && o.Promotable == nil && len(o.ExtraTokens) == 0 {
		return plainScanner()
	}
	return promotion.NewScanner(o)
}

package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
)

// Promotion is the gate of a policy file of kind promotion. It is immutable and
// safe for concurrent use.
type Promotion struct {
	scanOptions promotion.ScanOptions
	scanner     *promotion.Scanner
	options     promotion.Options
	limits      promotion.Limits
	keys        []promotion.Key
	autoApply   bool
	queues      map[promotion.Terminal]string
	tests       []promotionTest
	prefix      []byte // of an output, from the gate's name on
}

// Scanner returns the tripwire as the policy wants it.
func (p *Promotion) Scanner() *promotion.Scanner { return p.scanner }

// ScanOptions returns what the tripwire was made of, for whoever wants to add to
// it. The catalogue has what the policy says is irreversible.
func (p *Promotion) ScanOptions() promotion.ScanOptions {
	o := p.scanOptions
	o.Promotable, o.ExtraTokens = slices.Clone(o.Promotable), slices.Clone(o.ExtraTokens)
	return o
}

// Limits returns the bounds for reading an artefact.
func (p *Promotion) Limits() promotion.Limits { return p.limits }

// Keys returns the keys that may sign evidence, in the order of the policy.
func (p *Promotion) Keys() []promotion.Key { return slices.Clone(p.keys) }

var promotionKeys = append(slices.Clone(commonKeys),
	"evidence_keys", "catalogue", "promotable", "irreversible", "extra_tokens", "kinds", "limits", "tripwire", "enableAutoApply", "queues")

// promotionReader reads a policy file of kind promotion.
type promotionReader struct{ *reader }

func readPromotion(r *reader) *Promotion {
	r.known(r.root, "a promotion policy", promotionKeys...)
	pr := promotionReader{r}
	p := &Promotion{keys: pr.keys(r.root.Get("evidence_keys"))}
	catalogue := pr.catalogue(r.root.Get("catalogue"))
	p.scanOptions = promotion.ScanOptions{
		Promotable:  pr.tools("promotable", catalogue),
		Catalogue:   pr.irreversible(catalogue),
		ExtraTokens: pr.distinct("extra_tokens", "a token", strings.TrimSpace),
	}
	p.scanner = pr.scanner(p.scanOptions)
	p.options.Kinds = pr.distinct("kinds", "a kind", promotion.NormalKind)
	p.options.Advisory = pr.tripwire(r.root.Get("tripwire"))
	p.limits = pr.limits(r.root.Get("limits"))
	p.autoApply = r.bool(r.root.Get("enableAutoApply"), "enableAutoApply")
	p.queues = pr.queues(r.root.Get("queues"))
	p.tests = pr.tests(r.root.Get("tests"))
	return p
}

// distinct reads a list of texts, no two of which are the same and none of
// which is nothing once normal has simplified it. It is nil if there is no such
// key, which is another thing than an empty list.
func (r promotionReader) distinct(key, one string, normal func(string) string) []string {
	n := r.root.Get(key)
	texts, _ := r.texts(n, key, one)
	seen := map[string]string{}
	for i, text := range texts {
		item := n.Items[i]
		switch same := normal(text); {
		case item.Kind != source.String:
		case same == "":
			r.problem(item.Pos, "blank", "%q is not %s: it is empty, or can't be told from others by its looks", text, one)
		case seen[same] == "":
			seen[same] = text
		case seen[same] == text:
			r.problem(item.Pos, "duplicate", "%q stands there already", text)
		default:
			r.problem(item.Pos, "duplicate", "%q is the same as %q, which stands there already", text, seen[same])
		}
	}
	return texts
}

// tools reads names of tools. One that the catalogue doesn't know is an error:
// a slip would widen or narrow what is meant.
func (r promotionReader) tools(key string, catalogue *promotion.Catalogue) []string {
	if catalogue == nil { // which is wrong itself
		return r.distinct(key, "a tool's name", strings.TrimSpace)
	}
	names := r.distinct(key, "a tool's name", func(name string) string { return strings.TrimSpace(catalogue.Canonical(name)) })
	for i, name := range names {
		if _, ok := catalogue.Lookup(name); ok || strings.TrimSpace(name) == "" {
			continue
		}
		var all []string
		for _, t := range catalogue.Tools() {
			all = append(append(all, t.Name), t.Also...)
		}
		hint := ""
		if k := nearest(name, all); k != "" {
			hint = fmt.Sprintf(": did you mean %s?", k)
		}
		r.problem(r.root.Get(key).Items[i].Pos, "tool", "the tool catalogue has no tool %q%s", name, hint)
	}
	return names
}

// irreversible returns the catalogue with the tools that the policy adds to the
// irreversible ones. It can't take any away.
func (r promotionReader) irreversible(catalogue *promotion.Catalogue) *promotion.Catalogue {
	names := r.tools("irreversible", catalogue)
	if catalogue == nil || len(r.problems) > 0 {
		return catalogue
	}
	with, err := catalogue.WithIrreversible(names...)
	if err != nil {
		r.problem(r.at("/irreversible"), "tool", "%v", err)
	}
	return with
}

// scanner compiles the tripwire, unless something that it needs is wrong
// already.
func (r promotionReader) scanner(o promotion.ScanOptions) *promotion.Scanner {
	if len(r.problems) > 0 {
		return nil
	}
	s, err := promotion.NewScanner(o)
	if err != nil {
		r.problem(r.at("/extra_tokens"), "tripwire", "%v", err)
	}
	return s
}

// tripwire reads whether a tripwire that doesn't run is passed over.
func (r promotionReader) tripwire(n *source.Node) (advisory bool) {
	if n == nil || !r.is(n, source.String, "tripwire") {
		return false
	}
	switch n.Text {
	case "required":
	case "advisory":
		return true
	default:
		r.problem(n.Pos, "tripwire", "%q isn't one of required, advisory", n.Text)
	}
	return false
}

// The highest limits. What is larger couldn't be read whole and kept in memory.
const (
	maxArtefactBytes = 1 << 30
	maxFiles         = 100_000
)

func (r promotionReader) limits(n *source.Node) promotion.Limits {
	lim := promotion.DefaultLimits()
	if n == nil || !r.is(n, source.Object, "limits") {
		return lim
	}
	r.known(n, "limits", "file_bytes", "artefact_bytes", "files")
	read := func(key string, highest, other int64) int64 {
		m := n.Get(key)
		if m == nil || !r.is(m, source.Number, key) {
			return other
		}
		num := source.ParseNumber([]byte(m.Text))
		if !num.IsInt || num.Inexact || num.Int < 1 || num.Int > highest {
			r.problem(m.Pos, "limit", "%s must be an integer from 1 to %d, not %s", key, highest, m.Text)
			return other
		}
		return num.Int
	}
	lim.FileBytes = read("file_bytes", maxArtefactBytes, lim.FileBytes)
	lim.ArtefactBytes = read("artefact_bytes", maxArtefactBytes, lim.ArtefactBytes)
	lim.Files = int(read("files", maxFiles, int64(lim.Files)))
	return lim
}

// queues reads where a person finds what waits.
func (r promotionReader) queues(n *source.Node) map[promotion.Terminal]string {
	if n == nil || !r.is(n, source.Object, "queues") {
		return nil
	}
	r.known(n, "queues", string(promotion.NeedsHuman), string(promotion.CandidateOnly))
	queues := map[promotion.Terminal]string{}
	for _, m := range n.Members {
		if !r.is(m.Value, source.String, "a queue") {
			continue
		}
		if strings.TrimSpace(m.Value.Text) == "" {
			r.problem(m.Value.Pos, "blank", "the name of the queue is missing")
		} else {
			r.nameable(m.Value, "a queue")
		}
		queues[promotion.Terminal(m.Key)] = m.Value.Text
	}
	return queues
}

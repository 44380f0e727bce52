package policy

import (
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/promotion"
)

// catalogue reads the policy's tool catalogue; the shipped one if it names
// none. It is nil if there is something wrong with it.
func (r promotionReader) catalogue(n *source.Node) *promotion.Catalogue {
	if n == nil {
		return promotion.DefaultCatalogue()
	}
	if !r.is(n, source.String, "catalogue") {
		return nil
	}
	text, ok := r.refer(n, "catalogue")
	if !ok {
		return nil
	}
	r.digested(n.Text, text)
	catalogue, problems := promotion.ParseCatalogue(text)
	wrong := 0
	for _, p := range problems {
		if p.Warning {
			continue
		}
		wrong++
		r.problem(n.Pos, "catalogue", "%s:%s: %s", n.Text, p.Pos, p.Message)
	}
	if wrong > 0 {
		return nil
	}
	return catalogue
}

// keys reads the public keys that may sign evidence.
func (r promotionReader) keys(n *source.Node) []promotion.Key {
	if n == nil || !r.is(n, source.List, "evidence_keys") {
		return nil
	}
	var keys []promotion.Key
	files := map[string]string{} // by the key's ID
	for _, item := range n.Items {
		if !r.is(item, source.String, "an evidence key (the file of a public key)") {
			continue
		}
		text, ok := r.refer(item, "an evidence key")
		if !ok {
			continue
		}
		key, err := promotion.ParseKey(text)
		if err != nil {
			r.problem(item.Pos, "evidence-key", "%s: %v", item.Text, err)
			continue
		}
		if other, ok := files[key.ID]; ok && other == item.Text {
			r.problem(item.Pos, "duplicate", "%q stands there already", other)
			continue
		} else if ok {
			r.problem(item.Pos, "duplicate", "%s holds the same key as %s", item.Text, other)
			continue
		}
		files[key.ID] = item.Text
		r.digested(item.Text, text)
		keys = append(keys, key)
	}
	return keys
}

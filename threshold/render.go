package threshold

import "github.com/pawlgate/pawl/verdict"

// rendered is a reason that the gate gives often, and its JSON.
type rendered struct {
	reason Reason
	json   []byte
}

// render writes down once what a stream of decisions repeats: the reasons of
// bands and rules, by message.
func (g *Gate) render() {
	g.rendered = map[string]rendered{}
	add := func(r Reason) {
		if _, taken := g.rendered[r.Message]; !taken {
			g.rendered[r.Message] = rendered{r, r.AppendJSON(nil)}
		}
	}
	for i := range g.bands {
		for _, r := range g.bands[i].reasons {
			add(r)
		}
	}
	for i := range g.rules {
		add(g.rules[i].reason)
	}
}

// AppendJSON appends a decision as [Decision.AppendJSON] does, byte for byte,
// but faster if the decision is one of this gate.
func (g *Gate) AppendJSON(dst []byte, d *Decision) []byte {
	if g == nil {
		return d.AppendJSON(dst)
	}
	return d.appendJSON(dst, func(dst []byte, r *Reason) []byte {
		if known, ok := g.rendered[r.Message]; ok && known.reason == *r {
			return append(dst, known.json...)
		}
		return r.AppendJSON(dst)
	})
}

// AppendJSON appends the decision as a JSON object: verdict, reasons (always a
// list), risk and bands (left out when empty).
func (d Decision) AppendJSON(dst []byte) []byte {
	return d.appendJSON(dst, func(dst []byte, r *Reason) []byte { return r.AppendJSON(dst) })
}

func (d *Decision) appendJSON(dst []byte, appendReason func([]byte, *Reason) []byte) []byte {
	dst = append(dst, `{"verdict":`...)
	dst = verdict.AppendString(dst, string(d.Verdict))
	dst = append(dst, `,"reasons":[`...)
	for i := range d.Reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendReason(dst, &d.Reasons[i])
	}
	dst = append(dst, ']')
	if d.Risk != "" {
		dst = append(dst, `,"risk":`...)
		dst = verdict.AppendString(dst, string(d.Risk))
	}
	if len(d.Bands) > 0 {
		dst = append(dst, `,"bands":`...)
		dst = d.Bands.AppendJSON(dst)
	}
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (d Decision) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// AppendJSON appends the bands as one JSON object, in the order of b.
func (b Bands) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range b {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = verdict.AppendString(dst, b[i].Score)
		dst = append(dst, ':')
		dst = verdict.AppendString(dst, string(b[i].Band))
	}
	return append(dst, '}')
}

// MarshalJSON returns what AppendJSON appends.
func (b Bands) MarshalJSON() ([]byte, error) { return b.AppendJSON(nil), nil }

package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// vector is one line of a file.
type vector struct {
	name       string
	input      string // JSON text
	asText     bool   // the way in which the input is written counts
	policy     policy
	supervised bool
	expect     decision
}

// policy is a policy whose parts are already JSON.
type policy struct {
	signals []string // members
	bands   []string // members
	combine string   // a name
	rules   []string // items
	apply   bool
	reject  bool
}

// automatic is a policy that switches both verdicts on.
func automatic(bands ...string) policy { return policy{bands: bands, apply: true, reject: true} }

// json returns the policy as a JSON object.
func (p policy) json() string {
	var m []string
	if p.signals != nil {
		m = append(m, `"signals": `+object(p.signals...))
	}
	if p.bands != nil {
		m = append(m, `"bands": `+object(p.bands...))
	}
	if p.combine != "" {
		m = append(m, member("combine", quote(p.combine)))
	}
	if p.rules != nil {
		m = append(m, `"rules": [`+strings.Join(p.rules, ", ")+`]`)
	}
	if p.apply {
		m = append(m, `"enableAutoApply": true`)
	}
	if p.reject {
		m = append(m, `"enableAutoReject": true`)
	}
	return object(m...)
}

// usual are the bounds of bands whose bounds don't matter, and the scores that
// lie in them.
const (
	usual       = `{"highMin": 0.9, "reviewMin": 0.5}`
	usualHigh   = "0.95"
	usualReview = "0.7"
	usualLow    = "0.1"
)

var usualScore = map[string]string{high: usualHigh, review: usualReview, low: usualLow}

// rule is a rule in JSON.
func rule(id, when, force string) string {
	return object(member("id", quote(id)), member("when", when), member("force", quote(force)), member("reason", quote("why")))
}

func flagged(name string) string { return object(member("flag", quote(name))) }

func lessThan(key, value string) string {
	return object(member("metaNumberLessThan", object(member("key", quote(key)), member("value", value))))
}

func member(name, value string) string { return quote(name) + ": " + value }

func object(members ...string) string { return "{" + strings.Join(members, ", ") + "}" }

// quote writes a string as JSON.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// appendVectors writes a file: one vector per line.
func appendVectors[V interface{ json() string }](dst []byte, vectors []V) []byte {
	dst = append(dst, "[\n"...)
	for i, v := range vectors {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = append(dst, v.json()...)
	}
	return append(dst, "\n]\n"...)
}

func (v vector) json() string {
	m := []string{member("name", quote(v.name))}
	if v.asText {
		m = append(m, member("signalsText", quote(v.input)))
	} else {
		m = append(m, member("signals", v.input))
	}
	m = append(m, member("policy", v.policy.json()))
	if v.supervised {
		m = append(m, `"supervised": true`)
	}
	return object(append(m, member("expect", v.expect.json()))...)
}

func (d decision) json() string {
	m := []string{member("verdict", quote(d.verdict))}
	if len(d.bands) > 0 {
		var bands []string
		for _, b := range d.bands {
			bands = append(bands, member(b.score, quote(b.level)))
		}
		m = append(m, member("bands", object(bands...)))
	}
	codes := make([]string, len(d.codes))
	for i, c := range d.codes {
		codes[i] = quote(c)
	}
	return object(append(m, `"codes": [`+strings.Join(codes, ", ")+`]`)...)
}

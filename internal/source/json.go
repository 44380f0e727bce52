package source

import (
	"bytes"
	"errors"
	"strings"
)

// ParseJSON reads one JSON value as a tree, as ParseYAML does for YAML. JSON
// says less than YAML about how to go on after an error, so there is at most
// one problem.
func ParseJSON(src []byte) (*Node, []Problem) {
	if p := checkText(src); p != nil {
		return nil, []Problem{*p}
	}
	n, err := ReadJSON(src)
	if err != nil {
		return nil, jsonProblem(err)
	}
	return n, nil
}

// ReadJSON reads one JSON value as a tree. It takes every character that JSON
// takes, as a [Scanner] does, for texts that no person looks at in an editor.
// The error is a *[SyntaxError].
func ReadJSON(src []byte) (*Node, error) {
	var s Scanner
	if err := s.Reset(src); err != nil {
		return nil, err
	}
	r := jsonReader{Scanner: &s, places: newPlaces(src)}
	n, err := r.node()
	if err == nil {
		err = s.End()
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

func jsonProblem(err error) []Problem {
	p := Problem{Pos: Pos{1, 1}, Code: "json-syntax", Message: err.Error()}
	var se *SyntaxError
	if errors.As(err, &se) {
		p.Pos, p.Code = se.Pos, se.Code
		p.Message = strings.TrimPrefix(se.Error(), se.Pos.String()+": ")
	}
	return []Problem{p}
}

type jsonReader struct {
	*Scanner
	places *places
}

// here returns where the value that is read next begins.
func (r *jsonReader) here() Pos {
	r.dec.PeekKind() // reads over white space, comma and colon
	offset := int(r.dec.InputOffset())
	for offset < len(r.raw) {
		switch r.raw[offset] {
		case ' ', '\t', '\n', '\r', ',', ':':
			offset++
			continue
		}
		break
	}
	return r.places.pos(offset)
}

func (r *jsonReader) node() (*Node, error) {
	n := &Node{Pos: r.here()}
	k, ok := r.Peek()
	if !ok {
		_, err := r.Literal()
		return nil, err
	}
	n.Kind = k
	switch k {
	case String:
		t, err := r.Text()
		if err != nil {
			return nil, err
		}
		n.Text = string(t)
		n.textPos = Pos{n.Pos.Line, n.Pos.Col + 1}
		// Without escapes the text ends right before the closing quote.
		end := int(r.dec.InputOffset()) - 1
		start := end - len(t)
		n.verbatim = start > 0 && r.raw[start-1] == '"' && bytes.Equal(r.raw[start:end], t)
		return n, nil
	case List, Object:
		return n, r.entries(n)
	default:
		lit, err := r.Literal()
		if err != nil {
			return nil, err
		}
		n.Bool = lit[0] == 't'
		if k == Number {
			n.Text = string(lit)
		}
		return n, nil
	}
}

func (r *jsonReader) entries(n *Node) error {
	if err := r.Open(); err != nil {
		return err
	}
	for {
		more, err := r.More()
		if err != nil || !more {
			return err
		}
		m := Member{Pos: r.here()}
		if n.Kind == Object {
			name, err := r.Name()
			if err != nil {
				return err
			}
			m.Key = string(name)
		}
		if m.Value, err = r.node(); err != nil {
			return err
		}
		if n.Kind == Object {
			if n.Members == nil {
				n.Members = make([]Member, 0, 4) // most objects have a few
			}
			n.Members = append(n.Members, m)
		} else {
			n.Items = append(n.Items, m.Value)
		}
	}
}

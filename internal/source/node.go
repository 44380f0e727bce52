package source

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is what a Node is.
type Kind uint8

// The kinds of nodes: those of JSON.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

// String returns the kind as it stands in messages.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// Node is one value of a file, with its place.
type Node struct {
	Kind    Kind
	Pos     Pos      // where the value begins
	Text    string   // the text of a String, the JSON literal of a Number
	Bool    bool     // the value of a Bool
	Items   []*Node  // of a List
	Members []Member // of an Object, in the order of the file, keys distinct

	// Folded says that line breaks of the file became blanks in Text: what ends
	// with its line there, doesn't here.
	Folded bool

	// verbatim says that Text stands in the file as it is, starting at textPos:
	// a place in the text is then a place in the file.
	verbatim bool
	textPos  Pos
}

// Member is one entry of an object.
type Member struct {
	Key   string
	Pos   Pos
	Value *Node
}

// Get returns the value of a member of an object, or nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// TextPos returns where in the file a place in a string's own text stands:
// line and column (from 1) in the text. Where the two can't be matched (a
// quoted string with escapes, a folded block) it is the start of the value.
func (n *Node) TextPos(line, col int) Pos {
	switch {
	case !n.verbatim || line < 1 || col < 1:
		return n.Pos
	case line == 1:
		return Pos{n.textPos.Line, n.textPos.Col + col - 1}
	default:
		return Pos{n.textPos.Line + line - 1, n.textPos.Col + col - 1}
	}
}

// Value returns the node as a Go value: nil, bool, string, []any, map[string]any,
// and for a Number whatever number makes of it.
func (n *Node) Value(number func(*Node) any) any {
	switch n.Kind {
	case Bool:
		return n.Bool
	case Number:
		return number(n)
	case String:
		return n.Text
	case List:
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = item.Value(number)
		}
		return list
	case Object:
		object := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			object[m.Key] = m.Value.Value(number)
		}
		return object
	default:
		return nil
	}
}

// AppendJSON appends the node as JSON text, numbers as they were written.
func (n *Node) AppendJSON(dst []byte) []byte {
	switch n.Kind {
	case Bool:
		return strconv.AppendBool(dst, n.Bool)
	case Number:
		return append(dst, n.Text...)
	case String:
		dst, _ = jsontext.AppendQuote(dst, n.Text) // the text is UTF-8: it was checked when read
		return dst
	case List:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range n.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst, _ = jsontext.AppendQuote(dst, m.Key)
			dst = append(dst, ':')
			dst = m.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	default:
		return append(dst, "null"...)
	}
}

// Canonical returns the RFC 8785 form of the JSON text. Numbers become float64
// in that form, so a caller must have refused those that a float64 can't hold.
func Canonical(text []byte) ([]byte, error) {
	v := jsontext.Value(append([]byte(nil), text...))
	if err := v.Canonicalize(); err != nil {
		return nil, err
	}
	return v, nil
}

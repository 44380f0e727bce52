package source

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// ParseYAML reads one YAML document of the subset that JSON can express. All
// problems that can be told apart are returned at once; with any, the node is
// nil.
func ParseYAML(src []byte) (*Node, []Problem) {
	return parseYAML(src, maxTokens, false)
}

func parseYAML(src []byte, tokenLimit int, lenient bool) (*Node, []Problem) {
	if p := checkText(src); p != nil {
		return nil, []Problem{*p}
	}
	tokens := lexer.Tokenize(string(src))
	if ps := checkTokens(tokens, tokenLimit); len(ps) > 0 {
		return nil, ps
	}
	file, err := parseTokens(tokens)
	if err != nil {
		return nil, []Problem{yamlProblem(err)}
	}
	y := yamlReader{places: newPlaces(src), lenient: lenient}
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if body != nil {
			y.problem(doc.Body.GetToken(), "yaml-documents", "a second document: a file holds one")
			return nil, y.problems
		}
		body = doc.Body
	}
	if body == nil {
		return nil, []Problem{{Pos: Pos{1, 1}, Code: "empty", Message: "the file is empty"}}
	}
	n := y.node(body)
	if len(y.problems) > 0 {
		return nil, y.problems
	}
	return n, y.warnings
}

// parseTokens calls the parser and takes a panic of it for an error: its input
// is whatever somebody wrote.
func parseTokens(tokens token.Tokens) (f *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("not readable as YAML")
		}
	}()
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

func yamlProblem(err error) Problem {
	p := Problem{Pos: Pos{1, 1}, Code: "yaml-syntax", Message: err.Error()}
	var se yaml.Error
	if errors.As(err, &se) {
		p.Message = se.GetMessage()
		if t := se.GetToken(); t != nil && t.Position != nil {
			p.Pos = Pos{max(1, t.Position.Line), max(1, t.Position.Column)}
		}
	}
	return p
}

// checkText refuses what no reader of text should have to guess about.
func checkText(src []byte) *Problem {
	switch {
	case len(src) == 0:
		return &Problem{Pos: Pos{1, 1}, Code: "empty", Message: "the file is empty"}
	case len(src) > MaxBytes:
		return &Problem{Pos: Pos{1, 1}, Code: "too-large", Message: fmt.Sprintf("the file has %d bytes; %d are allowed", len(src), MaxBytes)}
	case bytes.HasPrefix(src, []byte("\ufeff")):
		return &Problem{Pos: Pos{1, 1}, Code: "byte-order-mark", Message: "the file starts with a byte order mark (U+FEFF): save it as UTF-8 without one"}
	}
	if i := invalidUTF8(src); i >= 0 {
		return &Problem{Pos: posAt(src, i), Code: "utf-8", Message: fmt.Sprintf("byte 0x%02x isn't valid UTF-8", src[i])}
	}
	for i, c := range src {
		// YAML 1.2.2, section 5.1: no C0 controls but tab and line breaks.
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return &Problem{Pos: posAt(src, i), Code: "control-character", Message: fmt.Sprintf("control character 0x%02x", c)}
		}
	}
	return nil
}

func invalidUTF8(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// checkTokens refuses, before anything recursive sees them, what nests too
// deeply or is left out of the subset on purpose.
func checkTokens(tokens token.Tokens, limit int) []Problem {
	var ps []Problem
	var blocks []int      // columns of the open block collections
	var flow []token.Type // the open brackets
	members := 0
	content, ended, directive := false, false, false
	for i, t := range tokens {
		if len(ps) >= maxProblems {
			return ps
		}
		pos := Pos{max(1, t.Position.Line), max(1, t.Position.Column)}
		col := 0
		switch t.Type {
		case token.CommentType, token.SpaceType, token.DocumentHeaderType, token.DocumentEndType, token.DirectiveType:
		default:
			content = true
		}
		switch t.Type {
		case token.DocumentHeaderType:
			if (content || ended) && !directive {
				return append(ps, Problem{Pos: pos, Code: "yaml-documents", Message: "a second document: a file holds one"})
			}
			ended = true // another one would be a second document
		case token.DocumentEndType:
			ended = true
		case token.SequenceStartType, token.MappingStartType:
			flow = append(flow, t.Type)
			if t.Type == token.SequenceStartType {
				members++
			}
		case token.SequenceEndType, token.MappingEndType:
			flow = flow[:max(0, len(flow)-1)]
		case token.CollectEntryType:
			if len(flow) > 0 && flow[len(flow)-1] == token.SequenceStartType {
				members++
			}
		case token.SequenceEntryType:
			if next := nextToken(t); len(flow) == 0 && (next == nil || next.Position.Line > t.Position.Line && next.Position.Column <= t.Position.Column) {
				ps = append(ps, Problem{Pos: Pos{pos.Line, pos.Col + 1}, Code: "value-missing", Message: "the entry is empty (write null if you mean that)"})
			}
			members++
			col = t.Position.Column*2 + 1 // an entry may stand in its key's column
		case token.MappingKeyType:
			col = t.Position.Column * 2
		case token.MappingValueType:
			if next := t.Next; next != nil && next.Position.Line == t.Position.Line && next.Position.Column == t.Position.Column+1 && !quoted(t.Prev) {
				ps = append(ps, Problem{Pos: pos, Code: "yaml-colon", Message: "write a blank after the colon: other YAML readers take this for one word"})
			}
			members++
			if t.Prev != nil && t.Prev.Position.Line == t.Position.Line {
				col = t.Prev.Position.Column * 2
			}
		case token.AnchorType:
			ps = append(ps, Problem{Pos: pos, Code: "yaml-anchor", Message: "anchors aren't allowed: write the value out"})
		case token.AliasType:
			ps = append(ps, Problem{Pos: pos, Code: "yaml-alias", Message: "aliases aren't allowed: write the value out"})
		case token.MergeKeyType:
			ps = append(ps, Problem{Pos: pos, Code: "yaml-merge", Message: "merge keys aren't allowed: write the members out"})
		case token.TagType:
			ps = append(ps, Problem{Pos: pos, Code: "yaml-tag", Message: "tags aren't allowed"})
		case token.DirectiveType:
			directive = true
			ps = append(ps, Problem{Pos: pos, Code: "yaml-directive", Message: "directives aren't allowed"})
		}
		if col > 0 && len(flow) == 0 {
			for len(blocks) > 0 && blocks[len(blocks)-1] > col {
				blocks = blocks[:len(blocks)-1]
			}
			if len(blocks) == 0 || blocks[len(blocks)-1] < col {
				blocks = append(blocks, col)
			}
		}
		if len(blocks)+len(flow) > MaxDepth {
			return []Problem{{Pos: pos, Code: "too-deep", Message: fmt.Sprintf("nested more than %d levels deep", MaxDepth)}}
		}
		if i > limit && limit < maxTokens {
			return []Problem{{Pos: pos, Code: "too-many", Message: fmt.Sprintf("more than %d words and marks", limit)}}
		}
		if members > MaxMembers || i > limit {
			return []Problem{{Pos: pos, Code: "too-many", Message: fmt.Sprintf("more than %d members", MaxMembers)}}
		}
	}
	return ps
}

// nextToken returns the next token that isn't a comment.
func nextToken(t *token.Token) *token.Token {
	for t = t.Next; t != nil && t.Type == token.CommentType; t = t.Next {
	}
	return t
}

func quoted(t *token.Token) bool {
	return t != nil && (t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType)
}

// yamlReader turns the parser's tree into nodes.
type yamlReader struct {
	places   *places
	depth    int
	problems []Problem // at most maxProblems
	// warnings aren't capped: of a scalar without one all readers say the same.
	// However many there are, they leave the problems their room.
	warnings []Problem

	// lenient makes key: with nothing after it null, and a scalar that means
	// different things to different readers a string with a warning.
	lenient bool
}

func (y *yamlReader) problem(t *token.Token, code, format string, args ...any) {
	if len(y.problems) >= maxProblems {
		return
	}
	pos := Pos{1, 1}
	if t != nil && t.Position != nil {
		pos = Pos{max(1, t.Position.Line), max(1, t.Position.Column)}
	}
	y.problems = append(y.problems, Problem{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (y *yamlReader) node(in ast.Node) *Node {
	t := in.GetToken()
	// Pairs in brackets ([a: [b: …) are levels that no token shows.
	if y.depth++; y.depth > MaxDepth+1 {
		y.problem(t, "too-deep", "nested more than %d levels deep", MaxDepth)
		return &Node{}
	}
	defer func() { y.depth-- }()
	n := &Node{Pos: Pos{max(1, t.Position.Line), max(1, t.Position.Column)}}
	switch v := in.(type) {
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			n.Pos = y.keyPos(v.Values[0])
		}
		y.object(n, v.Values)
	case *ast.MappingValueNode: // a mapping of one entry, in some places
		n.Pos = y.keyPos(v)
		y.object(n, []*ast.MappingValueNode{v})
	case *ast.SequenceNode:
		n.Kind = List
		for _, item := range v.Values {
			n.Items = append(n.Items, y.node(item))
		}
	case *ast.LiteralNode:
		n.Kind, n.Text = String, v.Value.Value
		y.block(n, v)
	case *ast.StringNode:
		y.scalar(n, v.Token)
	case *ast.NullNode:
		if t.Type == token.ImplicitNullType {
			if y.lenient {
				break
			}
			y.problem(t, "value-missing", "the value is missing (write null if you mean that)")
			break
		}
		y.scalar(n, t)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		y.scalar(n, t)
	default:
		y.problem(t, "yaml-syntax", "%s isn't allowed here", t.Type)
	}
	return n
}

func (y *yamlReader) keyPos(v *ast.MappingValueNode) Pos {
	t := v.Key.GetToken()
	return Pos{max(1, t.Position.Line), max(1, t.Position.Column)}
}

func (y *yamlReader) object(n *Node, values []*ast.MappingValueNode) {
	n.Kind = Object
	seen := make(map[string]Pos, len(values))
	for _, v := range values {
		t := v.Key.GetToken()
		if _, ok := v.Key.(*ast.MappingKeyNode); ok {
			y.problem(t, "yaml-key", "write the key plainly, without a question mark")
			continue
		}
		key, before, lenient := &Node{Pos: y.keyPos(v)}, len(y.problems), y.lenient
		y.lenient = false
		y.scalar(key, t)
		y.lenient = lenient
		if len(y.problems) > before {
			continue
		}
		if key.Kind != String {
			y.problem(t, "yaml-key", "a key must be a string: quote it")
			continue
		}
		pos := y.keyPos(v)
		if first, ok := seen[key.Text]; ok {
			y.problem(t, "duplicate-key", "%q stands here a second time (first at %s)", key.Text, first)
			continue
		}
		seen[key.Text] = pos
		n.Members = append(n.Members, Member{Key: key.Text, Pos: pos, Value: y.node(v.Value)})
	}
}

// scalar resolves a scalar by the rules of JSON: what is quoted is a string,
// and of the rest only JSON's own literals are anything else. What some YAML
// reader would take for another type is refused, so that none can disagree.
func (y *yamlReader) scalar(n *Node, t *token.Token) {
	text := t.Value
	switch {
	case t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType:
		n.Kind, n.Text = String, text
		n.textPos = Pos{n.Pos.Line, n.Pos.Col + 1}
		n.verbatim = y.standsAt(n.textPos, text)
		n.Folded = strings.Contains(strings.TrimSpace(t.Origin), "\n")
	case text == "true" || text == "false":
		n.Kind, n.Bool = Bool, text == "true"
	case text == "null":
		n.Kind = Null
	case IsNumber(text):
		n.Kind, n.Text = Number, text
	case ambiguous(text) && y.lenient:
		n.Kind, n.Text = String, text
		if text == "~" || strings.EqualFold(text, "null") {
			n.Kind, n.Text = Null, ""
		}
		y.warnings = append(y.warnings, Problem{Pos: n.Pos, Code: "ambiguous-scalar", Warning: true, Message: fmt.Sprintf("%s means different things to different YAML readers: quote it", text)})
	case ambiguous(text):
		y.problem(t, "ambiguous-scalar", "%s means different things to different YAML readers: quote it if it is a string, or write a JSON number, true, false or null", text)
	case misleading(text):
		y.problem(t, "ambiguous-scalar", "%q reads differently to different YAML readers: quote it", text)
	case !y.standsAt(n.Pos, text):
		y.problem(t, "plain-scalar", "write this text as it is on one line (without tabs), quote it, or use | or >")
	default:
		n.Kind, n.Text = String, text
		n.textPos, n.verbatim = n.Pos, true
	}
}

// standsAt reports whether the text stands in the file at that place, on one
// line, as it is.
func (y *yamlReader) standsAt(p Pos, text string) bool {
	if strings.Contains(text, "\n") {
		return false
	}
	at := y.places.offset(p)
	return at >= 0 && bytes.HasPrefix(y.places.src[at:], []byte(text))
}

// block finds where the text of a literal block (|) stands.
func (y *yamlReader) block(n *Node, v *ast.LiteralNode) {
	n.Folded = v.Start.Type == token.FoldedType
	at := y.places.offset(Pos{n.Pos.Line + 1, 1})
	if v.Start.Type != token.LiteralType || at < 0 {
		return
	}
	first := y.places.src[at:]
	indent := len(first) - len(bytes.TrimLeft(first, " "))
	firstText, _, _ := strings.Cut(n.Text, "\n")
	n.textPos = Pos{n.Pos.Line + 1, indent + 1}
	n.verbatim = firstText != "" && y.standsAt(n.textPos, firstText)
}

package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/internal/expr"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
)

// reader takes values out of the tree of a file and collects what is wrong.
type reader struct {
	root     *source.Node
	problems []Problem
	mistyped []*source.Node // reported already: what else is said of them is noise

	files    fs.FS             // those that the policy may refer to; nil: none
	read     map[string][]byte // the text of each file that was read, by name
	referred map[string][]byte // the text of each file that counts in the digest, by name
}

func (r *reader) problem(pos Pos, code, format string, args ...any) {
	r.problems = append(r.problems, Problem{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...)})
}

// is reports whether n is of the kind, and complains if it isn't.
func (r *reader) is(n *source.Node, k source.Kind, what string) bool {
	if n.Kind != k {
		r.problem(n.Pos, "type", "%s must be %s, not %s", what, k, n.Kind)
		r.mistyped = append(r.mistyped, n)
	}
	return n.Kind == k
}

// required complains about members that an object lacks.
func (r *reader) required(n *source.Node, keys ...string) {
	for _, k := range keys {
		if n.Get(k) == nil {
			r.problem(n.Pos, "missing", "%s is missing", k)
		}
	}
}

// keys of later versions: refused, so that nobody relies on what isn't
// enforced.
var notYet = []string{"spot_check", "certificate", "private", "budget"}

// known complains about members that nobody knows.
func (r *reader) known(n *source.Node, what string, keys ...string) {
	for _, m := range n.Members {
		switch {
		case slices.Contains(keys, m.Key):
		case n == r.root && slices.Contains(notYet, m.Key):
			r.problem(m.Pos, "not-supported-yet", "%s is not supported yet by this version: it would not be enforced", m.Key)
		default:
			hint := ""
			if k := nearest(m.Key, keys); k != "" {
				hint = fmt.Sprintf(": did you mean %s?", k)
			}
			r.problem(m.Pos, "unknown-key", "%s has no key %q%s", what, m.Key, hint)
		}
	}
}

// number reads a number that a float64 must hold exactly enough.
func (r *reader) number(n *source.Node, what string) (float64, bool) {
	if !r.is(n, source.Number, what) {
		return 0, false
	}
	num := source.ParseNumber([]byte(n.Text))
	if num.Inexact || num.IsInt && !threshold.Exact(num.Int) {
		r.problem(n.Pos, "number", "%s can't be held exactly: %s", n.Text, what)
		return 0, false
	}
	return num.Float + 0, true // -0 is 0
}

func (r *reader) bool(n *source.Node, what string) bool {
	return n != nil && r.is(n, source.Bool, what+" (only true switches it on)") && n.Bool
}

// texts reads a list of texts that aren't blank. Ok is false if there is none
// or an entry can't be read, which is empty then.
func (r *reader) texts(n *source.Node, what, one string) (texts []string, ok bool) {
	if n == nil || !r.is(n, source.List, what) {
		return nil, false
	}
	texts, ok = make([]string, len(n.Items)), true
	for i, item := range n.Items {
		if !r.is(item, source.String, one) {
			ok = false
			continue
		}
		texts[i] = item.Text
	}
	return texts, ok
}

// compile compiles an expression and turns its issues into problems of the
// file.
func (r *reader) compile(env *expr.Env, n *source.Node, want expr.Kind) *expr.Program {
	if env == nil {
		return nil
	}
	if n.Folded && strings.Contains(n.Text, "//") {
		r.problem(n.Pos, "condition", "// in a text whose lines are folded into one would hide all that follows: use | for several lines, or write it on one")
		return nil
	}
	prog, issues := env.Compile(n.Text, want)
	for _, i := range issues {
		r.problem(n.TextPos(i.Line, i.Col), "condition", "%s", i.Message)
	}
	return prog
}

// compileProblems turns the problems of a compiled policy, which name places
// by JSON pointer, into places in the file.
func (r *reader) compileProblems(err error) {
	var pe *threshold.PolicyError
	if !errors.As(err, &pe) {
		r.problem(r.root.Pos, "policy", "%v", err)
		return
	}
	for _, p := range pe.Problems {
		around, pos := r.find(p.Path)
		if !slices.ContainsFunc(around, func(n *source.Node) bool { return slices.Contains(r.mistyped, n) }) {
			r.problem(pos, "policy", "%s", p.Message)
		}
	}
}

// at returns the place of the value that a pointer names, or of the nearest
// one around it.
func (r *reader) at(pointer string) Pos {
	_, pos := r.find(pointer)
	return pos
}

// find returns the values on the way to the one that a pointer names, as far as
// they are there, and the place of the last.
func (r *reader) find(pointer string) (way []*source.Node, pos Pos) {
	n := r.root
	pos = n.Pos
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = unescape.Replace(token)
		var next *source.Node
		switch n.Kind {
		case source.Object:
			for _, m := range n.Members {
				if m.Key == token {
					next, pos = m.Value, m.Pos
				}
			}
		case source.List:
			if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Items) {
				next = n.Items[i]
				pos = next.Pos
			}
		}
		if next == nil {
			return way, pos
		}
		way = append(way, next)
		if n = next; n.Kind != source.Object && n.Kind != source.List {
			pos = n.Pos
		}
	}
	return way, pos
}

// nearest returns the key that a typing mistake was probably meant to be.
func nearest(got string, keys []string) string {
	best, bestDistance := "", 3
	for _, k := range keys {
		if d := distance(strings.ToLower(got), strings.ToLower(k)); d < bestDistance && d < len(k)-1 {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two short words.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		previous := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := previous
			if a[i] != b[j] {
				cost++
			}
			previous = row[j+1]
			row[j+1] = min(cost, row[j]+1, previous+1)
		}
	}
	return row[len(b)]
}

package promotion

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pawlgate/pawl/internal/source"
)

// Effect says whether what a tool does can be taken back.
type Effect uint8

// The effects. The zero value is the one that needs a person.
const (
	EffectIrreversible Effect = iota // it can't
	EffectUnscoped                   // it can't, unless it is allowed for one exact command only
	EffectReversible                 // it can: the tool only looks, or keeps notes of the session
)

// Tool is an entry of a catalogue.
type Tool struct {
	Name   string   // as findings and policies call it
	Also   []string // other spellings
	Effect Effect
}

// Catalogue is a universe of tool names, and what their effects are. It is
// immutable and safe for concurrent use. A nil or empty Catalogue stands for
// the shipped one: in a universe without tools nothing would ever be found.
type Catalogue struct {
	tools  []Tool
	names  map[string]int  // by name and by spelling
	near   map[string]int  // by nearForm of either
	longer int             // the longest name or spelling, in bytes
	points int             // the most that a name or spelling has
	heads  map[string]bool // what names and spellings begin with, up to any punctuation; true if one is no longer
	first  headSet         // the heads' first bytes and lengths
	two    pairSet         // the heads' first two bytes
}

//go:embed catalogue.yaml
var shippedCatalogue []byte

var defaultCatalogue = sync.OnceValue(func() *Catalogue {
	c, problems := ParseCatalogue(shippedCatalogue)
	if len(problems) > 0 {
		panic("promotion: the shipped catalogue: " + problems[0].Error()) // a test reads it
	}
	return c
})

// DefaultCatalogue returns the catalogue that is shipped: the tools of common
// agents.
func DefaultCatalogue() *Catalogue { return defaultCatalogue() }

// orDefault returns the shipped catalogue in the place of none.
func (c *Catalogue) orDefault() *Catalogue {
	if c == nil || len(c.tools) == 0 {
		return DefaultCatalogue()
	}
	return c
}

// Tools returns a copy of the entries, in their order.
func (c *Catalogue) Tools() []Tool {
	tools := slices.Clone(c.orDefault().tools)
	for i := range tools {
		tools[i].Also = slices.Clone(tools[i].Also)
	}
	return tools
}

// Lookup returns the tool of that name or spelling, to the letter.
func (c *Catalogue) Lookup(name string) (Tool, bool) {
	c = c.orDefault()
	i, ok := c.names[name]
	if !ok {
		return Tool{}, false
	}
	t := c.tools[i]
	t.Also = slices.Clone(t.Also)
	return t, true
}

// Canonical returns the name under which the catalogue has a tool, and the
// given one for a tool that it doesn't have.
func (c *Catalogue) Canonical(name string) string {
	c = c.orDefault()
	if i, ok := c.names[name]; ok {
		return c.tools[i].Name
	}
	return name
}

// Irreversible reports whether the effects of what an entry allows can't be
// taken back; see [ReadAllowedTool] for the parts of an entry. It is true for a
// tool that the catalogue doesn't know.
func (c *Catalogue) Irreversible(name, specifier string) bool {
	c = c.orDefault()
	i, ok := c.names[name]
	if !ok {
		return true
	}
	switch c.tools[i].Effect {
	case EffectReversible:
		return false
	case EffectUnscoped:
		return !exactCommand(specifier)
	default:
		return true
	}
}

// WithIrreversible returns the catalogue with these tools, named as entries of
// an allowed-tools list, irreversible whatever their arguments: what a policy
// says on top of its catalogue. A tool that the catalogue doesn't have joins
// it, so that source that names it is found, too. An error names the entry that
// names no tool.
func (c *Catalogue) WithIrreversible(entries ...string) (*Catalogue, error) {
	c = c.orDefault()
	tools := c.Tools()
	for _, entry := range entries {
		name, _, _, ok := ReadAllowedTool(entry)
		if !ok || !toolName(name) {
			return nil, fmt.Errorf("irreversible: %q names no tool: write a name, such as Bash", entry)
		}
		name = c.Canonical(name)
		i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name })
		if i < 0 {
			i = len(tools)
			tools = append(tools, Tool{Name: name})
		}
		tools[i].Effect = EffectIrreversible
	}
	return newCatalogue(tools), nil
}

// newCatalogue indexes tools whose names and spellings are distinct.
func newCatalogue(tools []Tool) *Catalogue {
	c := &Catalogue{tools: tools, names: make(map[string]int), near: make(map[string]int), heads: make(map[string]bool)}
	for i, t := range tools {
		for _, name := range append([]string{t.Name}, t.Also...) {
			c.names[name] = i
			if _, ok := c.near[nearForm(name)]; !ok {
				c.near[nearForm(name)] = i
			}
			c.longer = max(c.longer, len(name))
			head := name
			if i := strings.IndexFunc(name, func(r rune) bool { return !wordByte(byte(r)) }); i >= 0 {
				head = name[:i]
			}
			c.heads[head] = c.heads[head] || head == name
			c.first.add(head)
			c.two.add(head)
			c.points = max(c.points, strings.Count(name, "."))
		}
	}
	return c
}

// nearTo returns the tool that the name could be mistaken for: it differs only
// in case, hyphens and underscores. A tool of the very name isn't near.
func (c *Catalogue) nearTo(name string) (string, bool) {
	if _, known := c.names[name]; known {
		return "", false
	}
	i, ok := c.near[nearForm(name)]
	if !ok {
		return "", false
	}
	return c.tools[i].Name, true
}

func nearForm(name string) string {
	return joined.Replace(strings.ToLower(name))
}

// joined leaves out what names are only punctuated with.
var joined = strings.NewReplacer("-", "", "_", "")

// ParseCatalogue reads a catalogue:
//
//	tools:
//	  - {name: Bash, irreversible: unscoped, also: [shell]}
//
// Any key besides these, a wrong type, a name or spelling that stands twice or
// couldn't be a tool's, and a catalogue without tools are problems. All are
// returned at once; with any, the catalogue is nil.
func ParseCatalogue(src []byte) (*Catalogue, []source.Problem) {
	root, problems := source.ParseYAML(src)
	if len(problems) > 0 {
		return nil, problems
	}
	r := catalogueReader{seen: make(map[string]source.Pos)}
	r.members(root, "the catalogue", "tools")
	list := root.Get("tools")
	switch {
	case list == nil:
		r.problem(root.Pos, "catalogue-tools", "the catalogue has no tools: write tools: [{name: Read}]")
	case list.Kind != source.List:
		r.problem(list.Pos, "catalogue-type", "tools must be a list, not %s", list.Kind)
	case len(list.Items) == 0:
		r.problem(list.Pos, "catalogue-tools", "the catalogue has no tools: nothing would ever be found")
	default:
		for _, item := range list.Items {
			r.tool(item)
		}
	}
	if len(r.problems) > 0 {
		source.SortProblems(r.problems)
		return nil, r.problems
	}
	return newCatalogue(r.tools), nil
}

type catalogueReader struct {
	tools    []Tool
	seen     map[string]source.Pos
	problems []source.Problem
}

func (r *catalogueReader) problem(pos source.Pos, code, format string, args ...any) {
	r.problems = append(r.problems, source.Problem{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...)})
}

// members refuses what isn't an object, and keys that mean nothing here.
func (r *catalogueReader) members(n *source.Node, what string, keys ...string) {
	if n.Kind != source.Object {
		r.problem(n.Pos, "catalogue-type", "%s must be an object, not %s", what, n.Kind)
	}
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Key) {
			r.problem(m.Pos, "catalogue-key", "unknown key %q: %s has %s", m.Key, what, strings.Join(keys, ", "))
		}
	}
}

func (r *catalogueReader) tool(n *source.Node) {
	r.members(n, "a tool", "name", "irreversible", "also")
	if n.Kind != source.Object {
		return
	}
	t := Tool{Effect: EffectReversible}
	if name := n.Get("name"); name == nil {
		r.problem(n.Pos, "catalogue-name", "the tool has no name")
	} else {
		t.Name = r.name(name)
	}
	if v := n.Get("irreversible"); v != nil {
		switch {
		case v.Kind == source.Bool && !v.Bool:
		case v.Kind == source.Bool:
			t.Effect = EffectIrreversible
		case v.Kind == source.String && v.Text == "unscoped":
			t.Effect = EffectUnscoped
		default:
			r.problem(v.Pos, "catalogue-effect", "irreversible must be true, false or unscoped")
		}
	}
	if also := n.Get("also"); also != nil {
		if also.Kind != source.List {
			r.problem(also.Pos, "catalogue-type", "also must be a list of names, not %s", also.Kind)
		}
		for _, item := range also.Items {
			t.Also = append(t.Also, r.name(item))
		}
	}
	r.tools = append(r.tools, t)
}

func (r *catalogueReader) name(n *source.Node) string {
	switch {
	case n.Kind != source.String:
		r.problem(n.Pos, "catalogue-type", "a name must be a string, not %s", n.Kind)
	case !toolName(n.Text):
		r.problem(n.Pos, "catalogue-name", "%q can't be a tool's name: letters, digits and _ . : / - are allowed, at most %d, the first a letter or _", n.Text, maxToolName)
	default:
		if first, ok := r.seen[n.Text]; ok {
			r.problem(n.Pos, "catalogue-duplicate", "%q stands here a second time (first at %s)", n.Text, first)
			break
		}
		r.seen[n.Text] = n.Pos
	}
	return n.Text
}

// maxToolName is how long, in bytes, a catalogue's name may be.
const maxToolName = 128

// namePunctuation is what besides letters, digits and _ names may have.
const namePunctuation = ".:/-"

// toolName reports whether a catalogue may list a tool of that name: one that
// source can be searched for.
func toolName(s string) bool {
	if s == "" || len(s) > maxToolName || !wordByte(s[0]) || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !wordByte(s[i]) && strings.IndexByte(namePunctuation, s[i]) < 0 {
			return false
		}
	}
	return true
}

// wordByte tells of the bytes of names in most languages.
func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

package promotion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

const allowedToolsKey = "allowed-tools"

// declaration is what an artefact says that it may do.
type declaration struct {
	// baseline are the tools that it may name in its source, sorted: those that
	// it declares and that may be promoted, by their canonical names.
	baseline []string
	// irreversible are the tools, sorted, that it asks for and whose effects
	// can't be taken back, whether or not they may be promoted.
	irreversible []string
	findings     []Finding
}

// declarationOf reads what an artefact declares in its manifest. promotable are
// the tools, as entries of an allowed-tools list, that it may declare at most;
// nil: whatever it declares.
func declarationOf(a *Artefact, cat *Catalogue, promotable []string) declaration {
	d := newDeclarer(cat, promotable)
	manifests := manifestsOf(a)
	if len(manifests) == 0 {
		d.findings = append(d.findings, Finding{
			Kind: KindFrontMatter, Offset: -1,
			Detail: "no " + manifestName + " at the root: nothing says what this is, and nothing is allowed",
		})
	}
	for _, file := range manifests {
		if file.Path != manifestName {
			d.findings = append(d.findings, Finding{
				Kind: KindFrontMatter, File: file.Path, Offset: -1,
				Detail: "the manifest must be named " + manifestName + ": some hosts and file systems won't find this one",
			})
		}
		m := readFrontMatter(file)
		if m.root != nil {
			m.keys()
			d.list(m)
		}
		d.findings = append(d.findings, m.findings...)
	}
	if len(manifests) > 1 {
		d.baseline = nil
		d.findings = append(d.findings, Finding{
			Kind: KindFrontMatter, File: manifests[0].Path, Offset: -1,
			Detail: fmt.Sprintf("%d files could be the manifest: nothing is allowed", len(manifests)),
		})
	}
	return d.done()
}

// declarationOfEntries is the declaration of who states the allowed tools
// elsewhere than in the artefact. Findings have no place.
func declarationOfEntries(entries []string, cat *Catalogue, promotable []string) declaration {
	d := newDeclarer(cat, promotable)
	for _, entry := range entries {
		d.entry(entry, func(token, detail string) {
			d.findings = append(d.findings, Finding{Kind: KindTools, Token: token, Offset: -1, Detail: detail})
		})
	}
	return d.done()
}

// manifestsOf returns the files at the root that a host could take for the
// manifest.
func manifestsOf(a *Artefact) []File {
	var files []File
	for _, f := range a.Files {
		if isManifest(f.Path) {
			files = append(files, f)
		}
	}
	return files
}

// declarer collects a declaration.
type declarer struct {
	declaration
	cat        *Catalogue
	cut        bool // to the promotable tools
	promotable []grant
}

// grant is an entry of an allowed-tools list that names a tool.
type grant struct {
	tool      string // canonical
	specifier string
	scoped    bool
}

func newDeclarer(cat *Catalogue, promotable []string) *declarer {
	d := &declarer{cat: cat.orDefault(), cut: promotable != nil}
	for _, entry := range promotable {
		if name, specifier, scoped, ok := ReadAllowedTool(entry); ok {
			d.promotable = append(d.promotable, grant{d.cat.Canonical(name), specifier, scoped})
		}
	}
	return d
}

// list reads the allowed-tools of front matter: a list of entries, or a text of
// several.
func (d *declarer) list(m *frontMatter) {
	n := m.root.Get(allowedToolsKey)
	if n == nil {
		return
	}
	at := func(pos source.Pos) func(token, detail string) {
		return func(token, detail string) { m.finding(KindTools, token, pos, detail) }
	}
	switch n.Kind {
	case source.Null: // empty: nothing is allowed
	case source.String:
		for e := range splitAllowedTools(n.Text) {
			d.entry(e.text, at(n.TextPos(e.line, e.col)))
		}
	case source.List:
		for _, item := range n.Items {
			if item.Kind != source.String {
				at(item.Pos)("", fmt.Sprintf("an entry of %s must be a text such as Read or Bash(git status), not %s", allowedToolsKey, item.Kind))
				continue
			}
			d.entry(item.Text, at(item.TextPos(1, 1)))
		}
	default:
		at(n.Pos)("", fmt.Sprintf("%s must be a list or a text of entries, not %s: nothing is allowed", allowedToolsKey, n.Kind))
	}
}

// entry reads one entry, and reports what is to be said of it.
func (d *declarer) entry(text string, report func(token, detail string)) {
	name, specifier, scoped, ok := ReadAllowedTool(text)
	if !ok {
		token := shownEntry(strings.TrimSpace(text))
		if token == "" {
			report("", "an empty entry of "+allowedToolsKey+" names no tool")
			return
		}
		d.irreversible = append(d.irreversible, token) // who knows what a host takes it for
		report(token, fmt.Sprintf("%q names no tool: an entry is Name or Name(specifier)", token))
		return
	}
	tool := d.cat.Canonical(name)
	if near, ok := d.cat.nearTo(name); ok {
		report(shownEntry(name), fmt.Sprintf("%q isn't a known tool, and is easily taken for %s", shownEntry(name), near))
	}
	if d.cat.Irreversible(name, specifier) {
		d.irreversible = append(d.irreversible, shownEntry(tool))
	}
	if d.cut && !slices.ContainsFunc(d.promotable, func(g grant) bool {
		return g.tool == tool && (!g.scoped || scoped && g.specifier == specifier)
	}) {
		report(tool, fmt.Sprintf("asks for %s, which may not be promoted", shownEntry(text)))
		return
	}
	d.baseline = append(d.baseline, tool)
}

func (d *declarer) done() declaration {
	slices.Sort(d.baseline)
	slices.Sort(d.irreversible)
	d.baseline, d.irreversible = slices.Compact(d.baseline), slices.Compact(d.irreversible)
	return d.declaration
}

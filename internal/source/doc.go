// Package source is the one way by which text from outside becomes values:
// policy files (YAML or JSON) as a tree of [Node] with positions, and inputs
// (JSON) through a [Scanner].
//
// It reads one form of each language and refuses the rest, so that no two
// readers can see different things in the same bytes: no duplicate member, no
// anchors, aliases, merge keys or tags, one document, UTF-8 only, numbers as
// JSON writes them, bounded depth and size. Numbers keep their literal until
// somebody asks for a value ([ParseNumber]), which then says whether it could
// be held exactly.
package source

package source

import "fmt"

// What front matter may hold. The YAML parser takes time with the square of
// its tokens: within these limits it needs some 20 ms for the worst that was
// found. Front matter that people write has a few hundred bytes.
const (
	MaxFrontMatter    = 16 << 10 // bytes
	frontMatterTokens = 4000
)

// ParseFrontMatter reads the YAML between the --- lines of a Markdown file, as
// [ParseYAML] does but within tighter limits, and with two things that front
// matter has in the wild. A key without a value is null: all readers agree on
// it. A plain scalar that means different things to different readers, be it a
// date or 1.0.0, is a string (a null, if that is what some take it for) and a
// warning: it is for who needs the value to refuse it. Either there is a node,
// with all warnings, or there are errors.
func ParseFrontMatter(src []byte) (*Node, []Problem) {
	if len(src) > MaxFrontMatter {
		return nil, []Problem{{Pos: Pos{1, 1}, Code: "too-large", Message: fmt.Sprintf("the front matter has %d bytes; %d are allowed", len(src), MaxFrontMatter)}}
	}
	return parseYAML(src, frontMatterTokens, true)
}

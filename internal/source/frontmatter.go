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
// [ParseYAML] does but within tighter limits. A key without a value is null:
// other tools write front matter with empty fields, and all readers agree on
// what they mean.
func ParseFrontMatter(src []byte) (*Node, []Problem) {
	if len(src) > MaxFrontMatter {
		return nil, []Problem{{Pos: Pos{1, 1}, Code: "too-large", Message: fmt.Sprintf("the front matter has %d bytes; %d are allowed", len(src), MaxFrontMatter)}}
	}
	return parseYAML(src, frontMatterTokens, true)
}

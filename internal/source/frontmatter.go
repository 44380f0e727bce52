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
// [ParseYAML] does but within tighter limits, and for a text that was written
// for other tools: a key without a value is null, and a value that YAML readers
// disagree about (1.0.0, yes, a date) or that goes on over lines is a string.
func ParseFrontMatter(src []byte) (*Node, []Problem) {
	if len(src) > MaxFrontMatter {
		return nil, []Problem{{Pos: Pos{1, 1}, Code: "too-large", Message: fmt.Sprintf("the front matter has %d bytes; %d are allowed", len(src), MaxFrontMatter)}}
	}
	return parseYAML(src, frontMatterTokens, true)
}

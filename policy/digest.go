package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
)

// digest identifies the content of a policy file and of those that it refers
// to, given by name and text; see File.Digest.
func digest(root *source.Node, files map[string][]byte) (string, error) {
	manifest := []byte(`{"files":{`)
	for i, name := range sortedKeys(files) {
		if i > 0 {
			manifest = append(manifest, ',')
		}
		manifest = append(verdict.AppendString(manifest, name), ':')
		manifest = verdict.AppendString(manifest, sha256Of(files[name]))
	}
	manifest = append(manifest, `},"policy":`...)
	manifest = append(withoutTests(root).AppendJSON(manifest), '}')
	canonical, err := source.Canonical(manifest)
	if err != nil {
		return "", fmt.Errorf("make the canonical form: %w", err)
	}
	return sha256Of(canonical), nil
}

// withoutTests is a policy's content as far as it decides anything.
func withoutTests(root *source.Node) *source.Node {
	policy := *root
	policy.Members = slices.DeleteFunc(slices.Clone(root.Members), func(m source.Member) bool { return m.Key == "tests" })
	return &policy
}

// JSON returns what the file says, without its tests, as JSON.
func (f *File) JSON() []byte { return withoutTests(f.root).AppendJSON(nil) }

func sha256Of(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

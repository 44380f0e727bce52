package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/pawlgate/pawl/internal/source"
)

// digest identifies the content of a policy file; see File.Digest.
func digest(root *source.Node) (string, error) {
	policy := *root
	policy.Members = slices.DeleteFunc(slices.Clone(root.Members), func(m source.Member) bool { return m.Key == "tests" })
	manifest := []byte(`{"files":{},"policy":`)
	manifest = append(policy.AppendJSON(manifest), '}')
	canonical, err := source.Canonical(manifest)
	if err != nil {
		return "", fmt.Errorf("make the canonical form: %w", err)
	}
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

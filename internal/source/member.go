package source

import (
	"fmt"
	"slices"
)

// TextOf returns the text of a member that must be there and be a string.
func (n *Node) TextOf(key string) (string, error) {
	switch m := n.Get(key); {
	case m == nil:
		return "", fmt.Errorf("%s is missing", key)
	case m.Kind != String:
		return "", fmt.Errorf("%s must be a string, not %s", key, m.Kind)
	default:
		return m.Text, nil
	}
}

// Only returns an error unless n is an object with no other members than these,
// any of which may be missing. what names n in the error.
func (n *Node) Only(what string, keys ...string) error {
	if n.Kind != Object {
		return fmt.Errorf("%s must be an object, not %s", what, n.Kind)
	}
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Key) {
			return fmt.Errorf("%s has no member %q", what, m.Key)
		}
	}
	return nil
}

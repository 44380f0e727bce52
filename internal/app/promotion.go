package app

import "github.com/pawlgate/pawl/verdict"

// PromotionAction is the action of promoting a snapshot: {"promote": digest}.
func PromotionAction(digest string) []byte {
	return append(verdict.AppendString([]byte(`{"promote":`), digest), '}')
}

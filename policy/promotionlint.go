package policy

import (
	"fmt"

	"github.com/pawlgate/pawl/promotion"
)

// promotionLinter warns of what is of no use in a promotion policy, or lets
// more pass than its author may think.
type promotionLinter struct {
	*Promotion
	r *reader
}

func (l *promotionLinter) warn(pointer, code, format string, args ...any) {
	l.r.problem(l.r.at(pointer), code, format, args...)
}

func (l *promotionLinter) lint() {
	if l.autoApply && len(l.keys) == 0 {
		l.warn("/enableAutoApply", "auto-apply-without-key", "auto_apply is switched on, but without an evidence key nothing is ever promoted alone")
	}
	if kinds := promotion.DistinctKinds(l.options.Kinds, nil); l.options.Kinds != nil && len(kinds) < promotion.Concurring {
		l.warn("/kinds", "kinds-too-few", "%d of the kinds that count can concur, and %d distinct ones must: nothing is ever promoted alone", len(kinds), promotion.Concurring)
	}
	if l.options.Advisory {
		l.warn("/tripwire", "tripwire-advisory", "a tripwire that doesn't run stops nothing: what nobody scanned can be promoted")
	}
	for i, name := range l.scanOptions.Promotable {
		if t, _ := l.scanOptions.Catalogue.Lookup(name); t.Effect == promotion.EffectIrreversible {
			l.warn(fmt.Sprintf("/promotable/%d", i), "promotable-irreversible", "whatever declares %s needs a person, since it is irreversible", name)
		}
	}
	if l.limits.FileBytes > l.limits.ArtefactBytes {
		l.warn("/limits", "limit-no-effect", "file_bytes %d has no effect: all files together may have %d", l.limits.FileBytes, l.limits.ArtefactBytes)
	}
	for _, terminal := range []promotion.Terminal{promotion.NeedsHuman, promotion.CandidateOnly} {
		if l.queues[terminal] == "" {
			l.warn("/queues", "no-queue", "%s has no queue", terminal)
		}
	}
}

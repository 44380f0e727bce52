package policy

// reviewLinter warns of what a policy says about reviewing to no effect.
type reviewLinter struct {
	*File
	r *reader
}

func (l *reviewLinter) warn(pointer, code, format string, args ...any) {
	l.r.problem(l.r.at(pointer), code, format, args...)
}

func (l *reviewLinter) lint() {
	if l.Ramp < FullRamp && !l.automates() {
		l.warn("/ramp", "ramp-no-effect", "ramp has no effect: neither enableAutoApply nor enableAutoReject is switched on, so nothing is automatic")
	}
	if len(l.Review.Editable) > 0 {
		return
	}
	if l.Review.ActionSchema != nil {
		l.warn("/review/action_schema", "edit-never", "action_schema has no effect: editable names no place, so no action can be edited")
	}
	if l.Review.Reasons["edit"] != nil {
		l.warn("/review/reasons/edit", "edit-never", "the reasons of edit have no effect: editable names no place, so no action can be edited")
	}
}
